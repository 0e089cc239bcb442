"""Commands of the engine: one request from a file or standard input, or one a line."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import IO, Any

from .. import rules
from ..limits import ENGINE_BYTES, MOST_JOBS
from ..strict_json import FUNCTIONS, IMPOSSIBLE, MALFORMED, OK, answer, write_json
from .command import CommandRefused, whole_number

INTERRUPTED = 130
"""The exit status after Ctrl-C, which is that of every program that it ends in a shell."""

HELP = {
    "score": "score one deal",
    "match": "give the standing after the deals of a match",
    "captures": "say what a card may take",
    "prime": "settle who has the better prime",
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "score": {"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": 2}, "counts": {"A": {"cards": 23}}}},
    "match": {"game": "scopa", "sides": ["A", "B"], "deals": [{"sweeps": {"A": 2}}]},
    "captures": {"game": "chorizo", "layout": ["1B", "3C", "7O"], "card": "4C"},
    "prime": {"method": "face", "piles": {"A": ["7O", "6C"], "B": ["7E", "5B"]}},
}
"""A small request of each command, for its help."""


def register(commands: Any) -> None:
    """Add ``score``, ``match``, ``captures``, ``prime`` and ``games`` to the command line."""
    for name in FUNCTIONS:
        parser = commands.add_parser(
            name,
            help=HELP[name],
            description=f"{HELP[name]}: JSON in, JSON out",
            epilog=f"example, to be copied as it is:\n\n{_example(name)}",
            # An example is not wrapped in the middle of its JSON.
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("file", nargs="?", default="-", help="the request; - is standard input")
        parser.add_argument("--lines", action="store_true", help="one request a line, one answer a line, in order")
        about = "processes that share the lines, such as one for each core; the answers are the same (default: 1)"
        parser.add_argument("--jobs", type=partial(whole_number, 1, MOST_JOBS), default=1, metavar="N", help=about)
        _add_pretty(parser)
        parser.set_defaults(run=run_function, function=name)
    about = "list the games, or describe them, or one, as JSON"
    parser = commands.add_parser("games", help=about, epilog="example: scorekeeper games scopa --pretty")
    parser.add_argument("game", nargs="?", help="the id of one game, such as scopa")
    parser.add_argument("--json", action="store_true", help="describe every game on a terminal, too, which lists ids")
    _add_pretty(parser)
    parser.set_defaults(run=run_games)


def _example(name: str) -> str:
    """Return the example of a command, each field of its request on a line."""
    fields = ",\n        ".join(f'"{field}": {json.dumps(value)}' for field, value in EXAMPLES[name].items())
    return f"  echo '{{{fields}}}' |\n    scorekeeper {name} --pretty"


def _add_pretty(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pretty", action="store_true", help="answer on several lines, to be read by people")


def _open(name: str) -> IO[bytes]:
    return sys.stdin.buffer if name == "-" else open(name, "rb")


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines; a line too long to be a request is cut to a length that is refused."""
    while line := file.readline(ENGINE_BYTES + 2):
        rest = line
        while not rest.endswith(b"\n") and (rest := file.readline(ENGINE_BYTES)):
            pass
        yield line


def _put(value: object, pretty: bool = False) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False) if pretty else write_json(value)
    sys.stdout.buffer.write(text.encode() + b"\n")


def _answer_lines(function: str, lines: Iterable[bytes]) -> bytes:
    """Return the answers of some lines, a line each."""
    return b"".join([write_json(answer(function, line)[1]).encode() + b"\n" for line in lines])


def _answers(function: str, lines: Iterator[bytes], jobs: int) -> Generator[bytes]:
    """Yield the answers of all lines in order, one or some at a time."""
    if jobs == 1:
        return (_answer_lines(function, [line]) for line in lines)
    # Imported late: most commands start no process.
    from .jobs import answered

    return answered(partial(_answer_lines, function), lines, jobs)


def reader_left() -> int:
    """Return ``OK`` after the reader of the answers has closed the pipe, as in ``scorekeeper … | head``."""
    # Python flushes standard output again at its end, which would fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK


def run_function(args: argparse.Namespace) -> int:
    """Print the answer and return the exit status: 0, 1 for an impossible request, 2 for a malformed one.

    With ``--lines`` it is 0, whatever the requests are, because each line has an answer of its own.
    """
    if args.jobs > 1 and not args.lines:
        print("--jobs is for many requests: it goes with --lines.", file=sys.stderr)
        return MALFORMED
    if args.file == "-" and sys.stdin.buffer.isatty():
        print(f"Type the request as JSON, then Ctrl-D; scorekeeper {args.function} --help has one.", file=sys.stderr)
    try:
        return _run(args)
    except BrokenPipeError:
        return reader_left()
    except OSError as fault:
        print(f"{args.file}: {fault.strerror}", file=sys.stderr)
        return MALFORMED
    except CommandRefused as fault:
        print(fault, file=sys.stderr)
        return IMPOSSIBLE
    except KeyboardInterrupt:
        # Its reader has mostly ended by the same Ctrl-C.
        reader_left()
        return INTERRUPTED


def _run(args: argparse.Namespace) -> int:
    status = OK
    with _open(args.file) as file:
        if args.lines:
            with closing(_answers(args.function, _lines(file), args.jobs)) as answers:
                for some in answers:
                    sys.stdout.buffer.write(some)
        else:
            status, result = answer(args.function, file.read(ENGINE_BYTES + 1))
            _put(result, args.pretty)
    sys.stdout.buffer.flush()
    return status


def _width(described: Any) -> int:
    """Return the letters of the longest id."""
    return max(len(game["id"]) for game in described["games"])


def run_games(args: argparse.Namespace) -> int:
    """Print every game, or the named one, as JSON; an unknown id is malformed.

    On a terminal every game is a line: its id and its name. Nobody reads a hundred kilobytes of JSON there.
    """
    described: Any = rules.games()
    if args.game is not None:
        by_id = {game["id"]: game for game in described["games"]}
        if args.game not in by_id:
            print(f"There is no game {args.game}. The games are: {', '.join(by_id)}.", file=sys.stderr)
            return MALFORMED
        described = by_id[args.game]
    is_read = sys.stdout.isatty() and not (args.json or args.pretty)
    try:
        if is_read and args.game is None:
            for game in described["games"]:
                print(f"{game['id']:<{_width(described)}}  {game['names']['en']}")
        else:
            _put(described, args.pretty)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return reader_left()
    return OK
