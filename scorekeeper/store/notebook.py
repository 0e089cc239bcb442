"""What the pages write: tables, matches and their entries, each with the summary row that follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import func, select

from . import journal, settlement
from .db import db, lock, writing
from .journal import MatchState, NewEntry, Setup, Side
from .models import Entry, Match, MatchSummary, Player, Table, now
from .standings import BrokenMatch, Standing, judge, standing_of

PROJECTED = frozenset({journal.MATCH_STARTED, journal.DEAL_CLOSED, journal.VOIDED, journal.MATCH_ENDED})


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
    known = {player.name.casefold(): player.number for player in players_of(table)}
    numbers = []
    for name in names:
        number = known.get(name.casefold())
        if number is None:
            number = known[name.casefold()] = max(known.values(), default=0) + 1
            db.session.add(Player(table_id=table.id, number=number, name=name))
        numbers.append(number)
    return numbers


def players_of(table: Table) -> list[Player]:
    """Return the table's players by number."""
    return list(db.session.scalars(select(Player).where(Player.table_id == table.id).order_by(Player.number)))


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
    started = db.session.scalar(select(Entry).where(Entry.table_id == table.id, Entry.id == entry_id))
    if started is not None:
        return db.session.get_one(Match, (table.id, started.match))
    lock(table)
    labelled = tuple(Side(chr(ord("A") + index), tuple(players)) for index, players in enumerate(sides))
    setup = Setup(game, preset, options, labelled, first_dealer, rules_name or None).as_json()
    last = db.session.scalar(select(func.max(Match.number)).where(Match.table_id == table.id)) or 0
    match = Match(table_id=table.id, number=last + 1, setup=setup)
    db.session.add(match)
    db.session.flush()
    record(match, [NewEntry(journal.MATCH_STARTED, {"setup": setup}, id=entry_id)], device=device)
    return match


def record(match: Match, new: Sequence[NewEntry], **written_by: Any) -> bool:
    """Append entries and bring the match's summary up to date; call inside ``writing()``. As ``journal.append``.

    A second closing of a closed deal takes nobody's place: it is written as ``confirmed`` where it comes to the same,
    else as ``deal_contested``. Raises ``Locked`` where an entry to be voided is part of an agreement.
    """
    if any(one.kind in (journal.DEAL_CLOSED, journal.VOIDED) for one in new):
        settled = _settled(match, new)
        if all(one.kind in journal.COUNTS_NOTHING for one in settled):
            # It is kept beside what was written meanwhile, whatever that is.
            written_by = {**written_by, "drawn_from": None}
        new = settled
    written = journal.append(match, new, **written_by)
    if written and any(one.kind in PROJECTED for one in new):
        project(match)
    return written


def _settled(match: Match, new: Sequence[NewEntry]) -> list[NewEntry]:
    """Return entries as they are to be written beside the closings that stand. Raises ``Locked``, ``BrokenMatch``."""
    lock(match)
    if not match.head or _is_written(match, new):
        return list(new)
    state = standing_of(match).state
    voided = [one.payload["entry"] for one in new if one.kind == journal.VOIDED]
    settlement.guard(state, voided)
    closings = [settlement.beside(state, one, voided) if one.kind == journal.DEAL_CLOSED else one for one in new]
    for one in closings:
        if one.kind == journal.DEAL_CONTESTED:
            _refuse_impossible(state, one)
    return closings


def _is_written(match: Match, new: Sequence[NewEntry]) -> bool:
    ids = [one.id for one in new]
    return bool(db.session.scalar(select(Entry.id).where(Entry.table_id == match.table_id, Entry.id.in_(ids)).limit(1)))


def _refuse_impossible(state: MatchState, contested: NewEntry) -> None:
    deal = next(one for one in state.closed if one.number == contested.payload["deal"])
    sheet = settlement.scored(state, deal, contested.payload["facts"])
    if sheet["status"] == "invalid":
        raise BrokenMatch(sheet["problems"])


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
    entry = db.session.get(Entry, (match.table_id, entry_id))
    return None if entry is None else entry.kind


def take(match: Match, deal: int, entry_id: str, form_id: str, **written_by: Any) -> bool:
    """Let one closing of a contested deal stand, and say whether that was needed; call inside ``writing()``.

    The one that stands is confirmed by whoever takes it; another one takes its place, told as it was. What was not
    taken is voided, and stays in the journal. ``form_id`` makes a repeated post one choice.
    Raises ``NotThere`` where that closing is not among them, ``Locked`` where another one is agreed on.
    """
    lock(match)
    state = standing_of(match).state
    one = next((one for one in state.closed if one.number == deal), None)
    chosen = settlement.chosen(one, entry_id) if one is not None else None
    if one is None or chosen is None:
        if kind_of(match, form_id) is not None:
            return False
        raise journal.NotThere(entry_id)
    return record(match, settlement.taking(one, chosen, form_id), **written_by)


def project(match: Match) -> Standing:
    """Write the match's summary row from its journal."""
    standing = judge(journal.replay(journal.entries_of(match)))
    summary = db.session.get(MatchSummary, (match.table_id, match.number))
    if summary is None:
        summary = MatchSummary(table_id=match.table_id, match=match.number, started_at=match.created_at or now())
        db.session.add(summary)
    state, result = standing.state, standing.result
    over = standing.is_over
    summary.game = state.setup.game
    summary.status = "won" if result["status"] == "won" else "ended" if over else "playing"
    summary.sides = state.setup.as_json()["sides"]
    summary.totals = result["totals"]
    summary.course = standing.course
    summary.winners = standing.winners
    summary.deals = sum(1 for _deal, sheet in standing.sheets if not sheet.get("redeal"))
    written = [deal.closed.created_at for deal in state.closed if deal.closed]
    summary.ended_at = (state.ended.created_at if state.ended else max(written, default=now())) if over else None
    return standing


def rebuild() -> Iterator[tuple[int, int]]:
    """Make every summary row again from the journals; yields each (table, match) done, a transaction each."""
    keys = list(db.session.execute(select(Match.table_id, Match.number).order_by(Match.table_id, Match.number)))
    for table_id, number in keys:
        with writing():
            match = db.session.get(Match, (table_id, number))
            if match is not None:
                project(match)
        yield table_id, number
