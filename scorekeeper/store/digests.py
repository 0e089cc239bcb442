"""Digests that the database has in the place of keys and of phones' own marks, which cannot be worked out from them."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode

MARK_LENGTH = 22
"""Letters of a phone's mark: 132 bits."""


def hash_of(kind: str, key: str) -> str:
    """Return the hash by which a link is found: 43 letters that follow from its kind and its key."""
    return _in_letters(hashlib.sha256(_bytes(f"{kind}:{key}")).digest())


def mark_at(phone: str, table_id: int) -> str:
    """Return the mark of a phone at one table, which follows from the phone's own mark and the table's id.

    Marks at two tables do not show that they are of one phone. Of a longer own mark the first letters count: earlier
    versions stored no more of it.
    """
    own = _bytes(phone[:MARK_LENGTH])
    return _in_letters(hmac.digest(own, str(table_id).encode(), "sha256"))[:MARK_LENGTH]


def _bytes(text: str) -> bytes:
    # What is sent as JSON may hold halves of characters.
    return text.encode("utf-8", "surrogatepass")


def _in_letters(digest: bytes) -> str:
    return urlsafe_b64encode(digest).decode().rstrip("=")
