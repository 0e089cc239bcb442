"""A score never changes in silence: what others change is told on every phone until it was seen."""

from __future__ import annotations

import re
from html import unescape
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.web.match import notices

from ...helpers.reading import Page
from ..conftest import Player, join, open_table, with_fields
from ..deal_entry.test_closing import TRUST
from ..test_voices import ANA, BETO, TO_31, newest, say, undo
from .test_agreement import OTHERWISE


@pytest.fixture
def phones(app: Flask) -> tuple[Player, Player, Player]:
    """The phone that opened the table and those of Ana and Beto; all three have seen the board."""
    table = open_table(app)
    ana, beto = join(app, table, ANA), join(app, table, BETO)
    for phone in (table, ana, beto):
        phone.get()
    return table, ana, beto


def notice(player: Player, path: str = "") -> str:
    """Return the words of the notice that stays on a phone's board; "" where there is none."""
    found = re.search(
        r'<div class="stays.*?(?=<div class="sweeps|</header>\s*<ol|<ol|</section>|$)', player.get(path).html, re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[0])).split()) if found else ""


def put_away(player: Player) -> None:
    assert player.post("/matches/1/seen", player.get().form(action="/seen")).status == 303


class TestACorrection:
    def test_is_told_with_who_and_from_what_to_what_until_it_was_seen(
        self, phones: tuple[Player, Player, Player]
    ) -> None:
        table, ana, beto = phones
        ana.close(**TRUST)
        ana.close(**OTHERWISE)
        assert notice(beto).startswith("Ana corrected deal 1: 6–2 → 7–1 See Not so")
        assert notice(beto).startswith("Ana corrected deal 1")
        assert notice(table).startswith("Ana corrected deal 1")
        assert notice(ana) == ""
        see = re.search(r'href="([^"]+seen=[^"]+)"', beto.get().html)
        assert see
        assert beto.client.get(see[1].replace("&amp;", "&")).status_code == 200
        assert notice(beto) == ""
        assert notice(table) != ""

    def test_is_disputed_by_not_so(self, phones: tuple[Player, Player, Player]) -> None:
        _table, ana, beto = phones
        ana.close(**TRUST)
        ana.close(**OTHERWISE)
        form = beto.get().form(action=f"/not-so/{newest(beto).id}")
        answer = beto.post(f"/matches/1/not-so/{newest(beto).id}", form)
        assert answer.location.endswith("/deals/1#settlement")
        assert (newest(beto).kind, newest(beto).author, newest(beto).payload["side"]) == ("disputed", "B", "B")
        assert "Deal 1 is disputed" in beto.get().words

    def test_is_objected_to_on_a_phone_of_everybody_by_a_side_of_its_choice(
        self, phones: tuple[Player, Player, Player]
    ) -> None:
        table, ana, _beto = phones
        ana.close(**TRUST)
        ana.close(**OTHERWISE)
        before = len(table.entries())
        answer = table.post(f"/matches/1/not-so/{newest(table).id}", {"id": str(uuid4())})
        assert answer.location.endswith("/deals/1#settlement")
        assert len(table.entries()) == before

    def test_is_told_to_watchers_for_a_minute(
        self, app: Flask, phones: tuple[Player, Player, Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _table, ana, _beto = phones
        ana.close(**TRUST)
        ana.close(**OTHERWISE)
        with app.app_context():
            table = queries.table_by_play_key(ana.key)
            assert table is not None
            address = f"/w/{table.watch_key}"
        assert "Ana corrected deal 1: 6–2 → 7–1" in Page(app.test_client().get(address)).words
        assert 'data-seconds="60"' in Page(app.test_client().get(address)).html
        monkeypatch.setattr(notices, "SHOWN", notices.SHOWN * 0)
        assert "Ana corrected" not in Page(app.test_client().get(address)).words


class TestOtherChanges:
    def test_of_a_tap_that_another_phone_undid(self, phones: tuple[Player, Player, Player]) -> None:
        table, ana, beto = phones
        beto.sweep("B")
        undo(ana, newest(beto))
        assert notice(beto).startswith("Ana undid: Sweep of Beto")
        assert notice(table).startswith("Ana undid: Sweep of Beto")
        assert notice(ana) == ""
        put_away(beto)
        assert notice(beto) == ""

    def test_of_rules(self, phones: tuple[Player, Player, Player]) -> None:
        table, ana, beto = phones
        form = ana.get("/matches/1/rules/change").form("agree")
        ana.post("/matches/1/rules/change", with_fields(form, TO_31))
        asked = newest(ana).id
        beto.post("/matches/1/rules/accept", {"id": str(uuid4()), "asked": asked, "side": "B"})
        assert newest(ana).kind == "rules_changed"
        assert "31" in notice(table)
        assert "31" in notice(ana)
        assert notice(beto) == ""

    def test_are_not_that_a_phone_joins_unless_something_is_open(
        self, app: Flask, phones: tuple[Player, Player, Player]
    ) -> None:
        table, ana, _beto = phones
        join(app, table)
        assert notice(ana) == ""
        ana.close(**TRUST)
        say(ana, "dispute", "A")
        third = join(app, table)
        third.hold(ANA)
        assert "Ana has a phone" in notice(table)

    def test_of_a_match_that_was_deleted(self, app: Flask, phones: tuple[Player, Player, Player]) -> None:
        table, ana, _beto = phones
        table.stop()
        table.post("/matches/1/rematch", table.get().form(action="/rematch"))
        ana.get()
        table.post("/matches/1/delete", table.get("/matches/1/delete").form(action="/delete"))
        assert notice(table) == ""
        assert notice(ana).startswith("Match 1 was deleted")
        assert ana.post("/matches/2/seen", ana.get().form(action="/seen")).status == 303
        assert notice(ana) == ""


class TestWhatTheTablesPhoneSaidForASide:
    @pytest.fixture
    def middle(self, app: Flask) -> tuple[Player, Player, Player]:
        table = open_table(app)
        middle = join(app, table)
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        for phone in (middle, ana, beto):
            phone.get()
        return middle, ana, beto

    def test_is_told_on_that_sides_phone_and_taken_back(self, middle: tuple[Player, Player, Player]) -> None:
        phone, ana, beto = middle
        ana.close(**TRUST)
        assert say(phone, "accept", "B") == 303
        said = newest(phone)
        assert notice(beto).startswith("Beto accepts deal 1 (said on the table's phone) See Not so")
        assert notice(ana) == ""
        assert "Agreed" in ana.get(ana.deal()).words
        assert beto.post(f"/matches/1/not-so/{said.id}", {"id": str(uuid4())}).status == 303
        assert newest(beto).payload["unsays"] == said.id
        words = ana.get(ana.deal()).words
        assert "Agreed" not in words
        assert "Beto disputes this deal" in words

    def test_and_rules_that_it_accepted_are_not_valid_any_more(self, middle: tuple[Player, Player, Player]) -> None:
        phone, ana, beto = middle
        form = ana.get("/matches/1/rules/change").form("agree")
        ana.post("/matches/1/rules/change", with_fields(form, TO_31))
        asked = newest(ana).id
        phone.post("/matches/1/rules/accept", {"id": str(uuid4()), "asked": asked, "side": "B"})
        said = next(entry for entry in reversed(phone.entries()) if entry.kind == "rules_accepted")
        assert beto.standing().state.setup.options["target"] == 31
        assert beto.post(f"/matches/1/not-so/{said.id}", {"id": str(uuid4())}).status == 303
        assert beto.standing().state.setup.options["target"] == 21
        assert beto.standing().state.proposal is not None

    def test_is_not_taken_back_by_anybody_else(self, middle: tuple[Player, Player, Player]) -> None:
        phone, ana, _beto = middle
        ana.close(**TRUST)
        say(phone, "accept", "B")
        said = newest(phone)
        before = len(ana.entries())
        ana.post(f"/matches/1/not-so/{said.id}", {"id": str(uuid4())})
        assert [entry.kind for entry in ana.entries()[before:]] in ([], ["disputed"])
        assert all("unsays" not in entry.payload for entry in ana.entries())
