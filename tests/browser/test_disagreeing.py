"""When people disagree: every screen of the table says so, and no score changes in silence."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from .conftest import Phone, screens
from .waiting import tap

MOSTLY_ANA = {"cards": "A", "seven_of_coins": "A", "two_of_clubs": "A", "coins": "B", "prime": "B"}
ALL_BETO = dict.fromkeys(MOSTLY_ANA, "B")
PLACES = """() => Object.fromEntries(['.strip', '.sweeps', '.score', '.one-screen > .gold'].map((which) => {
    const { x, y, width, height } = document.querySelector(which).getBoundingClientRect();
    return [which, [x, y, width, height].map(Math.round)];
}))"""


def close(phone: Phone, table: str, deal: int, awards: dict[str, str], drawn_from: int) -> None:
    """Close a deal as a phone does whose form was drawn from that entry."""
    key = table.rpartition("/")[2]
    entry: dict[str, Any] = {"id": str(uuid4()), "kind": "deal_closed", "match": 1, "deal": deal}
    entry |= {"payload": {"facts": {"awards": awards}}, "drawn_from": drawn_from}
    answer = phone.page.request.post("/api/v1/entries", data={"table": key, "entries": [entry]})
    assert answer.json()["answers"][0]["status"] == "written", answer.text()


def head(phone: Phone, table: str) -> int:
    answer = phone.page.request.get("/api/v1/entries", headers={"Authorization": f"Bearer {table.rpartition('/')[2]}"})
    return int(answer.json()["head"])


def at_the_table(phone: Phone, other: Phone, third: Phone) -> str:
    """Sit Ana and Beto down, each with a phone, and put a third between them; return the table's address."""
    table = phone.open_table("Ana", "Beto")
    third.join(table)
    phone.page.goto(f"{table}/phone")
    tap(phone.page.get_by_role("button", name="Ana", exact=True))
    other.join(table, "Beto")
    for each in (phone, third):
        each.page.goto(table)
    return table


@pytest.mark.whole
@pytest.mark.parametrize(
    "size", [(320, 568), pytest.param((640, 360), marks=pytest.mark.whole)], ids=["320x568", "landscape"]
)
def test_a_notice_that_stays_moves_nothing_and_leaves_the_dealer_to_be_tapped(
    phone: Phone, other: Phone, third: Phone, size: tuple[int, int]
) -> None:
    table = at_the_table(phone, other, third)
    page = phone.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    drawn_from = head(phone, table)
    close(phone, table, 1, MOSTLY_ANA, drawn_from)
    expect(page.locator(".strip")).to_contain_text("Deal 2")
    phone.rest()
    before = page.evaluate(PLACES)
    close(other, table, 1, ALL_BETO, drawn_from)
    notice = page.locator(".stays")
    expect(notice).to_contain_text("Deal 1 has two versions")
    phone.rest()
    phone.look(f"a notice that stays {size[0]}")
    assert page.evaluate(PLACES) == before
    for part in (".score-name", ".score-number", ".strip > a"):
        for one in page.locator(part).all():
            box, over = one.bounding_box(), notice.bounding_box()
            assert box
            assert over
            apart = box["y"] + box["height"] <= over["y"] + 1 or box["y"] >= over["y"] + over["height"] - 1
            assert apart, (part, box, over)
    tap(page.locator(".strip > a"))
    expect(page).to_have_url(re.compile("/dealer$"))


