"""The log: keys of tables are masked in it, and the same fault is logged once a minute, not once a request."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Hashable
from urllib.parse import unquote

from . import limits

# Every logger that may write about a request. A logger's filter does not apply to the loggers below it.
LOGGERS = ("", "scorekeeper", "gunicorn.error", "gunicorn.access", "werkzeug", "sqlalchemy", "alembic", "asyncio")
POOL = "sqlalchemy.pool"

_WORD = re.compile(r"[^\s\"'<>]+")
_AFTER_LETTER = re.compile(r"/([two])/+[^/?#&,;)\]}]+")
# A key is 22 letters of the URL-safe alphabet. Names in programs of that length do not mix upper and lower case.
_KEY = re.compile(r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{22}(?![\w-])", re.ASCII)
# The part of a database's message that quotes a row: names, entries, keys.
_QUOTED = re.compile(r"(\[parameters: |DETAIL: ).*", re.DOTALL)


def masked(text: str) -> str:
    """Return the text without keys, percent-encoded ones included, and without the rows that a database quotes."""
    text = "\n".join(_QUOTED.sub(r"\1…", line) for line in text.split("\n"))
    return _WORD.sub(lambda word: _masked_word(word[0]), text)


def _masked_word(word: str) -> str:
    plain = word
    for _turn in range(3):
        plain = unquote(plain)
    hidden = _KEY.sub("…", _AFTER_LETTER.sub(r"/\1/…", plain))
    if hidden == plain:
        return word
    return "".join(letter if letter.isprintable() else "?" for letter in hidden)


class Sparing:
    """Limits the log of equal causes to some lines a minute, usually one, with the number of those left out."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, seconds: float = limits.QUIET_SECONDS, lines: int = 1
    ) -> None:
        self._clock, self._seconds, self._lines = clock, seconds, lines
        self._counted: dict[Hashable, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def next(self, cause: Hashable) -> int | None:
        """Return how many were left out before this line about a cause, or None if this one is left out too."""
        with self._lock:
            now = self._clock()
            begun, count = self._counted.get(cause, (now, 0))
            left_out = 0
            if now - begun >= self._seconds:
                begun, count, left_out = now, 0, max(0, count - self._lines)
            if not count and len(self._counted) >= limits.KNOWN_FAULTS:
                self._counted.clear()
            self._counted[cause] = (begun, count + 1)
            return left_out if count < self._lines else None


def and_more(left_out: int) -> str:
    """Return how many lines were left out, in words; "" if none was."""
    return f" ({left_out} more since the last line about it)" if left_out else ""


class MaskKeys(logging.Filter):
    """Logging filter that masks keys in a record and its trace, and thins out what the connection pool logs."""

    def __init__(self) -> None:
        super().__init__()
        self._sparing = Sparing()

    def filter(self, record: logging.LogRecord) -> bool:
        """Mask the record and return True; False leaves it out."""
        if record.name.startswith(POOL):
            # It logs a trace for every broken connection, and the request with that connection logs it again.
            if (left_out := self._sparing.next(record.msg)) is None:
                return False
            record.msg, record.args = record.getMessage().partition("\n")[0] + and_more(left_out), ()
            record.exc_info = record.exc_text = record.stack_info = None
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):
            # Message and arguments do not match: the handler reports that.
            return True
        record.msg, record.args = masked(message), ()
        if record.exc_info:
            record.exc_text = masked(record.exc_text or logging.Formatter().formatException(record.exc_info))
        if record.stack_info:
            record.stack_info = masked(record.stack_info)
        return True


MASK_KEYS = MaskKeys()


def mask_all_logs() -> None:
    """Mask keys in the loggers of the app and the server, and in all handlers that they have now."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    handlers = [handler for logger in loggers for handler in logger.handlers]
    for target in (*loggers, *handlers, *filter(None, [logging.lastResort])):
        # A second addition of a filter does nothing.
        target.addFilter(MASK_KEYS)
