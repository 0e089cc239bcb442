"""The ranking of a table: matches played and won, and points ahead, of its players and of its pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from ..limits import EXPORTED_DEALS, RANKED_MATCHES
from ..rules.contract import Number
from . import queries
from .db import Base, db
from .doubts import is_in_doubt
from .models import MatchSummary, SummarySide, Table

Players = tuple[int, ...]
"""A player, or those who play together, by their numbers, the lowest first."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c


class Result(NamedTuple):
    """What a ranking reads of a match: a few columns of its summary, as thousands of matches are read at once."""

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
        """The match as figures count it: as open where who won it is in doubt."""
        is_open = is_in_doubt(self.doubt_at, decides=self.doubt_decides)
        return self._replace(status=OPEN, winners=[]) if is_open and self.status == "won" else self


OPEN = "open"
"""The status of a match, as figures count it, that somebody has won if a deal in doubt stands."""


@dataclass(frozen=True)
class Chosen:
    """Which matches of a table are looked at: all, or those of a game, of some who play together, or both."""

    game: str | None = None
    together: Players = ()

    def has(self, sides: Sequence[SummarySide]) -> bool:
        """Return whether a match with these sides is of those who play together."""
        return not self.together or any(players_of(side) == self.together for side in sides)


@dataclass
class Ranked:
    """What a player, or those who play together, did in the matches that somebody won."""

    players: Players
    played: int = 0
    won: int = 0
    ahead: float = 0
    """Points more than the others had, on average; less than none where it was fewer."""

    @property
    def order(self) -> tuple[float, ...]:
        """Return what a ranking is sorted by: most won, then most points ahead."""
        return (-self.won, -self.ahead, self.played, *self.players)


def players_of(side: SummarySide) -> Players:
    """Return who plays on a side, in an order that does not depend on their seats."""
    return tuple(sorted(side["players"]))


ALL = Chosen()


def results(table: Table, chosen: Chosen = ALL, since: datetime | None = None) -> list[Result]:
    """Return the newest matches of the table, at most ``RANKED_MATCHES``, newest first."""
    columns = [_SUMMARIES[name] for name in Result._fields]
    query = select(*columns).where(_SUMMARIES.table_id == table.id)
    if chosen.game is not None:
        query = query.where(_SUMMARIES.game == chosen.game)
    if since is not None:
        query = query.where(_SUMMARIES.started_at >= since)
    rows = db.session.execute(query.order_by(_SUMMARIES.match.desc()).limit(RANKED_MATCHES))
    return [Result(*row).counted for row in rows if chosen.has(row.sides)]


def history(table: Table, chosen: Chosen, before: int | None, *, size: int) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the chosen matches, newest first, and the ``before`` of the next page, None for the last.

    A page of a pair is shorter where none of the next ``RANKED_MATCHES`` matches are theirs.
    """
    if chosen == ALL:
        return queries.history(table, before, size=size)
    query = select(_SUMMARIES.match, _SUMMARIES.sides).where(_SUMMARIES.table_id == table.id)
    if chosen.game is not None:
        query = query.where(_SUMMARIES.game == chosen.game)
    if before is not None:
        query = query.where(_SUMMARIES.match < before)
    rows = list(db.session.execute(query.order_by(_SUMMARIES.match.desc()).limit(RANKED_MATCHES)))
    found = [row.match for row in rows if chosen.has(row.sides)][: size + 1]
    wanted = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.in_(found[:size]))
    summaries = list(db.session.scalars(wanted.order_by(MatchSummary.match.desc())))
    if len(found) > size:
        return summaries, found[size - 1]
    return summaries, rows[-1].match if len(rows) == RANKED_MATCHES else None


def ranking(played: Iterable[Result], *, together: bool, fewest_is_best: Iterable[str] = ()) -> list[Ranked]:
    """Return the rank of each player over the matches that somebody won, or of those who played together, best first.

    In the games ``fewest_is_best`` whoever has fewer points is ahead.
    """
    lowest = frozenset(fewest_is_best)
    found: dict[Players, Ranked] = {}
    for result in played:
        if result.status != "won":
            continue
        everything, others = sum(result.totals.values()), len(result.sides) - 1
        for side in result.sides:
            own = result.totals[side["label"]]
            ahead = own - (everything - own) / others if others else 0
            partners = players_of(side)
            for players in _counted_as(partners, together=together):
                ranked = found.setdefault(players, Ranked(players))
                ranked.played += 1
                ranked.won += side["label"] in result.winners
                ranked.ahead += _ahead_of(players, side, ahead) * (-1 if result.game in lowest else 1)
    return sorted(found.values(), key=lambda ranked: ranked.order)


def _ahead_of(players: Players, side: SummarySide, ahead: float) -> float:
    """Return the points ahead in the deals that these played together, where not all of the side's were theirs."""
    own = [stint for stint in side.get("stints", ()) if stint["player"] in players]
    if not own:
        return ahead
    if len(players) == 1:
        return sum(stint["ahead"] for stint in own)
    return max(own, key=lambda stint: stint["first"])["ahead"]


def _counted_as(partners: Players, *, together: bool) -> list[Players]:
    """Return as whom a side counts: as those who played together, if they were several, or each for himself."""
    if together:
        return [partners] if len(partners) > 1 else []
    return [(player,) for player in partners]


def pairs_in(played: Iterable[Result]) -> list[Players]:
    """Return all who ever played together, those with the most matches first."""
    counted: dict[Players, int] = defaultdict(int)
    for result in played:
        for side in result.sides:
            if len(side["players"]) > 1:
                counted[players_of(side)] += 1
    return sorted(counted, key=lambda players: (-counted[players], players))


def parts_to_take(table: Table) -> list[tuple[int, int]]:
    """Return the parts in which all matches of a table are taken away, newest first: the first and last of each."""
    query = select(_SUMMARIES.match, _SUMMARIES.deals).where(_SUMMARIES.table_id == table.id)
    parts: list[tuple[int, int]] = []
    weight = 0
    for match, deals in db.session.execute(query.order_by(_SUMMARIES.match.desc())):
        # A match without a deal is a line as well.
        weight += deals + 1
        if not parts or weight > EXPORTED_DEALS:
            parts.append((match, match))
            weight = deals + 1
        parts[-1] = (match, parts[-1][1])
    return parts


def part_to_take(table: Table, last: int | None) -> list[MatchSummary]:
    """Return the matches of one part with all that their summaries hold, oldest first; by default the newest part."""
    parts = parts_to_take(table)
    chosen = [part for part in parts if last is None or part[1] == last][:1]
    if not chosen:
        return []
    first, newest = chosen[0]
    query = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.between(first, newest))
    return list(db.session.scalars(query.order_by(MatchSummary.match)))
