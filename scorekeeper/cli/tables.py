"""Tables by their links and files: ``delete``, ``expire``, ``export`` and ``import``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .. import file_modes, limits
from .command import CommandRefused, add, counted, need_data, need_newest, patient_app, unkept_secret, whole_number
from .engine import reader_left

if TYPE_CHECKING:
    from ..store.models import Table
    from ..store.table_file.export import Part


def register(commands: Any) -> None:
    """Add ``delete``, ``expire``, ``export`` and ``import`` to the command line."""
    delete_command = add(
        commands,
        delete,
        "delete a table for good, with all its matches",
        "delete https://example.org/t/KEY",
        description="Delete the table that LINK opens, for whoever has lost its owner link. It cannot be undone.",
    )
    delete_command.add_argument("link", metavar="LINK", help="the owner link or the link to play, or the key in it")
    delete_command.add_argument("--yes", action="store_true", help="do not ask")
    expire_command = add(
        commands,
        expire,
        "delete the tables that nobody has opened for long",
        "expire --months 24",
        description="Without --months: do the daily work of SCOREKEEPER_EXPIRE_MONTHS now, if no process has done it "
        "today. With --months: delete every table that nobody has opened for N whole months, also those of which no "
        "phone has said so before.",
    )
    months = partial(whole_number, 1, limits.EXPIRE_MONTHS[1])
    expire_command.add_argument("--months", type=months, metavar="N", help="whole months without an opening")
    expire_command.add_argument("--yes", action="store_true", help="do not ask")
    export_command = add(
        commands,
        export,
        "write a table with all its matches to one file, for another server",
        "export https://example.org/t/KEY table.json",
        description="Write the table that LINK opens to FILE: its matches, entries, players, names and notes. No key "
        "is in it, and no mark of a phone. 'scorekeeper import FILE' makes a table of it.",
    )
    export_command.add_argument("link", metavar="LINK", help="the owner link or the link to play, or the key in it")
    export_command.add_argument("file", metavar="FILE", help="where to; a file that is there is kept; - is the output")
    matches_help = "only these matches, by the numbers of the first and the last (default: all)"
    export_command.add_argument("--matches", type=_range_of_matches, metavar="1-200", help=matches_help)
    import_command = add(
        commands,
        import_,
        "make a table of a file that export wrote, here or on another server",
        "import table.json",
        description="Make a table of FILE and print its links, which are new. Several files are the parts of one "
        "table, in their order. A file that does not hold is refused as a whole, with place and reason.",
    )
    import_command.add_argument("files", nargs="+", metavar="FILE", help="a table's file, or its parts; - is the input")


def _range_of_matches(text: str) -> Part:
    from ..store.table_file.export import part_named

    part = part_named(text)
    if part is None:
        raise argparse.ArgumentTypeError(f"the numbers of the first and the last match are needed, not {text!r}")
    return part


def delete(args: argparse.Namespace) -> int:
    """Delete a table after a confirmation."""
    from ..config import places
    from ..store.cleaning import wait_until_clean
    from ..store.db import writing
    from ..store.ownership import contents, delete_table

    need_data(places())
    with patient_app(SECRET_KEY=unkept_secret()).app_context():
        need_newest()
        table = _table_of(args.link)
        holds = contents(table)
        matches, players = counted(holds.matches, "match", "matches"), counted(holds.players, "player", "players")
        _confirm(f"“{table.name}” with {matches} of {players}", args.yes)
        with writing():
            delete_table(table, by="command")
        wait_until_clean(limits.CLEANED_SECONDS)
    print("Deleted. Its links open nothing any more; copies made by backup still have it.")
    return 0


def expire(args: argparse.Namespace) -> int:
    """Delete tables that nobody has opened for long: those whose day has come, or all of so many months."""
    from ..config import places
    from ..store import expiry
    from ..store.cleaning import wait_until_clean
    from ..store.models import now

    need_data(places())
    app, today = patient_app(SECRET_KEY=unkept_secret()), now().date()
    with app.app_context():
        need_newest()
        if args.months is None:
            if not (months := app.config["EXPIRE_MONTHS"]):
                raise CommandRefused("Name the months (--months 24), or set SCOREKEEPER_EXPIRE_MONTHS.")
            count = expiry.daily_work(months, today)
            wait_until_clean(limits.CLEANED_SECONDS)
            print("This was done today already." if count is None else f"{counted(count, 'table', 'tables')} deleted")
            return 0
        count = len(expiry.expired(args.months, today, is_announced=False))
        if count:
            months = counted(args.months, "month", "months")
            _confirm(f"{counted(count, 'table', 'tables')} that nobody has opened for {months}", args.yes)
            count = expiry.delete_expired(args.months, today, is_announced=False)
            wait_until_clean(limits.CLEANED_SECONDS)
    print(f"{counted(count, 'table', 'tables')} deleted")
    return 0


def _confirm(what: str, is_confirmed: bool) -> None:
    """Ask whether to delete something for good. Raises ``CommandRefused`` unless the answer is yes."""
    if is_confirmed:
        return
    if not sys.stdin.isatty():
        raise CommandRefused(f"Nothing was deleted: {what}. Nobody is here to ask; add --yes.")
    if input(f"Delete for good: {what}? Write yes: ").strip().lower() != "yes":
        raise CommandRefused("Nothing was deleted.")


def export(args: argparse.Namespace) -> int:
    """Write a table's file, read at one moment. An existing file is refused, not overwritten."""
    from ..config import places
    from ..store.db import read_at_once
    from ..store.table_file.export import ALL, pieces_of

    need_data(places())
    with patient_app(SECRET_KEY=unkept_secret()).app_context():
        need_newest()
        table = _table_of(args.link)
        with read_at_once(), _new_file(args.file) as file:
            try:
                for piece in pieces_of(table, args.matches or ALL):
                    file.write(piece)
                file.flush()
            except BrokenPipeError:
                return reader_left()
    return 0


