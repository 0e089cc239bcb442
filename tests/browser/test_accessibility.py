"""Every screen can be read and used by everybody: axe finds nothing, targets suit a thumb, light and dark."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, expect

from .axe import faults
from .conftest import Phone
from .playing import close_with_points
from .room import LONG_NAMES, sticks_out
from .waiting import drawn, tap

PEOPLE = ("Ana", "Beto", "Leo", "Cata", "Dora", "Elio")
NOT_PAGES = {
    "static",
    # The closing form, as a phone keeps it.
    "closing.ahead",
    "tables.qr",
    "tables.watch_qr",
    "pwa.manifest",
    "pwa.icon",
    "pwa.preview",
    "pwa.service_worker",
    "owner.qr",
    "api.games",
    "api.show_addresses",
    "api.show_description",
    "api_tables.matches",
    "api_tables.sheet",
    "api_tables.standing",
    "sync.pull",
    "sharing.result",
    "history.take",
    "table_file.take",
    "live.stream",
    "matches.which_are_deleted",
    "closing.meanwhile",
}
"""What is fetched, but read by no person."""
ELSEWHERE = {"tables.owner", "agreement.versions", "table_file.show"}
"""What leads on to another page at once, and what takes two phones (test_agreement.py) or a large table to see.

The latter is in test_table_file.py.
"""

SMALL = """() => [...document.querySelectorAll(
        'button, summary, select, a[href], .button, .row, .back, .act, label:has(> input), '
        + 'input:not([type=hidden], [type=radio], [type=checkbox])'
    )].filter((one) => !one.closest('[aria-hidden=true]')).filter((one) => {
        // A field that fills its seat or its cell is as large as that.
        let target = one.closest('.seat, .count-cell') || one;
        if (one.matches('a')) {
            // A link in a sentence is as high as its line, and no higher (WCAG 2.5.8 has the same exception).
            const line = one.closest('p, li, dd, small');
            const isInText = line && line.textContent.trim().length > one.textContent.trim().length;
            if (isInText && getComputedStyle(one).display.startsWith('inline')) return false;
            // A link that is laid over its row is as large as the row.
            if (getComputedStyle(one, '::before').position === 'absolute') {
                while (getComputedStyle(target).position === 'static') target = target.parentElement;
            }
        }
        const box = target.getBoundingClientRect();
        // A field drawn as its cell, and one hidden from the eye, are tapped by what lies around them.
        if (one.closest('.visually-hidden, .skip')) return false;
        const seen = one.checkVisibility({visibilityProperty: true}) && box.width > 1 && box.height > 1;
        // Seven cards fill the width of a phone, with two pixels between them.
        const least = one.matches('.tile') ? 45 : 47.5;
        return seen && Math.min(box.width, box.height) < least;
    }).map((one) => one.outerHTML.slice(0, 120))"""


def screens(phone: Phone, people: Sequence[str] = PEOPLE) -> Iterator[str]:
    """Lead the phone from screen to screen of tables of these people; give each one's name when it is there."""
    page = phone.page
    ana, beto, cata = people[0], people[1], people[3]

    def at(address: str, name: str = "") -> str:
        page.goto(address)
        return name or urlsplit(address).path

    for address in ("/", "/tables/new", "/tables/new/games", "/prime", "/captures", "/rules", "/rules/cirulla"):
        yield at(address)
    for address in ("/cards/french", "/forget", "/offline", "/privacy"):
        yield at(address)
    yield at("/prime?pile-A=7O&pile-A=6C&pile-B=7C&pile-B=2O", "a prime compared")
    yield at("/captures?game=scopa&layout=5O&layout=2C&card=7E", "a capture shown")
    yield at("/nothing-here", "not found")

    table = phone.open_table(ana, beto)
    deal = f"{table}/matches/1/deals/1"
    yield "the board of a new match"
    phone.sweep("A")
    yield "the board after a tap"
    yield at(f"{deal}/declare")
    page.locator("[name='side'][value='A']").tap()
    for card in ("1B", "2B", "3B"):
        page.locator(f"[name='cards'][value='{card}']").tap()
    page.locator("#worth .gold").wait_for()
    yield "a declaration before it is noted"
    yield at(f"{table}/matches/1/captures?layout=5O&layout=2C&card=11E", "a capture by the rules of the match")
    yield at(f"{deal}/layout")
    for card in ("2O", "3C", "4E", "7B"):
        page.locator(f"[name='cards'][value='{card}']").tap()
    page.get_by_text("16").first.wait_for()
    yield "an opening that brings nothing"
    for card in ("2O", "1O"):
        page.locator(f"[name='cards'][value='{card}']").tap()
    page.get_by_role("button", name="Note it").tap()
    page.locator(".log").wait_for()
    yield "the board after an opening"
    yield from closing(phone, deal)
    yield "a sheet just saved"
    yield at(f"{deal}/close", "a deal corrected")
    for path in (
        "",
        "/board",
        "/faces",
        "/share",
        "/history",
        "/history/find?player=1&period=2026",
        "/history/parts",
        "/history?player=1&game=brisca",
        "/players/1",
        "/matches/1",
        "/matches/1/journal",
        "/matches/1/rules",
        "/cards",
        "/table",
        "/matches/1/deals/1/prime",
        "/matches/new",
        "/phone",
    ):
        yield at(table + path)
    for path in (
        "/matches/1/people",
        "/matches/1/deals/2/dealer",
        "/matches/1/deals/2/adjust",
        "/matches/1/deals/2/close?as=points",
        "/matches/1/rules/change",
        "/matches/1/rules/proposed",
        "/matches/1/note",
        "/matches/1/again",
        "/matches/1/delete",
        "/matches/1/end",
    ):
        yield at(table + path)
    for path in ("/matches/1/text", "/matches/1/picture", "/matches/1/deals/1/text", "/matches/1/deals/1/versions"):
        yield at(table + path)
    yield from from_paper(phone, table, people)
    page.goto(f"{table}/owner")
    owner = page.url
    yield "the owner's page"
    grave = page.locator("a[href*='/renew/'], a[href$='/delete']")
    for link in grave.evaluate_all("links => links.map((one) => one.href)"):
        yield at(link)
    for path in ("/people/1", "/people/1?made=guest", "/people/1/same", "/people/1/forget"):
        yield at(owner + path)
    yield from moving(phone, table)

    for game in ("brisca", "carioca", "free", "la_escoba"):
        other = phone.open_table(ana, beto, game=game)
        yield f"the board of {game}"
        yield at(f"{other}/matches/1/deals/1/close", f"closing {game}")
    yield at(f"{other}/matches/1/deals/1/penalty")
    yield from between(phone, people)
    phone.open_table(ana, beto, cata, shape="3x1")
    yield "a board of three"
    phone.follow("Close the deal")
    yield "closing with three sides"
    page.locator("#row-prime button.row-label").tap()
    with drawn(page, "**/close"):
        page.get_by_role("radio", name="7 of coins", exact=True).locator("visible=true").tap()
    yield "a card laid out for the prime"
    yield from line_ups(phone, people)


