"""Cards as the place knows them: what they are called and how they look. The codes of cards are the same everywhere.

Each game is played with the cards of where it is at home: Chkobba with a jack, a queen and a king of hearts, Scopa with
an Italian pack. A phone may choose others for the games of a place (``cookie_of``). The page that is being drawn says
once which game it is about (``cards_for``); all that names or draws a card follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import get_args

from flask import g, has_request_context, request
from flask_babel import gettext as _
from flask_babel import ngettext

from ... import rules
from ...rules import contract
from .readers import pick

FIRST_FIGURE = 10


@dataclass(frozen=True)
class Pack:
    """The cards of a place: the order of the suits in which they are drawn, and what is printed in the corners."""

    id: contract.CardsOfThePlace
    suits: str = rules.SUITS
    printed: Mapping[str, str] = field(default_factory=dict)
    """The letters printed in place of an index."""

    @property
    def sprite(self) -> str:
        """The file of its drawings; what all packs share is in the sprite of the pages."""
        return "marks.svg" if self.id == "spanish" else f"{self.id}.svg"

    def index(self, code: str) -> str:
        """Return what is printed in the corner of a card."""
        return self.printed.get(code[:-1], code[:-1])


PACKS: dict[contract.CardsOfThePlace, Pack] = {
    pack.id: pack
    for pack in (
        Pack("spanish"),
        Pack("italian", printed={"1": "A", "10": "F", "11": "C", "12": "R"}),
        Pack("french", suits="ECOB", printed={"1": "A", "10": "J", "11": "Q", "12": "K"}),
    )
}
"""Every pack. An Italian one bears no letters: fante, cavallo and re are marked by theirs."""


def cards_for(
    game: Callable[[], str],
    preset: Callable[[], str | None] = lambda: None,
    own_lines: Callable[[], Sequence[contract.OwnLine]] = tuple,
) -> None:
    """Set which game the page is about; ``game`` is asked once for its id, when the first card is named or drawn.

    ``preset`` is asked for that by which it is played, when the first item is named, and ``own_lines`` for the lines of
    the table's own, when the first of them is.
    """
    g.preset = cache(lambda: preset() or "")
    g.own_names = cache(lambda: {f"own_{place}": line["name"] for place, line in enumerate(own_lines(), 1)})
    g.pack = cache(lambda: _packs()[cards_of_game(game())])
    g.speech = cache(lambda: rules.speech_of(game(), g.pack().id, g.preset()))


def cards_for_no_game() -> None:
    """Set that the page is about no game: what it was about may be gone, or cannot be read."""
    for about in ("pack", "preset", "speech", "own_names"):
        g.pop(about, None)


def preset_in_use() -> str:
    """Return the preset by which the game of the page is played; "" on a page about no match, and for own rules."""
    preset: Callable[[], str] = g.get("preset", str) if has_request_context() else str
    return preset()


def own_names_in_use() -> Mapping[contract.ItemId, str]:
    """Return the names of the lines of the table's own, by item, as they were typed; {} on a page about no match."""
    named: Callable[[], Mapping[contract.ItemId, str]] = g.get("own_names", dict) if has_request_context() else dict
    return named()


def cards_of_game(game: str) -> contract.CardsOfThePlace:
    """Return the cards that a game is played with at home; for an unknown one, Spanish cards."""
    return rules.cards_at_home(game)


def cards_shown(game: str) -> contract.CardsOfThePlace:
    """Return the cards that this phone shows for a game."""
    return _packs()[cards_of_game(game)].id


def shown_packs() -> tuple[tuple[contract.CardsOfThePlace, contract.CardsOfThePlace], ...]:
    """Return for the cards of each place those that this phone shows."""
    return tuple((home, pack.id) for home, pack in _packs().items())


def _packs() -> Mapping[contract.CardsOfThePlace, Pack]:
    """Return the cards that this phone shows for those of each place, looked up once for a request."""
    if not has_request_context():
        return PACKS
    if "packs" not in g:
        g.packs = {home: shown_for(home) for home in PACKS}
    packs: Mapping[contract.CardsOfThePlace, Pack] = g.packs
    return packs


