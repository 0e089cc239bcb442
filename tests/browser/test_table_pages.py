"""What only a browser shows: taps, pages without script, two phones at once, big targets, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from .conftest import Phone
from .waiting import drawn

pytestmark = pytest.mark.whole


def test_what_is_being_typed_survives_an_answer_of_the_page(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator("details:has(#count-coins-A) > summary").tap()
    phone.page.locator("#count-coins-A").press_sequentially("6")
    phone.say("two_of_clubs", "B")
    expect(phone.page.locator("#count-coins-A")).to_have_value("6")
    expect(phone.page.locator("#row-coins .opener")).to_have_attribute("open", "")


def test_names_typed_while_the_form_is_drawn_anew_are_kept(phone: Phone) -> None:
    phone.page.goto("/tables/new")
    held: list[Route] = []
    phone.page.route("**/tables/new", lambda route: held.append(route))
    with phone.page.expect_request("**/tables/new"):
        phone.page.locator("#game").select_option("scopa")
    phone.page.fill("#player-0", "Ana")
    phone.page.fill("#player-1", "Beto")
    with drawn(phone.page, "**/tables/new"):
        held[0].continue_()
    expect(phone.page.locator("form.htmx-settling, form.htmx-swapping")).to_have_count(0)
    expect(phone.page.locator("#agree [name='drawn_game']")).to_have_value("scopa")
    assert [phone.page.input_value(f"#player-{seat}") for seat in range(2)] == ["Ana", "Beto"]


def test_a_choice_made_while_the_form_is_drawn_anew_is_kept(phone: Phone) -> None:
    phone.page.goto("/tables/new")
    held: list[Route] = []
    phone.page.route("**/tables/new", lambda route: held.append(route), times=1)
    with phone.page.expect_request("**/tables/new"):
        phone.page.locator("#game").select_option("baciga")
    phone.page.locator("#preset").select_option("capagorry")
    phone.page.locator("[name='shape'][value='2x2']").tap()
    held[0].continue_()
    expect(phone.page.locator("#player-3")).to_be_visible()
    expect(phone.page.locator("#agree [name='drawn_game']")).to_have_value("baciga")
    expect(phone.page.locator("#agree [name='drawn_preset']")).to_have_value("capagorry")


def test_a_choice_made_the_moment_a_form_is_drawn_is_taken(phone: Phone) -> None:
    phone.page.goto("/tables/new")
    phone.page.evaluate(
        """() => new MutationObserver((_, observer) => {
            const preset = document.getElementById("preset");
            if (!preset || ![...preset.options].some((option) => option.value === "rematada")) return;
            observer.disconnect();
            preset.value = "rematada";
            preset.dispatchEvent(new Event("change", { bubbles: true }));
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    phone.page.locator("#game").select_option("brisca")
    expect(phone.page.locator("#agree [name='drawn_preset']")).to_have_value("rematada")
