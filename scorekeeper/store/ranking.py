"""The ranking of a table: matches played and won, and points ahead, of its players and of its pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, func, select, true

from ..limits import EXPORTED_DEALS, OPEN_DOUBTS
from .db import Base, db
from .doubts import is_in_doubt
from .finding import DAY, WHO, Chosen, evenings, months_in, of_line_ups, years_in
from .history_rows import ANY_SIDES, PARTS, Count, Counted, results_in
from .models import LineUp, MatchSummary, Table
from .who import Merged, Players, as_now, players_of, read

OPEN = "open"
"""The status, for counting, of a won match whose winner is in doubt."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
_LINE_UPS = Base.metadata.tables[LineUp.__tablename__].c


@dataclass
class Ranked:
    """The results of a player, or of partners, in the matches with a winner."""

    players: Players
    played: int = 0
    won: int = 0
    parts: int = 0
    """The difference in points from the mean of the others, in parts of a point."""

    @property
    def ahead(self) -> float:
        """Return the difference in points from the mean of the others."""
        return self.parts / PARTS

    @property
    def order(self) -> tuple[float, ...]:
        """Return the sort key of a ranking: most won, then most points ahead."""
        return (-self.won, -self.parts, self.played, *self.players)


def ranking(
    table: Table, chosen: Chosen, merged: Merged, *, together: bool, fewest_is_best: Iterable[str] = ()
) -> list[Ranked]:
    """Return the results of each player, or of partners, over the chosen matches with a winner, best first.

    In the games ``fewest_is_best`` fewer points are ahead. The state of matches is not looked at.
    """
    lowest = frozenset(fewest_is_best)
    rank_of: dict[Players, Ranked] = {}
    for _span, game, players, (_matches, played, won, parts) in _counts(table, chosen, [chosen.span], merged):
        now = as_now(players, merged)
        if (len(now) > 1) == together and played:
            ranked = rank_of.setdefault(now, Ranked(now))
            ranked.played += played
            ranked.won += won
            ranked.parts += -parts if game in lowest else parts
    return sorted(rank_of.values(), key=lambda ranked: ranked.order)


def _counts(
    table: Table, chosen: Chosen, spans: list[str], merged: Merged
) -> Iterable[tuple[str, str, Players, Count]]:
    """Yield what players, and sides of several, came to in the chosen matches of spans, all of one length.

    These are the sums, and dropped doubts beside. A span of a day is read match by match.
    """
    if len(spans[0]) == DAY:
        for one, doubt_at in _rows(table, _of_days(chosen)):
            for game, players, count in _single(one, doubt_at, chosen, merged):
                yield chosen.span, game, players, count
        return
    sums = [func.sum(_LINE_UPS[name]) for name in ("matches", "played", "won", "ahead")]
    columns = (_LINE_UPS.span, _LINE_UPS.game, WHO)
    query = select(*columns, *sums).where(*of_line_ups(chosen, table, spans, merged)).group_by(*columns)
    for span, game, who, *counts in db.session.execute(query):
        yield span, game, read(who), (int(counts[0]), int(counts[1]), int(counts[2]), int(counts[3]))
    yield from _dropped_doubts(table, chosen, spans, merged)


def _dropped_doubts(
    table: Table, chosen: Chosen, spans: list[str], merged: Merged
) -> Iterable[tuple[str, str, Players, Count]]:
    """Yield what players came to in the chosen matches that a doubt decided which is dropped by now."""
    for one, doubt_at in _rows(table, [*_of_days(chosen), _SUMMARIES.doubt_decides == true()]):
        span = one.evening.isoformat()[: len(spans[0])]
        # The sums have it as a match that nobody has won.
        if span in spans and not is_in_doubt(doubt_at, decides=True):
            for game, players, (_matches, *counts) in _single(one, doubt_at, chosen, merged):
                yield span, game, players, (0, counts[0], counts[1], counts[2])


def _single(one: Counted, doubt_at: Any, chosen: Chosen, merged: Merged) -> Iterable[tuple[str, Players, Count]]:
    """Yield what players came to in a match, if it is one of the chosen game and players."""
    is_open = is_in_doubt(doubt_at, decides=one.doubt_decides)
    if _has(one, chosen, merged):
        for players, count in results_in(one._replace(doubt_decides=is_open)):
            yield one.game, players, count


def _has(one: Counted, chosen: Chosen, merged: Merged) -> bool:
    """Return whether a match has the chosen game, partners and player, at its end."""
    sides = [players_of(side, merged) for side in one.sides]
    found = {*sides, *((number,) for side in sides for number in side)}
    return chosen.game in (None, one.game) and all(as_now(players, merged) in found for players in chosen.seated)


def _of_days(chosen: Chosen) -> list[ColumnElement[bool]]:
    return [] if chosen.days is None else [_SUMMARIES.evening.between(*chosen.days)]


