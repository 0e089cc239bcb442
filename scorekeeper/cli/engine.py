"""Commands of the engine: one request from a file or standard input, or one a line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from .. import rules
from ..limits import ENGINE_BYTES
from ..strict_json import DOORS, MALFORMED, OK, answer, write_json

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


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Give the lines one by one; of one that is too long to be a request, no more than tells so."""
    while line := file.readline(ENGINE_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := file.readline(ENGINE_BYTES)):
            pass
        yield line


def _put(found: object) -> None:
    sys.stdout.buffer.write(write_json(found).encode() + b"\n")


def _reader_left() -> int:
    """End as other tools do where whoever reads the answers has seen enough (``scorekeeper … | head``)."""
    # Python flushes standard output once more on its way out, which would fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK


def run_door(args: argparse.Namespace) -> int:
    """Answer; the exit status is 0, 1 for an impossible request, 2 for a malformed one (always 0 by lines)."""
    status = OK
    try:
        with _open(args.file) as file:
            if args.lines:
                for line in _lines(file):
                    _put(answer(args.door, line)[1])
            else:
                status, found = answer(args.door, file.read(ENGINE_BYTES + 1))
                _put(found)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return _reader_left()
    except OSError as fault:
        print(f"{args.file}: {fault.strerror}", file=sys.stderr)
        return MALFORMED
    return status


def run_games(args: argparse.Namespace) -> int:
    """Print what there is to play."""
    try:
        _put(rules.games())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return _reader_left()
    return OK
