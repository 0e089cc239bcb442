"""The command line: ``scorekeeper serve``, ``score``, ``captures``, ``prime``, ``match``, ``games``, ``migrate`` …"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec


def build_parser() -> argparse.ArgumentParser:
    """Return the parser; each group of commands registers its own (``run(args) -> exit status``)."""
    parser = argparse.ArgumentParser(prog="scorekeeper", description=__doc__)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in ("engine_cli", "web_cli"):
        if find_spec(f"scorekeeper.{name}"):
            import_module(f"scorekeeper.{name}").register(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    args = build_parser().parse_args(argv)
    status: int = args.run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())
