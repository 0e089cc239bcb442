"""A machine of random bad weather: three phones and a big screen at one table, and what each may show at each moment.

A screen shows numbers that the server had in the last two seconds, or had at most twenty seconds ago while nothing
newer of the table had reached it two seconds ago, or says since when it is. What waits on a phone is drawn beside
that, marked, and once. In the end all screens show what the journal holds, and each tap is in it once.

``python -m tests.browser.weather --runs 40 --seconds 60`` makes runs with new seeds.
"""

from __future__ import annotations

import argparse
import random
import re
import secrets
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

from ..helpers.reading import form_of
from ..helpers.serving import serving
from ..helpers.weather import Weather
from .chromium import find
from .waiting import a_while

GAMES: dict[str, dict[str, str]] = {
    "chorizo": {"game": "chorizo"},
    "cirulla": {"game": "cirulla"},
    "carioca": {"game": "carioca", "shape": "3x1"},
    "pad": {"game": "free", "opt-count": '"rounds"'},
    "pad_at_once": {"game": "free"},
}
NAMES = ("Ana", "Beto", "Cata", "Dina")
NEWS, SILENCE, SLACK = 2.0, 20.0, 1.0
"""Seconds: how old a number may be, how old where nothing has reached the screen, and what a busy machine may add."""
PHONE = {"viewport": {"width": 360, "height": 640}, "is_mobile": True, "has_touch": True, "locale": "en"}
SCREEN = {"viewport": {"width": 1280, "height": 720}, "locale": "en"}
CALM = 30.0
"""Seconds in which all screens must show the journal once the weather is fair."""

READ = r"""() => {
    // What comes behind the page itself says since when it is; on a busy machine a page takes longer to load.
    const patience = document.readyState === "complete" ? 3000 : 15000;
    if (!(window.scorekeeper && scorekeeper.since) && performance.now() < patience) return null;
    const board = document.querySelector("#board");
    if (!board || !(board.querySelector(".pill[data-side]") || board.querySelector(".winner"))) return null;
    const seen = new Map();
    for (const pill of board.querySelectorAll(".pill[data-side]")) {
        const number = pill.closest(".score-side").querySelector(".score-number");
        const [figure, points] = [number, pill.querySelector("b")].map((one) => (
            Number(one.textContent.replace("−", "-"))
        ));
        const gained = Number(pill.dataset.gained);
        // Where taps count at once the number has them, and beside it is what the server had.
        const isAtOnce = "total" in number.dataset;
        const total = isAtOnce ? Number(number.dataset.total) : figure;
        seen.set(pill.dataset.side, {
            total, gained, shown: isAtOnce ? gained + figure - total : points,
            isSending: pill.classList.contains("sending"),
        });
    }
    const since = document.querySelector(".since");
    const holds = document.querySelector("[data-holds]");
    return {
        sides: Object.fromEntries(seen),
        isOver: !board.querySelector(".pill[data-side]"),
        isOwn: Boolean(board.querySelector(".score-number.provisional")),
        since: Boolean(since) && since.getClientRects().length > 0,
        holds: holds ? holds.dataset.holds.split(" ") : [],
        deal: holds ? holds.dataset.deal : "",
        version: board.dataset.version,
        isOnItsWay: Object.keys(localStorage).some((name) => name.startsWith("held:"))
            || Boolean(window.scorekeeper && scorekeeper.queue && scorekeeper.queue.hasWaiting()),
    };
}"""
REFUSALS = """addEventListener("DOMContentLoaded", () => {
    const place = document.getElementById("refused");
    const said = () => Number(localStorage.getItem("said") || 0);
    const note = () => { if (place.textContent.trim()) localStorage.setItem("said", said() + 1); };
    if (place) new MutationObserver(note).observe(place, { childList: true });
});"""
"""Counts how often a page has told of a tap that the server refused."""
PAGE = r"""() => {
    const shown = [...document.querySelectorAll("h1, .ask, #close-head, #close-foot, #waiting")];
    const words = shown.map((one) => one.innerText.replace(/\s+/g, " ").trim()).filter(Boolean);
    const { queue } = window.scorekeeper || {};
    const waits = (queue ? queue.all() : []).map(({ id, kind, deal, words }) => (
        [id.slice(0, 8), kind, deal, ...(words || [])]
    ));
    return `${location.pathname}${location.search} says ${words.join(" | ")}; there wait ${JSON.stringify(waits)}`;
}"""
"""What a page says besides the score, and what waits on its phone, for whoever reads what went wrong."""
TAPPED = r"""(selector) => {
    const buttons = [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
    const button = buttons[Math.floor(Math.random() * buttons.length)];
    if (!button) return null;
    const { form } = button;
    const deal = document.querySelector("[data-holds]").dataset.deal;
    const points = button.name === "points" ? Number(button.value) : Number(button.dataset.worth) || 0;
    const tap = { id: form.elements.id.value, side: form.elements.side.value || button.value, points, deal };
    button.click();
    return { ...tap, isKept: form.elements.id.value !== tap.id || !form.isConnected };
}"""

