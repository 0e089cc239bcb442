"""Where pictures of the pages are taken: a browser on a server of its own, light and dark, small and large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

from playwright.sync_api import Browser, Page

from ...browser.conftest import PHONE, Phone

Scheme: TypeAlias = Literal["light", "dark"]
Size: TypeAlias = tuple[int, int]
THEMES: tuple[Scheme, ...] = ("light", "dark")
UPRIGHT, NARROW, SHORT, SIDEWAYS, TABLET, TELEVISION = (
    (360, 640),
    (320, 640),
    (360, 568),
    (640, 360),
    (768, 1024),
    (1280, 720),
)
LARGE = ["--blink-settings=defaultFontSize=32"]
"""What a browser is started with whose letters have double size."""
PLAYERS = ("Ana", "Beto", "Leo", "Cata")
PATIENCE = 8000
"""Milliseconds after which a page that does not get there is given up."""
DRAWN = 350
"""Milliseconds until what moves on a page is still."""
DEALS: tuple[dict[str, str], ...] = (
    {"cards": "A", "coins": "A", "seven_of_coins": "B", "two_of_clubs": "A", "prime": "B"},
    {"cards": "B", "coins": "A", "seven_of_coins": "B", "two_of_clubs": "B", "prime": "A"},
    {"cards": "B", "coins": "A", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "nobody"},
    {"cards": "B", "coins": "nobody", "seven_of_coins": "A", "two_of_clubs": "B", "prime": "A"},
)
"""The deals of an evening, by who won each line."""


class Studio:
    """Gives phones, plays the evening whose pages are taken, and takes them."""

    def __init__(self, browser: Browser, large: Browser, address: str, folder: Path) -> None:
        """Take pictures into ``folder``; ``large`` is a browser whose letters have double size."""
        self._browser, self._large = browser, large
        self._address, self._folder = address, folder
        self.taken: list[str] = []
        self.open: list[Phone] = []

    def phone(self, cookies: Sequence[Any] = (), *, large: bool = False, **options: Any) -> Phone:
        """Return a phone, with the cookies of another one where it is to be the same person's."""
        context = (self._large if large else self._browser).new_context(
            **{
                "base_url": self._address,
                "viewport": PHONE,
                "device_scale_factor": 2,
                "is_mobile": True,
                "has_touch": True,
                "locale": "en",
                "service_workers": "block",
                **options,
            }
        )
        context.add_cookies(list(cookies))
        phone = Phone(context.new_page())
        phone.page.set_default_timeout(PATIENCE)
        self.open.append(phone)
        return phone

    def again(self, phone: Phone, **options: Any) -> Phone:
        """Return the same person's phone afresh: it remembers who holds it, but no half-filled form."""
        return self.phone(phone.page.context.cookies(), **options)

    def put_away(self) -> None:
        """Close the phones that a picture took."""
        for phone in self.open:
            if phone is not self._host:
                phone.page.context.close()
        self.open = [phone for phone in self.open if phone is self._host]

    _host: Phone | None = None

    @cached_property
    def table(self) -> str:
        """The table of the evening: Chorizo, two against two, in its fifth deal."""
        self._host = self.phone()
        table = self._host.start(*PLAYERS, shape="2x2")
        for deal in DEALS:
            self._host.sweep("A")
            self.close(self._host, deal)
            self._host.page.goto(table)
        self._host.sweep("A")
        self._host.sweep("A")
        self._host.sweep("B")
        return table

    def at(self, path: str = "", **options: Any) -> Phone:
        """Return a phone of the evening at a page of its table."""
        table = self.table
        assert self._host is not None
        phone = self.again(self._host, **options)
        phone.page.goto(table + path)
        phone.page.wait_for_load_state("networkidle" if path.endswith("/close") else "load")
        return phone

    def close(self, phone: Phone, deal: dict[str, str]) -> None:
        """Close a deal by who won each line; the last line saves it."""
        phone.follow("Close the deal")
        phone.page.wait_for_load_state("networkidle")
        *lines, (last, taker) = deal.items()
        for item, winner in lines:
            phone.say(item, winner)
        phone.page.locator(f"[name='award-{last}'][value='{taker}']").tap()
        phone.wait_for_sheet()

    def take(
        self,
        phone: Phone,
        name: str,
        *sizes: Size,
        themes: tuple[Scheme, ...] = THEMES,
        whole: bool = False,
        forced: bool = False,
    ) -> None:
        """Take the page as it is, in each theme and size; ``whole`` is the page down to its end."""
        page = phone.page
        for width, height in sizes or (UPRIGHT,):
            page.set_viewport_size({"width": width, "height": height})
            for theme in themes:
                page.emulate_media(color_scheme=theme, forced_colors="active" if forced else "none")
                page.wait_for_timeout(DRAWN)
                size = "" if (width, height) == UPRIGHT else f"-{width}x{height}"
                self._shoot(page, f"{name}{size}{'-forced' if forced else ''}-{theme}", whole=whole)
        page.emulate_media(color_scheme="light", forced_colors="none")
        page.set_viewport_size({"width": UPRIGHT[0], "height": UPRIGHT[1]})

    def _shoot(self, page: Page, name: str, *, whole: bool) -> None:
        page.screenshot(path=self._folder / f"{name}.png", full_page=whole)
        self.taken.append(name)

    def spanish(self, phone: Phone, name: str, *sizes: Size) -> None:
        """Take the page that the phone is at in Spanish too, whose words are longer; for pages that need no tap."""
        told = self.again(phone, locale="es-AR")
        told.page.goto(phone.page.url)
        self.take(told, f"{name}-es", *sizes, themes=("light",))

    def failed(self, name: str) -> None:
        """Keep what the phone last used shows, for whoever asks why a picture is missing."""
        if self.open and self.open[-1] is not self._host:
            self._shoot(self.open[-1].page, f"failed-{name}", whole=False)


Picture: TypeAlias = Callable[[Studio], None]
PICTURES: dict[str, Picture] = {}


def picture(taking: Picture) -> Picture:
    """Register a function that takes pictures, under its name."""
    PICTURES[taking.__name__] = taking
    return taking
