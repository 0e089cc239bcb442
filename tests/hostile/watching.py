"""Sending requests and looking at every answer: what must hold of each, however hostile the request was."""

from __future__ import annotations

import json
import logging
import shlex
import signal
import sqlite3
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any
from urllib.parse import urlencode

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from scorekeeper.store.cleaning import wait_until_clean
from scorekeeper.store.db import Base, db

from .hall import Hall

LARGEST_ANSWER = 1_000_000
"""Bytes that an answer may have, before it is packed."""
GUARD = 30
"""Seconds after which a request counts as one that never ends. No measure of speed: an answer takes milliseconds."""
MOST_PROBLEMS, MOST_CAPTURES = 51, 200
SHOWN = 300
"""Letters of a request's body that a failure shows."""


class NeverEnds(BaseException):
    """A request was given up."""


@dataclass(frozen=True)
class Request:
    """One request, told so that it can be sent again by hand."""

    method: str
    path: str
    form: tuple[tuple[str, str], ...] | None = None
    """The fields of a posted form."""
    body: bytes | None = None
    """A body as it is, told to be JSON."""
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    """What of it is hostile, where that is one value among honest ones."""

    @property
    def address(self) -> str:
        """The path with its query."""
        return self.path + ("?" + urlencode(self.query, errors="surrogatepass") if self.query else "")

    def __str__(self) -> str:
        told = ["curl", "-X", self.method, shlex.quote(_short(self.address))]
        told += [f"-H {shlex.quote(f'{name}: {_short(value)}')}" for name, value in self.headers.items()]
        if self.form is not None:
            told += [f"--data-urlencode {shlex.quote(_short(f'{name}={value}'))}" for name, value in self.form[:12]]
            told += [f"… and {len(self.form) - 12} more fields"] if len(self.form) > 12 else []
        if self.body is not None:
            told.append(f"--json {shlex.quote(_short(self.body.decode('utf-8', 'backslashreplace')))}")
        return " ".join(told) + (f"  # {_short(self.note)}" if self.note else "")


def get(path: str, *query: tuple[str, str], **headers: str) -> Request:
    """Return a request for a page."""
    return Request("GET", path, query=query, headers=_named(headers))


def post(path: str, fields: Mapping[str, Any] | Iterable[tuple[str, str]], **headers: str) -> Request:
    """Return a posted form; a list as a value is several fields of one name."""
    pairs = fields.items() if isinstance(fields, Mapping) else fields
    told = [(name, one) for name, value in pairs for one in (value if isinstance(value, list) else [value])]
    return Request("POST", path, form=tuple(told), headers=_named(headers))


def ask(path: str, body: Any, note: str = "") -> Request:
    """Return a request to the interface; ``body`` is what is said, or bytes to be sent as they are."""
    return Request("POST", path, body=body if isinstance(body, bytes) else json.dumps(body).encode(), note=note)


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def _short(told: str) -> str:
    """Cut a text, and show what cannot be seen in it."""
    cut = told if len(told) <= SHOWN else f"{told[:SHOWN]}…({len(told)} characters)"
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape", "surrogatepass").decode() for letter in cut
    )


@dataclass
class Answer:
    """What came back. ``wrote`` says whether a row of the database is another one than before."""

    request: Request
    status: int
    data: bytes
    headers: Mapping[str, str]
    wrote: bool
    faults: list[str]
    """What of it must never be."""

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.data)

    @property
    def is_refused(self) -> bool:
        """Whether the request was at fault."""
        return 400 <= self.status < 500


