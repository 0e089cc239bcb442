"""The trumps of a deal: tapped on the board where they are turned or named, seen on every board, closed with."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import Player, open_table

NAMES = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo", "Cata", "Eva", "Rina"))}


def table_of(app: Flask, preset: str = "brisca", shape: str = "2x1", **fields: str) -> Player:
    """Open a table that plays a preset of Brisca."""
    sides, each = map(int, shape.split("x"))
    names = dict(list(NAMES.items())[: sides * each])
    return open_table(app, game="brisca", preset=preset, shape=shape, **names, **fields)


def tap(table: Player, suit: str, deal: int = 1) -> Page:
    """Tap a suit of the board; an empty one takes back what was tapped."""
    return table.post(f"{table.deal(deal)}/trump", {"id": str(uuid4()), "trump": suit})


def pressed(page: Page) -> list[str]:
    """Return the suits that the board shows as trumps."""
    return re.findall(r'data-suit="(\w)" aria-pressed="true"', page.html)


@pytest.mark.parametrize(("preset", "shape"), [("brisca", "2x1"), ("mariaje", "2x2"), ("chiamata", "5x1")])
def test_trumps_are_tapped_in_every_line_up(app: Flask, preset: str, shape: str) -> None:
    table = table_of(app, preset, shape)
    assert pressed(table.get()) == []
    assert tap(table, "C").status in (200, 303)

    assert pressed(table.get()) == ["C"]
    assert f"trumps: {'coppe' if preset.startswith('chiamata') else 'cups'}" in table.get().words


@pytest.mark.parametrize("look", ["/board", "/faces"])
def test_trumps_are_seen_on_every_board(app: Flask, look: str) -> None:
    table = table_of(app)
    tap(table, "E")
    assert "trumps: swords" in table.get(look).words.lower()


def test_another_suit_replaces_the_one_before_and_the_same_again_takes_it_back(app: Flask) -> None:
    table = table_of(app)
    tap(table, "E")
    tap(table, "O")
    assert table.kinds() == ["match_started", "trump_noted", "voided", "trump_noted"]
    assert pressed(table.get()) == ["O"]

    tap(table, "")
    assert pressed(table.get()) == []
    assert "trumps:" not in table.get().words
    assert "No trumps named" in table.get("/matches/1/journal").words


def test_trumps_of_a_fixed_cycle_are_not_tapped(app: Flask) -> None:
    table = table_of(app, **{"opt-trump_method": '"fixed_cycle"'})
    assert "trumps: coins" in table.get().words
    assert "/trump" not in table.get().html
    assert tap(table, "C").status == 404
    assert table.kinds() == ["match_started"]


@pytest.mark.parametrize("game", ["chorizo", "carioca"])
def test_other_games_have_no_trumps(app: Flask, game: str) -> None:
    table = open_table(app, game=game, shape="2x1")
    assert "/trump" not in table.get().html
    assert tap(table, "C").status == 404


@pytest.mark.parametrize("suit", ["X", "c"])
def test_what_is_no_suit_is_refused_and_nothing_is_lost(app: Flask, suit: str) -> None:
    table = table_of(app)
    tap(table, "B")
    assert tap(table, suit).status == 400
    assert pressed(table.get()) == ["B"]


def test_trumps_of_a_closed_deal_are_refused(app: Flask) -> None:
    table = table_of(app)
    table.close(card_points__A="70", card_points__B="50")
    assert tap(table, "C", 1).status == 409
    assert tap(table, "C", 2).status in (200, 303)


@pytest.mark.parametrize(("preset", "shape"), [("mariaje", "2x2"), ("chiamata", "5x1")])
def test_the_closing_starts_from_the_trumps_of_the_board(app: Flask, preset: str, shape: str) -> None:
    table = table_of(app, preset, shape)
    assert not table.closing().get("trump")
    tap(table, "B")
    assert table.closing()["trump"] == "B"


@pytest.mark.parametrize("tapped", ["B", ""])
def test_the_stored_facts_carry_the_trumps_only_where_they_were_noted(app: Flask, tapped: str) -> None:
    table = table_of(app)
    if tapped:
        tap(table, tapped)
    table.close(card_points__A="70", card_points__B="50")
    facts: Any = table.entries()[-1].payload["facts"]

    assert facts.get("trump", "") == tapped
    assert table.totals() == {"A": 1, "B": 0}


def test_a_marriage_counts_by_the_trumps_of_the_board(app: Flask) -> None:
    table = table_of(app, "mariaje")
    tap(table, "C")
    table.close(card_points__A="55", card_points__B="65", marriage__C="A")

    assert table.totals() == {"A": 1, "B": 0}


def pushed(table: Player, *entries: dict[str, Any]) -> list[str]:
    answer = table.client.post("/api/v1/entries", json={"table": table.key, "entries": list(entries)})
    assert answer.json is not None
    return [one["status"] for one in answer.json["answers"]]


def noted(**how: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "match": 1, "kind": "trump_noted", "deal": 1, **how}


def test_a_tap_that_waited_on_a_phone_is_written_once(app: Flask) -> None:
    table = table_of(app)
    one = noted(fields={"trump": ["C"]})
    assert pushed(table, one, one) == ["written", "known"]
    assert pushed(table, noted(payload={"trump": "E"})) == ["written"]
    assert pressed(table.get()) == ["E"]
    assert pushed(table, noted(payload={"trump": None})) == ["written"]
    assert pressed(table.get()) == []
    assert pushed(table, noted(fields={"trump": [""]})) == ["written"]


@pytest.mark.parametrize("wrong", [{"fields": {"trump": ["X"]}}, {"payload": {}}])
def test_a_damaged_tap_of_a_phone_is_refused(app: Flask, wrong: dict[str, Any]) -> None:
    table = table_of(app)
    answer = table.client.post("/api/v1/entries", json={"table": table.key, "entries": [noted(**wrong)]})
    statuses = [one["status"] for one in (answer.json or {}).get("answers", [])]
    assert statuses == ["refused"] or answer.status_code in (400, 422)
    assert table.kinds() == ["match_started"]


def test_who_only_watches_sees_the_trumps_and_cannot_tap_them(app: Flask) -> None:
    table = table_of(app)
    tap(table, "C")
    with app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        address = f"/w/{found.watch_key}"
    page = Page(app.test_client().get(address))

    assert "trumps: cups" in page.words
    assert "/trump" not in page.html
    tapped = {"id": str(uuid4()), "trump": "E"}
    assert app.test_client().post(f"{address}{table.deal()}/trump", data=tapped).status_code in (403, 404, 405)
    assert pressed(table.get()) == ["C"]


def test_a_closing_that_was_drawn_before_is_not_stale_for_it(app: Flask) -> None:
    table = table_of(app)
    form = table.closing(card_points__A="70", card_points__B="50", step="save")
    tap(table, "C")
    assert table.post(f"{table.deal()}/close", form).status == 303
    assert table.totals() == {"A": 1, "B": 0}
