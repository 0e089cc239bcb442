"""The file with the secrets of the app: the one that signs and seals, and earlier ones, which still open what they did.

The first line is the secret. Each other line is the day from which an earlier secret may go, and that secret, the last
one first.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from . import limits

NEEDED = timedelta(days=limits.COOKIE_DAYS + 1)
"""How long an earlier secret is needed: a phone may bring a cookie that it signed for as long as the cookie lives.

Forms that are open (40 days) are over by then, and ``rotate-secret`` seals links anew. The day more is for clocks.
"""
_EARLIER = re.compile(r"(\d{4}-\d\d-\d\d) (.+)")


class Earlier(NamedTuple):
    """A secret that the app had before, and the day from which nobody needs it."""

    secret: str
    until: date


@dataclass(frozen=True)
class Secrets:
    """All secrets of the file."""

    secret: str
    earlier: tuple[Earlier, ...] = ()

    @property
    def fallbacks(self) -> list[str]:
        """The earlier secrets, as ``SECRET_KEY_FALLBACKS`` lists them."""
        return [each.secret for each in self.earlier]

    def followed_by(self, secret: str, today: date) -> Secrets:
        """Return the secrets once another one is the first."""
        return Secrets(secret, (Earlier(self.secret, today + NEEDED), *self.earlier))

    def with_those_of(self, others: Secrets, today: date) -> Secrets:
        """Return the secrets with all of some others among the earlier ones."""
        until = {each.secret: each.until for each in self.earlier}
        for secret, day in (Earlier(others.secret, today + NEEDED), *others.earlier):
            if secret != self.secret:
                until[secret] = max(day, until.get(secret, day))
        return replace(self, earlier=tuple(Earlier(*each) for each in until.items()))

    def without_those_over(self, today: date) -> Secrets:
        """Return the secrets without those that nobody needs any more."""
        return replace(self, earlier=tuple(each for each in self.earlier if each.until > today))

    def written(self) -> str:
        """Return the text of the file."""
        return "\n".join([self.secret, *(f"{each.until} {_on_a_line(each.secret)}" for each in self.earlier)])


def read(text: str) -> Secrets:
    """Return what the text of the file holds. A text of another shape is a secret, whatever is in it."""
    whole = text.strip()
    secret, *lines = whole.split("\n")
    try:
        return Secrets(secret, tuple(map(_earlier, lines)))
    except ValueError:
        return Secrets(whole)


def _earlier(line: str) -> Earlier:
    match = _EARLIER.fullmatch(line.rstrip())
    if match is None:
        raise ValueError(line)
    return Earlier(match[2].replace("%0A", "\n").replace("%25", "%"), date.fromisoformat(match[1]))


def _on_a_line(secret: str) -> str:
    # A file that was made by hand may hold a secret of several lines.
    return secret.replace("%", "%25").replace("\n", "%0A")


def today() -> date:
    """Return the present day in UTC."""
    return datetime.now(UTC).date()


def put(path: Path, text: str) -> None:
    """Give the file this text, whole at every moment; it stays its owner's. Raises ``OSError``."""
    descriptor, whole = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(descriptor, "w") as file:
            _leave_to_owner(path, descriptor)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(whole, path)
    except BaseException:
        os.unlink(whole)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _leave_to_owner(path: Path, descriptor: int) -> None:
    """Give a new file to the owner of the one in whose place it comes: the app must read it where root has rotated."""
    if not path.exists():
        return
    before, now = path.stat(), os.fstat(descriptor)
    if (before.st_uid, before.st_gid) != (now.st_uid, now.st_gid):
        os.fchown(descriptor, before.st_uid, before.st_gid)


@contextmanager
def changing(path: Path) -> Iterator[Secrets]:
    """Yield what the file holds, while nobody else changes it. Raises ``OSError``."""
    while True:
        with path.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            # The one before may have put another file in its place.
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                yield read(file.read())
                return


class Followed:
    """The file as a running app has read it; it is read again once it is another one."""

    def __init__(self, path: Path, others: Sequence[str] = ()) -> None:
        """Follow the file ``path``; ``others`` are earlier secrets that are not in it."""
        self._path, self._others = path, others
        self.lock = threading.Lock()
        """For who asks for news and passes it on: another thread must not find none before it is there."""
        self._mark: tuple[int, int, int] | None = None

    def read(self) -> tuple[str, list[str]]:
        """Return the secret and the earlier ones, which open what they have signed. Raises ``OSError``."""
        # What comes into its place after this look is read the next time.
        mark = self._look()
        secrets = read(self._path.read_text())
        self._mark = mark
        return secrets.secret, [*self._others, *secrets.fallbacks]

    def news(self) -> tuple[str, list[str]] | None:
        """Return what ``read`` does if the file has changed since it was read, else None.

        None also where it is gone, cannot be read or is too short: the app goes on with what it has.
        """
        mark = self._look()
        if mark is None or mark == self._mark:
            return None
        try:
            secret, earlier = self.read()
        except (OSError, UnicodeError):
            return None
        return (secret, earlier) if len(secret) >= limits.SECRET_LETTERS else None

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
