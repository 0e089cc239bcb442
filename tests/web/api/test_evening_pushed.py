"""Deals closed without signal: each is written on its own number, and only its own deal can make it stale."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store.models import now

from ..conftest import Player, join
from .test_sync import KNOWN, REFUSED, STALE, TRUST, WRITTEN, became, closing, entry, push, swept, words

LATER = "later"


@pytest.fixture
def offline(app: Flask, ana: Player) -> Player:
    """A phone that has the table's key and no cookie."""
    return Player(app, app.test_client(use_cookies=False), ana.key)


def ahead(phone: Player, deal: int, **more: Any) -> dict[str, Any]:
    """Return the closing of a deal that nobody has reached yet, on the form that was drawn of the first."""
    return {**closing(phone, 1, **more), "deal": deal}


class TestStale:
    def test_what_happened_in_another_deal_never_makes_a_closing_stale(self, ana: Player, offline: Player) -> None:
        first, second, third = (ahead(offline, deal) for deal in (1, 2, 3))
        ana.close(**{**TRUST, "award__prime": "A"})
        assert became(push(offline, first, second)) == [WRITTEN, WRITTEN]
        assert became(push(offline, third)) == [WRITTEN]
        assert ana.kinds() == ["match_started", "deal_closed", "deal_contested", "deal_closed", "deal_closed"]

    def test_what_was_noted_of_its_own_deal_does(self, ana: Player, offline: Player) -> None:
        kept = [ahead(offline, deal) for deal in (1, 2)]
        push(offline, kept[0])
        ana.sweep("B", 2)
        answer = push(offline, kept[1])
        assert became(answer) == [STALE]
        assert ana.standing().state.current.number == 2

    def test_what_was_taken_back_of_its_own_deal_does_and_of_another_does_not(
        self, ana: Player, offline: Player
    ) -> None:
        tap = swept()
        push(offline, tap)
        first, second = closing(offline), ahead(offline, 2)
        push(ana, entry("voided", 0, fields={"entry": [tap["id"]]}))
        assert became(push(offline, first, second)) == [STALE, LATER]
        assert became(push(offline, closing(offline), second)) == [WRITTEN, WRITTEN]

    def test_players_that_change_from_its_deal_on_do(self, ana: Player, offline: Player) -> None:
        kept = [ahead(offline, deal) for deal in (1, 2)]
        assert became(push(offline, kept[0])) == [WRITTEN]
        form = ana.get("/matches/1/people").form(action="/substitute")
        assert ana.post("/matches/1/deals/2/substitute", {**form, "newcomer": "Cata", "seat": "1"}).status == 303
        assert became(push(offline, kept[1])) == [STALE]


class TestBehindAClosing:
    def test_what_comes_behind_a_stale_one_waits_and_is_never_refused_for_it(
        self, ana: Player, offline: Player
    ) -> None:
        kept = [ahead(offline, 1), swept("A", 2), ahead(offline, 2)]
        ana.sweep("A")
        answer = push(offline, *kept)
        assert became(answer) == [STALE, LATER, LATER]
        assert "Deal 1 is to be settled first" in words(answer, 1)
        assert ana.kinds() == ["match_started", "swept"]