Numbers = tuple[tuple[str, int, int], ...]
"""What a screen shows of each side: label, total, points of the deal being played."""


class Unsound(AssertionError):
    """A screen shows what is not so."""


def newest_entry(version: str) -> int:
    """Return the number of a match's newest entry, of its version (``3.17``); 0 without one."""
    return int(version.rpartition(".")[2] or 0)


@dataclass
class State:
    """What the server had from a moment on."""

    since: float
    numbers: Numbers
    version: int


class Truth:
    """Asks the server, past all weather, what it has, some ten times a second."""

    PILL = re.compile(
        r'score-number[^>]*>(?P<before>[-−]?\d+)<|data-side="(?P<side>[A-F])" data-gained="(?P<gained>-?\d+)"'
    )

    def __init__(self, app: str, key: str) -> None:
        self._host, self._key = urlsplit(app).netloc, key
        self._version = ""
        self._asked_at = 0.0
        self.states: list[State] = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Truth:
        self._look()
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._ends.wait(0.1):
            with suppress(OSError, HTTPException):
                self._look()

    def _look(self) -> None:
        asked_at = time.monotonic()
        connection = HTTPConnection(self._host, timeout=20)
        connection.request("GET", f"/t/{self._key}/board?v={self._version}", headers={"HX-Request": "true"})
        answer = connection.getresponse()
        html = answer.read().decode()
        connection.close()
        if answer.status == 200:
            self._version = answer.getheader("Table-Version") or ""
            self.states.append(State(asked_at, self._numbers(html), newest_entry(self._version)))
        if answer.status < 400:
            self._asked_at = asked_at

    def _numbers(self, html: str) -> Numbers:
        totals: list[int] = []
        sides: list[tuple[str, int]] = []
        for found in self.PILL.finditer(html):
            if found["before"] is not None:
                totals.append(int(found["before"].replace("−", "-")))
            else:
                sides.append((found["side"], int(found["gained"])))
        return tuple((side, total, gained) for total, (side, gained) in zip(totals, sides, strict=True))

    @property
    def now(self) -> Numbers:
        """What the server has now, as far as it was asked."""
        return self.states[-1].numbers

    def knows(self, moment: float) -> bool:
        """Say whether the server has answered a question asked after this moment."""
        return self._asked_at > moment

    def had(self, numbers: Numbers, version: int, since: float) -> bool:
        """Say whether the server had these numbers at any time since this moment.

        What it had for less time than passes between two looks is known by its version.
        """
        states = list(self.states)
        ends = [state.since for state in states[1:]] + [time.monotonic() + 1]
        if any(state.numbers == numbers and end + 0.2 >= since for state, end in zip(states, ends, strict=True)):
            return True
        return any(
            before.version < version < after.version and after.since + 0.2 >= since
            for before, after in pairwise(states)
        )


@dataclass
class Tap:
    """What a thumb has tapped, and the page has taken."""

    id: str
    side: str
    points: int
    deal: str


@dataclass
class Screen:
    """A phone or the big screen, in its own weather."""

    name: str
    context: BrowserContext
    weather: Weather
    path: str
    page: Page
    taps: list[Tap] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def read(self) -> dict[str, Any] | None:
        """Return what the screen shows of the score; None where it shows none, or is on its way to another page."""
        try:
            told: dict[str, Any] | None = self.page.evaluate(READ)
        except Error:
            return None
        return told


