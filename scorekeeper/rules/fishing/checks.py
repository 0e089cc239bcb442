"""The arithmetic of a finished deal: its sums, parities and sweeps (docs/rules.md 6).

Where every capture makes fifteen, the cards that a side captured add up to a multiple of fifteen. The pack adds up to
220, so the cards that lie on the table at the end add up to 10 more than a multiple; usually the last capturer gets
them. Where a card captures its own value, each capture adds an even number to a pile. A pile that does not fit was
miscounted, or a card strayed into the other pile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..cards import ACES, CODES, FULL_PACK, PACK_VALUE, Card, Pile, Position, cards_of, codes_of, rank_of, value_of
from ..problems import Problem, Problems
from .evidence import Evidence
from .facts import Facts
from .rules import FishingRules
from .table import FishingTable

FEWEST_LEFT = 10
"""Least sum that can lie on the table at the end of a deal of fifteens."""

HIGHEST_USUAL_LEFTOVER = 55


@dataclass
class _Finished:
    """The parts of a deal that the arithmetic needs: the rules, the side labels, the facts, and the piles."""

    rules: FishingRules
    sides: tuple[str, ...]
    facts: Facts
    evidence: Evidence

    def value(self, pile: Pile) -> int:
        """Return the sum of a pile; a card whose value was changed counts with the new value."""
        values = self.rules.values
        total = value_of(pile, values)
        for card, rank in self.facts.ranks.items():
            if pile >> card & 1:
                total += values[rank] - values[rank_of(card)]
        return total

    @cached_property
    def sums(self) -> list[int]:
        """The sum of what each side captured."""
        return [self.value(pile) for pile in self.evidence.captured]

    @cached_property
    def last(self) -> int:
        """The sum of the last cards beyond a multiple of fifteen, where every capture makes fifteen."""
        return self.value(FULL_PACK) % 15

    @property
    def last_lie_apart(self) -> bool:
        """True if the last cards are in no side's pile as it was captured."""
        return self.evidence.leftover is not None or self.rules.last_cards == "nobody"


# ---------------------------------------------------------------- sweeps


def check_sweeps(table: FishingTable, facts: Facts, opening_units: int, evidence: Evidence, problems: Problems) -> None:
    """Refuse more sweeps than the cards, or the plays of a deal, allow.

    ``opening_units`` are the fifteens that the dealer took in the opening layout. After a wrong capture nothing is
    checked, because the sums no longer show anything.
    """
    if facts.faulted("wrong_capture"):
        return
    deal = _Finished(table.rules, table.sides, facts, evidence)
    fifteens = table.rules.check == "fifteens"
    total = sum(facts.sweeps)
    most = _most_fifteens(deal, opening_units) if fifteens else table.plays // 2
    if total > most:
        problems.error(
            "too_many_sweeps",
            "sweeps",
            f"{total} sweeps were noted; a deal like this one has room for {max(most, 0)}.",
            sweeps=total,
            most=max(most, 0),
        )
        return
    for side, made in enumerate(facts.sweeps):
        label = table.sides[side]
        most = _most_sweeps_of(deal, side, opening_units if side == facts.dealer else 0)
        if fifteens and side == facts.dealer and not evidence.unplaced:
            # Players count the fifteens of the opening among the dealer's sweeps, so the message does too.
            made, most = made + opening_units, most + opening_units
        if made > most:
            problems.error(
                "too_many_sweeps",
                f"sweeps.{label}",
                f"{label} cannot have made {made} sweeps with these cards; {max(most, 0)} at most.",
                side=label,
                sweeps=made,
                most=max(most, 0),
            )


def _most_fifteens(deal: _Finished, opening_units: int) -> int:
    """Return the most fifteens that the players of a deal can have taken from the table."""
    evidence, facts = deal.evidence, deal.facts
    whole = deal.value(FULL_PACK)
    if evidence.leftover is not None:
        left = deal.value(evidence.leftover)
    else:
        # With changed values only the sum that must be left over bounds what can lie at the end.
        left = FEWEST_LEFT if whole == PACK_VALUE else deal.last
    in_hand = sum(facts.sweeps_in_hand(side) for side in range(len(deal.sides)))
    return (whole - left) // 15 - opening_units - in_hand


def _most_sweeps_of(deal: _Finished, side: Position, opening_units: int) -> int:
    """Return the most sweeps that a side can have made with its cards; ``opening_units`` are its own."""
    fifteens = deal.rules.check == "fifteens"
    if deal.evidence.unplaced:
        cards = _most_cards(deal.evidence, side)
        return cards if fifteens else cards // 2
    if not fifteens:
        return deal.evidence.captured[side].bit_count() // 2
    return deal.sums[side] // 15 - opening_units - deal.facts.sweeps_in_hand(side)


