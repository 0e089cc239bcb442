"""Two closings of one deal side by side; accepting, disputing, locking and opening again; who wrote what."""

from __future__ import annotations

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


def agree(ana: Player, number: int = 1) -> None:
    for side in "AB":
        assert tap(ana, "accept", side, number).status == 303


class TestTwoClosings:
    def test_that_differ_are_both_kept_and_shown(self, ana: Player, beto: Player) -> None:
        answer = both(ana, beto)
        assert answer.location.endswith("/deals/1/versions")
        assert beto.kinds() == ["match_started", "deal_closed", "deal_contested"]
        assert beto.totals() == {"A": 6, "B": 2}
        page = beto.get(beto.deal() + "/versions")
        assert "this phone" in page.words
        assert "another phone" in page.words
        assert page.words.index("Prime") < page.words.index("lines are the same") < page.words.index("Most cards")

    def test_show_the_counts_and_the_cards_that_decide(self, ana: Player, beto: Player) -> None:
        form = filled(beto, **{**TRUST, "award__coins": None, "pile__B": ["1O", "2O", "3O", "4O", "5O", "6O"]})
        ana.close(**{**TRUST, "award__coins": "A", "count__coins__A": "6"})
        beto.post(beto.deal() + "/close", form)
        page = beto.get(beto.deal() + "/versions")
        assert "counted Ana 6, Beto 4" in page.words
        assert "shown" in page.words
        assert "6 of coins" in page.words

    def test_are_marked_on_the_board_the_sheet_and_the_match(self, ana: Player, beto: Player) -> None:
        both(ana, beto)
        for path in ("", ana.deal(), "/matches/1"):
            assert "Deal 1 has two versions" in ana.get(path).words

    @pytest.mark.parametrize(("which", "totals"), [(0, {"A": 6, "B": 2}), (1, {"A": 7, "B": 1})])
    def test_are_settled_by_one_tap(self, ana: Player, beto: Player, which: int, totals: dict[str, int]) -> None:
        both(ana, beto)
        path = ana.deal() + "/versions"
        page = ana.get(path)
        form = with_fields(page.form(action=path), {"take": page.buttons("take")[which]})
        assert [ana.post(path, form).status for _turn in range(2)] == [303, 303]
        assert ana.totals() == totals
        assert ana.get(path).status == 303
        assert "two versions" not in ana.get().words

    def test_that_say_the_same_agree_and_lock(self, ana: Player, beto: Player) -> None:
        answer = both(ana, beto, **TRUST)
        assert answer.location.endswith("saved=alike")
        assert "Agreed and locked" in beto.get(beto.deal()).words

    def test_posted_twice_is_one(self, ana: Player, beto: Player) -> None:
        form = filled(beto, **OTHERWISE)
        ana.close(**TRUST)
        answers = [beto.post(beto.deal() + "/close", form).location for _turn in range(2)]
        assert answers[0] == answers[1]
        assert beto.kinds().count("deal_contested") == 1

    def test_a_form_half_filled_goes_on_and_says_so(self, ana: Player, beto: Player) -> None:
        form = beto.closing(award__cards="A")
        ana.close(**TRUST)
        page = Page(beto.client.post(f"/t/{beto.key}{beto.deal()}/close", data=form, headers=HTMX))
        assert page.status == 200
        assert "Yours is kept too" in page.words
        answer = beto.client.post(
            f"/t/{beto.key}{beto.deal()}/close", data=with_fields(form, {**ON_TRUST, "award-prime": "A"}), headers=HTMX
        )
        assert answer.headers["HX-Redirect"].endswith("/versions")

    def test_two_corrections_at_once_are_both_kept(self, ana: Player, beto: Player) -> None:
        ana.close(**TRUST)
        form = filled(beto, **{**TRUST, "award__coins": "A"})
        ana.close(**OTHERWISE)
        assert beto.post(beto.deal() + "/close", form).location.endswith("/versions")
        assert beto.totals() == {"A": 7, "B": 1}

    def test_of_numbers_are_compared_too(self, app: Flask) -> None:
        table = open_table(app, game="free")
        other = Player(app, app.test_client(), table.key)
        form = filled(other, points__A="3", points__B="4")
        table.close(points__A="3", points__B="5")
        assert other.post(other.deal() + "/close", form).location.endswith("/versions")
        assert "Beto 4" in other.get(other.deal() + "/versions").words

    def test_of_a_deal_with_one_version_there_is_nothing_to_choose(self, ana: Player) -> None:
        ana.close(**TRUST)
        assert ana.get(ana.deal() + "/versions").status == 303
        assert ana.get(ana.deal(2) + "/versions").status == 404


