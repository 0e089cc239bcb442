"""The matches of a table, by thumb: each row leads where it says, and nothing needs a scroll to the side."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

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


def test_each_deal_of_a_match_opens_its_sheet_wherever_its_row_is_tapped(phone: Phone, played: str) -> None:
    page = phone.page
    for deal in (1, 2):
        for across in (0.1, 0.5, 0.95):
            page.goto(f"{played}/matches/1")
            row = page.locator(f"#deal-{deal}")
            box = row.bounding_box()
            assert box is not None
            assert box["height"] >= 48
            row.tap(position={"x": box["width"] * across, "y": box["height"] / 2})
            page.wait_for_url(f"**/matches/1/deals/{deal}")


def test_no_name_is_too_long_and_no_two_names_of_a_chart_lie_over_each_other(phone: Phone, played: str) -> None:
    page = phone.page
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        for path in ("/matches/1", "/history", "/history?who=pairs", "/players/4", "/matches/1/picture"):
            page.goto(played + path)
            assert phone.fits(), f"{path} at {width}"
    page.goto(f"{played}/matches/1")
    ends = page.locator(".chart [class*='side-'] text").evaluate_all(
        "all => all.map((one) => Number(one.getAttribute('y')))"
    )
    # Two pairs, a line for each of the partners.
    first, *_inside, last = sorted(ends)
    assert len(ends) == 4
    assert last - first >= 19 + 2 * 17


def test_history_leads_to_matches_players_and_the_file(phone: Phone, played: str) -> None:
    page = phone.page
    page.goto(f"{played}/history")
    page.locator(".match-card").tap()
    page.wait_for_url("**/matches/1")
    page.goto(f"{played}/history")
    page.locator("summary", has_text="Players").tap()
    tap(page.get_by_role("link", name=LONG[0]).last)
    page.wait_for_url("**/players/1")
    page.goto(f"{played}/history")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Download everything (CSV)").tap()
    assert taken.value.suggested_filename.endswith(".csv")


def test_the_periods_are_chosen_in_place(phone: Phone, played: str) -> None:
    page = phone.page
    page.goto(f"{played}/history")
    before = page.locator(".segments").first.bounding_box()
    tap(page.get_by_role("link", name="Tonight"))
    expect(page.locator(".segment[aria-current]").first).to_have_text("Tonight")
    assert page.locator(".segments").first.bounding_box() == before
