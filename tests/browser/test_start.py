"""From the first page to a match in play: the usual games by one tap, and partners where they sit."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import drawn, tap

PAIRS = ("Ana", "Beto", "Leo", "Cata")


@pytest.mark.parametrize("game", ["Chorizo", "Escoba", "Scopa"])
def test_each_usual_game_is_one_tap_from_the_first_page(phone: Phone, game: str) -> None:
    phone.page.goto("/")
    expect(phone.page.get_by_role("heading", name="Scorekeeper")).to_be_visible()
    phone.page.get_by_role("navigation", name="New table").get_by_role("link", name=re.compile(rf"^{game}")).tap()
    expect(phone.page.locator("#game")).not_to_be_visible()
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text(game)


def test_names_typed_at_the_drawn_seats_make_the_teams_that_the_foot_says(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(phone.page.get_by_role("textbox", name="Player 4", exact=True)).to_be_visible()
    foot = phone.page.get_by_role("region", name="Start")
    expect(foot).to_contain_text("4 players, 2 against 2")
    for seat, name in enumerate(PAIRS, 1):
        phone.page.get_by_role("textbox", name=f"Player {seat}", exact=True).fill(name)
    expect(foot).to_contain_text("Ana and Leo against Beto and Cata")
    phone.page.get_by_role("group", name="First dealer").get_by_role("radio", name="Beto").tap()
    foot.get_by_role("button", name="Start").tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    score = phone.page.get_by_role("list", name="Score").get_by_role("heading")
    assert [name.strip() for name in score.all_inner_texts()] == ["Ana and Leo", "Beto and Cata"]
    expect(phone.page.get_by_text("Beto deals")).to_be_visible()


def test_partners_sit_opposite_in_the_drawing(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(phone.page.locator("#player-3")).to_be_visible()
    boxes = [phone.page.locator(f"#player-{seat}").bounding_box() for seat in range(4)]
    near, right, far, left = [box for box in boxes if box]
    assert near["x"] == far["x"]
    assert near["y"] > right["y"] == left["y"] > far["y"]
    assert right["x"] > left["x"]


def test_a_refused_start_says_it_in_the_foot_and_moves_nothing(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    targets = phone.page.locator("#agree :is(input:not([type=hidden]), select, .button, summary)")
    places = """all => all.filter((one) => one.checkVisibility() && !one.matches(".visually-hidden"))
        .map((one) => [one.name, one.value, ...Object.values(one.getBoundingClientRect().toJSON())])"""
    before = targets.evaluate_all(places)
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    expect(phone.page.get_by_role("alert")).to_have_text("Player 2: Who sits here?")
    assert targets.evaluate_all(places) == before
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    expect(phone.page.get_by_role("alert")).to_have_count(0)


def test_a_name_without_a_blank_makes_no_page_scroll_sideways(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("A" * 40)
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    for address in (phone.page.url, "/", f"{phone.page.url}/matches/new"):
        phone.page.goto(address)
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def started(phone: Phone) -> str:
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    return phone.page.url


def test_a_known_player_takes_the_next_seat_by_a_tap_and_leaves_it_by_another(phone: Phone) -> None:
    table = phone.start("Ana", "Beto", "Leo", "Cata", shape="2x2")
    phone.page.goto(f"{table}/matches/new?game=scopa")
    phone.page.get_by_role("radio", name="2 players", exact=True).tap()
    expect(phone.page.get_by_role("combobox", name="Player 3", exact=True)).to_have_count(0)
    seats = phone.page.get_by_role("combobox", name=re.compile("^Player [12]$"))
    for seat in seats.all():
        seat.fill("")
    chips = phone.page.get_by_role("group", name="Who sits down?")
    chips.get_by_role("button", name="Leo", exact=True).tap()
    chips.get_by_role("button", name="Cata", exact=True).tap()
    for seat, name in enumerate(("Leo", "Cata")):
        expect(seats.nth(seat)).to_have_value(name)
    expect(chips.get_by_role("button", name="Leo", exact=True)).to_have_attribute("aria-pressed", "true")
    chips.get_by_role("button", name="Leo", exact=True).tap()
    chips.get_by_role("button", name="Ana", exact=True).tap()
    for seat, name in enumerate(("Ana", "Cata")):
        expect(seats.nth(seat)).to_have_value(name)
    started(phone)
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Scopa")


def test_all_who_sat_together_sit_down_again_by_one_tap(phone: Phone) -> None:
    table = phone.start(*PAIRS, shape="2x2")
    phone.page.goto(f"{table}/matches/new?game=brisca")
    phone.page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(phone.page.locator("#player-3")).to_be_visible()
    seats = phone.page.get_by_role("combobox", name=re.compile("^Player [1-4]$"))
    for seat in seats.all():
        seat.fill("")
    group = phone.page.get_by_role("group", name="Who sits down?")
    group.get_by_role("button", name="Ana, Beto, Leo, and Cata").tap()
    expect(seats).to_have_count(4)
    for seat, name in enumerate(PAIRS):
        expect(seats.nth(seat)).to_have_value(name)


def test_pairs_that_call_themselves_us_and_them_are_so_named_from_board_to_sheet(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("radio", name="4 players, 2 against 2").tap()
    expect(phone.page.locator("#player-3")).to_be_visible()
    for seat, name in enumerate(PAIRS, 1):
        phone.page.get_by_role("textbox", name=f"Player {seat}", exact=True).fill(name)
    phone.page.get_by_text("Names of the teams (optional)").tap()
    phone.page.get_by_role("button", name="Us / Them").tap()
    expect(phone.page.get_by_role("region", name="Start")).to_contain_text("Us against Them")
    table = started(phone)
    score = phone.page.get_by_role("list", name="Score").get_by_role("heading")
    assert [name.strip() for name in score.all_inner_texts()] == ["Us", "Them"]
    phone.sweep("A")
    phone.page.goto(f"{table}/matches/1")
    expect(phone.page.get_by_text("Us: Ana and Leo · Them: Beto and Cata")).to_be_visible()


def test_nine_players_of_carioca_are_told_that_they_play_seven_rounds(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=carioca")
    phone.page.get_by_role("radio", name="9 players", exact=True).tap()
    expect(phone.page.get_by_text("seven rounds are played")).to_be_visible()
    for seat in range(1, 10):
        phone.page.get_by_role("textbox", name=f"Player {seat}", exact=True).fill(f"P{seat}")
    started(phone)
    expect(phone.page.get_by_text(re.compile("1 of 7"))).to_be_visible()


def test_what_wild_cards_do_is_asked_only_where_there_are_wild_cards(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_text("Change", exact=True).tap()
    does = phone.page.locator("[name='opt-wild_power']")
    expect(does).to_have_count(0)
    wild = phone.page.locator("select[name='opt-wild_cards']")
    for fold in phone.page.locator("details:not([open]):has(select[name='opt-wild_cards'])").all():
        fold.locator("summary").first.tap()
    with drawn(phone.page, "**/tables/new"):
        wild.select_option(index=1)
    for fold in phone.page.locator("details:not([open]):has([name='opt-wild_power'])").all():
        fold.locator("summary").first.tap()
    expect(does.first).to_be_visible()


def test_a_house_set_is_kept_under_its_name_and_comes_back_with_its_rules(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_text("Change", exact=True).tap()
    phone.page.get_by_label("How many points end the match?").fill("31")
    phone.page.get_by_role("textbox", name=re.compile("^Keep these rules")).fill("Flores")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    table = started(phone)
    phone.page.goto(f"{table}/matches/new?game=scopa")
    tap(phone.page.get_by_role("link", name=re.compile("Flores")))
    expect(phone.page.get_by_text("Chorizo to 31")).to_be_visible()
    started(phone)
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Chorizo to 31")