def _most_cards(evidence: Evidence, side: Position) -> int:
    """Return the most cards that a side's pile can have, by what is placed and counted."""
    counted = evidence.card_counts
    if side in counted:
        return counted[side]
    others = sum(
        max(counted.get(other, 0), pile.bit_count()) for other, pile in enumerate(evidence.piles) if other != side
    )
    return len(CODES) - others


# ---------------------------------------------------------------- piles


def last_capturer(rules: FishingRules, sides: tuple[str, ...], facts: Facts, evidence: Evidence) -> Position | None:
    """Return the side with the last cards, the only one whose sum is no multiple of fifteen; None if unclear."""
    return _last_capturer(_Finished(rules, sides, facts, evidence))


def _last_capturer(deal: _Finished) -> Position | None:
    if deal.rules.check != "fifteens" or deal.evidence.unplaced or deal.last_lie_apart or not deal.last:
        return None
    rests = [total % 15 for total in deal.sums]
    holders = [side for side, rest in enumerate(rests) if rest == deal.last]
    return holders[0] if len(holders) == 1 and rests.count(0) == len(rests) - 1 else None


def check_arithmetic(
    rules: FishingRules,
    sides: tuple[str, ...],
    facts: Facts,
    evidence: Evidence,
    accepted: frozenset[str],
    problems: Problems,
) -> None:
    """Check the piles once all forty cards are placed; a listed leftover is checked before that too.

    Errors whose code is ``accepted`` become warnings.
    """
    deal = _Finished(rules, sides, facts, evidence)
    findings = Problems()
    _check_sizes(deal, findings)
    _check_last_capturer(deal, findings)
    if not facts.faulted("wrong_capture"):
        if rules.check == "fifteens":
            _check_leftover_of_fifteens(deal, findings)
            _check_piles_of_fifteens(deal, findings)
        elif rules.check in ("even", "even_but_aces"):
            _check_parity(deal, findings)
        _check_missed(deal, findings)
    for problem in findings:
        if problem.code in accepted:
            problem = Problem("warning", problem.code, problem.where, problem.message, problem.facts)
        problems.append(problem)


def _check_sizes(deal: _Finished, problems: Problems) -> None:
    """Report a finished pile of one card: any capture, even a wrong one, takes the card played and another at least."""
    if deal.evidence.unplaced:
        return
    for label, pile in zip(deal.sides, deal.evidence.captured, strict=True):
        if pile.bit_count() == 1:
            problems.error(
                "pile_of_one",
                f"piles.{label}",
                f"{label}'s pile is one card alone, but a capture takes two at least. Look again.",
                side=label,
                card=CODES[next(cards_of(pile))],
            )


def _check_last_capturer(deal: _Finished, problems: Problems) -> None:
    """Warn if the sums of the piles contradict the side that is said to have captured last."""
    by_sums, by_word = _last_capturer(deal), deal.evidence.last_capturer
    if by_sums is not None and by_word not in (None, by_sums):
        said, shown = deal.sides[by_word], deal.sides[by_sums]
        problems.warn(
            "last_capturer_contradicted",
            "last_capturer",
            f"{said} is said to have captured last, but the sums of the piles tell that {shown} did.",
            side=said,
            shown=shown,
        )


def _check_leftover_of_fifteens(deal: _Finished, problems: Problems) -> None:
    if deal.evidence.leftover is None or not deal.rules.end_check:
        return
    left = deal.value(deal.evidence.leftover)
    if left % 15 != deal.last:
        wanted = list(range(deal.last or 15, HIGHEST_USUAL_LEFTOVER + 1, 15))
        problems.error(
            "leftover_modulus",
            "leftover",
            f"The last cards add up to {left}; where only fifteens were taken it is {', '.join(map(str, wanted))}.",
            sum=left,
            wanted=wanted,
            **_mend(deal),
        )
    elif left > HIGHEST_USUAL_LEFTOVER:
        problems.warn(
            "leftover_high", "leftover", f"The last cards add up to {left}: possible, but rare. Count again.", sum=left
        )


def _check_piles_of_fifteens(deal: _Finished, problems: Problems) -> None:
    if deal.evidence.unplaced:
        return
    rests = [total % 15 for total in deal.sums]
    if deal.last_lie_apart or deal.last == 0:
        for side, rest in enumerate(rests):
            if rest:
                _report_pile_sum(deal, side, 0, problems)
        return
    # The last cards lie in one of the piles, and only the sum of that pile is off.
    holders = [side for side, rest in enumerate(rests) if rest == deal.last]
    clean = [side for side, rest in enumerate(rests) if rest == 0]
    if len(holders) == 1 and len(clean) == len(rests) - 1:
        return
    for side, rest in enumerate(rests):
        if rest not in (0, deal.last):
            _report_pile_sum(deal, side, deal.last, problems)
    if len(holders) + len(clean) == len(rests):
        # Each sum is possible, but none of the piles holds the last cards, or several do: one problem for all piles.
        _report_pile_sum(deal, (holders or clean)[0], deal.last, problems)


