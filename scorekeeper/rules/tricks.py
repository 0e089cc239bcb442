"""The Brisca family: card points from tricks, and what a deal is worth (docs/rules.md 5.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from . import contract, schema
from .cards import SUITS
from .problems import Problems, check_fields
from .ruleset import Ending, TableRules
from .sheet import Line, Sheet

WHOLE = 120
"""Card points of a pack, in every value table."""

FIXED_CYCLE = "OCEB"
"""Trumps of the four deals of a cycle."""

VALUE_TABLES: dict[str, dict[str, int]] = {
    "standard": {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2},
    "seven_ten": {"1": 11, "7": 10, "12": 4, "11": 3, "10": 2},
    "jack_knight_swapped": {"1": 11, "3": 10, "12": 4, "10": 3, "11": 2},
}
"""Card points by printed index; the other cards are worth nothing."""

BY_STRENGTH = ("1", "3", "12", "11", "10", "9", "8", "7", "6", "5", "4", "2")
"""The printed indices of a suit, the card that beats the others first, whatever they are worth."""

MARRIAGE_IN_TRUMPS, MARRIAGE = 40, 20
LAST_TRICK = 10
LEAST_BID = 100
HIGHEST_BID = WHOLE + MARRIAGE_IN_TRUMPS + LAST_TRICK
CALLERS_NEED = 61

DEAL_FIELDS = frozenset(
    {"dealer", "trump", "piles", "rest", "card_points", "counts", "marriages", "last_trick", "bid", "partner"}
    | {"three_killed", "awards", "points"}
)


@dataclass(frozen=True)
class Variant:
    """What a preset changes beyond its options.

    ``scoring`` names how the deal is decided: ``most`` (card points), ``limit`` (staying at or under it), ``bid`` (one
    declarer against two) or ``call`` (a caller and a hidden partner against the rest).
    """

    scoring: str = "most"
    marriages: bool = False
    last_trick: bool = False
    three_killed: bool = False
    hand: int = 3
    """The cards that each player is dealt at first."""
    apart: int = 0
    """The cards that lie apart and are nobody's."""


@lru_cache(maxsize=8)
def pack_of(size: int) -> tuple[str, ...]:
    """Return the card codes of a pack of 40, or of another size.

    48 cards have eights and nines, 36 have no twos, 32 neither twos nor fours. 39 cards lack a two, any of the
    four, so all four are listed.
    """
    indices = ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
    if size == 48:
        indices[7:7] = ["8", "9"]
    if size in (36, 32):
        indices.remove("2")
    if size == 32:
        indices.remove("4")
    return tuple(index + suit for suit in SUITS for index in indices)


@lru_cache(maxsize=8)
def reachable_points(table: str) -> frozenset[int]:
    """Return every sum of card points that a pile can have; 1 and 119, for example, cannot be."""
    sums = {0}
    for points in VALUE_TABLES[table].values():
        for _ in SUITS:
            sums |= {total + points for total in sums}
    return frozenset(sums)


@dataclass
class CardPoints:
    """The card points as far as known: least and most of each side, the evidence, and the cards of each pile."""

    least: list[int]
    most: list[int]
    evidence: contract.Evidence | None
    cards: list[int | None]
    piles: list[set[str]]
    is_whole: bool

    @property
    def exact(self) -> tuple[int, ...] | None:
        """The card points of every side, or None while those of a side are not known."""
        return tuple(self.least) if self.least == self.most else None


