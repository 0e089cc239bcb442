"""A link that is sent says what it is where it arrives: title, sentence and picture, in the table's language."""

from __future__ import annotations

import struct
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlsplit

import brotli
import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.store.db import Base, db
from scorekeeper.store.models import Table

from ..conftest import ON_TRUST, Player, agreed, open_table

WITH_SCORE = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


class Tags(HTMLParser):
    """The tags that a chat reads, by name."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.read: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        name = told.get("property") or told.get("name") or ""
        if tag == "meta" and name.startswith(("og:", "twitter:")):
            self.read[name] = told["content"] or ""


def previewed(app: Flask, address: str, **headers: str) -> dict[str, str]:
    """Return what a chat reads of an address, whose program has no cookie and follows what it is sent on to."""
    answer = app.test_client(use_cookies=False).get(address, headers=headers, follow_redirects=True)
    assert answer.status_code == 200
    packed = answer.headers.get("Content-Encoding") == "br"
    return Tags(brotli.decompress(answer.data).decode() if packed else answer.text).read


def watch_of(player: Player) -> str:
    with player.app.app_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        return f"/w/{table.watch_key}"


@pytest.mark.parametrize("page", ["", "/history"])
def test_a_preview_is_the_same_where_pages_are_compressed(app: Flask, ana: Player, page: str) -> None:
    address = watch_of(ana) + page
    for _time in range(2):
        assert ana.client.get(address, headers={"Accept-Encoding": "br"}).status_code == 200
    assert previewed(app, address, **{"Accept-Encoding": "br"}) == previewed(app, address) != {}


def rows(app: Flask) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the database."""
    with app.app_context():
        return {
            table.name: sorted(map(tuple, db.session.execute(sa.select(table))), key=str)
            for table in Base.metadata.sorted_tables
        }


def test_the_first_page_says_what_the_app_is(app: Flask) -> None:
    tags = previewed(app, "/", **{"Accept-Language": "es"})
    assert tags["og:title"] == "Tanteador"
    assert tags["og:description"] == "Ustedes juegan con cartas de verdad. El teléfono anota, y dice por qué."


def test_the_watch_link_shows_names_game_and_score(ana: Player) -> None:
    ana.close(**WITH_SCORE)
    tags = previewed(ana.app, watch_of(ana))
    assert tags["og:title"] == "Ana 6, Beto 2"
    assert tags["og:description"].startswith("Chorizo to 21. Being played")


def test_a_match_that_is_over_shows_who_won(app: Flask) -> None:
    ana = open_table(app, opt__target="5")
    ana.close(**WITH_SCORE)
    tags = previewed(app, f"{watch_of(ana)}/matches/1")
    assert tags["og:title"] == "Ana 6, Beto 2"
    assert tags["og:description"].endswith("Ana wins.")


def test_a_play_link_names_the_table_and_shows_no_score(ana: Player) -> None:
    ana.close(**WITH_SCORE)
    for path in ("", "/matches/1", "/history", "/matches/1/deals/1"):
        tags = previewed(ana.app, f"/t/{ana.key}{path}")
        assert tags["og:title"] == "Ana, Beto"
        assert tags["og:description"] == "A place at the table: open the link and note on your own phone."
        assert not any(digit in tags["og:title"] + tags["og:description"] for digit in "0123456789")


def test_an_owner_link_tells_only_of_the_app(ana: Player) -> None:
    with ana.app.app_context():
        table = queries.table_by_key("play", ana.key)
        assert table is not None
        owner = f"/o/{table.owner_key}"
    tags = previewed(ana.app, owner)
    assert tags["og:title"] == "Scorekeeper"
    assert "Ana" not in "".join(tags.values())


def test_it_is_in_the_language_of_the_table_whoever_fetches_it(app: Flask) -> None:
    ana = open_table(app)
    with app.app_context():
        db.session.execute(sa.update(Table).values(language="es_AR"))
        db.session.commit()
    assert previewed(app, f"/t/{ana.key}")["og:description"].startswith("Un lugar en la mesa: abrí")
    tags = previewed(app, watch_of(ana), **{"Accept-Language": "en"})
    assert tags["og:description"].startswith("Chorizo a 21. En juego")
    assert tags["og:locale"] == "es_AR"


def test_a_table_has_the_language_of_the_phone_that_opened_it(app: Flask) -> None:
    client = app.test_client()
    client.set_cookie("spoken", "es")
    client.post("/tables/new", data=agreed(client, player__0="Leo", player__1="Cata"))
    with app.app_context():
        assert db.session.scalars(sa.select(Table.language)).all() == ["es"]


def test_a_preview_counts_as_nobodys_look(ana: Player, beto: Player) -> None:
    before = rows(ana.app)
    for address in (f"/t/{ana.key}", watch_of(ana), f"{watch_of(ana)}/board", f"/t/{ana.key}/matches/1"):
        previewed(ana.app, address)
    assert rows(ana.app) == before


def test_with_the_tags_the_page_is_the_same(ana: Player) -> None:
    bare = ana.app.test_client().get(watch_of(ana)).text
    phone = ana.app.test_client()
    phone.set_cookie("spoken", "en")
    without = phone.get(watch_of(ana)).text
    head, _tags, rest = bare.partition("<meta property")
    assert without.startswith(head)
    assert without.endswith(rest.partition('summary_large_image">')[2])


def test_the_picture_is_our_own_and_as_large_as_chats_ask_for(ana: Player) -> None:
    tags = previewed(ana.app, watch_of(ana))
    picture = urlsplit(tags["og:image"])
    assert picture.netloc == "localhost"
    answer = ana.app.test_client(use_cookies=False).get(picture.path)
    assert answer.data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", answer.data[16:24]) == (1200, 630)
    assert len(answer.data) < 300_000, "larger ones are left out by some chats"


@pytest.mark.parametrize("name", ['"><script>', "علي"])
def test_names_are_text_in_it(app: Flask, name: str) -> None:
    ana = open_table(app, player__0=name)
    assert previewed(app, watch_of(ana))["og:title"].replace("\u2068", "").replace("\u2069", "") == f"{name} 0, Beto 0"
