"""Events that concern security, one line each in the log: no key, no name, no address."""

from __future__ import annotations

import logging

log = logging.getLogger(__name__)


def note(kind: str, **numbers: int | str) -> None:
    """Log an event of a kind, with numbers or words of the app's own that say more of it."""
    log.warning("event %s", " ".join([kind, *(f"{name}={value}" for name, value in numbers.items())]))