class TrickGame:
    """A game of the Brisca family at one table."""

    by_number: ClassVar[bool] = True
    deal_fields: ClassVar[frozenset[str]] = DEAL_FIELDS

    def __init__(self, table: TableRules, variant: Variant) -> None:
        self.table = table
        self.variant = variant
        self.sides = table.sides
        self.positions = range(len(table.sides))
        self.players = len(table.sides) * table.players_per_side
        self.options = table.options
        self.pack_size: int = table.options["pack"]
        self.values = VALUE_TABLES[table.options["value_table"]]
        mode = table.options["match_mode"]
        self.scores_card_points = mode == "cycle_points" or (
            variant.marriages and table.options["mariaje_match"] == "sum_to_500"
        )
        if mode != "game_points":
            self.ending = Ending(rounds=len(FIXED_CYCLE), counts_wins=mode == "cycle_victories")
        elif self.scores_card_points:
            self.ending = Ending(target=500)
        elif variant.scoring == "bid":
            self.ending = Ending(target=table.options["rematada_target"])
        else:
            self.ending = Ending(target=table.options["match_to"])

    @property
    def reads_points(self) -> bool:
        """Whether the table itself decides what each player of a called deal gets."""
        return self.variant.scoring == "call" and self.options["chiamata_scores"] == "manual"

    def check_round(self, named: object, number: int, problems: Problems) -> None:
        """Deals of the Brisca family are not named by round."""

    def item_ids(self) -> tuple[str, ...]:
        """Return the items that can have a line at this table."""
        ids = ["card_points"]
        if self.variant.marriages or self.variant.scoring == "bid":
            ids.append("marriage")
        if self.variant.last_trick:
            ids.append("last_trick")
        if self.variant.scoring in ("bid", "call"):
            ids.append("bid")
        elif not self.scores_card_points:
            ids.append("game_point")
            if self.options["pts_over_hundred"] == 2 and self.variant.scoring == "most":
                ids.append("over_hundred")
        return tuple(ids)

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Return the sheet of one deal; raises ``Malformed`` where a type is wrong.

        ``number`` counts the deals of the match from 0: with a fixed cycle it decides the trump.
        """
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        schema.side(deal.get("dealer"), "dealer", self.sides, problems)
        trump = self._trump(deal.get("trump"), number, problems)
        killer = self._side(deal.get("three_killed"), "three_killed", problems)
        if killer is not None and not self.variant.three_killed:
            problems.error(
                "unknown_item", "three_killed", "The three cannot be killed in this game.", item="three_killed"
            )
        bid = self._bid(deal, problems)
        card_points = self._card_points(deal, bid, killer is not None, problems)
        bonus, lines = self._bonus(deal, card_points, trump, problems)
        if problems.fatal:
            return sheet
        lines.insert(0, self._card_points_line(card_points))
        said = self._said(deal, problems)
        lines += self._deciding_lines(deal, card_points, bonus, bid, killer, said, problems)
        if problems.fatal:
            return sheet
        sheet.lines = lines
        sheet.points = tuple(
            sum(line.points[side] for line in lines if line.points is not None) for side in self.positions
        )
        undecided = [line.item for line in lines if line.points is None]
        if undecided:
            sheet.ask = self._ask(deal, card_points, bid, undecided)
        return sheet

    # ---------------------------------------------------------------- reading

    def _side(self, value: object, where: str, problems: Problems) -> int | None:
        label = schema.side(value, where, self.sides, problems)
        return None if label is None else self.sides.index(label)

    def _trump(self, value: object, number: int, problems: Problems) -> str | None:
        """Return the suit of trumps: as named, or by the cycle; None where there is neither."""
        named = schema.optional(value, "trump", schema.text)
        if named is None:
            return FIXED_CYCLE[number % 4] if self.options["trump_method"] == "fixed_cycle" else None
        if named.upper() not in tuple(SUITS):
            problems.error("unknown_suit", "trump", f"{named[:20]!r} is no suit: O, C, E or B.", suit=named[:20])
            return None
        return named.upper()

    def _bid(self, deal: Mapping[str, object], problems: Problems) -> tuple[int, int] | None:
        """Read the bid as side and points; a call without points is for 61."""
        if self.variant.scoring not in ("bid", "call"):
            if deal.get("bid") is not None:
                problems.error("unknown_item", "bid", "There is no bidding in this game.", item="bid")
            return None
        if deal.get("bid") is None:
            problems.error("bid_missing", "bid", "Say who bid, and how much.")
            return None
        said = schema.mapping(deal["bid"], "bid")
        side = self._side(schema.text(said.get("side"), "bid.side"), "bid.side", problems)
        calling = self.variant.scoring == "call"
        points = schema.integer(said.get("points", CALLERS_NEED) if calling else said.get("points"), "bid.points")
        least, most = (0, WHOLE) if calling else (LEAST_BID, HIGHEST_BID)
        if not least <= points <= most:
            problems.error(
                "impossible_bid",
                "bid.points",
                f"A bid is {least} to {most}, not {points}.",
                least=least,
                most=most,
                bid=points,
            )
        return None if side is None else (side, points)

    def _card_points(
        self, deal: Mapping[str, object], bid: tuple[int, int] | None, ended_early: bool, problems: Problems
    ) -> CardPoints:
        """Read what is known of the card points, from the strongest evidence there is: piles, then typed points.

        Where all cards are placed, typed points and counts that differ only get a warning. A deal that ``ended_early``
        leaves cards that nobody took.
        """
        piles, loose = self._read_piles(deal, problems)
        held = [sum(self._worth(card) for card in pile) for pile in piles]
        # With 39 cards a two is missing, and nobody knows which: the pack lists it, but it lies in no pile.
        spare = len(pack_of(self.pack_size)) - self.pack_size
        is_whole = len(loose) <= spare
        typed = self._typed(deal.get("card_points"), ended_early, problems)
        cards = self._card_counts(deal.get("counts"), piles, is_whole, problems)
        if not is_whole:
            return self._bounds(held, typed, cards, piles, ended_early, problems)
        if not ended_early and not problems.fatal:
            self._check_sizes([len(pile) for pile in piles], bid, "piles", problems)
        for side, points in typed.items():
            if points != held[side]:
                self._contradicted(side, points, held[side], problems)
        return CardPoints(held, list(held), "shown", cards, piles, True)

    def _read_piles(self, deal: Mapping[str, object], problems: Problems) -> tuple[list[set[str]], list[str]]:
        """Read ``piles`` and ``rest``: return the cards of each side, and those that lie in no pile."""
        pack = pack_of(self.pack_size)
        placed: dict[str, str] = {}
        piles: list[set[str]] = [set() for _ in self.positions]
        for label, codes in schema.by_side(deal.get("piles"), "piles", self.sides, problems).items():
            piles[self.sides.index(label)] |= self._read_pile(codes, f"piles.{label}", placed, problems)
        loose = [card for card in pack if card not in placed]
        spare = len(pack) - self.pack_size
        twos = [card for card in loose if card[:-1] == "2"]
        if len(loose) < spare or (not twos and spare):
            message = f"This pack has {self.pack_size} cards: one two is missing."
            problems.error("too_many_cards", "piles", message, cards=len(placed))
        rest = self._side(deal.get("rest"), "rest", problems)
        if rest is not None and not problems.fatal:
            piles[rest] |= {card for card in loose if not spare or card != twos[-1]}
            loose = []
        return piles, loose

    def _read_pile(self, codes: object, where: str, placed: dict[str, str], problems: Problems) -> set[str]:
        """Read the cards of one pile; ``placed`` has the place of each card read before, and these are added to it."""
        pile = set()
        for position, code in schema.each_word(codes, where):
            card, here = code.upper(), f"{where}[{position}]"
            if card not in pack_of(self.pack_size):
                message = f"There is no card {code[:20]!r} in this pack."
                problems.error("unknown_card", here, message, card=code[:20])
            elif card in placed:
                first = placed[card]
                message = f"{card} is in {first} and in {where}."
                problems.error("duplicate_card", here, message, card=card, first=first, second=where)
            else:
                placed[card] = where
                pile.add(card)
        return pile

    def _bounds(
        self,
        held: list[int],
        typed: dict[int, int],
        cards: list[int | None],
        piles: list[set[str]],
        ended_early: bool,
        problems: Problems,
    ) -> CardPoints:
        """Return the least and the most that each side can have, where not all cards are placed.

        Points that were typed count where the cards leave room for them; the last side's follow from the others'.
        """
        open_points = WHOLE - sum(held)
        fixed: dict[int, int] = {}
        for side, points in typed.items():
            if held[side] <= points <= held[side] + open_points:
                fixed[side] = points
            else:
                self._contradicted(side, points, held[side], problems)
        if len(fixed) == len(self.sides) - 1 and not ended_early:
            (last,) = (side for side in self.positions if side not in fixed)
            fixed[last] = WHOLE - sum(fixed.values())
        least = [fixed.get(side, held[side]) for side in self.positions]
        left = max(0, WHOLE - sum(least))
        most = [fixed.get(side, least[side] + left) for side in self.positions]
        return CardPoints(least, most, "counted" if fixed else None, cards, piles, False)

    def _contradicted(self, side: int, points: int, shown: int, problems: Problems) -> None:
        """Warn of typed card points that the cards do not show."""
        label = self.sides[side]
        problems.warn(
            "card_points_contradicted",
            f"card_points.{label}",
            f"{label} was given {points} card points, but the cards show {shown}; the cards are scored.",
            side=label,
            count=points,
            shown=shown,
        )

    def _worth(self, card: str) -> int:
        return self.values.get(card[:-1], 0)

    def _typed(self, value: object, ended_early: bool, problems: Problems) -> dict[int, int]:
        """Read card points that were added up at the table, by side; sums that no piles can have are errors."""
        typed = {}
        for label, given in schema.by_side(value, "card_points", self.sides, problems).items():
            where = f"card_points.{label}"
            points = schema.integer(given, where)
            if points not in reachable_points(self.options["value_table"]):
                problems.error(
                    "impossible_card_points", where, f"No pile has {points} card points.", side=label, count=points
                )
            typed[self.sides.index(label)] = points
        total = sum(typed.values())
        if total > WHOLE or (len(typed) == len(self.sides) and total != WHOLE and not ended_early):
            entered = " and ".join(str(points) for points in typed.values())
            problems.error(
                "card_points_sum",
                "card_points",
                f"Card points: you entered {entered}, together {total}; the pack has {WHOLE}.",
                count=total,
                most=WHOLE,
            )
        return typed

    def _card_counts(
        self, value: object, piles: list[set[str]], is_whole: bool, problems: Problems
    ) -> list[int | None]:
        """Return how many cards each pile has: as shown where all are placed, otherwise as counted (None: unknown).

        Where all numbers but one are known, the last one follows.
        """
        counts: list[int | None] = [len(pile) if is_whole else None for pile in piles]
        for side, number in self._read_counts(value, problems):
            shown, label = counts[side], self.sides[side]
            if shown is not None and shown != number:
                problems.warn(
                    "counts_contradicted",
                    f"counts.{label}.cards",
                    f"{label} was counted {number} cards, but the cards show {shown}.",
                    side=label,
                    kind="cards",
                    count=number,
                    shown=shown,
                )
            else:
                counts[side] = number
        known = [count for count in counts if count is not None]
        if len(known) == len(counts) - 1:
            counts[counts.index(None)] = last = self.pack_size - sum(known)
            known.append(last)
        total = sum(known)
        if total > self.pack_size or (len(known) == len(counts) and total != self.pack_size):
            message = f"cards: together {total}; the pack has {self.pack_size}."
            problems.error("impossible_counts", "counts", message, kind="cards", most=self.pack_size, count=total)
        if not problems.fatal and not is_whole and self.variant.scoring != "bid":
            self._check_sizes(counts, None, "counts", problems)
        return counts

    def _read_counts(self, value: object, problems: Problems) -> Iterator[tuple[int, int]]:
        """Yield the counted number of cards of each side that has one, with its position."""
        for label, kinds in schema.by_side(value, "counts", self.sides, problems).items():
            for kind, given in schema.mapping(kinds, f"counts.{label}").items():
                where = f"counts.{label}.{kind[:20]}"
                if given is None:
                    continue
                number = schema.integer(given, where)
                if kind != "cards":
                    message = f"{kind[:20]!r} is not counted in this game."
                    problems.error("unknown_count", where, message, kind=kind[:20])
                elif not 0 <= number <= self.pack_size:
                    message = f"{number} cards cannot be."
                    problems.error("impossible_counts", where, message, kind="cards", most=self.pack_size, count=number)
                else:
                    yield self.sides.index(label), number

    def _check_sizes(
        self, sizes: list[int] | list[int | None], bid: tuple[int, int] | None, where: str, problems: Problems
    ) -> None:
        """Check that piles are whole tricks, a card of each player; a declarer of rematada laid away two more."""
        for side, size in enumerate(sizes):
            extra = 2 if self.variant.scoring == "bid" and bid is not None and bid[0] == side else 0
            if size is not None and (size - extra) % self.players:
                label = self.sides[side]
                problems.error(
                    "pile_size",
                    f"{where}.{label}",
                    f"{label} has {size} cards; tricks come in {self.players}s.",
                    side=label,
                    cards=size,
                    players=self.players,
                )

    # ---------------------------------------------------------------- lines

    def _line_of(self, item: str, amounts: tuple[int, ...], reason: str, evidence: contract.Evidence) -> Line:
        """Return the line of an amount of points, which counts only where the match is played for card points."""
        points = amounts if self.scores_card_points else (0,) * len(self.sides)
        return Line(item, points, reason, amounts, evidence)

    def _card_points_line(self, card_points: CardPoints) -> Line:
        if card_points.exact is not None:
            return self._line_of("card_points", card_points.exact, "counted", card_points.evidence or "said")
        bounds = tuple(zip(card_points.least, card_points.most, strict=True))
        if self.scores_card_points:
            return Line("card_points", None, "open", bounds=bounds)
        return Line("card_points", (0,) * len(self.sides), "not_counted", bounds=bounds)

    def _bonus(
        self, deal: Mapping[str, object], card_points: CardPoints, trump: str | None, problems: Problems
    ) -> tuple[list[int], list[Line]]:
        """Read marriages and the last trick: the amounts that each side adds to its card points, and their lines."""
        lines = [
            *self._marriage_lines(deal, card_points, trump, problems),
            *self._last_trick_lines(deal.get("last_trick"), problems),
        ]
        bonus = [sum(line.values[side] for line in lines if line.values is not None) for side in self.positions]
        return bonus, lines

    def _marriage_lines(
        self, deal: Mapping[str, object], card_points: CardPoints, trump: str | None, problems: Problems
    ) -> list[Line]:
        """Return the line of the marriages, where somebody has one."""
        only_trumps = self.variant.scoring == "bid"
        listed = schema.optional_items(deal.get("marriages"), "marriages")
        if not self.variant.marriages and not only_trumps:
            if listed:
                problems.error("unknown_item", "marriages", "There are no marriages in this game.", item="marriage")
            return []
        married = self._marriages(listed, card_points, trump, only_trumps, problems)
        if not listed and card_points.is_whole and not self._says_none(deal):
            married = _marriages_in(card_points.piles, (trump or "") if only_trumps else SUITS)
        if not married:
            return []
        if trump is None and not problems.fatal:
            problems.error("trump_missing", "trump", "Say which suit is trumps: its marriage counts 40.")
        amounts = [0] * len(self.sides)
        for suit, side in married.items():
            amounts[side] += MARRIAGE_IN_TRUMPS if suit == trump else MARRIAGE
        return [self._line_of("marriage", tuple(amounts), "declared", "said" if listed else "shown")]

    def _says_none(self, deal: Mapping[str, object]) -> bool:
        """Say whether the table says that nobody declared a marriage, whatever lies in the piles.

        Since rules version 4, and in rematada: there the bid waits until it is said.
        """
        return self.table.version > 3 and self.variant.scoring == "bid" and deal.get("marriages") == []

    def _last_trick_lines(self, value: object, problems: Problems) -> list[Line]:
        """Return the line of the last trick, where the table says who took it."""
        last = self._side(value, "last_trick", problems)
        if last is None:
            return []
        if not self.variant.last_trick:
            message = "The last trick counts nothing in this game."
            problems.error("unknown_item", "last_trick", message, item="last_trick")
        return [self._line_of("last_trick", self._to(last, LAST_TRICK), "last_trick", "said")]

    def _marriages(
        self, listed: list[Any], card_points: CardPoints, trump: str | None, only_trumps: bool, problems: Problems
    ) -> dict[str, int]:
        """Read the marriages that the table lists, as side by suit; those that the piles contradict are left out."""
        married: dict[str, int] = {}
        for number, entry in enumerate(listed):
            where = f"marriages[{number}]"
            said = schema.mapping(entry, where)
            side = self._side(schema.text(said.get("side"), f"{where}.side"), f"{where}.side", problems)
            suit = schema.text(said.get("suit"), f"{where}.suit").upper()
            if suit not in tuple(SUITS):
                message = f"{suit[:20]!r} is no suit: O, C, E or B."
                problems.error("unknown_suit", f"{where}.suit", message, suit=suit[:20])
            elif suit in married:
                problems.error("duplicate_marriage", where, "Each suit marries once.", suit=suit)
            elif only_trumps and suit != trump and self.table.version < 3:
                problems.error("impossible_marriage", where, "Only the marriage in trumps counts here.", suit=suit)
            elif only_trumps and trump is not None and suit != trump:
                message = "Only the marriage in trumps counts here; this one scores nothing."
                problems.warn("marriage_not_in_trumps", where, message, suit=suit)
            elif side is not None:
                pair = {"12" + suit, "11" + suit}
                other = next((o for o in self.positions if o != side and pair & card_points.piles[o]), None)
                if other is None:
                    married[suit] = side
                    continue
                label = self.sides[other]
                message = f"{label} holds a card of that marriage; it is not scored."
                problems.warn("marriage_contradicted", where, message, suit=suit, side=label)
        return married

    def _said(self, deal: Mapping[str, object], problems: Problems) -> int | None:
        """Read who is said to have won the deal (the award ``game_point``)."""
        said = None
        for item, winner in schema.optional_mapping(deal.get("awards"), "awards").items():
            where = f"awards.{item[:40]}"
            if item != "game_point" or "game_point" not in self.item_ids():
                problems.error("unknown_item", where, f"{item[:40]!r} is not awarded at this table.", item=item[:40])
                continue
            winners = [winner] if isinstance(winner, str) else schema.words(winner or [], where)
            if len(winners) > 1:
                problems.error("impossible_award", where, "One side wins a deal.", item=item, sides=winners)
            elif winners:
                said = self._side(winners[0], where, problems)
        return said

    def _deciding_lines(
        self,
        deal: Mapping[str, object],
        card_points: CardPoints,
        bonus: list[int],
        bid: tuple[int, int] | None,
        killer: int | None,
        said: int | None,
        problems: Problems,
    ) -> list[Line]:
        """Return the lines that say who won the deal, by the rule of the variant."""
        if self.scores_card_points:
            return []
        if killer is not None:
            return [Line("game_point", self._to(killer, 1), "three_killed", None, "said")]
        if bid is not None:
            partner = self._side(deal.get("partner"), "partner", problems)
            if self.variant.scoring == "bid":
                return [self._rematada_line(deal, card_points, bonus, *bid)]
            return [self._chiamata_line(deal, card_points, *bid, partner, problems)]
        if self.variant.scoring == "limit":
            return [self._limit_line(card_points)]
        return self._most_lines(card_points, bonus, said)

    def _to(self, side: int | None, points: int) -> tuple[int, ...]:
        return tuple(points if each == side else 0 for each in self.positions)

    def _most_lines(self, card_points: CardPoints, bonus: list[int], said: int | None) -> list[Line]:
        """Return the lines of a deal that most card points win.

        The line is settled where the winner is the same however the open points fall, or where the table says who won.
        """
        results = {self._winner(totals, card_points) for totals in self._extremes(card_points, bonus)}
        strength: contract.Evidence = card_points.evidence or "counted"
        if len(results) > 1 or (card_points.exact is None and None in results) or (None, "cards") in results:
            if said is None:
                return [Line("game_point", None, "open")]
            return [Line("game_point", self._to(said, 1), "most", None, "said")]
        ((winner, reason),) = results
        values = card_points.exact and tuple(own + more for own, more in zip(card_points.exact, bonus, strict=True))
        point = Line("game_point", self._to(winner, 1), reason, values or None, strength)
        if self.options["pts_over_hundred"] != 2 or winner is None:
            return [point]
        over = {totals[winner] > 100 for totals in self._extremes(card_points, bonus)}
        if len(over) > 1:
            return [point._replace(points=None, reason="open", values=None, evidence=None)]
        if over == {True}:
            nothing = self._to(None, 0)
            return [
                point._replace(points=nothing, reason="superseded"),
                Line("over_hundred", self._to(winner, 2), "over_hundred", values or None, strength),
            ]
        return [point]

    def _extremes(self, card_points: CardPoints, bonus: list[int]) -> list[list[int]]:
        """Return, for each side, the totals if all open points fall to that side.

        These are the extremes of what can happen, so what is the same in all of them is certain.
        """
        base = [own + more for own, more in zip(card_points.least, bonus, strict=True)]
        ways = []
        for side in self.positions:
            if card_points.most[side] > card_points.least[side]:
                totals = list(base)
                totals[side] += card_points.most[side] - card_points.least[side]
                ways.append(totals)
        return ways or [base]

    def _winner(self, totals: list[int], card_points: CardPoints) -> tuple[int | None, str]:
        """Return who wins with these totals, and why: most points, then most cards.

        Return ``(None, "cards")`` where the cards decide and were not counted.
        """
        top = [side for side in self.positions if totals[side] == max(totals)]
        if len(top) == 1:
            return top[0], "most"
        if any(card_points.cards[side] is None for side in top):
            return None, "cards"
        most = max(card_points.cards[side] or 0 for side in top)
        leading = [side for side in top if card_points.cards[side] == most]
        return (leading[0], "more_cards") if len(leading) == 1 else (None, "tied")

    def _limit_line(self, card_points: CardPoints) -> Line:
        """Return the line of a game point for everyone at or under the limit (mexican)."""
        limit = self.options["mexican_limit"]
        if any(least <= limit < most for least, most in zip(card_points.least, card_points.most, strict=True)):
            return Line("game_point", None, "open")
        points = tuple(int(most <= limit) for most in card_points.most)
        return Line(
            "game_point",
            points,
            "within_limit" if any(points) else "over_limit",
            card_points.exact,
            card_points.evidence,
        )

    def _rematada_line(
        self, deal: Mapping[str, object], card_points: CardPoints, bonus: list[int], declarer: int, bid: int
    ) -> Line:
        """Return the line of a bid: the declarer scores what was bid or made, or the others score half of it.

        Since rules version 4 it is open until the last trick is told, and the marriages where one could turn it.
        """
        least, most = (bound[declarer] + bonus[declarer] for bound in (card_points.least, card_points.most))
        by_made = self.options["rematada_score"] == "made"
        if self._is_open_bid(least, most, bid) or self._waits_for_word(deal, card_points, least, most, declarer, bid):
            return Line("bid", None, "open")
        values = self._to(declarer, least) if least == most else None
        if least >= bid:
            return Line("bid", self._to(declarer, least if by_made else bid), "made", values, card_points.evidence)
        half = bid // 2 if bid % 2 == 0 else bid / 2
        points = tuple(0 if side == declarer else half for side in self.positions)
        return Line("bid", points, "failed", values, card_points.evidence)

    def _is_open_bid(self, least: int, most: int, bid: int) -> bool:
        """Say whether a bid is open where the declarer has between ``least`` and ``most`` points."""
        by_made = self.options["rematada_score"] == "made"
        return least < bid <= most or (by_made and least != most and most >= bid)

    def _waits_for_word(
        self, deal: Mapping[str, object], card_points: CardPoints, least: int, most: int, declarer: int, bid: int
    ) -> bool:
        """Say whether a bid waits for what only the table can say: the last trick, or a marriage that could turn it."""
        if self.table.version < 4:
            return False
        marriage = MARRIAGE_IN_TRUMPS if self._may_marry(deal, card_points, declarer) else 0
        return deal.get("last_trick") is None or self._is_open_bid(least, most + marriage, bid)

    def _may_marry(self, deal: Mapping[str, object], card_points: CardPoints, declarer: int) -> bool:
        """Say whether the declarer may have a marriage that nobody has told: no other pile holds a card of it."""
        if deal.get("marriages") is not None or card_points.is_whole:
            return False
        named = deal.get("trump")
        suits = named.upper() if isinstance(named, str) else SUITS
        others = set[str]().union(*(card_points.piles[side] for side in self.positions if side != declarer))
        return any(not {"12" + suit, "11" + suit} & others for suit in suits)

    def _points_decide_bid(self, deal: Mapping[str, object], card_points: CardPoints, bid: tuple[int, int]) -> bool:
        """Say whether the bid hangs on the declarer's card points, whatever else the table has to say."""
        declarer, points = bid
        told = self._bonus(deal, card_points, self._trump(deal.get("trump"), 0, Problems()), Problems())[0][declarer]
        more = {0, LAST_TRICK} if deal.get("last_trick") is None else {0}
        married = {0, MARRIAGE_IN_TRUMPS} if self._may_marry(deal, card_points, declarer) else {0}
        least, most = card_points.least[declarer] + told, card_points.most[declarer] + told
        return any(
            self._is_open_bid(least + trick + pair, most + trick + pair, points) for trick in more for pair in married
        )

    def _chiamata_line(
        self,
        deal: Mapping[str, object],
        card_points: CardPoints,
        caller: int,
        bid: int,
        partner: int | None,
        problems: Problems,
    ) -> Line:
        """Return the line of a call: caller and partner need so many points together, or the caller alone.

        Who plays alone wins or loses what all the others lose or win; until rules version 2 as much as with a partner.
        """
        if self.options["chiamata_scores"] == "manual":
            given = schema.by_side(deal.get("points"), "points", self.sides, problems)
            if len(given) < len(self.sides):
                return Line("bid", None, "open")
            return Line(
                "bid", tuple(schema.integer(given[s], f"points.{s}") for s in self.sides), "manual", None, "said"
            )
        team = {caller} if partner is None else {caller, partner}
        wanted = max(CALLERS_NEED, bid)
        least = sum(card_points.least[side] for side in team)
        most = WHOLE - sum(card_points.least[side] for side in self.positions if side not in team)
        if all(card_points.least[side] == card_points.most[side] for side in team):
            most = least
        if least < wanted <= most:
            return Line("bid", None, "open")
        won = least >= wanted
        if self.options["chiamata_scores"] == "deal_wins":
            points = tuple(int((side in team) == won) for side in self.positions)
        else:
            sign = 1 if won else -1
            stake = len(self.sides) - 1 if len(team) == 1 and self.table.version > 2 else 2
            points = tuple(sign * (stake if side == caller else 1 if side in team else -1) for side in self.positions)
        return Line("bid", points, "made" if won else "failed", card_points.exact, card_points.evidence)

    def _ask(
        self, deal: Mapping[str, object], card_points: CardPoints, bid: tuple[int, int] | None, undecided: list[str]
    ) -> contract.Question | None:
        """Return what to ask next: open card points first, then the number of cards.

        After a call the caller and the partner are asked for first, as theirs are enough. Where its points are entered
        by hand, those are asked for. Nothing is asked where a bid waits for what only the table can say.
        """
        asked = list(self.positions)
        is_bid = self.variant.scoring == "bid" and self.table.version > 3
        if is_bid and (bid is None or not self._points_decide_bid(deal, card_points, bid)):
            return None
        if self.variant.scoring == "call" and self.table.version > 2:
            if self.options["chiamata_scores"] == "manual":
                given = schema.by_side(deal.get("points"), "points", self.sides, Problems())
                missing = next(side for side in self.sides if side not in given)
                return {"count": "points", "side": missing, "settles": undecided}
            team = (bid and bid[0], self._side(deal.get("partner"), "partner", Problems()))
            asked.sort(key=lambda side: side not in team)
        for side in asked:
            if card_points.least[side] != card_points.most[side]:
                return {"count": "card_points", "side": self.sides[side], "settles": undecided}
        for side in self.positions:
            if card_points.cards[side] is None:
                return {"count": "cards", "side": self.sides[side], "settles": undecided}
        return None


def _marriages_in(piles: Sequence[set[str]], suits: str) -> dict[str, int]:
    """Return the marriages of some suits whose two cards lie in one pile, as side by suit."""
    return {suit: side for suit in suits for side, pile in enumerate(piles) if {"12" + suit, "11" + suit} <= pile}


__all__ = ["HIGHEST_BID", "LEAST_BID", "VALUE_TABLES", "TrickGame", "Variant", "pack_of"]
