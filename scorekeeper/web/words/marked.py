"""Sentences that are marked for translation in a table, and translated when they are shown."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

from flask_babel import get_translations
from flask_babel import gettext as _

Sentence: TypeAlias = str | tuple[str, str]
"""A sentence with words to fill in: the same about anyone, or one about one person and one about several."""


class Words(Protocol):
    """The words filled into a sentence by name, and how many people the sentence is about."""

    def __getitem__(self, word: str) -> Any: ...
    @property
    def people(self) -> int: ...


def N_(sentence: str) -> str:
    """Mark a sentence for translation."""
    return sentence


def ungettext(of_one: str, of_several: str) -> tuple[str, str]:
    """Mark a sentence about people for translation: of one person, and of several."""
    return of_one, of_several


def fill(sentence: Sentence, words: Words) -> str:
    """Return a marked sentence in the reader's language, with its words."""
    if isinstance(sentence, str):
        return _(sentence) % words
    return str(get_translations().ungettext(*sentence, words.people) % words)
