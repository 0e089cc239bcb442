"""Two closings of one deal side by side; accepting, disputing, locking and opening again; who wrote what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields
from ..deal_entry.test_closing import HTMX, TRUST

OTHERWISE = {**TRUST, "award__prime": "A"}
"""Ana 7, Beto 1."""


def filled(player: Player, number: int = 1, **fields: Any) -> Any:
    """Return a closing ready to be saved, drawn now."""
    return with_fields(player.closing(number, **fields), {"step": "save"})


def both(ana: Player, beto: Player, **mine: Any) -> Page:
    """Both draw the form, Ana saves first; returns what Beto is answered."""
    form = filled(beto, **(mine or OTHERWISE))
    assert ana.close(**TRUST).status == 303
    return beto.post(beto.deal() + "/close", form)


def tap(player: Player, what: str, side: str, number: int = 1, **fields: Any) -> Page:
    """Tap a button of the sheet's settlement for a side."""
    path = f"{player.deal(number)}/{what}"
    form = player.get(player.deal(number)).form(action=path)
    return player.post(path, with_fields(form, {"side": side, **fields}))


def hold(player: Player, side: str) -> None:
    """Say that this phone is held by the player of a side; "" that it is everybody's."""
    player.hold({"A": 1, "B": 2}.get(side, "everybody"))


def take(player: Player, which: int, number: int = 1) -> Page:
    """Tap the button of a version; the first is the one that counts."""
    path = f"{player.deal(number)}/versions"
    page = player.get(path)
    return player.post(path, with_fields(page.form(action=path), {"take": page.buttons("take")[which]}))


def answer(player: Player, what: str = "accept", number: int = 1) -> Page:
    """Answer the proposal that waits with the first button that there is: yes, or with "decline" no."""
    path = f"{player.deal(number)}/proposal/accept"
    page = player.get(player.deal(number))
    return player.post(f"{player.deal(number)}/proposal/{what}", page.form(action=path))


def agree(ana: Player, number: int = 1) -> None:
    for side in "AB":
        assert tap(ana, "accept", side, number).status == 303


class TestTwoClosings:
    def test_that_differ_are_both_kept_and_shown(self, ana: Player, beto: Player) -> None:
        answer = both(ana, beto)
        assert answer.location.endswith("/deals/1/versions?saved=1")
        assert beto.kinds()[-2:] == ["deal_closed", "deal_contested"]
        assert beto.totals() == {"A": 6, "B": 2}
        page = beto.get(beto.deal() + "/versions")
        assert "this phone" in page.words
        assert "another phone" in page.words
        assert page.words.index("Prime") < page.words.index("lines are the same") < page.words.index("Most cards")

    def test_are_marked_on_the_board_the_sheet_and_the_match(self, ana: Player, beto: Player) -> None:
        both(ana, beto)
        for path in ("", ana.deal(), "/matches/1"):
            assert "Deal 1 has two versions" in ana.get(path).words

    def test_are_settled_by_every_side_on_a_phone_of_everybody(self, ana: Player, beto: Player) -> None:
        both(ana, beto)
        assert take(ana, 1).location.endswith("/versions")
        page = ana.get(ana.deal() + "/versions")
        assert "Waiting for: Ana, Beto" in page.words
        assert "It is proposed that this version counts" in ana.get().words
        answer(ana)
        assert ana.totals() == {"A": 6, "B": 2}
        # What changes the points leads to the totals, on top.
        assert answer(ana).location.endswith("/deals/1")
        assert ana.totals() == {"A": 7, "B": 1}
        assert "Deal 1 has two versions" not in ana.get().words
        assert "There were two versions: see them" in ana.get().words
        assert "There were two versions: see them" in beto.get(beto.deal()).words
        assert "Not taken" in beto.get(beto.deal() + "/versions").words

    def test_are_settled_at_once_by_the_side_that_gives_in(self, ana: Player, beto: Player) -> None:
        hold(ana, "A")
        hold(beto, "B")
        both(ana, beto)
        assert "Accept Beto's" in ana.get(ana.deal() + "/versions").words
        take(ana, 1)
        assert ana.totals() == {"A": 7, "B": 1}
        assert "Agreed: changed only by all sides" in beto.get(beto.deal()).words

    def test_are_not_settled_by_the_side_that_insists(self, ana: Player, beto: Player) -> None:
        hold(ana, "A")
        hold(beto, "B")
        both(ana, beto)
        assert "Ask Ana to accept mine" in beto.get(beto.deal() + "/versions").words
        take(beto, 1)
        assert ana.totals() == {"A": 6, "B": 2}
        assert "Deal 1: Beto asks that theirs counts: 7–1" in ana.get().words
        assert "Yes, it counts" not in beto.get(beto.deal()).words
        assert "Withdraw the proposal" in beto.get(beto.deal()).words
        page = ana.get(ana.deal())
        assert "Yes, it counts" in page.words
        assert "No, still in doubt" in page.words
        answer(ana, "decline")
        assert "Ana: no, still in doubt" in beto.get(beto.deal() + "/versions").words
        take(beto, 1)
        answer(ana)
        assert beto.totals() == {"A": 7, "B": 1}

    def test_a_tap_on_a_version_that_is_gone_shows_those_that_there_are(self, ana: Player, beto: Player) -> None:
        both(ana, beto)
        form = ana.get(ana.deal() + "/versions").form(action="/versions")
        page = ana.post(ana.deal() + "/versions", with_fields(form, {"take": "x"}))
        assert page.status == 409
        assert "have changed meanwhile" in page.words

    def test_that_say_the_same_on_phones_of_nobody_leave_both_sides_to_say_yes(self, ana: Player, beto: Player) -> None:
        answered = both(ana, beto, **TRUST)
        assert answered.location.endswith("saved=alike")
        assert "Does everybody agree?" in beto.get(beto.deal()).words

    def test_a_form_half_filled_goes_on_and_says_so(self, ana: Player, beto: Player) -> None:
        form = beto.closing(award__cards="A")
        ana.close(**TRUST)
        page = Page(beto.client.post(f"/t/{beto.key}{beto.deal()}/close", data=form, headers=HTMX))
        assert page.status == 200
        assert "Yours is kept: saving compares the two." in page.words
        answer = beto.client.post(
            f"/t/{beto.key}{beto.deal()}/close", data=with_fields(form, {**ON_TRUST, "award-prime": "A"}), headers=HTMX
        )
        assert answer.headers["HX-Redirect"].endswith("/versions?saved=1")

    def test_of_a_deal_with_one_version_there_is_nothing_to_choose(self, ana: Player) -> None:
        ana.close(**TRUST)
        assert ana.get(ana.deal() + "/versions").status == 303
        assert ana.get(ana.deal(2) + "/versions").status == 404


