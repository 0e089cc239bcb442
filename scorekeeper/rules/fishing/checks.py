"""The arithmetic of a finished deal: what sums, parities and sweeps must come to (rules §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..cards import ACES, CODES, FULL_PACK, PACK_VALUE, cards_of, rank_of, value_of
from ..problems import Problem, Problems

if TYPE_CHECKING:
    from .evidence import Evidence
    from .facts import Facts
    from .game import FishingGame

FEWEST_LEFT = 10
"""Least value that can lie at the end of a game of fifteens."""

HIGHEST_USUAL_LEFTOVER = 55


def check_sweeps(game: FishingGame, facts: Facts, evidence: Evidence, problems: Problems) -> None:
    """Refuse more sweeps than the cards, or the plays of a deal, allow."""
    if facts.faulted("wrong_capture"):
        return
    total = sum(facts.sweeps)
    fifteens = game.rules.check == "fifteens"
    if fifteens:
        changed = _value(game, FULL_PACK, facts)
        left = FEWEST_LEFT if evidence.leftover is None else _value(game, evidence.leftover, facts)
        if evidence.leftover is None and changed != PACK_VALUE:
            left = changed % 15
        most = (changed - left) // 15 - facts.opening_units - sum(facts.in_hand)
    else:
        most = game.plays // 2
    if total > most:
        problems.error(
            "too_many_sweeps",
            "sweeps",
            f"{total} sweeps were noted; a deal like this one has room for {max(most, 0)}.",
            sweeps=total,
            most=max(most, 0),
        )
        return
    for seat, made in enumerate(facts.sweeps):
        most = _most_sweeps(game, facts, evidence, seat, fifteens)
        if fifteens and seat == facts.dealer and not evidence.unplaced:
            # The opening took its fifteens from the same cards: they are told together.
            made, most = made + facts.opening_units, most + facts.opening_units
        if made > most:
            label = game.sides[seat]
            problems.error(
                "too_many_sweeps",
                f"sweeps.{label}",
                f"{label} cannot have made {made} sweeps with these cards; {max(most, 0)} at most.",
                side=label,
                sweeps=made,
                most=max(most, 0),
            )


def _most_sweeps(game: FishingGame, facts: Facts, evidence: Evidence, seat: int, fifteens: bool) -> int:
    if evidence.unplaced:
        cards = _most_cards(evidence, seat)
        return cards if fifteens else cards // 2
    if not fifteens:
        return evidence.captured[seat].bit_count() // 2
    taken = _value(game, evidence.captured[seat], facts) // 15
    opening = facts.opening_units if seat == facts.dealer else 0
    return taken - opening - facts.in_hand[seat]


def _most_cards(evidence: Evidence, seat: int) -> int:
    """Give the most cards that a side's pile can have, by what is placed and counted."""
    counted = {count.side: count.number for count in evidence.counts if count.feature.of == FULL_PACK}
    if seat in counted:
        return counted[seat]
    others = sum(
        max(counted.get(other, 0), pile.bit_count()) for other, pile in enumerate(evidence.piles) if other != seat
    )
    return len(CODES) - others


def _value(game: FishingGame, pile: int, facts: Facts) -> int:
    """Add up a pile, cards whose value was changed with the new one."""
    values = game.rules.values
    total = value_of(pile, values)
    for card, rank in facts.ranks.items():
        if pile >> card & 1:
            total += values[rank] - values[rank_of(card)]
    return total


def last_capturer(game: FishingGame, facts: Facts, evidence: Evidence) -> int | None:
    """Tell from finished piles who took the last cards: of piles of fifteens his alone is off. None: not told."""
    last = _value(game, FULL_PACK, facts) % 15
    apart = evidence.leftover is not None or game.rules.last_cards == "nobody"
    if game.rules.check != "fifteens" or evidence.unplaced or apart or not last:
        return None
    rests = [_value(game, pile, facts) % 15 for pile in evidence.captured]
    holders = [seat for seat, rest in enumerate(rests) if rest == last]
    return holders[0] if len(holders) == 1 and rests.count(0) == len(rests) - 1 else None


