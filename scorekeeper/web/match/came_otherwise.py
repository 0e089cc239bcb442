"""The points of a deal if a phone without signal had shown others, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from flask_babel import gettext as _

from ...limits import SHOWN_ITEMS
from ...rules import contract
from ..words.names import short_item_name
from ..words.values import numeral, signed
from .view import MatchView

Points = Mapping[str, contract.Number]


def came_otherwise(match: MatchView, number: int, sheet: contract.Scored, shown: object) -> str:
    """Return the points of deal ``number``, and by which lines, if they are not what a phone has ``shown``; else "".

    ``shown`` is what the phone sent: ``points`` by item and side, as far as it could add them up, under "" what it has
    by no item, and under ``open`` what it left open.
    """
    points_shown, is_whole = _read(match, shown)
    lines = {line["item"]: line for line in sheet["lines"]}
    sums = {label: sum(points.get(label, 0) for points in points_shown.values()) for label in match.setup.labels}
    others = [item for item, points in points_shown.items() if item in lines and _differs(lines[item], points, match)]
    is_right = sums == {label: sheet["points"].get(label, 0) for label in sums} if is_whole else not others
    if not points_shown or is_right:
        return ""
    deal, came = match.words.title(number), _in_order(match, sheet["points"])
    if is_whole:
        sentence = _("%(deal)s came to %(points)s, not %(shown)s", deal=deal, points=came, shown=_in_order(match, sums))
    else:
        sentence = _("%(deal)s came to %(points)s", deal=deal, points=came)
    reasons = "; ".join(_line_words(match, lines[item]) for item in others)
    return f"{sentence}: {reasons}." if reasons else f"{sentence}."


def _read(match: MatchView, shown: object) -> tuple[dict[str, dict[str, contract.Number]], bool]:
    """Return the points that were shown, and whether they are all; nothing if they are no such thing."""
    points = shown.get("points") if isinstance(shown, dict) else None
    if not isinstance(shown, dict) or not isinstance(points, dict) or len(points) > SHOWN_ITEMS:
        return {}, False
    known = {
        item: {label: each[label] for label in match.setup.labels if _is_points(each.get(label))}
        for item, each in points.items()
        if isinstance(item, str) and isinstance(each, dict)
    }
    return known, not shown.get("open")


def _is_points(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6


def _differs(line: contract.Line, shown: Points, match: MatchView) -> bool:
    points = line["points"] or {}
    return any(points.get(label, 0) != shown.get(label, 0) for label in match.setup.labels)


def _in_order(match: MatchView, points: Points) -> str:
    numbers = [numeral(points.get(label, 0)) for label in match.setup.labels]
    return "–".join(numbers) if len(numbers) == 2 else ", ".join(numbers)


def _line_words(match: MatchView, line: contract.Line) -> str:
    name = short_item_name(match.setup.game, line["item"])
    moved = [(label, points) for label, points in (line["points"] or {}).items() if points]
    gained = [f"{match.sides.get(label, label)} {signed(points)}" for label, points in moved]
    return f"{name}: {', '.join(gained)}" if gained else _("%(item)s: nobody", item=name)
