"""A correction looks like one: what the match stands at, what changed, and the way back, to the deal and from it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, join, open_table

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
"""Ana 6, Beto 2."""


def played(table: Player, deals: int) -> Player:
    """Play deals that are all 6–2."""
    for number in range(1, deals + 1):
        table.close(number, **TRUST)
    return table


@pytest.fixture
def three(ana: Player) -> Player:
    """A table with three deals played, 18–6."""
    return played(ana, 3)


def told(page: Page) -> str:
    """Return the words of a page with its scores written together, whatever marks their numbers."""
    return re.sub(r" (?=[,.])|(?<=\d) (?=–)|(?<=–) (?=\d)", "", page.words)


def undo(table: Player, number: int) -> tuple[int, str]:
    """Press the undo of a correction that was just saved; returns the status and where it leads."""
    path = table.deal(number)
    page = table.post(f"{path}/restore", table.get(f"{path}?saved=1").form(action="/restore"))
    return page.status, page.location


class TestTheSheetOfAnOldDeal:
    def test_says_first_what_the_match_stands_at_and_leads_back(self, three: Player) -> None:
        words = told(three.get(three.deal(2)))
        assert "The match stands 18–6, in deal 4." in words
        assert words.index("The match stands") < words.index("as it stood then: 12–4")
        assert "Back to deal 4" in words

    def test_of_a_match_that_is_over_leads_to_the_match_and_marks_no_winner(self, app: Flask) -> None:
        table = played(open_table(app, opt__target="12"), 2)
        page = table.get(table.deal(1))
        assert "The match ended 12–4. Ana wins" in told(page)
        assert "Back to the match" in page.words
        assert " won" not in page.html.split("sheet-head")[1]


class TestACorrection:
    def test_says_what_changed_and_what_the_match_stood_at_before(self, three: Player) -> None:
        assert three.close(2, award__prime="A").location.endswith("/deals/2?saved=1")
        words = told(three.get(three.deal(2) + "?saved=1"))
        assert "Deal 2 corrected: 6–2 → 7–1." in words
        assert "The match stands 19–5, in deal 4." in words
        assert "Before the correction: 18–6." in words
        assert "Beto +1 → Ana +1" in words

    def test_stays_on_the_sheet_for_whoever_opens_it(self, app: Flask, three: Player) -> None:
        three.close(2, award__prime="A")
        words = join(app, three).get(three.deal(2)).words
        assert "Deal 2 corrected" not in words
        assert "before, it said 6–2" in words
        assert "Beto +1 → Ana +1" in words

    def test_that_wins_the_match_says_so(self, app: Flask) -> None:
        table = played(open_table(app, opt__target="13"), 2)
        table.close(1, award__prime="A")
        assert "The match is now won in deal 2. Ana wins." in table.get(table.deal(1)).words

    def test_that_reopens_a_won_match_says_so(self, app: Flask) -> None:
        table = played(open_table(app, opt__target="12"), 2)
        table.close(1, award__cards="B")
        words = table.get(table.deal(1)).words
        assert "The match was won before; now it goes on." in words
        assert "Back to deal 3" in words


class TestUndo:
    def test_of_a_correction_restores_the_former_closing_in_one_tap(self, three: Player) -> None:
        three.close(2, award__prime="A")
        status, location = undo(three, 2)
        assert (status, location.rpartition("/")[2]) == (303, "2?saved=1")
        assert three.totals() == {"A": 18, "B": 6}
        former, correction, restored = [entry for entry in three.entries() if entry.payload.get("deal") == 2]
        assert restored.payload["takes"] == former.id
        assert restored.payload["facts"] == former.payload["facts"]
        assert correction.id in {entry.payload.get("entry") for entry in three.entries()}
        assert "Deal 2: the correction was undone" in three.get("/matches/1/journal").words

    def test_says_that_it_is_undone(self, three: Player) -> None:
        three.close(2, award__prime="A")
        undo(three, 2)
        page = three.get(three.deal(2) + "?saved=1")
        assert "The correction of deal 2 is undone: it says 6–2 again." in page.words
        assert "Correction undone:" in page.words
        assert "before, it said 7–1" in page.words
        assert not page.has_form(action="/restore")

    def test_posted_twice_it_is_undone_once(self, three: Player) -> None:
        three.close(2, award__prime="A")
        form = three.get(three.deal(2) + "?saved=1").form(action="/restore")
        assert [three.post(three.deal(2) + "/restore", form).status for _turn in range(2)] == [303, 303]
        assert three.kinds().count("deal_closed") == 5

    def test_of_a_deal_corrected_meanwhile_is_refused(self, three: Player) -> None:
        three.close(2, award__prime="A")
        form = three.get(three.deal(2) + "?saved=1").form(action="/restore")
        three.close(2, award__cards="B")
        before = three.kinds()
        page = three.post(three.deal(2) + "/restore", form)
        assert page.status == 409
        assert "corrected meanwhile" in page.words
        assert three.kinds() == before

    @pytest.mark.parametrize("how", ["accept", "dispute"])
    def test_of_a_deal_that_is_for_all_is_neither_offered_nor_taken(self, three: Player, how: str) -> None:
        three.close(2, award__prime="A")
        form = three.get(three.deal(2) + "?saved=1").form(action="/restore")
        closed = three.standing().state.closed[1].closed
        assert closed is not None
        for side in "AB" if how == "accept" else "B":
            three.post(three.deal(2) + f"/{how}", {"id": str(uuid4()), "entry": closed.id, "side": side})
        before = three.kinds()
        assert not three.get(three.deal(2) + "?saved=1").has_form(action="/restore")
        assert three.post(three.deal(2) + "/restore", form).status == 409
        assert three.kinds() == before

    @pytest.mark.parametrize(
        ("deal", "entry", "status"),
        [(2, "0b6f2c1e-6f0e-4c8e-9a53-6ad0a4f1f0aa", 409), (4, "x", 404)],
    )
    def test_of_what_is_not_there_writes_nothing(self, three: Player, deal: int, entry: str, status: int) -> None:
        before = three.kinds()
        assert three.post(three.deal(deal) + "/restore", {"id": str(uuid4()), "entry": entry}).status == status
        assert three.kinds() == before


def test_the_closing_form_is_never_filled_in_from_the_browsers_memory(three: Player) -> None:
    assert 'autocomplete="off"' in three.get(three.deal(2) + "/close").html.split('id="closing"')[1].split(">")[0]
