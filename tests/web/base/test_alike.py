"""The board drawn for one phone is given to those to which it looks the same, and to no other."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scorekeeper.store import queries

from ..conftest import Player, join
from ..deal_entry.test_closing import TRUST
from ..pages.test_agreement import OTHERWISE
from .test_by_facts import OF_ONE_ANSWER, counted


@pytest.fixture
def phones(app: Flask, ana: Player) -> list[Player]:
    """Phones that nobody holds, all of which have seen the board."""
    found = [join(app, ana) for _phone in range(3)]
    for phone in found:
        phone.get()
    return found


def statements(phone: Player) -> int:
    """Return how many statements the board takes that a phone asks for."""
    with counted(phone.app) as found:
        assert phone.get().status == 200
    return len(found)


def see(phone: Player) -> None:
    """Look at what was changed."""
    changed = re.search(r'href="([^"]+seen=[^"]+)"', phone.get().html)
    assert changed is not None
    assert phone.client.get(changed[1].replace("&amp;", "&")).status_code == 200


def test_one_phone_s_board_is_that_of_all_alike(ana: Player, phones: list[Player]) -> None:
    for _entry in range(2):
        ana.sweep("A")
        first, *others = phones
        drawn = OF_ONE_ANSWER.sub("", first.get().html)
        for phone in others:
            assert statements(phone) == 1
            assert OF_ONE_ANSWER.sub("", phone.get().html) == drawn


def test_a_phone_that_somebody_holds_has_another_board(app: Flask, ana: Player, phones: list[Player]) -> None:
    of_ana, of_beto = join(app, ana, 1), join(app, ana, 2)
    for phone in (of_ana, of_beto):
        phone.get()
    ana.sweep("A")
    boards = [OF_ONE_ANSWER.sub("", phone.get().html) for phone in (phones[0], of_ana, of_beto)]
    assert len(set(boards)) == 3
    ana.sweep("A")
    phones[0].get()
    assert statements(of_ana) > 1
    assert statements(of_beto) > 1


def test_the_phone_with_the_owner_link_has_its_own(ana: Player, phones: list[Player]) -> None:
    ana.get()
    phones[0].sweep("A")
    phones[0].get()
    assert statements(ana) > 1


def test_a_phone_of_another_language_has_its_own(ana: Player, phones: list[Player]) -> None:
    ana.sweep("A")
    first, second, _third = phones
    assert 'lang="en"' in first.get().html
    second.client.post("/language", data={"language": "es"})
    assert 'lang="es"' in second.get().html


@pytest.mark.parametrize("who_asks_first", [0, 1])
def test_what_one_has_not_seen_is_told_to_it_alone(
    app: Flask, ana: Player, phones: list[Player], who_asks_first: int
) -> None:
    of_ana = join(app, ana, 1)
    of_ana.close(**TRUST)
    of_ana.close(**OTHERWISE)
    has_seen, has_not, *_others = phones
    see(has_seen)
    for _entry in range(2):
        asked = [has_seen, has_not] if who_asks_first == 0 else [has_not, has_seen]
        words = {phone: phone.get().words for phone in asked}
        assert "corrected deal 1" not in words[has_seen]
        assert "corrected deal 1" in words[has_not]
        ana.sweep("A", 2)
    see(has_not)
    ana.sweep("A", 2)
    has_seen.get()
    assert statements(has_not) == 1


def test_watchers_share_theirs(app: Flask, ana: Player) -> None:
    with app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        address = f"/w/{table.watch_key}"
    watchers = [app.test_client() for _phone in range(2)]
    for watcher in watchers * 2:
        watcher.get(address)
    ana.sweep("A")
    first, second = (watcher.get(address) for watcher in watchers)
    assert first.text == second.text
    assert first.status_code == 200


def test_a_phone_that_has_not_opened_the_match_begins_with_it(app: Flask, ana: Player, phones: list[Player]) -> None:
    ana.sweep("A")
    phones[0].get()
    newcomer = Player(app, app.test_client(), ana.key)
    assert newcomer.hold().status == 303
    answer = newcomer.client.get(f"/t/{ana.key}")
    assert answer.status_code == 200
    assert any(cookie.startswith("seen=") for cookie in answer.headers.getlist("Set-Cookie"))
