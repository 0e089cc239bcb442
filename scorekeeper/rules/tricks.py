"""The Brisca family: card points from tricks, and what a deal of them is worth (rules §5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from . import schema
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
"""Card points by printed index; the others are worth nothing."""

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


@lru_cache(maxsize=8)
def pack_of(size: int) -> tuple[str, ...]:
    """Give the card codes of a pack: 48 has the 8 and 9, 36 no twos, 32 neither twos nor fours, 39 one two less.

    Any one two may be missing from the 39, so all four are listed.
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
    """Give every sum of card points that a pile can have: 1 and 119, for one, cannot be."""
    sums = {0}
    for points in VALUE_TABLES[table].values():
        for _ in SUITS:
            sums |= {total + points for total in sums}
    return frozenset(sums)


@dataclass
class CardPoints:
    """What is known of the card points: least and most per seat, and how it is known."""

    least: list[int]
    most: list[int]
    evidence: str | None
    cards: list[int | None]
    piles: list[set[str]]
    is_whole: bool

    @property
    def exact(self) -> tuple[int, ...] | None:
        """The card points of every seat, where all are known."""
        return tuple(self.least) if self.least == self.most else None


class TrickGame:
    """A game of the Brisca family at one table."""

    by_number: ClassVar[bool] = True

    def __init__(self, table: TableRules, variant: Variant) -> None:
        self.table = table
        self.variant = variant
        self.sides = table.sides
        self.seats = range(len(table.sides))
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

    def item_ids(self) -> tuple[str, ...]:
        """Name the items that can have a line at this table."""
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

    def score(self, deal: Mapping[str, Any], number: int = 0) -> Sheet:
        """Score one deal; ``number`` (from 0) names the trump of a fixed cycle."""
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        schema.side(deal.get("dealer"), "dealer", self.sides, problems)
        trump = self._trump(deal.get("trump"), number, problems)
        killer = self._seat(deal.get("three_killed"), "three_killed", problems)
        if killer is not None and not self.variant.three_killed:
            problems.error(
                "unknown_item", "three_killed", "The three cannot be killed in this game.", item="three_killed"
            )
        bid = self._bid(deal, problems)
        tally = self._tally(deal, bid, killer is not None, problems)
        bonus, lines = self._bonus(deal, tally, trump, problems)
        if problems.fatal:
            return sheet
        lines.insert(0, self._card_points_line(tally))
        said = self._said(deal, problems)
        lines += self._deciding_lines(deal, tally, bonus, bid, killer, said, problems)
        if problems.fatal:
            return sheet
        sheet.lines = lines
        sheet.points = tuple(sum(line.points[seat] for line in lines if line.points is not None) for seat in self.seats)
        undecided = [line.item for line in lines if line.points is None]
        if undecided:
            sheet.ask = self._ask(tally, undecided)
        return sheet

    # ---------------------------------------------------------------- reading

    def _seat(self, value: object, where: str, problems: Problems) -> int | None:
        label = schema.side(value, where, self.sides, problems)
        return None if label is None else self.sides.index(label)

    def _trump(self, value: object, number: int, problems: Problems) -> str | None:
        named = schema.optional(value, "trump", schema.text)
        if named is None:
            return FIXED_CYCLE[number % 4] if self.options["trump_method"] == "fixed_cycle" else None
        if named.upper() not in tuple(SUITS):
            problems.error("unknown_suit", "trump", f"{named[:20]!r} is no suit: O, C, E or B.", suit=named[:20])
            return None
        return named.upper()

    def _bid(self, deal: Mapping[str, Any], problems: Problems) -> tuple[int, int] | None:
        """Read the bid: seat and points; a chiamata without points is a call for 61."""
        if self.variant.scoring not in ("bid", "call"):
            if deal.get("bid") is not None:
                problems.error("unknown_item", "bid", "There is no bidding in this game.", item="bid")
            return None
        if deal.get("bid") is None:
            problems.error("bid_missing", "bid", "Say who bid, and how much.")
            return None
        said = schema.mapping(deal["bid"], "bid")
        seat = self._seat(schema.text(said.get("side"), "bid.side"), "bid.side", problems)
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
        return None if seat is None else (seat, points)

    def _tally(
        self, deal: Mapping[str, Any], bid: tuple[int, int] | None, ended_early: bool, problems: Problems
    ) -> CardPoints:
        pack = pack_of(self.pack_size)
        placed: dict[str, str] = {}
        piles: list[set[str]] = [set() for _ in self.seats]
        for label, codes in schema.by_side(deal.get("piles"), "piles", self.sides, problems).items():
            where = f"piles.{label}"
            for position, code in schema.each_word(codes, where):
                card, here = code.upper(), f"{where}[{position}]"
                if card not in pack:
                    problems.error(
                        "unknown_card", here, f"There is no card {code[:20]!r} in this pack.", card=code[:20]
                    )
                elif card in placed:
                    problems.error(
                        "duplicate_card",
                        here,
                        f"{card} is in {placed[card]} and in {where}.",
                        card=card,
                        first=placed[card],
                        second=where,
                    )
                else:
                    placed[card] = where
                    piles[self.sides.index(label)].add(card)
        loose = [card for card in pack if card not in placed]
        spare = len(pack) - self.pack_size
        twos = [card for card in loose if card[:-1] == "2"]
        if len(loose) < spare or (not twos and spare):
            problems.error(
                "too_many_cards",
                "piles",
                f"This pack has {self.pack_size} cards: one two is missing.",
                cards=len(placed),
            )
        rest = self._seat(deal.get("rest"), "rest", problems)
        if rest is not None and not problems.fatal:
            given = loose if not spare else [card for card in loose if card != twos[-1]]
            piles[rest] |= set(given)
            loose = []
        is_whole = len(loose) <= spare and bool(placed or rest is not None)
        held = [sum(self._worth(card) for card in pile) for pile in piles]
        typed = self._typed(deal.get("card_points"), ended_early, problems)
        cards = self._card_counts(deal.get("counts"), piles, is_whole, problems)
        if is_whole and not ended_early and not problems.fatal:
            self._check_sizes([len(pile) for pile in piles], bid, "piles", problems)
        if is_whole:
            for seat, points in typed.items():
                if points != held[seat]:
                    self._contradicted(seat, points, held[seat], problems)
            return CardPoints(held, list(held), "shown", cards, piles, True)
        return self._bounds(held, typed, cards, piles, ended_early, problems)

    def _bounds(
        self,
        held: list[int],
        typed: dict[int, int],
        cards: list[int | None],
        piles: list[set[str]],
        ended_early: bool,
        problems: Problems,
    ) -> CardPoints:
        open_points = WHOLE - sum(held)
        fixed: dict[int, int] = {}
        for seat, points in typed.items():
            if held[seat] <= points <= held[seat] + open_points:
                fixed[seat] = points
            else:
                self._contradicted(seat, points, held[seat], problems)
        if len(fixed) == len(self.sides) - 1 and not ended_early:
            (last,) = (seat for seat in self.seats if seat not in fixed)
            fixed[last] = WHOLE - sum(fixed.values())
        least = [fixed.get(seat, held[seat]) for seat in self.seats]
        left = max(0, WHOLE - sum(least))
        most = [fixed.get(seat, least[seat] + left) for seat in self.seats]
        return CardPoints(least, most, "counted" if fixed else None, cards, piles, False)

    def _contradicted(self, seat: int, points: int, shown: int, problems: Problems) -> None:
        label = self.sides[seat]
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
        counts: list[int | None] = [len(pile) if is_whole else None for pile in piles]
        for label, kinds in schema.by_side(value, "counts", self.sides, problems).items():
            for kind, given in schema.mapping(kinds, f"counts.{label}").items():
                where = f"counts.{label}.{kind[:20]}"
                if given is None:
                    continue
                number, seat = schema.integer(given, where), self.sides.index(label)
                if kind != "cards":
                    problems.error(
                        "unknown_count", where, f"{kind[:20]!r} is not counted in this game.", kind=kind[:20]
                    )
                elif not 0 <= number <= self.pack_size:
                    problems.error(
                        "impossible_counts",
                        where,
                        f"{number} cards cannot be.",
                        kind="cards",
                        most=self.pack_size,
                        count=number,
                    )
                elif counts[seat] is not None and counts[seat] != number:
                    problems.warn(
                        "counts_contradicted",
                        where,
                        f"{label} was counted {number} cards, but the cards show {counts[seat]}.",
                        side=label,
                        kind="cards",
                        count=number,
                        shown=counts[seat],
                    )
                else:
                    counts[seat] = number
        known = [count for count in counts if count is not None]
        if len(known) == len(counts) - 1:
            counts[counts.index(None)] = self.pack_size - sum(known)
        full = [count for count in counts if count is not None]
        if sum(full) > self.pack_size or (len(full) == len(counts) and sum(full) != self.pack_size):
            problems.error(
                "impossible_counts",
                "counts",
                f"cards: together {sum(full)}; the pack has {self.pack_size}.",
                kind="cards",
                most=self.pack_size,
                count=sum(full),
            )
        if not problems.fatal and not is_whole and self.variant.scoring != "bid":
            self._check_sizes(counts, None, "counts", problems)
        return counts

    def _check_sizes(
        self, sizes: list[int] | list[int | None], bid: tuple[int, int] | None, where: str, problems: Problems
    ) -> None:
        """Every trick has one card of each player; a declarer of rematada has laid two away."""
        for seat, size in enumerate(sizes):
            extra = 2 if self.variant.scoring == "bid" and bid is not None and bid[0] == seat else 0
            if size is not None and (size - extra) % self.players:
                label = self.sides[seat]
                problems.error(
                    "pile_size",
                    f"{where}.{label}",
                    f"{label} has {size} cards; tricks come in {self.players}s.",
                    side=label,
                    cards=size,
                    players=self.players,
                )

    # ---------------------------------------------------------------- lines

    def _line_of(self, item: str, amounts: tuple[int, ...], reason: str, evidence: str) -> Line:
        points = amounts if self.scores_card_points else (0,) * len(self.sides)
        return Line(item, points, reason, amounts, evidence)

    def _card_points_line(self, tally: CardPoints) -> Line:
        if tally.exact is not None:
            return self._line_of("card_points", tally.exact, "counted", tally.evidence or "said")
        if self.scores_card_points:
            return Line("card_points", None, "open")
        return Line("card_points", (0,) * len(self.sides), "not_counted", at_least=tuple(tally.least))

    def _bonus(
        self, deal: Mapping[str, Any], tally: CardPoints, trump: str | None, problems: Problems
    ) -> tuple[list[int], list[Line]]:
        """Read marriages and the last trick: amounts per seat that are added to the card points."""
        bonus = [0] * len(self.sides)
        lines: list[Line] = []
        only_trumps = self.variant.scoring == "bid"
        listed = schema.optional_items(deal.get("marriages"), "marriages")
        if listed and not self.variant.marriages and not only_trumps:
            problems.error("unknown_item", "marriages", "There are no marriages in this game.", item="marriage")
        elif self.variant.marriages or only_trumps:
            married = self._marriages(listed, tally, trump, only_trumps, problems)
            if married and trump is None and not problems.fatal:
                problems.error("trump_missing", "trump", "Say which suit is trumps: its marriage counts 40.")
            amounts = [0] * len(self.sides)
            for suit, seat in married.items():
                amounts[seat] += MARRIAGE_IN_TRUMPS if suit == trump else MARRIAGE
            bonus = [one + other for one, other in zip(bonus, amounts, strict=True)]
            if married:
                strength = "said" if listed else "shown"
                lines.append(self._line_of("marriage", tuple(amounts), "declared", strength))
        last = self._seat(deal.get("last_trick"), "last_trick", problems)
        if last is not None:
            if not self.variant.last_trick:
                problems.error(
                    "unknown_item", "last_trick", "The last trick counts nothing in this game.", item="last_trick"
                )
            bonus[last] += LAST_TRICK
            amounts = [LAST_TRICK if seat == last else 0 for seat in self.seats]
            lines.append(self._line_of("last_trick", tuple(amounts), "last_trick", "said"))
        return bonus, lines

    def _marriages(
        self, listed: list[Any], tally: CardPoints, trump: str | None, only_trumps: bool, problems: Problems
    ) -> dict[str, int]:
        married: dict[str, int] = {}
        for number, entry in enumerate(listed):
            where = f"marriages[{number}]"
            said = schema.mapping(entry, where)
            seat = self._seat(schema.text(said.get("side"), f"{where}.side"), f"{where}.side", problems)
            suit = schema.text(said.get("suit"), f"{where}.suit").upper()
            if suit not in tuple(SUITS):
                problems.error(
                    "unknown_suit", f"{where}.suit", f"{suit[:20]!r} is no suit: O, C, E or B.", suit=suit[:20]
                )
            elif suit in married:
                problems.error("duplicate_marriage", where, "Each suit marries once.", suit=suit)
            elif only_trumps and suit != trump:
                problems.error("impossible_marriage", where, "Only the marriage in trumps counts here.", suit=suit)
            elif seat is not None:
                pair = {"12" + suit, "11" + suit}
                other = next((o for o in self.seats if o != seat and pair & tally.piles[o]), None)
                if other is not None:
                    problems.warn(
                        "marriage_contradicted",
                        where,
                        f"{self.sides[other]} holds a card of that marriage; it is not scored.",
                        suit=suit,
                        side=self.sides[other],
                    )
                else:
                    married[suit] = seat
        if not listed and tally.is_whole:
            for suit in SUITS:
                for seat, pile in enumerate(tally.piles):
                    if {"12" + suit, "11" + suit} <= pile and (not only_trumps or suit == trump):
                        married[suit] = seat
        return married

    def _said(self, deal: Mapping[str, Any], problems: Problems) -> int | None:
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
                said = self._seat(winners[0], where, problems)
        return said

    def _deciding_lines(
        self,
        deal: Mapping[str, Any],
        tally: CardPoints,
        bonus: list[int],
        bid: tuple[int, int] | None,
        killer: int | None,
        said: int | None,
        problems: Problems,
    ) -> list[Line]:
        if self.scores_card_points:
            return []
        if killer is not None:
            return [Line("game_point", self._to(killer, 1), "three_killed", None, "said")]
        if bid is not None:
            partner = self._seat(deal.get("partner"), "partner", problems)
            if self.variant.scoring == "bid":
                return [self._rematada_line(tally, bonus, *bid)]
            return [self._chiamata_line(deal, tally, *bid, partner, problems)]
        if self.variant.scoring == "limit":
            return [self._limit_line(tally)]
        return self._most_lines(tally, bonus, said)

    def _to(self, seat: int | None, points: int) -> tuple[int, ...]:
        return tuple(points if each == seat else 0 for each in self.seats)

    def _most_lines(self, tally: CardPoints, bonus: list[int], said: int | None) -> list[Line]:
        """Let the most card points win: in every way the points still open can fall, or the line stays open."""
        results = {self._winner(totals, tally) for totals in self._extremes(tally, bonus)}
        strength = tally.evidence or "counted"
        if len(results) > 1 or (tally.exact is None and None in results) or (None, "cards") in results:
            if said is None:
                return [Line("game_point", None, "open")]
            return [Line("game_point", self._to(said, 1), "most", None, "said")]
        ((winner, reason),) = results
        values = tally.exact and tuple(own + more for own, more in zip(tally.exact, bonus, strict=True))
        point = Line("game_point", self._to(winner, 1), reason, values or None, strength)
        if self.options["pts_over_hundred"] != 2 or winner is None:
            return [point]
        over = {totals[winner] > 100 for totals in self._extremes(tally, bonus)}
        if len(over) > 1:
            return [point._replace(points=None, reason="open", values=None, evidence=None)]
        if over == {True}:
            nothing = self._to(None, 0)
            return [
                point._replace(points=nothing, reason="superseded"),
                Line("over_hundred", self._to(winner, 2), "over_hundred", values or None, strength),
            ]
        return [point]

    def _extremes(self, tally: CardPoints, bonus: list[int]) -> list[list[int]]:
        """Give the totals where all open points fall to one seat, for each seat: nothing lies beyond them."""
        base = [own + more for own, more in zip(tally.least, bonus, strict=True)]
        ways = []
        for seat in self.seats:
            if tally.most[seat] > tally.least[seat]:
                totals = list(base)
                totals[seat] += tally.most[seat] - tally.least[seat]
                ways.append(totals)
        return ways or [base]

    def _winner(self, totals: list[int], tally: CardPoints) -> tuple[int | None, str]:
        top = [seat for seat in self.seats if totals[seat] == max(totals)]
        if len(top) == 1:
            return top[0], "most"
        if any(tally.cards[seat] is None for seat in top):
            return None, "cards"
        most = max(tally.cards[seat] or 0 for seat in top)
        leading = [seat for seat in top if tally.cards[seat] == most]
        return (leading[0], "more_cards") if len(leading) == 1 else (None, "tied")

    def _limit_line(self, tally: CardPoints) -> Line:
        """Give a game point to everyone at or under the limit (mexican)."""
        limit = self.options["mexican_limit"]
        if any(least <= limit < most for least, most in zip(tally.least, tally.most, strict=True)):
            return Line("game_point", None, "open")
        points = tuple(int(most <= limit) for most in tally.most)
        return Line("game_point", points, "within_limit" if any(points) else "over_limit", tally.exact, tally.evidence)

    def _rematada_line(self, tally: CardPoints, bonus: list[int], declarer: int, bid: int) -> Line:
        least, most = (bound[declarer] + bonus[declarer] for bound in (tally.least, tally.most))
        by_made = self.options["rematada_score"] == "made"
        if least < bid <= most or (by_made and least != most and least >= bid):
            return Line("bid", None, "open")
        values = self._to(declarer, least) if least == most else None
        if least >= bid:
            return Line("bid", self._to(declarer, least if by_made else bid), "made", values, tally.evidence)
        half = bid // 2 if bid % 2 == 0 else bid / 2
        points = tuple(0 if seat == declarer else half for seat in self.seats)
        return Line("bid", points, "failed", values, tally.evidence)

    def _chiamata_line(
        self, deal: Mapping[str, Any], tally: CardPoints, caller: int, bid: int, partner: int | None, problems: Problems
    ) -> Line:
        if self.options["chiamata_scores"] == "manual":
            given = schema.by_side(deal.get("points"), "points", self.sides, problems)
            if len(given) < len(self.sides):
                return Line("bid", None, "open")
            return Line(
                "bid", tuple(schema.integer(given[s], f"points.{s}") for s in self.sides), "manual", None, "said"
            )
        team = {caller} if partner is None else {caller, partner}
        wanted = max(CALLERS_NEED, bid)
        least = sum(tally.least[seat] for seat in team)
        most = WHOLE - sum(tally.least[seat] for seat in self.seats if seat not in team)
        if all(tally.least[seat] == tally.most[seat] for seat in team):
            most = least
        if least < wanted <= most:
            return Line("bid", None, "open")
        won = least >= wanted
        if self.options["chiamata_scores"] == "deal_wins":
            points = tuple(int((seat in team) == won) for seat in self.seats)
        else:
            sign = 1 if won else -1
            points = tuple(sign * (2 if seat == caller else 1 if seat in team else -1) for seat in self.seats)
        return Line("bid", points, "made" if won else "failed", tally.exact, tally.evidence)

    def _ask(self, tally: CardPoints, undecided: list[str]) -> dict[str, Any] | None:
        for seat in self.seats:
            if tally.least[seat] != tally.most[seat]:
                return {"count": "card_points", "side": self.sides[seat], "settles": undecided}
        for seat in self.seats:
            if tally.cards[seat] is None:
                return {"count": "cards", "side": self.sides[seat], "settles": undecided}
        return None


__all__ = ["HIGHEST_BID", "LEAST_BID", "VALUE_TABLES", "TrickGame", "Variant", "pack_of"]
