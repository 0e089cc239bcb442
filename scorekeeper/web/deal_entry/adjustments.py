"""Points that the table adds or takes for a reason of its own, as a closing form carries them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from ...limits import DEAL_ADJUSTMENTS, LARGEST_POINTS, REASON_LENGTH
from ...rules.contract import Adjustment
from ..base.request_bounds import SeveralField
from .fact_fields import NOT_SAID, FactField, carried_object


def adjustment_field() -> FactField:
    """Return the field of a closing form with what was added or taken, each as a text (JSON)."""
    return FactField(
        "adjustment", ("adjustments",), SeveralField(validate_choice=False), _facts_of, written_adjustments, unknown=[]
    )


def read_adjustments(texts: Iterable[str]) -> list[tuple[str, Adjustment]]:
    """Return what a form carries, each with its text; what no form of ours carries is left out."""
    read = ((text, _read(text)) for text in list(texts)[:DEAL_ADJUSTMENTS])
    return [(text, adjustment) for text, adjustment in read if adjustment is not None]


def written_adjustments(adjustments: Collection[Adjustment] | None) -> list[str]:
    """Return the texts that a form carries them as."""
    return [json.dumps(adjustment, sort_keys=True) for adjustment in adjustments or ()]


def _facts_of(texts: list[str]) -> object:
    return [adjustment for _text, adjustment in read_adjustments(texts)] or NOT_SAID


def _read(text: str) -> Adjustment | None:
    carried = carried_object(text)
    if carried is None or set(carried) != {"side", "points", "reason"}:
        return None
    side, points, reason = carried["side"], carried["points"], carried["reason"]
    is_number = isinstance(points, int) and not isinstance(points, bool) and -LARGEST_POINTS <= points <= LARGEST_POINTS
    if not (isinstance(side, str) and is_number and isinstance(reason, str) and len(reason) <= REASON_LENGTH):
        return None
    return {"side": side, "points": points, "reason": reason}
