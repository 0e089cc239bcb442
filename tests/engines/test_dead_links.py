"""Links that open nothing in other engines: up to the brake, and those of a server that lost its secret."""

from __future__ import annotations

from pathlib import Path
from secrets import token_urlsafe

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from .test_evening import App
from .thumb import Thumb
from .window import Window


def test_wrong_links_are_answered_up_to_the_brake_and_the_right_one_beyond_it(
    driver: WebDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_WRONG_KEYS", "3")
    with App(tmp_path) as app, Window(app.address) as opened:
        thumb = Thumb(driver, opened)
        table = thumb.start("Ana", "Beto")
        for _turn in range(3):
            thumb.open(f"/t/{token_urlsafe(16)}")
            thumb.is_told("This link is dead")
        for _turn in range(3):
            thumb.open(f"/t/{token_urlsafe(16)}")
            thumb.is_told("The right one opens all the same.")
        thumb.write("#link", f"{app.address}{table}")
        thumb.press("Open")
        thumb.see(".score-number")


def test_an_owner_whose_server_lost_its_secret_makes_a_new_link_and_plays(driver: WebDriver, tmp_path: Path) -> None:
    with App(tmp_path) as app, Window(app.address) as opened:
        thumb = Thumb(driver, opened)
        table = thumb.start("Ana", "Beto")
        thumb.open(f"{table}/owner")
        owner = thumb.run("return arguments[0].value", thumb.see("#link-owner")).partition("/o/")[2]
        app.stop()
        (tmp_path / "secret_key").unlink()
        app.start()
        thumb.open(f"/o/{owner}")
        thumb.is_told("Links that cannot be shown")
        thumb.open("/")
        thumb.press("A new link to play")
        thumb.see("#lost-links")
        thumb.press("A new link to play")
        thumb.press("Make the new link")
        thumb.is_told("The new link is here")
        thumb.open("/")
        thumb.press("Go on playing")
        thumb.see(".score-number")
