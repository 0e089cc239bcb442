"""The rows that history, ranking and search read: when each match counts, who sat in it, and what line-ups came to.

They follow from the summaries, and change with them in the same transaction. Sums are moved by what a match counted for
before and counts for now, so that no write reads the other matches of its table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, delete, insert, or_, select, text, update

from .db import Base, db, lock_rows, note_written
from .evenings import GAP, day_of, noon_of
from .models import Entry, LineUp, Match, MatchSummary, Seat, SummarySide, Table
from .who import Players, players_of, written

PARTS = 27_720
"""Parts of a point: a mean of up to twelve others is a whole number of them. Sums of whole numbers are exact, in any
order of the matches, and what is taken back leaves nothing."""
ANY_SIDES = ""
"""The sides in rows that sum up all line-ups: a ranking of all matches reads a row for each player and game."""
GONE = ""
"""The status in the seats of a deleted match."""
CHAIN = 200
"""Matches of an evening that are read at once while its day is set anew."""
Count = tuple[int, int, int, int]
"""Matches, those that somebody won, those won by them, and parts of points ahead."""
Key = tuple[str, str, str, str]
"""Span, sides, game and who, as in ``LineUp``."""

_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
_MATCHES = Base.metadata.tables[Match.__tablename__]
_ENTRIES = Base.metadata.tables[Entry.__tablename__].c
_SEATS = Base.metadata.tables[Seat.__tablename__]
_LINE_UPS = Base.metadata.tables[LineUp.__tablename__]
_COUNTED = (
    "match",
    "game",
    "status",
    "sides",
    "totals",
    "winners",
    "doubt_decides",
    "counted_at",
    "evening",
)


class Counted(NamedTuple):
    """A match as history counts it: the columns of its summary that these rows follow from."""

    match: int
    game: str
    status: str
    sides: list[SummarySide]
    totals: Mapping[str, float]
    winners: list[str]
    doubt_decides: bool
    counted_at: datetime
    evening: date

    @property
    def is_decided(self) -> bool:
        """True if somebody has won it, and no doubt can turn that."""
        return self.status == "won" and not self.doubt_decides

    @property
    def weight(self) -> tuple[Any, ...]:
        """All that its counts follow from: if this is the same, they are."""
        decided = (self.totals, self.winners) if self.is_decided else None
        return (self.game, self.evening.strftime("%Y-%m"), self.sides, decided)


_READ = select(*(_SUMMARIES[name] for name in _COUNTED)).where(_SUMMARIES.table_id == bindparam("table"))
ONE = _READ.where(_SUMMARIES.match == bindparam("match"))
BEFORE = (
    select(_SUMMARIES.evening, _SUMMARIES.counted_at)
    .where(
        _SUMMARIES.table_id == bindparam("table"),
        _SUMMARIES.counted_at < bindparam("moment"),
        _SUMMARIES.match != bindparam("but"),
    )
    .order_by(_SUMMARIES.counted_at.desc())
    .limit(1)
)
_MOMENT = bindparam("moment", type_=_SUMMARIES.counted_at.type)
BEHIND = _READ.where(
    # For the index, which has no numbers of matches.
    _SUMMARIES.counted_at >= _MOMENT,
    or_(_SUMMARIES.counted_at > _MOMENT, _SUMMARIES.match > bindparam("after")),
).order_by(_SUMMARIES.counted_at, _SUMMARIES.match)
SET_EVENING = (
    update(_SUMMARIES.match.table)
    .where(_SUMMARIES.table_id == bindparam("of_table"), _SUMMARIES.match == bindparam("of_match"))
    .values(evening=bindparam("new_evening"))
)
SET_SEATS = (
    update(_SEATS)
    .where(_SEATS.c.table_id == bindparam("of_table"), _SEATS.c.match == bindparam("of_match"))
    .values(evening=bindparam("new_evening"))
)
SET_START = (
    update(_MATCHES)
    .where(_MATCHES.c.table_id == bindparam("of_table"), _MATCHES.c.number == bindparam("of_match"))
    .values(created_at=bindparam("noon"))
)
SET_MOMENTS = (
    update(_SUMMARIES.match.table)
    .where(_SUMMARIES.table_id == bindparam("of_table"), _SUMMARIES.match == bindparam("of_match"))
    .values({name: bindparam("noon") for name in ("started_at", "ended_at", "counted_at")})
)
LEAVE_SEATS = (
    update(_SEATS)
    .where(_SEATS.c.table_id == bindparam("of_table"), _SEATS.c.match == bindparam("of_match"))
    .values(status=GONE)
)
ADD = text(
    "INSERT INTO line_ups (table_id, span, sides, game, who, matches, played, won, ahead)"
    " VALUES (:table_id, :span, :sides, :game, :who, :matches, :played, :won, :ahead)"
    " ON CONFLICT (table_id, span, sides, game, who) DO UPDATE SET"
    " matches = line_ups.matches + excluded.matches, played = line_ups.played + excluded.played,"
    " won = line_ups.won + excluded.won, ahead = line_ups.ahead + excluded.ahead"
)
CLEAR = text(
    "DELETE FROM line_ups WHERE table_id = :table_id AND span = :span AND sides = :sides AND game = :game"
    " AND who = :who AND matches = 0"
)


def counted(table_id: int, match: int) -> Counted | None:
    """Return a match as history counts it now; None if it has no summary."""
    row = db.session.execute(ONE, {"table": table_id, "match": match}).first()
    return None if row is None else Counted(*row)


def evening_for(table_id: int, moment: datetime, zone: str | None, match: int) -> date:
    """Return the day of the evening of a match if it counts at this moment."""
    return _evening_after(_last_before(table_id, moment, match), moment, zone)


def _last_before(table_id: int, moment: datetime, but: int = 0) -> Any:
    """Return the evening of the last match before a moment, of all ``but`` that one; None if there is none."""
    return db.session.execute(BEFORE, {"table": table_id, "moment": moment, "but": but}).first()


def _evening_after(before: Any, moment: datetime, zone: str | None) -> date:
    """Return the day of an evening at a moment; ``before`` is the last match before it, if any."""
    if before is None or moment - before.counted_at >= GAP:
        return day_of(moment, zone)
    day: date = before.evening
    return day


def refile(
    table_id: int, former: Counted | None, present: Counted | None, zone: str | None, *, settles: bool = True
) -> None:
    """Move the rows of a match from what it counted for to what it counts for; None is a match that is not shown.

    Call inside ``writing()``, once the summary is written or deleted. Unless it ``settles``, the evenings of other
    matches stay as they are, until ``settle`` sets all of them.
    """
    if present is not None:
        _seat(table_id, former, present)
    else:
        db.session.execute(LEAVE_SEATS, {"of_table": table_id, "of_match": former.match if former else None})
    _move(table_id, [(former, present)])
    moved = {one.counted_at for one in (former, present) if one is not None}
    if settles and (former is None or present is None or len(moved) > 1):
        for moment in sorted(moved):
            _settle_evenings(table_id, moment, max(moved), zone)


def _seat(table_id: int, former: Counted | None, present: Counted) -> None:
    """Write who sat in a match, and how it is found, if that is not there yet."""
    if former is not None and _looks_of(former) == _looks_of(present):
        return
    db.session.execute(delete(_SEATS).where(_SEATS.c.table_id == table_id, _SEATS.c.match == present.match))
    db.session.execute(insert(_SEATS), list(_seats_of(table_id, present)))


def _looks_of(one: Counted) -> tuple[Any, ...]:
    return (one.sides, one.evening, one.status)


def _seats_of(table_id: int, one: Counted) -> Iterator[dict[str, Any]]:
    found = {"match": one.match, "evening": one.evening, "game": one.game, "status": one.status}
    for who in sorted(sitters(one.sides)):
        yield {"table_id": table_id, "who": who, **found}


def sitters(sides: Iterable[SummarySide]) -> set[str]:
    """Return everybody who played in a match, and the partners of its end, as rows name them."""
    found: set[str] = set()
    for side in sides:
        found.add(written(side["players"]))
        found |= {str(number) for number in side["players"]}
        found |= {str(stint["player"]) for stint in side.get("stints", ())}
    return found


def _move(table_id: int, changes: Iterable[tuple[Counted | None, Counted | None]]) -> None:
    """Move the sums of line-ups by what matches counted for before, and count for now."""
    moved: dict[Key, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for former, present in changes:
        if former is not None and present is not None and former.weight == present.weight:
            continue
        for sign, one in ((-1, former), (1, present)):
            for key, counts in _counts_of(one) if one is not None else ():
                sums = moved[key]
                for place, number in enumerate(counts):
                    sums[place] += sign * number
    # In their order, so that no two writers of a table wait for each other.
    rows = _as_rows(table_id, sorted((key, sums) for key, sums in moved.items() if any(sums)))
    if rows:
        db.session.execute(ADD, rows)
    if taken := [row for row in rows if row["matches"] < 0]:
        db.session.execute(CLEAR, taken)


def _as_rows(table_id: int, counts: Iterable[tuple[Key, Iterable[int]]]) -> list[dict[str, Any]]:
    names = ("span", "sides", "game", "who", "matches", "played", "won", "ahead")
    return [{"table_id": table_id, **dict(zip(names, (*key, *sums), strict=True))} for key, sums in counts]


def _counts_of(one: Counted) -> Iterator[tuple[Key, Count]]:
    """Yield what a match counts for, in each span, for each player and each side of several."""
    sides = line_up_of(one.sides)
    counts = list(results_in(one))
    for span in ("", one.evening.strftime("%Y"), one.evening.strftime("%Y-%m")):
        for players, count in counts:
            for of_sides in (ANY_SIDES, sides):
                yield (span, of_sides, one.game, written(players)), count


def line_up_of(sides: Iterable[SummarySide]) -> str:
    """Return the name of a line-up: its sides, each between ``|``."""
    return f"|{'|'.join(sorted(written(side['players']) for side in sides))}|"


def results_in(one: Counted) -> Iterator[tuple[Players, Count]]:
    """Yield what each player, and each side of several, came to in a match."""
    everything, others = sum(one.totals.values()), len(one.sides) - 1
    for side in one.sides:
        own = one.totals.get(side["label"], 0)
        ahead = own - (everything - own) / others if others else 0
        partners = players_of(side)
        alone = [(number,) for number in partners]
        for players in [*alone, partners] if len(partners) > 1 else alone:
            if not one.is_decided:
                yield players, (1, 0, 0, 0)
                continue
            parts = round(_ahead_of(players, side, ahead) * PARTS)
            yield players, (1, 1, int(side["label"] in one.winners), parts)


def _ahead_of(players: Players, side: SummarySide, ahead: float) -> float:
    """Return the points ahead in the deals of these players; ``ahead`` if the side has no stints."""
    own = [stint for stint in side.get("stints", ()) if stint["player"] in players]
    if not own:
        return ahead
    if len(players) == 1:
        return sum(stint["ahead"] for stint in own)
    return max(own, key=lambda stint: stint["first"])["ahead"]


def _settle_evenings(table_id: int, moment: datetime, last: datetime, zone: str | None) -> None:
    """Set the evenings of the matches from a moment on, as far as they have changed.

    All that counted at ``last`` or before is looked at; behind it the first match that has its evening ends the search.
    """
    before: Any = _last_before(table_id, moment)
    place = {"table": table_id, "moment": moment, "after": 0}
    while True:
        rows = [Counted(*row) for row in db.session.execute(BEHIND.limit(CHAIN), place)]
        changed: list[tuple[Counted, Counted]] = []
        for row in rows:
            right = row._replace(evening=_evening_after(before, row.counted_at, zone))
            if right.evening != row.evening:
                changed.append((row, right))
            elif row.counted_at > last:
                rows = []
                break
            before = right
        _set_evenings(table_id, changed)
        if len(rows) < CHAIN:
            return
        place |= {"moment": rows[-1].counted_at, "after": rows[-1].match}


def _set_evenings(table_id: int, changed: list[tuple[Counted, Counted]]) -> None:
    if not changed:
        return
    lock_rows(
        select(_SUMMARIES.match)
        .where(_SUMMARIES.table_id == table_id, _SUMMARIES.match.in_([one.match for _former, one in changed]))
        .order_by(_SUMMARIES.match)
    )
    rows = [{"of_table": table_id, "of_match": one.match, "new_evening": one.evening} for _former, one in changed]
    for statement in (SET_EVENING, SET_SEATS):
        db.session.execute(statement, rows)
    _move(table_id, changed)


def _move_typed(table: Table) -> None:
    """Move each result from paper to noon of its day in the table's zone."""
    query = select(_MATCHES.c.number, _ENTRIES.payload["date"].as_string()).join(
        _ENTRIES.payload.table,
        and_(_ENTRIES.table_id == _MATCHES.c.table_id, _ENTRIES.match == _MATCHES.c.number, _ENTRIES.seq == 1),
    )
    typed = db.session.execute(query.where(_MATCHES.c.table_id == table.id, _MATCHES.c.taken_up == 0)).all()
    moved = [
        {"of_table": table.id, "of_match": number, "noon": noon_of(date.fromisoformat(day), table.zone)}
        for number, day in typed
    ]
    if moved:
        for statement in (SET_START, SET_MOMENTS):
            db.session.execute(statement, moved)


