"""Worked examples of the rules: only cards and counts are written here, the engine says what they come to at a table.

An example is of one of five kinds, and each is shown in the section of the rules that it explains: a card that is
``Played`` to the table, opening cards ``Dealt`` there, a hand ``Shown``, primes ``Compared``, a deal ``Ended``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, TypeAlias, cast

from ... import rules
from ...limits import EXAMPLE_STEPS
from ...rules import contract
from .sums import Arithmetic

Asked: TypeAlias = Mapping[str, Any]
"""A table, as a request to the engine names it."""
Worked: TypeAlias = Mapping[str, Any]
"""What an example comes to at one table, for its template."""


class Example(Protocol):
    """A case that the rules decide."""

    @property
    def kind(self) -> str:
        """The section of the rules that it explains."""

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return what the case comes to; None where this table has no such case."""


@dataclass(frozen=True)
class Played:
    """A card that is played to the cards on the table."""

    layout: str
    card: str
    last_play: bool = False
    kind: str = "taking"

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return the sets that may be taken, each with its sum and the sweeps that it is worth."""
        agreed = rules.fishing_rules(table)
        if agreed is None:
            return None
        request = {**asked, "layout": self.layout.split(), "card": self.card, "last_play": self.last_play}
        found = cast(contract.Captures, rules.captures(cast(contract.CapturesRequest, request)))
        sums = Arithmetic(agreed, {})
        return {
            "layout": self.layout.split(),
            "card": self.card,
            "is_last": self.last_play,
            "may_leave": found["may_leave"],
            "sets": [
                (each["takes"], sums.shown(self.card, each["takes"]), each["sweep"]) for each in found["captures"]
            ],
        }


@dataclass(frozen=True)
class Dealt:
    """The four opening cards."""

    layout: str
    kind: str = "deal"

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return what they bring to the dealer, or that they void the deal."""
        worth = rules.opening_worth(table, {"dealer": asked["sides"][0], "layout": self.layout.split()})
        if worth is None or not (worth.redeal or worth.sweeps or worth.flush_points):
            return None
        return {"layout": self.layout.split(), "worth": worth}


@dataclass(frozen=True)
class Shown:
    """Three cards that are declared; an example may need that an ``item`` is played, or that a card is ``wild``."""

    cards: str
    item: str = ""
    wild: str = ""
    kind: str = "declaring"

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return the items that the hand scores, with their points."""
        agreed = rules.fishing_rules(table)
        combos = {combo.id for combo in agreed.combos if combo.is_on} if agreed else set()
        if agreed is None or not combos:
            return None
        if (self.item and self.item not in combos) or (self.wild and self.wild not in agreed.wild_cards):
            return None
        side = asked["sides"][0]
        # With the rest of the pack in one pile no line is open, and the engine has nothing to weigh.
        deal = {"declarations": [{"side": side, "cards": self.cards.split()}], "rest": side}
        lines = _lines(asked, deal)
        return {
            "cards": self.cards.split(),
            "worth": {line["item"]: line["points"][side] for line in lines if line["item"] in combos},
        }


@dataclass(frozen=True)
class Compared:
    """The cards of piles whose primes are compared."""

    piles: tuple[str, ...]
    kind: str = "prime"

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return the engine's primes of these piles."""
        rule = rules.prime_rule(table)
        if rule is None:
            return None
        request = {
            "method": rule.method,
            "suits_required": rule.suits_required,
            "needs_pip": rule.needs_pip,
            "needs_seven": rule.needs_seven,
            "piles": {label: cards.split() for label, cards in zip("ABCD", self.piles, strict=False)},
        }
        return {"method": rule.method, "primes": rules.prime(request)}


@dataclass(frozen=True)
class Ended:
    """What is known of a deal that ended, and the items that it is about; ``sides`` must be as many as the table's."""

    deal: Mapping[str, Any]
    items: tuple[str, ...]
    sides: int = 2
    presets: tuple[str, ...] = ()
    kind: str = "scoring"

    def work(self, asked: Asked, table: rules.TableRules) -> Worked | None:
        """Return the lines of these items."""
        if len(asked["sides"]) != self.sides or (self.presets and table.preset not in self.presets):
            return None
        scored = {item for item, _points in rules.item_points(table)}
        lines = [line for line in _lines(asked, self.deal) if line["item"] in self.items and line["item"] in scored]
        return {"given": self.deal, "lines": lines, "sides": asked["sides"]} if lines else None


@dataclass(frozen=True)
class Faulty(Ended):
    """A deal with a fault, told with the penalties."""

    kind: str = field(default="penalties")


def _lines(asked: Asked, deal: Mapping[str, Any]) -> list[contract.SettledLine]:
    """Return the settled lines of a deal at a table."""
    standing = cast(contract.Standing, rules.match({**asked, "deals": [deal]}, most_steps=EXAMPLE_STEPS))
    return [line for line in standing["sheets"][0]["lines"] if line["reason"] != "open"]


