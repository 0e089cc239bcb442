"""How tall the closing form of a game is, and what it takes to close a deal on trust.

Where the game has declarations, each of the first two sides has declared one: those deals have most to write. The way
on trust is to close the deal, to tap who won two things, and to give one side all that is left.
"""

from __future__ import annotations

from typing import NamedTuple

from playwright.sync_api import Locator, Page

from .conftest import Phone
from .waiting import tap
from .walk.deals import HANDS, Setup

NAMES = ("Ana", "Beto", "Leo", "Cata", "Guillermo", "Washington", "Gina", "Hugo", "Inés", "Juan")
REST = ".rest-row .cell"
OWN = {"own_name-0": "Napola", "own_points-0": "1", "own_how-0": "one"}
"""A line of the table's own, which one side takes."""
DECLARE = """async ({ path, side, cards }) => {
    const drawn = new DOMParser().parseFromString(await (await fetch(path)).text(), "text/html");
    const form = [...drawn.forms].find((one) => one.querySelector("[name=cards]"));
    const data = new URLSearchParams(new FormData(form));
    data.set("side", side);
    data.set("step", "save");
    for (const card of cards) data.append("cards", card);
    return (await fetch(path, { method: "POST", body: data })).ok;
}"""
"""Declares a hand with the fields of its form."""
SCREENS = "() => document.documentElement.scrollHeight / innerHeight"
IN_SIGHT = """(target) => {
    const { left, top, width, height } = target.getBoundingClientRect();
    return [top + 1, top + height - 1].every((y) => target.contains(document.elementFromPoint(left + width / 2, y)));
}"""
"""Whether a thumb sees all of what it wants to tap: nothing lies over it, and it is on the screen."""


class Seen(NamedTuple):
    """What a thumb sees of a closing form before it moves the page."""

    screens: float
    rows: int
    """The rows that say who won something, and can be tapped without opening anything."""
    whole: int
    """Those of them that are whole above the foot."""
    is_rest_in_sight: bool | None
    """Whether all that is left is; None where the form has no such row."""


class Way(NamedTuple):
    """What the way on trust takes."""

    taps: int
    scrolls: int
    """How often the page has to be moved."""


def opened(phone: Phone, setup: Setup, *, own: bool) -> str:
    """Open a table, note what most deals have, and return its address."""
    names = NAMES[: setup.sides * setup.per_side]
    shape = f"{setup.sides}x{setup.per_side}"
    # Nine cannot play the round in which everybody gets thirteen cards.
    fewer = {"opt-rounds": "7"} if (setup.game, setup.sides) == ("carioca", 9) else {}
    typed = {**fewer, **(OWN if own else {})}
    table = phone.open_table(*names, game=setup.game, preset=setup.preset, shape=shape, typed=typed)
    for side, cards in zip(setup.labels, hands_to_declare(setup), strict=False):
        asked = {"path": f"{table}/matches/1/deals/1/declare", "side": side, "cards": cards}
        assert phone.page.evaluate(DECLARE, asked), setup
    return table


def hands_to_declare(setup: Setup) -> list[tuple[str, ...]]:
    """Return two hands that are worth something where declarations are, without a card in common."""
    hands: list[tuple[str, ...]] = []
    for hand in HANDS if setup.needs.declarations else ():
        answer = setup.score({"declarations": [{"side": "A", "cards": list(hand)}]})
        is_worth = answer["status"] != "invalid" and answer["points"]["A"]
        if is_worth and not any(set(hand) & set(other) for other in hands):
            hands.append(hand)
    return hands[:2]


def look(phone: Phone, setup: Setup, *, own: bool = False) -> Seen:
    """Open the closing form of a deal, and look at it."""
    page = phone.page
    page.goto(f"{opened(phone, setup, own=own)}/matches/1/deals/1/close")
    phone.rest()
    firsts = rows(page)
    rest = page.locator(REST)
    is_in_sight = bool(rest.first.evaluate(IN_SIGHT)) if rest.count() else None
    return Seen(page.evaluate(SCREENS), len(firsts), sum(bool(cell.evaluate(IN_SIGHT)) for cell in firsts), is_in_sight)


def rows(page: Page) -> list[Locator]:
    """Return the first cell of each row that says who won something."""
    cells = (row.locator("label.cell").first for row in page.locator(".grid-row[id^='row-']").all())
    return [cell for cell in cells if cell.is_visible()]


def close_on_trust(phone: Phone) -> Way:
    """Close a deal whose form is open on trust; return what that took, with the tap that has opened the form."""
    taps, scrolls = 1, 0
    for target in (*rows(phone.page)[:2], phone.page.locator(REST).first):
        scrolls += not target.evaluate(IN_SIGHT)
        tap(target)
        taps += 1
        if phone.page.url.endswith("saved=1"):
            # All the cards, say, settle the deal alone.
            return Way(taps, scrolls)
    phone.page.wait_for_url("**/deals/1?saved=1")
    return Way(taps, scrolls)