class Machine:
    """A run: its phones, what they do, and what was seen."""

    def __init__(self, browser: Browser, app: str, game: str, seed: str, pictures: Path) -> None:
        self.random = random.Random(seed)
        self.browser, self.app, self.game, self.seed, self.pictures = browser, app, game, seed, pictures
        self.log: deque[str] = deque(maxlen=40)
        self.screens: list[Screen] = []
        self.began = time.monotonic()
        self.table = ""

    def note(self, words: str) -> None:
        """Remember a step, for whoever reads what went wrong."""
        self.log.append(f"{time.monotonic() - self.began:6.1f} s  {words}")

    # The table.

    def open(self, stack: ExitStack) -> None:
        """Open the table and all its screens, each behind weather that is still fair."""
        self.keeper = stack.enter_context(closing(self.browser.new_context(base_url=self.app, locale="en")))
        self.open_table(GAMES[self.game])
        for place, name in enumerate((*NAMES[:3], "TV")):
            weather = stack.enter_context(Weather(self.app, f"{self.seed} {place}"))
            look = SCREEN if name == "TV" else PHONE
            context = stack.enter_context(
                closing(self.browser.new_context(base_url=weather.address, service_workers="allow", **look))
            )
            path = self.table + ("/board" if name == "TV" else "")
            screen = Screen(name, context, weather, path, context.new_page())
            self._watch(screen)
            screen.page.goto(path)
            everybody = screen.page.get_by_role("button", name="Everybody's")
            if name != "TV" and everybody.count():
                everybody.click()
                screen.page.wait_for_url(f"**{path}")
            screen.page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)")
            screen.page.reload()
            screen.page.wait_for_function("() => Boolean(window.scorekeeper && scorekeeper.since)")
            self.screens.append(screen)

    def open_table(self, fields: dict[str, str]) -> None:
        """Open a table with these fields of its form: the game and the line-up, and what is chosen otherwise."""
        form = form_of(self.keeper.request.get(f"/tables/new?{urlencode(fields)}").text(), "agree")
        for name in form:
            if name in fields:
                form[name] = fields[name]
        seats = [name for name in form if re.fullmatch(r"player-\d", name)]
        for seat, name in zip(seats, NAMES, strict=False):
            form[seat] = name
        form["step"] = "save"
        answer = self._post("/tables/new", form)
        assert answer.status == 303, answer.text()
        self.table = urlsplit(answer.headers["location"]).path

    def _watch(self, screen: Screen) -> None:
        screen.page.add_init_script(REFUSALS)
        screen.page.on("pageerror", lambda error: screen.errors.append(str(error)))
        screen.page.on("dialog", lambda dialog: dialog.accept())
        screen.page.set_default_timeout(12_000)

    def _post(self, path: str, form: Any) -> Any:
        return self.keeper.request.post(
            path,
            data=urlencode(list(form.items(multi=True))),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": self.app},
            max_redirects=0,
        )

    def close_deal(self) -> None:
        """Close the deal on a phone that has signal, by its points alone."""
        text = self.keeper.request.get(self.table).text()
        if "Who holds this phone?" in text:
            held = form_of(text, "holder") if 'id="holder"' in text else None
            assert held is None, "the keeper of the table is not asked"
        found = re.search(r'href="([^"]*/deals/\d+/close)"', text)
        if found is None:
            return
        path = found[1]
        form = form_of(self.keeper.request.get(path + "?as=points").text(), "closing")
        for name in form:
            if re.fullmatch(r"points-[A-F]", name):
                form[name] = str(self.random.randint(0, 3))
        form["step"] = "save"
        answer = self._post(path, form)
        self.note(f"the deal is closed: {answer.status}")

    # What thumbs do.

    def step(self) -> None:
        """Let one phone do something."""
        screen = self.random.choice(self.screens)
        phone = self.random.choice(self.screens[:-1])
        acts: list[tuple[int, Callable[[], None]]] = [
            (12, lambda: self.tap(phone)),
            (2, lambda: self.undo(phone)),
            (1, lambda: self.reload(screen)),
            (1, lambda: self.reopen(phone)),
            (1, lambda: self.look_elsewhere(phone)),
            (1, lambda: self.go_down(screen)),
            (1, self.close_deal),
        ]
        [act] = self.random.choices([one for _weight, one in acts], [weight for weight, _one in acts])
        act()

    def tap(self, phone: Screen) -> None:
        selector = "button.sweep, .pad button[name=points]"
        with suppress(Error):
            tapped = phone.page.evaluate(TAPPED, selector)
            if tapped is None:
                return
            is_kept = tapped.pop("isKept")
            self.note(f"{phone.name} taps {tapped['points']:+d} for {tapped['side']} {tapped['id'][:8]}")
            if is_kept:
                phone.taps.append(Tap(**tapped))

    def undo(self, phone: Screen) -> None:
        with suppress(Error):
            button = phone.page.locator(".notice .undo").first
            if button.count():
                self.note(f"{phone.name} undoes")
                button.click(timeout=500)

    def reload(self, screen: Screen) -> None:
        self.note(f"{screen.name} reloads")
        with suppress(Error):
            screen.page.reload(wait_until="commit")

    def reopen(self, phone: Screen) -> None:
        self.note(f"{phone.name} closes the tab and opens it again")
        phone.page.close()
        phone.page = phone.context.new_page()
        self._watch(phone)
        with suppress(Error):
            phone.page.goto(phone.path, wait_until="commit")

    def look_elsewhere(self, phone: Screen) -> None:
        self.note(f"{phone.name} looks at the start page, and comes back")
        with suppress(Error):
            phone.page.goto("/", wait_until="commit")
            phone.page.go_back(wait_until="commit")

    def go_down(self, screen: Screen) -> None:
        self.note(f"{screen.name} has no network")
        screen.weather.go_down()

    # What is seen.

    def check(self, truth: Truth) -> None:
        """Look at every screen. What is not so is looked at once more, as a screen may be in the middle of a change."""
        for screen in self.screens:
            fault = self.fault(screen, truth)
            if fault:
                a_while(screen.page, 300)
                fault = self.fault(screen, truth)
            if fault:
                self.fail(screen, truth, fault)

    def fault(self, screen: Screen, truth: Truth) -> str:
        """Say what is wrong with a screen; nothing where all is so."""
        looked_at = time.monotonic()
        told, at = screen.read(), time.monotonic()
        if told is None:
            return ""
        for label, side in told["sides"].items():
            waiting = sum(
                tap.points
                for tap in screen.taps
                if tap.side == label and tap.deal == told["deal"] and tap.id[:8] not in told["holds"]
            )
            extra = side["shown"] - side["gained"]
            if extra and not side["isSending"]:
                return f"{label}: {side['shown']} is drawn for {side['gained']} as if it were stored"
            if (
                screen.name != "TV"
                and extra
                and not (min(waiting, 0) <= extra <= max(waiting, 0) or self.game.startswith("pad"))
            ):
                return f"{label}: {extra:+d} is drawn as waiting, where {waiting:+d} waits at most"
        if told["since"] or told["isOver"] or told["isOwn"]:
            return ""
        numbers = tuple((label, side["total"], side["gained"]) for label, side in sorted(told["sides"].items()))
        # What has come in the last two seconds may be on its way to the screen.
        heard_at = screen.weather.heard_until(looked_at - NEWS)
        oldest = min(at - NEWS, max(at - SILENCE, heard_at)) - SLACK
        version = newest_entry(told["version"] or "")
        if not truth.had(numbers, version, oldest):
            # A screen may hear of an entry before the truth does, whose question waits its turn on a busy server.
            until = time.monotonic() + CALM
            while not truth.knows(at) and time.monotonic() < until:
                a_while(screen.page, 50)
        return "" if truth.had(numbers, version, oldest) else f"it shows {numbers}, and the server has {truth.now}"

    def fail(self, screen: Screen, truth: Truth, fault: str) -> None:
        """Raise with all that helps to understand it."""
        picture = self.pictures / f"{self.game}-{self.seed}-{screen.name}.png"
        with suppress(Error):
            screen.page.screenshot(path=str(picture))
        told = screen.read()
        try:
            page = screen.page.evaluate(PAGE)
        except Error as error:
            page = f"no page: {error}"
        now = time.monotonic()
        heard = [
            f"  {now - came:.1f} s ago heard of {now - of:.1f} s ago: {path}"
            for came, of, path in screen.weather.heard[-8:]
        ]
        first = f"{self.game}, seed {self.seed}: {screen.name}: {fault}\n  it shows {told}\n  {page}\n  {picture}"
        raise Unsound("\n".join([first, *heard, *self.log]))

    def end(self, truth: Truth) -> None:
        """Clear the weather, and wait until every screen shows the journal; each tap is in it once."""
        for screen in self.screens:
            screen.weather.clear()
            with suppress(Error):
                if screen.read() is None:
                    screen.page.goto(screen.path, wait_until="commit")
                screen.page.evaluate("dispatchEvent(new Event('online'))")
        until = time.monotonic() + CALM
        while left := [screen for screen in self.screens if not self.is_true(screen, truth)]:
            if time.monotonic() > until:
                self.fail(left[0], truth, f"{CALM:.0f} s of fair weather did not bring it to {truth.now}")
            a_while(left[0].page, 200)
        ids = [entry["id"] for entry in self.journal()]
        assert len(ids) == len(set(ids))
        for screen in self.screens:
            assert screen.errors == [], screen.errors
            lost = [tap.id[:8] for tap in screen.taps if tap.id not in ids]
            said = int(screen.page.evaluate("localStorage.getItem('said') || 0"))
            to_settle = screen.page.evaluate("scorekeeper.queue ? scorekeeper.queue.all().map(one => one.id) : []")
            if len([id for id in lost if id not in {one[:8] for one in to_settle}]) > said:
                self.fail(screen, truth, f"{lost} are in no journal, {said} were said to be refused, {to_settle} wait")

    def is_true(self, screen: Screen, truth: Truth) -> bool:
        """Say whether a screen shows what the server has now, and nothing waits on it."""
        told = screen.read()
        if told is None or told["isOnItsWay"]:
            return False
        if told["isOver"]:
            return True
        numbers = tuple((label, side["total"], side["gained"]) for label, side in sorted(told["sides"].items()))
        settled = all(side["shown"] == side["gained"] for side in told["sides"].values())
        return numbers == truth.now and settled and not told["since"]

    def journal(self) -> list[dict[str, Any]]:
        """Return the entries of the match."""
        key = self.table.rsplit("/", 1)[1]
        entries: list[dict[str, Any]] = []
        while True:
            after = entries[-1]["seq"] if entries else 0
            answer = self.keeper.request.get(
                f"/api/v1/entries?after={after}", headers={"Authorization": f"Bearer {key}"}
            ).json()
            entries += answer["entries"]
            if not answer["more"]:
                return entries


