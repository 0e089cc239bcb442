"""Take a table's file in, piece by piece: it lies in the database, so that any process goes on with it.

A table that is made of it has keys that nobody knows before all is written. A further part of a table is written once
all of it is judged. A piece judges outside the write transaction, which only stores what it came to.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Literal, NamedTuple, TypedDict

from flask import current_app
from sqlalchemy import delete, func, insert, select

from ...limits import (
    ADDRESS_IMPORTS,
    FILE_BYTES,
    FILE_ENTRIES,
    FILE_MATCH_BYTES,
    FILE_VALUES,
    HOST_IMPORTS,
    IMPORT_MINUTES,
    IMPORT_SECONDS,
)
from ...rules import Malformed
from ...strict_json import read_json
from .. import history_rows
from ..cleaning import clean_up
from ..db import Base, Gone, db, forget_written, lock, writing
from ..live import announce
from ..models import Import, ImportMatch, Match, Table, now
from ..standings import Standing
from ..summaries import drop
from . import writing as rows
from .checks import check_head, check_match, check_matches
from .export import head_of
from .judging import Judging, journal_of
from .shape import Head
from .values import Refused, refuse

JUDGED, WRITTEN = -1, -2
"""The values of ``ImportMatch.checked`` once a match is judged, and once it is written."""
LETTER_SECONDS = 2e-7
"""Time in which a letter of a match without closings is read, checked and written."""
TIDIED = 20
"""Abandoned files that are forgotten at once."""
TIDY_SECONDS = 60
"""Time between two looks for abandoned files, for which every write would else ask."""
LOCK = 34
"""The number of PostgreSQL's lock under which files are counted."""
_MATCHES = Base.metadata.tables[ImportMatch.__tablename__]


class Busy(Exception):
    """Too many files are being checked, here (``host``) or of one address (``address``); ``most`` are allowed."""

    def __init__(self, most: int, where: Literal["host", "address"]) -> None:
        super().__init__(f"{most} files are being checked for this {where}")
        self.most, self.where = most, where


class TooLarge(Exception):
    """The file is too large for one part."""


class Problem(TypedDict):
    """Why a file was refused, as in ``Refused``."""

    code: str
    at: str
    message: str


class Progress(NamedTuple):
    """How far a file is."""

    id: str
    matches: int
    done: int
    table: Table | None
    """The table, once all is written."""
    adds: bool
    """True if it is a further part of a table."""
    problem: Problem | None
    """Why it was refused; then nothing of it was written."""

    @property
    def is_over(self) -> bool:
        """True if nothing more is to be done."""
        return self.table is not None or self.problem is not None


def begin(form_id: str, text: bytes, address: str, into: Table | None = None) -> None:
    """Store a file to be checked, under the id of its form; the same form again does nothing.

    ``into`` is the table of which it is a further part. Raises ``Refused`` for what is no file of a table or, as a
    part, does not go on with that table; ``TooLarge``, and ``Busy``.
    """
    forget_abandoned()
    if db.session.get(Import, form_id) is not None:
        return
    head, matches = read_file(text)
    with writing():
        _wait_for_turn()
        if db.session.get(Import, form_id) is not None:
            return
        _refuse_busy(address)
        if into is not None:
            lock(into)
            _check_part(into, head, matches)
        table = into or rows.make_table(head)
        row = Import(id=form_id, address=address, head=head, matches=len(matches), table_id=table.id)
        row.adds = into is not None
        db.session.add(row)
        db.session.flush()
        if matches:
            db.session.execute(insert(_MATCHES), [_waiting(form_id, match) for match in matches])
        else:
            _finish(row)


def _waiting(form_id: str, match: Mapping[str, Any]) -> dict[str, Any]:
    # Escaped, because PostgreSQL takes no zero byte and no half a character in a text.
    return {"import_id": form_id, "number": match["number"], "text": json.dumps(match), "checked": 0}


