"""Partly known deals: whole simulated deals without some of the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from .asking import COUNTED
from .second_opinion import FIELDS, NOBODY, Piece, Table, has_nobodys, pieces_of
from .simulator import KNOWN, LINE_UPS, PACK, RANKS, play, rank

ACCEPTED = ["pile_modulus", "pile_parity", "leftover_modulus", "leftover_parity", "pile_of_one"]
LOOSE = {2: 9, 3: 6, 4: 5}
"""How many cards at most are unplaced, by sides, where every completion is tried."""
TELLING = [card for card in PACK if rank(card) in (1, 6, 7) or card in ("2B", "12O", "10O", "11O")]
"""Cards that decide more than others."""


@dataclass(frozen=True)
class PartlyKnown:
    """A request about a partly known deal, the true piles, and the options that are in force."""

    request: dict[str, Any]
    truth: Mapping[str, Sequence[str]]
    options: Mapping[str, Any]

    @property
    def table(self) -> Table:
        """The table, for the second opinion."""
        deal = self.request["deal"]
        given = tuple((card, int(face.rstrip("OCEB"))) for card, face in deal.get("as", {}).items())
        faults = tuple((fault["item"], fault["side"]) for fault in deal.get("penalties", []))
        sides = tuple(self.request["sides"])
        return Table(self.request["game"], sides, self.options, given, faults)

    @property
    def pieces(self) -> list[Piece]:
        """What is known of the piles."""
        return pieces_of(self.request["deal"], self.table)

    @property
    def nobodys(self) -> bool:
        """Whether an unplaced card may be nobody's."""
        return has_nobodys(self.request["deal"], self.table)

    def with_deal(self, **parts: Any) -> PartlyKnown:
        """Return the same table with some parts of the deal set anew; None takes a part away."""
        deal = {name: part for name, part in {**self.request["deal"], **parts}.items() if part is not None}
        if "leftover" in parts and parts["leftover"] is None and "last_capturer" not in parts:
            deal.pop("last_capturer", None)
        return PartlyKnown({**self.request, "deal": deal}, self.truth, self.options)

    @property
    def whole(self) -> dict[str, Any]:
        """The request with every card shown."""
        deal = {name: part for name, part in self.request["deal"].items() if name not in (*FIELDS, "rest", "leftover")}
        if "last_capturer" not in self.request["deal"] or self.request["deal"]["last_capturer"]:
            deal.pop("last_capturer", None)
        return {**self.request, "deal": {**deal, "piles": {side: list(pile) for side, pile in self.truth.items()}}}


House = tuple[str | None, Mapping[str, Any]]
"""A preset, or None for any, and options that are fixed."""