def _rows(table: Table, conditions: list[ColumnElement[bool]]) -> Iterable[tuple[Counted, Any]]:
    columns = [_SUMMARIES[name] for name in Counted._fields]
    query = select(*columns, _SUMMARIES.doubt_at).where(_SUMMARIES.table_id == table.id, *conditions)
    newest_first = query.order_by(_SUMMARIES.evening.desc(), _SUMMARIES.match.desc())
    for row in db.session.execute(newest_first.limit(OPEN_DOUBTS)):
        yield Counted(*row[:-1]), row.doubt_at


def meetings(table: Table, merged: Merged) -> dict[frozenset[Players], int]:
    """Return how often sides have met at a table."""
    query = select(_LINE_UPS.game, _LINE_UPS.sides, func.max(_LINE_UPS.matches)).where(
        _LINE_UPS.table_id == table.id, _LINE_UPS.span == "", _LINE_UPS.sides != ANY_SIDES
    )
    met: dict[frozenset[Players], int] = defaultdict(int)
    for _game, sides, matches in db.session.execute(query.group_by(_LINE_UPS.game, _LINE_UPS.sides)):
        met[frozenset(as_now(read(side), merged) for side in sides.strip("|").split("|"))] += matches
    return dict(met)


def is_one_part(table: Table) -> bool:
    """Return whether the whole of a table is one part of its export, from no more rows than decide that."""
    weights = select((_SUMMARIES.deals + 1).label("weight")).where(_SUMMARIES.table_id == table.id)
    some = weights.limit(EXPORTED_DEALS + 1).subquery()
    return (db.session.scalar(select(func.sum(some.c.weight))) or 0) <= EXPORTED_DEALS


def parts_to_take(table: Table) -> list[tuple[int, int]]:
    """Return the first and the last match of each part of a table's export, newest first."""
    query = select(_SUMMARIES.match, _SUMMARIES.deals).where(_SUMMARIES.table_id == table.id)
    parts: list[tuple[int, int]] = []
    weight = 0
    for match, deals in db.session.execute(query.order_by(_SUMMARIES.match.desc())):
        # A match without a deal is a line, too.
        weight += deals + 1
        if not parts or weight > EXPORTED_DEALS:
            parts.append((match, match))
            weight = deals + 1
        parts[-1] = (match, parts[-1][1])
    return parts


def part_to_take(table: Table, last: int | None) -> list[MatchSummary]:
    """Return the matches of the part that ends with ``last``, by default of the newest part, oldest first."""
    part = next((part for part in parts_to_take(table) if last in (None, part[1])), None)
    if part is None:
        return []
    query = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.between(*part))
    return list(db.session.scalars(query.order_by(MatchSummary.match)))


class Step(NamedTuple):
    """The matches that players won in a step of time: a match, an evening, a month or a year."""

    when: str
    """The day, month or year as ``Chosen.span`` has it; "" for a match of the only evening."""
    won: dict[Players, int]


def steps(table: Table, chosen: Chosen, merged: Merged, most: int) -> list[Step]:
    """Return the matches won step by step, the oldest first, for each player and each side of several.

    The steps are the matches of one evening, else evenings, months or years, the finest of which there are at most
    ``most``. The state of matches is not looked at.
    """
    of_all = replace(chosen, state="")
    days = evenings(table, of_all, merged, most + 1)
    if len(days) <= most:
        return _by_evening(table, of_all, merged, days)
    spans = months_in(table, chosen.span, most + 1)
    if len(spans) > most:
        spans = years_in(table)[:most]
    won: dict[str, dict[Players, int]] = {span: {} for span in reversed(spans)}
    columns = (_LINE_UPS.span, WHO)
    query = select(*columns, func.sum(_LINE_UPS.won)).where(*of_line_ups(of_all, table, spans, merged))
    for span, who, number in db.session.execute(query.where(_LINE_UPS.won > 0).group_by(*columns)):
        _add(won[span], read(who), int(number), merged)
    for span, _game, players, (_matches, _played, number, _parts) in _dropped_doubts(table, of_all, spans, merged):
        _add(won[span], players, number, merged)
    return [Step(span, found) for span, found in won.items()]


def _by_evening(table: Table, chosen: Chosen, merged: Merged, days: list[date]) -> list[Step]:
    """Return the matches won on some evenings step by step, match by match if it is one evening."""
    rows = _rows(table, [_SUMMARIES.evening.in_(days), _SUMMARIES.status == "won"])
    found: dict[str, dict[Players, int]] = {}
    for one, doubt_at in sorted(rows, key=lambda row: (row[0].evening, row[0].match)):
        when = one.evening.isoformat() if len(days) > 1 else str(one.match)
        for _game, players, (_all, _played, won, _parts) in _single(one, doubt_at, chosen, merged):
            _add(found.setdefault(when, {}), players, won, merged)
    return [Step(when if len(days) > 1 else "", won) for when, won in found.items()]


def _add(total: dict[Players, int], players: Players, won: int, merged: Merged) -> None:
    now = as_now(players, merged)
    total[now] = total.get(now, 0) + won
