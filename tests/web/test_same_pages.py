"""A table that is taken in from its file shows the pages of the table that was saved, and answers programs the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from sqlalchemy import select

from scorekeeper.store import queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Match, Table
from scorekeeper.store.standings import standing_of

from ..helpers import draws
from ..helpers.evenings import Evening, long_evenings
from ..helpers.table_files import drawn, file_of, links_of, taken_in

OF_A_TABLE = ("", "/board", "/history", "/history?who=pairs", "/history?state=won&guests=yes", "/history/find")
OF_A_MATCH = ("", "/journal", "/text")
TO_WATCH = ("", "/history")
ANSWERS = ("standing", "entries")

EVERYTHING = """
    hold 0, hold 7, sweep 0, close 0, correct 1, confirm 1, dispute 1, close 2, contest 1, note 0, points 4, void 7,
    newcomers 0, close 0, propose 0, propose 1, end 1, merge 2, resume 1,
    start 0, substitute 0, enter 0, close 6, leave 0, end 0,
    start 2, hide 0, show 3,
    typed 3, rename 1, guest 3, zone 0, forget 1
"""
"""An evening with everything that is seldom drawn together."""


def pages(table: Table) -> Iterator[str]:
    """Yield the addresses of a table by which it is read, with the keys of its links left open."""
    yield from (f"/t/{{play}}{rest}" for rest in OF_A_TABLE)
    yield from (f"/w/{{watch}}{rest}" for rest in TO_WATCH)
    names = queries.player_names(table)
    yield from (f"/t/{{play}}/players/{number}" for number in names if number not in names.merged)
    yield "/api/v1/matches"
    shown = select(Match).where(Match.table_id == table.id, Match.deleted_at.is_(None)).order_by(Match.number)
    for match in db.session.scalars(shown):
        yield from (f"/t/{{play}}/matches/{match.number}{rest}" for rest in OF_A_MATCH)
        yield from (f"/api/v1/{name}?match={match.number}" for name in ANSWERS)
        for deal, _sheet in standing_of(match).sheets:
            yield f"/t/{{play}}/matches/{match.number}/deals/{deal.number}"
            yield f"/api/v1/sheet?match={match.number}&deal={deal.number}"


@pytest.mark.whole
@given(long_evenings)
@settings(max_examples=draws.examples(6), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_evening_looks_the_same_elsewhere(app: Flask, elsewhere: Flask, done: list[tuple[str, int]]) -> None:
    with app.app_context():
        evening = Evening()
        for act, pick in done:
            evening.do(act, pick)
    compare(app, elsewhere, evening)


@pytest.mark.whole
def test_an_evening_with_everything_looks_the_same_elsewhere(app: Flask, elsewhere: Flask) -> None:
    with app.app_context():
        evening = Evening()
        for act in EVERYTHING.split(","):
            what, pick = act.split()
            assert evening.do(what, int(pick)), act
    compare(app, elsewhere, evening)


def compare(here: Flask, there: Flask, evening: Evening) -> None:
    """Take the table of an evening along to another server, and compare its pages with those of the table there."""
    with here.app_context():
        table = db.session.merge(evening.table)
        file, links, addresses = file_of(table), links_of(table), list(pages(table))
    with there.app_context():
        new_links = links_of(taken_in(file))
    for address in addresses:
        was = read(here, links, address)
        assert was[0] == 200, address
        assert read(there, new_links, address) == was, address


def read(app: Flask, links: dict[str, str], address: str) -> tuple[int, str]:
    """Return the status and the text of a page; a program has the key in a header."""
    is_answer = address.startswith("/api/")
    return drawn(app, links, address, headers={"Authorization": f"Bearer {links['play']}"} if is_answer else None)
