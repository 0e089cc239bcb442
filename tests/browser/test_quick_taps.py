"""Every tap of a board is an entry of its own, from the moment the board is drawn, whatever the network does."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Phone
from .test_no_signal import journal, nothing_waits, tap
from .waiting import PATIENCE, a_while, drawn, happens, read, until

TAPS = 60


def sides(address: str, table: str) -> list[str]:
    """Return whose sweeps are in the journal."""
    return [one["payload"]["side"] for one in journal(address, table) if one["kind"] == "swept"]


def cut_every_fourth(page: Page) -> None:
    """Cut every fourth post: one time before it has arrived, the next time on the way back."""
    posts = 0

    def pass_or_cut(route: Route) -> None:
        nonlocal posts
        posts += 1
        if posts % 4:
            route.continue_()
            return
        if posts % 8:
            route.fetch()
        route.abort()

    page.route("**/sweep", pass_or_cut)
    page.route("**/api/v1/entries", pass_or_cut)


def press(page: Page, sides: str) -> None:
    """Tap for these sides faster than any page could be loaded."""
    page.locator(".sweep[value='B']").wait_for()
    page.evaluate(
        "sides => sides.forEach((side) => document.querySelector(`.sweep[value='${side}']`).click())", list(sides)
    )


@pytest.mark.whole
def test_quick_taps_are_counted_each_once_and_in_order(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    cut_every_fourth(page)
    network = page.context.new_cdp_session(page)
    chance = random.Random(7)
    places = {}
    for side in "AB":
        box = page.locator(f".sweep[value='{side}']").bounding_box()
        assert box
        places[side] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    tapped = [chance.choice("AB") for _tap in range(TAPS)]
    for side in tapped:
        latency = {"latency": chance.randint(0, 250), "downloadThroughput": -1, "uploadThroughput": -1}
        network.send("Network.emulateNetworkConditions", {"offline": False, **latency})
        page.touchscreen.tap(*places[side])
        a_while(page, chance.randint(30, 350))
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(TAPS)
    assert page.url == table, "no tap leaves the board"
    assert sides(server, table) == tapped


@pytest.mark.whole
def test_the_notice_undoes_the_last_tap_whatever_order_the_answers_come_in(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    held: list[Route] = []
    page.route("**/sweep", lambda route: held.append(route))
    for side in "AABAB":
        tap(page, side)
        a_while(page, 250)
    happens(page, lambda: held)
    held.pop().continue_()
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(5)
    notice = page.locator(".strip .notice")
    expect(notice).to_contain_text("Beto")
    page.unroute("**/sweep")
    phone.press("Undo")
    expect(page.locator(".log li")).to_have_count(4)
    entries = journal(server, table)
    assert entries[-1]["payload"]["entry"] == entries[-2]["id"], "the undo takes the last tap"


def test_two_taps_in_the_moment_a_board_is_drawn_are_two(phone: Phone, server: str) -> None:
    """For a moment htmx has not yet taken up a form that was just drawn; a thumb may be quicker."""
    table = phone.open_table("Ana", "Beto")
    phone.page.evaluate(
        """() => document.addEventListener("htmx:afterSwap", () => {
            const press = () => document.querySelector(".sweep[value='B']").click();
            setTimeout(press, 2);
            setTimeout(press, 8);
        }, { once: true })"""
    )
    tap(phone.page, "A")
    expect(phone.page.locator(".log li")).to_have_count(3)
    assert phone.page.url == table
    assert sides(server, table) == ["A", "B", "B"]


DRAWN = """(patience) => new Promise((tell, fail) => {
    setTimeout(() => fail(new Error("no zone was drawn")), patience);
    const look = () => {
        const zone = document.querySelector(".sweep[value='B']");
        requestAnimationFrame(zone && zone.checkVisibility({ visibilityProperty: true }) ? tell : look);
    };
    look();
})"""
MIDDLE = """(side) => {
    const { left, top, width, height } = document.querySelector(`.sweep[value='${side}']`).getBoundingClientRect();
    window.wasTapped = false;
    return [left + width / 2, top + height / 2];
}"""
"""Where the middle of a zone is just now; it may be drawn anew at any time."""
LOADS = 8


@pytest.mark.whole
def test_a_tap_counts_from_the_moment_its_zone_is_drawn(phone: Phone, server: str) -> None:
    """On a slow network, whatever has come of the scripts by then, and while what was tapped before is being drawn."""
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    network = page.context.new_cdp_session(page)
    chance = random.Random(11)
    tapped: list[str] = []
    for _load in range(LOADS):
        network.send("Network.clearBrowserCache")
        speed = {"downloadThroughput": chance.choice((20_000, 60_000)), "uploadThroughput": 60_000}
        latency = {"latency": chance.choice((50, 200, 400))}
        network.send("Network.emulateNetworkConditions", {"offline": False, **latency, **speed})
        page.goto(table, wait_until="commit")
        page.evaluate(DRAWN, PATIENCE)
        for pause in (0, chance.randint(20, 400), chance.randint(20, 900)):
            a_while(page, pause)
            tapped.append(chance.choice("AB"))
            page.touchscreen.tap(*page.evaluate(MIDDLE, tapped[-1]))
            # The page hears of a tap once the touch is at its end.
            until(page, "window.wasTapped")
        nothing_waits(page)
    assert sides(server, table) == tapped


@pytest.mark.parametrize("look", ["", pytest.param("/faces", marks=pytest.mark.whole)])
def test_a_board_is_not_drawn_before_its_end_has_come(phone: Phone, look: str) -> None:
    """Until then its parts would still move."""
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    page.goto(table + look)
    zone = page.locator(".sweep[value='A']")
    expect(zone).to_be_visible()
    page.evaluate("document.querySelector('#board').lastElementChild.remove()")
    expect(zone).to_be_hidden()


def test_taps_before_the_scripts_have_come_are_counted_each_once(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    held: list[Route] = []
    for script in ("**/htmx.*.js", "**/match.*.js"):
        page.route(script, lambda route: held.append(route))
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    page.goto(table, wait_until="commit")
    press(page, "ABA")
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(2)
    a_while(page, 300)
    assert page.url == table
    for route in held:
        route.continue_()
    expect(page.locator(".log li")).to_have_count(3)
    assert sides(server, table) == ["A", "B", "A"]


def test_taps_are_counted_where_the_scripts_fail_to_come(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    held: list[Route] = []
    page.route("**/match.*.js", lambda route: held.append(route), times=1)
    page.goto(table, wait_until="commit")
    press(page, "AB")
    happens(page, lambda: held)
    held[0].abort()
    expect(page.locator(".log li")).to_have_count(2)
    assert sides(server, table) == ["A", "B"]


def test_taps_are_stored_for_the_next_page_where_no_script_comes(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    held: list[Route] = []
    page.route("**/match.*.js", lambda route: held.append(route))
    page.route("**/held.js", lambda route: route.abort())
    page.goto(table, wait_until="commit")
    press(page, "AB")
    happens(page, lambda: held)
    with page.expect_event("requestfailed", lambda request: "/held.js" in request.url):
        held[0].abort()
    page.unroute("**/match.*.js")
    page.goto(table)
    expect(page.locator(".log li")).to_have_count(2)
    assert sides(server, table) == ["A", "B"]


def test_a_tap_on_its_way_outlives_its_page(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    page.route("**/sweep", lambda _route: None)  # it never gets there
    with page.expect_request("**/sweep"):
        tap(page, "A")
    a_while(page, 100)
    page.unroute("**/sweep")
    page.goto(table)
    expect(page.locator(".log li")).to_have_count(1)
    assert sides(server, table) == ["A"]


def test_a_deal_saved_twice_quickly_is_closed_once(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    page = phone.page
    with drawn(page, "**/close"):
        page.locator("#card_points-A").fill("61")
        page.locator("#card_points-A").blur()
    page.get_by_role("button", name="Save the deal").wait_for()
    phone.rest()
    # At once: the foot may be drawn again meanwhile, and with it the button.
    read(page, "(() => { const save = document.querySelector('.foot .gold'); save.click(); save.click(); })()")
    phone.wait_for_sheet()
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "deal_closed"]
