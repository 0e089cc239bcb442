"""Keeping a table and handing it on, as a thumb does it: a new link, the dead one, the paper, sharing and copying."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Phone
from .playing import from_this_table
from .waiting import until

pytestmark = pytest.mark.whole

TAKEN = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}


@pytest.fixture
def other(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Phone]:
    """Another phone."""
    context = browser.new_context(**browser_context_args)
    yield Phone(context.new_page())
    context.close()


def closed(phone: Phone) -> str:
    """Open a table, close its first deal, and return the table's address."""
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item, taker in list(TAKEN.items())[:-1]:
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    return table


def test_a_new_link_to_play_leaves_the_old_phone_at_a_dead_page(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    expect(other.page.locator(".sweep")).to_have_count(2)

    from_this_table(phone, "Owner of the table")
    expect(phone.page.get_by_role("heading", name="Owner of the table")).to_be_visible()
    phone.page.locator("#play a[href$='/renew/play']").tap()
    expect(phone.page.get_by_text("The old link dies at once")).to_be_visible()
    phone.press("Make the new link")
    expect(phone.page.get_by_text("the old one opens nothing any more")).to_be_visible()

    other.page.locator(".sweep").first.tap()
    # The tap waits for the new link, and nothing of the table is left on the page.
    expect(other.page.get_by_role("heading", name="This link is dead")).to_be_visible()
    expect(other.page.locator("#waiting summary")).to_have_text("1 to settle")
    other.page.reload()
    expect(other.page.get_by_role("heading", name="This link is dead")).to_be_visible()

    new = phone.page.locator("#link-play").input_value()
    assert new != table
    other.page.get_by_label("I have a link").fill(f"Come and play: {new}")
    other.press("Open")
    expect(other.page.locator(".sweep")).to_have_count(2)


@pytest.mark.whole
def test_the_paper_shows_the_owner_link_alone(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    from_this_table(phone, "Owner of the table")
    address = phone.page.locator("#link-owner").input_value()
    phone.page.emulate_media(media="print")
    expect(phone.page.get_by_text("Keep this paper")).to_be_visible()
    expect(phone.page.locator("#owner .address")).to_have_text(address)
    expect(phone.page.locator("#owner img")).to_be_visible()
    for hidden in ("#play", "#watch", "#names", ".foot", "#owner .tools"):
        expect(phone.page.locator(hidden)).to_be_hidden()


def test_share_hands_the_sentences_to_the_phone(phone: Phone) -> None:
    phone.page.add_init_script("navigator.share = async (what) => { window.shared = what; }")
    closed(phone)
    phone.follow("Share")
    until(phone.page, "Boolean(window.shared)")
    told = phone.page.evaluate("window.shared")
    assert told["text"].startswith("Chorizo to 21 · Ana, Beto")
    assert "Total: Ana 6, Beto 2" in told["text"]
    assert "http" not in told["text"]
    assert set(told) == {"text"}


def test_copied_is_said_in_full_and_nothing_moves(phone: Phone) -> None:
    phone.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.page.add_init_script("delete Navigator.prototype.share")
    closed(phone)
    button = phone.page.get_by_role("link", name="Share")
    before = button.bounding_box()
    button.tap()
    told = phone.page.get_by_text("Copied", exact=True)
    expect(told).to_be_in_viewport(ratio=1)
    assert told.evaluate("told => told.scrollWidth <= told.clientWidth")
    assert button.bounding_box() == before


@pytest.mark.whole
def test_share_copies_the_old_way_without_https(phone: Phone) -> None:
    phone.page.add_init_script(
        "delete Navigator.prototype.share;"
        "Object.defineProperty(navigator, 'clipboard', { value: undefined });"
        "document.addEventListener('copy', () => { window.copied = String(document.activeElement.value); });"
    )
    closed(phone)
    phone.follow("Share")
    expect(phone.page.locator("[data-words]")).to_have_text("Copied")
    assert "Total: Ana 6, Beto 2" in phone.page.evaluate("window.copied")


@pytest.mark.whole
def test_the_picture_is_shared_as_a_file(phone: Phone) -> None:
    phone.page.add_init_script(
        "navigator.canShare = () => true; navigator.share = async (what) => { window.shared = what; }"
    )
    table = closed(phone)
    with phone.page.expect_response(re.compile("result.png")):
        phone.page.goto(f"{table}/matches/1/picture")
    phone.rest()
    phone.follow("Share the picture")
    until(phone.page, "Boolean(window.shared)")
    name, kind, size = phone.page.evaluate("(({ files: [file] }) => [file.name, file.type, file.size])(window.shared)")
    assert name.endswith(".png")
    assert kind == "image/png"
    assert size > 10_000
    assert phone.page.locator("img.result").evaluate("image => image.naturalWidth") == 1080
