"""The people of a table by thumb: two who are one, a guest, and somebody who is forgotten, each with its way back."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .conftest import Phone
from .waiting import tap


def names_on(page: Page) -> str:
    """Return what a person reads on the page."""
    return page.locator("main").inner_text()


def to_the_person(phone: Phone, table: str, name: str) -> None:
    """Open a person's page from that of the owner."""
    phone.page.goto(f"{table}/owner")
    tap(phone.page.locator("#people").get_by_role("link", name=name))
    expect(phone.page.locator("main h1")).to_contain_text(name)


def test_two_names_of_one_person_become_one_and_two_again(phone: Phone) -> None:
    page = phone.page
    table = phone.open_table("Ana", "Beto")
    page.goto(f"{table}/matches/new")
    for seat, name in enumerate(("Anita", "Leo")):
        page.fill(f"#player-{seat}", name)
    tap(page.get_by_role("button", name="Start", exact=True))
    page.wait_for_url(table)
    expect(page.locator("main")).to_contain_text("Anita")

    to_the_person(phone, table, "Leo")
    tap(page.get_by_role("link", name="Is the same as"))
    tap(page.get_by_role("button", name="Anita"))
    expect(page.get_by_role("alert")).to_contain_text("both sat in match 2")

    to_the_person(phone, table, "Anita")
    tap(page.get_by_role("link", name="Is the same as"))
    tap(page.get_by_role("button", name="Ana", exact=True))
    expect(page.locator(".notice")).to_contain_text("Anita is Ana now")
    for width in (360, 180):
        page.set_viewport_size({"width": width, "height": 640})
        assert phone.fits(), f"{width} wide"
        said = page.locator(".notice > span")
        assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), f"the notice is cut, {width} wide"
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(table)
    assert "Anita" not in names_on(page)
    page.go_back()
    tap(page.locator(".notice").get_by_role("button", name="Undo"))
    expect(page.locator("main h1")).to_contain_text("Anita")
    page.goto(table)
    expect(page.locator("main")).to_contain_text("Anita")