def _table_of(link: str) -> Table:
    """Return the table of an owner link or a link to play, or of its key. Raises ``CommandRefused``."""
    from ..store.queries import table_by_key
    from ..web.base.links import LETTERS, find

    _top, letter, key = (find(link) or "//").split("/")
    for kind in ("owner", "play"):
        table = table_by_key(kind, key) if letter == LETTERS[kind] else None
        if table is not None:
            return table
    raise CommandRefused("This opens no table. The owner link (…/o/KEY) or the link to play (…/t/KEY) is needed.")


@contextmanager
def _new_file(name: str) -> Iterator[IO[bytes]]:
    """Yield a new file that only its owner can read, or the output for ``-``; after an error no file is left.

    Raises ``CommandRefused`` if there is a file of that name, ``OSError``.
    """
    if name == "-":
        yield sys.stdout.buffer
        return
    try:
        file_modes.make_new_file(path := Path(name))
    except FileExistsError as error:
        raise CommandRefused(f"{name} is there already; name another file.") from error
    try:
        with path.open("wb") as file:
            yield file
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def import_(args: argparse.Namespace) -> int:
    """Make a table of its file, or of its parts, and print its links."""
    from ..config import places
    from ..store.table_file import jobs, whole
    from ..store.table_file.values import Refused
    from ..web.base.links import path_of

    need_data(places())
    _need_secret()
    reading = ""

    def parts() -> Iterator[bytes]:
        nonlocal reading
        for reading in args.files:
            yield from whole.in_parts(sys.stdin.buffer.read() if reading == "-" else Path(reading).read_bytes())

    app = patient_app()
    with app.app_context():
        try:
            table = whole.take_in(parts())
        except Refused as refused:
            raise CommandRefused(f"{reading} was refused. {refused}") from refused
        except jobs.TooLarge as large:
            raise CommandRefused(f"{reading} was refused: a match in it is too large.") from large
        except jobs.Busy as busy:
            raise CommandRefused(f"{busy.most} files are being checked: try again in some minutes.") from busy
        address = app.config["URL"]
        print(f"The table is there. Its links{'' if address else ', behind the address of this server'}:")
        for link in ("owner", "play", "watch"):
            print(f"{address}{path_of(table, link)}  {link}")
    return 0


def _need_secret() -> None:
    """Raise ``CommandRefused`` where the app has no secret: what is sealed under a new one the app could not show."""
    from ..config import has_secret, secret_file

    if not has_secret():
        raise CommandRefused(
            "The links of a table are sealed under the secret of the app, and there is none: set the SECRET_KEY that "
            f"the app runs with, or start it once, which makes {secret_file()}."
        )
