"""Two phones close one deal in different ways, see both versions side by side, and settle it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .axe import faults
from .conftest import Phone

PILE_OF_ANA = (
    *("1O", "2O", "3O", "4O", "7O", "10O", "12O", "1C", "2C", "4C", "7C", "10C"),
    *("3E", "4E", "6E", "11E", "5B", "7B", "11B", "12B"),
)


@pytest.fixture
def other(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Phone]:
    """Another phone."""
    context = browser.new_context(**browser_context_args)
    yield Phone(context.new_page())
    context.close()


def close_both(phone: Phone, other: Phone) -> str:
    """Close one deal on both phones, which disagree about coins and prime; returns the table's address."""
    table = phone.start("Ana", "Beto")
    other.join(table)
    for each in (phone, other):
        each.follow("Close the deal")
        for item in ("cards", "seven_of_coins", "two_of_clubs"):
            each.say(item, "A")
    phone.say("coins", "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    other.count("coins", "B", 6)
    other.page.locator("[name='award-prime'][value='B']").tap()
    other.page.wait_for_url(re.compile("/versions$"))
    return table


def unfolded(phone: Phone) -> Page:
    """Return the page with every folded part open."""
    phone.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    return phone.page


def test_two_phones_disagree_see_both_and_settle(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    rows = other.page.locator(".version-row.differs")
    expect(rows).to_have_count(2)
    coins = rows.filter(has_text="Most coins").locator(".version-cell")
    expect(coins.first).to_contain_text("Ana +1")
    expect(coins.last).to_contain_text("counted")
    expect(coins.last).to_contain_text("Beto 6")
    boxes = [box for cell in coins.all() if (box := cell.bounding_box())]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    assert other.fits()
    # The one who wrote the first version sees that there is another one, and gives in.
    phone.page.goto(table)
    phone.follow("Deal 1 has two versions")
    expect(phone.page.locator(".version-head").last).to_contain_text("another phone")
    phone.page.get_by_role("button", name="Take this one").last.tap()
    expect(phone.page.locator("#settlement")).to_contain_text("Agreed and locked")
    assert phone.totals() == ["6", "2"]
    other.page.goto(f"{table}/matches/1/journal")
    expect(other.page.locator(".journal s")).to_have_count(2)


def test_a_locked_deal_is_opened_by_both_sides_on_one_phone(phone: Phone) -> None:
    phone.start("Ana", "Beto")
    phone.follow("Close the deal")
    for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    for name in ("Ana", "Beto"):
        phone.press(f"{name} accepts")
        expect(phone.page.get_by_role("button", name=f"{name} accepts")).to_have_count(0)
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(0)
    phone.page.locator("summary", has_text="Something is wrong after all").tap()
    phone.press("Ana asks to open it again")
    phone.press("Beto agrees: open it")
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(1)


def test_its_pages_are_accessible_and_fit(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    deal = f"{table}/matches/1/deals/1"
    found = faults(unfolded(other))
    for path in (deal, f"{table}/matches/1/journal"):
        other.page.goto(path)
        found += faults(unfolded(other))
        assert other.fits()
    other.page.goto(f"{deal}/versions")
    other.page.get_by_role("button", name="Take this one").first.tap()
    expect(other.page.locator("#settlement")).to_contain_text("Agreed and locked")
    found += faults(unfolded(other))
    assert found == []


def test_the_sheet_lays_the_primes_out_as_cards(phone: Phone) -> None:
    phone.start("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    for card in PILE_OF_ANA:
        phone.page.locator(f"[name='pile-A'][value='{card}']").tap()
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.page.locator("[name='accept']").first.tap()
    phone.press("Save the deal")
    phone.wait_for_sheet()
    phone.page.locator(".because", has_text="Prime").locator("summary").tap()
    expect(phone.page.locator(".primes .big")).to_have_text(["27", "25"])
    assert phone.fits()
    assert faults(unfolded(phone)) == []
    phone.follow("Open in the prime referee")
    expect(phone.page.locator(".slots-total .big")).to_have_text(["★ 27", "25"])
    assert phone.page.url.endswith("/matches/1/deals/1/prime")
    assert phone.fits()
    assert faults(unfolded(phone)) == []