def file_in_zone(table: Table) -> None:
    """Set the evenings of all matches of a table anew, because its zone has changed. Call inside ``writing()``.

    Results from paper move to noon of their day in that zone. The matches are locked.
    """
    _move_typed(table)
    settle(table.id, table.zone)


def settle(table_id: int, zone: str | None) -> None:
    """Set the evenings of all matches of a table, as far as they have changed. Call inside ``writing()``."""
    changed = []
    before: Any = None
    rows = db.session.execute(_READ.order_by(_SUMMARIES.counted_at, _SUMMARIES.match), {"table": table_id})
    for row in map(Counted._make, rows):
        right = row._replace(evening=_evening_after(before, row.counted_at, zone))
        if right.evening != row.evening:
            changed.append((row, right))
        before = right
    _set_evenings(table_id, changed)


class Rows(NamedTuple):
    """All these rows of a table, made from its summaries."""

    evenings: list[tuple[int, date]]
    """The day of each match."""
    seats: list[dict[str, Any]]
    line_ups: list[dict[str, Any]]


def rows_of(table_id: int, in_order: Iterable[Counted], zone: str | None) -> Rows:
    """Return the rows of a table whose matches come in the order in which they count."""
    sums: dict[Key, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    evenings: list[tuple[int, date]] = []
    seats: list[dict[str, Any]] = []
    before: Any = None
    for row in in_order:
        one = row._replace(evening=_evening_after(before, row.counted_at, zone))
        evenings.append((one.match, one.evening))
        seats += _seats_of(table_id, one)
        for key, counts in _counts_of(one):
            for place, number in enumerate(counts):
                sums[key][place] += number
        before = one
    return Rows(evenings, seats, _as_rows(table_id, sorted(sums.items())))


def file_anew(table_id: int, zone: str | None) -> None:
    """Make all these rows of a table again from its summaries. Call inside ``writing()``."""
    note_written(table_id)
    for rows in (_SEATS, _LINE_UPS):
        # Who sat in a deleted match is not in any summary, and is needed until that is gone for good.
        shown = select(_SUMMARIES.match).where(_SUMMARIES.table_id == table_id)
        kept = [_SEATS.c.match.in_(shown)] if rows is _SEATS else []
        db.session.execute(delete(rows).where(rows.c.table_id == table_id, *kept))
    ordered = _READ.order_by(_SUMMARIES.counted_at, _SUMMARIES.match)
    found = rows_of(table_id, map(Counted._make, db.session.execute(ordered, {"table": table_id})), zone)
    evenings = [{"of_table": table_id, "of_match": match, "new_evening": day} for match, day in found.evenings]
    for statement, made in ((SET_EVENING, evenings), (insert(_SEATS), found.seats), (ADD, found.line_ups)):
        if made:
            db.session.execute(statement, made)
