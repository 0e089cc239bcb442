"""Seal texts under the app's secret: the database holds them, and without the secret nobody can read them.

The first secret of the app seals, and each of its ``SECRET_KEY_FALLBACKS`` still opens what it has sealed.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from flask import current_app

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

LABEL = b"scorekeeper: keys of links"
"""The use of the derived key: cookies are signed with another one of the same secret."""


def seal(text: str) -> str:
    """Return a text sealed under the app's secret, each time in other letters."""
    return _sealer(_secrets()).encrypt(text.encode()).decode()


def unseal(sealed: str) -> str | None:
    """Return the text that was sealed; None if no secret of the app opens it."""
    from cryptography.fernet import InvalidToken

    try:
        return _sealer(_secrets()).decrypt(sealed.encode()).decode()
    except InvalidToken:
        return None


def sealed_anew(sealed: str) -> str | None:
    """Return a seal under the app's secret in the place of one under an earlier secret; the same if it is one already.

    None if no secret of the app opens it.
    """
    from cryptography.fernet import InvalidToken

    with suppress(InvalidToken):
        _sealer(_secrets()[:1]).decrypt(sealed.encode())
        return sealed
    text = unseal(sealed)
    return None if text is None else seal(text)


def _secrets() -> tuple[str, ...]:
    return (current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"])


@lru_cache(maxsize=4)
def _sealer(secrets: Sequence[str]) -> MultiFernet:
    # Imported late: it takes a fiftieth of a second, and no page of a match that is played seals anything.
    from cryptography.fernet import Fernet, MultiFernet

    return MultiFernet([Fernet(_key_of(secret)) for secret in secrets])


def _key_of(secret: str) -> bytes:
    # A secret has many random letters, so one step derives a key from it.
    return urlsafe_b64encode(hmac.digest(secret.encode(), LABEL, "sha256"))
