"""The time zone of a table: that of the phone that opens it, or of the next that writes; a bad name is none."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import Player, agreed


def zone_of(player: Player) -> str | None:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        return table.zone


def test_a_table_has_the_zone_of_the_phone_that_opens_it(app: Flask) -> None:
    client = app.test_client()
    client.get("/")
    client.set_cookie("zone", "Africa/Tunis")
    page = Page(client.post("/tables/new", data=agreed(client, id=str(uuid4()), player__0="Ana", player__1="Beto")))
    assert zone_of(Player(app, client, page.location.removeprefix("/t/"))) == "Africa/Tunis"


def test_a_table_without_one_gets_that_of_the_next_phone_that_writes_and_no_other(ana: Player) -> None:
    assert zone_of(ana) is None
    ana.client.set_cookie("zone", "America/Montevideo")
    ana.get()
    assert zone_of(ana) is None
    ana.sweep("A")
    assert zone_of(ana) == "America/Montevideo"
    ana.client.set_cookie("zone", "Asia/Tokyo")
    ana.sweep("A")
    assert zone_of(ana) == "America/Montevideo"
    assert 'data-zone="America/Montevideo"' in ana.get().html


@pytest.mark.parametrize("name", ["Mars/Olympus", "A" * 4000])
def test_a_name_that_is_no_zone_is_as_if_the_phone_had_said_none(ana: Player, name: str) -> None:
    ana.client.set_cookie("zone", name)
    ana.sweep("A")
    assert zone_of(ana) is None
