"""A deal fills a closing form, and the form says the same deal again, in whatever order its fields are sent."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from scorekeeper.store import queries
from scorekeeper.web.deal_entry.closing_grid import closing_form
from scorekeeper.web.deal_entry.closing_questions import questions_form
from scorekeeper.web.match.closing_needs import ACCEPTABLE, IN_PACK, PACK, RANKS, Needs
from scorekeeper.web.match.view import MatchView

from ..conftest import open_table

GRIDS: dict[str, dict[str, Any]] = {
    "chorizo": {},
    "la_escoba, three sides": {
        "game": "la_escoba",
        "shape": "3x1",
        "player__0": "Ana",
        "player__1": "Beto",
        "player__2": "Cata",
    },
}
QUESTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "brisca": (
        {"game": "brisca"},
        {
            "card_points": {"A": 60, "B": 60},
            "counts": {"A": {"cards": 22}, "B": {"cards": 0}},
            "piles": {"B": ["1O"]},
            "awards": {"game_point": "B"},
        },
    ),
    "marriages": (
        {"game": "brisca", "preset": "mariaje"},
        {"card_points": {"A": 70}, "trump": "C", "marriages": [{"suit": "O", "side": "B"}, {"suit": "E", "side": "A"}]},
    ),
    "carioca": (
        {"game": "carioca"},
        {"went_out": "A", "left": {"B": ["K", "5", "X"]}, "left_points": {"B": 45}, "round": 1},
    ),
    "the free pad": ({"game": "free"}, {"points": {"A": -12, "B": 0}}),
}


def view_of(app: Flask, fields: dict[str, Any]) -> Iterator[MatchView]:
    """Open a table and show its match, inside a request."""
    key = open_table(app, **fields).key
    with app.test_request_context(headers={"Accept-Language": "en"}):
        table = queries.table_by_play_key(key)
        assert table is not None
        match = queries.match_by_number(table, 1)
        assert match is not None
        yield MatchView(table, match)


def cards() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(PACK), min_size=1, max_size=5, unique=True)


def some(parts: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw at least one of the parts."""
    return st.fixed_dictionaries({}, optional=parts).filter(bool)


def deals(match: MatchView, needs: Needs) -> st.SearchStrategy[dict[str, Any]]:
    """Draw what the grid can say of a deal, be it possible or not."""
    labels = match.setup.labels
    side = st.sampled_from(labels)
    takers = {
        row.item: st.one_of(side, *([st.none()] if row.may_be_nobody else []), *(st.just([*g]) for g in row.several))
        for row in needs.rows
    }
    counts = some({kind: st.integers(0, IN_PACK[kind]) for kind in needs.counts})
    parts: dict[str, st.SearchStrategy[Any]] = {
        "awards": some(takers),
        "counts": some(dict.fromkeys(labels, counts)),
        "piles": some(dict.fromkeys(labels, cards())),
        "leftover": cards(),
        "rest": side,
        "last_capturer": side,
        "accept": st.lists(st.sampled_from(ACCEPTABLE), min_size=1, unique=True),
    }
    if needs.told:
        parts["told"] = some(dict.fromkeys(labels, cards()))
    if needs.best:
        index = st.sampled_from([None, "figure", *RANKS]).map(lambda rank: int(rank) if rank in RANKS else rank)
        parts["best"] = some(dict.fromkeys(labels, some(dict.fromkeys("OCEB", index))))
    if needs.openings:
        parts["layout_result"] = st.sampled_from(needs.openings)
    if needs.declarations:
        items = st.lists(st.sampled_from(needs.declarations), min_size=1, unique=True)
        declaration = st.fixed_dictionaries({"side": side}, optional={"batch": st.integers(1, 3), "items": items})
        parts["declarations"] = st.lists(declaration, min_size=1, max_size=3)
    if needs.penalties:
        penalty = st.fixed_dictionaries({"item": st.sampled_from(needs.penalties), "side": side})
        parts["penalties"] = st.lists(penalty, min_size=1, max_size=2)
    if needs.wilds:
        parts["as"] = some({card: st.sampled_from([rank + card[-1] for rank in RANKS]) for card in needs.wilds})
    always = {"sweeps": st.fixed_dictionaries(dict.fromkeys(labels, st.integers(0, 9)))} if needs.sweeps else {}
    return st.fixed_dictionaries(always, optional=parts)


def posted(form: Any, order: Any) -> MultiDict[str, str]:
    """Return the fields as a page sends them, in an order of its own."""
    fields: MultiDict[str, str] = MultiDict()
    for name in order([name for name in form._fields if name != "csrf_token"]):
        value = form[name].data
        if value not in (None, []):
            fields.setlist(name, [str(one) for one in (value if isinstance(value, list) else [value])])
    return fields


def hold_to_its_deals(match: MatchView, needs: Needs) -> None:
    """Fill the grid from deals; hold it to saying them, filled and posted."""

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(facts=deals(match, needs), random=st.randoms())
    def says_the_same(facts: dict[str, Any], random: Random) -> None:
        form = closing_form(match, None, facts)
        assert form.facts() == facts
        fields = posted(form, lambda names: random.sample(names, len(names)))
        assert closing_form(match, fields).facts() == facts

    says_the_same()


@pytest.mark.parametrize("fields", GRIDS.values(), ids=GRIDS)
def test_a_grid_says_the_deal_that_filled_it(app: Flask, fields: dict[str, Any]) -> None:
    for match in view_of(app, fields):
        hold_to_its_deals(match, match.needs)


@pytest.mark.parametrize(("fields", "facts"), QUESTIONS.values(), ids=QUESTIONS)
def test_questions_say_the_deal_that_filled_them(app: Flask, fields: dict[str, Any], facts: dict[str, Any]) -> None:
    for match in view_of(app, fields):
        form = questions_form(match, 1, None, facts)
        assert form.facts() == facts
        for order in (list, reversed):
            assert questions_form(match, 1, posted(form, order)).facts() == facts


def test_the_cards_of_an_opening_stand_for_what_it_was(app: Flask) -> None:
    for match in view_of(app, {}):
        fields = MultiDict([("layout", card) for card in PACK[:4]] + [("opening", "15")])
        facts = closing_form(match, fields).facts()
        assert facts["layout"] == [*PACK[:4]]
        assert "layout_result" not in facts


def test_what_a_stored_deal_leaves_null_is_unknown(app: Flask) -> None:
    for match in view_of(app, {}):
        facts = {
            "piles": {"A": None},
            "told": {"A": None},
            "best": {"A": None, "B": {}},
            "counts": {"A": {"cards": None}, "B": None},
            "awards": None,
            "rest": None,
        }
        assert closing_form(match, None, facts).facts() == {"sweeps": {"A": 0, "B": 0}}
