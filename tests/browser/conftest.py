"""A real server, started as a person starts it, and a phone-sized Chromium in front of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from ..helpers.reading import form_of
from ..helpers.serving import serving
from .chromium import find
from .waiting import NOTES, PATIENCE, drawn, rest, tap

expect.set_options(timeout=PATIENCE)

PICTURES = count(1)
NOTICED = 700
"""Milliseconds after which a person has seen what has changed on a page."""
MEANT = r"net::ERR_(FAILED|INTERNET_DISCONNECTED)|htmx:(sendAbort|sendError|afterRequest)"
"""What the browser and htmx say of a request that was given up for a newer one, or that a test cut."""
PHONE = {"width": 360, "height": 640}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its database and its log."""
    return tmp_path_factory.mktemp("instance")


@pytest.fixture(scope="session")
def server(server_folder: Path) -> Iterator[str]:
    """The app served by ``scorekeeper serve`` on a database of its own; yields its address."""
    with serving(server_folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    executable = find()
    assert executable, "No Chromium: run 'make browser', which finds one or says what is missing."
    return {**browser_type_launch_args, "executable_path": executable}


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], server: str) -> dict[str, Any]:
    return {
        **browser_context_args,
        "base_url": server,
        "viewport": PHONE,
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
        "locale": "en",
        # A page that is slow to come would be shown as it was seen before; that has tests of its own.
        "service_workers": "block",
    }


@pytest.fixture
def phone(page: Page) -> Iterator[Phone]:
    """A phone whose pages must raise no script error and overflow no edge."""
    phone = Phone(page)
    yield phone
    phone.put_away()
    assert phone.errors == [], phone.errors


@pytest.fixture
def another_phone(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[[], Phone]]:
    """Gives further phones, each with cookies of its own; their pages must raise no script error either."""
    phones: list[Phone] = []

    def take() -> Phone:
        phones.append(Phone(browser.new_context(**browser_context_args).new_page()))
        return phones[-1]

    yield take
    for phone in phones:
        phone.put_away()
        phone.page.context.close()
        assert phone.errors == [], phone.errors


@pytest.fixture
def other(another_phone: Callable[[], Phone]) -> Phone:
    """A second phone at the table."""
    return another_phone()


@pytest.fixture
def third(another_phone: Callable[[], Phone]) -> Phone:
    """A third phone at the table."""
    return another_phone()


def screens(at: str, *phones: Phone) -> None:
    """Look at the screens of all phones, as everybody at the table does after each step."""
    for number, phone in enumerate(phones, 1):
        phone.look(f"{at}-{number}")


