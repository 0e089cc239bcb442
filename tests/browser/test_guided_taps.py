"""The guided way on a phone: every question of the page is answered with the thumb, from the piles on the table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Route, expect

from .conftest import NOTICED, Phone
from .waiting import a_while

pytestmark = pytest.mark.whole


def closing_of(phone: Phone, game: str) -> Locator:
    """Open a table and its closing form; return the question."""
    phone.open_table("Ana", "Beto", game=game)
    phone.follow("Close the deal")
    phone.rest()
    phone.page.get_by_text("Help me count").last.tap()
    question = phone.page.locator("#close-question .question")
    question.wait_for()
    return question


def test_a_question_is_worked_out_once_and_only_for_who_asks_for_help(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="scopa")
    phone.follow("Close the deal")
    phone.rest()
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(request.method))
    question = phone.page.locator("#close-question .question")
    expect(question).to_have_count(0)
    phone.page.get_by_text("Help me count").last.tap()
    question.wait_for()
    a_while(phone.page, NOTICED)
    assert sent.count("POST") == 1


def test_without_signal_the_page_says_that_no_question_comes(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="scopa")
    phone.follow("Close the deal")
    phone.rest()
    phone.page.context.set_offline(True)
    phone.page.get_by_text("Help me count").last.tap()
    expect(phone.page.locator(".coming")).to_contain_text("No question comes without signal")
    phone.page.locator(".coming .close-question").tap()
    phone.page.context.set_offline(False)
    phone.page.get_by_text("Help me count").last.tap()
    phone.page.locator("#close-question .question").wait_for()


def refuse_late(phone: Phone, retarget: str, words: str) -> None:
    """Tap an answer whose page is drawn anew before it is refused with these words."""
    page = phone.page
    # Where the question was answered by an earlier tap, the page has drawn the next one.
    drawn_anew = "document.querySelector('#close-question').replaceChildren()"
    headers = {"X-Scorekeeper": "1", "HX-Retarget": retarget, "HX-Reswap": "innerHTML"}

    def refuse(route: Route) -> None:
        page.evaluate(drawn_anew)
        route.fulfill(status=409, headers=headers, content_type="text/html", body=words)

    page.route("**/close", refuse)
    with page.expect_event("requestfinished"):
        page.locator("#close-question .question button").first.tap()


def test_a_page_whose_button_is_gone_does_not_take_the_place_of_a_newer_one(phone: Phone) -> None:
    closing_of(phone, "escoba")
    refuse_late(phone, "main", "An older page")
    expect(phone.page.locator("#closing")).to_be_visible()
    a_while(phone.page, NOTICED)
    expect(phone.page.locator("main")).not_to_contain_text("An older page")
