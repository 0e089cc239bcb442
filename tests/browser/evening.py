"""A machine of evenings: two phones at one table lose and find signal at random, and one of them closes each deal.

The table plays five deals. Whoever writes does the next thing that the screen in hand asks for, whatever page that is:
tap, fill in, keep, look at what is to settle. A screen shows numbers that the server has, or says since when they are
true, or marks them as its own. In the end the journal holds what was told: each tap and each closing once.

``python -m tests.browser.evening --runs 20`` makes evenings with new seeds; ``--seed`` with ``--game`` repeats one.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, BrowserType, Error, sync_playwright

from scorekeeper import rules

from ..helpers.serving import serving
from ..helpers.weather import Weather
from .chromium import find
from .waiting import NOTES, a_while
from .walk.deals import Setup, a_deal
from .walk.words import GAMES as CATALOGUE
from .weather import CALM, NAMES, PHONE, Machine, Screen, Tap, Truth

DEALS = 5
SIGNAL = (0.5, 6.0)
"""Seconds for which a phone has signal, or has none."""
PATIENCE = 240.0
"""Seconds after which an evening goes nowhere."""
MOST_SWEEPS = 3
"""Sweeps of a side in a deal, which the piles of every deal allow (``pile``)."""
FOLD_OF_CARDS = "details:has(> #the-cards) > summary"
LEVEL = {"opt-target": "90"}
"""A target that no five deals reach."""


@dataclass(frozen=True)
class Game:
    """How a game is opened, and the ways in which a thumb closes its deals."""

    fields: dict[str, str]
    """The fields of the form of a new table: the game and the line-up, and what is chosen otherwise."""
    ways: tuple[str, ...]


FISHING = ("cells", "rest", "points", "count", "cards")
GAMES = {
    "chorizo": Game({"game": "chorizo", "shape": "2x1", **LEVEL}, FISHING),
    "scopa": Game({"game": "scopa", "shape": "2x1", **LEVEL}, FISHING),
    "cirulla": Game({"game": "cirulla", "shape": "2x1", **LEVEL}, FISHING),
    "brisca": Game(
        {"game": "brisca", "shape": "2x1", "opt-trump_method": '"fixed_cycle"', "opt-match_to": "9"},
        ("number", "winner", "cards"),
    ),
    "carioca": Game({"game": "carioca", "shape": "3x1"}, ("round",)),
    "pad": Game({"game": "free", "shape": "2x1", "opt-count": '"rounds"'}, ("points",)),
    "pad_at_once": Game({"game": "free", "shape": "2x1"}, ("points",)),
}


LOOK = r"""() => {
    const isBusy = document.readyState !== "complete" || window.isLeft;
    if (isBusy || document.querySelector(".htmx-request")) return { at: "" };
    const isSeen = (selector) => [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length);
    const form = document.getElementById("closing");
    if (form) {
        const values = {};
        for (const [name, value] of new FormData(form)) (values[name] ||= []).push(String(value));
        const numbers = [...document.querySelectorAll("#close-foot b")].filter((one) => /\d/.test(one.textContent));
        return {
            at: form.matches("[data-closed]") ? "correction" : "form", values,
            deal: Number(/deals\/(\d+)\/close/.exec(form.getAttribute("action"))[1]),
            keeps: isSeen("#close-foot .keeps"), saves: isSeen("#close-foot [name=step][value=save]"),
            isBare: location.search.includes("as=points"),
            rows: [...document.querySelectorAll(".grid-row[id^=row-]")].filter((row) => row.querySelector(".cell"))
                .map(({ id }) => id.slice(4)),
            takers: [...document.querySelectorAll(".cell input")].map(({ name, value }) => `${name}=${value}`),
            hand: (document.querySelector(".hand.selected") || { dataset: {} }).dataset.side,
            waits: !(window.scorekeeper && scorekeeper.queue) || scorekeeper.queue.all().some((one) => (
                !one.words && one.kind === "swept" && !(form.dataset.counted || "").includes(one.id)
            )),
            unmarked: document.getElementById("ahead")
                ? numbers.filter((one) => !one.closest(".provisional")).map((one) => one.textContent) : [],
        };
    }
    const held = document.querySelector("#board [data-holds]");
    const toSettle = [...document.querySelectorAll("#waiting li")]
        .filter((line) => line.querySelector("[data-again]:not([hidden])") && line.querySelector("a[href$='/close']"))
        .map((line) => line.querySelector("a").getAttribute("href"));
    if (held) return { at: "board", deal: Number(held.dataset.deal.split(".")[1]), toSettle };
    if (document.querySelector("[data-away]")) return { at: "away" };
    return { at: "else" };
}"""
OWN = r"""() => {
    const board = document.querySelector("#board");
    const numbers = board ? [...board.querySelectorAll(".score-number.provisional")] : [];
    const held = board && board.querySelector("[data-holds]");
    if (!numbers.length || !held || numbers.some((one) => one.dataset.least)) return null;
    const totals = {};
    for (const pill of board.querySelectorAll(".pill[data-side]")) {
        const total = pill.closest(".score-side").querySelector(".score-number");
        const figure = (one) => Number(one.textContent.replace("−", "-"));
        const { carried, settled } = total.dataset;
        // Where taps count at once the number has those of the deal that is played now; the server says the number
        // without them, and behind a deal that was closed here they are what the pill shows.
        totals[pill.dataset.side] = settled === undefined ? figure(total)
            : carried === undefined ? Number(settled) : figure(total) - figure(pill.querySelector("b"));
    }
    return { deal: Number(held.dataset.deal.split(".")[1]), totals };
}"""
"""What a board has added up by itself, where it claims to know all points."""


class Evening(Machine):
    """An evening at one table."""

    def __init__(
        self, browser: BrowserType, args: dict[str, Any], app: str, game: str, seed: str, folder: Path
    ) -> None:
        self.chromium, self.args, self.folder = browser, args, folder
        self.opened = browser.launch(**args)
        super().__init__(self.opened, app, game, seed, folder)
        id = GAMES[game].fields["game"]
        self.setup = Setup(id, CATALOGUE[id]["default_preset"], 3 if game == "carioca" else 2, 1)
        self.deal = 1
        self.writer: Screen
        self.swept: Counter[tuple[int, str]] = Counter()
        self.own: list[tuple[str, int, dict[str, int]]] = []
        self.late: list[Tap] = []
        self.kills = 2
        self.saved_at = 0.0
        self.lacks: dict[tuple[str, int, str, str], float] = {}
        self.piles: dict[int, list[str]] = {}
        self.turns: dict[str, float] = {}
        self.is_gone: dict[str, bool] = {}

    # The table.

    def open(self, stack: ExitStack) -> None:
        """Open the table, and give each phone a browser and a network of its own."""
        stack.callback(self.opened.close)
        self.keeper = self.opened.new_context(base_url=self.app, locale="en")
        self.open_table(GAMES[self.game].fields)
        for name in NAMES[:2]:
            weather = stack.enter_context(Weather(self.app, f"{self.seed} {name}"))
            context = self.switch_on(name, weather)
            screen = Screen(name, context, weather, self.table, context.pages[0])
            stack.callback(lambda one: one.context.close(), screen)
            self._watch(screen)
            self.screens.append(screen)
            self.arrive(screen)
        self.writer = self.random.choice(self.screens)

    def switch_on(self, name: str, weather: Weather) -> BrowserContext:
        """Start the browser of a phone, with all that it had kept."""
        folder = self.folder / f"{self.game}-{self.seed}-{name}"
        look = {"base_url": weather.address, "service_workers": "allow", **PHONE}
        return self.chromium.launch_persistent_context(str(folder), **self.args, **look)

    def arrive(self, screen: Screen) -> None:
        """Open the table on a phone, and wait until the phone can go on without signal."""
        screen.page.goto(self.table)
        everybody = screen.page.get_by_role("button", name="Everybody's")
        if everybody.count():
            everybody.click()
            screen.page.wait_for_url(f"**{self.table}")
        screen.page.wait_for_function("() => Boolean(navigator.serviceWorker.controller)")
        screen.page.reload()
        kept = "(one) => one.startsWith('ahead:') && JSON.parse(localStorage[one]).isKept"
        screen.page.wait_for_function(f"() => Object.keys(localStorage).some({kept})")
        if self.setup.family == "fishing":
            until = time.monotonic() + 20
            while not screen.page.evaluate(
                "async () => (await (await caches.open('pages')).keys()).some(({ url }) => url.includes('as=points'))"
            ):
                assert time.monotonic() < until, "the page for points alone was not kept"
                a_while(screen.page, 100)

    def _watch(self, screen: Screen) -> None:
        super()._watch(screen)
        screen.page.add_init_script(NOTES)

    # What the table tells of each deal.

    def of_deal(self, what: object) -> random.Random:
        """Return what decides about a deal: always the same, whenever it is asked."""
        return random.Random(f"{self.seed} {what}")

    def way(self, deal: int) -> str:
        """Return in which way a deal is closed: each way in turn."""
        ways = GAMES[self.game].ways
        first = self.of_deal("ways").randrange(len(ways))
        return ways[(first + deal) % len(ways)]

    def taker(self, deal: int, item: str) -> str:
        """Return who takes an item; nobody takes what is rare."""
        rare = ("cappotto", "piccola", "grande", "all", "four")
        return "nobody" if item.startswith(rare) else self.of_deal(f"{deal} {item}").choice("AB")

    def number(self, deal: int, side: str, most: int = 6) -> str:
        """Return what is typed for a side."""
        return str(self.of_deal(f"{deal} number {side}").randint(0, most))

    def pile(self, deal: int) -> list[str]:
        """Return the cards that A has taken: of a deal that may have had several sweeps, or none."""
        if deal not in self.piles:
            random = self.of_deal(f"{deal} pile")
            some = ({}, {"sweeps": {"A": MOST_SWEEPS, "B": MOST_SWEEPS}}) if self.setup.family == "fishing" else ({},)
            while True:
                piles = a_deal(self.setup, "A", random)["piles"]
                if all(self.setup.is_settled({"dealer": "A", "piles": piles, **sweeps}) for sweeps in some):
                    break
            self.piles[deal] = sorted(piles["A"])
        return self.piles[deal]

    # What a thumb does next.

    def step(self) -> None:
        """Let the weather turn, or a phone die; else let the phone that writes do its next thing."""
        for screen in self.screens:
            self.turn(screen)
        if self.kills and self.random.random() < 0.02:
            self.kills -= 1
            self.kill(self.writer if self.random.random() < 0.7 else self.other(self.writer))
        elif self.random.random() < 0.04:
            self.reload(self.random.choice(self.screens))
        else:
            for screen in self.screens:
                self.act(screen)

    def turn(self, screen: Screen) -> None:
        """Take the signal of a phone, or give it back, when its time has come."""
        now = time.monotonic()
        if now < self.turns.get(screen.name, 0):
            return
        span = self.random.uniform(*SIGNAL)
        self.turns[screen.name] = now + span
        self.is_gone[screen.name] = not self.is_gone.get(screen.name, False)
        if self.is_gone[screen.name]:
            self.note(f"{screen.name} has no signal for {span:.1f} s")
            screen.weather.go_down(span)

    def kill(self, screen: Screen) -> None:
        """End the browser of a phone, and start it again."""
        self.note(f"{screen.name}'s browser is killed")
        screen.context.close()
        screen.context = self.switch_on(screen.name, screen.weather)
        screen.page = screen.context.pages[0]
        self._watch(screen)
        with suppress(Error):
            screen.page.goto(self.table, wait_until="commit")

    def other(self, screen: Screen) -> Screen:
        """Return the other phone."""
        return next(one for one in self.screens if one is not screen)

    def act(self, screen: Screen) -> None:
        """Do the next thing that the screen in hand asks for."""
        with suppress(Error):
            seen = screen.page.evaluate(LOOK)
            where = seen["at"]
            if where == "board":
                self.on_board(screen, seen)
            elif where == "form":
                if seen["unmarked"] and not self.has_answered(screen, seen["deal"]):
                    self.fail(screen, self.truth, f"{seen['unmarked']} stand in a kept form, not marked")
                self.on_form(screen, seen)
            elif where:
                # No signal, a sheet, a deal that is written already: on to the board.
                screen.page.goto(self.table, wait_until="commit")

    def has_answered(self, screen: Screen, deal: int) -> bool:
        """Say whether the server has judged the closing of a deal for this phone."""
        return any(path.partition("?")[0].endswith(f"/deals/{deal}/close") for _at, _of, path in screen.weather.heard)

    def on_board(self, screen: Screen, seen: dict[str, Any]) -> None:
        """Tap a little, close the deal, or look at what is to settle."""
        if seen["toSettle"]:
            self.note(f"{screen.name} looks at what is to settle: {screen.page.locator('#waiting').text_content()}")
            screen.page.goto(seen["toSettle"][0], wait_until="commit")
            return
        if self.deal > DEALS:
            return
        if screen is not self.writer:
            # Who has the other phone taps too, where that phone shows the deal and has signal.
            if seen["deal"] == self.deal and not screen.weather.is_down and self.random.random() < 0.05:
                before = len(screen.taps)
                self.tap_once(screen)
                self.late += screen.taps[before:]
            return
        if seen["deal"] > self.deal:
            self.note(f"deal {self.deal} is closed")
            self.deal += 1
            # The other phone goes on where it shows the deal to be played.
            told = self.other(screen).read()
            if told and told["deal"].endswith(f".{self.deal}") and self.random.random() < 0.5:
                self.writer = self.other(screen)
        elif seen["deal"] == self.deal and time.monotonic() - self.saved_at > 2:
            # A board that has just come is still that of the deal which was saved.
            if self.random.random() < 0.5:
                self.tap_once(screen)
            else:
                self.press(screen, "#board a.button[href$='/close']", f"closes deal {self.deal}: {self.way(self.deal)}")

    def tap_once(self, screen: Screen) -> None:
        """Tap a zone; no cards make more sweeps than a few."""
        if max(self.swept[self.deal, side] for side in "AB") >= MOST_SWEEPS:
            return
        before = len(screen.taps)
        self.tap(screen)
        for tap in screen.taps[before:]:
            self.swept[self.deal, tap.side] += 1

    def press(self, screen: Screen, selector: str, words: str = "") -> None:
        """Tap what is drawn; where it is gone by then, nothing happens."""
        if words:
            self.note(f"{screen.name} {words}")
        try:
            screen.page.locator(selector).first.tap(timeout=1500)
        except Error as error:
            self.note(f"{screen.name} cannot tap {selector} on {screen.page.url[-40:]}: {str(error)[:200]}")

    def on_form(self, screen: Screen, seen: dict[str, Any]) -> None:
        """Tell the next thing of the deal; where all is told, save it."""
        way = self.way(seen["deal"])
        if way == "points" and not self.game.startswith("pad") and not seen["isBare"]:
            self.press(screen, "a[href*='as=points']")
            return
        tell = getattr(self, f"tell_{way}")
        if self.tell_sweeps(screen, seen) or tell(screen, seen, seen["deal"]):
            return
        if screen is self.writer and (seen["keeps"] or seen["saves"]):
            self.saved_at = time.monotonic()
        if seen["keeps"]:
            self.press(screen, "#close-foot .keeps", f"keeps deal {seen['deal']}")
        elif seen["saves"]:
            self.press(screen, "#close-foot [name=step][value=save]", f"saves deal {seen['deal']}")

    def tell_sweeps(self, screen: Screen, seen: dict[str, Any]) -> bool:
        """Add a sweep that the form does not have yet, because the other phone noted it, or take one back."""
        for side in "AB":
            told = seen["values"].get(f"sweeps-{side}")
            made = self.swept[seen["deal"], side]
            if told and int(told[0] or 0) != made and not seen["waits"]:
                # What waits may be counted in a moment later.
                lack = (screen.name, seen["deal"], side, told[0])
                if self.lacks.setdefault(lack, time.monotonic()) > time.monotonic() - 2:
                    return True
                if screen.page.locator("#the-cards").is_visible():
                    # The cards lie over the numbers.
                    self.press(screen, FOLD_OF_CARDS)
                elif int(told[0] or 0) < made:
                    self.press(screen, f"[name='sweeps-{side}'] ~ .step", f"adds a sweep of {side}")
                else:
                    self.note(f"{screen.name} types {made} sweeps of {side}")
                    field = screen.page.locator(f"[name='sweeps-{side}']")
                    field.fill(str(made), timeout=1500)
                    field.blur(timeout=1500)
                return True
        return False

    def tell_cells(self, screen: Screen, seen: dict[str, Any], deal: int, *, but: tuple[str, ...] = ()) -> bool:
        """Tap a cell of the next row that is not told; say whether there was one."""
        for item in seen["rows"]:
            name = f"award-{item}"
            taker = self.taker(deal, item)
            if item in but or seen["values"].get(name) == [taker] or f"{name}={taker}" not in seen["takers"]:
                continue
            folded = f"#rare-rows:not([open]):has([name='{name}']) > summary"
            is_folded = screen.page.locator(folded).count()
            self.press(screen, folded if is_folded else f".cell:has(input[name='{name}'][value='{taker}'])")
            return True
        return False

    def tell_rest(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Tell the first row, and give all that is left to one side: that saves the deal.

        Where nothing is left, because it was given before and the deal waits for its button, nothing is to tell.
        """
        if self.tell_cells(screen, seen, deal, but=tuple(seen["rows"][1:])):
            return True
        if seen["keeps"] or seen["saves"]:
            return False
        self.saved_at = time.monotonic()
        self.press(screen, f"[name='others'][value='{self.taker(deal, 'others')}']", f"closes the rest of deal {deal}")
        return True

    def tell_winner(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Tap who won the deal."""
        taker = self.taker(deal, "winner")
        if seen["values"].get("winner") == [taker]:
            return False
        self.press(screen, f".cell:has(input[name='winner'][value='{taker}'])")
        return True

    def tell_count(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Type how many cards a side has, and tap the other rows."""
        name, value = "count-cards-A", "27"
        if seen["values"].get(name) != [value]:
            field = screen.page.locator(f"[name='{name}']")
            if not field.is_visible():
                self.press(screen, "#row-cards summary")
                return True
            field.fill(value, timeout=1500)
            field.blur(timeout=1500)
            return True
        return self.tell_cells(screen, seen, deal, but=("cards",))

    def tell_cards(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Tap the cards of a side; all others are the other's."""
        pile = self.pile(deal)
        told = seen["values"].get("pile-A", [])
        if not set(pile) - set(told) and seen["values"].get("rest") == ["B"]:
            if screen.page.locator("#cards-save [value=save]").is_visible():
                self.press(screen, "#cards-save [value=save]")
                return True
            if screen.page.locator("#the-cards").is_visible():
                self.press(screen, FOLD_OF_CARDS)
                return True
            return False
        if not screen.page.locator("#the-cards").is_visible():
            self.press(screen, FOLD_OF_CARDS)
            return True
        for card in pile:
            if card not in told:
                # A person taps several cards in a row.
                self.press(screen, f"#the-cards label:has(input[name='pile-A'][value='{card}'])")
                if self.random.random() < 0.2:
                    return True
        self.press(screen, "#the-cards label:has(input[name='rest'][value='B'])")
        return True

    def type(self, screen: Screen, seen: dict[str, Any], fields: dict[str, str]) -> bool:
        """Type the next digit on the keys of a page; say whether something was left to type."""
        for name, wanted in fields.items():
            has = (seen["values"].get(name) or [""])[0]
            if has == wanted:
                continue
            side = name.rsplit("-", 1)[1]
            if seen["hand"] != side:
                self.press(screen, f".hand[data-side='{side}'] .hand-who")
                return True
            key = wanted[len(has)] if wanted.startswith(has) else "back"
            self.press(screen, f".hand-keys[data-keys=points] [data-type='{key}']")
            return True
        return False

    def tell_points(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Type the points of each side."""
        return self.type(screen, seen, {f"points-{side}": self.number(deal, side) for side in "AB"})

    def tell_round(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Tap who went out, and type what the others have left."""
        out = self.of_deal(f"{deal} out").choice("ABC")
        if seen["values"].get("went_out") != [out]:
            self.press(screen, f".out:has(input[name='went_out'][value='{out}'])")
            return True
        return self.type(
            screen, seen, {f"left_points-{side}": self.number(deal, side, 99) for side in "ABC" if side != out}
        )

    def tell_number(self, screen: Screen, seen: dict[str, Any], deal: int) -> bool:
        """Type the card points of a side; the other's follow."""
        wanted = str(70 if self.taker(deal, "number") == "A" else 41)
        if seen["values"].get("card_points-A") == [wanted]:
            return False
        field = screen.page.locator("[name='card_points-A']")
        field.fill(wanted, timeout=1500)
        field.blur(timeout=1500)
        return True

    # What is seen.

    def check(self, truth: Truth) -> None:
        """Look at every screen, and note what it has added up by itself."""
        super().check(truth)
        self.note_sums()

    def note_sums(self) -> None:
        """Note what each board has added up by itself."""
        for screen in self.screens:
            with suppress(Error):
                own = screen.page.evaluate(OWN)
                if own and (screen.name, own["deal"], own["totals"]) not in self.own:
                    self.own.append((screen.name, own["deal"], own["totals"]))

    def is_true(self, screen: Screen, truth: Truth) -> bool:
        told = screen.read()
        return told is not None and not told["isOwn"] and super().is_true(screen, truth)

    def settle(self, truth: Truth) -> None:
        """Clear the weather, and let the thumbs settle what is to settle; then each screen shows the journal."""
        for screen in self.screens:
            screen.weather.clear()
            with suppress(Error):
                screen.page.evaluate("dispatchEvent(new Event('online'))")
        until = time.monotonic() + 2 * CALM
        while not all(self.is_true(screen, truth) for screen in self.screens):
            if time.monotonic() > until:
                self.fail(self.screens[0], truth, "fair weather did not settle it")
            for screen in self.screens:
                self.act(screen)
            a_while(self.screens[0].page, 300)

    def compare(self, truth: Truth) -> None:
        """Hold the journal against what was told."""
        entries = self.journal()
        ids, kinds = [entry["id"] for entry in entries], [entry["kind"] for entry in entries]
        assert len(ids) == len(set(ids))
        ids_to_settle = "() => scorekeeper.queue.all().filter(({ words }) => words).map(({ id }) => id)"
        closings = self.closings(entries)
        swept = Counter(
            (entry["payload"]["deal"], entry["payload"]["side"]) for entry in entries if entry["kind"] == "swept"
        )
        for screen in self.screens:
            to_settle = screen.page.evaluate(ids_to_settle)
            others = self.not_counted([tap for tap in screen.taps if tap.id not in ids], closings, swept)
            lost = [tap.id for tap in others if tap.id not in to_settle]
            # A tap for a deal that the other phone has just closed is refused, and the page says so.
            if len(lost) > int(screen.page.evaluate("localStorage.getItem('said') || 0")):
                self.fail(screen, truth, f"{lost} are in no journal, and nothing was said")
        tapped = {tap.id for screen in self.screens for tap in screen.taps}
        others = [id for id, kind in zip(ids, kinds, strict=True) if kind == "swept" and id not in tapped]
        assert others == [], "nobody has tapped these"
        versions = [(entry["payload"]["deal"], entry["kind"]) for entry in closings]
        if sorted(versions) != [(deal, "deal_closed") for deal in range(1, DEALS + 1)]:
            self.fail(self.writer, truth, f"the journal has {versions}")
        for entry in closings:
            wrong = self.wrong(entry["payload"]["deal"], entry["payload"]["facts"], swept)
            if wrong:
                self.fail(self.writer, truth, f"{wrong}: the journal has {entry['payload']}")
        self.compare_own(truth, entries)

    def not_counted(
        self, taps: list[Tap], closings: list[dict[str, Any]], swept: Counter[tuple[int, str]]
    ) -> list[Tap]:
        """Return the taps of no journal that no closing has counted either; the others join the sweeps of their deal.

        One is counted by a closing alone where the deal was written before the tap arrived.
        """
        facts = {entry["payload"]["deal"]: entry["payload"]["facts"] for entry in closings}
        others = []
        for tap in taps:
            deal = int(tap.deal.rpartition(".")[2])
            if facts.get(deal, {}).get("sweeps", {}).get(tap.side, 0) > swept[deal, tap.side]:
                swept[deal, tap.side] += 1
            else:
                others.append(tap)
        return others

    def closings(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the closings that count: not those that a correction has taken the place of."""
        voided = {entry["payload"]["entry"] for entry in entries if entry["kind"] == "voided"}
        return [entry for entry in entries if "facts" in entry["payload"] and entry["id"] not in voided]

    def awards(self, deal: int, way: str) -> dict[str, str]:
        """Return who was told to have taken what; of a rest all but the first row is one side's."""
        items = [row.item for row in self.setup.needs.rows if not (way == "count" and row.item == "cards")]
        if way != "rest":
            return {item: self.taker(deal, item) for item in items}
        others = {item: self.taker(deal, "others") for item in items if self.taker(deal, item) != "nobody"}
        return {**dict.fromkeys(items, "nobody"), **others, items[0]: self.taker(deal, items[0])}

    def wrong(self, deal: int, facts: dict[str, Any], swept: Counter[tuple[int, str]]) -> str:
        """Say what of a deal is not in the journal as it was told; nothing where all is."""
        way = self.way(deal)
        told: dict[str, Any] = {}
        if way in ("cells", "count", "rest"):
            awards = self.awards(deal, way)
            facts = {**facts, "awards": {item: facts["awards"].get(item) or "nobody" for item in awards}}
            told = {"awards": awards}
            if way == "count":
                told["counts"] = {"A": {"cards": 27}, "B": {"cards": 13}}
        elif way == "points":
            told = {"points": {side: int(self.number(deal, side)) for side in "AB"}}
        elif way == "winner":
            told = {"awards": {"game_point": self.taker(deal, "winner")}}
        elif way == "number":
            told = {"card_points": {"A": 70, "B": 50} if self.taker(deal, "number") == "A" else {"A": 41, "B": 79}}
        elif way == "cards":
            facts = {"A": sorted(facts.get("piles", {}).get("A", []))}
            told = {"A": self.pile(deal)}
        elif way == "round":
            out = self.of_deal(f"{deal} out").choice("ABC")
            told = {
                "went_out": out,
                "left_points": {side: int(self.number(deal, side, 99)) for side in "ABC" if side != out},
            }
        if way not in ("points", "cards") and self.setup.family == "fishing":
            told["sweeps"] = {side: swept[deal, side] for side in "AB"}
        return "".join(f"{name}: {told[name]} was told" for name in told if facts.get(name) != told[name])

    def compare_own(self, truth: Truth, entries: list[dict[str, Any]]) -> None:
        """Hold what the boards had added up by themselves against the engine's sums of the same deals."""
        setup = entries[0]["payload"]["setup"]
        closings = sorted((entry["payload"] for entry in self.closings(entries)), key=lambda one: int(one["deal"]))
        sums = [Counter[str]()]
        request = {name: setup[name] for name in ("game", "options")}
        request["sides"] = [side["label"] for side in setup["sides"]]
        for closing in closings:
            points = rules.score({**request, "deal": {"dealer": "A", **closing["facts"]}})["points"]
            sums.append(Counter({side: sums[-1][side] + number for side, number in points.items()}))
        for name, deal, totals in self.own:
            # What the other phone has noted of a deal comes with the signal.
            if {side: sums[deal - 1][side] for side in totals} != totals and not self.was_late(deal, entries):
                self.fail(
                    self.writer, truth, f"{name} had added up {totals} before deal {deal}, and it is {sums[deal - 1]}"
                )

    def was_late(self, deal: int, entries: list[dict[str, Any]]) -> bool:
        """Say whether the phone that did not write has noted something before a deal."""
        own = {tap.id for tap in self.late}
        return any(entry["id"] in own and entry["payload"]["deal"] < deal for entry in entries)

    def run(self) -> None:
        """Play five deals, and hold the journal against what was told."""
        with ExitStack() as stack:
            self.open(stack)
            self.truth = stack.enter_context(Truth(self.app, self.table.rsplit("/", 1)[1]))
            for screen in self.screens:
                screen.weather.begin()
            until = time.monotonic() + PATIENCE
            while self.deal <= DEALS:
                if time.monotonic() > until:
                    self.fail(self.writer, self.truth, f"deal {self.deal} came to no end")
                self.step()
                a_while(self.screens[0].page, self.random.choice((20, 60, 200)))
                self.check(self.truth)
            self.settle(self.truth)
            self.compare(self.truth)
            for screen in self.screens:
                assert screen.errors == [], screen.errors


def main() -> int:
    """Make evenings with seeds of their own, and say what they found."""
    options = argparse.ArgumentParser(prog="python -m tests.browser.evening", description=main.__doc__)
    options.add_argument("--runs", type=int, default=6, help="how many evenings, the games in turn")
    options.add_argument("--seed", help="the seed of the only evening")
    options.add_argument("--game", choices=GAMES, help="the only game")
    chosen = options.parse_args()
    faults = 0
    folder = Path(tempfile.mkdtemp(prefix="evening-"))
    with serving(folder) as app, sync_playwright() as playwright:
        for turn in range(1 if chosen.seed else chosen.runs):
            game = chosen.game or list(GAMES)[turn % len(GAMES)]
            seed = chosen.seed or secrets.token_hex(3)
            began = time.monotonic()
            try:
                Evening(playwright.chromium, {"executable_path": find()}, app, game, seed, folder).run()
                print(f"{game}, seed {seed}: all is so, {time.monotonic() - began:.0f} s", flush=True)
            except AssertionError as fault:
                faults += 1
                print(fault, flush=True)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
