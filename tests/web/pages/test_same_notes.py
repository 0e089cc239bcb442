"""One sweep, noted by two: both count, both phones are asked once, and the answer of either settles it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import same_notes

from ..conftest import Player, join, open_table, with_fields
from ..test_voices import ANA, BETO

ASKED = "noted it too. Is it the same?"


@pytest.fixture
def phones(app: Flask) -> tuple[Player, Player, Player]:
    table = open_table(app)
    return table, join(app, table, ANA), join(app, table, BETO)


def answer(player: Player, what: str) -> int:
    form = player.get().form(action="/same")
    return player.post("/matches/1/deals/1/same", with_fields(form, {"answer": what})).status


def sweeps(player: Player) -> dict[str, int]:
    return player.standing().state.current.noted_facts().get("sweeps") or {}


def both(ana: Player, beto: Player) -> None:
    ana.sweep("A")
    beto.sweep("A")


class TestTheSameSweepOfTwoPhones:
    def test_counts_twice_and_is_asked_about_on_these_two(self, phones: tuple[Player, Player, Player]) -> None:
        table, ana, beto = phones
        both(ana, beto)
        assert sweeps(table) == {"A": 2}
        assert f"Sweep of Ana: Beto {ASKED} Yes, one No, two" in ana.get().words
        assert f"Sweep of Ana: Ana {ASKED}" in beto.get().words
        assert ASKED not in table.get().words
        assert "+2 ?" in table.get().words

    def test_is_taken_back_once_where_it_is_one(self, phones: tuple[Player, Player, Player]) -> None:
        _table, ana, beto = phones
        both(ana, beto)
        stale = beto.get().form(action="/same")
        assert answer(ana, "one") == 303
        assert sweeps(ana) == {"A": 1}
        assert beto.post("/matches/1/deals/1/same", with_fields(stale, {"answer": "one"})).status == 303
        assert sweeps(ana) == {"A": 1}
        assert ASKED not in beto.get().words
        assert " ?" not in ana.get().words.split("this deal")[0]

    def test_is_counted_again_by_the_undo_of_that(self, phones: tuple[Player, Player, Player]) -> None:
        _table, ana, beto = phones
        both(ana, beto)
        form = ana.get().form(action="/same")
        answered = ana.post("/matches/1/deals/1/same", with_fields(form, {"answer": "one"}))
        page = ana.get(answered.location.removeprefix(f"/t/{ana.key}"))
        assert "Counted once: Sweep of Ana" in page.words
        undone = page.form(action="/same")
        assert ana.post("/matches/1/deals/1/same", with_fields(undone, {"answer": "again"})).status == 303
        assert sweeps(ana) == {"A": 2}
        assert "Is it the same?" not in beto.get().words

    def test_stays_two_where_it_is_two_and_is_not_asked_again(self, phones: tuple[Player, Player, Player]) -> None:
        _table, ana, beto = phones
        both(ana, beto)
        assert answer(beto, "two") == 303
        assert ana.kinds()[-1] == "told_apart"
        assert sweeps(ana) == {"A": 2}
        for phone in (ana, beto):
            assert ASKED not in phone.get().words
        assert "What two phones noted is two" in ana.get("/matches/1/journal").words

    def test_is_asked_in_the_closing_before_a_tap_saves_it(self, phones: tuple[Player, Player, Player]) -> None:
        table, ana, beto = phones
        both(ana, beto)
        page = table.get("/matches/1/deals/1/close")
        assert "Is it the same?" in page.words
        form = page.form(action="/same")
        answered = table.post("/matches/1/deals/1/same", with_fields(form, {"answer": "two"}))
        assert answered.location.endswith("/deals/1/close")
        assert "Is it the same?" not in table.get("/matches/1/deals/1/close").words


class TestNobodyIsAsked:
    def test_about_what_was_told_a_while_apart(
        self, phones: tuple[Player, Player, Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _table, ana, beto = phones
        monkeypatch.setattr(same_notes, "TOGETHER", timedelta(seconds=-1))
        both(ana, beto)
        assert "Is it the same?" not in ana.get().words


class TestAPhonesClock:
    def told(self, player: Player, at: datetime, sent: datetime | None) -> None:
        entry: dict[str, Any] = {"id": str(uuid4()), "kind": "swept", "match": 1, "deal": 1, "fields": {"side": ["A"]}}
        asked = {"table": player.key, "entries": [{**entry, "at": at.isoformat()}]}
        if sent is not None:
            asked["now"] = sent.isoformat()
        answer = player.client.post("/api/v1/entries", json=asked)
        assert answer.json["answers"][0]["status"] == "written"  # type: ignore[index]

    def test_that_is_an_hour_fast_is_put_right_by_what_it_says_at_sending(
        self, phones: tuple[Player, Player, Player]
    ) -> None:
        _table, ana, beto = phones
        now = datetime.now(UTC)
        fast = now + timedelta(hours=1)
        self.told(ana, fast - timedelta(seconds=40), fast)
        self.told(beto, now - timedelta(seconds=35), now)
        assert ASKED in ana.get().words
        noted = ana.standing().state.current.noted
        assert abs(noted[0].happened_at - (now - timedelta(seconds=40))) < timedelta(seconds=3)

    @pytest.mark.parametrize("sent", ["yesterday", "9999-12-31T23:59:59+00:00", ["x"]])
    def test_that_makes_no_sense_is_not_believed(self, phones: tuple[Player, Player, Player], sent: object) -> None:
        _table, ana, _beto = phones
        entry = {"id": str(uuid4()), "kind": "swept", "match": 1, "deal": 1, "fields": {"side": ["A"]}}
        answer = ana.client.post("/api/v1/entries", json={"table": ana.key, "now": sent, "entries": [entry]})
        assert answer.json["answers"][0]["status"] == "written"  # type: ignore[index]


def test_that_two_are_two_is_written_once_and_of_two_notes_only(phones: tuple[Player, Player, Player]) -> None:
    _table, ana, beto = phones
    both(ana, beto)
    forms = [phone.get().form(action="/same") for phone in (ana, beto)]
    for phone, form in zip((ana, beto), forms, strict=True):
        assert phone.post("/matches/1/deals/1/same", with_fields(form, {"answer": "two"})).status == 303
    strange = with_fields(forms[0], {"answer": "two", "beside": "x", "id": str(uuid4())})
    assert ana.post("/matches/1/deals/1/same", strange).status == 400
    assert ana.post("/matches/1/deals/1/same", with_fields(forms[0], {"answer": "maybe"})).status == 400
    assert ana.kinds().count("told_apart") == 1
