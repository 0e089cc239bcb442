"""Links are sealed anew under a new secret in pieces, while others write, and killed anywhere."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.store import commands, links, ownership, seals
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import LINKS, Link, Table

from ..conftest import SECRET
from ..helpers.databases import on_both

pytestmark = pytest.mark.own_app

NEW = "a new secret for the tests, long enough"
LOST = "a secret that nobody has any more, and that was long enough"


def make(count: int) -> list[dict[str, str]]:
    """Make tables, and return their keys by the kind of their links."""
    made = []
    for number in range(count):
        with writing():
            table = commands.open_table(f"Table {number}", str(uuid4()))
        made.append({link: table.key_of(link) for link in LINKS})
    db.session.remove()
    return made


def shown() -> list[dict[str, str]]:
    """Return the keys of all tables, as their owners see them."""
    db.session.remove()
    return [{link: table.key_of(link) for link in LINKS} for table in db.session.scalars(sa.select(Table))]


def rotate(app: Flask) -> None:
    app.config["SECRET_KEY"], app.config["SECRET_KEY_FALLBACKS"] = NEW, [SECRET]


@pytest.fixture
def keys(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The keys of some tables, sealed under the secret of before."""
    monkeypatch.setattr(links, "PIECE", 4)
    monkeypatch.setattr(links, "PAUSE", 0)
    made = make(5)
    rotate(app)
    return made


def test_every_key_is_sealed_anew_once(app: Flask, keys: list[dict[str, str]]) -> None:
    assert links.seal_anew() == (15, 0, 0)
    assert links.seal_anew() == (0, 0, 0)
    app.config["SECRET_KEY_FALLBACKS"] = []
    assert shown() == keys


def test_begun_again_after_it_was_killed_it_goes_on(
    app: Flask, keys: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced, pieces = links._replaced, []

    def killed_later(seals: Any) -> int:
        pieces.append(seals)
        if len(pieces) == 3:
            raise KeyboardInterrupt
        return replaced(seals)

    monkeypatch.setattr(links, "_replaced", killed_later)
    with pytest.raises(KeyboardInterrupt):
        links.seal_anew()
    db.session.remove()
    assert shown() == keys, "both secrets open"
    assert links.seal_anew() == (7, 0, 0)
    app.config["SECRET_KEY_FALLBACKS"] = []
    assert shown() == keys


def test_a_link_that_is_renewed_meanwhile_is_the_new_one(
    app: Flask, keys: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed, replaced = [], links._replaced

    def renew_first(seals: Any) -> int:
        if not renewed:
            table = db.session.scalars(sa.select(Table).join(Link).where(Link.hash.in_(seals))).first()
            assert table is not None
            for link in LINKS:
                with writing():
                    ownership.renew_key(table, link, table.key_of(link))
            renewed.append({link: table.key_of(link) for link in LINKS})
        return replaced(seals)

    monkeypatch.setattr(links, "_replaced", renew_first)
    done = links.seal_anew()
    assert (done.lost, done.left) == (0, 0)
    app.config["SECRET_KEY_FALLBACKS"] = []
    assert renewed[0] in shown()


def test_what_no_secret_opens_is_counted_and_left(app: Flask, keys: list[dict[str, str]]) -> None:
    app.config["SECRET_KEY"], app.config["SECRET_KEY_FALLBACKS"] = LOST, []
    make(2)
    rotate(app)
    assert links.seal_anew() == (15, 6, 0)
    app.config["SECRET_KEY_FALLBACKS"] = [LOST]
    assert len(shown()) == 7


@on_both
def test_whoever_has_locked_a_link_is_not_waited_for(
    app: Flask, keys: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    if db.engine.dialect.name == "sqlite":
        pytest.skip("SQLite has one writer, and no locks of rows.")
    monkeypatch.setattr(links, "TURNS", 2)
    with db.engine.connect() as other:
        # Of a form there is nothing to seal.
        sealed = sa.select(Link.hash).where(Link.sealed.is_not(None))
        other.execute(sealed.order_by(Link.hash).limit(1).with_for_update())
        assert links.seal_anew() == (14, 0, 1)
    assert links.seal_anew() == (1, 0, 0)


def test_a_seal_under_the_secret_of_now_stays_as_it_is(app: Flask) -> None:
    sealed = seals.seal("a key")
    assert seals.sealed_anew(sealed) == sealed
    rotate(app)
    anew = seals.sealed_anew(sealed)
    assert anew not in (None, sealed)
    assert seals.unseal(str(anew)) == "a key"
    app.config["SECRET_KEY_FALLBACKS"] = []
    assert seals.sealed_anew(sealed) is None
