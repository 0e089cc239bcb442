"""In bad weather every screen shows what is so, or says since when it is; in the end all show the journal."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from .weather import run

SECONDS = 10


@pytest.mark.whole
def test_every_screen_shows_what_is_so(browser: Browser, server: str, tmp_path: Path) -> None:
    run(browser, server, "chorizo", "first", SECONDS, tmp_path)
