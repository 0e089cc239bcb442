"""In bad weather every screen shows what is so, or says since when it is; in the end all show the journal."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .weather import run

SECONDS = 10


@pytest.mark.whole
@pytest.mark.parametrize("game", ["chorizo", *(pytest.param(game, marks=pytest.mark.whole) for game in ("carioca",))])
def test_every_screen_shows_what_is_so(browser: Browser, server: str, tmp_path: Path, game: str) -> None:
    run(browser, server, game, "first", SECONDS, tmp_path)
