"""The ranking of a table: matches played and won, and points ahead, of its players and of its pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, select, tuple_

from ..limits import EXPORTED_DEALS, OPEN_DOUBTS
from . import queries
from .db import Base, db
from .doubts import is_in_doubt
from .history_rows import PARTS, Count, Counted, line_up_of, results_in
from .models import LineUp, MatchSummary, Seat, Table
from .who import Merged, Players, as_now, read, ways, written

OPEN = "open"
"""The status, for counting, of a won match whose winner is in doubt."""
STATES = ("playing", "won", "ended", "doubt")
"""The states by which matches can be chosen; ``doubt`` is a match with a deal in doubt, whatever else it is."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
_LINE_UPS = Base.metadata.tables[LineUp.__tablename__].c
_SEATS = Base.metadata.tables[Seat.__tablename__].c


@dataclass(frozen=True)
class Chosen:
    """A choice of matches of a table: all, or those of a game, a player or partners, a span, a state, or several."""

    game: str | None = None
    players: Players = ()
    """A player, or partners who play together; all if there is none."""
    span: str = ""
    """The year, month or day of their evenings: ``2026``, ``2026-05``, ``2026-05-03``; all if it is empty."""
    state: str = ""

    def evenings(self) -> ColumnElement[bool] | None:
        """Return the condition for the evenings of the span; None for all."""
        if not self.span:
            return None
        first = date.fromisoformat(f"{self.span}-01-01"[:10])
        if len(self.span) == 4:
            last = date(first.year, 12, 31)
        elif len(self.span) == 7:
            following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
            last = date.fromordinal(following.toordinal() - 1)
        else:
            last = first
        return _SUMMARIES.evening.between(first, last)

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the conditions of a query for the summaries of these matches, but for who played."""
        found = [] if self.game is None else [_SUMMARIES.game == self.game]
        if (of_span := self.evenings()) is not None:
            found.append(of_span)
        if self.state == "doubt":
            found.append(_SUMMARIES.doubt_at.is_not(None))
        elif self.state:
            found.append(_SUMMARIES.status == self.state)
        return found


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


ALL = Chosen()


def history(
    table: Table, chosen: Chosen, before: int | None, merged: Merged, *, size: int
) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the chosen matches, ordered as by ``queries.history``, and the next page's ``before``."""
    if chosen == ALL:
        return queries.history(table, before, size=size)
    place = queries.place_of(table, before) if before is not None else None
    if before is not None and place is None:
        return [], None
    order = (_SUMMARIES.evening, _SUMMARIES.match)
    query = select(_SUMMARIES.match).where(_SUMMARIES.table_id == table.id, *chosen.conditions())
    if chosen.players:
        # By the index of those who played, which has the evening too.
        order = (_SEATS.evening, _SEATS.match)
        seated = and_(_SEATS.table_id == _SUMMARIES.table_id, _SEATS.match == _SUMMARIES.match)
        names = [written(way) for way in ways(chosen.players, merged)]
        query = query.join(_SEATS.who.table, seated).where(_SEATS.table_id == table.id, _SEATS.who.in_(names))
    if place is not None:
        query = query.where(tuple_(*order) < place)
    numbers = list(db.session.scalars(query.order_by(*(column.desc() for column in order)).limit(size + 1)))
    wanted = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.in_(numbers[:size]))
    ordered = wanted.order_by(MatchSummary.evening.desc(), MatchSummary.match.desc())
    return list(db.session.scalars(ordered)), numbers[size - 1] if len(numbers) > size else None


def ranking(
    table: Table, chosen: Chosen, merged: Merged, *, together: bool, fewest_is_best: Iterable[str] = ()
) -> list[Ranked]:
    """Return the results of each player, or of partners, over the chosen matches with a winner, best first.

    In the games ``fewest_is_best`` fewer points are ahead. The state of matches is not looked at.
    """
    lowest = frozenset(fewest_is_best)
    rank_of: dict[Players, Ranked] = {}
    for game, players, (_matches, played, won, parts) in _counts(table, chosen, merged):
        now = as_now(players, merged)
        if (len(now) > 1) == together and played:
            ranked = rank_of.setdefault(now, Ranked(now))
            ranked.played += played
            ranked.won += won
            ranked.parts += -parts if game in lowest else parts
    return sorted(rank_of.values(), key=lambda ranked: ranked.order)


