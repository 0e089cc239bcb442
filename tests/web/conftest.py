"""Ana and Beto at a table of chorizo, and a stranger who has only heard of it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper.store import queries
from scorekeeper.store.journal.entries import JournalEntry, entries_of
from scorekeeper.store.standings import Standing, standing_of

from ..helpers.reading import Page

ON_TRUST = {
    "award-cards": "A",
    "award-coins": "B",
    "award-seven_of_coins": "A",
    "award-two_of_clubs": "A",
    "award-prime": "B",
}
"""Ana 6 (cards, seven, the two of clubs), Beto 2."""


def with_fields(data: MultiDict[str, str], changes: dict[str, Any]) -> MultiDict[str, str]:
    """Return the form with fields filled in; a list ticks several, None leaves a field out."""
    filled = MultiDict(data)
    for name, value in changes.items():
        filled.poplist(name)
        if value is not None:
            filled.setlist(name, value if isinstance(value, list) else [str(value)])
    return filled


class Player:
    """Someone with a phone at the table; reads pages and posts their forms."""

    def __init__(self, app: Flask, client: FlaskClient, key: str = "") -> None:
        self.app, self.client, self.key = app, client, key

    def get(self, path: str = "", **how: Any) -> Page:
        return Page(self.client.get(f"/t/{self.key}{path}", **how))

    def post(self, path: str, data: Any, **how: Any) -> Page:
        return Page(self.client.post(f"/t/{self.key}{path}", data=data, **how))

    def hold(self, holder: str | int = "everybody") -> Page:
        """Say who holds this phone: a player's number, ``everybody`` or ``watch``."""
        return self.post("/phone", with_fields(self.get("/phone").form(action="/phone"), {"holder": holder}))

    def deal(self, number: int = 1, match: int = 1) -> str:
        return f"/matches/{match}/deals/{number}"

    def closing(self, number: int = 1, match: int = 1, **fields: Any) -> MultiDict[str, str]:
        """Return the closing form of a deal as drawn, with fields filled in (``award_cards`` is ``award-cards``)."""
        form = self.get(self.deal(number, match) + "/close").form("closing")
        return with_fields(form, {name.replace("__", "-"): value for name, value in fields.items()})

    def close(self, number: int = 1, match: int = 1, **fields: Any) -> Page:
        """Close (or correct) a deal with the form's button; that the others have no card is said with who has all."""
        form = self.closing(number, match, **{**({"sure": fields["rest"]} if "rest" in fields else {}), **fields})
        return self.post(self.deal(number, match) + "/close", with_fields(form, {"step": "save"}))

    def sweep(self, side: str, number: int = 1, match: int = 1, id: str | None = None) -> Page:
        return self.post(self.deal(number, match) + "/sweep", {"id": id or str(uuid4()), "side": side})

    def declare(self, side: str, *cards: str, number: int = 1, **fields: Any) -> Page:
        path = self.deal(number) + "/declare"
        form = self.get(path).form("declare")
        return self.post(path, with_fields(form, {"side": side, "cards": list(cards), "step": "save", **fields}))

    def stop(self, match: int = 1, *, leader: bool = False) -> Page:
        """Cut a match on its page: who is ahead wins, or nobody does."""
        form = self.get(f"/matches/{match}/end").form(action="/end")
        return self.post(f"/matches/{match}/end", with_fields(form, {"leader": "yes" if leader else None}))

    def entries(self, match: int = 1) -> list[JournalEntry]:
        with self.app.app_context():
            table = queries.table_by_play_key(self.key)
            assert table is not None
            found = queries.match_by_number(table, match)
            return entries_of(found) if found else []

    def kinds(self, match: int = 1) -> list[str]:
        return [entry.kind for entry in self.entries(match)]

    def standing(self, match: int = 1) -> Standing:
        with self.app.app_context():
            table = queries.table_by_play_key(self.key)
            assert table is not None
            found = queries.match_by_number(table, match)
            assert found is not None
            return standing_of(found)

    def totals(self, match: int = 1) -> dict[str, int]:
        totals: dict[str, int] = dict(self.standing(match).totals)
        return totals


def agreed(client: FlaskClient, path: str = "/tables/new", **fields: Any) -> MultiDict[str, str]:
    """Return the form of a new match as drawn for a game and number of players, with fields filled in."""
    form = Page(client.get(path)).form("agree")
    chosen = {name: value for name, value in fields.items() if name in ("game", "preset", "shape")}
    if chosen:
        form = Page(client.post(path, data=with_fields(form, {**chosen, "step": "refresh"}))).form("agree")
    return with_fields(form, {**{name.replace("__", "-"): value for name, value in fields.items()}, "step": "save"})


DRAWN: dict[tuple[str, ...], MultiDict[str, str]] = {}
"""Forms of a new table as drawn for a phone without one, by what was chosen in them: all of a process are the same."""


def open_table(app: Flask, **fields: Any) -> Player:
    client = app.test_client()
    client.get("/")  # a phone without any cookie of ours is given no keys in answer to a form
    choice = {name: value for name, value in fields.items() if name in ("game", "preset", "shape")}
    drawn = tuple(f"{name}={value}" for name, value in choice.items())
    is_for_any_phone = not app.config["WTF_CSRF_ENABLED"]
    form = DRAWN.get(drawn) if is_for_any_phone else None
    if form is None:
        form = agreed(client, **choice)
    if is_for_any_phone:
        DRAWN[drawn] = form
    told = {name.replace("__", "-"): value for name, value in fields.items() if name not in choice}
    names = {"player-0": "Ana", "player-1": "Beto"}
    page = Page(client.post("/tables/new", data=with_fields(form, {"id": str(uuid4()), **names, **told})))
    assert page.status == 303, page.words
    return Player(app, client, page.location.removeprefix("/t/"))


@pytest.fixture
def ana(app: Flask) -> Player:
    """The phone that opened a table of chorizo: Ana (side A, deals first) against Beto (side B), to 21."""
    return open_table(app)


def join(app: Flask, table: Player, holder: str | int = "everybody") -> Player:
    """Open the play link of a table on another phone, and say who holds that."""
    other = Player(app, app.test_client(), table.key)
    assert other.hold(holder).status == 303
    return other


@pytest.fixture
def beto(app: Flask, ana: Player) -> Player:
    """Another phone with the same play link, which is everybody's."""
    return join(app, ana)


@pytest.fixture
def stranger(app: Flask) -> Player:
    """A phone without a link."""
    return Player(app, app.test_client(), "x" * 22)
