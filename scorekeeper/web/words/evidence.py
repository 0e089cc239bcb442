"""The evidence of a closing, in words: cards that were shown, numbers that were counted, what was only said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from ...rules.contract import Evidence

FACTS: dict[Evidence, tuple[str, ...]] = {
    "shown": ("piles", "rest", "leftover", "best", "left"),
    "counted": ("counts", "card_points", "left_points"),
    "said": ("told", "awards", "points"),
}
"""The facts of a deal that settle lines, by the evidence that they are; the strongest first."""


def evidence_given(facts: Mapping[str, Any]) -> list[Evidence]:
    """Return the kinds of evidence that a deal was closed with, the strongest first."""
    return [evidence for evidence, names in FACTS.items() if any(map(facts.get, names))]


def evidence_words(facts: Mapping[str, Any]) -> str:
    """Return what a deal was closed with, such as ``shown, said``; "" if nothing but notes."""
    words: dict[Evidence, str] = {"shown": _("shown"), "counted": _("counted"), "said": _("said")}
    return ", ".join(words[evidence] for evidence in evidence_given(facts))


def evidence_word(evidence: Evidence | None) -> str:
    """Return how one thing is known, as a quiet word; "" if that is not stated."""
    words: dict[Evidence | None, str] = {"shown": _("seen"), "counted": _("counted"), "said": _("said")}
    return words.get(evidence, "")