def cookie_of(home: contract.CardsOfThePlace) -> str:
    """Return the name of the cookie with the cards that a phone shows in place of those."""
    return f"cards-{home}"


def shown_for(home: contract.CardsOfThePlace) -> Pack:
    """Return the cards that this phone shows for games that are played with ``home``."""
    chosen = request.cookies.get(cookie_of(home), home)
    return next((pack for pack in PACKS.values() if pack.id == chosen), PACKS[home])


def pack_in_use() -> Pack:
    """Return the cards of the page that is being drawn; Spanish ones on a page about no game."""
    if not has_request_context():
        return PACKS["spanish"]
    if "pack" not in g:
        cards_for(lambda: "")
    pack: Pack = g.pack()
    return pack


def speech_in_use() -> rules.Speech:
    """Return how the page that is being drawn speaks of its cards: in the words of its game, where it has its own."""
    pack = pack_in_use()
    speech: rules.Speech = g.speech() if has_request_context() else rules.speech_of("", pack.id)
    return speech


def pack_names() -> dict[contract.CardsOfThePlace, str]:
    """Return what the packs are called."""
    names: dict[contract.CardsOfThePlace, str] = {
        "spanish": _("Spanish cards"),
        "italian": _("Italian cards"),
        "french": _("French cards"),
    }
    assert set(names) == set(get_args(contract.CardsOfThePlace))
    return names


def grid_ranks(ranks: Sequence[int], values: Mapping[str | int, int] | None) -> tuple[list[int], list[int]]:
    """Return the ranks of a pack in the order in which they are drawn: plain cards, then figures by what they count."""
    counts = values or {}
    plain = [rank for rank in ranks if rank < FIRST_FIGURE]
    return plain, sorted(ranks[len(plain) :], key=lambda rank: counts.get(str(rank), counts.get(rank, rank)))


def card_name(code: str) -> str:
    """Return a card in words, such as "7 of coins"; a code without a suit of the pack is returned unchanged."""
    if code[-1:] not in rules.SUITS:
        return code
    return pick(rules.card_words(speech_in_use(), code))


def rank_called(rank: int) -> str:
    """Return a rank as its cards are called: "king", "re"; where they are called by their number, what is printed."""
    return pick(rules.rank_called(speech_in_use(), str(rank))) or card_index(f"{rank}{rules.SUITS[0]}")


def card_label(code: str, values: Mapping[str, int] | None = None) -> str:
    """Return a card for those who hear the page: with what it counts, if that is not its number."""
    worth = (values or {}).get(code[:-1])
    if worth is None or str(worth) == code[:-1]:
        return card_name(code)
    return _("%(card)s, worth %(worth)d", card=card_name(code), worth=worth)


def card_index(code: str) -> str:
    """Return what is printed in the corner of a card."""
    return pack_in_use().index(code)


def suit_name(suit: str) -> str:
    """Return a suit in words; a text that is no suit is returned as it was typed."""
    return pick(rules.suit_name(speech_in_use(), suit)) if suit in tuple(rules.SUITS) else suit


def rank_name(rank: int, several: bool = False) -> str:
    """Return what a rank is called in a sentence, of one card or several: "king", "re"; a plain one by its number."""
    return pick(rules.rank_name(speech_in_use(), str(rank), several))


def one_of(suit: str) -> str:
    """Return what one card of a suit is called: "coin", "heart"."""
    return pick(rules.suit_name(speech_in_use(), suit, of_one=True))


def best_of_suit(suit: str) -> str:
    """Return what the best card of a suit is called that a side has."""
    return _("their best %(suit)s", suit=one_of(suit))


def none_of_suit(suit: str, players: int) -> str:
    """Return the answer that a side of so many players has no card of a suit."""
    return ngettext("They have no %(suits)s", "They have no %(suits)s", players, suits=suit_name(suit))