class TestAccepting:
    def test_on_one_phone_each_side_has_its_own_button(self, ana: Player) -> None:
        ana.close(**TRUST)
        page = ana.get(ana.deal())
        assert "Ana accepts" in page.words
        assert "Beto accepts" in page.words
        agree(ana)
        page = ana.get(ana.deal())
        assert "Ana, Beto agree on this sheet" in page.words
        assert "Correct this deal" not in page.words

    def test_a_phone_that_is_with_one_side_lets_only_that_side_speak(self, ana: Player, beto: Player) -> None:
        for player, number in ((ana, 1), (beto, 2)):
            player.hold(number)
        ana.close(**TRUST)
        assert "Ana stands behind this sheet" in ana.get(ana.deal()).words
        assert "Ana accepts" not in beto.get(beto.deal()).words
        tap(beto, "accept", "B")
        assert "Agreed and locked" in ana.get(ana.deal()).words
        assert [entry.author for entry in ana.entries()][1:] == ["A", "B", "A", "B"]

    def test_needs_no_tap_to_go_on(self, ana: Player) -> None:
        ana.close(**TRUST)
        assert ana.close(2, **TRUST).status == 303
        assert "accepts" not in ana.get().words

    @pytest.mark.parametrize("fields", [{"side": "Z"}, {"side": None}, {"id": "x"}])
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
    def test_is_not_corrected_and_what_was_typed_stays(self, ana: Player) -> None:
        ana.close(**TRUST)
        form = filled(ana, **OTHERWISE)
        agree(ana)
        page = ana.post(ana.deal() + "/close", form)
        assert page.status == 409
        assert "agreed and locked" in page.words
        assert page.form("closing")["award-prime"] == "A"
        assert ana.totals() == {"A": 6, "B": 2}

    def test_its_correction_leads_to_the_sheet_that_says_why_not(self, ana: Player) -> None:
        ana.close(**TRUST)
        agree(ana)
        page = ana.get(ana.deal() + "/close")
        assert "locked=1" in page.location
        assert "one side asks to open it again" in ana.get(ana.deal() + "?locked=1").words

    def test_is_not_undone(self, ana: Player) -> None:
        ana.close(**TRUST)
        entry = ana.entries()[-1].id
        form = ana.get(ana.deal() + "?saved=1").form(action=f"/undo/{entry}")
        agree(ana)
        page = ana.post(f"/matches/1/undo/{entry}", form)
        assert page.status == 409
        assert "agreed and locked" in page.words
        assert f"/undo/{entry}" not in ana.get(ana.deal() + "?saved=1").html

    def test_is_opened_by_one_who_asks_and_another_who_accepts(self, ana: Player) -> None:
        ana.close(**TRUST)
        agree(ana)
        tap(ana, "reopen", "B")
        page = ana.get(ana.deal())
        assert "Beto asks to open this deal again" in page.words
        assert "Beto agrees: open it" not in page.words
        assert "Somebody asks to open deal 1 again" in ana.get().words
        tap(ana, "reopen/accept", "A")
        assert ana.close(1, award__prime="A").status == 303
        assert ana.totals() == {"A": 7, "B": 1}

    def test_nobody_accepts_their_own_asking(self, ana: Player) -> None:
        ana.close(**TRUST)
        agree(ana)
        tap(ana, "reopen", "B")
        assert tap(ana, "reopen/accept", "B").status == 422
        assert "reopening_accepted" not in ana.kinds()

    def test_may_be_left_as_it_is(self, ana: Player) -> None:
        ana.close(**TRUST)
        agree(ana)
        tap(ana, "reopen", "B")
        asked = ana.entries()[-1].id
        page = ana.post(f"/matches/1/undo/{asked}", ana.get(ana.deal()).form(action=f"/undo/{asked}"))
        assert page.location.endswith("/deals/1#settlement")
        assert "asks to open" not in ana.get().words


class TestADispute:
    def test_names_its_line_and_shows_until_it_is_accepted(self, ana: Player) -> None:
        ana.close(**TRUST)
        tap(ana, "dispute", "B", line="prime")
        assert "Beto disputes: prime" in ana.get(ana.deal()).words
        assert "Deal 1 is disputed" in ana.get().words
        tap(ana, "accept", "B")
        assert "disputed" not in ana.get().words

    def test_shows_until_it_is_corrected(self, ana: Player) -> None:
        ana.close(**TRUST)
        tap(ana, "dispute", "A")
        ana.close(**OTHERWISE)
        assert "disputed" not in ana.get().words

    def test_of_a_line_that_is_not_there(self, ana: Player) -> None:
        ana.close(**TRUST)
        assert tap(ana, "dispute", "A", line="bridge").status == 400
