"""The question that helps to count, as a page asks it: why it is asked, and what is asked where nobody knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask_babel import gettext as _

from ...rules import contract
from ..match.closing_needs import OF_KIND
from ..match.view import MatchView
from ..words.names import item_names, join_names
from .judged import JudgedClosing

Question = Mapping[str, Any]
"""A question of the engine: for the owner of a card, for those of a group of cards, or for a number of cards."""


def _cards_asked(question: Question) -> set[contract.Card]:
    return {question["card"]} if "card" in question else set(question.get("cards", ()))


def reason_for(match: MatchView, judged: JudgedClosing, question: Question) -> str:
    """Return why a question is asked, in a sentence; "" where the question itself says it.

    A line is settled for certain where every card that can still change it is asked for; else the answer helps with it.
    """
    rows = {row.item: row for row in match.needs.rows}
    asked, kind = _cards_asked(question), question.get("count")
    says_itself = [row.item for row in rows.values() if (kind and row.counts == (kind,)) or {row.card} == asked]
    items = [item for item in question["settles"] if item not in says_itself]
    if not items:
        return ""
    lines = list(map(judged.line, items))
    names = join_names(item_names(match.setup.game, items))
    if all(line and line["points"] is None and asked.issuperset(line["needs"]) for line in lines):
        return _("That settles: %(items)s.", items=names)
    return _("Helps with: %(items)s.", items=names)


def where_nobody_knows(judged: JudgedClosing, question: Question) -> contract.CardQuestion | None:
    """Return the question for the card that weighs most, where nobody knows how many of a few there are."""
    kind = question.get("count")
    if kind is None or kind == "cards":
        return None
    for item in question["settles"]:
        line = judged.line(item)
        needs = line["needs"] if line and line["points"] is None else []
        card = next((card for card in needs if card in OF_KIND[kind]), None)
        if card:
            return {"card": card, "settles": [item]}
    return None
