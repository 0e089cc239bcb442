"""The guided way on a phone: every question of the page is answered with the thumb, from the piles on the table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from playwright.sync_api import Locator, Route, expect

from ..helpers.asking import COUNTED, finished_deal
from . import waiting
from .conftest import NOTICED, Phone
from .waiting import a_while, drawn, rest

Piles = Mapping[str, list[str]]


def closing_of(phone: Phone, game: str) -> Locator:
    """Open a table and its closing form; return the question."""
    phone.open_table("Ana", "Beto", game=game)
    phone.follow("Close the deal")
    phone.rest()
    phone.page.get_by_text("Help me count").last.tap()
    question = phone.page.locator("#close-question .question")
    question.wait_for()
    return question


def tap(button: Locator) -> None:
    """Tap what a thumb can hit, and wait until the page has taken it in."""
    button.wait_for()
    box = button.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    waiting.tap(button)


def answer(foot: Locator, piles: Piles) -> int:
    """Answer the question of the page truthfully, and return the taps that it took."""
    group = foot.locator("[name='ticked_for']:visible")
    if group.count():
        pressed = group.get_attribute("value") or ""
        side, *cards = pressed.split(" ")
        held = [card for card in cards if card in piles[side]]
        for card in held:
            tap(foot.locator(f".tile:has([name='ticked'][value='{card}'])"))
        tap(group)
        expect(foot.locator(f"[name='ticked_for'][value='{pressed}']")).to_have_count(0)
        rest(foot.page)
        return len(held) + 1
    # The question of one card may lie beneath, for those who do not know the number.
    name = "give" if foot.locator("[name='give']:visible").count() else "tell"
    side, asked, *_number = (foot.locator(f"[name='{name}']:visible").first.get_attribute("value") or "").split(" ")
    if name == "give":
        owner = next(side for side, pile in piles.items() if asked in pile)
        button = foot.locator(f"[name='give'][value='{owner} {asked}']")
    else:
        number = sum(map(COUNTED[asked], piles[side]))
        button = foot.locator(f"[name='tell'][value='{side} {asked} {number}']")
    tap(button)
    expect(button).to_have_count(0)
    rest(foot.page)
    return 1


@pytest.mark.whole
def test_an_answer_and_a_card_laid_out_outlive_a_reload(phone: Phone) -> None:
    _request, piles = finished_deal("chorizo", 2, 1, Random(5))
    foot = closing_of(phone, "chorizo")
    page = phone.page
    best = max(rank for rank in range(1, 8) if f"{rank}C" in piles["A"])
    phone.press("with the cards")
    page.get_by_role("radio", name="cups: ").first.tap()
    with drawn(page, "**/close"):
        page.get_by_role("radio", name=f"{best} of cups", exact=True).locator("visible=true").tap()
    phone.press("Close deal 1")
    expect(page.get_by_role("heading", name="Close deal 1")).to_be_visible()
    page.get_by_text("Help me count").last.tap()
    ticks = "boxes => boxes.filter((box) => box.checked).map((box) => `${box.name} ${box.value}`)"
    said = page.locator("#told input")
    foot.wait_for()
    while said.count() == 0:
        answer(foot, piles)
    before = said.evaluate_all(ticks)
    page.reload()

    expect(page.get_by_text("We restored your")).to_be_visible()
    rest(page)
    assert said.evaluate_all(ticks) == before
    assert page.locator("[name='best-A-C']").input_value() == str(best)
    phone.errors.clear()  # the browser notes that nobody has tapped since the reload, and does not buzz


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
