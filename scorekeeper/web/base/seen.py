"""The newest that this phone has seen of a table: a small cookie of its own addresses, which holds nothing secret.

It names the newest entry that the phone has looked at or put away, for the matches played last, and when it last heard
of deleted matches: "3.17_2.40_1764050000000".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from flask import Flask, Response, current_app, g, request, url_for

from ...store.models import Match, Table, now

COOKIE = "seen"
LIFETIME = timedelta(days=60)
MATCHES = 4
"""The matches of which a phone knows what it has seen: those that were played last."""
_MOMENT = re.compile(r"[0-9]{1,15}")
_PLACE = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


@dataclass(frozen=True)
class Seen:
    """The newest entry seen of each match, by its number, and the moment up to which deletions were seen."""

    entries: dict[int, int] = field(default_factory=dict)
    deletions: int = 0

    def text(self) -> str:
        """Write it as the cookie holds it."""
        newest = sorted(self.entries.items(), reverse=True)[:MATCHES]
        return "_".join([*(f"{match}.{seq}" for match, seq in newest), str(self.deletions)])

    def up_to(self, match: int, seq: int) -> Seen:
        """Return it with a match seen up to an entry, or further if it was before."""
        return replace(self, entries={**self.entries, match: max(self.entries.get(match, 0), seq)})

    @classmethod
    def read(cls, text: str) -> Seen | None:
        """Read what a cookie holds; None if it is none of ours."""
        *places, last = text.split("_")
        read = [_PLACE.fullmatch(place) for place in places[:MATCHES]]
        if not _MOMENT.fullmatch(last) or not all(read):
            return None
        return cls({int(place[1]): int(place[2]) for place in read if place is not None}, int(last))


def milliseconds(moment: datetime) -> int:
    """Return a moment as the cookie holds it."""
    return int(moment.timestamp() * 1000)


def seen_of(table: Table) -> Seen | None:
    """Return what this phone has seen of a table; None if it joins only now."""
    noted: tuple[str, Seen] | None = g.get("seen")
    return noted[1] if noted is not None else Seen.read(request.cookies.get(COOKIE, ""))


def see(table: Table, match: Match, seq: int) -> None:
    """Note that this phone has seen a match up to an entry, and which matches were deleted; never less than before."""
    seen = (seen_of(table) or Seen()).up_to(match.number, seq)
    g.seen = (table.play_key, replace(seen, deletions=milliseconds(now())))


def begin(table: Table, match: Match) -> None:
    """Let a phone that joins, or that opens an earlier match, begin with the newest entry."""
    seen = seen_of(table)
    if seen is None or (match.number not in seen.entries and any(known > match.number for known in seen.entries)):
        see(table, match, match.head)


def init_seen(app: Flask) -> None:
    """Set the cookie with the answer to a phone that has seen something."""

    @app.before_request
    def look() -> None:
        # The way to the subject of a notice: who follows it has seen it.
        place, key = _PLACE.fullmatch(request.args.get("seen", "")), (request.view_args or {}).get("key")
        if place is not None and key is not None and g.get("link") == "t" and request.method == "GET":
            before = Seen.read(request.cookies.get(COOKIE, "")) or Seen()
            g.seen = (key, before.up_to(int(place[1]), int(place[2])))

    @app.after_request
    def remember_seen(response: Response) -> Response:
        if "seen" in g:
            key, seen = g.seen
            response.set_cookie(
                COOKIE,
                seen.text(),
                max_age=LIFETIME,
                path=url_for("tables.show", key=key, link="t"),
                httponly=True,
                samesite="Lax",
                secure=current_app.config["SESSION_COOKIE_SECURE"],
            )
        return response
