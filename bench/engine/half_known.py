"""What a half-known deal costs, in whole deals: ``make bench``, or ``python -m bench.engine.half_known``.

Deals are drawn afresh and asked once. Whole and half-known ones take turns in one process, and what the process cached
of earlier rounds is emptied before each, so that a ratio shows what a deal costs that nobody has asked about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from statistics import median
from typing import Any

from scorekeeper import rules
from scorekeeper.limits import STORED_MATCH_STEPS
from tests.helpers.cold import forget

from .drawn import whole_deals

GAMES = ("chorizo", "scopa", "cirulla")
ROUNDS, DEALS = 3, 40
OF_THE_CARDS = frozenset({"piles", "leftover", "last_capturer"})

Request = dict[str, Any]


def opened(request: Request, _random: Random) -> Request:
    """Return what a table has noted of a deal before it is closed: layout, declarations, sweeps."""
    return {**request, "deal": {name: part for name, part in request["deal"].items() if name not in OF_THE_CARDS}}


def shown(request: Request, random: Random) -> Request:
    """Return the same with a few cards of each pile shown."""
    some = {side: random.sample(pile, min(len(pile), random.randrange(8))) for side, pile in piles_of(request).items()}
    return {**request, "deal": {**opened(request, random)["deal"], "piles": some}}


def said(request: Request, random: Random) -> Request:
    """Return the same with the taker of each item said, and no card shown."""
    sheet = rules.score({**request, "ask": False})
    items = {item["id"] for game in rules.games()["games"] if game["id"] == request["game"] for item in game["items"]}
    counted = [
        line for line in sheet["lines"] if line["item"] in items and line["item"] not in ("sweeps", "table_sweep")
    ]
    takers = {line["item"]: [side for side, points in (line["points"] or {}).items() if points] for line in counted}
    return {**request, "deal": {**opened(request, random)["deal"], "awards": takers}}


def piles_of(request: Request) -> dict[str, list[str]]:
    """Return the piles of a whole deal."""
    piles: dict[str, list[str]] = request["deal"]["piles"]
    return piles


def seconds(score: Callable[[], object]) -> float:
    """Return the CPU seconds of something with an engine that has seen nothing."""
    forget()
    began = time.process_time()
    score()
    return time.process_time() - began


def scored(requests: list[Request]) -> Callable[[], object]:
    """Return what scores some deals one after the other."""
    return lambda: [rules.score(request) for request in requests]


def match_of(requests: list[Request]) -> Callable[[], object]:
    """Return what scores some deals as a stored match."""
    table = {name: part for name, part in requests[0].items() if name != "deal"}
    match = {**table, "options": {"target": 999}, "deals": [request["deal"] for request in requests], "ask": False}
    return lambda: rules.match(
        match, frozen=True, until_won=True, most_steps=STORED_MATCH_STEPS, explained={len(requests) - 1}
    )


def rows(game: str) -> Iterator[tuple[str, float]]:
    """Yield what is measured at a game, with the median of its ratios to whole deals."""
    ratios: dict[str, list[float]] = {}
    drawn, random = whole_deals(game, 7), Random(game)
    for _round in range(ROUNDS):
        whole = list(islice(drawn, DEALS))
        unit = seconds(scored(whole))
        for make in (opened, shown):
            part = [make(request, random) for request in whole]
            for asks, words in ((False, "without its question"), (True, "with it")):
                asked = [{**request, "ask": asks} for request in part]
                ratios.setdefault(f"{make.__name__}, {words}", []).append(seconds(scored(asked)) / unit)
        part = [said(request, random) for request in whole]
        ratios.setdefault("said, in a stored match", []).append(seconds(match_of(part)) / unit)
    for what, measured in ratios.items():
        yield what, median(measured)


def main() -> None:
    """Print how many whole deals a half-known one costs."""
    for game in GAMES:
        for what, ratio in rows(game):
            print(f"{game:8} {what:32} {ratio:6.1f} whole deals", flush=True)


if __name__ == "__main__":
    main()
