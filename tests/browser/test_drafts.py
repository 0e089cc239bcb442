"""What was typed of a deal is there again after a reload, a closed tab or a way round, and nothing else is claimed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Phone
from .waiting import drawn, tap

RESTORED = re.compile("^We restored your ")
COVERS = """([notice, control]) => {
    const [a, b] = [notice.getBoundingClientRect(), control.getBoundingClientRect()];
    return b.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""
CONTROLS = "a[href], button, summary, input:not([type=hidden], .visually-hidden), label.cell, label.act"


def close_deal(phone: Phone, *names: str, **fields: str) -> Page:
    """Open a table and the closing form of its first deal."""
    phone.open_table(*(names or ("Ana", "Beto")), **fields)
    tap(phone.page.locator(".one-screen > .gold"))
    phone.page.locator("#closing").wait_for()
    phone.rest()
    return phone.page


def add_run_of_beto(phone: Phone) -> None:
    """Say in the closing form that Beto has declared five, six and seven of cups."""
    page = phone.page
    page.locator("#add-declaration > summary").tap()
    page.locator("[name='new_side'][value='B']").tap()
    for card in ("5C", "6C", "7C"):
        page.locator(f"[name='new_card'][value='{card}']").tap()
    phone.press("Add it")
    expect(run_of_beto(page)).to_be_checked()
    phone.rest()


def run_of_beto(page: Page) -> Locator:
    """Return the tick of that declaration, which is folded into the row of all that was declared."""
    return page.locator("[name=declaration][aria-label^='Beto: flush']")


def notice(page: Page) -> Locator:
    return page.locator("#restored .notice")


@pytest.mark.whole
def test_what_was_noted_meanwhile_stays_beside_what_was_typed(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    phone.follow("Close the deal")
    page = phone.page
    address = page.url
    phone.rest()
    add_run_of_beto(phone)
    other.declare("A", "1O", "2O", "3O")
    page.goto(address)
    phone.rest()
    page.locator("#declared-list > summary").tap()
    expect(run_of_beto(page)).to_be_checked()
    expect(page.get_by_role("checkbox", name=re.compile("^Ana: flush"))).to_be_checked()
    expect(page.locator("#close-foot")).to_contain_text("This deal 8–6")
    # What was taken back on the board does not come back as if it had been typed.
    other.rest()
    tap(other.page.locator(".log .undo").first)
    expect(other.page.locator(".log-text")).to_have_count(0)
    page.goto(address)
    phone.rest()
    expect(page.locator("#close-foot")).to_contain_text("This deal 0–6")


@pytest.mark.whole
def test_what_another_phone_closed_meanwhile_is_compared_however_often_the_page_is_loaded(
    phone: Phone, other: Phone
) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    phone.follow("Close the deal")
    phone.say("cards", "A")
    other.follow("Close the deal")
    tap(other.page.locator("[name='others'][value='B']"))
    other.wait_for_sheet()
    for _time in range(2):
        phone.page.reload()
        expect(phone.page.locator("#close-head")).to_contain_text("Another phone has closed this deal. Yours is kept")
        phone.rest()
    expect(phone.page.locator("#close-foot .gold")).to_have_text("Save the deal")


@pytest.mark.whole
def test_whoever_comes_back_from_the_board_finds_it_without_a_word(phone: Phone) -> None:
    page = close_deal(phone)
    phone.say("cards", "A")
    tap(page.locator(".bar .back"))
    expect(page.get_by_role("list", name="Score")).to_be_visible()
    phone.follow("Close the deal")
    expect(page.locator("#close-foot")).to_contain_text("This deal 1–0")
    expect(page.get_by_text(RESTORED)).to_have_count(0)
    tap(page.get_by_text("Show", exact=True))
    expect(page.locator("#the-cards")).to_be_visible()
    page.go_back()
    page.go_forward()
    phone.rest()
    expect(page.locator("[name='award-cards'][value='A']")).to_be_checked()
    expect(page.get_by_text(RESTORED)).to_have_count(0)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "shape"), [("chorizo", "2x2"), pytest.param("carioca", "each", marks=pytest.mark.whole)]
)
def test_the_notice_lies_over_no_control_and_goes_by_itself(phone: Phone, game: str, shape: str) -> None:
    page = close_deal(phone, "Guillermo", "Washington", "María José", "Cata", game=game, shape=shape)
    field = page.locator("#closing input:not([type=hidden], .visually-hidden)").first
    with drawn(page, "**/close"):
        if field.get_attribute("type") == "radio":
            field.tap()
        else:
            field.fill("1")
            field.blur()
    page.reload()
    phone.rest()
    expect(notice(page)).to_contain_text("We restored your")
    phone.look(f"notice-{game}")
    shown = notice(page).element_handle()
    controls = [each for each in page.locator(CONTROLS).all() if each.is_visible()]
    others = [each for each in controls if not each.evaluate("one => Boolean(one.closest('.notice'))")]
    for control in others:
        assert not page.evaluate(COVERS, [shown, control.element_handle()]), control.evaluate("one => one.outerHTML")
    before = field.bounding_box()
    expect(notice(page)).to_have_count(0)
    assert field.bounding_box() == before