def check_arithmetic(
    game: FishingGame, facts: Facts, evidence: Evidence, accepted: frozenset[str], problems: Problems
) -> None:
    """Check the piles once all forty cards are placed, and a listed leftover also alone."""
    _check_sizes(game, evidence, problems)
    _check_last_capturer(game, facts, evidence, problems)
    if facts.faulted("wrong_capture"):
        return
    found = Problems()
    if game.rules.check == "fifteens":
        _check_fifteens(game, facts, evidence, found)
    elif game.rules.check in ("even", "even_but_aces"):
        _check_parity(game, facts, evidence, found)
    _check_missed(game, facts, evidence, found)
    for problem in found:
        if problem.code in accepted:
            problem = Problem("warning", problem.code, problem.where, problem.message, problem.facts)
        problems.append(problem)


def _check_sizes(game: FishingGame, evidence: Evidence, problems: Problems) -> None:
    """Point out a finished pile of one card: a capture takes the card played and another at least."""
    if evidence.unplaced:
        return
    for label, pile in zip(game.sides, evidence.captured, strict=True):
        if pile.bit_count() == 1:
            problems.warn(
                "pile_of_one",
                f"piles.{label}",
                f"{label}'s pile is one card alone, but a capture takes two at least. Look again.",
                side=label,
                card=CODES[next(cards_of(pile))],
            )


def _check_last_capturer(game: FishingGame, facts: Facts, evidence: Evidence, problems: Problems) -> None:
    """Warn where somebody is said to have captured last, but the sums of the piles tell another."""
    told = last_capturer(game, facts, evidence)
    if told is not None and evidence.last_capturer not in (None, told):
        said, shown = game.sides[evidence.last_capturer], game.sides[told]
        problems.warn(
            "last_capturer_contradicted",
            "last_capturer",
            f"{said} is said to have captured last, but the sums of the piles tell that {shown} did.",
            side=said,
            shown=shown,
        )


def _check_fifteens(game: FishingGame, facts: Facts, evidence: Evidence, problems: Problems) -> None:
    whole = _value(game, FULL_PACK, facts)
    last = whole % 15
    if evidence.leftover is not None and game.rules.end_check:
        left = _value(game, evidence.leftover, facts)
        if left % 15 != last:
            usual = ", ".join(str(total) for total in range(last or 15, HIGHEST_USUAL_LEFTOVER + 1, 15))
            problems.error(
                "leftover_modulus",
                "leftover",
                f"The last cards add up to {left}; where only fifteens were taken it is {usual}.",
                sum=left,
                wanted=list(range(last or 15, HIGHEST_USUAL_LEFTOVER + 1, 15)),
                **_mend(game, facts, evidence, "leftover", last),
            )
        elif left > HIGHEST_USUAL_LEFTOVER:
            problems.warn(
                "leftover_high",
                "leftover",
                f"The last cards add up to {left}: possible, but rare. Count again.",
                sum=left,
            )
    if evidence.unplaced:
        return
    sums = [_value(game, pile, facts) for pile in evidence.captured]
    if evidence.leftover is not None or game.rules.last_cards == "nobody":
        for seat, total in enumerate(sums):
            if total % 15:
                _pile_off(game, facts, evidence, seat, total, 0, problems)
        return
    # The last cards lie in one of the piles: that one alone is off by what remains of the pack.
    if last == 0:
        off = [seat for seat, total in enumerate(sums) if total % 15]
        for seat in off:
            _pile_off(game, facts, evidence, seat, sums[seat], 0, problems)
        return
    holders = [seat for seat, total in enumerate(sums) if total % 15 == last]
    clean = [seat for seat, total in enumerate(sums) if total % 15 == 0]
    if len(holders) == 1 and len(clean) == len(sums) - 1:
        return
    for seat, total in enumerate(sums):
        if total % 15 not in (0, last):
            _pile_off(game, facts, evidence, seat, total, last, problems)
    if len(holders) + len(clean) == len(sums):
        _pile_off(game, facts, evidence, (holders or clean)[0], sums[(holders or clean)[0]], last, problems)


def _pile_off(
    game: FishingGame, facts: Facts, evidence: Evidence, seat: int, total: int, last: int, problems: Problems
) -> None:
    label = game.sides[seat]
    below = total - total % 15
    wanted = sorted({below + rest for rest in (0, last)} | {below + 15 + rest for rest in (0, last)})
    wanted = [each for each in wanted if abs(each - total) < 15]
    shown = " or ".join(str(each) for each in wanted)
    problems.error(
        "pile_modulus",
        f"piles.{label}",
        f"{label}'s pile adds up to {total}; a pile of fifteens is {shown}.",
        side=label,
        sum=total,
        wanted=wanted,
        **_mend(game, facts, evidence, f"piles.{label}", last, seat),
    )


