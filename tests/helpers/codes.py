"""QR codes: the squares that a picture draws, read back from it, beside those of the text that it should say.

A QR code of a text, of one size and one level of correction, is one pattern of squares. So a picture says a text
exactly if it draws that pattern, and no reader of codes is needed.
"""

from __future__ import annotations

import re
import zlib

import segno

SCALE, BORDER = 8, 3
"""How many pixels a square has, and how many squares the white around a code has."""
Squares = list[list[bool]]
"""The rows of a code, True for a dark square, without the white around it."""


def squares_of(text: str) -> Squares:
    """Return the squares that say a text."""
    return [[bool(square) for square in row] for row in segno.make(text, error="m").matrix]


def drawn_in_svg(picture: str) -> Squares:
    """Return the squares of a code drawn as one path of strokes, each a row or a part of one."""
    size = re.search(r'<path fill="#fff" d="M0 0h(\d+)v\1h-\1z"/>', picture)
    strokes = re.search(r'<path class="qrline" stroke="#000" d="([^"]+)"/>', picture)
    assert size is not None, picture[:200]
    assert strokes is not None, picture[:400]
    rows = [[False] * int(size[1]) for _row in range(int(size[1]))]
    x = y = 0.0
    for command, numbers in re.findall(r"([Mmh])([^Mmh]+)", strokes[1]):
        values = [float(number) for number in numbers.split()]
        if command == "h":
            rows[int(y)][int(x) : int(x + values[0])] = [True] * int(values[0])
            x += values[0]
        else:
            x, y = (values[0], values[1]) if command == "M" else (x + values[0], y + values[1])
    return _without_border(rows)


def drawn_in_png(picture: bytes) -> Squares:
    """Return the squares of a code drawn in black and white, a bit a pixel."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, depth, colours = int.from_bytes(picture[16:20]), picture[24], picture[25]
    assert (depth, colours, SCALE) == (1, 0, 8), "a byte is a square"
    packed, at = b"", 8
    while at < len(picture):
        length, kind = int.from_bytes(picture[at : at + 4]), picture[at + 4 : at + 8]
        packed += picture[at + 8 : at + 8 + length] if kind == b"IDAT" else b""
        at += length + 12
    pixels, across = zlib.decompress(packed), width // SCALE
    lines = [pixels[start : start + across + 1] for start in range(0, len(pixels), (across + 1) * SCALE)]
    assert {line[0] for line in lines} == {0}, "no line is given as a difference from another"
    return _without_border([[byte == 0 for byte in line[1:]] for line in lines])


def _without_border(rows: Squares) -> Squares:
    inside = [row[BORDER:-BORDER] for row in rows[BORDER:-BORDER]]
    assert sum(map(sum, rows)) == sum(map(sum, inside)), "the white around a code is white"
    return inside
