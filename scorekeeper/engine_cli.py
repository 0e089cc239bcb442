"""Commands of the engine: one request from a file or standard input, or one a line."""

from __future__ import annotations

import argparse
import sys
from typing import IO, Any

from . import rules
from .requests_json import DOORS, MALFORMED, OK, answer, write_json

HELP = {
    "score": "score one deal",
    "match": "give the standing after the deals of a match",
    "captures": "say what a card may take",
    "prime": "settle who has the better prime",
}


def register(commands: Any) -> None:
    """Add ``score``, ``match``, ``captures``, ``prime`` and ``games`` to the command line."""
    for door in DOORS:
        parser = commands.add_parser(door, help=HELP[door], description=f"{HELP[door]}: JSON in, JSON out")
        parser.add_argument("file", nargs="?", default="-", help="the request; - is standard input")
        parser.add_argument("--lines", action="store_true", help="one request a line, one answer a line, in order")
        parser.set_defaults(run=run_door, door=door)
    parser = commands.add_parser("games", help="describe every game as JSON")
    parser.set_defaults(run=run_games)


def _open(name: str) -> IO[bytes]:
    return sys.stdin.buffer if name == "-" else open(name, "rb")


def run_door(args: argparse.Namespace) -> int:
    """Answer; the exit status is 0, 1 for an impossible request, 2 for a malformed one (always 0 by lines)."""
    try:
        file = _open(args.file)
    except OSError as fault:
        print(f"{args.file}: {fault.strerror}", file=sys.stderr)
        return MALFORMED
    out = sys.stdout.buffer
    with file:
        if not args.lines:
            status, found = answer(args.door, file.read())
            out.write(write_json(found).encode() + b"\n")
            out.flush()
            return status
        for line in file:
            if line.strip():
                out.write(write_json(answer(args.door, line)[1]).encode() + b"\n")
    out.flush()
    return OK


def run_games(args: argparse.Namespace) -> int:
    """Print what there is to play."""
    sys.stdout.buffer.write(write_json(rules.games()).encode() + b"\n")
    return OK
