"""What the pages write: tables, matches and their entries, each with the summary row that follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import bindparam, func, insert, select, update

from ..names import same
from . import journal, queries, settlement
from .db import Base, db, lock, writing
from .journal import MatchState, NewEntry, Setup, Side
from .models import Match, MatchSummary, Player, Table, now
from .standings import BrokenMatch, Standing, note, standing_after, standing_of

PROJECTED = frozenset({journal.MATCH_STARTED, journal.DEAL_CLOSED, journal.VOIDED, journal.MATCH_ENDED})
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
INSERT_SUMMARY = insert(_SUMMARIES)
FOLLOWS = ("game", "status", "sides", "totals", "course", "winners", "deals", "ended_at")
"""The columns of a summary that follow from the journal."""
UPDATE_SUMMARY = (
    update(_SUMMARIES)
    .where(_SUMMARIES.c.table_id == bindparam("of_table"), _SUMMARIES.c.match == bindparam("of_match"))
    .values({name: bindparam(f"new_{name}") for name in FOLLOWS})
)


def open_table(name: str, form_id: str) -> Table:
    """Make a table, or return the one that this very form made before; call inside ``writing()``."""
    table = db.session.scalar(select(Table).where(Table.form_id == form_id))
    if table is None:
        table = Table(name=name, form_id=form_id)
        db.session.add(table)
        db.session.flush()
    return table


def seat_players(table: Table, names: Sequence[str]) -> list[int]:
    """Return the players' numbers: whoever has that name at this table already, else someone new."""
    known = {same(name): number for number, name in queries.player_names(table).items()}
    numbers = []
    for name in names:
        number = known.get(same(name))
        if number is None:
            number = known[same(name)] = max(known.values(), default=0) + 1
            db.session.add(Player(table_id=table.id, number=number, name=name))
        numbers.append(number)
    return numbers


def start_match(
    table: Table,
    entry_id: str,
    *,
    game: str,
    preset: str | None,
    options: dict[str, Any],
    sides: Sequence[Sequence[int]],
    first_dealer: int,
    rules_name: str | None = None,
    device: str | None = None,
) -> Match:
    """Start a match, or return the one that this very form started; call inside ``writing()``.

    ``sides`` are lists of player numbers in playing order, ``options`` every option resolved, ``first_dealer`` a seat,
    ``rules_name`` the name under which the table keeps these house rules.
    """
    started = journal.entry_by_id(table.id, entry_id)
    if started is not None:
        return db.session.get_one(Match, (table.id, started[0]))
    lock(table)
    labelled = tuple(Side(chr(ord("A") + index), tuple(players)) for index, players in enumerate(sides))
    setup = Setup(game, preset, options, labelled, first_dealer, rules_name or None).as_json()
    last = db.session.scalar(select(func.max(Match.number)).where(Match.table_id == table.id)) or 0
    match = Match(table_id=table.id, number=last + 1, setup=setup)
    db.session.add(match)
    db.session.flush()
    record(match, [NewEntry(journal.MATCH_STARTED, {"setup": setup}, id=entry_id)], device=device)
    return match


def record(match: Match, new: Sequence[NewEntry], *, drawn_from: int | None = None, **written_by: Any) -> bool:
    """Append entries and bring the match's summary up to date; call inside ``writing()``. As ``journal.append``.

    A second closing of a closed deal takes nobody's place: it is written as ``confirmed`` where it comes to the same,
    else as ``deal_contested``. Raises ``Locked`` where an entry to be voided is part of an agreement.
    """
    lock(match)
    if not new or journal.are_written(match, new, drawn_from):
        return False
    before = standing_of(match) if match.head and any(one.kind in PROJECTED for one in new) else None
    if before and any(one.kind in (journal.DEAL_CLOSED, journal.VOIDED) for one in new):
        new = _settled(before.state, new)
        if all(one.kind in journal.COUNTS_NOTHING for one in new):
            # It is kept beside what was written meanwhile, whatever that is.
            drawn_from = None
    journal.refuse_stale(match, drawn_from)
    head = match.head
    written = journal.write(match, new, **written_by)
    if any(one.kind in PROJECTED for one in new):
        _project(match, standing_after(match, before, written))
    else:
        note(match, head, written)
    return True


