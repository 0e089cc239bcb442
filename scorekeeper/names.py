"""Clean names of characters that show nothing or change the direction of the text around them.

Names are shown among scores, on sheets that people send each other. With an invisible character two names look the
same; one for the direction reverses the numbers after it. With a control character the picture of a result cannot be
drawn, and PostgreSQL refuses the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

ZWNJ, ZWJ = "\u200c", "\u200d"
CACHED = 2_000
"""Names whose drawn form is cached: each entry of a push reads all names of its table, up to 100."""
NAMELESS = "?"
"""Shown for a text without a visible character."""
FORGOTTEN = "—"
"""Shown in the place of the name of a person who was forgotten."""

_DROPPED = frozenset({"Cc", "Cf", "Cs", "Cn", "Co"})
# Letters and marks without a visible form: Hangul fillers, the empty Braille pattern, unwritten Khmer vowels, the
# grapheme joiner, Mongolian variation selectors, and the placeholder for an embedded object.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc")
_VARIANTS = (("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef"))
# Scripts in which a joiner selects the form of a letter: Arabic to Malayalam and Sinhala, Tibetan to Myanmar, Khmer and
# Mongolian, Balinese to Lepcha, Javanese and its neighbours, and their relatives outside the basic plane.
_JOINING = (
    ("\u0600", "\u0dff"),
    ("\u0f00", "\u109f"),
    ("\u1780", "\u18af"),
    ("\u1900", "\u1c4f"),
    ("\ua840", "\uaaff"),
    ("\U00010a00", "\U00011fff"),
)
_VIRAMA = 9
"""The combining class of a virama, the sign that removes a vowel. A joiner after it may end a word."""


def clean(text: str) -> str:
    """Return a name with single spaces and composed letters (NFC), without characters that show nothing."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    cleaned = _cleaned_once(text)
    # Where a sign goes, those around it come together, and another may show nothing there.
    while (again := _cleaned_once(cleaned)) != cleaned:
        cleaned = again
    return cleaned


def _cleaned_once(text: str) -> str:
    left: list[str] = []
    letters = unicodedata.normalize("NFC", " ".join(text.split()))
    for place, letter in enumerate(letters):
        if letter in (ZWJ, ZWNJ):
            stays = _joins(left[-1] if left else "", letter, letters[place + 1 : place + 2])
        elif _is_in(letter, _VARIANTS):
            # They select a picture or an old form of the sign before them; after a Latin letter they show nothing.
            stays = bool(left) and unicodedata.category(left[-1]) in ("So", "Sm", "Po", "Nd", "Lo")
        else:
            stays = letter not in _BLANK and unicodedata.category(letter) not in _DROPPED
        if stays:
            left.append(letter)
    return " ".join(unicodedata.normalize("NFC", "".join(left)).split())


def is_visible(text: str) -> bool:
    """Return whether a cleaned text has any visible character."""
    return any(unicodedata.category(letter)[0] in "LNPS" for letter in text)


@lru_cache(maxsize=CACHED)
def drawn(text: str) -> str:
    """Return the visible form of a text that may have come with a file as another program wrote it."""
    name = clean(text)
    return name if is_visible(name) else NAMELESS


@lru_cache(maxsize=CACHED)
def same(text: str) -> str:
    """Return a form of the name that is equal for all names that look the same, in any case."""
    name = unicodedata.normalize("NFC", clean(text).casefold())
    return "".join(letter for letter in name if letter not in (ZWJ, ZWNJ) and not _is_in(letter, _VARIANTS))


def _joins(before: str, joiner: str, after: str) -> bool:
    """Return whether a joiner between these two letters changes their form."""
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    if not before or not after:
        return False
    if _is_letter(before) and _is_letter(after):
        return True
    # Emoji that are joined into a single one, such as a family or a profession.
    is_picture = unicodedata.category(before) in ("So", "Sk") or _is_in(before, _VARIANTS)
    return joiner == ZWJ and is_picture and unicodedata.category(after) == "So"


def _is_letter(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LM" and _is_in(letter, _JOINING)


def _is_in(letter: str, ranges: tuple[tuple[str, str], ...]) -> bool:
    return any(first <= letter <= last for first, last in ranges)


def name_of_table(players: Iterable[str], length: int) -> str:
    """Return the name of a table that was given none: its players' names, as many letters as there is room for."""
    return ", ".join(name or FORGOTTEN for name in players)[:length]


def forget_names() -> None:
    """Drop the names that this process has cached: a table is deleted, and they do not say of which they are."""
    for cached in (drawn, same):
        cached.cache_clear()
