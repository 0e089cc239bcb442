"""A table is found again and taken along in every engine: its matches, its people, and its file."""

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


def test_a_match_is_found_and_its_deal_opens_to_its_sheet(thumb: Thumb) -> None:
    table = thumb.start("Ana", "Beto")
    close(thumb, **DEAL)
    thumb.open(f"{thumb.window.address}{table}/history")
    thumb.press("Find")
    thumb.see("#player, [name='player']")
    thumb.run("document.querySelector(\"[name='player']\").value = '1'")
    thumb.tap("button", "Find")
    thumb.see(".chosen a", "Ana")
    thumb.tap(".match-card")
    thumb.tap("#deal-1 summary")
    thumb.see("#deal-1 .sheet-line")
    assert thumb.path() == f"{table}/matches/1"


def test_a_person_is_forgotten_and_comes_back(thumb: Thumb) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.open(f"{thumb.window.address}{table}/owner")
    thumb.tap("#people a", "Beto")
    thumb.press("Forget this person")
    thumb.see("#texts")
    thumb.tap("button", "Forget this person")
    thumb.is_told("The name is gone")
    thumb.tap(".notice button")
    thumb.see("h1", "Beto")


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