@contextmanager
def closing(context: BrowserContext) -> Iterator[BrowserContext]:
    """Close a browser context in the end."""
    try:
        yield context
    finally:
        context.close()


def run(browser: Browser, app: str, game: str, seed: str, seconds: float, pictures: Path) -> None:
    """Make one run. Raises ``Unsound`` at the first screen that shows what is not so."""
    machine = Machine(browser, app, game, seed, pictures)
    with ExitStack() as stack:
        machine.open(stack)
        truth = stack.enter_context(Truth(app, machine.table.rsplit("/", 1)[1]))
        for screen in machine.screens:
            screen.weather.begin()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            machine.step()
            a_while(machine.screens[0].page, machine.random.choice((50, 150, 400, 900)))
            machine.check(truth)
        machine.end(truth)


def main() -> int:
    """Make many runs with seeds of their own, and say what they found."""
    options = argparse.ArgumentParser(prog="python -m tests.browser.weather", description=main.__doc__)
    options.add_argument("--runs", type=int, default=4, help="how many runs, the games in turn")
    options.add_argument("--seconds", type=float, default=60, help="how long each run is")
    options.add_argument("--seed", help="the seed of the only run")
    options.add_argument("--game", choices=GAMES, help="the only game")
    chosen = options.parse_args()
    pictures = Path(tempfile.mkdtemp(prefix="weather-"))
    faults = 0
    with serving(pictures) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        for turn in range(1 if chosen.seed else chosen.runs):
            game = chosen.game or list(GAMES)[turn % len(GAMES)]
            seed = chosen.seed or secrets.token_hex(3)
            try:
                run(browser, app, game, seed, chosen.seconds, pictures)
                print(f"{game}, seed {seed}: all is so", flush=True)
            except AssertionError as fault:
                faults += 1
                print(fault, flush=True)
        browser.close()
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
