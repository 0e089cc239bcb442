"""The matches of a table, by thumb: each row leads where it says, and nothing needs a scroll to the side."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from ..helpers.reading import form_of
from .conftest import Phone
from .waiting import read, tap

pytestmark = pytest.mark.whole

LONG = ("Maximiliano", "Guillermina", "Washington", "Wilhelminawilhelminawilhelminawilhel")
CLOSED = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}


def play(phone: Phone, deals: int) -> None:
    """Close so many deals, each by five taps."""
    for _deal in range(deals):
        phone.follow("Close the deal")
        for item, taker in CLOSED.items():
            phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
        phone.wait_for_sheet()
        phone.page.goto(phone.page.url.split("/matches/")[0])


@pytest.fixture
def played(phone: Phone) -> str:
    """Two deals of pairs with long names; returns the address of their table."""
    table = phone.open_table(*LONG, shape="2x2")
    play(phone, 2)
    return table


def test_each_deal_of_a_match_opens_to_its_sheet_wherever_its_line_is_tapped(phone: Phone, played: str) -> None:
    page = phone.page
    for deal, across in ((1, 0.1), (2, 0.5), (1, 0.95)):
        page.goto(f"{played}/matches/1")
        phone.rest()
        line = page.locator(f"#deal-{deal} summary").first
        box = line.bounding_box()
        assert box is not None
        assert box["height"] >= 48
        line.tap(position={"x": box["width"] * across, "y": box["height"] / 2})
        sheet = page.locator(f"#deal-{deal} .sheet")
        expect(sheet).to_contain_text("Prime")
        line.tap()
        expect(sheet).to_be_hidden()
    tap(page.locator("#deal-2 summary").first)
    tap(page.get_by_role("link", name="The sheet · Deal 2"))
    page.wait_for_url("**/matches/1/deals/2")


OVERLAPS = """() => {
  const chart = document.querySelector(".chart").getBoundingClientRect();
  const round = (all) => ({
    left: Math.min(...all.map((one) => one.left)), right: Math.max(...all.map((one) => one.right)),
    top: Math.min(...all.map((one) => one.top)), bottom: Math.max(...all.map((one) => one.bottom)),
  });
  const boxes = [...document.querySelectorAll(".chart g g")].filter((one) => one.querySelector("text")).map((one) => ({
    text: one.textContent, ...round([...one.querySelectorAll("text")].map((text) => text.getBoundingClientRect())),
  }));
  const steps = [...document.querySelectorAll(".chart > g > text")].map((one) => one.getBoundingClientRect());
  const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  const isBeside = (one) => one.left >= chart.left && one.right <= chart.right;
  const isIn = (one) => isBeside(one) && one.top >= chart.top && one.bottom <= chart.bottom;
  const wrong = boxes.filter((one) => !isIn(one)).map((one) => `${one.text} beyond the chart`);
  boxes.forEach((a, place) => {
    const others = [...boxes.slice(place + 1), ...steps].filter((b) => isOver(a, b));
    wrong.push(...others.map((b) => `${a.text} over ${b.text || "a step"}`));
  });
  const named = [...document.querySelectorAll(".legend span")];
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth;
  wrong.push(...named.filter(isCut).map((one) => `${one.textContent} is cut`));
  return wrong;
}"""
"""What of a chart's names reaches beyond their place, or lies over another."""


MANY = ("Ana", "Beto", "Cata", "Dora", "Eva", "Fito", "Gus", "Hugo", "Iris", "Juan")
CROWDS = {
    "eight sides of long names": tuple(f"Participante número {number}" for number in range(1, 9)),
}


@pytest.mark.whole
@pytest.mark.parametrize("names", CROWDS.values(), ids=CROWDS)
def test_no_name_of_a_chart_is_cut_or_lies_over_another(phone: Phone, names: tuple[str, ...]) -> None:
    page = phone.page
    table = phone.open_table(*names, game="free", shape=f"{len(names)}x1")
    for deal in (1, 2, 3):
        # All end close together.
        close_by_form(page, table, deal, [3 + deal + place % 2 for place in range(len(names))])
    for width, height in ((360, 640), (320, 640), (640, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{table}/matches/1")
        phone.rest()
        assert phone.fits()
        assert read(page, OVERLAPS) == [], f"{width} wide"
        shown = page.locator(".chart").text_content() or ""
        shown += page.locator(".legend").text_content() if page.locator(".legend").count() else ""
        assert [name for name in names if name.split()[-1] not in shown] == []
    page.set_viewport_size({"width": 360, "height": 640})


def close_by_form(page: Page, table: str, deal: int, points: list[int]) -> None:
    """Close a deal with plain points by one post of its form: how it is typed is not what a test is about."""
    address = f"{table}/matches/1/deals/{deal}/close?as=points"
    data = form_of(page.request.get(address).text(), "closing")
    for label, number in zip("ABCDEFGHIJ", points, strict=False):
        data[f"points-{label}"] = str(number)
    data["step"] = "save"
    answer = page.request.post(
        address,
        data=urlencode(list(data.items(multi=True))),
        headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": table.partition("/t/")[0]},
        max_redirects=0,
    )
    assert answer.status == 303, answer.text()


@pytest.mark.whole
def test_what_is_open_stays_open_while_another_deal_is_closed(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="free")
    close_by_form(phone.page, table, 1, [3, 4])
    close_by_form(phone.page, table, 2, [5, 6])
    other.join(table)
    other.page.goto(f"{table}/matches/1")
    other.rest()
    tap(other.page.locator("#deal-2 summary").first)
    expect(other.page.locator("#deal-2 .sheet")).to_be_visible()
    close_by_form(phone.page, table, 3, [7, 8])
    expect(other.page.locator("#deal-3")).to_be_visible()
    expect(other.page.locator("#deal-2 .sheet")).to_be_visible()
    expect(other.page.locator("#deal-3 .inside")).to_be_hidden()
    expect(other.page.locator("#deal-1 .inside")).to_be_hidden()