class Watcher:
    """Sends requests as one phone, and holds every answer against what must never be."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.traces: list[str] = []
        self._log = _Traces(self.traces)
        self._rows = rows_of(hall)

    def __enter__(self) -> Watcher:
        self.hall.app.logger.addHandler(self._log)
        return self

    def __exit__(self, _kind: Any, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.hall.app.logger.removeHandler(self._log)
        self._rows.close()

    def send(self, request: Request, client: FlaskClient | None = None) -> Answer:
        """Send it and return the answer, with its faults."""
        before = self._rows.mark()
        self.traces.clear()
        client = client or self.hall.client
        try:
            with guarded():
                response = client.open(
                    request.address,
                    method=request.method,
                    headers=dict(request.headers),
                    data=_encoded(request.form) if request.form is not None else request.body,
                    content_type="application/json" if request.form is None else "application/x-www-form-urlencoded",
                )
                data = response.data
                response.close()
        except NeverEnds as fault:
            return Answer(request, 0, b"", {}, False, [f"no answer within {GUARD} s, at {_place(fault)}"])
        except Exception as fault:
            return Answer(request, 0, b"", {}, False, [f"no answer but {type(fault).__name__}, at {_place(fault)}"])
        answer = Answer(request, response.status_code, data, response.headers, self._rows.mark() != before, [])
        answer.faults.extend(self._faults_of(answer))
        return answer

    def expect(self, request: Request, *statuses: int) -> Answer:
        """Send it; fail where the answer has a fault, or (where any are given) another status."""
        answer = self.send(request)
        assert not answer.faults, told_of(answer)
        assert not statuses or answer.status in statuses, f"{answer.status} instead of {statuses}: {told_of(answer)}"
        return answer

    def _faults_of(self, answer: Answer) -> Iterator[str]:
        if answer.status >= 500:
            yield f"answer {answer.status}" + (f" ({self.traces[-1]})" if self.traces else "")
        elif self.traces:
            yield f"logged as a fault: {self.traces[-1]}"
        if len(answer.data) > LARGEST_ANSWER:
            yield f"{len(answer.data):,} bytes"
        if b"Traceback (most recent call last)" in answer.data or b"sqlalchemy" in answer.data.lower():
            yield "a trace of the program in the answer"
        if answer.status >= 400 and answer.wrote and not _is_partly_written(answer):
            yield f"written though refused with {answer.status}"
        is_static = answer.request.path.startswith("/static/") and answer.status < 400
        if not is_static and "Content-Security-Policy" not in answer.headers:
            yield f"no Content-Security-Policy with {answer.status}"
        if answer.request.path.startswith("/api/"):
            yield from _faults_of_json(answer)


def _is_partly_written(answer: Answer) -> bool:
    """Say whether it is a push, of which some entries were taken and others refused: each stands for itself."""
    if answer.request.path != "/api/v1/entries" or answer.status not in (409, 422):
        return False
    return any(one["status"] == "written" for one in answer.json.get("answers", []))


def _faults_of_json(answer: Answer) -> Iterator[str]:
    """Yield what is wrong with an answer of the interface as JSON."""
    try:
        found = answer.json
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, UnicodeError):
        yield "no JSON"
        return
    if not isinstance(found, dict):
        yield "no JSON object"
        return
    problems = found.get("problems", [])
    if answer.status >= 400 and not problems and "answers" not in found:
        yield f"{answer.status} without a problem"
    if len(problems) > MOST_PROBLEMS:
        yield f"{len(problems)} problems"
    if not all(isinstance(one, dict) and {"severity", "code", "where", "message"} <= set(one) for one in problems):
        yield "a problem without severity, code, where or message"
    if len(found.get("captures", [])) > MOST_CAPTURES:
        yield f"{len(found['captures'])} sets to capture"
    for one in found.get("answers", []):
        if not isinstance(one, dict) or not {"id", "status"} <= set(one):
            yield "the answer about an entry has no id or status"


def told_of(answer: Answer) -> str:
    """Tell an answer on one line: what is wrong with it, and the request to send again."""
    return f"{'; '.join(answer.faults) or answer.status}: {answer.request}"


def _encoded(form: tuple[tuple[str, str], ...]) -> bytes:
    return urlencode(form, errors="surrogatepass").encode()


def _place(fault: BaseException) -> str:
    """Return where in the app a fault was raised."""
    frames = traceback.extract_tb(fault.__traceback__)
    ours = [frame for frame in frames if "/scorekeeper/" in frame.filename or "/templates/" in frame.filename]
    frame = (ours or frames)[-1]
    return f"{frame.filename.rpartition('/')[2]}:{frame.lineno}"


class _Traces(logging.Handler):
    """Keeps what the app logs as a fault of its own, one line each."""

    def __init__(self, kept: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.kept = kept

    def emit(self, record: logging.LogRecord) -> None:
        fault = record.exc_info[1] if record.exc_info else None
        self.kept.append(record.getMessage() if fault is None else f"{type(fault).__name__} at {_place(fault)}")


@contextmanager
def guarded(seconds: int = GUARD) -> Iterator[None]:
    """Give a request up that does not end: the run then fails, and says at which one, instead of hanging."""

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise NeverEnds

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class _Changes:
    """SQLite tells every connection when another one has committed: nothing is missed, and it costs next to nothing.

    Emptying its journal counts as well, which is done behind the answer of whoever has deleted something.
    """

    def __init__(self, app: Flask, path: str) -> None:
        self._app, self._connection = app, sqlite3.connect(path)

    def mark(self) -> object:
        with self._app.app_context():
            assert wait_until_clean(GUARD)
        return self._connection.execute("PRAGMA data_version").fetchone()

    def close(self) -> None:
        self._connection.close()


class _Contents:
    """Every row of every table, summed up by the database."""

    def __init__(self, hall: Hall) -> None:
        self._app = hall.app
        self._sums = [
            text(f"SELECT count(*), md5(string_agg(one::text, '|' ORDER BY one::text)) FROM {name} AS one")
            for name in Base.metadata.tables
        ]

    def mark(self) -> object:
        with self._app.app_context(), db.engine.connect() as connection:
            return [tuple(connection.execute(one).one()) for one in self._sums]

    def close(self) -> None:
        pass


def rows_of(hall: Hall) -> _Changes | _Contents:
    """Return what tells whether a row of the hall is another one than before."""
    with hall.app.app_context():
        url = db.engine.url
    return _Changes(hall.app, str(url.database)) if url.drivername.startswith("sqlite") else _Contents(hall)