class TestAccepting:
    def test_on_one_phone_each_side_has_its_own_button(self, ana: Player) -> None:
        ana.close(**TRUST)
        page = ana.get(ana.deal())
        assert "Ana: yes" in page.words
        assert "Beto: yes" in page.words
        agree(ana)
        page = ana.get(ana.deal())
        assert "Ana and Beto agree on this sheet" in page.words
        assert "Correct this deal" not in page.words

    def test_a_phone_that_is_with_one_side_lets_only_that_side_speak(self, ana: Player, beto: Player) -> None:
        hold(ana, "A")
        hold(beto, "B")
        ana.close(**TRUST)
        assert "Ana: yes" in ana.get(ana.deal()).words
        assert set(beto.get(beto.deal()).buttons("side")) == {"B"}
        tap(beto, "accept", "B")
        assert "Agreed: changed only by all sides" in ana.get(ana.deal()).words
        assert [entry.author for entry in ana.entries()][-4:] == ["A", "B", "A", "B"]

    def test_a_side_without_a_phone_says_yes_on_that_of_another_and_the_journal_says_whose(self, ana: Player) -> None:
        hold(ana, "A")
        ana.close(**TRUST)
        tap(ana, "accept", "B")
        assert "Ana and Beto agree on this sheet" in ana.get(ana.deal()).words
        stranger = Player(ana.app, ana.app.test_client(), ana.key)
        assert "Beto · on Ana's phone" in stranger.get("/matches/1/journal").words

    @pytest.mark.parametrize("fields", [{"side": "Z"}, {"id": "x"}])
    def test_a_damaged_button_writes_nothing(self, ana: Player, fields: dict[str, Any]) -> None:
        ana.close(**TRUST)
        form = ana.get(ana.deal()).form(action="/accept")
        assert ana.post(ana.deal() + "/accept", with_fields(form, {"side": "A", **fields})).status == 400
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_what_was_corrected_meanwhile_is_not_accepted_unseen(self, ana: Player, beto: Player) -> None:
        ana.close(**TRUST)
        form = beto.get(beto.deal()).form(action="/accept")
        ana.close(**OTHERWISE)
        assert beto.post(beto.deal() + "/accept", with_fields(form, {"side": "B"})).status == 409
        assert "confirmed" not in beto.kinds()

    def test_of_a_deal_that_is_not_closed(self, ana: Player) -> None:
        assert ana.post(ana.deal() + "/accept", {"side": "A"}).status == 404


