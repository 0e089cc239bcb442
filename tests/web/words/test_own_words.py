"""A game is spoken of in its own words: its pages, in every language, hold none of another place's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.web.words.names import games

from ...helpers.reading import Page
from ..conftest import open_table, with_fields

NAMES = ("Ana", "Beto", "Cata", "Dani", "Eva", "Flor")
SAID_ONLY = re.compile(r'(?:aria-label|title|placeholder|alt)="([^"]+)"')
"""Words of a page that are heard, or shown only where something is empty."""

SPANISH_SUITS = "oro oros basto bastos coin coins cup cups sword swords"
ALSO_PORTUGUESE = "copa copas espada espadas"
ENGLISH_CLUBS = "club clubs"
FRENCH_SUITS = "diamante diamantes corazón corazones picas tréboles diamond diamonds heart hearts spades"
FIGURES = "sota sotas caballo caballos rey reyes jota jotas jack jacks knight knights king kings queen queens ace aces"
SWEEP = "escoba escobas sweep sweeps"
PRIME = "setenta setentas prime primes"
SEVEN = "siete_de_denari seven_of_denari siete_de_ouros"

ITALIAN_GAME = " ".join(
    (SPANISH_SUITS, ALSO_PORTUGUESE, ENGLISH_CLUBS, FRENCH_SUITS, FIGURES, "dama", SWEEP, PRIME, SEVEN)
)
BRAZILIAN_GAME = " ".join(
    (SPANISH_SUITS, ENGLISH_CLUBS, FRENCH_SUITS, FIGURES, SWEEP, PRIME, "siete_de_ouros todas_las_cartas")
)

OTHER_COUNTS = re.compile("Sobre setenta|Ace five and a half")
"""Ways to count a prime: the referee offers them all, whichever game it is asked from."""

FOREIGN: dict[str, str] = {
    "scopa": ITALIAN_GAME,
    "scopa_d_assi": ITALIAN_GAME,
    "scopone_scientifico": ITALIAN_GAME,
    "cirulla": ITALIAN_GAME,
    "chkobba": f"{SPANISH_SUITS} {ALSO_PORTUGUESE} diamante diamantes diamond diamonds barmila hayaa {SWEEP} {PRIME}",
    "escova": BRAZILIAN_GAME,
    "escopa": BRAZILIAN_GAME,
    "escoba": f"{FRENCH_SUITS} {PRIME} doce_de once_de diez_de",
    "chile": f"{FRENCH_SUITS} escoba_de_mano primiera denari ouros",
    "chiamata": "el_remate la_llamada quien_llamó caller_gets",
}
"""Words of another place, by the preset; an underscore stands for a blank."""

OWN: dict[str, str] = {
    "scopa": "carte denari settebello primiera settanta scope fante cavallo re asso bastoni",
    "scopa_d_assi": "asso settebello",
    "scopone_scientifico": "re cavallo fante settebello",
    "cirulla": "matta bussata grande piccola cappotto denari settebello primiera assi",
    "chkobba": "karta dinari bermila hayya chkobbas",
    "escova": "ouros escovas valete dama rei paus",
    "escopa": "ouros escopas quatro_setes todas_as_cartas todos_os_ouros",
    "escoba": "escoba",
    "chile": "real_en_mesa",
    "chiamata": "chiamata chiamante briscola re cavallo fante",
}
"""Words that the pages of a preset use in each language."""


def pattern(words: str) -> re.Pattern[str]:
    """Return what finds one of some words, with a little of what stands around it."""
    return re.compile(rf".{{0,30}}\b(?:{'|'.join(words.split()).replace('_', ' ')})\b.{{0,20}}", re.IGNORECASE)


def told(page: Page) -> str:
    """Return all that a page says, to those who see it and to those who hear it."""
    return OTHER_COUNTS.sub("", " \n".join([page.words, *SAID_ONLY.findall(page.html)]))


class Walk:
    """Goes through the pages of a game that speak of its cards, in one language."""

    def __init__(self, app: Flask, preset: str, language: str) -> None:
        described = next(game for game in games().values() if preset in game["presets"])
        seats = described["preset_seats"][preset][0]
        number = seats["sides"] * seats["players_per_side"]
        players = {f"player__{seat}": name for seat, name in enumerate(NAMES[:number])}
        shape = f"{seats['sides']}x{seats['players_per_side']}"
        self.has_prime = "prime" in {item["id"] for item in described["items"]}
        self.game, self.family, self.preset = described["id"], described["family"], preset
        self.table = open_table(app, game=self.game, preset=preset, shape=shape, **players)
        self.headers = {"Accept-Language": language}

    def get(self, path: str) -> Page:
        return self.table.get(path, headers=self.headers)

    def post(self, path: str, data: Any) -> Page:
        return self.table.post(path, data, headers=self.headers, follow_redirects=True)

    def pages(self) -> Iterator[Page]:
        client = self.table.client
        yield Page(client.get(f"/rules/{self.game}?preset={self.preset}", headers=self.headers))
        yield self.get("/matches/1/rules/change")
        if self.family == "fishing":
            if self.has_prime:
                yield Page(client.get(f"/prime?game={self.game}&method=italian", headers=self.headers))
            yield self.get("/matches/1/captures?card=12O&layout=12C&layout=1O&layout=2E")
            yield from self.before_play()
            yield from self.closings()
        else:
            yield self.get(self.table.deal() + "/close")
        for path in ("", "/board", "/matches/1", "/matches/1/journal", "/history", "/matches/1/text"):
            yield self.get(path)

    def before_play(self) -> Iterator[Page]:
        """Lay out opening cards, and show three of a hand, as far as the game has that."""
        for page, field in (("layout", "layout"), ("declare", "declare")):
            path = f"{self.table.deal()}/{page}"
            shown = self.get(path)
            if shown.status != 200:
                continue
            yield shown
            for cards in (["12O", "12C", "11E", "1B"], ["1O", "1C", "2E", "3B"])[:: 1 if page == "layout" else -1]:
                form = with_fields(
                    shown.form(field), {"side": "A", "step": "check", "cards": cards[: 3 + (page == "layout")]}
                )
                yield self.post(path, form)

    def closings(self) -> Iterator[Page]:
        """Ask what the closing form asks and refuses, then close deals: each kind of line has its sheet."""
        table = self.table
        table.sweep("A")
        form, close = table.closing(), table.deal() + "/close"
        yield self.get(close)
        for given in ({"sweeps-A": "40"}, {"helping": "yes"}, {"cards-A": ["7O"], "award-seven_of_coins": "B"}):
            yield self.post(close, with_fields(form, {**given, "step": "check"}))
        for filled in self.cases():
            path = table.deal(len(table.standing().sheets) + 1)
            form = table.get(path + "/close").form("closing")
            yield self.post(path + "/close", with_fields(form, {**filled, "step": "check"}))
            yield self.post(path + "/close", with_fields(form, {**filled, "step": "save", "sure": "yes"}))
            yield from (self.get(path), self.get(path + "/prime"), self.get(path + "/text"))

    def cases(self) -> Iterator[dict[str, Any]]:
        """Yield fillings of a closing form: by the cards, level; nearly all to one side; on trust."""
        yield {"cards-A": list(rules.CODES[::2]), "cards-B": list(rules.CODES[1::2])}
        yield {"cards-A": [code for code in rules.CODES if code not in ("1O", "12O", "10C", "11C")], "others": "B"}
        yield {"award-all_coins": "A", "award-fifty_cards": "A", "award-piccola": "A", "others": "B"}


@pytest.mark.parametrize(
    ("preset", "language"),
    [
        ("scopa", "es"),
        *(pytest.param(preset, "es", marks=pytest.mark.whole) for preset in FOREIGN if preset != "scopa"),
        pytest.param("scopa", "en", marks=pytest.mark.whole),
    ],
)
def test_the_pages_of_a_game_hold_its_own_words_and_none_of_another_place(
    app: Flask, preset: str, language: str
) -> None:
    pages = [told(page) for page in Walk(app, preset, language).pages()]
    foreign = pattern(FOREIGN[preset])
    assert {found for text in pages for found in foreign.findall(text)} == set()
    whole = "\n".join(pages)
    assert [word for word in OWN[preset].split() if not pattern(word).search(whole)] == []


def test_the_list_of_games_has_briscola_by_its_name(app: Flask) -> None:
    assert "Briscola" in Page(app.test_client().get("/tables/new/games", headers={"Accept-Language": "es"})).words