def house_rules(game: str, random: Random, house: House = (None, {})) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a preset and options: what a request says of them, and all that is in force."""
    about = KNOWN[game]
    preset = house[0] or random.choice(list(about["presets"]))
    drawn = {option["id"]: random.choice(option["values"]) for option in about["options"] if random.random() < 0.3}
    drawn = {**drawn, **house[1]} if house[0] is None else {**house[1]}
    drawn |= {f"pts_{id}": random.randrange(4) for id in ("flush", "twenty_in_suit") if f"pts_{id}" in drawn}
    if any(option["id"] == "wild_cards" for option in about["options"]):
        drawn["wild_cards"] = random.choice(["none", "none", "1O+12O", "7O+12O"])
    usual = {option["id"]: option["default"] for option in about["options"]}
    return {"preset": preset, "options": drawn}, {**usual, **about["presets"][preset], **drawn}


def finished(
    random: Random, game: str | None = None, line_up: tuple[int, int] | None = None, house: House = (None, {})
) -> PartlyKnown:
    """Return a finished deal of some game and its house rules; every card is in a pile, or in the leftover."""
    game = game or random.choice(list(LINE_UPS))
    count, players = line_up or random.choice(LINE_UPS[game])
    asked, options = house_rules(game, random, house)
    while True:
        played = play(game, count, players, random, options)
        if not played.is_redealt:
            break
    request, deal = {**played.request, **asked}, played.request["deal"]
    truth = {side: list(pile) for side, pile in deal["piles"].items()}
    if deal["last_capturer"] and options.get("last_cards") != "nobody":
        truth[deal["last_capturer"]] += deal["leftover"]
        if random.random() < 0.7:
            deal["piles"] = truth
            del deal["leftover"], deal["last_capturer"]
    deal["sweeps"] = {}
    if options.get("wild_cards", "none") != "none":
        # The opening might be void by its wild cards; the prime is what they change.
        del deal["layout"], deal["dealer"]
        wild = random.sample(options["wild_cards"].split("+"), random.randint(0, 2))
        deal["as"] = {card: str(random.choice(RANKS)) for card in wild}
    return PartlyKnown(deepcopy(request), truth, options)


def partly_known(
    random: Random,
    game: str | None = None,
    line_up: tuple[int, int] | None = None,
    loose: int | None = None,
    house: House = (None, {}),
    fields: Sequence[str] = ("best", "counts", "told", "awards"),
) -> PartlyKnown:
    """Return a deal of which some cards are hidden, and perhaps counts, words and best cards in their place, all true.

    By default so few are hidden that every completion can be tried.
    """
    deal = finished(random, game, line_up, house)
    labels = deal.request["sides"]
    loose = random.randint(1, LOOSE[len(labels)]) if loose is None else loose
    telling = random.random() < 0.6
    hidden = set(
        sorted(PACK, key=lambda card: (random.random() > 0.6 or not telling or card not in TELLING, random.random()))[
            :loose
        ]
    )
    facts = dict(deal.request["deal"])
    owner = {card: side for side, pile in deal.truth.items() for card in pile}
    if hidden & set(facts.get("leftover", [])):
        # A leftover is listed whole or not at all.
        hidden |= set(facts.pop("leftover")) - set(owner)
        facts["piles"] = deal.truth
        if facts["last_capturer"]:
            del facts["last_capturer"]
    facts["piles"] = {side: [card for card in pile if card not in hidden] for side, pile in facts["piles"].items()}
    table = deal.table
    share = {each: random.choice([0, 0, 0.15, 0.4, 0.8]) for each in fields}
    if "counts" in fields:
        facts["counts"] = {
            side: {
                kind: sum(map(wanted, deal.truth[side]))
                for kind, wanted in COUNTED.items()
                if random.random() < share["counts"]
            }
            for side in labels
        }
    if "told" in fields:
        said = [card for card in PACK if card in hidden and card in owner and random.random() < share["told"] / 2]
        facts["told"] = {side: [card for card in said if owner[card] == side] for side in labels}
    if "best" in fields and "prime" in table.score(deal.truth) and table.method != "sevens_count":
        suits = [suit for suit in "OCEB" if suit not in {card[-1] for card, _ in table.given}]
        facts["best"] = {
            side: {
                suit: best_of(table, deal.truth[side], suit) for suit in suits if random.random() < share["best"] / 2
            }
            for side in labels
        }
    if "awards" in fields:
        takers = table.takers(deal.truth)
        facts["awards"] = {
            item: sorted(taken) if taken else None
            for item, taken in takers.items()
            if random.random() < share["awards"]
        }
    facts["accept"] = ACCEPTED
    hidden_from_all = has_nobodys(facts, table)  # A rest would take a hidden leftover that is nobody's.
    if "told" in fields and "leftover" not in facts and not hidden_from_all and random.random() < 0.1:
        facts["rest"] = random.choice(labels)
        said = {card for card in PACK if card in hidden and random.random() < 0.7}
        facts["told"] = {side: [card for card in pile if card in said] for side, pile in deal.truth.items()}
        facts["piles"] = {
            side: [card for card in pile if card not in said]
            for side, pile in deal.truth.items()
            if side != facts["rest"]
        }
    return PartlyKnown({**deal.request, "deal": facts}, deal.truth, deal.options)


def best_of(table: Table, pile: Sequence[str], suit: str) -> int | str | None:
    """Return what a side lays out of a suit for the prime."""
    held = [card for card in pile if card[-1] == suit]
    if not held:
        return None
    best = max(held, key=lambda card: (table.worth(card), rank(card)))
    return rank(best) if rank(best) <= 7 else "figure"


__all__ = ["ACCEPTED", "NOBODY", "PartlyKnown", "best_of", "finished", "partly_known"]
