"""Phones of two sides, and of three, tell one deal in different ways; every side says yes, and all see it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .axe import faults
from .conftest import Phone, screens
from .playing import from_this_table
from .waiting import drawn

PILE_OF_ANA = (
    *("1O", "2O", "3O", "4O", "7O", "10O", "12O", "1C", "2C", "4C", "7C", "10C"),
    *("3E", "4E", "6E", "11E", "5B", "7B", "11B", "12B"),
)


def held(phone: Phone, name: str) -> None:
    """Say who holds the phone that opened the table."""
    from_this_table(phone, "This phone")
    phone.press(name)
    phone.page.get_by_role("button", name="Sweep").first.wait_for()


def close_both(phone: Phone, other: Phone, *, holders: bool = True, names: tuple[str, ...] = ("Ana", "Beto")) -> str:
    """Close one deal on both phones, which disagree about coins and prime; returns the table's address."""
    table = phone.open_table(*names, **({"shape": f"{len(names)}x1"} if len(names) > 2 else {}))
    if holders:
        held(phone, "Ana")
    other.join(table, "Beto" if holders else "Everybody's")
    for each in (phone, other):
        each.follow("Close the deal")
        for item in ("cards", "seven_of_coins", "two_of_clubs"):
            each.say(item, "A")
    phone.say("coins", "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    other.count("coins", "B", 6)
    other.page.locator("[name='award-prime'][value='B']").tap()
    other.page.wait_for_url(re.compile("/versions[?]saved=1$"))
    screens("two versions", phone, other)
    return table


def board(phone: Phone, table: str) -> None:
    """Go to the board."""
    phone.page.goto(table)
    phone.page.get_by_role("button", name="Sweep").first.wait_for()


def unfolded(phone: Phone) -> Page:
    """Return the page with every folded part open."""
    phone.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    return phone.page


def versions_counting(phone: Phone) -> list[str]:
    """Return the points of the version that counts."""
    return (
        phone.page.locator(".version-head")
        .first.locator(".side-name")
        .evaluate_all("sums => sums.map((sum) => sum.firstChild.data)")
    )


def test_the_side_that_gives_in_settles_it_at_once_and_both_see_it(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    rows = other.page.locator(".version-row.differs")
    expect(rows).to_have_count(2)
    coins = rows.filter(has_text="Most coins").locator(".version-cell")
    expect(coins.first).to_contain_text("Ana +1")
    expect(coins.last).to_contain_text("Beto 6")
    boxes = [box for cell in coins.all() if (box := cell.bounding_box())]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
    board(phone, table)
    phone.follow("Deal 1 has two versions")
    phone.press("Accept Beto's")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(phone.page.locator(".score-number")).to_have_text(["6", "2"])
    # The other phone still shows both versions: now as what was taken, and what was not.
    expect(other.page.locator(".tag", has_text="It counts")).to_be_visible()
    expect(other.page.locator(".tag", has_text="Not taken")).to_be_visible()
    assert versions_counting(other) == ["6", "2"]
    screens("settled", phone, other)
    other.follow("The sheet that stands now")
    expect(other.page.locator("main").get_by_text("Ana and Beto agree on this sheet")).to_be_visible()
    expect(other.page.get_by_role("link", name="There were two versions: see them")).to_be_visible()
    other.page.goto(f"{table}/matches/1/journal")
    expect(other.page.locator(".journal > li").first).to_contain_text(
        re.compile("Ana took the version of Beto ?8–0 → 6–2")
    )
    screens("who wrote what", other)


def test_the_side_that_insists_asks_and_the_other_says_yes_or_no(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    board(phone, table)
    other.press("Ask Ana to accept mine")
    expect(other.page.locator("main").get_by_text("Waiting for: Ana")).to_be_visible()
    asked = phone.page.get_by_role("link", name="Deal 1: Beto asks that theirs counts: 6–2")
    expect(asked).to_be_visible()
    screens("asked", phone, other)
    asked.tap()
    phone.press("No, still in doubt")
    expect(other.page.locator("main").get_by_text("Ana: no, still in doubt")).to_be_visible()
    screens("still in doubt", phone, other)
    other.press("Ask Ana to accept mine")
    expect(phone.page.locator("main").get_by_text("Beto asks that theirs counts: 6–2")).to_be_visible()
    screens("asked again", phone, other)
    phone.press("Yes, it counts")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(other.page.locator(".tag", has_text="It counts")).to_be_visible()
    expect(phone.page.locator(".score-number")).to_have_text(["6", "2"])
    screens("agreed", phone, other)


def test_the_cards_make_a_third_version_that_the_other_side_accepts(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    other.follow("Settle the prime with the cards")
    other.page.get_by_role("radio", name="coins: ").first.wait_for()
    screens("slots", other)
    # The seven of coins was said to be Ana's, and lies in her slot already; the other sevens then are Beto's.
    for card in ("6 of cups", "6 of swords", "5 of clubs", "6 of coins"):
        with drawn(other.page, "**/close"):
            other.page.get_by_role("radio", name=card, exact=True).locator("visible=true").tap()
    other.press("Propose")
    expect(other.page.locator("main").get_by_text("Beto proposes another version: 7–1")).to_be_visible()
    screens("third version", phone, other)
    board(phone, table)
    phone.follow("Deal 1: Beto proposes another version: 7–1")
    expect(phone.page.locator(".tag", has_text="Proposed")).to_be_visible()
    screens("three versions", phone)
    phone.press("Yes, it counts")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(phone.page.locator(".score-number")).to_have_text(["7", "1"])
    expect(other.page.locator(".tag", has_text="Not taken")).to_have_count(2)
    screens("settled by the cards", phone, other)


def test_on_one_phone_of_everybody_each_side_says_yes_by_name(phone: Phone, other: Phone) -> None:
    close_both(phone, other, holders=False)
    other.page.get_by_role("button", name="Propose this one").last.tap()
    expect(other.page.locator("main").get_by_text("Waiting for: Ana, Beto")).to_be_visible()
    other.press("Ana: yes")
    expect(other.page.locator("main").get_by_text("Waiting for: Beto")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Beto: yes")).to_be_visible()
    screens("one has said yes", phone, other)
    phone.press("Beto: yes")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(phone.page.locator(".score-number")).to_have_text(["6", "2"])
    screens("agreed by name", phone, other)


def test_at_three_sides_all_others_have_to_say_yes(phone: Phone, other: Phone, third: Phone) -> None:
    table = close_both(phone, other, names=("Ana", "Beto", "Cata"))
    third.join(table, "Cata")
    board(phone, table)
    other.page.reload()
    other.press("Ask Ana and Cata to accept mine")
    expect(other.page.locator("main").get_by_text("Waiting for: Ana, Cata")).to_be_visible()
    screens("asked at three", phone, other, third)
    phone.follow("Deal 1: Beto asks that theirs counts")
    phone.press("Yes, it counts")
    expect(other.page.locator("main").get_by_text("Waiting for: Cata")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Cata: yes")).to_have_count(0)
    screens("two of three", phone, other, third)
    third.follow("Deal 1: Beto asks that theirs counts")
    third.press("Yes, it counts")
    for each in (phone, other):
        expect(each.page.locator(".tag", has_text="It counts")).to_be_visible()
    expect(third.page.locator(".score-number")).to_have_text(["6", "2", "0"])
    screens("three of three", phone, other, third)


def three_close_one(phone: Phone, other: Phone, third: Phone) -> str:
    """Let three phones sit down and the first close a deal; all look at its sheet. Returns the table's address."""
    table = phone.open_table("Ana", "Beto", "Cata", shape="3x1")
    held(phone, "Ana")
    other.join(table, "Beto")
    third.join(table, "Cata")
    phone.follow("Close the deal")
    for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    for each in (other, third):
        each.page.goto(f"{table}/matches/1/deals/1")
    screens("one closed it", phone, other, third)
    return table


@pytest.mark.whole
def test_a_dispute_at_three_sides_is_settled_by_what_comes_out_of_counting_again(
    phone: Phone, other: Phone, third: Phone
) -> None:
    table = three_close_one(phone, other, third)
    other.page.locator("main").get_by_text("Something is wrong").tap()
    other.page.get_by_role("radio", name="Prime", exact=True).check()
    other.press("Beto disputes it")
    for each in (phone, other, third):
        expect(each.page.locator("main .ask").filter(has_text="Beto disputes: prime")).to_be_visible()
    screens("disputed", phone, other, third)
    phone.follow("Count again, and propose what comes out")
    # Several sides may score at three: who has it no longer is tapped again.
    phone.say("prime", "A")
    phone.say("prime", "C")
    phone.press("Propose")
    expect(phone.page.locator("main").get_by_text("Waiting for: Beto, Cata")).to_be_visible()
    for each in (other, third):
        expect(each.page.get_by_role("button", name="Yes, it counts")).to_be_visible()
    screens("proposed", phone, other, third)
    third.press("Yes, it counts")
    expect(phone.page.locator("main").get_by_text("Waiting for: Beto")).to_be_visible()
    expect(third.page.locator(".score-number")).to_have_text(["8", "0", "0"])
    screens("one yes", phone, other, third)
    other.press("Yes, it counts")
    for each in (other, third):
        expect(each.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
        expect(each.page.locator(".score-number")).to_have_text(["7", "0", "1"])
    expect(phone.page.locator(".tag", has_text="It counts")).to_be_visible()
    screens("all yes", phone, other, third)
    phone.page.goto(f"{table}/matches/1/journal")
    expect(phone.page.locator(".journal > li").first).to_contain_text("Beto took the version of Ana")


@pytest.mark.whole
def test_at_three_sides_an_agreed_deal_opens_when_all_have_said_yes(phone: Phone, other: Phone, third: Phone) -> None:
    three_close_one(phone, other, third)
    other.press("Beto: yes")
    expect(third.page.locator("main").get_by_text("Ana: yes · Beto: yes")).to_be_visible()
    screens("two agree", phone, other, third)
    third.press("Cata: yes")
    for each in (phone, other, third):
        expect(each.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    screens("three agree", phone, other, third)
    third.page.locator("main").get_by_text("There is a mistake: open it").tap()
    third.press("Cata asks to open it again")
    for each in (phone, other):
        expect(each.page.get_by_role("button", name="Yes, open it")).to_be_visible()
    screens("asked to open it", phone, other, third)
    phone.press("Yes, open it")
    expect(third.page.locator("main").get_by_text("Waiting for: Beto")).to_be_visible()
    screens("one would open it", phone, other, third)
    other.press("Yes, open it")
    for each in (phone, other, third):
        expect(each.page.get_by_role("heading", name="Open again")).to_be_visible()
    screens("open again", phone, other, third)


def test_an_agreed_deal_is_corrected_by_a_proposal_and_opened_by_both(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    phone.page.goto(f"{table}/matches/1/deals/1/versions")
    phone.press("Accept Beto's")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    other.page.goto(f"{table}/matches/1/deals/1")
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(0)
    phone.page.locator("main").get_by_text("There is a mistake: open it").tap()
    phone.follow("Count again, and propose what comes out")
    phone.say("cards", "B")
    phone.press("Propose")
    expect(phone.page.locator("main").get_by_text("Waiting for: Beto")).to_be_visible()
    expect(other.page.get_by_role("button", name="Yes, it counts")).to_be_visible()
    expect(other.page.locator(".score-number")).to_have_text(["6", "2"])
    screens("a correction is proposed", phone, other)
    other.press("Yes, it counts")
    expect(other.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(other.page.locator(".score-number")).to_have_text(["5", "3"])
    other.page.locator("main").get_by_text("There is a mistake: open it").tap()
    other.press("Beto asks to open it again")
    phone.page.goto(f"{table}/matches/1/deals/1")
    expect(phone.page.get_by_role("button", name="Yes, open it")).to_be_visible()
    screens("asked to open it", phone, other)
    phone.press("Yes, open it")
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(1)
    expect(other.page.locator("main").get_by_text("Every side agreed to open this deal again")).to_be_visible()
    screens("open again", phone, other)


@pytest.mark.whole
def test_its_pages_are_accessible_and_fit(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    deal = f"{table}/matches/1/deals/1"
    found = faults(unfolded(other))
    for path in (deal, f"{table}/matches/1/journal"):
        other.page.goto(path)
        found += faults(unfolded(other))
        assert other.fits()
    other.page.goto(f"{deal}/versions")
    other.press("Ask Ana to accept mine")
    expect(other.page.locator("main").get_by_text("Waiting for: Ana")).to_be_visible()
    found += faults(unfolded(other))
    phone.page.goto(deal)
    found += faults(unfolded(phone))
    phone.press("Yes, it counts")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    found += faults(unfolded(phone))
    other.page.goto(f"{deal}/versions")
    found += faults(unfolded(other))
    assert found == []


def test_the_sheet_lays_the_primes_out_as_cards(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    for card in PILE_OF_ANA:
        phone.page.locator(f"[name='pile-A'][value='{card}']").tap()
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.page.locator("#show-cards > summary").tap()
    phone.page.locator("[name='accept']").first.tap()
    phone.page.locator("#close-foot .gold, .foot .gold").locator("visible=true").first.tap()
    phone.wait_for_sheet()
    phone.page.locator(".because", has_text="Prime").locator("summary").tap()
    expect(phone.page.locator(".prime-lines b.number")).to_have_text(["27", "25"])
    assert phone.fits()
    assert faults(unfolded(phone)) == []
    phone.follow("The prime with the cards")
    expect(phone.page.locator(".prime-total .number")).to_have_text(["27", "25"])
    expect(phone.page.locator("#total-A")).to_have_attribute("data-wins", "")
    assert phone.page.url.endswith("/matches/1/deals/1/prime")
    assert phone.fits()
    assert faults(unfolded(phone)) == []
