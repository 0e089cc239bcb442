"""What the log says: no key of a table however it is spelt, and one fault once a minute, not once a request."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Hashable
from urllib.parse import unquote

from . import limits

# What reaches a log by a request, whoever's handler it is: filters of a logger do not hold for those below it.
SPEAKERS = ("", "scorekeeper", "gunicorn.error", "gunicorn.access", "werkzeug", "sqlalchemy", "alembic", "asyncio")
POOL = "sqlalchemy.pool"

_WORD = re.compile(r"[^\s\"'<>]+")
_AFTER_LETTER = re.compile(r"/([two])/+[^/?#&,;)\]}]+")
# A key is 22 letters of the safe alphabet; names in programs of that length have not both cases.
_KEY = re.compile(r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{22}(?![\w-])", re.ASCII)
# What the database quotes of a row: names, entries, keys.
_QUOTED = re.compile(r"(\[parameters: |DETAIL: ).*", re.DOTALL)


def masked(text: str) -> str:
    """Return the text without keys, percent-encoded ones included, and without what a database quotes of its rows."""
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
    """Says which of the same faults are worth a line: the first, then one a minute, with how many were left out."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._said: dict[Hashable, tuple[float, int]] = {}
        self._lock = threading.Lock()

    def next(self, cause: Hashable) -> int | None:
        """Return how many were left out since the last line about this cause, or None where there is to be none."""
        with self._lock:
            said, left_out = self._said.get(cause, (None, 0))
            now = self._clock()
            if said is not None and now - said < limits.QUIET_SECONDS:
                self._said[cause] = (said, left_out + 1)
                return None
            if len(self._said) >= limits.KNOWN_FAULTS:
                self._said.clear()
            self._said[cause] = (now, 0)
            return left_out


def and_more(left_out: int) -> str:
    """Say how many lines were left out."""
    return f" ({left_out} more since the last line about it)" if left_out else ""


class MaskKeys(logging.Filter):
    """Takes the keys out of a record, its trace included; what the pool of connections has to say is said sparingly."""

    def __init__(self) -> None:
        super().__init__()
        self._sparing = Sparing()

    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record pass, masked."""
        if record.name.startswith(POOL):
            # It logs a trace for every connection that it finds broken; the request that needed it tells of it too.
            if (left_out := self._sparing.next(record.msg)) is None:
                return False
            record.msg, record.args = record.getMessage().partition("\n")[0] + and_more(left_out), ()
            record.exc_info = record.exc_text = record.stack_info = None
        try:
            said = record.getMessage()
        except (TypeError, ValueError, KeyError):
            # What does not fit together is the handler's to complain of.
            return True
        record.msg, record.args = masked(said), ()
        if record.exc_info:
            record.exc_text = masked(record.exc_text or logging.Formatter().formatException(record.exc_info))
        if record.stack_info:
            record.stack_info = masked(record.stack_info)
        return True


DISCREET = MaskKeys()


def keep_discreet() -> None:
    """Mask all that is logged by the handlers that there are now, and by ours and the server's loggers."""
    loggers = [logging.getLogger(name) for name in SPEAKERS]
    handlers = [handler for logger in loggers for handler in logger.handlers]
    for one in (*loggers, *handlers, *filter(None, [logging.lastResort])):
        # Told twice it is still there once.
        one.addFilter(DISCREET)
