"""Carioca: each round scores the cards that are left in the hands when a player goes out (docs/rules.md 5.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from ..limits import MOST_CARDS, MOST_ROUNDS, NAME_LETTERS
from . import schema
from .problems import Problem, Problems, check_fields
from .ruleset import Ending, TableRules
from .sheet import Line, Sheet

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "X")
STANDARD_VALUES: dict[str, int] = {
    **{rank: int(rank) for rank in RANKS if rank.isdigit()},
    **dict.fromkeys(("J", "Q", "K"), 10),
    "A": 20,
    "X": 30,
}
LOW = tuple(str(number) for number in range(2, 10))
PACK_SIZE = 108
OF_EACH_RANK, OF_EACH_CARD, JOKERS = 8, 2, 4
CARD = re.compile(r"(10|[A2-9JQK])([SHDC]?)|X", re.ASCII)

DEAL_FIELDS = frozenset({"dealer", "round", "left", "left_points", "went_out", "out_at_once", "perfect_cut", "steals"})


class Round(NamedTuple):
    """The melds of a round, trios of three and straights of four, and the number of cards that each player is dealt."""

    trios: int
    straights: int
    cards: int = 11
    name: str | None = None


ROUNDS = (
    Round(2, 0),
    Round(1, 1),
    Round(0, 2),
    Round(3, 0),
    Round(2, 1),
    Round(1, 2),
    Round(4, 0),
    Round(0, 3, 13),
)
RUN_OF_ALL = len(RANKS) - 1
"""The cards of a run from ace to king."""
NAMED_ROUNDS: dict[str, Round] = {
    name: Round(0, 0, RUN_OF_ALL, name) for name in ("escala sucia", "escala de color", "escala real")
}
"""The extra rounds that forms offer: a run of all ranks, which nobody could lower with fewer cards."""
WORTHS: dict[str, tuple[int, ...]] = {
    **{rank: (worth,) for rank, worth in STANDARD_VALUES.items()},
    "A": (20, 15),
    "X": (30, 20, 25),
}
"""Worths of a card left in the hand that forms offer, by rank, the usual first; a table may name any other."""


def perfect_cut(players: int, cards: int) -> int:
    """Return the number of cards that a perfect cut lifts: all cards to be dealt, and the card to be turned up."""
    return players * cards + 1


def read_values(value: Mapping[str, object], where: str, problems: Problems) -> dict[str, int]:
    """Read a table of card values by rank; ranks left out have their standard value."""
    table = dict(STANDARD_VALUES)
    for rank, worth in value.items():
        if rank.upper() not in RANKS:
            problems.error("unknown_card", f"{where}.{rank[:10]}", f"There is no rank {rank[:10]!r}.", card=rank[:10])
            continue
        number = schema.integer(worth, f"{where}.{rank}")
        if number < 0:
            problems.error("unknown_value", f"{where}.{rank}", "A card is worth nothing at the least.", value=number)
        table[rank.upper()] = number
    return table


def read_extra_rounds(value: Mapping[str, object], where: str, problems: Problems) -> dict[str, list[str]]:
    """Read extra rounds by name, ``{"extra": [name, …]}``: they are played after the seventh."""
    for key in value:
        if key != "extra":
            problems.error(
                "unknown_value", f"{where}.{key[:20]}", "Only extra rounds can be named here.", value=key[:20]
            )
    names = schema.words(value.get("extra", []), f"{where}.extra", MOST_ROUNDS)
    for number, name in enumerate(names):
        if len(name) > NAME_LETTERS:
            here = f"{where}.extra[{number}]"
            schema.too_long(here, f"{here} may have {NAME_LETTERS} characters at most.", NAME_LETTERS)
    return {"extra": names}


class RummyGame:
    """Carioca at one table."""

    by_number: ClassVar[bool] = True
    deal_fields: ClassVar[frozenset[str]] = DEAL_FIELDS
    reads_points: ClassVar[bool] = False

    def __init__(self, table: TableRules) -> None:
        self.table = table
        self.sides = table.sides
        self.positions = range(len(table.sides))
        self.options = table.options
        custom = table.options["card_values"]
        self.values = dict(custom) if isinstance(custom, Mapping) else dict(STANDARD_VALUES)
        if table.options["low_cards"] == "five":
            self.values.update(dict.fromkeys(LOW, 5))
        self.fives = table.options["low_cards"] == "five" and all(worth % 5 == 0 for worth in self.values.values())
        self.rounds = rounds_of(table.options["rounds"])
        self.ending = Ending(rounds=len(self.rounds), winner="lowest", tie="shared")

    def item_ids(self) -> tuple[str, ...]:
        """Return the items that can have a line at this table."""
        return ("hand_cards", *(id for id in ("out_at_once", "perfect_cut", "steal") if self.options[f"pts_{id}"]))

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Return the sheet of one round; raises ``Malformed`` if a type is wrong.

        ``number`` counts the rounds played before, unless the deal names its ``round`` (from 1).
        """
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        dealer = self._side(deal, "dealer", problems)
        if not self.check_round(deal.get("round"), number, problems):
            return sheet
        out, at_once = (self._side(deal, name, problems) for name in ("went_out", "out_at_once"))
        cutter = self._side(deal, "perfect_cut", problems)
        if cutter is not None and dealer is not None and cutter != (dealer - 1) % len(self.sides):
            problems.warn(
                "not_the_cutter", "perfect_cut", "Only the player before the dealer cuts.", side=self.sides[cutter]
            )
        left = self._read_left(deal, problems)
        steals = self._read_steals(deal.get("steals"), problems)
        self._check_out(out, at_once, left, problems)
        if problems.fatal:
            return sheet
        finished = {side for side in (out, at_once) if side is not None}
        bonuses = {"out_at_once": self._once(at_once), "perfect_cut": self._once(cutter), "steal": steals}
        sheet.lines = [self._hand_line(left, finished), *self._bonus_lines(bonuses)]
        sheet.points = tuple(
            sum(line.points[side] for line in sheet.lines if line.points is not None) for side in self.positions
        )
        missing = [side for side in self.positions if side not in left and side not in finished]
        if missing:
            sheet.ask = {"count": "left_points", "side": self.sides[missing[0]], "settles": ["hand_cards"]}
        return sheet

    def check_round(self, named: object, number: int, problems: Problems) -> bool:
        """Check that the cards are enough for a round; return whether the round exists."""
        wanted = schema.optional(named, "round", schema.integer)
        round_number = number + 1 if wanted is None else wanted
        if not 1 <= round_number <= len(self.rounds):
            problems.error("unknown_round", "round", f"There are {len(self.rounds)} rounds.", rounds=len(self.rounds))
            return False
        self._check_pack(self.rounds[round_number - 1], "sides", problems)
        return True

    def _side(self, deal: Mapping[str, object], name: str, problems: Problems) -> int | None:
        """Read a field that names a side; return its position."""
        label = schema.side(deal.get(name), name, self.sides, problems)
        return None if label is None else self.sides.index(label)

    def _once(self, side: int | None) -> tuple[int, ...]:
        return tuple(int(each == side) for each in self.positions)

    def check_rounds(self, problems: Problems) -> None:
        """Refuse rounds in which more cards would be dealt than there are."""
        self._check_pack(max(self.rounds, key=lambda played: played.cards), "options.rounds", problems)

    def _check_pack(self, played: Round, where: str, problems: Problems) -> None:
        if len(self.sides) * played.cards > PACK_SIZE:
            message = f"{PACK_SIZE} cards are not enough for {len(self.sides)} players in this round."
            facts = {"players": len(self.sides)}
            # Sides and options are of the table, also where they are found wrong with a deal.
            problems.include([Problem("error", "too_many_players", where, message, facts, at=where)])

    def _read_steals(self, value: object, problems: Problems) -> tuple[int, ...]:
        steals = [0] * len(self.sides)
        for label, count in schema.by_side(value, "steals", self.sides, problems).items():
            steals[self.sides.index(label)] = stolen = schema.integer(count, f"steals.{label}")
            if stolen < 0:
                problems.error("negative_steals", f"steals.{label}", "Steals cannot be fewer than none.", side=label)
        return tuple(steals)

    def _read_left(self, deal: Mapping[str, object], problems: Problems) -> dict[int, tuple[int, str]]:
        """Read what players have left: points by side, with their evidence. Cards outweigh a count."""
        left = {side: (points, "counted") for side, points in self._read_left_points(deal.get("left_points"), problems)}
        seen: Counter[str] = Counter()
        for label, codes in schema.by_side(deal.get("left"), "left", self.sides, problems).items():
            total = self._read_left_cards(codes, f"left.{label}", seen, problems)
            side = self.sides.index(label)
            if side in left and left[side][0] != total:
                counted = left[side][0]
                problems.warn(
                    "counts_contradicted",
                    f"left_points.{label}",
                    f"{label} was counted {counted}, but the cards show {total}; the cards are scored.",
                    side=label,
                    count=counted,
                    shown=total,
                )
            left[side] = (total, "shown")
        return left

    def _read_left_points(self, value: object, problems: Problems) -> list[tuple[int, int]]:
        """Read points that were counted, each with its side."""
        counted = []
        for label, points in schema.by_side(value, "left_points", self.sides, problems).items():
            where = f"left_points.{label}"
            number = schema.integer(points, where)
            if number < 0:
                problems.error("impossible_counts", where, "What is left cannot be less than nothing.", count=number)
            elif self.fives and number % 5:
                message = f"{number} cannot be: every card is worth a multiple of five."
                problems.warn("not_in_fives", where, message, count=number)
            counted.append((self.sides.index(label), number))
        return counted

    def _read_left_cards(self, value: object, where: str, seen: Counter[str], problems: Problems) -> int:
        """Add up the cards that a player has left.

        ``seen`` counts the cards of all players, by rank, and by rank and suit, because the two packs are limited.
        """
        total = 0
        for position, code in schema.each_word(value, where):
            here = f"{where}[{position}]"
            if position == MOST_CARDS:
                listed = len(schema.items(value, where, None))
                problems.error("too_many_cards", where, f"Two packs have {MOST_CARDS} cards.", cards=listed)
                break
            match = CARD.fullmatch(code.upper()) if code.isascii() else None
            if match is None:
                message = f"There is no card {code[:20]!r} in this pack."
                problems.error("unknown_card", here, message, card=code[:20])
                continue
            rank = match[1] or "X"
            total += self.values[rank]
            limits = {rank: JOKERS if rank == "X" else OF_EACH_RANK}
            if match[2]:
                limits[match[0]] = OF_EACH_CARD
            for name, most in limits.items():
                seen[name] += 1
                # Reported once, at the first card too many.
                if seen[name] == most + 1:
                    problems.error("duplicate_card", here, f"The pack has {most} of {name}.", card=name, most=most)
        return total

    def _check_out(
        self, out: int | None, at_once: int | None, left: dict[int, tuple[int, str]], problems: Problems
    ) -> None:
        if problems.fatal:
            return
        finished = [side for side in (out, at_once) if side is not None]
        if len(finished) != 1:
            message = "Two players cannot both go out." if finished else "Somebody goes out in every round: say who."
            problems.warn("who_went_out", "went_out", message, count=len(finished))
        for side in self.positions:
            points = left.get(side, (None, ""))[0]
            label = self.sides[side]
            if side in finished and points:
                problems.warn("left_but_out", f"left.{label}", f"{label} went out and has nothing left.", side=label)
            elif finished and side not in finished and points == 0:
                problems.warn(
                    "nothing_left", f"left.{label}", f"{label} did not go out, so has cards left.", side=label
                )

    def _hand_line(self, left: dict[int, tuple[int, str]], finished: set[int]) -> Line:
        known = {side: left[side] for side in left if side not in finished}
        if len(known) + len(finished) < len(self.sides):
            return Line("hand_cards", None, "open")
        points = tuple(known[side][0] if side in known else 0 for side in self.positions)
        strengths = {strength for _, strength in known.values()}
        return Line("hand_cards", points, "left_in_hand", points, "counted" if "counted" in strengths else "shown")

    def _bonus_lines(self, bonuses: Mapping[str, tuple[int, ...]]) -> list[Line]:
        """Return a line for each bonus that the table plays and a side has; takes how often each side has it, by id."""
        lines = []
        for id, times in bonuses.items():
            worth = self.options[f"pts_{id}"]
            if any(times) and worth:
                lines.append(Line(id, tuple(worth * count for count in times), id, times, "said"))
        return lines


def rounds_carried(players: int) -> int | None:
    """Return the number of rounds for which the cards are enough for so many players; None if for all."""
    carried = sum(1 for played in ROUNDS if players * played.cards <= PACK_SIZE)
    return None if carried == len(ROUNDS) else carried


def rounds_of(rounds: object) -> tuple[Round, ...]:
    """Return the rounds of a match: the first ones of the eight, or all eight with extra rounds after the seventh."""
    if isinstance(rounds, Mapping):
        extra = tuple(NAMED_ROUNDS.get(name.lower(), Round(0, 0, name=name)) for name in rounds["extra"])
        return (*ROUNDS[:-1], *extra, ROUNDS[-1])
    assert isinstance(rounds, int)
    return ROUNDS[:rounds]
