"""What a closing rests on, in words: cards that were shown, numbers that were counted, what was only said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from ...rules.contract import Evidence

GIVEN_AS: dict[str, Evidence] = {
    "piles": "shown",
    "rest": "shown",
    "leftover": "shown",
    "best": "shown",
    "left": "shown",
    "counts": "counted",
    "card_points": "counted",
    "left_points": "counted",
    "told": "said",
    "awards": "said",
    "points": "said",
}
"""The facts of a deal that settle lines, each with what its giving makes of it; the strongest first."""


def evidence_given(facts: Mapping[str, Any]) -> list[Evidence]:
    """Return the kinds of evidence that a deal was closed with, the strongest first."""
    return list(dict.fromkeys(evidence for name, evidence in GIVEN_AS.items() if facts.get(name)))


def evidence_words(facts: Mapping[str, Any]) -> str:
    """Return what a deal was closed with, such as ``shown, said``; "" where nothing was given but notes."""
    words: dict[Evidence, str] = {"shown": _("shown"), "counted": _("counted"), "said": _("said")}
    return ", ".join(words[evidence] for evidence in evidence_given(facts))


def evidence_word(evidence: Evidence | None) -> str:
    """Return how one thing is known, as a quiet word; "" where nothing says it."""
    words: dict[Evidence | None, str] = {"shown": _("seen"), "counted": _("counted"), "said": _("said")}
    return words.get(evidence, "")
