"""Back in engines that show a page as it was left: what was sent says so, and is not sent again."""

from __future__ import annotations

from .test_evening import DEAL, App, app, close, kinds, noted, thumb
from .thumb import Thumb

__all__ = ["app", "thumb"]


def go_back(thumb: Thumb) -> None:
    thumb.run("history.back()")


def test_a_declaration_that_is_come_back_to_says_that_it_is_noted(thumb: Thumb, app: App) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.press("Declare")
    thumb.tap(".segment:has([name='side'][value='A'])")
    thumb.press("Without showing")
    thumb.tap(".claims .tick", "Flush")
    thumb.press("Declare 3")
    noted(thumb, 1)
    go_back(thumb)
    thumb.is_told("Already noted")
    thumb.miss("button", "Declare 3")
    thumb.press("Note another")
    thumb.press("Declare 3")
    noted(thumb, 2)
    assert kinds(app, table) == ["match_started", "declared", "declared"]


def test_back_from_a_saved_sheet_leads_to_the_board(thumb: Thumb) -> None:
    table = thumb.start("Ana", "Beto")
    close(thumb, **DEAL)
    go_back(thumb)
    thumb.until(lambda: thumb.path() == table, "the board")
    thumb.see("a", "Close the deal")


def test_back_from_the_prime_leads_to_the_closing(thumb: Thumb) -> None:
    table = thumb.start("Ana", "Beto")
    thumb.press("Close the deal")
    thumb.say("cards", "A")
    thumb.tap("#row-prime .row-label")
    thumb.see(".slot")
    go_back(thumb)
    thumb.see("#row-cards")
    assert thumb.run("return document.querySelector('[name=award-cards][value=A]').checked")
    go_back(thumb)
    thumb.until(lambda: thumb.path() == table, "the board")