def _counts(table: Table, chosen: Chosen, merged: Merged) -> Iterable[tuple[str, Players, Count]]:
    """Yield what players, and sides of several, came to in the chosen matches: the sums, and dropped doubts beside."""
    if len(chosen.span) > len("2026-05"):
        rows = _rows(table, [*replace(chosen, state="").conditions()])
        for one, doubt_at in rows:
            yield from _single(one, doubt_at, chosen, merged)
        return
    sums = [func.sum(_LINE_UPS[name]) for name in ("matches", "played", "won", "ahead")]
    query = select(_LINE_UPS.game, _LINE_UPS.who, *sums).where(
        _LINE_UPS.table_id == table.id, _LINE_UPS.span == chosen.span, *_of_line_up(chosen, merged)
    )
    for game, who, *counts in db.session.execute(query.group_by(_LINE_UPS.game, _LINE_UPS.who)):
        yield game, read(who), (int(counts[0]), int(counts[1]), int(counts[2]), int(counts[3]))
    in_doubt = [*replace(chosen, state="").conditions(), _SUMMARIES.doubt_decides.is_(True)]
    for one, doubt_at in _rows(table, in_doubt):
        # The sums have it as a match that nobody has won.
        if not is_in_doubt(doubt_at, decides=True):
            for game, players, (_matches, *counts) in _single(one, doubt_at, chosen, merged):
                yield game, players, (0, counts[0], counts[1], counts[2])


def _single(one: Counted, doubt_at: Any, chosen: Chosen, merged: Merged) -> Iterable[tuple[str, Players, Count]]:
    """Yield what players came to in a match, if it is one of the chosen players."""
    is_open = is_in_doubt(doubt_at, decides=one.doubt_decides)
    if _has(line_up_of(one.sides), chosen, merged):
        for players, count in results_in(one._replace(doubt_decides=is_open)):
            yield one.game, players, count


def _rows(table: Table, conditions: list[ColumnElement[bool]]) -> Iterable[tuple[Counted, Any]]:
    columns = [_SUMMARIES[name] for name in Counted._fields]
    query = select(*columns, _SUMMARIES.doubt_at).where(_SUMMARIES.table_id == table.id, *conditions)
    for row in db.session.execute(query.order_by(_SUMMARIES.match.desc()).limit(OPEN_DOUBTS)):
        yield Counted(*row[:-1]), row.doubt_at


def _of_line_up(chosen: Chosen, merged: Merged) -> list[ColumnElement[bool]]:
    """Return the conditions for the line-ups of the chosen game and players."""
    found = [] if chosen.game is None else [_LINE_UPS.game == chosen.game]
    if chosen.players:
        found.append(or_(*(_LINE_UPS.sides.contains(part) for part in _parts(chosen, merged))))
    return found


def _parts(chosen: Chosen, merged: Merged) -> list[str]:
    """Return the texts of which a line-up with the chosen players holds one."""
    return [
        f"{before}{written(way)}{behind}"
        for way in ways(chosen.players, merged)
        for before in "|-"[: 1 if len(chosen.players) > 1 else 2]
        for behind in "|-"[: 1 if len(chosen.players) > 1 else 2]
    ]


def _has(line_up: str, chosen: Chosen, merged: Merged) -> bool:
    return not chosen.players or any(part in line_up for part in _parts(chosen, merged))


def pairs_in(table: Table, merged: Merged) -> list[Players]:
    """Return all partners of a table, those with the most matches first."""
    counted: dict[Players, int] = defaultdict(int)
    for _game, players, (matches, *_others) in _counts(table, ALL, merged):
        if len(players) > 1:
            counted[as_now(players, merged)] += matches
    return sorted((one for one in counted if counted[one] > 0), key=lambda players: (-counted[players], players))


