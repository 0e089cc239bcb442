"""The closing grid's own buttons: each answers a question or adds a declaration, and fields hold what it said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from werkzeug.datastructures import MultiDict

from ...limits import GROUP_CARDS
from ...rules.contract import Declaration
from ..base.request_bounds import whole_number
from ..match.closing_needs import PACK, Needs
from .closing_grid import field_name, written_declaration


def has_answer(posted: Mapping[str, str] | None) -> bool:
    """Return whether one of the form's own buttons filled in fields: an answer to its question, or a declaration."""
    if posted is None:
        return False
    return posted.get("step") == "add" or any(posted.get(name) for name in ("give", "tell", "ticked_for"))


def with_taps(labels: Sequence[str], needs: Needs, posted: MultiDict[str, str]) -> MultiDict[str, str]:
    """Return what was posted with the form's own buttons carried out, so that they work without script."""
    data = MultiDict(posted)
    label, _blank, card = data.get("give", "").partition(" ")
    if label in labels and card:
        _say(data, labels, needs, label, card)
    _take_ticks(data, labels, needs)
    label, kind, number = (*data.get("tell", "").split(" "), "", "", "")[:3]
    if label in labels and number:
        data[field_name("count", kind, label)] = number
    label, _blank, kind = data.get("answer_for", "").partition(" ")
    if label in labels and data.get("answer", "").strip():
        data[field_name("count", kind, label)] = data["answer"]
    if data.get("step") == "add" and data.get("new_side", "") in labels:
        _add_declaration(data)
    return data


def _say(data: MultiDict[str, str], labels: Sequence[str], needs: Needs, label: str, card: str) -> None:
    """Add the answer to whose a card is, in place of any before. Where nothing can be said of a card, it is shown."""
    if not needs.told:
        data.add(field_name("pile", label), card)
        return
    for side in labels:
        said = [known for known in data.getlist(field_name("told", side)) if known != card]
        data.setlist(field_name("told", side), [*said, card] if side == label else said)


def _take_ticks(data: MultiDict[str, str], labels: Sequence[str], needs: Needs) -> None:
    """Add the answer to which cards of a group a side has: those that are not ticked are the other side's."""
    label, *cards = data.get("ticked_for", "").split(" ")
    if label not in labels or len(labels) != 2 or len(cards) > GROUP_CARDS or not set(cards) <= set(PACK):
        return
    other = next(known for known in labels if known != label)
    ticked = data.poplist("ticked")
    for card in cards:
        _say(data, labels, needs, label if card in ticked else other, card)


def _add_declaration(data: MultiDict[str, str]) -> None:
    """Move the declaration that is being put together to those of the form; one without cards and items stays."""
    cards, items = data.getlist("new_card"), data.getlist("new_item")
    if not (cards or items):
        return
    declaration: Declaration = {"side": data["new_side"]}
    if batch := whole_number(data.get("new_batch", "")):
        declaration["batch"] = batch
    if cards:
        declaration["cards"] = cards
    if items:
        declaration["items"] = items
    data.add("declaration", written_declaration(declaration))
    for name in ("new_side", "new_card", "new_item", "new_batch"):
        data.poplist(name)
