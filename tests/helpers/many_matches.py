"""Matches of a table that nobody has played: their rows alone, as many as a test or a bench asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import insert

from scorekeeper.store import history_rows
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import Match, MatchSummary, Player, Table, now

LABELS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class Played:
    """A match as its summary has it."""

    moment: datetime
    """When it began, and ended if it has."""
    sides: tuple[tuple[int, ...], ...] = ((1,), (2,))
    """The numbers of the players of each side."""
    game: str = "chorizo"
    status: str = "won"
    winner: int = 0
    """The place of the side that won, for the status ``won``."""
    doubt: timedelta | None = None
    """How long ago a deal of it was last disputed; None if none was."""
    decides: bool = False
    """True if that deal decides who won."""


def people(table: Table, *names: str) -> None:
    """Seat players of these names at the table, numbered from 1; call inside ``writing()``."""
    db.session.add_all(Player(table_id=table.id, number=number, name=name) for number, name in enumerate(names, 1))


def add(table: Table, played: Sequence[Played]) -> None:
    """Add these matches to a table that has none, numbered from 1, with all that follows from them."""
    with writing():
        for rows, of_match in ((Match, match_row), (MatchSummary, summary_row)):
            made = [{"table_id": table.id, **of_match(number, one)} for number, one in enumerate(played, 1)]
            if made:
                db.session.execute(insert(rows), made)
        table.last_match = len(played)
        history_rows.file_anew(table.id, table.zone)


def match_row(number: int, one: Played) -> dict[str, object]:
    """Return the columns of a match."""
    setup = {"game": one.game, "preset": None}
    return {"number": number, "head": 1, "setup": setup, "created_at": one.moment, "taken_up": number}


def summary_row(number: int, one: Played) -> dict[str, object]:
    """Return the columns of its summary."""
    labels = LABELS[: len(one.sides)]
    totals = {label: 10 + 11 * (at == one.winner) - at for at, label in enumerate(labels)}
    return {
        "match": number,
        "game": one.game,
        "status": one.status,
        "sides": [{"label": label, "players": list(each)} for label, each in zip(labels, one.sides, strict=True)],
        "totals": totals,
        "course": [{label: total * step // 5 for label, total in totals.items()} for step in range(1, 6)],
        "winners": [labels[one.winner]] if one.status == "won" else [],
        "deals": 5,
        "started_at": one.moment,
        "ended_at": None if one.status == "playing" else one.moment,
        "counted_at": one.moment,
        "evening": one.moment.date(),
        "doubt_deal": None if one.doubt is None else 2,
        "doubt_at": None if one.doubt is None else now() - one.doubt,
        "doubt_decides": one.doubt is not None and one.decides,
    }