def games_in(table: Table) -> list[str]:
    """Return the games that a table has played, in the order of their ids."""
    query = select(_LINE_UPS.game).where(_LINE_UPS.table_id == table.id, _LINE_UPS.span == "", _LINE_UPS.matches > 0)
    return sorted(db.session.scalars(query.distinct()))


def years_in(table: Table) -> list[str]:
    """Return the years in which a table has played, the newest first."""
    of_years = (_LINE_UPS.table_id == table.id, func.length(_LINE_UPS.span) == len("2026"), _LINE_UPS.matches > 0)
    return sorted(db.session.scalars(select(_LINE_UPS.span).where(*of_years).distinct()), reverse=True)


def meetings(table: Table, merged: Merged) -> dict[frozenset[Players], int]:
    """Return how often sides have met at a table."""
    query = select(_LINE_UPS.game, _LINE_UPS.sides, func.max(_LINE_UPS.matches)).where(
        _LINE_UPS.table_id == table.id, _LINE_UPS.span == ""
    )
    met: dict[frozenset[Players], int] = defaultdict(int)
    for _game, sides, matches in db.session.execute(query.group_by(_LINE_UPS.game, _LINE_UPS.sides)):
        met[frozenset(as_now(read(side), merged) for side in sides.strip("|").split("|"))] += matches
    return dict(met)


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
    evenings = _evenings(table, of_all, merged, most + 1)
    if len(evenings) <= most:
        rows = _rows(table, [*of_all.conditions(), _SUMMARIES.evening.in_(evenings), _SUMMARIES.status == "won"])
        matches = sorted(rows, key=lambda row: (row[0].evening, row[0].match))
        found: dict[str, dict[Players, int]] = {}
        for one, doubt_at in matches:
            when = one.evening.isoformat() if len(evenings) > 1 else str(one.match)
            for _game, players, (_all, _played, won, _parts) in _single(one, doubt_at, of_all, merged):
                _add(found.setdefault(when, {}), players, won, merged)
        return [Step(when if len(evenings) > 1 else "", won) for when, won in found.items()]
    months = _spans(table, len("2026-05"), chosen.span)
    spans = months if len(months) <= most else _spans(table, len("2026"), chosen.span)[-most:]
    return [Step(span, _won_in(table, replace(of_all, span=span), merged)) for span in spans]


def _won_in(table: Table, chosen: Chosen, merged: Merged) -> dict[Players, int]:
    found: dict[Players, int] = {}
    for _game, players, (_matches, _played, won, _parts) in _counts(table, chosen, merged):
        _add(found, players, won, merged)
    return found


def _add(total: dict[Players, int], players: Players, won: int, merged: Merged) -> None:
    now = as_now(players, merged)
    total[now] = total.get(now, 0) + won


def _spans(table: Table, length: int, within: str) -> list[str]:
    """Return the months or years, by the length of their names, in which a table has played, the oldest first."""
    those = (_LINE_UPS.table_id == table.id, func.length(_LINE_UPS.span) == length, _LINE_UPS.matches > 0)
    query = select(_LINE_UPS.span).where(*those, _LINE_UPS.span.startswith(within))
    return sorted(db.session.scalars(query.distinct()))


def _evenings(table: Table, chosen: Chosen, merged: Merged, most: int) -> list[date]:
    """Return the first evenings of the chosen matches, at most ``most``."""
    query = select(_SUMMARIES.evening).where(_SUMMARIES.table_id == table.id, *chosen.conditions())
    if chosen.players:
        seated = and_(_SEATS.table_id == _SUMMARIES.table_id, _SEATS.match == _SUMMARIES.match)
        names = [written(way) for way in ways(chosen.players, merged)]
        query = query.join(_SEATS.who.table, seated).where(_SEATS.who.in_(names))
    return list(db.session.scalars(query.distinct().order_by(_SUMMARIES.evening).limit(most)))
