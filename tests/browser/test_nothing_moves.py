"""Nothing moves under a thumb: what can be tapped stays where it is, whatever is tapped, told or refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import pytest
from playwright.sync_api import Page, expect

from .conftest import NOTICED, Phone
from .test_live import follow
from .waiting import a_while, drawn, stand_still

Place: TypeAlias = list[float]
TARGETS = """() => {
    const seen = {};
    for (const one of document.querySelectorAll('a[href], button, input, select, summary, label')) {
        const box = one.getBoundingClientRect();
        const shown = one.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1;
        if (!shown || one.closest('.log, .notice, .over, .waiting, .question')) continue;
        const field = one.control || one;
        const value = field.type === 'text' ? '' : field.value;
        const own = [one.tagName, field.id, field.name, value, one.getAttribute('href')];
        const name = own.map((part) => part || '').join(' ');
        let key = name;
        for (let again = 2; key in seen; again += 1) key = `${name} ${again}`;
        seen[key] = [box.left, box.top, box.width, box.height].map(Math.round);
    }
    return seen;
}"""
"""Where each target is on the screen. What lies over the page has a place that is kept for it; the log below the board
grows at its top, and takes a tap for a moment only where its line was before."""


def targets(page: Page) -> dict[str, Place]:
    found: dict[str, Place] = page.evaluate(TARGETS)
    assert len(found) > 3
    return found


def moved(before: dict[str, Place], after: dict[str, Place], below: float | None = None) -> dict[str, object]:
    """Return the targets that are elsewhere or gone; of those below an opened row only the gone ones."""
    return {
        name: (place, after.get(name))
        for name, place in before.items()
        if after.get(name) != place and (below is None or place[1] < below or name not in after)
    }


@contextmanager
def nothing_moves(phone: Phone, below: float | None = None) -> Iterator[None]:
    """See that all targets are in the same place after what is done within, when a person would see it."""
    stand_still(phone.page)
    before = targets(phone.page)
    yield
    phone.rest()
    a_while(phone.page, NOTICED)
    stand_still(phone.page)
    assert moved(before, targets(phone.page), below) == {}


def closing(phone: Phone, *names: str, **fields: str) -> None:
    phone.open_table(*(names or ("Ana", "Beto")), **fields)
    phone.follow("Close the deal")
    phone.rest()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("names", "shape"),
    [(("Ana", "Beto"), "2x1"), pytest.param(("Ana", "Beto", "Leo", "Cata"), "4x1", marks=pytest.mark.whole)],
)
def test_a_tap_and_its_notice_move_nothing(phone: Phone, names: tuple[str, ...], shape: str) -> None:
    phone.open_table(*names, shape=shape)
    with nothing_moves(phone):
        phone.sweep("A")
        expect(phone.page.locator(".notice")).to_be_visible()
    with nothing_moves(phone):
        phone.sweep("B")
        phone.sweep("B")
    with nothing_moves(phone):
        expect(phone.page.locator(".notice")).to_have_count(0)


def test_an_undo_moves_nothing(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.sweep("A")
    with nothing_moves(phone):
        phone.page.locator(".notice button").tap()
        expect(phone.page.locator(".pill.none")).to_have_count(2)


def test_news_of_another_phone_moves_nothing_on_the_board(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    with nothing_moves(other):
        phone.sweep("A")
        phone.declare("A", "1O", "2O", "3O")
        expect(other.page.locator(".log")).to_contain_text("Ana")


def test_news_of_another_phone_moves_nothing_on_the_closing_page(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, f"{table}/matches/1/deals/1/close")
    with nothing_moves(other):
        phone.sweep("B")
        expect(other.page.locator("#meanwhile")).to_contain_text("Beto")


def test_what_waits_for_signal_moves_nothing(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    with nothing_moves(phone):
        phone.page.context.set_offline(True)
        phone.sweep("A")
        expect(phone.page.locator("#waiting")).to_be_visible()
    with nothing_moves(phone):
        phone.page.context.set_offline(False)
        expect(phone.page.locator("#waiting")).to_be_hidden()


def test_a_cell_is_cleared_without_moving_anything(phone: Phone) -> None:
    closing(phone)
    phone.say("two_of_clubs", "A")
    with nothing_moves(phone):
        phone.page.locator("[name='award-two_of_clubs'][value='A']").tap()


@pytest.mark.whole
def test_the_last_line_moves_nothing(phone: Phone) -> None:
    closing(phone)
    with nothing_moves(phone):
        for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
            phone.say(item, "A")


def test_a_row_that_opens_moves_only_what_is_below_it(phone: Phone) -> None:
    closing(phone)
    row = phone.page.locator("#row-cards").bounding_box()
    assert row is not None
    with nothing_moves(phone, below=row["y"] + row["height"]):
        phone.page.locator("#row-cards .opener > summary").tap()


@pytest.mark.whole
def test_numbers_typed_and_refused_move_nothing(phone: Phone) -> None:
    closing(phone)
    phone.page.locator("#row-coins .opener > summary").tap()
    phone.page.locator(".keypad").first.wait_for()
    a_while(phone.page, NOTICED)
    with nothing_moves(phone):
        phone.count("coins", "A", 3)
    with nothing_moves(phone):
        phone.count("coins", "A", 12)
        expect(phone.page.locator("#close-foot .bad")).to_be_visible()
    with nothing_moves(phone):
        phone.count("coins", "A", 6)
        expect(phone.page.locator("#close-foot .bad")).to_have_count(0)


@pytest.mark.whole
def test_a_question_lies_over_the_page(phone: Phone) -> None:
    closing(phone)
    with nothing_moves(phone):
        phone.page.get_by_text("Help me count").last.tap()
        expect(phone.page.locator(".question")).to_be_visible()
    with nothing_moves(phone), drawn(phone.page, "**/close"):
        phone.page.locator(".question button").first.tap()


def test_cards_stay_in_their_places(phone: Phone) -> None:
    closing(phone)
    phone.page.locator("#show-cards > summary").tap()
    with nothing_moves(phone), drawn(phone.page, "**/close"):
        for card in ("7O", "1C", "12B"):
            phone.page.locator(f"[name='pile-A'][value='{card}']").tap()


@pytest.mark.whole
def test_the_cards_of_a_declaration_stay_in_their_places(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.goto(f"{table}/matches/1/deals/1/declare")
    with nothing_moves(phone):
        phone.page.locator("[name='side'][value='A']").tap()
        for card in ("1O", "2O"):
            phone.page.locator(f"[name='cards'][value='{card}']").tap()


@pytest.mark.whole
def test_who_deals_first_is_chosen_without_moving_anything(phone: Phone) -> None:
    phone.page.goto("/tables/new")
    second = phone.page.locator("[name='first_dealer'][value='1']")
    second.scroll_into_view_if_needed()
    with nothing_moves(phone):
        second.tap()


@pytest.mark.whole
def test_how_many_play_is_chosen_in_one_place(phone: Phone) -> None:
    page = phone.page
    page.goto("/tables/new")
    pairs = page.locator("[name='shape'][value='2x2']")
    pairs.scroll_into_view_if_needed()
    before = {name: place for name, place in targets(page).items() if " shape " in name}
    assert before
    with drawn(page, "**/tables/new"):
        pairs.tap()
    a_while(page, NOTICED)
    stand_still(page)
    assert moved(before, targets(page)) == {}
