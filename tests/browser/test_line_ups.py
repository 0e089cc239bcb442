"""Every line-up on every screen: nothing is cut, nothing overlaps, and the next step is in view."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from .conftest import Phone

pytestmark = pytest.mark.whole

NAMES = ("Ana", "Beto", "Guillermo", "Cata", "Maximiliano", "Fina", "Gino", "Hugo", "Inés", "Juan Carlos")
LONG = (1500, -2250, 235, 7, 88, 1110, -5, 321, 60, 1040)
"""Totals of the free pad, the longest that a table gets to."""
FISHING = (("3x1", "escoba"), ("4x1", "chorizo"), ("2x3", "la_escoba"))
IN_NUMBERS = (("6x1", "free"), ("9x1", "rounds"), ("10x1", "free"))
"""The free pad, and that whose points are counted when a round is closed."""
SCREENS = ((320, 640), (360, 568), (360, 640), (640, 360), (844, 390), (768, 1024), (1280, 720))
CLOSE = """async ({ path, fields }) => {
    const drawn = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
    const data = new URLSearchParams(new FormData(drawn.querySelector("#closing")));
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    data.set("step", "save");
    return (await fetch(path, { method: "POST", body: data })).ok;
}"""
"""Closes a deal with the fields of its form."""
FAULTS = """() => {
    const found = [], seen = (one) => one.checkVisibility({ visibilityProperty: true });
    const inside = (one, box) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        const [text, place] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
        // Letters have more height than their line here, which stands on its side for who sits at a side.
        const [across, up] = one.closest(".left, .right") ? [6, 1] : [1, 6];
        return text.left >= place.left - across && text.right <= place.right + across &&
            text.top >= place.top - up && text.bottom <= place.bottom + up;
    };
    if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the screen");
    for (const figure of document.querySelectorAll(".score-number, .line-points, .deal-line .number b")) {
        const box = figure.closest(".score-side, .sheet-totals li, .sheet-line, .deal-line .number");
        if (seen(figure) && !inside(figure, box)) found.push(`${figure.textContent} leaves its box`);
        const range = document.createRange();
        range.selectNodeContents(figure);
        const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
        if (seen(figure) && lines.size > 1 && !figure.closest(".left, .right"))
            found.push(`${figure.textContent} is broken`);
    }
    for (const target of document.querySelectorAll("#board :is(a, button, summary)")) {
        const { width, height } = target.getBoundingClientRect();
        if (seen(target) && !target.matches(".last-deal, .big a") && Math.min(width, height) < 47.9)
            found.push(`${target.textContent.trim()} is ${width} by ${height}`);
    }
    for (const pill of document.querySelectorAll("#board .score-side .pill")) {
        const side = pill.closest(".score-side"), one = pill.querySelector("b").getBoundingClientRect();
        for (const mark of side.querySelectorAll(".score-name :is(.shape, .name)")) {
            const range = document.createRange();
            range.selectNodeContents(mark);
            const other = (mark.matches(".shape") ? mark : range).getBoundingClientRect();
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            // Letters have more height than their line here.
            if (seen(pill) && across > 1 && down > 3) found.push(`${pill.textContent} lies over ${side.title}`);
        }
    }
    const names = [...document.querySelectorAll("#board .score-name .name")];
    for (const name of names) if (seen(name) && !name.closest("[title]"))
        found.push(`${name.textContent} has no title`);
    return found;
}"""
"""Lists what is cut, broken, covered, too small to tap or wider than the screen."""


def start(phone: Phone, shape: str, game: str, names: tuple[str, ...] = NAMES) -> str:
    """Open a table of a line-up with a deal behind it, whose totals are as long as its game makes them."""
    sides, each = map(int, shape.split("x"))
    typed = {"opt-count": '"rounds"'} if game == "rounds" else {}
    game = "free" if typed else game
    table = phone.open_table(*names[: sides * each], game=game, shape=shape, typed=typed)
    fields: dict[str, Any] = {f"award-{item}": "A" for item in ("cards", "seven_of_coins", "two_of_clubs", "sevens")}
    fields |= {"award-prime": "B", "award-coins": "B"}
    if game == "free":
        fields = {f"points-{label}": points for label, points in zip("ABCDEFGHIJ"[:sides], LONG, strict=False)}
    assert phone.page.evaluate(CLOSE, {"path": f"{table}/matches/1/deals/1/close", "fields": fields})
    phone.page.goto(table)
    return table


def faults(phone: Phone, *screens: tuple[int, int]) -> dict[str, list[str]]:
    """Return what is wrong with the page on each screen where something is."""
    found = {}
    for width, height in screens:
        phone.page.set_viewport_size({"width": width, "height": height})
        phone.page.reload()
        wrong = phone.page.evaluate(FAULTS)
        if wrong:
            found[f"{width}x{height}"] = wrong
    return found


def some(cases: tuple[tuple[str, str], ...], always: tuple[str, ...]) -> list[Any]:
    """Return the cases; those of other shapes than ``always`` are for ``make test-all``."""
    return [case if case[0] in always else pytest.param(*case, marks=pytest.mark.whole) for case in cases]


@pytest.mark.whole
@pytest.mark.parametrize(("shape", "game"), some(FISHING + IN_NUMBERS, ("4x1", "10x1")))
def test_every_line_up_fits_every_screen(phone: Phone, shape: str, game: str) -> None:
    table = start(phone, shape, game)
    found = {"board": faults(phone, *SCREENS)}
    for name, path in (("face to face", "/faces"), ("screen", "/board")):
        phone.page.goto(table + path)
        found[name] = faults(phone, *SCREENS)
    for name, path in (("sheet", "/matches/1/deals/1"), ("match", "/matches/1")):
        phone.page.goto(table + path)
        found[name] = faults(phone, (320, 640), (360, 640), (640, 360))
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.whole
@pytest.mark.parametrize(("width", "height"), [(320, 568), pytest.param(640, 360, marks=pytest.mark.whole)])
def test_the_step_to_take_is_in_view_under_ten_sides(phone: Phone, width: int, height: int) -> None:
    start(phone, "10x1", "rounds")
    phone.page.set_viewport_size({"width": width, "height": height})
    gold = phone.page.locator("#board .gold")
    for way in (0, 300):
        phone.page.evaluate("(way) => scrollTo(0, way)", way)
        box = gold.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    gold.tap()
    phone.page.wait_for_url("**/close")


def test_four_sides_tap_each_at_their_own_edge(phone: Phone) -> None:
    table = start(phone, "4x1", "chorizo")
    phone.page.goto(f"{table}/faces")
    boxes = {}
    for side, place in zip("ABCD", ("near", "right", "opposite", "left"), strict=True):
        zone = phone.page.locator(f".{place} .sweep")
        assert zone.get_attribute("value") == side
        box = zone.bounding_box()
        assert box is not None
        boxes[place] = box
    assert boxes["opposite"]["y"] < 16
    assert boxes["left"]["x"] < 16
    assert boxes["right"]["x"] + boxes["right"]["width"] > 344
    assert boxes["near"]["y"] + boxes["near"]["height"] > 600
    for side, name in zip("BCD", NAMES[1:4], strict=True):
        phone.page.locator(f".sweep[value='{side}']").tap()
        expect(phone.page.locator(".said-last")).to_contain_text(name)
        expect(phone.page.locator(f".pill[data-side='{side}']")).to_contain_text("+1")


def test_face_to_face_on_a_phone_on_its_side_shows_both_scores_and_zones(phone: Phone) -> None:
    table = start(phone, "2x2", "chorizo")
    phone.page.set_viewport_size({"width": 844, "height": 390})
    phone.page.goto(f"{table}/faces")
    for target in (".opposite .sweep", ".near .sweep", ".opposite .score-number", ".near .score-number", ".gold"):
        box = phone.page.locator(target).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0, target
        assert box["y"] + box["height"] <= 390, target
    phone.page.locator(".near .sweep").tap()
    expect(phone.page.locator(".near .pill[data-side='A']")).to_contain_text("+1")


def test_the_name_of_a_pair_breaks_between_the_players(phone: Phone) -> None:
    start(phone, "2x2", "chorizo", ("Guillermo", "Ana", "Washington", "Leo"))
    lines = phone.page.locator(".score-side.side-1 .name")
    assert lines.all_inner_texts() == ["Guillermo", "and Washington"]
    first, second = (lines.nth(place).bounding_box() for place in (0, 1))
    assert first is not None
    assert second is not None
    assert second["y"] >= first["y"] + first["height"] - 1
    assert phone.page.locator(".score-side.side-1").get_attribute("title") == "Guillermo and Washington"


def test_a_name_without_spaces_ends_in_dots_and_pushes_nothing_aside(phone: Phone) -> None:
    table = start(phone, "2x1", "scopa", ("A" * 40, "Beto"))
    name = phone.page.locator(".score-side.side-1 .name")
    assert (
        name.evaluate("(one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow") == "ellipsis"
    )
    for path in ("", "/faces", "/board", "/matches/1", "/matches/1/deals/1"):
        phone.page.goto(table + path)
        assert phone.fits(), path


@pytest.mark.whole
def test_numbers_stay_behind_a_name_that_is_written_from_the_right(phone: Phone) -> None:
    start(phone, "2x1", "scopa", ("محمد", "Beto"))
    last = phone.page.locator(".last-deal")
    expect(last).to_contain_text(re.compile(r"\+"))
    ends = last.evaluate("""(line) => {
        const text = line.firstChild, range = document.createRange(), place = text.data.indexOf("+");
        const of = (from, to) => (range.setStart(text, from), range.setEnd(text, to), range.getBoundingClientRect());
        return [of(text.data.indexOf("\\u0645"), place - 2).right, of(place, place + 1).left];
    }""")
    assert ends[0] <= ends[1], "the gain stands behind its name"