def examples_of(asked: Asked) -> dict[str, list[Worked]]:
    """Return the examples of a table's game by kind, worked out by its own rules."""
    return _examples_of(json.dumps(asked, sort_keys=True))


@lru_cache(maxsize=64)
def _examples_of(asked_json: str) -> dict[str, list[Worked]]:
    asked = json.loads(asked_json)
    table = rules.read_table(asked, rules.Problems())
    assert table is not None
    worked: dict[str, list[Worked]] = {}
    for example in EXAMPLES.get(asked["game"], ()):
        result = example.work(asked, table)
        if result is not None:
            worked.setdefault(example.kind, []).append(result)
    return worked


def _counted(kind: str, *numbers: int) -> dict[str, Any]:
    """Return a deal in which the sides have so many cards of a kind."""
    return {"counts": {label: {kind: number} for label, number in zip("ABCD", numbers, strict=False)}}


LEVEL = (
    Ended(_counted("coins", 5, 5), ("coins",)),
    Ended(_counted("cards", 14, 14, 12), ("cards",), sides=3),
    Ended(_counted("cards", 11, 11, 11, 7), ("cards",), sides=4),
)
"""Majorities that are level."""
ALL_SEVENS = Ended({"piles": {"A": ["7O", "7C", "7E", "7B"]}}, ("sevens", "all_sevens", "seven_of_coins", "barmila"))
ALL_COINS = Ended(_counted("coins", 10, 0), ("coins", "all_coins", "seven_of_coins", "cappotto"))
FALSE_CALL = {"declarations": [{"side": "A", "cards": ["2O", "5C", "6O"], "items": ["flush"]}]}
CHORIZO: Sequence[Example] = (
    Dealt("2O 3C 4E 6B"),
    Dealt("12O 11C 7E 4B"),
    Dealt("2O 4O 5O 7O"),
    Played("1O 3C 4E 7B", "4O"),
    Played("7B", "10O"),
    Shown("1B 2B 3B"),
    Shown("3O 3C 3E"),
    Shown("6O 7C 10E"),
    Shown("1O 3C 4C"),
    Shown("2O 3C 3E", item="baciga"),
    Shown("1C 12C 4E", item="sweep_in_hand"),
    Shown("3C 3B 12O", wild="12O"),
    Compared(("7O 6C 6E 5B", "2O 7C 7E 7B")),
    Compared(("7O 7E 6B", "5O 5C 5E 4B")),
    *LEVEL,
    *(Faulty(FALSE_CALL, ("false_declaration",), sides=sides) for sides in (2, 3)),
)
ESCOBA: Sequence[Example] = (
    Dealt("2O 3C 4E 6B"),
    Dealt("12O 11C 7E 4B"),
    Played("1O 3C 4E 7B", "4O"),
    Played("7B", "10O"),
    ALL_SEVENS,
    Ended(_counted("sevens", 3, 1), ("sevens",)),
    Ended(_counted("sevens", 2, 2), ("sevens",)),
    *LEVEL,
)
LA_ESCOBA: Sequence[Example] = (
    *ESCOBA[:4],
    Shown("1C 12C 4E", item="sweep_in_hand"),
    Shown("11B 12B 5O", item="twenty_in_suit"),
    Compared(("7O 7C 7E 12B", "7B 6O 6C 1E")),
    Compared(("7O 7E 6B", "5O 5C 5E 4B")),
    ALL_SEVENS,
    ALL_COINS,
    Ended(_counted("cards", 31, 9), ("cards", "few_cards")),
    *LEVEL,
    Faulty(
        {"penalties": [{"item": "wrong_capture", "side": "A"}], "sweeps": {"A": 1, "B": 2}}, ("sweeps", "wrong_capture")
    ),
)
ESCOPA: Sequence[Example] = (
    *ESCOBA[:2],
    Played("12O 11C 3E", "10B"),
    Played("12O 12C 11E 10O", "10B"),
    ALL_COINS,
    ALL_SEVENS,
    *LEVEL,
)
KINGS = Dealt("12O 12C 3E 5B")
EQUAL_OR_SUM: Sequence[Example] = (
    Played("7O 3C 4E", "7B"),
    Played("7O 7B", "7E"),
    Played("5O 2C 4E 3B", "7E"),
    Played("5O 2C", "7E", last_play=True),
)
OF_SCOPA: Sequence[Example] = (
    Compared(("7O 7C 7E 12B", "7B 6O 6C 1E")),
    Compared(("7O 7E 6B", "5O 5C 5E 4B")),
    *LEVEL,
)
CIRULLA: Sequence[Example] = (
    Dealt("7C 2O 3E 4B"),
    Dealt("7C 12O 11E 10B"),
    Dealt("1O 1C 6E 7B"),
    Played("6O 2C 1E 7B", "10O"),
    Played("12O 5C", "5E"),
    Played("12O 4C 3E", "1B"),
    Shown("2O 3C 4E"),
    Shown("2O 2C 2E"),
    Shown("4O 4E 7C"),
    Shown("3O 5E 7C"),
    Ended({"piles": {"A": ["1O", "2O", "3O"], "B": ["4O"]}}, ("piccola",)),
    Ended({"piles": {"A": ["1O", "2O", "3O", "4O", "5O", "6O"], "B": ["7O"]}}, ("piccola",)),
    Ended({"piles": {"A": ["10O", "11O", "12O"]}}, ("grande",)),
    ALL_COINS,
    Compared(("7O 7C 7E 12B", "7B 6O 6C 1E")),
    Compared(("7O 7E 6B", "5O 5C 5E 4B")),
    *LEVEL,
)
BRISCA: Sequence[Example] = (
    Ended({"card_points": {"A": 61}}, ("game_point",), presets=("brisca", "scoperta", "muerte_al_tres")),
    Ended(
        {"card_points": {"A": 60}, "counts": {"A": {"cards": 22}}},
        ("game_point",),
        presets=("brisca", "scoperta", "muerte_al_tres"),
    ),
    Ended({"card_points": {"A": 105}}, ("game_point", "over_hundred"), presets=("brisca", "scoperta")),
    Ended(
        {"card_points": {"A": 55}, "trump": "O", "marriages": [{"side": "A", "suit": "O"}]},
        ("card_points", "marriage", "game_point"),
        presets=("mariaje", "cinquecento"),
    ),
    Ended({"card_points": {"A": 9}}, ("game_point",), presets=("mexican",)),
    Ended({"card_points": {"A": 40}}, ("game_point",), presets=("mexican",)),
    Ended({"three_killed": "A"}, ("game_point", "three_killed"), presets=("muerte_al_tres",)),
    Ended(
        {"bid": {"side": "A", "points": 110}, "trump": "O", "last_trick": "A", "card_points": {"A": 104}},
        ("bid",),
        sides=3,
        presets=("rematada",),
    ),
    Ended(
        {
            "bid": {"side": "A", "points": 110},
            "trump": "O",
            "last_trick": "B",
            "marriages": [],
            "card_points": {"A": 104},
        },
        ("bid",),
        sides=3,
        presets=("rematada",),
    ),
    *(
        Ended(
            {
                "bid": {"side": "A", "points": 61},
                "partner": partner,
                "card_points": dict(zip("ABCDE", made, strict=True)),
            },
            ("bid",),
            sides=5,
            presets=("chiamata", "chiamata_buia", "chiamata_a_punti"),
        )
        for partner, made in (("B", (40, 30, 20, 20, 10)), ("B", (30, 20, 30, 30, 10)), (None, (70, 20, 10, 10, 10)))
    ),
)
CARIOCA: Sequence[Example] = tuple(
    example
    for players in range(2, 10)
    for example in (
        Ended(
            {
                "went_out": "A",
                "left": {"B": ["K", "5", "A"], **{label: ["7"] for label in "CDEFGHI"[: players - 2]}},
                "steals": {"B": 2},
            },
            ("hand_cards", "steal"),
            sides=players,
        ),
        Ended({"out_at_once": "A", "perfect_cut": "A"}, ("out_at_once", "perfect_cut"), sides=players),
    )
)
EXAMPLES: Mapping[str, Sequence[Example]] = {
    "chorizo": CHORIZO,
    "baciga": CHORIZO,
    "escoba": ESCOBA,
    "la_escoba": LA_ESCOBA,
    "escova": (*ESCOBA[:4], ALL_COINS, *LEVEL),
    "escopa": ESCOPA,
    "scopa": (KINGS, *EQUAL_OR_SUM, *OF_SCOPA),
    "scopa_d_assi": (
        KINGS,
        Played("12O 5C 3E", "1B"),
        Played("12O 1C 3E", "1B"),
        Played("1C", "1B"),
        *EQUAL_OR_SUM[:1],
        *OF_SCOPA,
    ),
    "scopone": (KINGS, *EQUAL_OR_SUM, *OF_SCOPA),
    "scopone_scientifico": (*EQUAL_OR_SUM, *OF_SCOPA),
    "scopa_di_quindici": (KINGS, *ESCOBA[2:4], *OF_SCOPA),
    "cirulla": CIRULLA,
    "cirullone": CIRULLA,
    "chkobba": (
        Dealt("5O 5C 5E 2B"),
        Played("11O 1C", "10E"),
        *EQUAL_OR_SUM[:3],
        Ended({"counts": {"A": {"sevens": 2, "sixes": 3}}}, ("barmila",)),
        Ended({"counts": {"A": {"sevens": 2, "sixes": 2}}}, ("barmila",)),
        *LEVEL[:1],
    ),
    "brisca": BRISCA,
    "carioca": CARIOCA,
}
"""The examples of each game, told with the section of their kind."""