class Phone:
    """A thumb on a phone: the gestures of a table, told by what is written on the screen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        # The statuses of what is an answer: a form refused, and what a test adds.
        self._answers = [409, 422, 423]
        page.set_default_timeout(PATIENCE)
        page.add_init_script(NOTES)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self._note(message.text))

    def _note(self, text: str) -> None:
        statuses = "|".join(map(str, self._answers))
        if not re.search(rf"(status of|Status Error Code) ({statuses})|{MEANT}", text):
            self.errors.append(text)

    def put_away(self) -> None:
        """End the phone's part in the test: what it still asks of a route that the test has laid answers nobody."""
        if not self.page.is_closed():
            self.page.unroute_all(behavior="ignoreErrors")

    def may_get(self, status: int) -> None:
        """Take answers with this status for answers, now and as often as the page asks, also after the last look."""
        self._answers.append(status)

    def start(self, *names: str, **fields: str) -> str:
        """Open a table for these players and return its address."""
        self.page.goto("/tables/new")
        for name, value in fields.items():
            self.rest()
            control = self.page.locator(f"[name='{name}']").first
            for fold in self.page.locator(f"details:not([open]):has([name='{name}'])").all():
                fold.locator("summary").first.tap()
                self.rest()
            if control.evaluate("element => element.type") == "radio":
                self.page.locator(f"[name='{name}'][value='{value}']").tap()
            elif control.input_value() != value:
                # A choice draws the form anew; what is chosen already is not chosen again while that goes on.
                with drawn(self.page, "**/tables/new"):
                    control.select_option(value)
        if "shape" in fields:
            self.page.locator(f"#player-{len(names) - 1}").wait_for()
        self.rest()
        for seat, name in enumerate(names):
            self.page.fill(f"#player-{seat}", name)
        tap(self.page.get_by_role("button", name="Start", exact=True))
        expect(self.page).to_have_url(re.compile(r"/t/[^/]+$"))
        return self.page.url

    def open_table(self, *names: str, typed: Mapping[str, str] = MappingProxyType({}), **fields: str) -> str:
        """Open a table as ``start`` does, by one post of its form: where to start is not what a test is about.

        ``fields`` are the game, its preset and the line-up, and ``typed`` is what is filled in beside.
        """
        page = self.page.request.get(f"/tables/new?{urlencode(fields)}")
        data = form_of(page.text(), "agree")
        for seat, name in enumerate(names):
            data[f"player-{seat}"] = name
        assert f"player-{len(names)}" not in data, "a seat has nobody"
        for name, value in {**typed, "step": "save"}.items():
            data.setlist(name, [value])
        origin = page.url.partition("/tables")[0]
        answer = self.page.request.post(
            "/tables/new",
            data=urlencode(list(data.items(multi=True))),
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": origin},
            max_redirects=0,
        )
        assert answer.status == 303, answer.text()
        self.page.goto(answer.headers["location"])
        self.rest()
        return self.page.url

    def join(self, table: str, holder: str = "Everybody's") -> None:
        """Open the play link of a table that another phone has opened, and say who holds this one.

        A phone that was asked before is not asked again.
        """
        self.page.goto(table)
        asked = self.page.get_by_role("heading", name="Who holds this phone?")
        expect(asked.or_(self.page.get_by_role("list", name="Score")).first).to_be_visible()
        if asked.is_visible():
            tap(self.page.get_by_role("button", name=re.compile(rf"^{re.escape(holder)}(?!\w)")))
            expect(self.page.get_by_role("list", name="Score")).to_be_visible()

    def rest(self) -> None:
        """Wait until the page is loaded and nothing on it is under way."""
        rest(self.page)

    def press(self, words: str) -> None:
        """Press a button, and wait until the page has taken it in."""
        tap(self.page.get_by_role("button", name=words).first)

    def follow(self, words: str) -> None:
        """Follow a link to its page."""
        tap(self.page.get_by_role("link", name=words).first)

    def totals(self) -> list[str]:
        self.rest()
        return self.page.locator(".score-number").all_inner_texts()

    def sweeps(self, side: str) -> int:
        """Return how many sweeps of a side the board shows: as little cards, or as a number."""
        shown = self.page.locator(f".sweep[value='{side}'] .dots").first
        text = shown.inner_text().strip()
        return int(text.lstrip("× ")) if text else shown.locator("i").count()

    def sweep(self, side: str) -> None:
        self.rest()
        before = self.sweeps(side)
        self.page.locator(f".sweep[value='{side}']").first.tap()
        shown = self.page.locator(f".sweep[value='{side}'] .dots").first
        if before < 5:
            expect(shown.locator("i")).to_have_count(before + 1)
        else:
            expect(shown).to_have_text(f"× {before + 1}")
        # It is shown at once; the answer draws the board anew, and a menu that was opened meanwhile is folded again.
        self.rest()

    def declare(self, side: str, *cards: str) -> str:
        """Declare three cards and return what the page said they score before it was pressed."""
        self.follow("Declare")
        self.page.locator(f"[name='side'][value='{side}']").tap()
        for card in cards:
            self.page.locator(f"[name='cards'][value='{card}']").tap()
        button = self.page.locator("#worth .gold")
        button.wait_for()
        told = self.page.locator("#worth b").inner_text()
        tap(button)
        self.page.locator(".log").wait_for()
        return told

    def say(self, item: str, taker: str) -> None:
        """Tap a cell of the winner grid and wait until the page has taken it in; a rare item is in a fold."""
        fold = self.page.locator(f"#rare-rows:not([open]):has([name='award-{item}']) > summary")
        if fold.count():
            fold.tap()
        with drawn(self.page, "**/close"):
            self.page.locator(f"[name='award-{item}'][value='{taker}']").tap()

    def count(self, kind: str, side: str, number: int) -> None:
        """Open a row and type a count."""
        field = self.page.locator(f"#count-{kind}-{side}")
        if not field.is_visible():
            self.page.locator(f"details:has(#count-{kind}-{side}) > summary").tap()
        field.fill(str(number))
        with drawn(self.page, "**/close"):
            field.blur()

    def wait_for_sheet(self) -> None:
        expect(self.page).to_have_url(re.compile(r"saved=1"))
        self.rest()

    def fits(self) -> bool:
        """Say whether the page, once it is at rest, is no wider than the screen."""
        self.rest()
        # A phone shows a page that is too wide smaller, so its window is then as wide as the page.
        return bool(
            self.page.evaluate("(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.documentElement)")
        )

    def look(self, at: str) -> None:
        """Look at the screen: it must fit and have raised no error. Keep a picture of it where ``SCREENS`` says so."""
        folder = os.environ.get("SCREENS")
        if folder:
            self.page.screenshot(path=Path(folder) / f"{next(PICTURES):03}-{os.getpid()}-{at}.png", full_page=True)
        assert self.fits(), f"wider than the screen: {at}"
        assert self.errors == [], self.errors