def read_file(text: bytes) -> tuple[Head, list[dict[str, Any]]]:
    """Return the head and the matches of a file, of which the entries are not looked at yet.

    Raises ``Refused`` and ``TooLarge``.
    """
    # Every value but the first comes behind a comma or a bracket.
    if len(text) > FILE_MATCH_BYTES or sum(map(text.count, (b",", b"[", b"{"))) >= FILE_VALUES:
        raise TooLarge
    try:
        file = read_json(text, FILE_MATCH_BYTES)
    except Malformed as fault:
        raise Refused("malformed", "", fault.problems[0]["message"]) from fault
    matches = file.pop("matches", None) if isinstance(file, dict) else None
    head = check_head(file)
    found = check_matches(head, matches)
    if len(found) > 1 and (len(text) > FILE_BYTES or sum(len(match["entries"]) for match in found) > FILE_ENTRIES):
        raise TooLarge
    return head, found


def _wait_for_turn() -> None:
    """Wait for others who begin now, so that no two see room for the same last file. SQLite has only one writer."""
    if db.engine.dialect.name == "postgresql":
        db.session.execute(select(func.pg_advisory_xact_lock(LOCK)))


def _refuse_busy(address: str) -> None:
    unfinished = select(func.count()).select_from(Import).where(Import.done_at.is_(None))
    if (db.session.scalar(unfinished) or 0) >= HOST_IMPORTS:
        raise Busy(HOST_IMPORTS, "host")
    if address and (db.session.scalar(unfinished.where(Import.address == address)) or 0) >= ADDRESS_IMPORTS:
        raise Busy(ADDRESS_IMPORTS, "address")


def _check_part(table: Table, head: Head, matches: Sequence[Mapping[str, Any]]) -> None:
    """Check that a part goes on with a table to which nothing else was written. Raises ``Refused``."""
    unfinished = select(Import.id).where(Import.table_id == table.id, Import.done_at.is_(None))
    if db.session.scalar(unfinished.limit(1)) is not None:
        refuse("", "Another part is being written to this table: wait for it.", "part_waits")
    if table.imported_at is None:
        refuse("", "This table was not made of a file: import the first part as a table of its own.", "not_imported")
    _check_nothing_written(table, head)
    taken = rows.taken_numbers(table.id, [match["number"] for match in matches])
    for place, match in enumerate(matches):
        if match["number"] in taken:
            refuse(f"matches[{place}].number", f"The table has a match {match['number']} already.", "taken")


def go_on(form_id: str, seconds: float = IMPORT_SECONDS) -> Progress | None:
    """Check and write one piece of a file; return how far it is, None if there is no such file.

    After so many seconds of a processor nothing more begins. Any process may call it, also two at once.
    """
    forget_abandoned()
    until = time.thread_time() + seconds
    is_first = True
    while _go_on(form_id, until, is_first=is_first):
        is_first = False
    return progress(form_id)


def progress(form_id: str) -> Progress | None:
    """Return how far a file is; None if there is none of this form."""
    row = db.session.get(Import, form_id, populate_existing=True)
    if row is None:
        return None
    done = row.matches
    if row.done_at is None:
        ready = ImportMatch.checked < 0 if row.adds else ImportMatch.checked == WRITTEN
        counted = select(func.count()).select_from(ImportMatch).where(ImportMatch.import_id == form_id, ready)
        done = db.session.scalar(counted) or 0
    is_there = row.done_at is not None and row.problem is None
    table = db.session.get(Table, row.table_id) if is_there and row.table_id is not None else None
    problem: Any = row.problem
    if is_there and table is None:
        # The table was deleted since.
        return None
    return Progress(row.id, row.matches, done, table, row.adds, problem)


