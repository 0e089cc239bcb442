"""An evening of five deals on two phones that lose and find signal at random: all that was told is written, once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserType

from .evening import Evening

pytestmark = pytest.mark.whole

GAMES = ("chorizo", "carioca")


@pytest.mark.parametrize("game", GAMES)
def test_an_evening_is_written_as_it_was_told(
    browser_type: BrowserType, browser_type_launch_args: dict[str, Any], server: str, tmp_path: Path, game: str
) -> None:
    Evening(browser_type, browser_type_launch_args, server, game, "first", tmp_path).run()
