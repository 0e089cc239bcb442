"""The pages on which a newcomer sets up a table: what is in sight, whole, and where the thumb finds it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Phone
from .playing import close_with_points
from .waiting import drawn, read, tap

pytestmark = pytest.mark.whole

LONG = ("Guillermo", "María José", "Washington", "Wolfeschlegelsteinhausenbergerdorff Otto")
SPLIT_WORDS = r"""(inside) => [...document.querySelectorAll(inside)].flatMap((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), split = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (const { index, 0: word } of text.data.matchAll(/\S+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) split.push(word);
        }
    }
    return split;
})"""


def box(target: Locator) -> dict[str, float]:
    """Return where a target is on the screen."""
    place = target.bounding_box()
    assert place, target
    return {**place, "bottom": place["y"] + place["height"], "right": place["x"] + place["width"]}


def foot(page: Page) -> Locator:
    return page.locator(".foot")


def test_the_foot_of_each_page_of_a_set_up_is_on_the_edge_of_the_screen(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    for address in ("/tables/new?game=chorizo", f"{table}/matches/new", f"{table}/matches/1/rules/change"):
        phone.page.goto(address)
        assert box(foot(phone.page))["bottom"] == phone.page.evaluate("innerHeight"), address


@pytest.mark.parametrize(("language", "shape"), [("es-UY", "2x2"), pytest.param("en", "4x1", marks=pytest.mark.whole)])
def test_a_newcomer_sees_all_from_the_rules_to_the_name_of_the_table(phone: Phone, language: str, shape: str) -> None:
    phone.page.set_extra_http_headers({"Accept-Language": language})
    phone.page.goto(f"/tables/new?game=chorizo&shape={shape}")
    assert box(phone.page.locator("[name=table_name]"))["bottom"] <= box(foot(phone.page))["y"]


@pytest.mark.parametrize(
    ("game", "width", "language"),
    [("la_escoba", 320, "es-UY"), pytest.param("free", 320, "en", marks=pytest.mark.whole)],
)
def test_line_ups_are_whole_words_in_an_even_grid(phone: Phone, game: str, width: int, language: str) -> None:
    phone.page.set_viewport_size({"width": width, "height": 640})
    phone.page.set_extra_http_headers({"Accept-Language": language})
    phone.page.goto(f"/tables/new?game={game}")
    assert read(phone.page, f"({SPLIT_WORDS})('.how-many .segment')") == []
    for group in phone.page.locator(".line-ups > div").all():
        widths = {round(box(cell)["width"]) for cell in group.locator(".segment").all()}
        assert max(widths) - min(widths) <= 1, widths
    words = phone.page.locator(".how-many .segment > span")
    assert words.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0


def test_no_name_is_split_inside_a_word_where_people_sit_and_where_they_stand(phone: Phone) -> None:
    table = phone.open_table(*LONG, game="chorizo", shape="4x1")
    for address in ("/", f"{table}/matches/new", f"{table}/matches/1/people", f"{table}/history"):
        phone.page.goto(address)
        assert read(phone.page, f"({SPLIT_WORDS})('main')") == [], address
    phone.page.goto(table)
    close_with_points(phone, 3, 1, 0, 0)
    for address in (f"{table}/matches/1/people", f"{table}/history", f"{table}/players/1"):
        phone.page.goto(address)
        assert read(phone.page, f"({SPLIT_WORDS})('main')") == [], address


def test_return_leads_from_seat_to_seat_and_reproaches_nobody(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo&shape=2x2")
    seats = [phone.page.get_by_role("textbox", name=f"Player {seat}", exact=True) for seat in range(1, 5)]
    seats[0].fill("Ana")
    for before, after in pairwise(seats):
        before.press("Enter")
        expect(after).to_be_focused()
    seats[3].fill("Cata")
    seats[3].press("Enter")
    expect(seats[1]).to_be_focused()
    expect(phone.page.get_by_role("alert")).to_have_count(0)
    for seat, name in zip(seats[1:3], ("Beto", "Leo"), strict=True):
        seat.fill(name)
    phone.page.get_by_role("textbox", name="Name of the table").press("Enter")
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))


def test_behind_the_last_name_the_button_waits_and_nothing_is_started(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).press("Enter")
    expect(phone.page.get_by_role("button", name="Start", exact=True)).to_be_focused()
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))


def test_a_form_that_is_drawn_anew_is_drawn_without_a_complaint_of_the_browser(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="chorizo")
    phone.page.goto("/tables/new?game=chorizo")
    with drawn(phone.page, "**/tables/new"):
        phone.page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(phone.page.get_by_role("combobox", name="Player 4", exact=True)).to_be_visible()
    phone.page.goto(f"{table}/matches/1/people")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Ana")
    tap(phone.page.get_by_role("button", name="Sit so"))
    expect(phone.page.get_by_role("alert").first).to_be_visible()
    # The phone of this test lets no complaint pass.
    assert phone.errors == []