class TestChangedBeforeItWasSent:
    def test_it_is_written_once_where_the_first_never_arrived(self, offline: Player) -> None:
        changed = closing(offline, fields={"award-prime": ["A"]}, instead_of=[str(uuid4())])
        assert became(push(offline, changed)) == [WRITTEN]
        assert offline.kinds() == ["match_started", "deal_closed"]

    def test_it_is_a_correction_where_the_first_had_arrived(self, offline: Player) -> None:
        first = closing(offline)
        changed = {**first, "id": str(uuid4()), "instead_of": [first["id"]]}
        changed["fields"] = {**first["fields"], "award-prime": ["A"]}
        push(offline, first)
        assert became(push(offline, changed, changed)) == [WRITTEN, KNOWN]
        assert offline.kinds() == ["match_started", "deal_closed", "voided", "deal_closed"]
        assert len(offline.standing().state.closed[0].rivals) == 0

    def test_beside_another_closing_it_takes_the_place_of_this_phones_own(self, ana: Player, offline: Player) -> None:
        first = closing(offline)
        ana.close(**{**TRUST, "award__cards": "B"})
        changed = {**first, "id": str(uuid4()), "instead_of": [first["id"]]}
        changed["fields"] = {**first["fields"], "award-prime": ["A"]}
        assert became(push(offline, first, changed)) == [WRITTEN, WRITTEN]
        (rival,) = offline.standing().state.closed[0].rivals
        assert rival.id == changed["id"]


class TestWhatItCameTo:
    def test_the_answer_has_the_points_of_the_deal(self, offline: Player) -> None:
        (answer,) = push(offline, closing(offline)).json["answers"]  # type: ignore[index]
        assert answer["points"] == offline.totals()
        assert "words" not in answer

    def test_it_says_in_words_what_is_not_as_the_phone_has_shown(self, offline: Player) -> None:
        sheet = {"cards": {"A": 1, "B": 0}, "coins": {"B": 1}, "": {"A": 0}}
        answer = push(offline, closing(offline, shown={"points": {**sheet, "prime": {"A": 1}}, "open": []}))
        assert words(answer) == "Deal 1 came to 6–2, not 2–1: prime: Beto +1."

    @pytest.mark.parametrize(
        "points",
        ["much", {str(n): {} for n in range(99)}, {"cards": {"A": 1e99}}],
    )
    def test_a_phone_that_shows_nonsense_is_written_all_the_same(self, offline: Player, points: Any) -> None:
        assert became(push(offline, closing(offline, shown=points))) == [WRITTEN]
        assert became(push(offline, ahead(offline, 2, shown={"points": points}))) == [WRITTEN]


class TestWhoHeldThePhone:
    def test_an_entry_is_in_the_name_of_who_held_the_phone_at_the_tap(self, ana: Player) -> None:
        ana.hold(1)
        first = {**swept(), "by": 1}
        ana.hold(2)
        second = {**swept("B"), "by": 2}
        push(ana, first, second)
        said = {one.id: (one.author, one.payload.get("by")) for one in ana.entries()}
        assert (said[first["id"]], said[second["id"]]) == (("A", 1), ("B", 2))

    def test_a_name_that_the_journal_does_not_know_of_this_phone_is_nobodys(self, ana: Player, app: Flask) -> None:
        ana.hold(1)
        other = join(app, ana)
        told = {**swept(), "by": 1}
        push(other, told)
        (written,) = [one for one in ana.entries() if one.id == told["id"]]
        assert (written.author, written.payload.get("by")) == (None, None)

    def test_what_was_tapped_on_everybodys_phone_stays_everybodys(self, ana: Player) -> None:
        told = {**swept(), "by": None}
        ana.hold(1)
        push(ana, told)
        (written,) = [one for one in ana.entries() if one.id == told["id"]]
        assert (written.author, written.payload.get("by")) == (None, None)

    @pytest.mark.parametrize("by", ["Ana", -1])
    def test_who_is_no_player_is_refused(self, ana: Player, by: Any) -> None:
        assert became(push(ana, {**swept(), "by": by})) == [REFUSED]


def test_the_journal_says_when_it_was_told_and_when_it_arrived(ana: Player) -> None:
    long_ago, just_now = now() - timedelta(hours=3), now() - timedelta(minutes=4)
    push(ana, {**swept(), "at": just_now.isoformat()})
    assert "arrived" not in ana.get("/matches/1/journal").words
    push(ana, {**swept("B"), "at": long_ago.isoformat()})
    page = ana.get("/matches/1/journal")
    assert page.words.count("arrived") == 1
    assert f"{long_ago:%H:%M}" in page.words
