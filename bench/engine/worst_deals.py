"""Which deals cost the engine most: ``python -m bench.engine.worst_deals [--seconds 300] [--sides 3 4]``.

Random deals of every game and preset, with cards, counts and words that agree, are changed piece by piece as long as
they get costlier. Each is scored by an engine that has seen nothing before. Printed are the ten costliest, each from
another beginning: CPU time, steps, whether the budget was spent, and the request. Seeds are fixed, but how far the
search gets depends on the machine.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.helpers.asking import COUNTED
from tests.helpers.cold import measure
from tests.helpers.partly_known import ACCEPTED, best_of
from tests.helpers.second_opinion import Table
from tests.helpers.simulator import KNOWN, LINE_UPS, PACK, USUAL

SUITS = "OCEB"
SHOWN, STARTS = 10, 8
"""How many deals are printed, and how many beginnings are tried before the best of them is climbed from."""
SLOW = 0.25
"""Seconds of CPU that no deal should take."""


@dataclass(frozen=True)
class Chosen:
    """A finished deal, and the true facts that are known of it."""

    preset: str
    table: Table
    players: int
    owner: tuple[str, ...]
    shown: frozenset[str] = frozenset()
    counted: frozenset[tuple[str, str]] = frozenset()
    told: frozenset[str] = frozenset()
    awarded: frozenset[str] = frozenset()
    laid: frozenset[tuple[str, str]] = frozenset()

    @property
    def request(self) -> dict[str, Any]:
        """The request."""
        sides = self.table.sides
        owner = dict(zip(PACK, self.owner, strict=True))
        piles = {side: [card for card in PACK if owner[card] == side] for side in sides}
        takers = self.table.takers(piles)
        deal: dict[str, Any] = {
            "piles": {side: [card for card in piles[side] if card in self.shown] for side in sides},
            "counts": {
                side: {kind: sum(map(COUNTED[kind], piles[side])) for kind in COUNTED if (side, kind) in self.counted}
                for side in sides
            },
            "told": {side: [card for card in piles[side] if card in self.told - self.shown] for side in sides},
            "awards": {item: sorted(takers[item]) or None for item in sorted(self.awarded & set(takers))},
            "accept": ACCEPTED,
        }
        if "prime" in takers and self.table.method in ("face", "half_ace", "italian", "seventy"):
            deal["best"] = {
                side: {suit: best_of(self.table, piles[side], suit) for suit in SUITS if (side, suit) in self.laid}
                for side in sides
            }
        return {
            "game": self.table.game,
            "preset": self.preset,
            "options": {"wild_cards": "none"} if "wild_cards" in self.table.options else {},
            "sides": list(sides),
            "players_per_side": self.players,
            "deal": {name: part for name, part in deal.items() if part},
        }


def beginning(random: Random, numbers_of_sides: list[int]) -> Chosen:
    """Draw a deal of any game and preset, and what is known of it: mostly counts and words."""
    game, sides, players = random.choice(
        [(game, *line_up) for game in LINE_UPS for line_up in LINE_UPS[game] if line_up[0] in numbers_of_sides]
    )
    about = KNOWN[game]
    preset = random.choice(list(about["presets"]))
    options = {**USUAL[game], **{each["id"]: each["default"] for each in about["options"]}, **about["presets"][preset]}
    if "wild_cards" in options:
        options["wild_cards"] = "none"
    labels = tuple("ABCD"[:sides])
    table = Table(game, labels, options)
    weights = [random.choice([1, 1, 2, 4]) for _ in labels]
    chosen = Chosen(preset, table, players, tuple(random.choices(labels, weights, k=len(PACK))))

    def some(all_of: list[Any], *shares: float) -> frozenset[Any]:
        share = random.choice(shares)
        return frozenset(each for each in all_of if random.random() < share)

    return replace(
        chosen,
        shown=some(PACK, 0, 0, 0.1, 0.3, 0.6),
        counted=some([(side, kind) for side in labels for kind in COUNTED], 0.1, 0.3, 0.6, 0.9),
        told=some(PACK, 0, 0, 0.1, 0.3),
        awarded=some(list(table.score({side: [] for side in labels})), 0, 0.3, 0.6),
        laid=some([(side, suit) for side in labels for suit in SUITS], 0, 0, 0.2, 0.6),
    )


def changed(chosen: Chosen, random: Random) -> Chosen:
    """Change the owner of some cards, or one to three of the known pieces."""
    for _ in range(random.choice([1, 1, 2, 3])):
        what = random.choice(["owner", "shown", "counted", "counted", "told", "awarded", "awarded", "laid"])
        sides = chosen.table.sides
        if what == "owner":
            owner = list(chosen.owner)
            one, other = random.sample(range(len(PACK)), 2)
            owner[one], owner[other] = random.choice([(owner[other], owner[one]), (owner[other], owner[other])])
            chosen = replace(chosen, owner=tuple(owner))
            continue
        pieces: dict[str, list[Any]] = {
            "shown": PACK,
            "told": PACK,
            "counted": [(side, kind) for side in sides for kind in COUNTED],
            "awarded": list(chosen.table.score({side: [] for side in sides})),
            "laid": [(side, suit) for side in sides for suit in SUITS],
        }
        chosen = replace(chosen, **{what: getattr(chosen, what) ^ {random.choice(pieces[what])}})
    return chosen


@dataclass(frozen=True)
class Cost:
    """What a deal took."""

    cpu: float
    steps: int
    is_spent: bool
    chosen: Chosen


def cost_of(chosen: Chosen) -> Cost:
    """Score a deal and return what it took."""
    return Cost(*measure(chosen.request), chosen)


def climb(random: Random, numbers_of_sides: list[int], until: float) -> tuple[Cost, list[Cost]]:
    """Change the costliest of some beginnings as long as it gets costlier; return the costliest, and all."""
    tried = [cost_of(beginning(random, numbers_of_sides)) for _ in range(STARTS)]
    best, fruitless = max(tried, key=lambda cost: cost.cpu), 0
    while time.process_time() < until and fruitless < 40:
        other = cost_of(changed(best.chosen, random))
        tried.append(other)
        best, fruitless = (other, 0) if other.cpu > best.cpu else (best, fruitless + 1)
    return best, tried


def main() -> None:
    """Search, and print the ten costliest deals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300, help="CPU seconds to search (default: 300)")
    parser.add_argument("--sides", type=int, nargs="+", default=[3, 4], help="numbers of sides (default: 3 4)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end = time.process_time() + asked.seconds
    random = Random(asked.seed)
    worst: list[Cost] = []
    number = slow = spent = 0
    while time.process_time() < end:
        best, tried = climb(random, asked.sides, end)
        worst = sorted([*worst, best], key=lambda cost: -cost.cpu)[:SHOWN]
        number += len(tried)
        slow += sum(cost.cpu > SLOW for cost in tried)
        spent += sum(cost.is_spent for cost in tried)
    print(f"{number} deals: {slow} took more than {1000 * SLOW:.0f} ms, {spent} spent the budget")
    print(f"{'CPU ms':>7} {'steps':>8} {'spent':>5}  request")
    for cost in worst:
        request = json.dumps(cost.chosen.request, separators=(",", ":"))
        print(f"{1000 * cost.cpu:7.1f} {cost.steps:8} {'yes' if cost.is_spent else 'no':>5}  {request}")


if __name__ == "__main__":
    main()
