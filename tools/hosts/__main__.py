"""Run the drills and print what became of every acknowledged entry: ``make hosts`` runs ``python -m tools.hosts``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tests.helpers.debian import ready

from .drills import HEAD, Result, fail_over, kill_a_host, update_one_by_one
from .packages import wanted


def main() -> int:
    """Run the drills; return 1 where a package is missing, something was lost, or a page no longer follows."""
    options = argparse.ArgumentParser(prog="python -m tools.hosts", description=__doc__)
    options.add_argument("--only", choices=("kill", "rolling", "failover"), help="run this drill alone")
    options.add_argument("--before", default="HEAD~1", metavar="COMMIT", help="the version that is updated")
    asked = options.parse_args()
    if not ready("the drills of several hosts", wanted):
        return 1
    drills: dict[str, Callable[[], Result]] = {
        "kill": kill_a_host,
        "rolling": lambda: update_one_by_one(asked.before),
        "failover": fail_over,
    }
    results = [drill() for name, drill in drills.items() if asked.only in (None, name)]
    for row in (list(HEAD), ["---"] * len(HEAD), *(result.row() for result in results)):
        print("| " + " | ".join(row) + " |")
    return 0 if all(result.is_good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
