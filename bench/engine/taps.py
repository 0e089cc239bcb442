"""How many questions, and how many taps, full certainty takes: ``make bench``.

Simulated deals of every game go through the engine's own questions, from nothing but what a table notes while it
plays: once through ``ask`` alone, which gives the number of questions, and once with groups of cards where they are
offered. A tap is a card, a digit or a tick. Beside them is the bound: the fewest answers that prove a deal, for one
who knows the deal (:mod:`..helpers.proofs`). ``SCOREKEEPER_DEALS`` sets the number of deals (500).
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import mean, median
from typing import NamedTuple

from tests.helpers.asking import ask_through, chance_deal, finished_deal, taps_of, tricks_of_brisca
from tests.helpers.proofs import proof_of
from tests.helpers.simulator import LINE_UPS

DEALS = int(os.environ.get("SCOREKEEPER_DEALS", "500"))
PRESETS = {"chorizo": ("flores", "montevideo", "capagorry"), "baciga": ("capagorry",)}
"""Presets of note, where a game has several."""

BOUNDED = {("chorizo", ""), ("chorizo", "flores"), ("scopa", ""), ("cirulla", "")}
"""Games and presets with a bound."""

Table = tuple[str, str, int, bool]
"""Game, preset (or nothing), sides, and whether the deals were played (else dealt out by chance)."""


def tables() -> list[Table]:
    """Name what is measured: every game for two as played, the three best known also by chance, and for three."""
    found: list[Table] = []
    for game in LINE_UPS:
        for preset in PRESETS.get(game, ("",)):
            found.append((game, preset, 2, True))
    found += [(game, "", 2, False) for game in ("chorizo", "scopa", "cirulla")]
    found += [(game, "", 3, True) for game in ("chorizo", "escoba", "scopa")]
    return [*found, ("brisca", "", 2, True)]


PROVED = 40
"""The most deals with a bound; each takes about a second."""


class Measured(NamedTuple):
    """What many deals at one table took."""

    questions: list[int]
    taps: list[int]
    bounds: list[int]


def measure(table: Table) -> tuple[Table, Measured]:
    """Count the questions and taps of many deals at one table."""
    game, preset, sides, played = table
    random = Random(repr(table))
    measured = Measured([], [], [])
    for number in range(DEALS if sides == 2 else DEALS // 10):
        if game == "brisca":
            request, piles = tricks_of_brisca(random)
        else:
            players = next(each for count, each in sorted(LINE_UPS[game]) if count == sides)
            request, piles = (finished_deal if played else chance_deal)(game, sides, players, random)
            request.update({"preset": preset} if preset else {})
        asked, last = ask_through(request, piles)
        assert last["status"] == "complete", last["problems"]
        measured.questions.append(len(asked))
        if game != "brisca" and sides == 2:
            asked, last = ask_through(request, piles, groups=True)
            assert last["status"] == "complete", last["problems"]
        measured.taps.append(sum(taps_of(question, piles) for question in asked))
        if sides == 2 and (game, preset) in BOUNDED and number < PROVED:
            measured.bounds.append(len(proof_of(request, piles)))
    return table, measured


def main() -> None:
    """Print a table: questions a deal (mean, median and worst), taps, and the bound."""
    print(f"{'to full certainty':40} {'deals':>5} {'questions':>9} {'median':>6} {'worst':>5} {'taps':>6} {'bound':>6}")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (game, preset, sides, played), (questions, taps, bounds) in pool.map(measure, tables()):
            name = f"{game} {preset}".strip() + f", {sides} sides" + ("" if played else ", cards by chance")
            bound = f"{mean(bounds):6.2f} (of {len(bounds)})" if bounds else ""
            print(
                f"{name:40} {len(questions):5} {mean(questions):9.2f} {median(questions):6.1f} {max(questions):5} "
                f"{mean(taps):6.2f} {bound}",
                flush=True,
            )


if __name__ == "__main__":
    main()