def _go_on(form_id: str, until: float, *, is_first: bool) -> bool:
    """Judge some closings of the next match, or write it; return False if nothing is left, or no time.

    The first match of a piece begins however long it takes.
    """
    row = db.session.get(Import, form_id)
    if row is None or row.done_at is not None:
        return False
    waiting = select(ImportMatch).where(ImportMatch.import_id == form_id, ImportMatch.checked > WRITTEN)
    # A further part is written once all its matches are judged.
    ordered = waiting.order_by((ImportMatch.checked == JUDGED) if row.adds else ImportMatch.number, ImportMatch.number)
    one = db.session.scalar(ordered.limit(1))
    if one is None or (not is_first and time.thread_time() + len(one.text) * LETTER_SECONDS >= until):
        return False
    seen, grows = one.checked, row.table_id if row.adds else None
    try:
        piece = _Piece(row, one, until)
        with writing():
            # The table before the file, as everybody does who locks both.
            into = _locked_table(grows)
            locked = _locked(form_id)
            if locked is not None:
                if into is not None:
                    _check_still(into, locked)
                _store(locked, piece, seen)
    except Refused as refused:
        _refuse(form_id, refused)
        return False
    return time.thread_time() < until


class _Piece:
    """The result of a piece: some closings of a match are judged, and if all are, the match has its standing."""

    def __init__(self, row: Import, one: ImportMatch, until: float) -> None:
        """Judge as many closings of a match as there is time for, one at least. Raises ``Refused``."""
        began = time.thread_time()
        self.number, self.checked = one.number, one.checked
        self.match = json.loads(one.text)
        self.at = f"matches[{self._place(row.id, one.number)}]"
        head: Any = row.head
        if self.checked == 0:
            check_match(head, self.match, self.at)
        judging = Judging(journal_of(self.match), self.at)
        if self.checked == 0:
            judging.check_course()
        self.standing: Standing | None = None
        closings = judging.closings[self.checked :] if self.checked >= 0 else []
        for closing in closings:
            judging.judge(closing)
            self.checked += 1
            if time.thread_time() >= until:
                return
        # To score the match as a whole and to write it takes about as long as it has taken so far.
        if (closings or (self.checked == 0 and not row.adds)) and 2 * time.thread_time() - began >= until:
            self.checked = self.checked or JUDGED
            return
        self.standing = judging.standing()

    @staticmethod
    def _place(import_id: str, number: int) -> int:
        before = (ImportMatch.import_id == import_id, ImportMatch.number < number)
        return db.session.scalar(select(func.count()).select_from(ImportMatch).where(*before)) or 0


def _locked(form_id: str) -> Import | None:
    """Return the file, locked; None if it is gone or over."""
    row = db.session.get(Import, form_id)
    if row is None:
        return None
    try:
        lock(row)
    except Gone:
        return None
    return row if row.done_at is None else None


def _locked_table(table_id: int | None) -> Table | None:
    """Return the table of a further part, locked; None if there is none, or it was deleted, and the file with it."""
    table = db.session.get(Table, table_id) if table_id is not None else None
    if table is not None:
        try:
            lock(table)
        except Gone:
            return None
    return table


def _check_still(table: Table, row: Import) -> None:
    """Check that a further part still goes on with its table, which may be in use meanwhile. Raises ``Refused``."""
    if table.moved_to is not None:
        refuse("", "This table has moved meanwhile, and is only read here.", "moved")
    written = select(ImportMatch.number).where(ImportMatch.import_id == row.id, ImportMatch.checked == WRITTEN)
    if db.session.scalar(written.limit(1)) is None:
        # Once the first match is there, the others follow.
        head: Any = row.head
        _check_nothing_written(table, head)


def _check_nothing_written(table: Table, head: Head) -> None:
    """Check that a table is as its parts so far have made it. Raises ``Refused``."""
    if head != head_of(table):
        refuse(
            "",
            "This part is of another table, or of another moment: export all parts again, and begin again.",
            "other_head",
        )
    if rows.entries_of_table(table.id) != table.imported_entries:
        refuse("", "Something was written to this table since its first part: begin again.", "written_since")


