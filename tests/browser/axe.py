"""What axe finds wrong with a page: in light all that it knows, else what colours alone can make wrong."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

Scheme: TypeAlias = Literal["light", "dark"]
ABOUT_COLOURS: dict[str, Any] = {
    "resultTypes": ["violations"],
    "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]},
}
LOOKS: dict[str, tuple[Scheme, Literal["active", "none"], dict[str, Any]]] = {
    "light": ("light", "none", {"resultTypes": ["violations"]}),
    "dark": ("dark", "none", ABOUT_COLOURS),
    "forced colours": ("dark", "active", ABOUT_COLOURS),
}
FIRST = Axe()
AGAIN = Axe("0")
"""Runs axe where the page has it already: the script that it reads first does nothing."""


def faults(page: Page) -> list[str]:
    """Return what is wrong with the page as it is shown: light, dark and in forced colours."""
    told = []
    axe = FIRST
    for look, (scheme, forced, options) in LOOKS.items():
        # A colour on its way to another one is nobody's choice.
        page.emulate_media(color_scheme=scheme, forced_colors=forced, reduced_motion="reduce")
        for fault in axe.run(page, options=options).response["violations"]:
            told.append(f"{page.url}, {look}: {fault['id']}: {[node['target'] for node in fault['nodes']][:3]}")
        axe = AGAIN
    page.emulate_media(color_scheme="light", forced_colors="none", reduced_motion="no-preference")
    return told