def _report_pile_sum(deal: _Finished, side: Position, last: int, problems: Problems) -> None:
    """Report a pile whose sum is no multiple of fifteen, with ``last`` or without; name the nearest possible sums."""
    label, total = deal.sides[side], deal.sums[side]
    below = total - total % 15
    wanted = sorted({below + rest for rest in (0, last)} | {below + 15 + rest for rest in (0, last)})
    wanted = [each for each in wanted if abs(each - total) < 15]
    problems.error(
        "pile_modulus",
        f"piles.{label}",
        f"{label}'s pile adds up to {total}; a pile of fifteens is {' or '.join(map(str, wanted))}.",
        side=label,
        sum=total,
        wanted=wanted,
        **_mend(deal),
    )


def _check_parity(deal: _Finished, problems: Problems) -> None:
    evidence = deal.evidence
    # An ace may take the whole table, whose sum may be odd.
    aces_excuse = deal.rules.check == "even_but_aces"
    if evidence.leftover is not None and not aces_excuse:
        left = deal.value(evidence.leftover)
        if left % 2:
            problems.error(
                "leftover_parity", "leftover", f"The last cards add up to {left}; captures leave an even sum.", sum=left
            )
    if evidence.unplaced:
        return
    for label, pile, total in zip(deal.sides, evidence.captured, deal.sums, strict=True):
        excused = aces_excuse and (pile & ACES or evidence.leftover is None)
        if total % 2 and not excused:
            problems.error(
                "pile_parity",
                f"piles.{label}",
                f"{label}'s pile adds up to {total}; every capture adds an even number.",
                side=label,
                sum=total,
                **({} if aces_excuse else _mend(deal)),
            )


def _mend(deal: _Finished) -> dict[str, Any]:
    """Return the only card whose move to another pile would mend all sums, as a fact of a problem.

    Return no fact where there is no such card, or more than one.
    """
    evidence = deal.evidence
    if evidence.unplaced:
        return {}
    places = [(f"piles.{label}", pile) for label, pile in zip(deal.sides, evidence.captured, strict=True)]
    if evidence.leftover is not None:
        places.append(("leftover", evidence.leftover))
    sums = [deal.value(pile) for _, pile in places]
    mends = []
    for source, (name, pile) in enumerate(places):
        for card in cards_of(pile):
            worth = deal.value(1 << card)
            for target, (other_name, _) in enumerate(places):
                if target == source:
                    continue
                moved = list(sums)
                moved[source] -= worth
                moved[target] += worth
                if _sums_fit(deal, moved):
                    mends.append({"card": CODES[card], "from": name, "to": other_name})
                    if len(mends) > 1:
                        return {}
    return {"mend": mends[0]} if mends else {}


def _sums_fit(deal: _Finished, sums: list[int]) -> bool:
    """Return whether the sums of all piles are possible; a leftover that was listed apart comes last."""
    if deal.rules.check != "fifteens":
        return all(total % 2 == 0 for total in sums)
    rests = [total % 15 for total in sums]
    if deal.evidence.leftover is not None:
        return rests[-1] == deal.last and not any(rests[:-1])
    if deal.rules.last_cards == "nobody":
        return not any(rests)
    return sorted(rests) == sorted([deal.last] + [0] * (len(rests) - 1))


# ---------------------------------------------------------------- captures that were missed


def _check_missed(deal: _Finished, problems: Problems) -> None:
    """Warn of a capture that was on the table to the end, where the rules oblige players to take.

    A card of it must have been played: the opening layout may hold captures that nobody made. Wild cards could have had
    any value, so with them there is no warning.
    """
    left, layout, rules = deal.evidence.leftover, deal.facts.layout, deal.rules
    if left is None or layout is None or rules.obligation not in ("card", "hand") or rules.wild_cards or rules.matta:
        return
    if rules.check == "fifteens":
        for cards in _fifteens(list(cards_of(left)), rules.values):
            if any(not layout >> card & 1 for card in cards):
                codes = [CODES[card] for card in cards]
                message = f"{' '.join(codes)} make fifteen and were left lying."
                problems.warn("missed_fifteen", "leftover", message, cards=codes)
                return
    elif rules.check == "even":
        for card in cards_of(left):
            pair = left & ACES << rank_of(card)
            if pair.bit_count() > 1 and pair & ~layout:
                codes = codes_of(pair)
                message = f"{' '.join(codes)} were left lying side by side."
                problems.warn("missed_pair", "leftover", message, cards=codes)
                return


def _fifteens(cards: list[Card], values: tuple[int, ...], total: int = 15) -> list[list[Card]]:
    """Return the subsets of some cards whose values add up to ``total``."""
    if total == 0:
        return [[]]
    subsets = []

    for position, card in enumerate(cards):
        value = values[rank_of(card)]
        if value <= total:
            subsets += [[card, *rest] for rest in _fifteens(cards[position + 1 :], values, total - value)]
    return subsets