def _store(row: Import, piece: _Piece, seen: int) -> None:
    """Store what a piece came to, unless another has done it. Raises ``Refused``."""
    one = db.session.get_one(ImportMatch, (row.id, piece.number), populate_existing=True)
    if one.checked != seen:
        return
    assert row.table_id is not None
    row.touched_at = now()
    if piece.standing is None:
        one.checked = piece.checked
    elif row.adds and seen != JUDGED:
        one.checked = JUDGED
    else:
        rows.add_match(row.table_id, piece.match, piece.at, piece.standing)
        # Without its text the rows of what is written are soon read.
        one.checked, one.text = WRITTEN, ""
    db.session.flush()
    its_own = (ImportMatch.import_id == row.id, ImportMatch.checked > WRITTEN)
    if db.session.scalar(select(ImportMatch.number).where(*its_own).limit(1)) is None:
        _finish(row)


def _finish(row: Import) -> None:
    """Make the table of a file known, all of which is written."""
    table = db.session.get_one(Table, row.table_id)
    written = select(func.coalesce(func.sum(Match.head), 0)).join(ImportMatch, ImportMatch.number == Match.number)
    counted = db.session.scalar(written.where(ImportMatch.import_id == row.id, Match.table_id == table.id))
    rows.finish(table, counted or 0)
    history_rows.settle(table.id, table.zone)
    row.done_at = row.touched_at = now()
    db.session.execute(delete(ImportMatch).where(ImportMatch.import_id == row.id))
    db.session.flush()
    announce(table.id)


def _refuse(form_id: str, refused: Refused) -> None:
    """Refuse a file as a whole, and take back what was made of it."""
    with writing():
        row = _locked(form_id)
        if row is not None:
            _take_back(row)
            row.problem = {"code": refused.code, "at": refused.at, "message": refused.message}
            row.done_at = row.touched_at = now()


def _take_back(row: Import) -> None:
    """Delete what was made of a file that is not done: its table, or the matches of a further part."""
    table_id, row.table_id = row.table_id, row.table_id if row.adds else None
    db.session.flush()
    if not row.adds:
        db.session.execute(delete(Table).where(Table.id == table_id))
        if table_id is not None:
            forget_written(table_id)
    written = select(ImportMatch.number).where(ImportMatch.import_id == row.id, ImportMatch.checked == WRITTEN)
    for number in db.session.scalars(written).all() if row.adds else ():
        # Nothing else was written to these matches (``MOVE_HEAD``).
        match = db.session.get(Match, (table_id, number))
        if match is not None:
            lock(match)
            drop(match)
            db.session.execute(delete(Match).where(Match.table_id == table_id, Match.number == number))
    db.session.execute(delete(ImportMatch).where(ImportMatch.import_id == row.id))
    clean_up()


def forget(form_id: str) -> None:
    """Forget a file that is not done, with all that was made of it; one whose table is there is left alone."""
    with writing():
        _forget([form_id])


def forget_abandoned() -> None:
    """Forget the files with which nobody went on for an hour, and those that were done then."""
    if ids := _abandoned():
        with writing():
            _forget(ids, also_done=True)


def _abandoned() -> list[str]:
    before = now() - timedelta(minutes=IMPORT_MINUTES)
    old = select(Import.id).where(Import.touched_at < before).order_by(Import.touched_at).limit(TIDIED)
    return list(db.session.scalars(old))


def tidy() -> None:
    """Forget abandoned files with an ordinary write, once a minute of each process. Call inside ``writing()``."""
    looked: list[float] = current_app.extensions.setdefault("scorekeeper.tidied", [time.monotonic()])
    if time.monotonic() - looked[0] >= TIDY_SECONDS:
        looked[0] = time.monotonic()
        _forget(_abandoned(), also_done=True)


def _forget(ids: Iterable[str], *, also_done: bool = False) -> None:
    for form_id in sorted(ids):
        row = _locked(form_id)
        if row is not None:
            _take_back(row)
            db.session.delete(row)
        else:
            done = delete(Import).where(Import.id == form_id, Import.problem.is_not(None) | also_done)
            db.session.execute(done)
    db.session.flush()