def _mend(
    game: FishingGame, facts: Facts, evidence: Evidence, where: str, last: int, seat: int | None = None
) -> dict[str, Any]:
    """Name the single card whose move would mend the sums of two piles, where there is just one."""
    if evidence.unplaced:
        return {}
    places = [*evidence.captured] + ([] if evidence.leftover is None else [evidence.leftover])
    names = [f"piles.{label}" for label in game.sides] + ["leftover"]
    sums = [_value(game, pile, facts) for pile in places]
    last = _value(game, FULL_PACK, facts) % 15
    found = []
    for source, pile in enumerate(places):
        for card in cards_of(pile):
            worth = _value(game, 1 << card, facts)
            for target in range(len(places)):
                if target == source:
                    continue
                moved = list(sums)
                moved[source] -= worth
                moved[target] += worth
                if _sums_fit(game, moved, last, evidence.leftover is not None):
                    found.append({"card": CODES[card], "from": names[source], "to": names[target]})
                    if len(found) > 1:
                        return {}
    return {"mend": found[0]} if found else {}


def _sums_fit(game: FishingGame, sums: list[int], last: int, leftover_apart: bool) -> bool:
    if game.rules.check == "fifteens":
        rests = [total % 15 for total in sums]
        if leftover_apart:
            return rests[-1] == last and not any(rests[:-1])
        if game.rules.last_cards == "nobody":
            return not any(rests)
        return sorted(rests) == sorted([last] + [0] * (len(rests) - 1))
    return all(total % 2 == 0 for total in sums)


def _check_parity(game: FishingGame, facts: Facts, evidence: Evidence, problems: Problems) -> None:
    aces_excuse = game.rules.check == "even_but_aces"
    if evidence.leftover is not None and not aces_excuse:
        left = _value(game, evidence.leftover, facts)
        if left % 2:
            problems.error(
                "leftover_parity", "leftover", f"The last cards add up to {left}; captures leave an even sum.", sum=left
            )
    if evidence.unplaced:
        return
    for seat, pile in enumerate(evidence.captured):
        total = _value(game, pile, facts)
        excused = aces_excuse and (pile & ACES or evidence.leftover is None)
        if total % 2 and not excused:
            label = game.sides[seat]
            facts_of_mend = {} if aces_excuse else _mend(game, facts, evidence, f"piles.{label}", 0, seat)
            problems.error(
                "pile_parity",
                f"piles.{label}",
                f"{label}'s pile adds up to {total}; every capture adds an even number.",
                side=label,
                sum=total,
                **facts_of_mend,
            )


def _check_missed(game: FishingGame, facts: Facts, evidence: Evidence, problems: Problems) -> None:
    """Point out a capture that lay on the table to the end, where a card was played into it (obligation to take)."""
    if evidence.leftover is None or facts.layout is None or game.rules.obligation not in ("card", "hand") or game.wilds:
        return
    left, opening = evidence.leftover, facts.layout
    if game.rules.check == "fifteens":
        for subset in _fifteens(list(cards_of(left)), game.rules.values):
            if any(not opening >> card & 1 for card in subset):
                codes = [CODES[card] for card in subset]
                problems.warn(
                    "missed_fifteen", "leftover", f"{' '.join(codes)} make fifteen and were left lying.", cards=codes
                )
                return
    elif game.rules.check == "even":
        for card in cards_of(left):
            pair = [other for other in cards_of(left) if rank_of(other) == rank_of(card)]
            if len(pair) > 1 and any(not opening >> other & 1 for other in pair):
                codes = [CODES[other] for other in pair]
                problems.warn(
                    "missed_pair", "leftover", f"{' '.join(codes)} were left lying side by side.", cards=codes
                )
                return


def _fifteens(cards: list[int], values: tuple[int, ...], total: int = 15) -> list[list[int]]:
    if total == 0:
        return [[]]
    found = []
    for position, card in enumerate(cards):
        value = values[rank_of(card)]
        if value <= total:
            found += [[card, *rest] for rest in _fifteens(cards[position + 1 :], values, total - value)]
    return found
