"""Help at the table: the rules of the match are one tap from the question, and lead back to it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

pytestmark = pytest.mark.whole


def test_why_of_a_line_leads_to_its_rule_and_back_to_the_sheet(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item, taker in (("cards", "A"), ("coins", "B"), ("seven_of_coins", "A"), ("two_of_clubs", "A")):
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    sheet = re.sub(r"\?.*", "", phone.page.url)
    line = phone.page.locator("details.because", has_text="Two of clubs")
    line.locator("summary").tap()
    expect(line).to_contain_text("It was said at the table")
    tap(line.get_by_role("link", name="All the rules of this match"))
    phone.page.wait_for_url("**/rules?deal=1#item-two_of_clubs")
    expect(phone.page.locator("#item-two_of_clubs")).to_be_in_viewport()
    tap(phone.page.locator(".bar .back"))
    phone.page.wait_for_url(sheet)
