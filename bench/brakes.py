"""What a brake costs: microseconds of a processor for one count, alone and while another process counts too.

``python -m bench.brakes`` prints it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable

from scorekeeper.brakes.brake import Brake
from scorekeeper.brakes.host import HostCounts
from scorekeeper.limits import MOST_BRAKED

TURNS = 20_000
SUBJECT = "a" * 64


def microseconds(do: Callable[[int], object]) -> float:
    """Return what one turn takes of a processor."""
    began = time.process_time()
    for turn in range(TURNS):
        do(turn)
    return (time.process_time() - began) / TURNS * 1e6


def measured(counts: HostCounts) -> dict[str, float]:
    """Return the microseconds of each thing that is done."""
    brake = Brake("measured", MOST_BRAKED, 60, counts.addresses)

    def stream(_turn: int) -> None:
        place = counts.streams.enter([("table 1", 60), (f"address {SUBJECT}", 120)])
        if place is not None:
            place.leave()

    return {
        "count for an address": microseconds(lambda _turn: brake.take(SUBJECT)),
        "count for an address that is new": microseconds(lambda turn: brake.take(f"{turn:064}")),
        "look at a count": microseconds(lambda _turn: brake.used(SUBJECT)),
        "open a stream and close it": microseconds(stream),
    }


def main() -> int:
    """Print the table."""
    counts = HostCounts()
    alone = measured(counts)
    other = os.fork()
    if not other:
        brake = Brake("other", MOST_BRAKED, 60, counts.addresses)
        while True:
            brake.take(SUBJECT)
    try:
        beside = measured(counts)
    finally:
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)
    print(f"{'microseconds':36}{'alone':>8}{'beside another that counts without a pause':>46}")
    for name, cost in alone.items():
        print(f"{name:36}{cost:8.0f}{beside[name]:46.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
