"""What a deal came to where a phone without signal had shown something else, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flask_babel import gettext as _

from ...limits import SHOWN_ITEMS
from ...rules import contract
from ..words.names import short_item_name
from ..words.values import numeral
from .view import MatchView

Shown = Mapping[contract.ItemId, Mapping[contract.Side, contract.Number]]


def came_otherwise(match: MatchView, number: int, sheet: contract.Scored, shown: object) -> str:
    """Return what deal ``number`` came to, and by which lines, where it is not what a phone has ``shown``; else "".

    ``shown`` is what the phone sent: the points of each side by item, of those items that it could add up.
    """
    told = _read(match, shown)
    lines = {line["item"]: line for line in sheet["lines"]}
    others = [item for item, points in told.items() if _differs(lines.get(item), points, match)]
    if not others:
        return ""
    came = _in_order(match, sheet["points"])
    reasons = "; ".join(_line_words(match, item, lines.get(item)) for item in others)
    if len(told) < len(lines):
        return str(_("%(deal)s came to %(points)s: %(lines)s.", deal=match.words.title(number), points=came, lines=reasons))
    sums = {label: sum(points.get(label, 0) for points in told.values()) for label in match.setup.labels}
    return str(
        _(
            "%(deal)s came to %(points)s, not %(shown)s: %(lines)s.",
            deal=match.words.title(number),
            points=came,
            shown=_in_order(match, sums),
            lines=reasons,
        )
    )


def _read(match: MatchView, shown: object) -> dict[str, dict[str, contract.Number]]:
    """Return the points that were shown; nothing where they are no such thing."""
    if not isinstance(shown, dict) or len(shown) > SHOWN_ITEMS:
        return {}
    return {
        item: {label: points[label] for label in match.setup.labels if _is_points(points.get(label))}
        for item, points in shown.items()
        if isinstance(item, str) and isinstance(points, dict)
    }


def _is_points(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**6


def _differs(line: contract.Line | None, shown: Mapping[str, contract.Number], match: MatchView) -> bool:
    points = {} if line is None or line["points"] is None else line["points"]
    return any(points.get(label, 0) != shown.get(label, 0) for label in match.setup.labels)


def _in_order(match: MatchView, points: Mapping[contract.Side, contract.Number]) -> str:
    numbers = [numeral(points.get(label, 0)).replace("-", "−") for label in match.setup.labels]
    return "–".join(numbers) if len(numbers) == 2 else ", ".join(numbers)


def _line_words(match: MatchView, item: str, line: contract.Line | None) -> str:
    name = short_item_name(match.setup.game, item)
    gained = list(_gained(match, line))
    return f"{name}: {', '.join(gained)}" if gained else str(_("%(item)s: nobody", item=name))


def _gained(match: MatchView, line: contract.Line | None) -> Iterator[str]:
    for label, points in ({} if line is None or line["points"] is None else line["points"]).items():
        if points:
            yield f"{match.sides.get(label, label)} {points:+g}".replace("-", "−")
