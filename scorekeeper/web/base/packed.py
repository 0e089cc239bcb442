"""A drawn page is compressed once, though some of its values are those of one request.

A stream of Brotli is made of blocks. The value of a place goes between two of them as a block that is not compressed.
Where the same value comes again further on, the stream refers back to that block, so it is there once only:

    compressed: the page up to the token | token | compressed: the rest; where it names the token, it refers back

A stream that is made with values of some lengths is right for all values of these lengths, as long as nothing else of
the page refers to a part of one. So it is made with bytes that are in no text. It is tried before it is used, with
values that are other ones in every byte: a page that cannot be put together like this is compressed whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from secrets import token_bytes
from typing import NamedTuple

import brotli
from flask import Flask, Response, request
from flask_compress import Compress
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

LEVEL, WINDOW = 5, 16
"""Of Brotli: it makes pages a twelfth smaller than Zstandard, in less than a millisecond. A window of 64 KB holds a
page: the result is as small as with the largest, and a little sooner."""
SMALLEST = 500
"""Bytes below which an answer is sent as it is."""
TRIES = 3
"""How often a stream is made with other values, because parts of two of them may be the same by chance."""
_BEHIND = 2
"""Bytes behind a value that go into its block: what the codes of a block mean depends on the two bytes before it."""


class Piece(NamedTuple):
    """Some blocks of a stream, and the value behind them: the number of its place, and the bytes behind it."""

    blocks: bytes
    place: int | None = None
    behind: bytes = b""


class Packed:
    """A text with places for values, as streams of Brotli, one for the values of each length."""

    def __init__(self, text: str, places: Sequence[str]) -> None:
        self._text = text.encode()
        self._places = [place for place in places if place in text]
        self._streams: dict[tuple[int, ...], tuple[Piece, ...] | None] = {}

    def with_values(self, values: Mapping[str, str]) -> bytes:
        """Return the compressed text with these values at its places; every place has a value."""
        put = [values[place].encode() for place in self._places]
        lengths = tuple(map(len, put))
        if lengths not in self._streams:
            # Addresses of many lengths are asked for by nobody who reads.
            if len(self._streams) > 8:
                self._streams.clear()
            self._streams[lengths] = self._stream(lengths)
        pieces = self._streams[lengths]
        if pieces is None:
            return compressed(self._with(put))
        return _joined(pieces, put)

    def _stream(self, lengths: tuple[int, ...]) -> tuple[Piece, ...] | None:
        """Return the pieces of the stream for values of these lengths; None where there is no such stream."""
        for _turn in range(TRIES if all(lengths) else 0):
            values = [bytes(128 | byte for byte in token_bytes(length)) for length in lengths]
            pieces = self._pieces(values)
            if pieces is None:
                return None
            others = [bytes(byte ^ 85 for byte in value) for value in values]
            if self._is_right(pieces, values) and self._is_right(pieces, others):
                return pieces
        return None

    def _is_right(self, pieces: Sequence[Piece], values: Sequence[bytes]) -> bool:
        try:
            return bool(brotli.decompress(_joined(pieces, values)) == self._with(values))
        except brotli.error:
            return False

    def _with(self, values: Sequence[bytes]) -> bytes:
        text = self._text
        for place, value in zip(self._places, values, strict=True):
            text = text.replace(place.encode(), value)
        return text

    def _pieces(self, values: Sequence[bytes]) -> tuple[Piece, ...] | None:
        """Return the stream cut at the first place of each value; None where one is right behind another."""
        if not self._places:
            return (Piece(compressed(self._text)),)
        names = [place.encode() for place in self._places]
        waiting, *parts = re.split(b"(" + b"|".join(map(re.escape, names)) + b")", self._text)
        compressor = brotli.Compressor(quality=LEVEL, lgwin=WINDOW)
        pieces: list[Piece] = []
        for name, rest in zip(parts[::2], parts[1::2], strict=True):
            place = names.index(name)
            if any(piece.place == place for piece in pieces):
                waiting += values[place] + rest
                continue
            behind = rest[:_BEHIND]
            if len(behind) < _BEHIND or not waiting:
                return None
            pieces.append(Piece(compressor.process(waiting) + compressor.flush(), place, behind))
            # What it makes of the value itself is left out: a block that is not compressed takes its place.
            compressor.process(values[place] + behind)
            compressor.flush()
            waiting = rest[_BEHIND:]
        return (*pieces, Piece(compressor.process(waiting) + compressor.finish()))


def _joined(pieces: Sequence[Piece], values: Sequence[bytes]) -> bytes:
    stream = []
    for blocks, place, behind in pieces:
        stream.append(blocks)
        if place is not None:
            plain = values[place] + behind
            # RFC 7932, 9.2: not the last block, a length of four digits of four bits, and no compression.
            stream += [((len(plain) - 1) << 3 | 1 << 19).to_bytes(3, "little"), plain]
    return b"".join(stream)


def compressed(text: bytes) -> bytes:
    """Return a text as a stream of Brotli."""
    packed: bytes = brotli.compress(text, quality=LEVEL, lgwin=WINDOW)
    return packed


@lru_cache(maxsize=64)
def _takes_brotli(accepted: str) -> bool:
    """Return whether a phone that accepts these encodings is sent Brotli."""
    encodings = parse_accept_header(accepted, Accept)
    return bool(encodings["br"]) and encodings["br"] >= encodings["gzip"]


def takes_brotli() -> bool:
    """Return whether this request is answered in Brotli."""
    return _takes_brotli(request.headers.get("Accept-Encoding", ""))


def send_packed(response: Response, body: bytes) -> None:
    """Answer with a body that is a stream of Brotli."""
    response.set_data(body)
    response.headers["Content-Encoding"] = "br"
    response.vary.add("Accept-Encoding")


class PackAnswers(Compress):
    """Compresses the answers that are not compressed yet."""

    def after_request(self, response: Response | None) -> Response:
        """Compress the answer, unless it is: what is stored has been compressed before."""
        if response is not None and "Content-Encoding" in response.headers and response.headers.get("Vary"):
            if "accept-encoding" not in response.headers["Vary"].lower():
                response.vary.add("Accept-Encoding")
            return response
        packed: Response = super().after_request(response)
        return packed


def init_packing(app: Flask) -> None:
    """Compress the app's answers."""
    app.config.setdefault("COMPRESS_STREAMS", False)
    app.config.setdefault("COMPRESS_ALGORITHM", ["br", "gzip"])
    app.config.setdefault("COMPRESS_BR_LEVEL", LEVEL)
    app.config.setdefault("COMPRESS_BR_WINDOW", WINDOW)
    app.config.setdefault("COMPRESS_MIN_SIZE", SMALLEST)
    PackAnswers(app)
