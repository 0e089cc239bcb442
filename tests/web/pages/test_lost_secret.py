"""The secret of the server is lost: every link opens its table, and those that cannot be shown are made anew."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store.models import LINKS

from ...helpers.reading import Page
from ..base.test_access import MAP, VALUES, the_table
from ..conftest import ON_TRUST, Player, with_fields

ANOTHER = "another secret, which has sealed none of the links of this table"
LETTERS = {"owner": "o", "play": "t", "watch": "w"}
LOST = "cannot be shown"


def addresses() -> set[tuple[str, str, frozenset[str]]]:
    """Return the kind of link, the address below the key, and the methods of every page that a key is put before."""
    found = set()
    for rule in MAP.iter_rules():
        if "key" not in rule.arguments:
            continue
        given: dict[str, Any] = {"which": "play", "kind": "svg", **VALUES}
        values = {name: given.get(name, "x") for name in rule.arguments - {"link", "key"}}
        for link in ("play", "watch") if "link" in rule.arguments else ("owner",):
            of_link = {"link": LETTERS[link]} if link != "owner" else {}
            built = MAP.bind("localhost").build(rule.endpoint, {"key": "KEY", **of_link, **values})
            found.add((link, built.partition("KEY")[2], frozenset(rule.methods or ())))
    return found


@pytest.fixture
def keys(app: Flask, ana: Player) -> dict[str, str]:
    """The keys of a table that is played, whose secret is lost."""
    ana.close(**ON_TRUST)
    table = the_table(app, ana)
    found = {link: table.key_of(link) for link in LINKS}
    app.config["SECRET_KEY"] = ANOTHER
    return found


def renewed(client: FlaskClient, keys: dict[str, str], which: str) -> Page:
    form = Page(client.get(f"/o/{keys['owner']}/renew/{which}")).form("renew")
    return Page(client.post(f"/o/{keys['owner']}/renew/{which}", data=form))


@pytest.mark.whole
def test_no_page_breaks(app: Flask, keys: dict[str, str]) -> None:
    app.config["LIVE_SECONDS"] = 0.1
    has_all, seen = app.test_client(), 0
    for link in LINKS:
        has_all.get(f"/{LETTERS[link]}/{keys[link]}")
    for link, path, methods in sorted(addresses(), key=str):
        # A phone that has never been here, and the one that has all the links.
        for phone in (app.test_client(), has_all):
            address = f"/{LETTERS[link]}/{keys[link]}{path}"
            if "GET" in methods:
                assert phone.get(address).status_code < 500, address
                seen += 1
            if "POST" in methods and not path.startswith(("/renew", "/delete")):
                posted = phone.post(address, data={"id": str(uuid4()), "side": "A", "holder": "watch"})
                assert posted.status_code < 500, address
    assert seen > 100


@pytest.mark.parametrize("link", LINKS)
def test_every_link_opens_by_whoever_has_it(client: FlaskClient, keys: dict[str, str], link: str) -> None:
    page = Page(client.get(f"/{LETTERS[link]}/{keys[link]}", follow_redirects=True))
    assert page.status == 200
    assert "Ana" in page.words


def test_a_phone_with_the_owner_link_alone_goes_to_its_page(client: FlaskClient, keys: dict[str, str]) -> None:
    client.get(f"/o/{keys['owner']}")
    assert f'href="/o/{keys["owner"]}"' in client.get("/").text
    page = Page(client.get("/forget"))
    assert client.post("/forget", data={"what": page.buttons("what")[0]}).status_code == 303


def test_the_owner_sees_which_links_are_lost_and_makes_new_ones_in_two_taps(
    client: FlaskClient, keys: dict[str, str]
) -> None:
    assert "Links that cannot be shown" in Page(client.get(f"/o/{keys['owner']}")).words
    for which in ("play", "watch"):
        assert f"/o/{keys['owner']}/renew/{which}" in client.get(f"/o/{keys['owner']}").text
        assert client.get(f"/{LETTERS[which]}/{keys[which]}").status_code in (200, 303)
        assert renewed(client, keys, which).status == 303
        assert client.get(f"/{LETTERS[which]}/{keys[which]}").status_code == 404, "the one that was lost is dead"
    page = Page(client.get(f"/o/{keys['owner']}"))
    assert "Links that cannot be shown" not in page.words
    assert "/t/" in client.get("/").text


def test_who_plays_reads_why_there_is_no_link_to_watch(client: FlaskClient, keys: dict[str, str]) -> None:
    client.get(f"/t/{keys['play']}")
    page = Page(client.get(f"/t/{keys['play']}/share"))
    assert keys["play"] in client.get(f"/t/{keys['play']}/share").text
    assert LOST in page.words
    assert LOST in Page(client.get(f"/t/{keys['play']}/matches/1/text?add=watch")).words
    picture = Page(client.get(f"/t/{keys['play']}/watch.svg"))
    assert picture.status == 404
    assert LOST in picture.words


def test_a_phone_that_would_only_watch_reads_it_and_nothing_is_written(
    app: Flask, client: FlaskClient, keys: dict[str, str]
) -> None:
    phone = Player(app, client, keys["play"])
    before = phone.kinds()
    asked = phone.get("/phone").form(action="/phone")
    answer = phone.post("/phone", with_fields(asked, {"holder": "watch"}))
    assert answer.status == 404
    assert LOST in answer.words
    assert phone.kinds() == before