def _settled(state: MatchState, new: Sequence[NewEntry]) -> list[NewEntry]:
    """Return entries as they are to be written beside the closings that stand. Raises ``Locked``, ``BrokenMatch``."""
    voided = [one.payload["entry"] for one in new if one.kind == journal.VOIDED]
    settlement.guard(state, voided)
    closings = [settlement.beside(state, one, voided) if one.kind == journal.DEAL_CLOSED else one for one in new]
    for one in closings:
        deal = state.closed_deal(one.payload["deal"]) if one.kind == journal.DEAL_CONTESTED else None
        if deal is not None:
            sheet = settlement.scored(state, deal, one.payload["facts"])
            if sheet["status"] == "invalid":
                raise BrokenMatch(sheet["problems"])
    return closings


def undo(match: Match, entry_id: str, **written_by: Any) -> bool:
    """Void an entry and bring the match's summary up to date; call inside ``writing()``. As ``journal.void``.

    Raises ``Locked`` where the entry is part of an agreement.
    """
    lock(match)
    settlement.guard(standing_of(match).state, [entry_id])
    written = journal.void(match, entry_id, **written_by)
    if written:
        project(match)
    return written


def kind_of(match: Match, entry_id: str) -> str | None:
    """Return what an entry was written as, None where there is no such entry at this table."""
    found = journal.entry_by_id(match.table_id, entry_id)
    return None if found is None else found[1].kind


def take(match: Match, deal: int, entry_id: str, form_id: str, **written_by: Any) -> bool:
    """Let one closing of a contested deal stand, and say whether that was needed; call inside ``writing()``.

    The one that stands is confirmed by whoever takes it; another one takes its place, told as it was. What was not
    taken is voided, and stays in the journal. ``form_id`` makes a repeated post one choice.
    Raises ``NotThere`` where that closing is not among them, ``Locked`` where another one is agreed on.
    """
    lock(match)
    state = standing_of(match).state
    one = state.closed_deal(deal)
    chosen = settlement.chosen(one, entry_id) if one is not None else None
    if one is None or chosen is None:
        if kind_of(match, form_id) is not None:
            return False
        raise journal.NotThere(entry_id)
    return record(match, settlement.taking(one, chosen, form_id), **written_by)


def project(match: Match) -> None:
    """Write the match's summary row from its journal."""
    _project(match, standing_of(match))


def _project(match: Match, standing: Standing) -> None:
    """Write the match's summary row, as the match stands."""
    follows = _summary(standing)
    which = {"of_table": match.table_id, "of_match": match.number}
    updated = db.session.execute(UPDATE_SUMMARY, {**which, **{f"new_{name}": follows[name] for name in FOLLOWS}})
    if not updated.rowcount:  # type: ignore[attr-defined]
        key = {"table_id": match.table_id, "match": match.number, "started_at": match.created_at or now()}
        db.session.execute(INSERT_SUMMARY, {**key, **follows})


def _summary(standing: Standing) -> dict[str, Any]:
    """Return what history shows of a match, by the columns of its summary."""
    state, result, over = standing.state, standing.result, standing.is_over
    written = [deal.closed.created_at for deal in state.closed if deal.closed]
    return {
        "game": state.setup.game,
        "status": "won" if result["status"] == "won" else "ended" if over else "playing",
        "sides": state.setup.as_json()["sides"],
        "totals": result["totals"],
        "course": standing.course,
        "winners": standing.winners,
        "deals": sum(1 for _deal, sheet in standing.sheets if not sheet.get("redeal")),
        "ended_at": (state.ended.created_at if state.ended else max(written, default=now())) if over else None,
    }


def rebuild() -> Iterator[tuple[int, int]]:
    """Make every summary row again from the journals; yields each (table, match) done, a transaction each."""
    keys = list(db.session.execute(select(Match.table_id, Match.number).order_by(Match.table_id, Match.number)))
    for table_id, number in keys:
        with writing():
            match = db.session.get(Match, (table_id, number))
            if match is not None:
                project(match)
        yield table_id, number
