"""Every page with names of forty letters, laid out by WebKit: nothing scrolls sideways, and no word is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright
from selenium.webdriver.remote.webdriver import WebDriver

from ..browser.chromium import find
from ..browser.room import LONG_NAMES, SIZES, STICKS_OUT
from ..browser.test_accessibility import screens
from ..helpers.pictures.studio import Studio
from .frozen import FREEZE, State, in_frames
from .window import Window

IN_FRAMES = f"return [...document.querySelectorAll('iframe')].map((one) => ({STICKS_OUT})(one.contentWindow))"


@pytest.fixture
def engine() -> str:
    """The engine that lays out what Chromium was led to."""
    return "webkit"


def frozen(server: str, folder: Path) -> list[State]:
    """Return the markup of every screen, once for each size."""
    states = []
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find())
        phone = Studio(chromium, chromium, server, folder).phone()
        for name in screens(phone, LONG_NAMES):
            phone.rest()
            markup = phone.page.evaluate(FREEZE)
            states += [State(f"{name}, {told}", SIZES[told], markup) for told in ("narrow", "letters of double size")]
        chromium.close()
    return states


def test_every_page_has_room_in_webkit(driver: WebDriver, server: str, tmp_path: Path) -> None:
    states = frozen(server, tmp_path)
    found: dict[str, list[str]] = {}
    driver.switch_to.default_content()
    with Window(server) as opened:
        for some, address in in_frames(states, opened):
            driver.get(address)
            told = driver.execute_script(IN_FRAMES)
            found |= {state.name: each for state, each in zip(some, told, strict=True) if each}
    assert not found, "\n" + "\n".join(f"{name}: {'; '.join(each)}" for name, each in found.items())
