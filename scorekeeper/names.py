"""Names as people write them: what nobody can see, and what turns the words around it, is left out.

A name stands in the middle of scores, on sheets that people send each other. A character that shows nothing makes two
names of one; one that sets the direction turns the numbers behind it around; a control character makes a picture that
cannot be drawn and a text that PostgreSQL does not keep.
"""

from __future__ import annotations

import unicodedata

ZWNJ, ZWJ = "\u200c", "\u200d"
NAMELESS = "?"
"""Drawn for a name kept long ago in which nothing can be seen."""

_DROPPED = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
# Letters and marks that show nothing, by their own definition: fillers of Hangul, the empty pattern of Braille, vowels
# of Khmer that are not written, what joins graphemes, Mongolian variants, and what stands for something that is not
# text.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc")
_VARIANTS = (("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef"))
# Arabic to Malayalam and Sinhala, Tibetan to Myanmar, Khmer and Mongolian, Balinese to Lepcha, Javanese and its
# neighbours, and the same families beyond: there a joiner says which form a letter takes.
_JOINING = (
    ("\u0600", "\u0dff"),
    ("\u0f00", "\u109f"),
    ("\u1780", "\u18af"),
    ("\u1900", "\u1c4f"),
    ("\ua840", "\uaaff"),
    ("\U00010a00", "\U00011fff"),
)
_VIRAMA = 9
"""The class of the sign that takes a letter its vowel: a joiner behind it may end a word."""


def clean(text: str) -> str:
    """Return a name with single blanks, in composed letters, without what nobody can see."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept: list[str] = []
    letters = unicodedata.normalize("NFC", " ".join(text.split()))
    for place, letter in enumerate(letters):
        if letter in (ZWJ, ZWNJ):
            is_kept = _joins(kept[-1] if kept else "", letter, letters[place + 1 : place + 2])
        elif _is_in(letter, _VARIANTS):
            # They choose a picture or an old form of the sign before them; behind a letter of ours they show nothing.
            is_kept = bool(kept) and unicodedata.category(kept[-1]) in ("So", "Sm", "Po", "Nd", "Lo")
        else:
            is_kept = letter not in _BLANK and unicodedata.category(letter) not in _DROPPED
        if is_kept:
            kept.append(letter)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def is_visible(text: str) -> bool:
    """Say whether anything of a cleaned text can be seen."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)


def drawn(text: str) -> str:
    """Return a name as it is shown, also one that was kept before names were cleaned."""
    name = clean(text)
    return name if is_visible(name) else NAMELESS


def same(text: str) -> str:
    """Return what two names have in common that nobody could tell apart by reading them."""
    name = unicodedata.normalize("NFC", clean(text).casefold())
    return "".join(letter for letter in name if letter not in (ZWJ, ZWNJ) and not _is_in(letter, _VARIANTS))


def _joins(before: str, joiner: str, after: str) -> bool:
    """Say whether a joiner between these two changes how they are written."""
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    if not before or not after:
        return False
    if _is_letter(before) and _is_letter(after):
        return True
    # Several pictures in one: a family, a profession.
    is_picture = unicodedata.category(before) in ("So", "Sk") or _is_in(before, _VARIANTS)
    return joiner == ZWJ and is_picture and unicodedata.category(after) == "So"


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LM" and _is_in(letter, _JOINING)


def _is_in(letter: str, ranges: tuple[tuple[str, str], ...]) -> bool:
    return any(first <= letter <= last for first, last in ranges)
