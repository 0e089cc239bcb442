"""A thumb on a phone of another engine: it taps what is drawn, and waits for what is seen, never for time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from .window import Window

T = TypeVar("T")
PHONE = (360, 640)
PATIENCE = 30
"""Seconds after which what does not appear is missed."""
BREATH = 0.05
"""Seconds between two looks at the screen."""
LOOKS = 10
"""How often a board looks the same before it stands still."""
FIND = """
const [selector, words] = arguments;
const said = (element) => (element.getAttribute("aria-label") || element.innerText || "").replace(/\\s+/g, " ").trim();
return [...document.querySelectorAll(selector)].find((element) => {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const isDrawn = box.width > 1 && box.height > 1 && style.visibility === "visible";
  return isDrawn && (!words || said(element).startsWith(words));
}) || null;
"""
"""The first element that is drawn, whose name begins with these words."""
REACH = """
const [element] = arguments;
const free = () => {
  const box = element.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return top && (element.contains(top) || top.contains(element) && top.matches("label"));
};
if (!free()) element.scrollIntoView({ block: "center" });
return free();
"""
"""Bring an element where a thumb can reach it; say whether it does."""
NAMES = "a, button, summary, label, [role=button]"


class Thumb:
    """The gestures of a table on a page in the frame of a window."""

    def __init__(self, driver: WebDriver, window: Window) -> None:
        self.driver, self.window = driver, window

    def open(self, path: str, size: tuple[int, int] = PHONE) -> None:
        """Open a page of the app in a fresh frame."""
        self.driver.switch_to.default_content()
        self.driver.get(self.window.frame(path.removeprefix(self.window.address), *size))
        self.driver.switch_to.frame(0)

    def run(self, script: str, *told: Any) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(script, *told)

    def until(self, look: Callable[[], T], what: str) -> T:
        """Look until there is something to be seen, and return it. A page that is just leaving is looked at again."""
        end = time.monotonic() + PATIENCE
        trouble = ""
        while True:
            try:
                if seen := look():
                    return seen
                trouble = ""
            except WebDriverException as error:
                trouble = f": {error.msg}"
            assert time.monotonic() < end, f"not seen: {what}{trouble}\n{self.words()}"
            time.sleep(BREATH)

    def find(self, selector: str, words: str = "") -> WebElement | None:
        """Return the first drawn element of a selector whose name begins with these words; None where there is none."""
        found: WebElement | None = self.run(FIND, selector, words)
        return found

    def see(self, selector: str, words: str = "") -> WebElement:
        """Wait until an element is drawn, and return it."""
        return self.until(lambda: self.find(selector, words), f"{selector} {words}".strip())

    def miss(self, selector: str, words: str = "") -> None:
        """Wait until no such element is drawn."""
        self.until(lambda: not self.find(selector, words), f"no {selector} {words}".strip())

    def tap(self, selector: str, words: str = "") -> None:
        """Tap what is drawn, once a thumb reaches it."""

        def tapped() -> bool:
            target = self.find(selector, words)
            if not target or not self.run(REACH, target):
                return False
            try:
                target.click()
            except (
                ElementClickInterceptedException,
                ElementNotInteractableException,
                # It was drawn anew before the engine could tap it.
                StaleElementReferenceException,
            ):
                return False
            except WebDriverException:
                return True  # The tap has drawn the page anew before the engine could say that it was made.
            return True

        self.until(tapped, f"to tap: {selector} {words}".strip())

    def press(self, words: str) -> None:
        """Tap a button or a link by its name."""
        self.tap(NAMES, words)

    def write(self, selector: str, text: str) -> None:
        """Write into a field, in place of what it has."""
        field = self.see(selector)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", field)
        field.clear()
        field.send_keys(text)

    def reload(self) -> None:
        """Load the page anew, and wait until it is there."""
        self.run("window.isOld = true; location.reload();")
        self.until(
            lambda: self.run(
                "return !window.isOld && document.readyState === 'complete' && !!document.body.children.length"
            ),
            "the page anew",
        )

    def is_told(self, words: str) -> None:
        """Wait until the page says these words."""
        self.until(lambda: words in self.words(), f"“{words}”")

    def words(self) -> str:
        """Return what the page says, in one line."""
        return " ".join(str(self.run("return document.body ? document.body.innerText : ''")).split())

    def path(self) -> str:
        """Return where the page is."""
        return str(self.run("return location.pathname + location.search"))

    def totals(self) -> list[str]:
        """Return the totals that the page shows."""
        found: list[str] = self.run(
            "return [...document.querySelectorAll('.score-number')].map((one) => one.innerText.trim())"
        )
        return found

    def sweeps(self, side: str) -> int:
        """Return the sweeps of a side in this deal, as its zone shows them; those that wait included."""
        return int(
            self.run(
                "const { shown, made } = document.querySelector(`.sweep[value='${arguments[0]}'] .dots`).dataset;"
                "return Number(shown ?? made);",
                side,
            )
        )

    def sweep(self, side: str) -> None:
        """Note a sweep, and wait until the zone shows it."""
        self.settle()
        before = self.sweeps(side)
        self.tap(f".sweep[value='{side}']")
        self.until(lambda: self.sweeps(side) == before + 1, f"{before + 1} sweeps of {side}")

    def settle(self) -> None:
        """Wait until the board stands still: one that has just changed under the thumb takes no tap."""
        seen: list[str] = []

        def still() -> bool:
            is_ready = self.run("return window.tapsAreHeld === false && !!document.querySelector('.sweep')")
            seen.append(self.run("return document.body.innerHTML") if is_ready else str(len(seen)))
            return len(set(seen[-LOOKS:])) == 1 and len(seen) >= LOOKS

        self.until(still, "a board that stands still")

    def say(self, item: str, taker: str) -> None:
        """Tap a cell of the closing, and wait until it is taken in: chosen, or the deal is saved with it."""
        chosen = f"[name='award-{item}'][value='{taker}']"
        folded = f"#rare-rows:not([open]):has([name='award-{item}']) > summary"
        if self.run("return Boolean(document.querySelector(arguments[0]))", folded):
            self.tap(folded)
        self.tap(f".cell:has({chosen})")
        self.until(
            lambda: "saved=1" in self.path() or self.run("return document.querySelector(arguments[0]).checked", chosen),
            f"{item} to {taker}",
        )

    def start(self, *names: str, game: str = "") -> str:
        """Open a table for two players, and return its path."""
        self.open(f"/tables/new?game={game}&shape=2x1" if game else "/tables/new")
        for seat, name in enumerate(names):
            self.write(f"#player-{seat}", name)
        self.press("Start")
        self.see(".score-number")
        self.until(lambda: self.path().startswith("/t/"), "the table")
        return self.path()
