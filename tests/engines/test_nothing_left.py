"""A link that was renewed leaves nothing readable on a phone of another engine, also where nobody answers any more."""

from __future__ import annotations

from .test_evening import App, app, thumb
from .thumb import Thumb

__all__ = ["app", "thumb"]

STORED = """
const key = arguments[0];
const isOf = ([path, text]) => (path !== "/" && text.includes("Anastasia")) || text.includes(`/t/${key}`);
caches.open("pages")
  .then(async (pages) => Promise.all((await pages.keys())
    .map(async (page) => [new URL(page.url).pathname, await (await pages.match(page)).text()])))
  .then((all) => [...all, ...Object.entries(localStorage)].some(isOf))
  .then((isStored) => { window.isStored = isStored; });
return window.isStored;
"""
"""Whether the phone has the name or the former link in a page or beside; as of the look before.

The list of tables has the name, too, with the new link.
"""


def go(thumb: Thumb, path: str) -> None:
    thumb.run(f"location.assign('{path}')")


def open_page(thumb: Thumb, path: str) -> None:
    """Go to a page, and wait until it is there."""
    go(thumb, path)
    thumb.until(lambda: thumb.path() == path, path)


def test_nothing_is_left_under_a_renewed_link(thumb: Thumb, app: App) -> None:
    table = thumb.start("Anastasia", "Bartolomeo")
    thumb.until(lambda: thumb.run("return !!navigator.serviceWorker.controller"), "the service worker")
    for path in (table, f"{table}/matches/1", f"{table}/history"):
        open_page(thumb, path)
        thumb.is_told("Anastasia")
    key = table.rpartition("/")[2]
    thumb.until(lambda: thumb.run(STORED, key) is True, "the pages")
    go(thumb, f"{table}/owner")
    thumb.see("#play a[href$='/renew/play']")
    thumb.run("location.assign(document.querySelector(\"#play a[href$='/renew/play']\").href)")
    thumb.press("Make the new link")
    thumb.is_told("The new link is here")
    go(thumb, f"{table}/history")
    thumb.is_told("This link is dead")
    thumb.until(lambda: thumb.run(STORED, key) is False, "nothing stored")
    app.stop()
    for path in (table, f"{table}/matches/1", f"{table}/history"):
        open_page(thumb, path)
        thumb.is_told("No signal")
        assert "Anastasia" not in thumb.words()
    app.start()
