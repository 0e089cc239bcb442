"""A phone remembers as many tables as its cookie holds, and nothing is pushed off by another one."""

from __future__ import annotations

from secrets import token_hex
from uuid import uuid4

import pytest
from flask import Flask, session
from flask.testing import FlaskClient

from scorekeeper.limits import COOKIE_BYTES
from scorekeeper.store import commands
from scorekeeper.store.db import writing
from scorekeeper.store.models import LINKS, new_key
from scorekeeper.web.base import remembered

from ...helpers.reading import Page
from ..conftest import Player, agreed

pytestmark = pytest.mark.whole

KEYS = "scorekeeper"
FULL = "remembers as many tables as it can"
ON_A_BOARD = "This phone is full and does not remember this table"


def open_tables(app: Flask, count: int) -> list[dict[str, str]]:
    """Return the keys of new tables, by the kind of their links."""
    with app.app_context():
        made = []
        for number in range(count):
            with writing():
                table = commands.open_table(f"Table {number}", str(uuid4()))
            made.append({link: table.key_of(link) for link in LINKS})
        return made


def written(client: FlaskClient) -> int:
    """Return the bytes of the phone's cookie with all that is said of it."""
    cookie = client.get_cookie(KEYS)
    assert cookie is not None
    return len(cookie._to_request_header()) + len("; HttpOnly; Max-Age=34560000; Path=/; SameSite=Lax")


def remembered_by(client: FlaskClient) -> dict[str, list[str]]:
    with client.session_transaction() as held:
        return {name: list(held.get(name, ())) for name in ("owned", "tables")}


@pytest.fixture(scope="module")
def many() -> int:
    """More tables than fit into a cookie with their owner links."""
    return 75


@pytest.fixture
def tables(app: Flask, many: int) -> list[dict[str, str]]:
    return open_tables(app, many)


@pytest.fixture
def full(app: Flask, client: FlaskClient, tables: list[dict[str, str]]) -> FlaskClient:
    """A phone whose cookie has no room for another table."""
    with app.test_request_context():
        for keys in tables:
            if not remembered.has_room_for_table():
                break
            remembered.remember(keys["owner"], "owner")
            remembered.remember(keys["play"])
        for keys in tables:
            # A link alone takes less than a table with both.
            remembered.remember(keys["play"])
        # Less than a key, and more than one key takes less than another.
        session["more"] = token_hex(4)
        held = dict(session)
    with client.session_transaction() as own:
        own.update(held)
    return client


def test_has_room_for_sixty_tables_with_their_owner_links(full: FlaskClient) -> None:
    held = remembered_by(full)
    assert len(held["tables"]) >= len(held["owned"]) >= 50
    assert written(full) <= COOKIE_BYTES


def test_another_link_opens_and_nothing_is_pushed_off(
    full: FlaskClient, tables: list[dict[str, str]], ana: Player
) -> None:
    before = remembered_by(full)
    page = Page(full.get(f"/t/{ana.key}"))
    assert page.status == 200
    assert ON_A_BOARD in page.words
    assert "/forget" in full.get(f"/t/{ana.key}").text
    assert FULL in Page(full.get(f"/t/{ana.key}/matches/1")).words
    assert remembered_by(full) == before
    without_a_match = full.get(f"/t/{tables[-1]['play']}", follow_redirects=True)
    assert without_a_match.request.path.endswith("/matches/new")
    assert FULL in Page(without_a_match).words
    owner = Page(full.get(f"/o/{tables[-1]['owner']}"))
    assert "Save its owner link now" in owner.words
    assert remembered_by(full) == before


def test_a_board_from_the_cache_says_so_to_the_phone_that_is_full_and_to_no_other(
    app: Flask, full: FlaskClient, beto: Player
) -> None:
    beto.hold("everybody")
    for _turn in range(2):
        assert ON_A_BOARD not in beto.get().words
        assert ON_A_BOARD in Page(full.get(f"/t/{beto.key}")).words


def test_no_new_table_is_opened_before_one_is_forgotten(app: Flask, full: FlaskClient) -> None:
    assert FULL in Page(full.get("/tables/new")).words
    form = agreed(full, player__0="Ana", player__1="Beto")
    page = Page(full.post("/tables/new", data=form))
    assert page.status == 422
    assert FULL in page.words
    assert page.form("agree")["player-0"] == "Ana"
    for _table in range(2):
        forget = Page(full.get("/forget"))
        full.post("/forget", data={"what": forget.buttons("what")[-2]})
    assert FULL not in Page(full.get("/tables/new")).words
    answer = Page(full.post("/tables/new", data=form))
    assert answer.status == 303
    assert full.get(f"{answer.location}/owner").status_code == 303


def test_keys_that_open_nothing_any_more_make_room(app: Flask, full: FlaskClient, ana: Player) -> None:
    dead = {name: {new_key() for _key in range(3)} for name in ("owned", "tables")}
    with full.session_transaction() as held:
        for name, keys in dead.items():
            held[name] = [*held[name][:-3], *keys]
    before = remembered_by(full)
    new = [ana.key, *(keys["play"] for keys in open_tables(app, 3))]
    for key in new:
        assert FULL not in Page(full.get(f"/t/{key}", follow_redirects=True)).words
        assert not dead["tables"].intersection(remembered_by(full)["tables"])
    after = remembered_by(full)
    assert set(after["tables"]) == {*new, *before["tables"]} - dead["tables"]
    assert after["owned"] == before["owned"][:-3]


def test_every_phone_s_cookie_is_one_that_browsers_take(app: Flask, tables: list[dict[str, str]]) -> None:
    """However many tables, whoever holds the phone at each, and also while the next owner link is on its way."""
    with app.test_request_context(), app.app_context():
        from scorekeeper.store import queries
        from scorekeeper.web.base.cookies import bytes_of

        for keys in tables:
            owned = remembered.remember(keys["owner"], "owner")
            table = queries.table_by_key("owner", keys["owner"])
            assert table is not None
            if remembered.joins(table) and remembered.remember(keys["play"]):
                remembered.ask_holder(table)
            remembered.remember_holders(table, [3])
            remembered.device(table)
            remembered.next_owner_key()
            assert bytes_of(session) <= COOKIE_BYTES - 15, "with room for Secure and a longer name"
            assert (keys["owner"] in session["owned"]) == owned
        assert len(session["owned"]) >= 50


def test_a_phone_that_plays_only_remembers_a_hundred_tables(app: Flask) -> None:
    tables = open_tables(app, 120)
    with app.test_request_context():
        fits = [remembered.remember(keys["play"]) for keys in tables]
    assert sum(fits) >= 90
    assert fits == sorted(fits, reverse=True), "none is pushed off"
