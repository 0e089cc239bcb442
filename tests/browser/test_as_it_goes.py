"""What goes otherwise than planned at a table, by thumb: each in a few taps, each with a way back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone, screens
from .playing import close_with_points, entries, from_menu, from_this_table, go_on, stands, strip
from .waiting import a_while, tap


def undo_last(phone: Phone) -> None:
    """Take back what stands first in the log of the board."""
    phone.rest()
    before = phone.page.locator(".log-text").count()
    # For a moment the board passes over taps on what has just moved.
    a_while(phone.page, 500)
    phone.page.locator(".log .undo").first.tap()
    expect(phone.page.locator(".log-text")).to_have_count(before - 1)


def test_a_match_is_cut_and_whoever_is_ahead_wins_until_it_goes_on(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    close_with_points(phone, 7, 5)
    go_on(phone)
    from_this_table(phone, "Stop this match here")
    phone.page.wait_for_url("**/end")
    phone.look("how it ends")
    phone.press("Ana wins")
    expect(phone.page.locator(".winner")).to_have_text("Ana wins: ahead when the match was stopped")
    phone.page.goto(f"{table}/matches/1")
    phone.press("It was not over: go on")
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 2 · Beto deals")


@pytest.mark.parametrize(("choice", "status"), [("leader", "Ana wins"), ("nobody", "The match was stopped")])
def test_starting_another_may_cut_the_one_in_play(phone: Phone, choice: str, status: str) -> None:
    table = phone.open_table("Ana", "Beto")
    close_with_points(phone, 7, 5)
    go_on(phone)
    from_menu(phone, "New match")
    phone.page.wait_for_url("**/matches/new")
    phone.page.locator(f"[name=before][value={choice}]").tap()
    phone.look("what becomes of it")
    phone.press("Start")
    phone.page.wait_for_url(table)
    expect(phone.page.locator(".score-number").first).to_have_text("0")
    phone.page.goto(f"{table}/matches/1")
    expect(phone.page.locator("main")).to_contain_text(status)
    assert not phone.page.get_by_role("button", name="go on", exact=False).filter(has_text="7–5").count()


@pytest.mark.parametrize("where", ["matches/new", "matches/1", "history"])
def test_a_match_left_in_the_middle_is_taken_up_wherever_it_is_shown(phone: Phone, where: str) -> None:
    table = phone.open_table("Ana", "Beto")
    close_with_points(phone, 7, 5)
    go_on(phone)
    from_menu(phone, "New match")
    phone.press("Start")
    phone.page.wait_for_url(table)
    phone.page.goto(f"{table}/{where}")
    phone.look(f"left open in {where}")
    phone.page.get_by_role("button", name="7–5, go on").tap()
    phone.page.wait_for_url(table)
    assert phone.totals() == ["7", "5"]


def test_everybody_sits_elsewhere_while_no_deal_is_closed(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2")
    other.join(table)
    from_this_table(phone, "Who plays")
    for seat, name in enumerate(("Cata", "Beto", "Ana", "Leo")):
        phone.page.fill(f"#player-{seat}", name)
    phone.page.locator("[name=first_dealer][value='3']").tap()
    phone.press("Sit so")
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Leo deals")
    expect(other.page.locator(".score-name").first).to_contain_text("Cata")
    screens("seated otherwise", phone, other)
    undo_last(phone)
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Ana deals")


def test_a_player_twice_at_the_table_is_refused_and_the_names_stay(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    from_this_table(phone, "Who plays")
    phone.page.fill("#player-1", "Ana")
    phone.press("Sit so")
    expect(phone.page.locator("[role=alert]")).to_contain_text("Two players have this name.")
    assert phone.page.input_value("#player-1") == "Ana"
    phone.look("refused")


def test_a_latecomer_enters_carioca_and_somebody_leaves(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", "Cata", game="carioca", shape="3x1")
    other.join(table)
    close_with_points(phone, 0, 25, 40)
    go_on(phone)
    from_this_table(phone, "Who plays")
    phone.page.locator("#enter [name=newcomer]").fill("Dora")
    phone.page.fill("#points", "30")
    phone.press("Come in")
    expect(phone.page.locator(".log-text").first).to_have_text("Dora comes in with 30 from deal 2 on")
    expect(other.page.locator(".score-line")).to_have_count(4)
    close_with_points(phone, 10, 0, 15, 20)
    go_on(phone)
    from_this_table(phone, "Who plays")
    phone.page.wait_for_url("**/people")
    phone.look("who leaves")
    phone.page.locator("#leave").get_by_role("button", name="Cata").tap()
    expect(phone.page.locator(".log-text").first).to_have_text("Cata leaves before deal 3, and keeps the total")
    expect(other.page.locator(".score-line")).to_have_count(3)
    screens("somebody left", phone, other)
    close_with_points(phone, 0, 10, 5)
    stands(phone, table)
    expect(phone.page.locator(".totals")).to_contain_text("has left")
    phone.look("the match of those who came and went")


@pytest.mark.parametrize(("game", "points"), [("chorizo", (4, 1)), ("brisca", (1, 0)), ("carioca", (0, 25))])
def test_a_deal_of_any_game_is_told_in_points_and_opened_into_a_full_sheet_later(
    phone: Phone, game: str, points: tuple[int, int]
) -> None:
    table = phone.open_table("Ana", "Beto", game=game)
    close_with_points(phone, *points)
    phone.look("just the points")
    tap(phone.page.get_by_role("link", name=re.compile("Correct this (deal|round)")))
    tap(phone.page.get_by_role("link", name="Say how it came about"))
    phone.page.wait_for_url("**as=full")
    expect(phone.page.locator("#closing")).to_be_visible()
    phone.look("the whole form")
    assert not phone.page.locator("[name=bare]").count()
    stands(phone, table)


def test_the_owner_deletes_a_match_and_brings_it_back(phone: Phone, other: Phone) -> None:
    other.may_get(404)
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    close_with_points(phone, 7, 5)
    phone.page.goto(f"{table}/matches/1")
    phone.follow("Delete this match")
    phone.page.wait_for_url("**/delete")
    phone.look("before it is deleted")
    phone.press("Delete this match")
    phone.page.wait_for_url("**/history")
    expect(phone.page.locator("main")).to_contain_text("gone for good on")
    phone.look("deleted")
    other.page.goto(f"{table}/matches/1")
    expect(other.page.locator("main")).to_contain_text("no match with that number")
    phone.press("Bring it back")
    phone.page.wait_for_url("**/matches/1")
    other.page.goto(table)
    assert other.totals() == ["7", "5"]
    assert not other.page.goto(f"{table}/matches/1") or not other.page.get_by_text("Delete this match").count()


def test_the_winner_stays_and_those_who_wait_come_in_by_turns(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="scopa")
    other.join(table)
    close_with_points(phone, 11, 2)
    phone.page.goto(table)
    tap(phone.page.get_by_role("link", name="Who waits comes in"))
    phone.page.wait_for_url("**/again")
    phone.page.fill("#waiting", "Cata, Dora")
    phone.look("who waits")
    phone.press("Next player in")
    phone.page.wait_for_url(table)
    expect(other.page.locator(".score-name").last).to_contain_text("Cata")
    expect(phone.page.locator(".tonight")).to_have_text("Tonight: Ana 1")
    close_with_points(phone, 1, 11)
    phone.page.goto(table)
    tap(phone.page.get_by_role("link", name="Who waits comes in"))
    assert phone.page.input_value("#waiting") == "Dora, Beto"
    phone.press("Next player in")
    phone.page.wait_for_url(table)
    expect(phone.page.locator(".score-name").first).to_contain_text("Dora")
    expect(phone.page.locator(".score-name").last).to_contain_text("Cata")
    screens("by turns", phone, other)


def test_who_plays_already_cannot_wait_and_what_was_typed_stays(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="scopa")
    close_with_points(phone, 11, 2)
    phone.page.goto(f"{table}/matches/1/again")
    phone.page.fill("#waiting", "Cata, Ana")
    phone.press("Next player in")
    expect(phone.page.locator("#waiting-error")).to_have_text("Ana plays already.")
    assert phone.page.input_value("#waiting") == "Cata, Ana"


def test_a_line_about_the_match_and_what_it_is_played_for(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.goto(f"{table}/matches/1")
    phone.follow("About this match")
    phone.page.wait_for_url("**/note")
    phone.page.fill("#note", "the asado of March")
    phone.page.fill("#stakes", "who washes up")
    phone.press("Save")
    phone.page.wait_for_url("**/matches/1")
    expect(phone.page.locator(".about-match")).to_have_text("the asado of March Played for: who washes up")
    phone.look("about the match")


def test_what_was_dealt_is_void_and_each_word_of_it_is_taken_back(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Cata", shape="3x1")
    tap(phone.page.locator(".strip > a"))
    phone.page.wait_for_url("**/dealer")
    phone.page.locator("[name=why][value=shown]").tap()
    phone.look("who deals")
    phone.page.get_by_role("button", name="Ana deals again").tap()
    expect(phone.page.locator(".log-text").first).to_have_text("Deal 1 was dealt again: a card was shown")
    assert strip(phone) == "Deal 1 · Ana deals"
    tap(phone.page.locator(".strip > a"))
    phone.page.locator("[name=once]").tap()
    phone.page.locator("#dealt").get_by_role("button", name="Cata").tap()
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Cata deals")
    undo_last(phone)
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Ana deals")
    undo_last(phone)


def test_without_signal_all_of_it_waits_and_arrives_once(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    context = phone.page.context
    tap(phone.page.locator(".strip > a"))
    phone.page.locator("#dealt").wait_for()
    context.set_offline(True)
    phone.page.locator("#dealt").get_by_role("button", name="Beto").tap()
    expect(phone.page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    context.set_offline(False)
    phone.page.goto(table)
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Beto deals")
    from_this_table(phone, "Add or take points")
    phone.page.locator("[name=side][value=A]").tap()
    phone.page.fill("#points", "3")
    phone.page.fill("#reason", "a head start")
    context.set_offline(True)
    phone.press("Note it")
    expect(phone.page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    context.set_offline(False)
    phone.page.goto(table)
    expect(phone.page.locator(".log-text").first).to_have_text("+3 for Ana: a head start")
    assert [entry.kind for entry in entries(table)] == ["match_started", "dealt", "adjusted"]


def test_what_still_decides_is_folded_until_it_is_asked_for(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    close_with_points(phone, 14, 18)
    go_on(phone)
    phone.follow("Close the deal")
    for item, taker in {"cards": "A", "two_of_clubs": "A"}.items():
        phone.say(item, taker)
    fold = phone.page.locator(".deciding")
    expect(fold).to_be_visible()
    assert not fold.get_by_text("Beto needs").is_visible()
    fold.locator("summary").tap()
    expect(fold).to_contain_text("Beto needs most coins, seven of coins, and prime to reach 21.")
    phone.look("what still decides")
