"""The slots of a prime are a view of the closing form: nothing typed is lost, and the engine judges both alike."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
CLOSED = {**TRUST, "award__coins": "A"}
"""The cards below are good for most coins too."""
WINS_24_TO_23 = {"best-A-O": "7", "best-A-C": "6", "best-A-E": "6", "best-A-B": "5", "best-B-O": "2"}
"""Two sides: what Ana does not have as her best, Beto has."""


def posted(player: Player, form: MultiDict[str, str], **changes: Any) -> Page:
    """Post the form of a first deal's closing, with fields filled in."""
    filled = with_fields(form, {name.replace("__", "-"): value for name, value in changes.items()})
    return player.post(player.deal() + "/close", filled)


def opened(player: Player, **fields: Any) -> Page:
    """Fill in the closing form of the first deal, and go from it to the slots."""
    return posted(player, player.closing(**fields), step="prime")


def laid(player: Player, page: Page, best: dict[str, str], step: str = "prime") -> Page:
    """Lay out cards in the slots of a page."""
    return posted(player, with_fields(page.form("closing"), best), step=step)


def slot(page: Page, name: str) -> str:
    """Return what a slot shows, in words."""
    face = page.html[page.html.index(f'id="face-{name}"') :]
    words = re.search(r'<span class="visually-hidden">([^<]*)</span>', face)
    assert words
    return words[1]


class TestFromTheClosing:
    def test_the_slots_show_the_sides_of_the_deal_by_name(self, ana: Player) -> None:
        page = opened(ana)
        assert page.status == 200
        assert "Prime Deal 1" in page.words
        assert slot(page, "A-O") == "Ana, coins: not known"
        assert "Ana: their best coin" in page.words
        assert "The best card of each suit, added up. Figures are 0." in page.words

    def test_the_cards_that_are_certain_lie_there_already(self, ana: Player) -> None:
        page = opened(ana, pile__A=["7O", "7C"])
        assert slot(page, "A-O") == "Ana, coins: 7 of coins"
        assert slot(page, "B-O") == "Beto, coins: not known"
        assert page.form("closing").getlist("best-A-O") == [""]

    def test_each_tap_is_judged_and_the_other_side_follows(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "7", "best-A-C": "6"})
        assert slot(page, "A-C") == "Ana, cups: 6 of cups"
        assert slot(page, "B-C") == "Beto, cups: 7 of cups"
        assert "Still open Tap the best card of each suit." in page.words
        assert "Note it" not in page.words

    def test_it_says_who_has_won_as_soon_as_nothing_can_change_it(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "7", "best-A-C": "7", "best-A-E": "7", "best-A-B": "6"})
        assert "Ana has won it 27 against 25 at most" in page.words
        assert "Note it" in page.words

    def test_in_pairs_the_verb_is_plural(self, app: Flask) -> None:
        pairs = open_table(app, shape="2x2", player__0="Ana", player__1="Beto", player__2="Leo", player__3="Cata")
        page = laid(pairs, opened(pairs), WINS_24_TO_23)
        assert "Ana and Leo win 24 against 23" in page.words

    def test_what_is_noted_settles_the_line_of_the_form(self, ana: Player) -> None:
        page = laid(ana, laid(ana, opened(ana), WINS_24_TO_23), {}, step="noted")
        assert "Close deal 1" in page.words
        assert cell(page, "A") == "+1 24–23"
        assert {name: page.form("closing")[name] for name in WINS_24_TO_23} == WINS_24_TO_23
        assert ana.kinds() == ["match_started"]

    def test_going_back_without_noting_loses_nothing(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "7"}, step="check")
        assert "Close deal 1" in page.words
        assert page.form("closing")["best-A-O"] == "7"

    def test_all_else_that_was_typed_comes_back(self, ana: Player) -> None:
        typed = {
            "sweeps__A": "2",
            "award__cards": "A",
            "award__coins": "nobody",
            "count__sevens__A": "3",
            "count__sixes__B": "x",
            "pile__A": ["7O", "6C"],
            "pile__left": ["1E"],
            "told__B": ["5B", "4B"],
            "last_capturer": "B",
            "opening": "15",
            "declaration": ['{"items": ["misery"], "side": "A"}'],
            "new_side": "B",
            "new_card": ["1O", "2O"],
        }
        before = posted(ana, ana.closing(**typed), step="check").form("closing")
        slots = posted(ana, before, step="prime", count__sixes__B="x").form("closing")
        after = posted(ana, slots, step="check", count__sixes__B="x").form("closing")
        for name in typed:
            field = name.replace("__", "-")
            assert sorted(after.getlist(field)) == sorted(before.getlist(field)), field

    def test_what_was_said_of_it_is_not_what_decides(self, ana: Player) -> None:
        page = opened(ana, award__prime="B")
        assert "Said at the table: Beto. The cards do not show it yet." in page.words
        assert "Note it" not in page.words

    def test_what_was_said_falls_where_the_cards_noted_say_otherwise(self, ana: Player) -> None:
        page = laid(ana, opened(ana, award__prime="B"), WINS_24_TO_23, step="noted")
        assert not page.form("closing").get("award-prime")
        assert "say otherwise" not in page.words
        assert cell(page, "A") == "+1 24–23"

    def test_what_was_said_stays_where_the_cards_agree(self, ana: Player) -> None:
        page = laid(ana, opened(ana, award__prime="A"), WINS_24_TO_23, step="noted")
        assert page.form("closing")["award-prime"] == "A"

    def test_nothing_is_saved_by_a_tap_in_the_slots(self, ana: Player) -> None:
        page = laid(ana, opened(ana, **{**TRUST, "award__prime": ""}), WINS_24_TO_23)
        assert page.status == 200
        assert ana.kinds() == ["match_started"]

    def test_htmx_gets_the_parts_that_a_tap_changes(self, ana: Player) -> None:
        form = opened(ana).form("closing")
        taps = {"HX-Request": "true"}
        fields = with_fields(form, {"best-A-O": "7", "step": "prime"})
        part = ana.post(ana.deal() + "/close", fields, headers=taps)
        assert "<main" not in part.html
        assert slot(part, "A-O") == "Ana, coins: 7 of coins"
        whole = ana.post(ana.deal() + "/close", with_fields(fields, {"step": "noted"}), headers=taps)
        assert "<main" in whole.html

    def test_a_card_in_two_slots_is_said_beside_them(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "7", "best-B-O": "7"})
        assert page.status == 200
        assert "7 of coins" in page.words[page.words.index("each of them scores") :]
        assert "Note it" not in page.words

    def test_without_script_the_next_empty_slot_opens(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "7", "slot": "A-O"})
        assert page.form("closing")["slot"] == "A-C"

    def test_a_figure_and_no_card_at_all(self, ana: Player) -> None:
        page = laid(ana, opened(ana), {"best-A-O": "figure", "best-A-C": "none"})
        assert (slot(page, "A-O"), slot(page, "A-C")) == ("Ana, coins: A figure", "Ana, cups: no card")


