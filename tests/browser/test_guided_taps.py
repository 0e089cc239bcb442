"""The guided way on a phone: one tap a question, and as many questions as the engine has."""

from __future__ import annotations

from random import Random

from playwright.sync_api import expect

from ..helpers.asking import COUNTED, ask_through, finished_deal
from .conftest import Phone
from .test_taps import COUNTER, forget_taps, taps


def test_a_deal_of_scopa_is_proved_with_one_tap_a_question(phone: Phone) -> None:
    _request, piles = finished_deal("scopa", 2, 1, Random(3))
    asked, proved = ask_through({"game": "scopa", "sides": ["A", "B"], "deal": {}}, piles)
    page = phone.page
    page.context.add_init_script(COUNTER)
    phone.start("Ana", "Beto", game="scopa")
    phone.follow("Close the deal")
    foot = page.locator("#close-foot .ask")
    foot.wait_for()
    forget_taps(page)

    for question in asked:
        if "card" in question:
            side = "A" if question["card"] in piles["A"] else "B"
            answer = page.locator(f"[name='give'][value='{side} {question['card']}']")
        else:
            number = sum(map(COUNTED[question["count"]], piles[question["side"]]))
            answer = page.locator(f"[name='tell'][value='{question['side']} {question['count']} {number}']")
        box = answer.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        answer.tap()
        expect(answer).to_have_count(0)

    phone.wait_for_sheet()
    assert taps(page) == len(asked)
    assert phone.totals() == [str(proved["points"][side]) for side in "AB"]
