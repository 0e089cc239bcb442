"""The points of each item at a table, in words."""

from __future__ import annotations

from flask_babel import gettext as _

from ... import rules


def points_of(table: rules.TableRules) -> list[tuple[str, str]]:
    """Return the items that can score at a table with their points in words, "" where they are not one number."""
    opening = rules.opening_points(table)
    known = []
    for item, points in rules.item_points(table):
        shown = table.options.get(f"pts_{item}") if points is None else points
        if item in opening:
            shown = " / ".join(map(str, opening[item]))
        known.append((item, "" if shown is None else str(shown)))
    return known


def told_points(table: rules.TableRules) -> list[tuple[str, str]]:
    """Return the same as the rules tell it: from how many points to how many, and what wins the match."""
    told = []
    for item, points in points_of(table):
        span = rules.points_span(table, item)
        shown = "–".join(map(str, span)) if span else points
        told.append((item, str(_("the match")) if rules.ends_match(table, item) else shown))
    return told