def moving(phone: Phone, table: str) -> Iterator[str]:
    """The pages by which a table moves: its file, taken in, and the old table closed."""
    page = phone.page
    file = page.request.get(f"{table}/table.json").body()
    page.goto("/tables/import")
    yield "a file asked for"
    page.locator("#file").set_input_files({"name": "a.json", "mimeType": "application/json", "buffer": b"{}"})
    page.get_by_role("alert").wait_for()
    yield "a file refused"
    page.route(
        "**/tables/import/*", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    told = json.loads(file)
    match = told["matches"][0]
    told["matches"] = [of_another_number(match, number) for number in range(1, 101)]
    told["last"] = 110
    page.locator("#file").set_input_files(
        {"name": "a.json", "mimeType": "application/json", "buffer": json.dumps(told).encode()}
    )
    page.locator("#how-far").wait_for()
    yield "how far a file is"
    page.unroute("**/tables/import/*")
    expect(page).to_have_url(re.compile(r"/t/[^/]+$"))
    new = page.url
    page.goto(f"{new}/matches/100/journal")
    yield "a journal from a file"
    page.goto(f"{new}/owner")
    yield "the owner's page of a table from a file"
    tap(page.get_by_role("link", name="Another part of the file"))
    yield "another part asked for"
    page.goto(f"{new}/owner")
    owner = page.url
    page.goto(f"{owner}/zone")
    yield "the zone of a table"
    page.goto(f"{owner}/moved")
    page.fill("#link", "cards.example")
    phone.press("Close this table")
    yield "a link refused"
    page.fill("#link", "https://cards.example/t/abcdefghijklmnopqrstuv")
    phone.press("Close this table")
    yield "the owner's page of a table that has moved"
    for path in ("", "/matches/1", "/history"):
        page.goto(new + path)
        yield f"moved: {path or 'the board'}"


def of_another_number(match: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a match of a file under another number, with entries of its own."""
    text = json.dumps(match)
    for entry in match["entries"]:
        text = text.replace(entry["id"], str(uuid4()))
    return {**json.loads(text), "number": number, "taken_up": number}


def line_ups(phone: Phone, people: Sequence[str]) -> Iterator[str]:
    """Boards and closings of more sides than two, in play and won."""
    for game, sides in (("chorizo", 4), ("la_escoba", 4), ("carioca", 6), ("free", 6)):
        table = phone.open_table(*people[:sides], game=game, shape=f"{sides}x1")
        yield f"{game} of {sides}"
        if game == "carioca":
            close_with_points(phone, *range(sides))
            yield f"the sheet of {sides}"
        for path in ("", "/board", "/faces", "/matches/1", "/matches/1/deals/1/close"):
            phone.page.goto(table + path)
            yield f"{game} of {sides}: {path or 'the board'}"
    table = phone.open_table(*people[:4], shape="2x2")
    close_with_points(phone, 21, 9)
    yield "a match won"
    for path in ("", "/board", "/faces", "/matches/1", "/history", "/matches/1/text", "/matches/1/again"):
        phone.page.goto(table + path)
        yield f"won: {path or 'the board'}"


def from_paper(phone: Phone, table: str, people: Sequence[str]) -> Iterator[str]:
    """A result from paper: its form, what is said where something is missing, and its page."""
    page = phone.page
    page.goto(f"{table}/matches/paper")
    yield "a result from paper"
    with drawn(page, "**/matches/paper"):
        page.locator("#game").select_option("free")
    tap(page.get_by_role("button", name="Save"))
    page.get_by_role("alert").wait_for()
    yield "a result of the pad, refused"
    for seat in range(2):
        page.fill(f"#player-{seat}", people[seat])
        page.fill(f"#points-{seat}", str(30 - seat))
    tap(page.get_by_role("button", name="Save"))
    page.wait_for_url("**/history?typed=*")
    yield "a result just typed"
    tap(page.locator(".match-card", has_text="from paper"))
    page.get_by_text("From paper").wait_for()
    yield "the page of a result from paper"


def between(phone: Phone, people: Sequence[str]) -> Iterator[str]:
    """What pairs see in the course of an evening, and after a match."""
    page = phone.page
    table = phone.open_table(*people[:4], shape="2x2")
    phone.sweep("A")
    tap(page.get_by_role("link", name="who?"))
    page.locator("#credit").wait_for()
    yield "who swept"
    page.goto(f"{table}/matches/1/rules/change")
    page.fill("[name='opt-target']", "31")
    page.get_by_role("button", name="Propose").tap()
    page.wait_for_url("**/rules/proposed")
    yield "rules proposed"
    page.goto(table)
    yield "a board with a proposal"
    close_with_points(phone, 9, 2)
    page.goto(f"{table}/matches/1/people")
    yield "a substitute"
    page.goto(f"{table}/matches/1/end")
    page.get_by_role("button", name=re.compile(f"{re.escape(people[0])} and .* win")).tap()
    page.locator(".after-the-end").wait_for()
    yield "the end of a match that was cut"
    page.goto(f"{table}/matches/1/again")
    yield "the ways to go on"
    page.goto(f"{table}/matches/1/delete")
    page.get_by_role("button", name="Delete this match").tap()
    page.wait_for_url("**/history")
    yield "a deleted match in the list"


def closing(phone: Phone, deal: str) -> Iterator[str]:
    """The states of the page that closes a deal, saved at the end."""
    page = phone.page
    page.goto(f"{deal}/close")
    yield "nothing said yet"
    page.get_by_text("Help me count").last.tap()
    page.locator(".question").wait_for()
    yield "a question over the page"
    page.locator(".close-question").tap()
    page.locator("#show-cards > summary").tap()
    page.locator("[name='pile-A'][value='7O']").tap()
    page.locator("[name='tab'][value='B']").locator("xpath=..").tap()
    with drawn(page, "**/close"):
        page.locator("[name='pile-B'][value='2B']").tap()
    yield "the cards open"
    page.locator("#show-cards > summary").tap()
    page.locator("#row-coins .opener > summary").tap()
    page.locator(".keypad").first.wait_for()
    yield "a row open"
    phone.say("cards", "A")
    phone.count("coins", "B", 11)
    expect(page.locator("#close-foot .bad")).to_be_visible()
    yield "an impossible count"
    with drawn(page, "**/close"):
        page.locator("[name='others'][value='B']").press("Enter")
    expect(page.locator("#count-coins-B")).to_have_value("11")
    yield "refused, with all that was said"
    phone.count("coins", "B", 4)
    page.locator("[name='others'][value='B']").press("Enter")
    phone.wait_for_sheet()


def endpoint_of(app: Flask, address: str) -> str:
    """Return the endpoint of a page; "" for an address where there is none."""
    routes: Any = app.url_map.bind("localhost")
    path = urlsplit(address).path
    return str(routes.match(path, "GET")[0]) if routes.test(path, "GET") else ""


def pages_seen_by_people(app: Flask) -> set[str]:
    """Return the endpoints of all pages that the screens have to show."""
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    return pages - NOT_PAGES - ELSEWHERE


def of_a_deal(phone: Phone) -> Iterator[str]:
    """Lead the phone through a deal; give the name of each screen that everybody sees in its course."""
    phone.sweep("A")
    yield "the board"
    phone.follow("Close the deal")
    phone.say("cards", "A")
    yield "closing the deal"
    tap(phone.page.locator("[name='others'][value='B']"))
    phone.wait_for_sheet()
    yield "the sheet"


@pytest.mark.whole
def test_axe_finds_nothing_on_any_screen_and_all_have_room_for_the_longest_names_in_spanish_too(
    phone: Phone, browser: Browser, browser_context_args: dict[str, Any], app: Flask
) -> None:
    phone.may_get(404)
    seen: dict[str, str] = {}

    def screen_by_screen() -> Iterator[str]:
        for name in screens(phone, LONG_NAMES):
            if endpoint_of(app, phone.page.url):
                seen.setdefault(phone.page.url, name)
            yield name

    found = look_at(phone, screen_by_screen())
    assert found == [], "\n".join(found)
    visited = {endpoint_of(app, address) for address in seen}
    assert pages_seen_by_people(app) - visited == set(), "a new page is to be added to the screens above"
    state: Any = phone.page.context.storage_state()
    spanish = browser.new_context(**{**browser_context_args, "locale": "es-AR", "storage_state": state})
    assert in_the_language_of(spanish, seen) == []
    spanish.close()


def in_the_language_of(context: BrowserContext, seen: Mapping[str, str]) -> list[str]:
    """Return what sticks out on the pages at these addresses, with the names of their screens."""
    phone, found = Phone(context.new_page()), []
    for address, name in seen.items():
        phone.page.goto(address)
        phone.rest()
        found += [f"{name}, {size}: {told[0]}" for size, told in sticks_out(phone.page).items()]
    return found


def look_at(phone: Phone, names: Iterator[str]) -> list[str]:
    """Return what is wrong with the screens of these names, as the phone comes to them."""
    found = set()
    for name in names:
        phone.rest()
        found |= {*faults(phone.page), *(f"small: {one}" for one in phone.page.evaluate(SMALL))}
        found |= {f"{name}, {size}: {told[0]}" for size, told in sticks_out(phone.page).items()}
        assert phone.fits(), name
    return sorted(found)


def test_a_person_in_a_list_is_opened_by_a_tap_anywhere_on_the_row(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", "Cata", shape="3x1")
    phone.page.goto(f"{table}/players/1")
    rows = phone.page.locator(".lines tr:has(a[href*='/players/'])")
    hit = rows.evaluate_all(
        """rows => rows.map((row) => {
            row.scrollIntoView({block: 'center'});
            const box = row.getBoundingClientRect();
            // The corners of the list are round.
            const points = [[box.left + 16, box.top + 4], [box.right - 16, box.bottom - 4]];
            const over = points.every(([x, y]) => document.elementFromPoint(x, y).closest('a[href*="/players/"]'));
            return over && Math.min(box.width, box.height) >= 44;
        })"""
    )
    assert hit == [True, True]


def test_no_suit_is_lost_in_forced_colours(phone: Phone) -> None:
    phone.page.emulate_media(forced_colors="active")
    phone.page.goto("/prime?pile-A=7O&pile-B=6C")
    for suit in phone.page.locator(".tile-suit").all()[:8]:
        shape, ground = suit.evaluate(
            "one => [getComputedStyle(one).fill, getComputedStyle(one.parentElement).backgroundColor]"
        )
        assert shape != ground


def test_suits_are_told_apart_by_shape(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.wait_for_url("**/close")
    shapes = phone.page.locator(".pile[data-pile='A'] .tile-suit use").evaluate_all(
        "all => all.map((one) => one.getAttribute('href').split('#')[1])"
    )
    assert set(shapes) == {"O", "C", "E", "B"}


def test_sides_are_told_apart_without_colours(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Cata", shape="3x1")
    shapes = phone.page.locator(".score-name .shape use").evaluate_all(
        "all => all.map((one) => one.getAttribute('href').split('#')[1])"
    )
    assert len(set(shapes)) == 3


def test_what_is_chosen_is_seen_in_forced_colours(phone: Phone) -> None:
    phone.page.emulate_media(forced_colors="active")
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("coins", "A")
    cell = phone.page.locator("#row-coins .cell")
    grounds = cell.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert grounds[0] != grounds[-1]


def test_nothing_moves_for_whoever_asked_for_stillness(phone: Phone) -> None:
    phone.page.emulate_media(reduced_motion="reduce")
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    expect(phone.page.locator("[name='pile-A']").first).to_be_visible()
    moving = phone.page.evaluate(
        """[...document.querySelectorAll('*')].filter((one) => {
            const style = getComputedStyle(one);
            return parseFloat(style.transitionDuration) || parseFloat(style.animationDuration);
        }).length"""
    )
    assert moving == 0


def test_a_screen_reader_hears_each_score_once(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.page.evaluate(
        """() => {
            window.heard = [];
            const said = document.getElementById('said');
            new MutationObserver(() => heard.push(said.textContent)).observe(said, {childList: true});
        }"""
    )
    phone.sweep("A")
    said = phone.page.locator("#said")
    expect(said).to_have_text("Sweep for Ana, 1 in this deal.")
    phone.sweep("A")
    expect(said).to_contain_text("2 in this deal")
    assert len(phone.page.evaluate("heard")) == 2
    phone.follow("Close the deal")
    phone.say("cards", "A")
    expect(said).to_contain_text("This deal: Ana 3, Beto 0.")
    expect(said).to_contain_text("Ana")
    speaking = phone.page.locator("[aria-live='polite']:visible:not(.visually-hidden)")
    assert speaking.count() == 0, "nothing that is seen speaks on this page"
