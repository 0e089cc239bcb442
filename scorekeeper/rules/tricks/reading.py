"""Reads what is known of a deal of tricks: card points, cards of each pile, marriages, the last trick, a bid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .. import contract, schema
from ..cards import SUITS
from ..problems import Problems
from ..sheet import Line
from .deciders import CardPoints, ReadDeal
from .pack import LAST_TRICK, MARRIAGE, MARRIAGE_IN_TRUMPS, WHOLE, fixed_trump, reachable_points
from .said_winner import Range, ranges_with_counts, warn_of_word
from .table import TrickTable


class Reading:
    """One deal as it is read at a table: what is wrong with it is added to ``problems``."""

    def __init__(self, table: TrickTable, deal: Mapping[str, object], number: int, problems: Problems) -> None:
        self.table, self.deal, self.problems = table, deal, problems
        self.sides, self.positions, self.variant = table.sides, table.positions, table.variant
        self.trump = self._trump(number)
        self.killer = self._side(deal.get("three_killed"), "three_killed")
        # The ace of trumps that takes the three ends the deal: nobody took the cards that are left.
        if self.killer is not None and not self.variant.three_killed:
            problems.error(
                "unknown_item", "three_killed", "The three cannot be killed in this game.", item="three_killed"
            )
        self.bid = self._bid()
        self.card_points = self._card_points()
        self.bonus_lines = [*self._marriage_lines(), *self._last_trick_lines()]

    def lines(self) -> list[Line]:
        """Return the lines of the card points, and of what is added to them."""
        return [self._card_points_line(), *self.bonus_lines]

    def read(self) -> ReadDeal:
        """Return the deal for the rule that decides it."""
        return ReadDeal(
            self.deal,
            self.sides,
            self.problems,
            self.card_points,
            [sum(line.values[side] for line in self.bonus_lines if line.values is not None) for side in self.positions],
            self.bid,
            None
            if self.bid is None or self.table.scores_card_points
            else self._side(self.deal.get("partner"), "partner"),
            self.said,
            self._ranges(),
        )

    def _ranges(self) -> list[Range]:
        """Return the least and the most card points of each side, also by the number of its cards."""
        known = self.card_points
        placed = set[str]().union(*known.piles)
        loose = [self._worth(card) for card in self.table.pack if card not in placed]
        more = [None if size is None else size - len(pile) for size, pile in zip(known.cards, known.piles, strict=True)]
        return ranges_with_counts(list(zip(known.least, known.most, strict=True)), loose, more)

    def _side(self, value: object, where: str) -> int | None:
        label = schema.side(value, where, self.sides, self.problems)
        return None if label is None else self.sides.index(label)

    def _trump(self, number: int) -> str | None:
        """Return the suit of trumps: as named, or by the cycle; None where there is neither."""
        named = schema.optional(self.deal.get("trump"), "trump", schema.text)
        if named is None:
            return fixed_trump(number) if self.table.options["trump_method"] == "fixed_cycle" else None
        if named.upper() not in tuple(SUITS):
            self.problems.error("unknown_suit", "trump", f"{named[:20]!r} is no suit: O, C, E or B.", suit=named[:20])
            return None
        return named.upper()

    def _bid(self) -> tuple[int, int] | None:
        """Read the bid as side and points; a call without points is for 61."""
        bounds, unsaid = self.table.decider.bids, self.table.decider.unsaid_bid
        if bounds is None:
            if self.deal.get("bid") is not None:
                self.problems.error("unknown_item", "bid", "There is no bidding in this game.", item="bid")
            return None
        if self.deal.get("bid") is None:
            self.problems.error("bid_missing", "bid", "Say who bid, and how much.")
            return None
        said = schema.mapping(self.deal["bid"], "bid")
        side = self._side(schema.text(said.get("side"), "bid.side"), "bid.side")
        points = schema.integer(said.get("points", unsaid), "bid.points")
        least, most = bounds
        if not least <= points <= most:
            message = f"A bid is {least} to {most}, not {points}."
            self.problems.error("impossible_bid", "bid.points", message, least=least, most=most, bid=points)
        return None if side is None else (side, points)

    def _card_points(self) -> CardPoints:
        """Read what is known of the card points, from the strongest evidence there is: piles, then typed points.

        Where all cards are placed, typed points and counts that differ only get a warning. A deal that ended early
        leaves cards that nobody took.
        """
        piles, loose = self._read_piles()
        self._check_killer(piles)
        held = [sum(self._worth(card) for card in pile) for pile in piles]
        # With 39 cards a two is missing, and nobody knows which: the pack lists it, but it lies in no pile.
        spare = len(self.table.pack) - self.table.pack_size
        is_whole = len(loose) <= spare
        typed = self._typed(self.deal.get("card_points"))
        cards = self._card_counts(self.deal.get("counts"), piles, is_whole)
        if not is_whole:
            return self._bounds(held, typed, cards, piles)
        if self.killer is None and not self.problems.fatal:
            self._check_sizes([len(pile) for pile in piles], "piles")
        for side, points in typed.items():
            if points != held[side]:
                self._contradicted(side, points, held[side])
        return CardPoints(held, list(held), "shown", cards, piles, True)

    def _check_killer(self, piles: list[set[str]]) -> None:
        """Warn of a three that was killed by no ace of that side: one of the two cards is shown in another pile."""
        if self.killer is None or self.trump is None:
            return
        two = {"1" + self.trump, "3" + self.trump}
        if any(two & pile for side, pile in enumerate(piles) if side != self.killer):
            warn_of_word("three_killed", "three_killed", self.sides[self.killer], self.problems)
            self.killer = None

    def _read_piles(self) -> tuple[list[set[str]], list[str]]:
        """Read ``piles`` and ``rest``: return the cards of each side, and those that lie in no pile."""
        pack = self.table.pack
        placed: dict[str, str] = {}
        piles: list[set[str]] = [set() for _ in self.positions]
        for label, codes in schema.by_side(self.deal.get("piles"), "piles", self.sides, self.problems).items():
            piles[self.sides.index(label)] |= self._read_pile(codes, f"piles.{label}", placed)
        loose = [card for card in pack if card not in placed]
        spare = len(pack) - self.table.pack_size
        twos = [card for card in loose if card[:-1] == "2"]
        if len(loose) < spare or (not twos and spare):
            message = f"This pack has {self.table.pack_size} cards: one two is missing."
            self.problems.error("too_many_cards", "piles", message, cards=len(placed))
        rest = self._side(self.deal.get("rest"), "rest")
        if rest is not None and not self.problems.fatal:
            piles[rest] |= {card for card in loose if not spare or card != twos[-1]}
            loose = []
        return piles, loose

    def _read_pile(self, codes: object, where: str, placed: dict[str, str]) -> set[str]:
        """Read the cards of one pile; ``placed`` has the place of each card read before, and these are added to it."""
        pile = set()
        for position, code in schema.each_word(codes, where):
            card, here = code.upper(), f"{where}[{position}]"
            if card not in self.table.pack:
                message = f"There is no card {code[:20]!r} in this pack."
                self.problems.error("unknown_card", here, message, card=code[:20])
            elif card in placed:
                first = placed[card]
                message = f"{card} is in {first} and in {where}."
                self.problems.error("duplicate_card", here, message, card=card, first=first, second=where)
            else:
                placed[card] = where
                pile.add(card)
        return pile

    def _bounds(
        self, held: list[int], typed: dict[int, int], cards: list[int | None], piles: list[set[str]]
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
                self._contradicted(side, points, held[side])
        if len(fixed) == len(self.sides) - 1 and self.killer is None:
            (last,) = (side for side in self.positions if side not in fixed)
            fixed[last] = WHOLE - sum(fixed.values())
        least = [fixed.get(side, held[side]) for side in self.positions]
        left = max(0, WHOLE - sum(least))
        most = [fixed.get(side, least[side] + left) for side in self.positions]
        return CardPoints(least, most, "counted" if fixed else None, cards, piles, False)

    def _contradicted(self, side: int, points: int, shown: int) -> None:
        """Warn of typed card points that the cards do not show."""
        label = self.sides[side]
        self.problems.warn(
            "card_points_contradicted",
            f"card_points.{label}",
            f"{label} was given {points} card points, but the cards show {shown}; the cards are scored.",
            side=label,
            count=points,
            shown=shown,
        )

    def _worth(self, card: str) -> int:
        return self.table.values.get(card[:-1], 0)

    def _typed(self, value: object) -> dict[int, int]:
        """Read card points that were added up at the table, by side; sums that no piles can have are errors."""
        typed = {}
        for label, given in schema.by_side(value, "card_points", self.sides, self.problems).items():
            where = f"card_points.{label}"
            points = schema.integer(given, where)
            if points not in reachable_points(self.table.options["value_table"]):
                self.problems.error(
                    "impossible_card_points", where, f"No pile has {points} card points.", side=label, count=points
                )
            typed[self.sides.index(label)] = points
        total = sum(typed.values())
        if total > WHOLE or (len(typed) == len(self.sides) and total != WHOLE and self.killer is None):
            entered = " and ".join(str(points) for points in typed.values())
            self.problems.error(
                "card_points_sum",
                "card_points",
                f"Card points: you entered {entered}, together {total}; the pack has {WHOLE}.",
                count=total,
                most=WHOLE,
            )
        return typed

    def _card_counts(self, value: object, piles: list[set[str]], is_whole: bool) -> list[int | None]:
        """Return how many cards each pile has: as shown where all are placed, otherwise as counted (None: unknown).

        Where all numbers but one are known, the last one follows.
        """
        counts: list[int | None] = [len(pile) if is_whole else None for pile in piles]
        for side, number in self._read_counts(value):
            shown, label = counts[side], self.sides[side]
            if shown is not None and shown != number:
                self.problems.warn(
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
            counts[counts.index(None)] = last = self.table.pack_size - sum(known)
            known.append(last)
        total = sum(known)
        if total > self.table.pack_size or (len(known) == len(counts) and total != self.table.pack_size):
            message = f"cards: together {total}; the pack has {self.table.pack_size}."
            self.problems.error(
                "impossible_counts", "counts", message, kind="cards", most=self.table.pack_size, count=total
            )
        if not self.problems.fatal and not is_whole and not self.table.decider.laid_away:
            self._check_sizes(counts, "counts")
        return counts

    def _read_counts(self, value: object) -> Iterator[tuple[int, int]]:
        """Yield the counted number of cards of each side that has one, with its position."""
        for label, kinds in schema.by_side(value, "counts", self.sides, self.problems).items():
            for kind, given in schema.mapping(kinds, f"counts.{label}").items():
                where = f"counts.{label}.{kind[:20]}"
                if given is None:
                    continue
                number = schema.integer(given, where)
                if kind != "cards":
                    message = f"{kind[:20]!r} is not counted in this game."
                    self.problems.error("unknown_count", where, message, kind=kind[:20])
                elif not 0 <= number <= self.table.pack_size:
                    message = f"{number} cards cannot be."
                    self.problems.error(
                        "impossible_counts", where, message, kind="cards", most=self.table.pack_size, count=number
                    )
                else:
                    yield self.sides.index(label), number

    def _check_sizes(self, sizes: list[int] | list[int | None], where: str) -> None:
        """Check that piles are whole tricks, a card of each player; a declarer of rematada laid away two more."""
        for side, size in enumerate(sizes):
            extra = self.table.decider.laid_away if self.bid is not None and self.bid[0] == side else 0
            if size is not None and (size - extra) % self.table.players:
                label = self.sides[side]
                self.problems.error(
                    "pile_size",
                    f"{where}.{label}",
                    f"{label} has {size} cards; tricks come in {self.table.players}s.",
                    side=label,
                    cards=size,
                    players=self.table.players,
                )

    # ---------------------------------------------------------------- lines

    def _line_of(self, item: str, amounts: tuple[int, ...], reason: str, evidence: contract.Evidence) -> Line:
        """Return the line of an amount of points, which counts only where the match is played for card points."""
        points = amounts if self.table.scores_card_points else (0,) * len(self.sides)
        return Line(item, points, reason, amounts, evidence)

    def _card_points_line(self) -> Line:
        known = self.card_points
        if known.exact is not None:
            return self._line_of("card_points", known.exact, "counted", known.evidence or "said")
        bounds = tuple(zip(known.least, known.most, strict=True))
        if self.table.scores_card_points:
            return Line("card_points", None, "open", bounds=bounds)
        return Line("card_points", (0,) * len(self.sides), "not_counted", bounds=bounds)

    def _marriage_lines(self) -> list[Line]:
        """Return the line of the marriages, where somebody has one."""
        listed = schema.optional_items(self.deal.get("marriages"), "marriages")
        if not self.variant.marriages:
            if listed:
                self.problems.error(
                    "unknown_item", "marriages", "There are no marriages in this game.", item="marriage"
                )
            return []
        married = self._marriages(listed)
        if not listed and self.card_points.is_whole and not self._says_none():
            married = _marriages_in(self.card_points.piles, (self.trump or "") if self._only_trumps else SUITS)
        if not married:
            return []
        if self.trump is None and not self.problems.fatal:
            self.problems.error("trump_missing", "trump", "Say which suit is trumps: its marriage counts 40.")
        amounts = [0] * len(self.sides)
        for suit, side in married.items():
            amounts[side] += MARRIAGE_IN_TRUMPS if suit == self.trump else MARRIAGE
        return [self._line_of("marriage", tuple(amounts), "declared", "said" if listed else "shown")]

    @property
    def _only_trumps(self) -> bool:
        return self.variant.marriages == "trumps"

    def _says_none(self) -> bool:
        """Return whether the table of a rematada says that nobody declared a marriage, independent of the piles.

        There the bid waits until it is said.
        """
        return self._only_trumps and self.deal.get("marriages") == []

    def _last_trick_lines(self) -> list[Line]:
        """Return the line of the last trick, where the table says who took it."""
        last = self._side(self.deal.get("last_trick"), "last_trick")
        if last is None:
            return []
        if not self.variant.last_trick:
            message = "The last trick counts nothing in this game."
            self.problems.error("unknown_item", "last_trick", message, item="last_trick")
        return [
            self._line_of(
                "last_trick", tuple(LAST_TRICK if side == last else 0 for side in self.positions), "last_trick", "said"
            )
        ]

    def _marriages(self, listed: list[Any]) -> dict[str, int]:
        """Read the marriages that the table lists, as side by suit; those that the piles contradict are left out."""
        married: dict[str, int] = {}
        for number, entry in enumerate(listed):
            where = f"marriages[{number}]"
            said = schema.mapping(entry, where)
            side = self._side(schema.text(said.get("side"), f"{where}.side"), f"{where}.side")
            suit = schema.text(said.get("suit"), f"{where}.suit").upper()
            if suit not in tuple(SUITS):
                message = f"{suit[:20]!r} is no suit: O, C, E or B."
                self.problems.error("unknown_suit", f"{where}.suit", message, suit=suit[:20])
            elif suit in married:
                self.problems.error("duplicate_marriage", where, "Each suit marries once.", suit=suit)
            elif self._only_trumps and self.trump is not None and suit != self.trump:
                message = "Only the marriage in trumps counts here; this one scores nothing."
                self.problems.warn("marriage_not_in_trumps", where, message, suit=suit)
            elif side is not None:
                pair = {"12" + suit, "11" + suit}
                other = next((o for o in self.positions if o != side and pair & self.card_points.piles[o]), None)
                if other is None:
                    married[suit] = side
                    continue
                label = self.sides[other]
                message = f"{label} holds a card of that marriage; it is not scored."
                self.problems.warn("marriage_contradicted", where, message, suit=suit, side=label)
        return married

    @property
    def said(self) -> int | None:
        """Read who is said to have won the deal (the award ``game_point``)."""
        said = None
        for item, winner in schema.optional_mapping(self.deal.get("awards"), "awards").items():
            where = f"awards.{item[:40]}"
            if item != "game_point" or "game_point" not in self.table.item_ids():
                self.problems.error(
                    "unknown_item", where, f"{item[:40]!r} is not awarded at this table.", item=item[:40]
                )
                continue
            winners = [winner] if isinstance(winner, str) else schema.words(winner or [], where)
            if len(winners) > 1:
                self.problems.error("impossible_award", where, "One side wins a deal.", item=item, sides=winners)
            elif winners:
                said = self._side(winners[0], where)
        return said


def _marriages_in(piles: Sequence[set[str]], suits: str) -> dict[str, int]:
    """Return the marriages of some suits whose two cards lie in one pile, as side by suit."""
    return {suit: side for suit in suits for side, pile in enumerate(piles) if {"12" + suit, "11" + suit} <= pile}
