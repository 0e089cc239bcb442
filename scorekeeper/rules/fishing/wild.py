"""Wild cards: those that may count as another, and the faces that the table gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .. import schema
from ..cards import CAPTURE_VALUES, CODES, MATTA, RANKS, SUIT_WIDTH, SUITS, Card, parse_card, rank_of, suit_of
from ..problems import Problems


class Face(NamedTuple):
    """A card as it counts: rank position, and suit position (None fits any suit)."""

    rank: int
    suit: int | None

    @property
    def value(self) -> int:
        """The capture value."""
        return CAPTURE_VALUES[self.rank]


@dataclass(frozen=True)
class Wild:
    """A card that may count as another: ``power`` is ``rank_free_no_suit``, ``rank_or_suit`` or ``matta``."""

    card: Card
    power: str

    def faces(self) -> list[Face]:
        """Return every face that the card may have: its own rank first, then by rank."""
        own = rank_of(self.card)
        ranks = [own, *(rank for rank in range(SUIT_WIDTH) if rank != own)]
        if self.power == "rank_free_no_suit":
            return [Face(rank, None) for rank in ranks]
        faces = [Face(rank, suit_of(self.card)) for rank in ranks]
        if self.power == "rank_or_suit":
            faces[1:1] = [Face(own, suit) for suit in range(len(SUITS)) if suit != suit_of(self.card)]
        return faces

    def face(self, rank: int, suit: int | None) -> Face | None:
        """Return the face for a chosen rank and suit (None: any); None if the card may not change as much as that."""
        if self.power == "rank_free_no_suit":
            return Face(rank, None)
        if suit is None or suit == suit_of(self.card):
            return Face(rank, suit_of(self.card))
        if self.power == "rank_or_suit" and rank == rank_of(self.card):
            return Face(rank, suit)
        return None


def wild_cards(codes: Iterable[str], power: str, *, matta: bool) -> dict[Card, Wild]:
    """Return the wild cards of a game by card number: those of ``codes`` with their power, and the matta."""
    wilds = {card: Wild(card, power) for code in codes if (card := parse_card(code)) is not None}
    if matta:
        wilds[MATTA] = Wild(MATTA, "matta")
    return wilds


def read_wild_faces(wilds: Mapping[Card, Wild], value: object, where: str, problems: Problems) -> dict[Card, Face]:
    """Read the faces of wild cards, by card number: ``{"12O": "5O"}``; the suit may be missing."""
    faces = {}
    for code, counts_as in schema.optional_mapping(value, where).items():
        here = f"{where}.{code[:20]}"
        word = schema.text(counts_as, here).upper()
        card = parse_card(code)
        if card is None:
            problems.error("unknown_card", here, f"There is no card {code[:20]!r} in this pack.", card=code[:20])
            continue
        if card not in wilds:
            problems.error("not_wild", here, f"{CODES[card]} is not wild at this table.", card=CODES[card])
            continue
        face = _read_face(wilds[card], word, here, problems)
        if face is not None:
            faces[card] = face
    return faces


def _read_face(wild: Wild, word: str, where: str, problems: Problems) -> Face | None:
    index, suit = (word[:-1], word[-1]) if word[-1:] in SUITS and word else (word, None)
    if not index.isascii() or not index.isdigit() or int(index or 0) not in RANKS:
        problems.error(
            "unknown_card",
            where,
            f"A wild card counts as a card by its index (1 to 7, 10, 11, 12), not {word[:20]!r}.",
            stands_for=word[:20],
        )
        return None
    face = wild.face(RANKS.index(int(index)), None if suit is None else SUITS.index(suit))
    if face is None:
        message = f"{CODES[wild.card]} may change its rank or its suit, not both."
        problems.error("impossible_wild", where, message, card=CODES[wild.card])
    return face
