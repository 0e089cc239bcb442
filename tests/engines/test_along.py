"""A table is taken along in every engine, by its file."""

from __future__ import annotations

import urllib.request

from .test_evening import DEAL, App, app, close, thumb
from .thumb import Thumb

__all__ = ["app", "thumb"]

CHOOSE = """
const [text] = arguments;
const chosen = new DataTransfer();
chosen.items.add(new File([text], "table.json", { type: "application/json" }));
const field = document.querySelector("#file");
field.files = chosen.files;
field.dispatchEvent(new Event("change", { bubbles: true }));
"""
"""What the phone's own window for files does, which no driver of these engines can tap."""


def test_a_table_becomes_another_by_its_file(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    close(thumb, **DEAL)
    with urllib.request.urlopen(f"{app.address}{table}/table.json") as answer:
        file = answer.read().decode()
    thumb.open(f"{thumb.window.address}/")
    thumb.press("A table from a file")
    thumb.see("#file")
    thumb.run(CHOOSE, file)
    thumb.until(lambda: thumb.path().startswith("/t/") and thumb.path() != table, "the new table")
    thumb.see(".strip")
    key = thumb.path()
    with urllib.request.urlopen(f"{app.address}{key}/table.json") as answer:
        assert answer.read().decode() == file