@pytest.mark.whole
def test_a_correction_is_told_on_every_phone_until_it_was_seen(phone: Phone, other: Phone, third: Phone) -> None:
    table = at_the_table(phone, other, third)
    for each in (phone, other, third):
        each.page.emulate_media(color_scheme="dark")
    close(phone, table, 1, MOSTLY_ANA, head(phone, table))
    phone.page.goto(f"{table}/matches/1/deals/1")
    phone.follow("Correct this deal")
    phone.say("prime", "A")
    phone.press("Save")
    phone.wait_for_sheet()
    for each in (other, third):
        expect(each.page.locator(".stays")).to_contain_text("Ana corrected deal 1: 6–2 → 7–1")
        expect(each.page.locator(".strip")).to_contain_text("Deal 2")
    screens("a correction is told", phone, other, third)
    phone.page.goto(table)
    expect(phone.page.locator(".score")).to_be_visible()
    expect(phone.page.locator(".stays")).to_have_count(0)
    other.page.reload()
    expect(other.page.locator(".stays")).to_contain_text("Ana corrected deal 1")
    tap(third.page.locator(".stays").get_by_role("link", name="See"))
    expect(third.page).to_have_url(re.compile("/deals/1[?]seen="))
    third.page.goto(table)
    expect(third.page.locator(".strip")).to_be_visible()
    expect(third.page.locator(".stays")).to_have_count(0)
    tap(other.page.locator(".stays").get_by_role("button", name="Not so"))
    expect(other.page.locator("#settlement")).to_contain_text("Beto disputes this deal")
    other.look("not so")
    for each in (phone, third):
        expect(each.page.locator(".stays")).to_contain_text("Deal 1 is disputed")


def test_one_sweep_noted_by_two_is_asked_about_on_both_and_answered_once(
    phone: Phone, other: Phone, third: Phone
) -> None:
    table = at_the_table(phone, other, third)
    for each in (phone, other, third):
        each.page.emulate_media(color_scheme="dark")
        each.page.context.add_cookies([{"name": "spoken", "value": "es_AR", "url": table.partition("/t/")[0]}])
        each.page.goto(table)
    phone.sweep("A")
    other.page.locator(".sweep[value='A']").tap()
    for each in (phone, other, third):
        expect(each.page.locator(".pill").first).to_contain_text("+2 ?")
    for each, who in ((phone, "Beto"), (other, "Ana")):
        expect(each.page.locator(".stays")).to_contain_text(f"también de {who}. ¿Es la misma?")
    expect(third.page.locator(".stays")).to_have_count(0)
    screens("noted by two", phone, other, third)
    tap(other.page.locator(".stays").get_by_role("button", name="Sí, una"))
    for each in (phone, other, third):
        expect(each.page.locator(".pill").first).to_contain_text("+1")
        expect(each.page.locator(".pill").first).not_to_contain_text("?")
        expect(each.page.locator(".stays:has-text('¿Es la misma?')")).to_have_count(0)
    screens("noted by two, answered", phone, other, third)


@pytest.mark.whole
@pytest.mark.parametrize("sides", [4])
def test_beside_rows_a_notice_covers_no_zone_and_no_number(phone: Phone, other: Phone, sides: int) -> None:
    names = ("Ana", "Beto", "Cata", "Leo")[:sides]
    table = phone.open_table(*names, shape=f"{sides}x1")
    phone.page.goto(f"{table}/phone")
    tap(phone.page.get_by_role("button", name="Ana", exact=True))
    other.join(table, "Beto")
    phone.page.goto(table)
    before = phone.page.evaluate(PLACES.replace("'.sweeps', ", ""))
    phone.sweep("A")
    other.page.locator(".sweep[value='A']").tap()
    for each in (phone, other):
        notice = each.page.locator(".stays")
        expect(notice).to_contain_text("Is it the same?")
        each.rest()
        over = notice.bounding_box()
        assert over
        for part in (".sweep", ".score-number", ".strip > a"):
            for one in each.page.locator(part).all():
                box = one.bounding_box()
                assert box
                beside = box["x"] >= over["x"] + over["width"] - 1 or box["x"] + box["width"] <= over["x"] + 1
                below = box["y"] >= over["y"] + over["height"] - 1 or box["y"] + box["height"] <= over["y"] + 1
                assert beside or below, (part, box, over)
    screens(f"noted by two of {sides}", phone, other)
    assert phone.page.evaluate(PLACES.replace("'.sweeps', ", "")) == before
