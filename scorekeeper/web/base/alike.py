"""Phones to which a board looks the same: fifty follow a table, and one view answers all of them after an entry.

A page that is stored is named by all that it depends on (``page_cache``). Of the phone that is who holds it at the
table, whether it has the owner link, and its choices, each in a cookie of its own. What only this phone has not seen
yet is a notice, and a board with one is stored for nobody (``by_facts.only_now``). So the answer to one phone is that
to another which is like it, and has seen as much as after which there is no notice for anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import blake2b

from flask import g, request

from ...store.digests import hash_of
from ...store.direct import Facts
from .access import PLAY
from .cookies import is_of_phone
from .htmx import is_refresh
from .remembered import holders_at, my_keys
from .seen import COOKIE, Seen

SENT = ("HX-Request", "HX-History-Restore-Request", "Accept-Language")
"""The headers on which a page may depend, besides the cookies."""


def address() -> tuple[Hashable, ...]:
    """Return what is asked for, but for the version that the phone shows."""
    asked = sorted(item for item in request.args.items(multi=True) if item[0] != "v")
    return (request.path, *asked, is_refresh())


def digest(cookies: str) -> bytes:
    """Return a digest of what is sent on which a page may depend: secret, and long."""
    sent = [*(request.headers.get(name, "") for name in SENT), cookies]
    return blake2b("\n".join(sent).encode(), digest_size=24).digest()


def for_the_like(quiet_from: Callable[[], int | None]) -> None:
    """Note that this answer is the same for all phones alike that have seen the match up to an entry.

    ``quiet_from`` returns its number; None if a phone may have a notice that another has not.
    """
    g.quiet_from = quiet_from


def quiet_from() -> int | None:
    """Return up to which entry a phone must have seen the match to be given this answer; None if no other is."""
    found: int | None = g.quiet_from() if "quiet_from" in g else None
    return found


def like(facts: Facts) -> tuple[Hashable, ...] | None:
    """Return what phones to which this page looks the same have in common; None if that is not known."""
    if facts.owner is None:
        return None
    others = (f"{name}={held}" for name, held in sorted(request.cookies.items()) if not is_of_phone(name, COOKIE))
    is_owner = any(hash_of("owner", key) == facts.owner for key in my_keys("owner"))
    return (*address(), digest("\n".join(others)), is_owner, *holders_at(facts.table))


def has_seen(facts: Facts, quiet: int | None) -> bool:
    """Return whether this phone has seen the match of these facts up to that entry, or only watches."""
    if quiet is None or g.link != PLAY:
        return quiet is not None
    seen = Seen.read(request.cookies.get(COOKIE, ""))
    return seen is not None and seen.entries.get(facts.match, -1) >= quiet
