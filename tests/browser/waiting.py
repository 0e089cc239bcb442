"""Waiting for what a person sees: a page at rest, another page, an answer drawn, what the phone keeps.

Where a page is read at once (``evaluate``, ``count``, ``all_inner_texts`` …) right after a tap, the read may fall into
the middle of a navigation, or see what was there before; on a busy machine it does. A test waits for one of these
first, or for what it expects to be seen; ``tests/house/test_browser_waits.py`` finds what does not.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Error, Locator, Page

PATIENCE = 60_000
"""Milliseconds after which a test gives up waiting. A machine that does much else at the same time is only slow."""
NOTES = """(() => {
    let click = null;
    addEventListener("click", (event) => { [window.wasTapped, window.wasHeard, click] = [true, false, event]; }, true);
    addEventListener("click", () => { window.wasHeard = true; });
    window.wasHeld = () => window.wasTapped && !window.wasHeard && click.defaultPrevented;
    const leaves = () => {
        window.isLeft = true;
        // A file that is taken, and a page that asks to stay, leave the page where it is.
        setTimeout(() => { window.isLeft = false; }, 10_000);
    };
    addEventListener("beforeunload", leaves);
    // A tap before the phone has read what it keeps would be queued behind that, and not posted at once.
    addEventListener("load", async () => {
        window.isTakenUp = false;
        await window.scorekeeper?.queue?.firstRead;
        window.isTakenUp = true;
    });
    addEventListener("submit", (event) => { if (!event.defaultPrevented) leaves(); });
})()"""
"""What each page of a phone notes of itself: that a tap has arrived, whether it was held back because what it hit had
just moved, that the page is being left for another, and that its scripts know what the phone keeps."""
AT_REST = """document.readyState === "complete" && window.isTakenUp !== false && !window.isLeft
    && !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")"""
"""Whether a page has all its scripts, is not being left, and no request of it is under way or being drawn."""
STILL = f"{AT_REST} && !document.querySelector(':active') && !document.getAnimations().length"
"""Whether nothing is pressed or moves either: a zone gives way under the thumb, and comes back."""
LEFT = re.compile("context was destroyed|Cannot find context|because of a navigation|frame was detached")
"""What a read says that fell into a navigation."""


def _function(page: Page, expression: str) -> None:
    # As a function: a bare expression is evaluated anew each time, which our pages forbid.
    page.wait_for_function(f"() => {expression}", timeout=PATIENCE)


def rest(page: Page) -> None:
    """Wait until the page is loaded, its scripts have taken it up, and what was asked for is drawn."""
    _function(page, AT_REST)


def stand_still(page: Page) -> None:
    """Wait until the page is at rest and nothing on it moves, so that places can be measured."""
    _function(page, STILL)


def tap(target: Locator) -> None:
    """Tap, and wait until the page has done what it does then: has led to another page, or has drawn the answer.

    A touch has come to its end before the page hears of a tap, and a navigation begins later still. A page takes no tap
    on what news have just moved: a person taps again.
    """
    page = target.page
    end = time.monotonic() + PATIENCE / 1000
    is_held = True
    while is_held:
        assert time.monotonic() < end, "the page took no tap"
        target.wait_for(timeout=PATIENCE)
        rest(page)
        read(page, "window.wasTapped = false")
        target.tap()
        _function(page, f"window.wasTapped !== false && {AT_REST}")
        is_held = read(page, "window.wasHeld ? window.wasHeld() : false")


@contextmanager
def drawn(page: Page, path: str) -> Iterator[None]:
    """Wait until what is done within was answered from an address of this pattern, and the answer is drawn."""
    with page.expect_response(path, timeout=PATIENCE):
        yield
    rest(page)


def read(page: Page, expression: str) -> Any:
    """Return what the page answers, once it answers: a read that falls into a navigation is made again."""
    until = time.monotonic() + PATIENCE / 1000
    while True:
        try:
            return page.evaluate(expression)
        except Error as error:
            if not LEFT.search(str(error)) or time.monotonic() > until:
                raise
            page.wait_for_load_state("load")


def until(page: Page, expression: str) -> None:
    """Wait until the page says yes, also to what it has to look up first: what it keeps, its service worker."""
    end = time.monotonic() + PATIENCE / 1000
    while not read(page, expression):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


def happens(page: Page, has_happened: Callable[[], object]) -> None:
    """Wait until something has happened beside the page: a request has come in, a dialog was shown."""
    end = time.monotonic() + PATIENCE / 1000
    while not has_happened():
        assert time.monotonic() < end, "it did not happen"
        page.wait_for_timeout(20)


def a_while(page: Page, milliseconds: int) -> None:
    """Let time pass in which something must not happen, or in which a person does nothing.

    Never wait so for what is to come: a slow machine needs longer. For what must not come it proves less there, and
    does not fail.
    """
    page.wait_for_timeout(milliseconds)
