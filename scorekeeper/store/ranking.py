"""The ranking of a table: matches played and won, and points ahead, of its players and of its pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, select

from ..limits import EXPORTED_DEALS, RANKED_MATCHES
from ..rules.contract import Number
from . import queries
from .db import Base, db
from .doubts import is_in_doubt
from .models import MatchSummary, SummarySide, Table

Players = tuple[int, ...]
"""The numbers of a player, or of partners, the lowest first."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c


class Result(NamedTuple):
    """A match for a ranking: a few columns of its summary, because thousands are read at once."""

    match: int
    game: str
    status: str
    sides: list[SummarySide]
    totals: dict[str, Number]
    winners: list[str]
    started_at: datetime
    ended_at: datetime | None = None
    doubt_at: datetime | None = None
    doubt_decides: bool = False

    @property
    def counted(self) -> Result:
        """The match for counting: ``OPEN`` if its winner is in doubt."""
        is_open = is_in_doubt(self.doubt_at, decides=self.doubt_decides)
        return self._replace(status=OPEN, winners=[]) if is_open and self.status == "won" else self


OPEN = "open"
"""The status, for counting, of a won match whose winner is in doubt."""


@dataclass(frozen=True)
class Chosen:
    """A choice of matches of a table: all, or those of a game, of partners, or both."""

    game: str | None = None
    together: Players = ()

    def conditions(self, table: Table) -> list[ColumnElement[bool]]:
        """Return the conditions of a query for the matches of the game."""
        of_game = [] if self.game is None else [_SUMMARIES.game == self.game]
        return [_SUMMARIES.table_id == table.id, *of_game]

    def has(self, sides: Sequence[SummarySide]) -> bool:
        """Return whether a match with these sides is one of the chosen partners."""
        return not self.together or any(players_of(side) == self.together for side in sides)


@dataclass
class Ranked:
    """The results of a player, or of partners, in the matches with a winner."""

    players: Players
    played: int = 0
    won: int = 0
    ahead: float = 0
    """The difference in points from the mean of the others."""

    @property
    def order(self) -> tuple[float, ...]:
        """Return the sort key of a ranking: most won, then most points ahead."""
        return (-self.won, -self.ahead, self.played, *self.players)


def players_of(side: SummarySide) -> Players:
    """Return the players of a side, in an order without their seats."""
    return tuple(sorted(side["players"]))


ALL = Chosen()


def results(table: Table, chosen: Chosen = ALL, since: datetime | None = None) -> list[Result]:
    """Return the newest matches of the table, at most ``RANKED_MATCHES``, newest first."""
    query = select(*(_SUMMARIES[name] for name in Result._fields)).where(*chosen.conditions(table))
    if since is not None:
        query = query.where(_SUMMARIES.started_at >= since)
    rows = db.session.execute(query.order_by(_SUMMARIES.match.desc()).limit(RANKED_MATCHES))
    return [Result(*row).counted for row in rows if chosen.has(row.sides)]


def history(table: Table, chosen: Chosen, before: int | None, *, size: int) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the chosen matches, newest first, and the ``before`` of the next page, None for the last.

    A page of partners may be shorter: it looks at the next ``RANKED_MATCHES`` matches only.
    """
    if chosen == ALL:
        return queries.history(table, before, size=size)
    query = select(_SUMMARIES.match, _SUMMARIES.sides).where(*chosen.conditions(table))
    if before is not None:
        query = query.where(_SUMMARIES.match < before)
    rows = list(db.session.execute(query.order_by(_SUMMARIES.match.desc()).limit(RANKED_MATCHES)))
    numbers = [row.match for row in rows if chosen.has(row.sides)][: size + 1]
    wanted = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.in_(numbers[:size]))
    summaries = list(db.session.scalars(wanted.order_by(MatchSummary.match.desc())))
    if len(numbers) > size:
        return summaries, numbers[size - 1]
    return summaries, rows[-1].match if len(rows) == RANKED_MATCHES else None


def ranking(played: Iterable[Result], *, together: bool, fewest_is_best: Iterable[str] = ()) -> list[Ranked]:
    """Return the results of each player, or of partners, over the matches with a winner, best first.

    In the games ``fewest_is_best`` fewer points are ahead.
    """
    lowest = frozenset(fewest_is_best)
    rank_of: dict[Players, Ranked] = {}
    for result in played:
        if result.status != "won":
            continue
        everything, others = sum(result.totals.values()), len(result.sides) - 1
        for side in result.sides:
            own = result.totals[side["label"]]
            ahead = own - (everything - own) / others if others else 0
            partners = players_of(side)
            for players in _counted_as(partners, together=together):
                ranked = rank_of.setdefault(players, Ranked(players))
                ranked.played += 1
                ranked.won += side["label"] in result.winners
                ranked.ahead += _ahead_of(players, side, ahead) * (-1 if result.game in lowest else 1)
    return sorted(rank_of.values(), key=lambda ranked: ranked.order)


def _ahead_of(players: Players, side: SummarySide, ahead: float) -> float:
    """Return the points ahead in the deals of these players; ``ahead`` if the side has no stints."""
    own = [stint for stint in side.get("stints", ()) if stint["player"] in players]
    if not own:
        return ahead
    if len(players) == 1:
        return sum(stint["ahead"] for stint in own)
    return max(own, key=lambda stint: stint["first"])["ahead"]


def _counted_as(partners: Players, *, together: bool) -> list[Players]:
    """Return the partners of a side, if it has several players; or each player alone."""
    if together:
        return [partners] if len(partners) > 1 else []
    return [(player,) for player in partners]


def pairs_in(played: Iterable[Result]) -> list[Players]:
    """Return all partners, those with the most matches first."""
    counted: dict[Players, int] = defaultdict(int)
    for result in played:
        for side in result.sides:
            if len(side["players"]) > 1:
                counted[players_of(side)] += 1
    return sorted(counted, key=lambda players: (-counted[players], players))


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
