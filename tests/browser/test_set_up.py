"""The pages on which a newcomer sets up a table: what is in sight, whole, and where the thumb finds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Phone
from .playing import close_with_points
from .waiting import drawn, read, tap

LONG = ("Guillermo", "María José", "Washington", "Wolfeschlegelsteinhausenbergerdorff Otto")
SPANISH = {"Accept-Language": "es-UY"}
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


@pytest.mark.parametrize("language", ["en", "es-UY"])
@pytest.mark.parametrize("shape", ["2x1", "3x1", "4x1", "2x2"])
def test_a_newcomer_sees_all_from_the_rules_to_the_name_of_the_table(phone: Phone, language: str, shape: str) -> None:
    phone.page.set_extra_http_headers({"Accept-Language": language})
    phone.page.goto(f"/tables/new?game=chorizo&shape={shape}")
    assert box(phone.page.locator("[name=table_name]"))["bottom"] <= box(foot(phone.page))["y"]


@pytest.mark.parametrize("language", ["en", "es-UY"])
@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("game", ["chorizo", "la_escoba", "free"])
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


def seated(phone: Phone) -> Iterator[Locator]:
    yield from phone.page.locator(".seat input").all()


def test_a_name_that_is_offered_has_as_much_room_as_one_that_is_typed(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo&shape=2x2")
    typed = [read_width(seat) for seat in seated(phone)]
    phone.open_table(*LONG, game="chorizo", shape="2x2")
    phone.page.goto("/tables/new?game=chorizo&shape=2x2")
    expect(phone.page.get_by_role("combobox", name="Player 1", exact=True)).to_be_visible()
    assert [read_width(seat) for seat in seated(phone)] == typed


def read_width(seat: Locator) -> float:
    """Return from which width on a text is too long for a field."""
    width: float = seat.evaluate("""(field) => {
        const before = field.value;
        for (field.value = "i"; field.scrollWidth <= field.clientWidth; field.value += "i");
        const { length } = field.value;
        field.value = before;
        return length;
    }""")
    return width


def test_who_sat_together_is_read_from_the_first_name_on(phone: Phone) -> None:
    phone.open_table(*LONG, game="chorizo", shape="2x2")
    phone.page.goto("/tables/new?game=chorizo&shape=2x2")
    group = phone.page.get_by_role("button", name=re.compile("^Guillermo, María José"))
    first = group.evaluate("""(chip) => {
        const range = document.createRange(), text = chip.querySelector("span").firstChild;
        range.setStart(text, 0);
        range.setEnd(text, 9);
        return range.getBoundingClientRect().left;
    }""")
    assert first >= box(group)["x"]
    assert read(phone.page, f"({SPLIT_WORDS})('.chips span')") == []
    tap(group)
    expect(phone.page.get_by_role("combobox", name="Player 4", exact=True)).to_have_value(LONG[3])


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


def test_a_long_name_of_the_table_leaves_the_game_in_sight(phone: Phone) -> None:
    phone.open_table(LONG[3], "Beto", game="chorizo")
    phone.page.goto("/")
    game = phone.page.get_by_text("Chorizo", exact=True).first
    assert box(game)["right"] <= 360
    assert game.evaluate("({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth")


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


def test_a_form_in_which_nobody_has_typed_says_how_many_play_and_calls_nothing_wrong(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo&shape=3x1")
    start = phone.page.get_by_role("region", name="Start")
    expect(start).to_contain_text("3 players")
    assert phone.page.locator("main :invalid").count() == 0
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    expect(start).to_contain_text("Player 1, Beto, and Player 3")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("")
    expect(start).to_contain_text("3 players")


def test_another_game_opens_on_what_it_promises(phone: Phone) -> None:
    phone.page.goto("/")
    link = phone.page.get_by_role("link", name=re.compile("^Another game"))
    promised = link.locator("small").inner_text().split(", ")
    link.tap()
    rows = phone.page.get_by_role("navigation", name="All the games").get_by_role("link")
    expect(rows.first).to_be_visible()
    offered = rows.all_inner_texts()[:3]
    assert promised == ["Brisca", "Carioca", "a pad"]
    for words, row in zip(("Brisca", "Carioca", "pad"), offered, strict=True):
        assert words in row, offered


def test_all_buttons_for_a_new_table_are_of_one_height(phone: Phone) -> None:
    for width in (320, 360):
        phone.page.set_viewport_size({"width": width, "height": 640})
        phone.page.goto("/")
        heights = {round(box(tile)["height"]) for tile in phone.page.locator(".games .button").all()}
        assert len(heights) == 1, heights


def test_a_pad_is_given_its_name_and_its_target_without_unfolding_anything(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=free")
    fold = phone.page.locator("#game-and-rules")
    expect(fold).to_contain_text("give it a name and a target")
    expect(fold).not_to_have_attribute("open", "")
    phone.page.get_by_role("textbox", name="What are you playing?").fill("Darts")
    phone.page.get_by_label("How many points end the match?").fill("30")
    phone.page.get_by_role("combobox", name=re.compile("^Does the highest")).select_option(label="the lowest wins")
    expect(fold).to_contain_text("Darts")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Darts to 30")


def test_beside_a_match_in_play_the_gold_leads_back_to_it(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.goto(f"{table}/matches/new")
    expect(phone.page.get_by_role("link", name="Go on with it")).to_be_visible()
    assert phone.page.locator(".gold:visible").all_inner_texts() == ["Go on with it"]
    question = phone.page.get_by_text("What becomes of the match in play?")
    assert box(question)["bottom"] <= box(phone.page.locator(".before"))["y"] + 1


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