def test_starting_over_is_undone_by_one_tap(phone: Phone) -> None:
    page = close_deal(phone)
    add_run_of_beto(phone)
    phone.say("cards", "A")
    page.reload()
    phone.press("Start over")
    expect(page.get_by_text("Started over")).to_be_visible()
    expect(page.locator("#close-foot")).to_contain_text("This deal 0–0")
    phone.press("Undo")
    expect(page.locator("#close-foot")).to_contain_text("This deal 1–6")
    expect(run_of_beto(page)).to_be_checked()

    phone.press("Start over")
    expect(page.get_by_text("Started over")).to_be_visible()
    # Whoever goes on has left it.
    phone.say("coins", "A")
    expect(page.get_by_text("Started over")).to_have_count(0)
    page.reload()
    phone.rest()
    expect(page.locator("#close-foot")).to_contain_text("This deal 1–0")
    expect(page.locator("[name='award-cards'][value='A']")).not_to_be_checked()


LAST_IS_COINS = {"cards": "A", "seven_of_coins": "A", "two_of_clubs": "B", "prime": "B"}


def all_but_the_coins(phone: Phone) -> Page:
    """Say who took every line but the coins, and open their row."""
    page = close_deal(phone)
    for item, taker in LAST_IS_COINS.items():
        phone.say(item, taker)
    tap(page.locator("#row-coins .opener > summary"))
    return page


def type_digit(page: Page, digit: str) -> None:
    with drawn(page, "**/close"):
        page.locator("#row-coins .key").get_by_text(digit, exact=True).tap()


def test_a_digit_saves_no_deal_before_it_is_confirmed(phone: Phone) -> None:
    page = all_but_the_coins(phone)
    type_digit(page, "1")
    expect(page.locator("#close-foot")).to_contain_text("This deal 2–6")
    # Whoever taps nothing else sees the way to save.
    expect(page.get_by_role("button", name="Save the deal")).to_be_visible()
    type_digit(page, "0")
    expect(page.locator("#close-foot")).to_contain_text("This deal 3–5")
    assert "saved" not in page.url
    page.locator("#row-coins .key").get_by_text("✓").tap()
    phone.wait_for_sheet()


def seats(page: Page) -> list[str]:
    return [field.input_value() for field in page.locator("[name^='player-']:not([type=hidden])").all()]


@pytest.mark.whole
def test_the_names_of_a_new_table_come_back_until_it_is_there(phone: Phone) -> None:
    page = phone.page
    page.goto("/tables/new?game=chorizo")
    page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(page.locator("#player-3")).to_be_visible()
    phone.rest()
    for seat, name in enumerate(("Ana", "Beto", "Leo")):
        page.locator(f"#player-{seat}").fill(name)
    page.reload()
    expect(page.locator("#player-2")).to_have_value("Leo")
    expect(page.locator("#who-plays")).to_contain_text("Ana and Leo")
    phone.rest()
    assert seats(page) == ["Ana", "Beto", "Leo", ""]
    # To the rules and back, and by another game: who plays stays.
    page.goto("/rules/chorizo")
    page.goto("/tables/new?game=scopa")
    expect(page.locator("#player-2")).to_have_value("Leo")
    expect(page.locator("#game")).to_have_value("scopa")
    phone.rest()
    page.locator("#player-3").fill("Cata")
    phone.press("Start")
    expect(page.get_by_role("list", name="Score")).to_be_visible()
    page.goto("/tables/new?game=chorizo")
    phone.rest()
    assert seats(page) == ["", ""]


@pytest.mark.parametrize("game", ["chorizo", pytest.param("cirulla", marks=pytest.mark.whole)])
def test_a_declaration_that_is_half_chosen_comes_back_until_it_is_noted(phone: Phone, game: str) -> None:
    phone.open_table("Ana", "Beto", game=game, shape="2x1")
    phone.follow("Declare")
    page = phone.page
    page.locator("[name='side'][value='B']").tap()
    cards = ("1O", "1C") if game == "cirulla" else ("1O", "2O")
    for card in cards:
        with drawn(page, "**/declare"):
            page.locator(f"[name='cards'][value='{card}']").tap()
    page.reload()
    expect(page.locator("[name='cards']:checked")).to_have_count(2)
    expect(page.locator("[name='side'][value='B']")).to_be_checked()
    page.locator("[name='cards'][value='3O']").tap()
    tap(page.locator("#worth .gold"))
    expect(page.locator(".log")).to_be_visible()
    phone.follow("Declare")
    phone.rest()
    expect(page.locator("[name='cards']:checked")).to_have_count(0)
