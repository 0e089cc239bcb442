"""The bytes of a request that is on its way: when they are enough to answer it without waiting."""

from __future__ import annotations

import re

from ..limits import BODY_AHEAD, HEAD_BYTES

END_OF_HEAD = re.compile(rb"\n\r?\n")
"""An empty line. One that ends without its return is wrong, and the server's parser refuses the request."""
LENGTH = re.compile(rb"\ncontent-length:[ \t]*0*([0-9]{1,9})[ \t]*\r", re.IGNORECASE)
NAMES_LENGTH = re.compile(rb"\ncontent-length", re.IGNORECASE)
"""A header with a length, also one that is written as none is: the parser may read a body where it reads a number."""
LATER = re.compile(rb"\n(?:transfer-encoding|expect):", re.IGNORECASE)
"""Headers of a body whose length nobody knows yet, or that is sent only after an answer."""
FIRST = 2
"""Bytes at the start that end nothing: an empty line may come before a request."""


class Arriving:
    """The bytes of one request that have come. It is not parsed here: the server's parser reads it again."""

    def __init__(self) -> None:
        self.came = bytearray()
        self.has_head = False
        """True once the headers are here."""
        self.is_enough = False
        """True once the request is here, or as much of it as is collected."""
        self.is_whole = True
        """False if more of the body may come after that."""
        self._enough = 0

    @property
    def is_too_long(self) -> bool:
        """True if headers are longer than any phone's."""
        return not self.has_head and len(self.came) > HEAD_BYTES

    def add(self, piece: bytes) -> None:
        """Add what has come."""
        searched = max(FIRST, len(self.came) - FIRST)
        self.came += piece
        if not self.has_head and (end := END_OF_HEAD.search(self.came, searched)):
            self.has_head = True
            self._look_at_head(end.end())
        self.is_enough = self.has_head and len(self.came) >= self._enough

    def _look_at_head(self, end: int) -> None:
        head = bytes(self.came[:end])
        length = LENGTH.search(head)
        body = int(length[1]) if length else 0
        # A thread waits only for the bodies of which it is known: any other length counts as a long one.
        is_known = len(NAMES_LENGTH.findall(head)) == bool(length)
        self.is_whole = is_known and body <= BODY_AHEAD and not LATER.search(head)
        self._enough = end + body if self.is_whole else end
