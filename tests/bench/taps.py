"""How many taps full certainty takes: ``make bench``.

Simulated deals of every game go through the engine's own questions, one tap an answer, from nothing but what a table
notes while it plays. ``SCOREKEEPER_DEALS`` sets the number of deals (500).
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from random import Random
from statistics import mean, median

from ..helpers.asking import ask_through, chance_deal, finished_deal, tricks_of_brisca
from ..helpers.simulator import LINE_UPS

DEALS = int(os.environ.get("SCOREKEEPER_DEALS", "500"))
PRESETS = {"chorizo": ("flores", "montevideo", "capagorry"), "baciga": ("capagorry",)}
"""Presets of note, where a game has several."""

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


def measure(table: Table) -> tuple[Table, list[int]]:
    """Count the questions of many deals at one table."""
    game, preset, sides, played = table
    random = Random(repr(table))
    taps = []
    for _ in range(DEALS if sides == 2 else DEALS // 10):
        if game == "brisca":
            request, piles = tricks_of_brisca(random)
        else:
            players = next(each for count, each in sorted(LINE_UPS[game]) if count == sides)
            request, piles = (finished_deal if played else chance_deal)(game, sides, players, random)
            request.update({"preset": preset} if preset else {})
        asked, last = ask_through(request, piles)
        assert last["status"] == "complete", last["problems"]
        taps.append(len(asked))
    return table, taps


def main() -> None:
    """Print a table: mean, median and worst number of taps a deal."""
    print(f"{'taps to full certainty':40} {'deals':>5} {'mean':>6} {'median':>6} {'worst':>5}")
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for (game, preset, sides, played), taps in pool.map(measure, tables()):
            name = f"{game} {preset}".strip() + f", {sides} sides" + ("" if played else ", cards by chance")
            print(f"{name:40} {len(taps):5} {mean(taps):6.2f} {median(taps):6.1f} {max(taps):5}", flush=True)


if __name__ == "__main__":
    main()
