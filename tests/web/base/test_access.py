"""The watch link looks and never writes, and shows nobody a stronger link."""

from __future__ import annotations

from tempfile import mkdtemp
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.store import queries
from scorekeeper.store.models import LINKS, Table

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player

MAP = create_app({"INSTANCE": mkdtemp(), "SECRET_KEY": "only to read the addresses of the app"}).url_map
VALUES = {"number": 1, "deal": 1, "entry": "00000000-0000-4000-8000-000000000000"}


def addresses(method: str) -> list[tuple[str, str]]:
    """Name each endpoint that a watch key can be put in front of, with its address below the key."""
    found = set()
    for rule in MAP.iter_rules():
        if "link" in rule.arguments and method in (rule.methods or ()):
            values: dict[str, Any] = {name: VALUES.get(name, "x") for name in rule.arguments - {"link", "key"}}
            built = MAP.bind("localhost").build(rule.endpoint, {"link": "w", "key": "KEY", **values})
            found.add((rule.endpoint, built.removeprefix("/w/KEY")))
    return sorted(found)


@pytest.fixture
def played(ana: Player) -> Player:
    """Ana's table after a deal, with a sweep in the second."""
    ana.close(**ON_TRUST)
    ana.sweep("B", number=2)
    return ana


def the_table(app: Flask, player: Player) -> Table:
    """Return the table of a player, with all its keys."""
    with app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        assert len({table.key_of(link) for link in LINKS}) == len(LINKS)
        return table


@pytest.fixture
def watching(app: Flask, played: Player) -> str:
    """The address that the watch link leads to."""
    return f"/w/{the_table(app, played).watch_key}"


def test_a_watch_key_writes_nowhere(played: Player, client: FlaskClient, watching: str) -> None:
    before, form = played.kinds(), {**VALUES, "id": VALUES["entry"], "side": "A"}
    told = {endpoint: client.post(watching + path, data=form).status_code for endpoint, path in addresses("POST")}
    assert len(told) > 30
    assert {endpoint: status for endpoint, status in told.items() if status not in (403, 405)} == {}
    assert played.kinds() == before


def test_what_a_watcher_reads_carries_no_stronger_key(
    app: Flask, played: Player, client: FlaskClient, watching: str
) -> None:
    table = the_table(app, played)
    app.config["LIVE_SECONDS"] = 0.1
    for endpoint, path in addresses("GET"):
        answer = client.get(watching + path)
        assert answer.status_code in (200, 204, 303, 403, 404), endpoint
        for key in (table.play_key, table.owner_key):
            assert key.encode() not in answer.data, endpoint
            assert key not in str(answer.headers), endpoint


@pytest.mark.parametrize("path", ["", "/matches/1/deals/1"])
def test_a_watcher_sees_the_match_and_no_button_that_writes(client: FlaskClient, watching: str, path: str) -> None:
    page = Page(client.get(watching + path))
    assert page.status == 200
    assert "Ana" in page.words
    assert "/t/" not in client.get(watching + path).text
    assert 'method="post"' not in client.get(watching + path).text.replace('class="language" method="post"', "")


def test_a_watcher_sees_the_sweeps_of_the_deal(client: FlaskClient, watching: str) -> None:
    assert "Beto" in Page(client.get(watching)).words


def test_a_watch_key_does_not_play(client: FlaskClient, watching: str) -> None:
    assert client.get(watching.replace("/w/", "/t/")).status_code == 404


def test_a_play_key_does_not_pass_for_a_watch_key(client: FlaskClient, played: Player) -> None:
    assert client.get(f"/w/{played.key}").status_code == 404


def test_a_watched_table_is_no_table_to_play_at(client: FlaskClient, watching: str) -> None:
    client.get(watching)
    assert watching not in client.get("/").text
    with client.session_transaction() as session:
        assert "tables" not in session
