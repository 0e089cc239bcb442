"""The command line: ``scorekeeper serve``, ``score``, ``captures``, ``prime``, ``match``, ``games``, ``migrate`` …"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from . import copies, database, engine, rotation, server, tables

DASHED_KEY = re.compile(r"-(?!-)[\w-]{21}", re.ASCII)
"""A key that begins with a dash: one in 64 does. The parser would take it for an option."""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser; each command sets ``run(args) -> exit status``."""
    parser = argparse.ArgumentParser(prog="scorekeeper", description=__doc__)
    parser.add_argument("--version", action="version", version=f"scorekeeper {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    engine.register(commands)
    # The engine's commands run on bare Python; the others need the libraries of the web app.
    if find_spec("flask"):
        for group in (server, database, rotation, copies, tables):
            group.register(commands)
    return parser


def _version() -> str:
    """Return the installed version, if there is one."""
    try:
        return version("scorekeeper")
    except PackageNotFoundError:
        return "(not installed)"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given = sys.argv[1:] if argv is None else argv
    # With a space in front it is an argument, in which the key is found as in any text.
    args = build_parser().parse_args([f" {each}" if DASHED_KEY.fullmatch(each) else each for each in given])
    status: int = args.run(args)
    return status


if __name__ == "__main__":
    sys.exit(main())
