"""How long a phone takes from a tap to the changed page, in a browser slowed down four times: ``python -m bench.taps``.

It needs a Chromium, as the browser tests do. The app runs as ``scorekeeper serve`` runs it. Each figure is taken inside
the page: from the time stamp of the touch to the first frame that shows what changed, and of a tap that leads to
another page to that page's first content. A block is a task of the main thread; the browser names none under 50 ms, so
0 says that none was longer.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import find
from tests.browser.waiting import NOTES, PATIENCE, a_while, rest
from tests.helpers.serving import serving

from .document import Measured, arguments, report
from .stage import print_machine

SLOWER = 4
"""So many times slower than this machine is the phone."""
TURNS = 10
"""Deals that are played; each tap is measured once in each."""
PHONE = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
BEHIND = 500
"""Milliseconds after a tap in which its work may block the page."""
HEAD = ["what", "median ms", "longest ms", "longest block ms"]

MEASURE = """(() => {
    const now = () => performance.timeOrigin + performance.now();
    const read = () => JSON.parse(sessionStorage.tapped || "null");
    const write = (tapped) => { sessionStorage.tapped = JSON.stringify(tapped); };
    const shown = (at) => {
        const tapped = read();
        if (!tapped || !tapped.at || tapped.shown) return;
        write({ ...tapped, shown: at });
    };
    // What is drawn in a frame is seen once the frame is made: the task behind it is the first that knows.
    const inFrame = () => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => shown(now());
        port2.postMessage(0);
    });
    addEventListener("pointerdown", ({ timeStamp }) => {
        const tapped = read();
        if (tapped && !tapped.at) write({ ...tapped, at: performance.timeOrigin + timeStamp });
    }, true);
    const isSeen = () => {
        const tapped = read();
        if (!tapped || !tapped.at || tapped.shown || !tapped.text) return;
        const found = document.querySelector(tapped.text);
        if ((found ? found.outerHTML : "") !== tapped.before) inFrame();
    };
    new MutationObserver(isSeen)
        .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    addEventListener("change", () => { const tapped = read(); if (tapped && tapped.isChoice) inFrame(); }, true);
    new PerformanceObserver((list) => {
        const tapped = read();
        for (const entry of list.getEntries()) {
            const isFirst = entry.name === "first-contentful-paint";
            if (isFirst && tapped && tapped.leads) shown(performance.timeOrigin + entry.startTime);
        }
    }).observe({ type: "paint", buffered: true });
    new PerformanceObserver((list) => {
        const tapped = read();
        if (!tapped) return;
        const blocks = list.getEntries().filter(({ startTime, duration }) => (
            performance.timeOrigin + startTime + duration > tapped.at
        ));
        write({ ...tapped, blocks: [...tapped.blocks, ...blocks.map(({ duration }) => duration)] });
    }).observe({ type: "longtask", buffered: true });
})()"""


@dataclass
class Figures:
    """What was measured of one kind of tap, in milliseconds."""

    until_shown: list[float] = field(default_factory=list)
    blocks: list[float] = field(default_factory=list)

    def row(self, what: str) -> list[str]:
        """Return the row of the table."""
        taken = self.until_shown
        figures = (statistics.median(taken), max(taken), max(self.blocks, default=0))
        return [what, *(f"{figure:.0f}" for figure in figures)]


class Thumb:
    """A thumb that taps on a slow phone, and looks when what it changed is there."""

    def __init__(self, browser: Browser, app: str) -> None:
        self.page: Page = browser.new_context(base_url=app, locale="en", **PHONE).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(NOTES)
        self.page.add_init_script(MEASURE)
        self.measured: dict[str, Figures] = defaultdict(Figures)
        self._session = self.page.context.new_cdp_session(self.page)

    def slow_down(self, times: int) -> None:
        """Make the phone so many times slower than the machine."""
        self._session.send("Emulation.setCPUThrottlingRate", {"rate": times})

    def tap(self, what: str, target: str, shows: str = "", *, is_choice: bool = False) -> None:
        """Tap and measure until ``shows`` has changed; without it until the page that the tap leads to is there.

        ``is_choice`` measures until the frame that shows the tapped choice as chosen.
        """
        page = self.page
        place = page.locator(target).first
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box, target
        rest(page)
        a_while(page, BEHIND)
        page.evaluate(
            """([text, isChoice]) => {
                const found = text && document.querySelector(text);
                const before = found ? found.outerHTML : "";
                const leads = !text && !isChoice;
                sessionStorage.tapped = JSON.stringify({ text, before, isChoice, leads, blocks: [] });
            }""",
            [shows, is_choice],
        )
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        tapped = self._shown()
        self.measured[what].until_shown.append(tapped["shown"] - tapped["at"])
        self.measured[what].blocks += tapped["blocks"]

    def _shown(self) -> dict[str, Any]:
        """Return what the page noted of the tap, once it is shown and nothing is under way behind it."""
        page = self.page
        page.wait_for_function("() => JSON.parse(sessionStorage.tapped || '{}').shown", timeout=PATIENCE)
        rest(page)
        a_while(page, BEHIND)
        noted: dict[str, Any] = json.loads(page.evaluate("sessionStorage.tapped"))
        page.evaluate("sessionStorage.removeItem('tapped')")
        return noted


def open_table(thumb: Thumb, *names: str) -> str:
    """Open a table whose match no deal ends, and return its address."""
    page = thumb.page
    page.goto("/tables/new?game=chorizo&shape=2x1")
    rest(page)
    for seat, name in enumerate(names):
        page.fill(f"#player-{seat}", name)
    target = page.locator("[name='opt-target']").first
    target.evaluate("(field) => { field.closest('details')?.setAttribute('open', ''); field.value = '500'; }")
    page.get_by_role("button", name="Start", exact=True).tap()
    expect(page).to_have_url(re.compile(r"/t/[^/]+$"))
    rest(page)
    return page.url


def play(thumb: Thumb, table: str) -> None:
    """Play a deal: two sweeps, one undone; then close it in the grid, and go on."""
    page = thumb.page
    page.goto(table)
    rest(page)
    for side in "AB":
        thumb.tap("a tap: a sweep on the board", f".sweep[value='{side}']", f".sweep[value='{side}'] .dots")
    thumb.tap("a tap: the last sweep taken back", "button.undo", ".sweep[value='B'] .dots")
    thumb.tap("another page: the closing form", ".one-screen > .gold")
    for item, side in (("cards", "A"), ("coins", "B"), ("seven_of_coins", "A"), ("two_of_clubs", "A")):
        cell = f"label:has(> [name='award-{item}'][value='{side}'])"
        what = "a tap: a cell of the winner grid"
        if item in ("coins", "seven_of_coins"):
            # The answer of the server, with what the deal comes to so far.
            thumb.tap("what the deal comes to, from the server", cell, "#close-foot .foot-text b")
        else:
            thumb.tap(what, cell, is_choice=True)
    thumb.tap("another page: the sheet, saved by the last cell", "label:has(> [name='award-prime'][value='B'])")
    expect(page).to_have_url(re.compile("saved=1"))


def measured(browser: Browser, app: str, turn: Callable[[Thumb, str], None] = play) -> dict[str, Figures]:
    """Return what was measured at one table."""
    thumb = Thumb(browser, app)
    table = open_table(thumb, "Ana", "Beto")
    thumb.slow_down(SLOWER)
    turn(thumb, table)
    # What a page needs once, such as a file that the browser has not kept, is not of every tap.
    thumb.measured.clear()
    for _turn in range(TURNS):
        turn(thumb, table)
    return dict(thumb.measured)


def main() -> None:
    """Measure and print."""
    asked = arguments(__doc__).parse_args()
    print_machine()
    executable = find()
    assert executable, "No Chromium: run 'make browser', which finds one or says what is missing."
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as app, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable)
        found = measured(browser, app)
        on = f"Chromium {browser.version}, {SLOWER} times slower"
        browser.close()
    rows = [figures.row(what) for what, figures in found.items()]
    report([Measured("taps", "From a tap to the changed page", HEAD, rows, on)], asked.write)


if __name__ == "__main__":
    main()
