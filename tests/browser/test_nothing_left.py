"""A renewed link, a deleted match or table leaves nothing readable on the phones that hear of it, also offline.

What waits to be sent stays, and goes out by the new link.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import Phone
from .test_no_signal import journal, keep_pages, keeps_pages, nothing_waits, tap, waits
from .test_renewed_link import renew
from .waiting import happens, until

pytestmark = pytest.mark.whole

NAMES = ("Anastasia", "Bartolomeo")
STORED = """async (words) => {
    const texts = [];
    for (const name of await caches.keys()) {
        if (name.startsWith("files-")) continue;
        const cache = await caches.open(name);
        for (const page of await cache.keys()) texts.push(`${page.url}| ${await (await cache.match(page)).text()}`);
    }
    for (const store of [localStorage, sessionStorage]) {
        const names = Object.keys(store).filter((name) => !name.startsWith("held:"));
        texts.push(...names.map((name) => `${name} ${store.getItem(name)}`));
    }
    return texts.filter((text) => words.some((word) => text.includes(word))).map((text) => text.slice(0, 200));
}"""
"""How all begins that the phone has stored with some words in it, but for what waits to be sent."""


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Phones on which the service worker runs."""
    return keeps_pages(browser_context_args)


@pytest.fixture
def phone(phone: Phone) -> Phone:
    return may_find_dead_links(phone)


@pytest.fixture
def other(other: Phone) -> Phone:
    return may_find_dead_links(other)


def may_find_dead_links(phone: Phone) -> Phone:
    """Return a phone that may find dead links, and no network, for which its service worker answers."""
    for status in (404, 503):
        phone.may_get(status)
    return phone


def look_offline(phone: Phone, *addresses: str) -> None:
    """Open these pages without signal: none of them shows a name."""
    phone.page.context.set_offline(True)
    for address in addresses:
        phone.page.goto(address)
        expect(phone.page.get_by_role("heading", name="No signal")).to_be_visible()
        for name in NAMES:
            expect(phone.page.locator("main")).not_to_contain_text(name)
    # A page without signal goes back by itself once there is some.
    phone.page.goto("about:blank")
    phone.page.context.set_offline(False)


def found(page: Page, *words: str) -> list[str]:
    """Return the beginning of each thing that the phone has stored with one of these words in it."""
    return list(page.evaluate(STORED, list(words)))


def nothing_stored(page: Page, *words: str) -> None:
    """Wait until nothing that the phone has stored has one of these words."""
    happens(page, lambda: not found(page, *words))


def stored(page: Page, *words: str) -> None:
    """Wait until the phone has stored something with each of these words."""
    for word in words:
        happens(page, lambda word=word: found(page, word))


def use(phone: Phone, table: str) -> None:
    """Look at some pages of a table, and begin to close its deal."""
    page = phone.page
    phone.join(table)
    keep_pages(page)
    for path in ("/history", "/matches/1", "/matches/1/deals/1/close"):
        page.goto(f"{table}{path}")
        phone.rest()
    page.locator("[name='award-cards'][value='A']").tap()
    phone.rest()
    page.goto(table)
    phone.rest()
    until(page, f"caches.open('pages').then((pages) => pages.match('{table}/matches/1')).then(Boolean)")
    stored(page, *NAMES, "draft:/t/")


def test_nothing_is_left_under_a_renewed_link_but_what_waits(phone: Phone, other: Phone, server: str) -> None:
    table = phone.open_table(*NAMES)
    key = table.rsplit("/", 1)[1]
    use(other, table)
    page = other.page
    page.route("**/sweep", lambda route: route.abort())
    page.route("**/api/v1/entries", lambda route: route.abort())
    tap(page, "A")
    waits(page, 1)
    new = renew(phone.page, table)
    # Any page of it says so: the phone needs not come by the board.
    page.goto(f"{table}/history")
    expect(page.get_by_role("heading", name="This link is dead")).to_be_visible()
    nothing_stored(page, *NAMES, f"draft:/t/{key}", f"stand:{key}", f"ahead:{key}")
    look_offline(other, table, f"{table}/history", f"{table}/matches/1", f"{table}/matches/1/deals/1/close")
    page.unroute("**/sweep")
    page.unroute("**/api/v1/entries")

    other.join(new)
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(1)
    assert [one["kind"] for one in journal(server, new)].count("swept") == 1
    nothing_stored(phone.page, f"/t/{key}/")


