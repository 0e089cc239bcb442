"""The words of the source: docs/glossary.md lists those that no name and no docstring uses."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

import scorekeeper
from scorekeeper.rules import contract

PACKAGE = Path(scorekeeper.__file__).parent
GLOSSARY = (PACKAGE.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
MIGRATIONS = "migrations"
"""A migration stays as it was when it first ran."""

LIST = GLOSSARY[GLOSSARY.index("### In names and docstrings") :].partition("\n\nA word that is missing")[0]
BANNED, BANNED_IN_NAMES = (
    {word.strip() for cell in re.findall(rf"^\| {start}([\w, ]+) \|", LIST, re.MULTILINE) for word in cell.split(",")}
    - {"not"}
    for start in ("", r"as a name: ")
)
CONTRACT_WORDS = {
    key
    for each in vars(contract).values()
    if isinstance(each, type) and hasattr(each, "__required_keys__")
    for key in get_type_hints(each)
}
"""The keys of all JSON that travels; a name may hold one, and a docstring may speak of a ``told`` card."""

FIRST_WORDS = re.compile(r"(Say|What|Whoever|Whichever|Where|Whether|That|Which|Of which)\b")
QUESTION = re.compile(r"[^.]*\?")
"""A question may begin with "Which"; a property that answers yes or no may begin with "Whether"."""


def words_of(name: str) -> set[str]:
    """Return the words of a name in lower case: ``keptAhead``, ``KEPT_AHEAD`` and ``KeptAhead`` have two each."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def faults_of_name(name: str) -> set[str]:
    """Return the words of a name that the list bans."""
    return (words_of(name) & (BANNED | BANNED_IN_NAMES)) - CONTRACT_WORDS


def faults_of_text(text: str) -> set[str]:
    """Return the banned words and the beginning of a docstring; code and told cards are left out."""
    plain = re.sub(r"``.*?``|:\w+:`.*?`|\btold cards?\b|\bcards? told\b", "", text, flags=re.DOTALL)
    begins = FIRST_WORDS.match(text)
    return ({begins[0]} if begins and not QUESTION.match(text) else set()) | (
        set(re.findall(r"[a-z]+", plain.lower())) & BANNED
    )
