"""No page shows an id of the engine: all pages that a table leads to are read, for every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from flask import Flask

from scorekeeper import rules

from .conftest import Player
from .test_every_start import GAMES, starts_and_plays, usual_starts

pytestmark = pytest.mark.whole

SEEN_OR_HEARD = ("aria-label", "title", "placeholder", "alt", "aria-roledescription")
"""Attributes that a person reads, or hears."""
UNTOLD = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")
LEADS_ON = re.compile(r'(?:href|action)="(/(?:t/[^"/]+|rules|prime|captures)[^"#]*)"')
SHOWN_ONCE = re.compile(r"/(?:owner|new|redeal|picture\.png|history\.csv|live|manifest)|\.(?:png|svg|css|js)")
MOST_PAGES = 60


class Words(HTMLParser):
    """What a page says: its text, and what screen readers are told."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in ("script", "style")
        self.said += [value for name, value in attrs if name in SEEN_OR_HEARD and value]

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data)


def english_ids() -> set[str]:
    """Return ids of the engine that are English words, and no word of Spanish."""
    items = {item["id"] for game in GAMES.values() for item in game["items"]}
    values = {str(value) for game in GAMES.values() for option in game["options"] for value in option["values"]}
    native = {
        "solo",
        "natural",
        "manual",
        "card",
        "prime",
        "cappotto",
        "grande",
        "piccola",
        "barmila",
        "baciga",
        "renuncio",
        "flush",
    }
    return {id for id in items | values if id.isalpha() and id.islower() and len(id) > 3} - native


ENGLISH = re.compile(r"\b(?:" + "|".join(sorted(english_ids() - set(rules.SUITS))) + r")\b")


def pages_of(table: Player, language: str) -> Iterator[tuple[str, str]]:
    """Yield every page that a table leads to, with its address."""
    headers = {"Accept-Language": language.replace("_", "-")}
    ahead, known = [f"/t/{table.key}"], set[str]()
    while ahead and len(known) < MOST_PAGES:
        address = ahead.pop(0)
        known.add(address)
        answer = table.client.get(address, headers=headers, follow_redirects=True)
        if answer.mimetype != "text/html" or answer.status_code != 200:
            continue
        yield address, answer.text
        for link in LEADS_ON.findall(answer.text):
            link = link.replace("&amp;", "&").split("?")[0]
            if link not in known and link not in ahead and not SHOWN_ONCE.search(link):
                ahead.append(link)


def ids_on(html: str, language: str) -> list[str]:
    """Return what no person would say."""
    said = " ".join(Words(html).said)
    found = UNTOLD.findall(said)
    return found + (ENGLISH.findall(said) if language.startswith("es") else [])


OF_EACH_KIND = ("chorizo", "la_escoba", "chkobba", "brisca", "carioca", "free")


@pytest.mark.parametrize(
    ("game", "language"),
    [
        *((game, "es") for game in OF_EACH_KIND),
        ("la_escoba", "en"),
    ],
)
def test_no_page_of_a_game_shows_an_id(app: Flask, game: str, language: str) -> None:
    table = starts_and_plays(app, game, *usual_starts(game)[0])
    pages = dict(pages_of(table, language))
    shown = {address: ids_on(html, language) for address, html in pages.items()}
    assert {address: ids for address, ids in shown.items() if ids} == {}
    assert len(pages) > 8


def test_an_id_is_found_where_one_is_shown() -> None:
    assert ids_on("<p>two_of_clubs</p>", "en") == ["two_of_clubs"]
    assert ids_on('<button aria-label="few_cards">x</button>', "en") == ["few_cards"]
    assert ids_on("<p>coins</p>", "es") == ["coins"]
    assert ids_on('<input name="few_cards">', "es") == []