class TestALockedDeal:
    @pytest.fixture
    def agreed(self, ana: Player) -> Player:
        ana.close(**TRUST)
        agree(ana)
        return ana

    def test_is_corrected_by_a_proposal(self, agreed: Player) -> None:
        page = agreed.get(agreed.deal() + "/close")
        assert "For all sides to change: it holds once every side has said yes." in page.words
        assert agreed.close(1, award__prime="A").location.endswith("/versions?saved=1")
        assert agreed.totals() == {"A": 6, "B": 2}
        assert "Another version is proposed: 7–1" in agreed.get(agreed.deal()).words
        for _side in "AB":
            answer(agreed)
        assert agreed.totals() == {"A": 7, "B": 1}
        assert "Agreed: changed only by all sides" in agreed.get(agreed.deal()).words

    def test_is_not_undone(self, ana: Player) -> None:
        ana.close(**TRUST)
        entry = ana.entries()[-1].id
        form = ana.get(ana.deal() + "?saved=1").form(action=f"/undo/{entry}")
        agree(ana)
        page = ana.post(f"/matches/1/undo/{entry}", form)
        assert page.status == 409
        assert "agreed on or in dispute" in page.words
        assert f"/undo/{entry}" not in ana.get(ana.deal() + "?saved=1").html

    def test_is_opened_by_one_who_asks_and_another_who_accepts(self, agreed: Player) -> None:
        tap(agreed, "reopen", "B")
        page = agreed.get(agreed.deal())
        assert "Beto asks to open this deal again" in page.words
        assert "Ana: yes" in page.words
        assert "Beto: yes" not in page.words
        assert "Deal 1: Beto asks to open this deal again" in agreed.get().words
        answer(agreed)
        assert agreed.close(1, award__prime="A").status == 303
        assert agreed.totals() == {"A": 7, "B": 1}

    def test_stays_as_it_is_where_the_asking_is_withdrawn(self, agreed: Player) -> None:
        hold(agreed, "B")
        tap(agreed, "reopen", "B")
        asked = agreed.entries()[-1].id
        page = agreed.post(f"/matches/1/undo/{asked}", agreed.get(agreed.deal()).form(action=f"/undo/{asked}"))
        assert page.location.endswith("/deals/1#settlement")
        assert "asks to open" not in agreed.get().words


class TestADispute:
    def test_names_its_line_and_shows_until_it_is_accepted(self, ana: Player) -> None:
        ana.close(**TRUST)
        tap(ana, "dispute", "B", line="prime")
        assert "Beto disputes: prime" in ana.get(ana.deal()).words
        assert "Deal 1 is disputed" in ana.get().words
        tap(ana, "accept", "B")
        assert "disputed" not in ana.get().words

    def test_of_a_line_that_is_not_there(self, ana: Player) -> None:
        ana.close(**TRUST)
        assert tap(ana, "dispute", "A", line="bridge").status == 400


class TestWhy:
    def test_a_line_opens_into_its_rule_and_what_it_rests_on(self, ana: Player) -> None:
        ana.close(**{**TRUST, "count__cards__A": "23"})
        page = ana.get(ana.deal())
        assert "Most cards (1 point): more cards than anybody else." in page.words
        assert "It was counted." in page.words
        assert "nobody counted or showed cards for it" in page.words

    def test_the_biggest_comes_first_and_what_brings_nothing_is_quiet(self, ana: Player) -> None:
        ana.close(**{**TRUST, "award__cards": "nobody"})
        html = ana.get(ana.deal()).html
        points = [int(one) for one in re.findall(r"\+(\d)</span>", html[html.index('id="lines"') :])]
        assert points == sorted(points, reverse=True)
        quiet = re.findall(r'sheet-line nothing">.*?sentence">([^<]+)', html, re.DOTALL)
        assert any("Most cards" in one for one in quiet)

    @pytest.mark.parametrize("game", ["brisca", "carioca", "free"])
    def test_of_every_family(self, app: Flask, game: str) -> None:
        table = open_table(app, game=game)
        fields: dict[str, Any] = {
            "brisca": {"card_points__A": "70", "card_points__B": "50"},
            "carioca": {"went_out": "A", "left__B": "K 5"},
            "free": {"points__A": "3", "points__B": "4"},
        }.get(game, {"rest": "A"})
        assert table.close(**fields).status == 303
        page = table.get(table.deal())
        assert page.status == 200
        assert 'class="why"' in page.html


class TestWhoIsAsked:
    def test_sees_the_proof_and_the_totals_inside_the_question(self, ana: Player, beto: Player) -> None:
        hold(ana, "A")
        hold(beto, "B")
        ana.close(**TRUST)
        tap(beto, "dispute", "B", line="prime")
        path = beto.deal() + "/close"
        counted = with_fields(beto.closing(), {"count-cards-A": "25", "count-cards-B": "15", "award-prime": "A"})
        beto.post(path, with_fields(counted, {"step": "save"}))
        assert beto.kinds()[-1] == "proposed"
        for place in ("", "/versions"):
            words = ana.get(ana.deal() + place).words
            assert re.search(r"Beto proposes another version: 7–1 .*Prime: Ana, said It would stand 7–1\.", words), (
                words
            )


class TestAProposalThatChangesNoPoint:
    def test_is_not_sent_where_nothing_is_in_doubt(self, ana: Player, beto: Player) -> None:
        hold(ana, "A")
        hold(beto, "B")
        ana.close(**TRUST)
        tap(beto, "accept", "B")
        before = ana.kinds()
        form = with_fields(ana.closing(), {"count-cards-A": "24", "count-cards-B": "16", "step": "save"})
        answer = ana.post(ana.deal() + "/close", form)
        assert answer.status == 422
        assert "It gives the same points: nothing was proposed." in answer.words
        assert answer.form("closing")["count-cards-A"] == "24"
        assert ana.kinds() == before
