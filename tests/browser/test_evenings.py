"""Three evenings as they really go, by thumb: at the end the totals are the engine's, from the journal alone."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone, screens
from .playing import by_the_engine, close_with_points, from_menu, from_this_table, go_on, stands
from .waiting import tap


def board(phone: Phone, table: str) -> None:
    phone.page.goto(table)
    phone.page.locator(".strip").wait_for()


def test_chorizo_in_pairs_with_a_substitute_and_a_match_taken_up_again(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2")
    other.join(table)

    # The first deal is told in full, and who swept is named.
    phone.sweep("A")
    tap(phone.page.get_by_role("link", name="who?"))
    phone.page.get_by_role("button", name="Leo").tap()
    expect(phone.page.locator(".log-text").first).to_contain_text("Sweep of Ana and Leo (Leo)")
    phone.follow("Close the deal")
    for item, taker in {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "B"}.items():
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    go_on(phone)

    # Somebody played out of turn: two points less, and only the points of the second deal are told.
    from_this_table(phone, "Add or take points")
    phone.page.locator("[name=side][value=B]").tap()
    phone.page.fill("#points", "-2")
    phone.page.fill("#reason", "played out of turn")
    phone.press("Note it")
    expect(phone.page.locator(".log-text").first).to_have_text("−2 for Beto and Cata: played out of turn")
    screens("an adjustment", phone, other)
    close_with_points(phone, 7, 5)
    expect(phone.page.locator("#lines")).to_contain_text("played out of turn")
    go_on(phone)
    assert phone.totals() == ["11", "8"]

    phone.page.goto(f"{table}/matches/1")
    expect(phone.page.get_by_role("button", name="go on")).to_have_count(0)
    board(phone, table)

    # It is late, and Beto has to go: another match is begun, this one is left for another day.
    from_menu(phone, "New match")
    expect(phone.page.locator(".ask")).to_contain_text("There is a match in play, 11–8.")
    assert phone.page.locator("[name=before][value=leave]").is_checked()
    phone.press("Start")
    phone.page.locator(".strip").wait_for()
    expect(other.page.locator(".score-number").first).to_have_text("0")
    screens("another match", phone, other)

    # A week later it is taken up again, on every phone: from the history, or from its own page.
    phone.page.goto(f"{table}/history")
    expect(phone.page.get_by_role("button", name="11–8, go on")).to_be_visible()
    phone.page.goto(f"{table}/matches/1")
    phone.look("left for another day")
    phone.page.get_by_role("button", name="11–8, go on").tap()
    phone.page.wait_for_url(table)
    assert phone.totals() == ["11", "8"]
    expect(other.page.locator(".score-number").first).to_have_text("11")
    screens("taken up again", phone, other)

    # Dora sits down where Beto sat, and deals when it is his turn.
    from_this_table(phone, "Who plays")
    phone.page.locator("#substitute [name=seat]").nth(1).tap()
    phone.page.locator("#substitute [name=newcomer]").fill("Dora")
    phone.press("Take the seat")
    expect(phone.page.locator(".log-text").first).to_have_text("Dora plays for Beto from deal 3 on")
    expect(other.page.locator(".score-name").last).to_contain_text("Dora")
    screens("a substitute", phone, other)
    close_with_points(phone, 2, 6)
    go_on(phone)
    close_with_points(phone, 3, 8)
    expect(phone.page.locator(".winner")).to_have_text("Dora and Cata win")
    assert by_the_engine(table)["winner"] == "B"
    stands(phone, table)

    # In the figures each has what they played.
    phone.page.goto(f"{table}/history")
    phone.page.get_by_text("Players", exact=True).last.tap()
    tap(phone.page.get_by_role("navigation", name="Players").get_by_role("link", name="Beto", exact=True))
    expect(phone.page.locator("h1")).to_contain_text("Beto")