def cell(page: Page, label: str) -> str:
    """Return what the cell of a side says in the prime's row of the grid."""
    inside = page.html[page.html.index(f'id="mark-prime-{label}"') :]
    chosen = re.search(r'<span class="if-chosen">(.*?)</span>', inside)
    assert chosen
    return " ".join(re.sub(r"<[^>]*>", " ", chosen[1]).split())


SHAPES = {
    "scopa": ({"game": "scopa"}, {"best-A-O": "7", "best-A-C": "7", "best-A-E": "7", "best-A-B": "7"}, "+1 seen"),
    "cirulla": (
        {"game": "cirulla"},
        {"best-A-O": "7", "best-A-C": "7", "best-A-E": "7", "best-A-B": "6"},
        "+1 seen",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_method_counts_as_its_table_does(app: Flask, shape: str) -> None:
    fields, best, told = SHAPES[shape]
    table = open_table(app, **fields)
    page = laid(table, laid(table, opened(table), best), {}, step="noted")
    assert cell(page, "A") == told


@pytest.mark.parametrize(("counts", "worth"), [("assigned", ""), ("natural", "21")])
def test_the_matta_has_its_own_worth_where_it_counts_as_itself(app: Flask, counts: str, worth: str) -> None:
    cirulla = open_table(app, game="cirulla", opt__matta_in_prime=f'"{counts}"')
    page = laid(cirulla, opened(cirulla, as__7C="2"), {"best-A-C": "7"})
    face = page.html[page.html.index('id="face-A-C"') :]
    assert (
        f'<small class="worth number quiet" aria-hidden="true">{worth}</small>' in face[: face.index("visually-hidden")]
    )
    assert page.form("closing")["as-7C"] == "2"


def test_a_prime_that_lacks_a_suit_says_that_it_does_not_count(app: Flask) -> None:
    escoba = open_table(app, game="la_escoba")
    page = laid(escoba, opened(escoba), {"best-A-O": "7", "best-A-C": "none"})
    assert "Ana does not count: a suit or a card that it needs is missing –" in page.words


def test_three_sides_have_their_slots(app: Flask) -> None:
    three = open_table(app, shape="3x1", player__0="Ana", player__1="Beto", player__2="Leo")
    best = {f"best-A-{suit}": "7" for suit in "OCEB"}
    page = laid(three, opened(three), best)
    assert slot(page, "C-B") == "Leo, clubs: not known"
    assert "Ana has won it 28 against 24 at most" in page.words


@pytest.mark.parametrize("fields", [{"game": "escoba"}, {"game": "scopa", "opt__prime_method": '"sevens_count"'}])
def test_a_game_without_a_prime_of_cards_has_no_slots(app: Flask, fields: dict[str, Any]) -> None:
    table = open_table(app, **fields)
    assert "with the cards" not in table.get(table.deal() + "/close").words
    page = opened(table)
    assert 'name="slot"' not in page.html


class TestFromTheSheet:
    def test_the_slots_are_filled_from_the_deal(self, ana: Player) -> None:
        ana.close(**CLOSED, best__A__O="7")
        page = ana.get(ana.deal() + "/prime")
        assert slot(page, "A-O") == "Ana, coins: 7 of coins"
        assert "Said at the table: Beto. The cards do not show it yet." in page.words

    def test_what_is_noted_corrects_the_deal(self, ana: Player) -> None:
        ana.close(**CLOSED)
        page = laid(ana, ana.get(ana.deal() + "/prime"), WINS_24_TO_23, step="save")
        assert page.status == 303
        assert ana.kinds() == ["match_started", "deal_closed", "voided", "deal_closed"]
        facts: Any = ana.entries()[-1].payload["facts"]
        assert facts["best"] == {"A": {"O": 7, "C": 6, "E": 6, "B": 5}, "B": {"O": 2}}
        assert "prime" not in facts["awards"]
        assert facts["awards"]["cards"] == "A"
        assert "24–23" in ana.get(ana.deal()).words

    def test_the_verdict_is_that_of_the_sheet(self, ana: Player) -> None:
        ana.close(**CLOSED)
        page = laid(ana, ana.get(ana.deal() + "/prime"), WINS_24_TO_23)
        assert "Ana wins 24 against 23" in page.words
        laid(ana, page, {}, step="save")
        line = next(line for line in ana.standing().result["sheets"][-1]["lines"] if line["item"] == "prime")
        assert (line["values"], line["points"]) == ({"A": 24, "B": 23}, {"A": 1, "B": 0})

    def test_what_changes_nothing_writes_nothing(self, ana: Player) -> None:
        ana.close(
            **{**CLOSED, "award__prime": None}, **{name.replace("-", "__"): v for name, v in WINS_24_TO_23.items()}
        )
        page = laid(ana, ana.get(ana.deal() + "/prime"), {}, step="save")
        assert page.status == 303
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_what_cannot_be_saved_from_them_goes_on_as_the_form(self, ana: Player) -> None:
        ana.close(**TRUST)
        page = laid(ana, ana.get(ana.deal() + "/prime"), WINS_24_TO_23, step="save")
        assert page.status == 422
        assert "Correct deal 1" in page.words
        assert "Most coins was given to Beto, but the cards and counts say otherwise" in page.words
        assert page.form("closing")["best-A-C"] == "6"

    def test_a_card_that_cannot_be_is_refused_and_nothing_is_lost(self, ana: Player) -> None:
        ana.close(**CLOSED)
        page = laid(ana, ana.get(ana.deal() + "/prime"), {"best-A-O": "7", "best-B-O": "7"}, step="save")
        assert page.status == 422
        assert page.form("closing")["best-B-O"] == "7"
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_of_a_deal_agreed_on_what_is_noted_is_proposed(self, ana: Player) -> None:
        ana.close(**CLOSED)
        for side in "AB":
            accept = ana.get(ana.deal()).form(action="/accept")
            ana.post(f"{ana.deal()}/accept", with_fields(accept, {"side": side}))
        page = laid(ana, ana.get(ana.deal() + "/prime"), WINS_24_TO_23)
        assert "Propose this version" in page.words
        page = laid(ana, page, {}, step="save")
        assert page.location.endswith("/versions?saved=1")
        assert ana.kinds()[-1] == "proposed"

    def test_the_slots_lead_back_to_the_sheet(self, ana: Player) -> None:
        ana.close(**CLOSED)
        page = laid(ana, ana.get(ana.deal() + "/prime"), {"best-A-O": "7"})
        assert f'href="/t/{ana.key}{ana.deal()}" aria-label="Deal 1"' in page.html

    def test_settled_they_lead_to_every_other_way_of_counting(self, ana: Player) -> None:
        ana.close(**CLOSED)
        page = laid(ana, ana.get(ana.deal() + "/prime"), WINS_24_TO_23)
        link = re.search(r'href="(/prime\?method=face&amp;sides=2&amp;[^"]*)"', page.html)
        assert link
        words = Page(ana.client.get(link[1].replace("&amp;", "&"))).words
        assert "Ana wins, 24–23" in words
        assert "16 (Italian) Beto wins 72 75" in words
