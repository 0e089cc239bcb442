"""The closing form has room on a phone: the way on trust takes four taps and no scroll, and what is rare is one row."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .conftest import PHONE, Phone
from .waiting import drawn, stand_still, tap
from .walk.deals import Setup

SETUPS = (
    Setup("chorizo", "flores", 2, 2),
    Setup("la_escoba", "verdulera", 2, 1),
    Setup("la_escoba", "la_escoba", 3, 1),
    Setup("chorizo", "montevideo", 4, 1),
)
"""Set-ups with most rows: those with declarations, with rare items, and of many sides."""
RARE = ("all_coins", "all_sevens", "few_cards")
"""The rare items of La escoba."""
IN_SIGHT = """(target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    return [top + 1, top + height - 1].every((y) => target.contains(document.elementFromPoint(left + width / 2, y)));
}"""
"""Whether a thumb sees all of what it wants to tap: nothing lies over it, and it is on the screen."""


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_the_way_on_trust_takes_four_taps_and_no_scroll(phone: Phone, setup: Setup) -> None:
    names = ("Guillermo", "Washington", "Leo", "Cata")[: setup.sides * setup.per_side]
    page = close(phone, setup.game, *names, preset=setup.preset, shape=f"{setup.sides}x{setup.per_side}")
    foot = box(page.locator("#close-foot"))
    assert foot["y"] + foot["height"] == PHONE["height"]
    rows = [row.locator("label.cell").first for row in page.locator(".grid-row[id^='row-']").all()]
    rest = page.locator(".rest-row .cell").first
    assert rest.evaluate(IN_SIGHT)
    # After the tap that has opened the form: who won two things, and whose all the rest is.
    for target in (*[cell for cell in rows if cell.is_visible()][:2], rest):
        # Of four sides the item stands above its cells: two rows of them may not be on the first screen.
        assert target.evaluate(IN_SIGHT) or setup.sides > 3
        tap(target)
    page.wait_for_url("**/deals/1?saved=1")


def box(one: Locator) -> dict[str, float]:
    found = one.bounding_box()
    assert found is not None
    return {**found}


def close(phone: Phone, game: str, *names: str, **fields: str) -> Page:
    """Open the closing form of the first deal of a game."""
    table = phone.open_table(*(names or ("Ana", "Beto")), game=game, **fields)
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    phone.rest()
    return phone.page


def nobodys(page: Page) -> list[bool]:
    """Return of each rare item of La escoba whether the form says that nobody has it."""
    return [page.locator(f"[name='award-{item}'][value='nobody']").is_checked() for item in RARE]


@pytest.mark.whole
def test_one_tap_says_that_nobody_has_what_is_rare_and_another_takes_it_back(phone: Phone) -> None:
    page = close(phone, "la_escoba", shape="2x1")
    row = page.locator("#rare")
    expect(page.locator("#state-rare")).to_have_text("not said")
    for state, said in (("for nobody", True), ("not said", False)):
        with drawn(page, "**/close"):
            row.get_by_role("button", name="The rare ones: nobody").tap()
        expect(page.locator("#state-rare")).to_have_text(state)
        assert nobodys(page) == [said] * 3


@pytest.mark.whole
def test_a_rare_item_that_somebody_has_is_named_in_the_folded_row(phone: Phone) -> None:
    page = close(phone, "la_escoba", shape="2x1")
    page.locator("#rare-rows > summary").tap()
    with drawn(page, "**/close"):
        page.locator("[name='award-all_coins'][value='B']").tap()
    page.locator("#rare-rows > summary").tap()
    expect(page.locator("#rare summary")).to_contain_text("All coins: Beto")
    # The others were not said: that tap gives nobody those alone.
    with drawn(page, "**/close"):
        page.locator("#rare > .cell").tap()
    assert nobodys(page) == [False, True, True]
    expect(page.locator("#rare summary")).to_contain_text("All coins: Beto")


@pytest.mark.whole
def test_what_was_declared_is_one_row_that_opens_to_what_it_is(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.declare("A", "5O", "5C", "5E")
    phone.declare("B", "1O", "4O", "6O")
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    phone.rest()
    page = phone.page
    cells = page.locator("#declared-row > .cell")
    expect(cells).to_have_text(["+20", "+3"])
    page.locator("#declared-list > summary").tap()
    with drawn(page, "**/close"):
        page.get_by_role("checkbox", name="Beto: flush 3").tap()
    expect(cells.nth(1)).to_be_hidden()
    expect(page.locator("#close-foot")).to_contain_text("20–0")


@pytest.mark.whole
def test_a_count_that_nobody_has_touched_is_not_filled(phone: Phone) -> None:
    page = close(phone, "la_escoba", shape="2x1")
    looks = "(cell) => getComputedStyle(cell).backgroundColor"
    ana, beto = page.locator(".count-cell").all()
    empty = page.locator("#row-cards .cell").first.evaluate(looks)
    assert [one.evaluate(looks) for one in (ana, beto)] == [empty] * 2
    with drawn(page, "**/close"):
        ana.locator(".step").tap()
    assert ana.evaluate(looks) != empty
    assert beto.evaluate(looks) == empty
    page.locator(".opens:has(.count-cell) summary").tap()
    with drawn(page, "**/close"):
        page.get_by_role("button", name="one fewer for Ana").tap()
    assert ana.evaluate(looks) == empty


@pytest.mark.whole
@pytest.mark.parametrize(("locale", "sides"), [("es-AR", 2), pytest.param("en", 4, marks=pytest.mark.whole)])
def test_what_the_opening_brought_stands_below_the_number(
    browser: Browser, browser_context_args: dict[str, Any], locale: str, sides: int
) -> None:
    phone = Phone(browser.new_context(**{**browser_context_args, "locale": locale}).new_page())
    page = close(phone, "la_escoba", *("Ana", "Beto", "Leo", "Cata")[:sides], shape=f"{sides}x1")
    with drawn(page, "**/close"):
        page.locator("[name='opening'][value='30']").tap()
    stand_still(page)
    cell = page.locator(".count-cell:has(small:not(:empty))")
    parts = [box(cell.locator(part)) for part in ("input", "small")]
    whole = box(cell)
    assert parts[0]["y"] + parts[0]["height"] <= parts[1]["y"] + 1
    assert parts[1]["y"] + parts[1]["height"] <= whole["y"] + whole["height"]
    expect(cell.locator("small")).to_have_text("+2")
    expect(page.locator("#state-sweeps")).to_have_text({"en": "+2 opening", "es-AR": "+2 de mesa"}[locale])
    page.context.close()


@pytest.mark.whole
def test_sideways_the_cells_stand_beside_their_item(phone: Phone) -> None:
    phone.page.set_viewport_size({"width": 640, "height": 360})
    page = close(phone, "chorizo")
    label, cell = (box(page.locator(f"#row-coins {part}").first) for part in (".row-name", ".cell"))
    assert cell["x"] - label["x"] < 180
    assert cell["width"] > 120