def test_an_open_board_goes_with_its_link_and_the_tap_on_it_is_not_lost(
    phone: Phone, other: Phone, server: str
) -> None:
    table = phone.open_table(*NAMES)
    use(other, table)
    # An open board leaves as soon as it hears of it.
    other.page.context.set_offline(True)
    tap(other.page, "B")
    waits(other.page, 1)
    new = renew(phone.page, table)
    other.page.context.set_offline(False)
    expect(other.page.get_by_role("heading", name="This link is dead")).to_be_visible()
    expect(other.page.locator("#waiting summary")).to_have_text("1 to settle")
    nothing_stored(other.page, *NAMES)
    look_offline(other, table, f"{table}/matches/1")
    other.join(new)
    nothing_waits(other.page)
    assert [one["payload"]["side"] for one in journal(server, new) if one["kind"] == "swept"] == ["B"]


@pytest.mark.whole
def test_nothing_is_left_of_a_deleted_match_and_all_is_there_once_it_is_back(phone: Phone, other: Phone) -> None:
    table = phone.open_table(*NAMES)
    for each in (phone, other):
        use(each, table)
    page = phone.page
    page.goto(f"{table}/matches/1/delete")
    phone.press("Delete this match")
    expect(page.get_by_role("button", name="Bring it back")).to_be_visible()
    other.page.goto(f"{table}/history")
    for each in (phone, other):
        nothing_stored(each.page, "/matches/1|", "/matches/1/deals/1/close|", "stand:")
        # What was typed of it stays for the day in which it can come back.
        stored(each.page, "draft:/t/")
        look_offline(each, f"{table}/matches/1", f"{table}/matches/1/deals/1/close")

    page.goto(f"{table}/history")
    phone.press("Bring it back")
    expect(page.get_by_role("heading", name=NAMES[0]).or_(page.get_by_text(NAMES[0])).first).to_be_visible()
    other.page.goto(f"{table}/matches/1/deals/1/close")
    expect(other.page.locator("[name='award-cards'][value='A']")).to_be_checked()
    other.page.goto(table)
    other.rest()
    other.page.context.set_offline(True)
    other.page.goto(table)
    expect(other.page.locator(".sweep")).to_have_count(2)
    other.page.context.set_offline(False)


@pytest.mark.whole
def test_an_open_board_of_what_is_deleted_goes_by_itself(phone: Phone, other: Phone) -> None:
    table = phone.open_table(*NAMES)
    other.join(table)
    phone.page.goto(f"{table}/matches/1/delete")
    phone.press("Delete this match")
    expect(other.page.get_by_role("heading", name="New match")).to_be_visible()
    expect(other.page.locator("#deleted")).to_contain_text("Match 1 was deleted. Until ")
    expect(other.page.locator("#deleted")).to_contain_text("whoever owns the table can bring it back.")
    phone.page.goto(table)
    expect(phone.page.locator("#deleted")).to_contain_text("Match 1 was deleted.")
    phone.press("Bring it back")
    other.page.goto(table)
    phone.page.goto(f"{table}/owner")
    phone.follow("Delete this table")
    phone.page.fill("#name", ", ".join(NAMES))
    phone.press("Delete for good")
    expect(other.page.get_by_role("heading", name="This link is dead")).to_be_visible()


@pytest.mark.whole
def test_nothing_is_left_of_a_table_that_a_phone_forgets(phone: Phone) -> None:
    table = phone.open_table(*NAMES)
    use(phone, table)
    watched = phone.page.goto(f"{table}/share") and phone.page.locator("a[href*='/w/']").first.get_attribute("href")
    assert watched
    phone.page.goto(watched)
    phone.rest()
    phone.page.goto("/forget")
    phone.press("Forget")
    expect(phone.page.get_by_role("heading", name="Scorekeeper")).to_be_visible()
    nothing_stored(phone.page, *NAMES, "draft:/t/")
    look_offline(phone, table, watched)
