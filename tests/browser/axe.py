"""What axe finds wrong with a page: in light all that it knows, in dark what colours alone can make wrong."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]
LOOKS: dict[Literal["light", "dark"], dict[str, Any]] = {
    "light": {"resultTypes": ["violations"]},
    "dark": {"resultTypes": ["violations"], "runOnly": {"type": "rule", "values": ABOUT_COLOURS}},
}


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page as it is shown, light and dark."""
    told = []
    for scheme, options in LOOKS.items():
        page.emulate_media(color_scheme=scheme)
        for fault in Axe().run(page, options=options).response["violations"]:
            told.append(f"{page.url}, {scheme}: {fault['id']}: {[node['target'] for node in fault['nodes']][:3]}")
    return told
