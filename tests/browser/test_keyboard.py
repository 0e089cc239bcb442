"""Everything works by keyboard alone, and where the focus is, it is seen."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import Phone
from .waiting import rest

SEEN = """() => {
    const one = document.activeElement;
    if (one === document.body) return true;
    const isDrawnByLabel = one.matches('input[type=radio], input[type=checkbox]');
    const label = isDrawnByLabel && [...one.labels].find((each) => each.checkVisibility());
    const shown = label || one.closest('.count-cell') || one;
    const ringed = [one, shown, ...shown.querySelectorAll('*')].some((each) => {
        const style = getComputedStyle(each);
        return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });
    const box = shown.getClientRects()[0];
    const points = [0.25, 0.5, 0.75].map((part) => [box.left + box.width / 2, box.top + box.height * part]);
    const free = points.some(([x, y]) => {
        const top = document.elementFromPoint(x, y);
        return top && shown.contains(top);
    });
    return ringed && free;
}"""
"""Whether what has the focus shows a ring, and is not wholly under something else."""


class Keyboard:
    """A page used without a pointer: where the focus is, it is seen."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab_to(self, selector: str, key: str = "Tab") -> None:
        """Press Tab until the focus is there; it is to be seen at every stop on the way."""
        for _stop in range(80):
            self.page.keyboard.press(key)
            rest(self.page)
            assert self.page.evaluate(SEEN), self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"no Tab leads to {selector}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def test_a_match_is_started_and_a_deal_closed_by_keyboard_alone(phone: Phone) -> None:
    page, keys = phone.page, Keyboard(phone.page)
    page.goto("/")
    keys.tab_to("a[href^='/tables/new']")
    keys.press("Enter")
    page.wait_for_url("**/tables/new*")
    keys.tab_to("#player-0")
    page.keyboard.type("Ana")
    keys.tab_to("#player-1")
    page.keyboard.type("Beto")
    keys.tab_to("button[value='save']")
    keys.press("Enter")
    page.wait_for_url("**/t/*")
    keys.tab_to(".sweep[value='B']")
    keys.press("Space")
    expect(page.locator(".log li")).to_have_count(1)
    keys.tab_to("a[href$='/close']")
    keys.press("Enter")
    page.wait_for_url("**/close")
    rest(page)
    keys.tab_to("[name='award-cards'][value='A']")
    keys.press("Space")
    keys.tab_to("[name='award-coins']")
    keys.press("Space", "ArrowRight", "ArrowRight")
    expect(page.locator("[name='award-coins'][value='B']")).to_be_checked()
    keys.tab_to("#show-cards > summary")
    keys.press("Enter")
    keys.tab_to("[name='tab']")
    keys.press("ArrowRight")
    expect(page.locator(".of-cards[data-pile='B']")).to_be_visible()
    # The pack is one stop, and the arrows go from card to card.
    keys.tab_to("[name='pile-B'][value='1O']")
    for _card in range(6):
        keys.press("ArrowRight")
    keys.press("Space")
    expect(page.locator("#mark-seven_of_coins-B.theirs")).to_be_attached()
    keys.tab_to("#show-cards > summary", "Shift+Tab")
    keys.press("Enter")
    keys.tab_to("[name='others'][value='A']", "Shift+Tab")
    keys.press("Enter")
    phone.wait_for_sheet()
    assert phone.totals()[1] == "3"
