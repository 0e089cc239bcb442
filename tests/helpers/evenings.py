"""Evenings at which anything is done, in any order: hypothesis draws the acts, and what cannot be done is refused."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from typing import Any
from uuid import uuid4

from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.store import commands, deleted, ownership, people, queries
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalError, NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Entry, Match, new_key
from scorekeeper.store.standings import BrokenMatch, standing_of

from ..store.conftest import start

AWARDS = dict.fromkeys(("cards", "coins", "seven_of_coins", "two_of_clubs", "prime"), "A")
FACTS: Mapping[str, Any] = {"awards": AWARDS, "sweeps": {"A": 0, "B": 1}}
OTHER: Mapping[str, Any] = {"awards": {**AWARDS, "coins": "B"}}


def closing(deal: int = 1, facts: Mapping[str, Any] = FACTS) -> NewEntry:
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": facts})  # type: ignore[typeddict-item]


ACTS = ("sweep", "close", "correct", "contest", "confirm", "dispute", "propose", "note", "end", "start", "resume")
SELDOM = (
    "hide",
    "rename",
    "typed",
    "substitute",
    "enter",
    "leave",
    "zone",
    "merge",
    "points",
    "void",
    "hold",
    "newcomers",
    "show",
    "guest",
    "forget",
)
an_act = st.tuples(st.sampled_from(ACTS + SELDOM), st.integers(0, 7))
evenings = st.lists(an_act, max_size=25)
long_evenings = st.lists(an_act, min_size=10, max_size=25)
PHONES = [new_key() for _ in range(3)]
REFUSALS = (JournalError, BrokenMatch, Gone, ownership.NameTaken, people.SatTogether, people.SamePerson)


class Evening:
    """A table at which anything is done; what cannot be done is refused, as on a phone."""

    def __init__(self) -> None:
        with writing():
            self.table = commands.open_table("Los jueves", str(uuid4()))
            self.match = start(self.table)

    def do(self, act: str, pick: int) -> bool:
        """Do something, one of the ways in which it can be done; return whether it was done, and not refused."""
        with suppress(*REFUSALS), writing():
            getattr(self, f"_{act}")(pick)
            return True
        return False

    def _record(self, pick: int, kind: str, **payload: Any) -> None:
        how: dict[str, Any] = {"author": "AB"[pick % 2], "device": PHONES[pick % 3], "player": pick % 2 + 1}
        commands.record(self.match, [NewEntry(kind, payload)], **(how if pick < 6 else {}))  # type: ignore[arg-type]

    def _entries(self, *of: str) -> list[Entry]:
        its = (Entry.table_id == self.table.id, Entry.match == self.match.number)
        found = db.session.scalars(select(Entry).where(*its).order_by(Entry.seq))
        return [entry for entry in found if entry.kind in of or not of]

    def _deal(self) -> int:
        return 1 + max((entry.payload["deal"] for entry in self._entries(kinds.DEAL_CLOSED)), default=0)

    def _closing(self) -> Entry:
        found = self._entries(kinds.DEAL_CLOSED)
        if not found:
            raise BrokenMatch([])
        return found[-1]

    def _sweep(self, pick: int) -> None:
        self._record(pick, kinds.SWEPT, deal=self._deal(), side="AB"[pick % 2], count=1)

    def _points(self, pick: int) -> None:
        self._record(pick, kinds.ADJUSTED, deal=self._deal(), side="A", points=pick - 9, reason="bet")

    def _close(self, pick: int) -> None:
        self._record(pick, kinds.DEAL_CLOSED, deal=self._deal(), facts=[FACTS, OTHER][pick % 2])

    def _correct(self, pick: int) -> None:
        last = self._closing()
        new = [NewEntry(kinds.VOIDED, {"entry": last.id}), closing(last.payload["deal"], OTHER)]
        commands.record(self.match, new, author="A", device=PHONES[pick % 3])

    def _contest(self, pick: int) -> None:
        self._record(pick, kinds.DEAL_CLOSED, deal=self._closing().payload["deal"], facts=[OTHER, FACTS][pick % 2])

    def _about(self, pick: int, kind: str, **more: Any) -> None:
        last = self._closing()
        self._record(pick, kind, deal=last.payload["deal"], entry=last.id, side="AB"[pick % 2], **more)

    def _confirm(self, pick: int) -> None:
        self._about(pick, kinds.CONFIRMED)

    def _dispute(self, pick: int) -> None:
        self._about(pick, kinds.DISPUTED, **({"line": "coins"} if pick % 3 else {}))

    def _propose(self, pick: int) -> None:
        asked = self._entries(kinds.PROPOSED)
        if asked and pick % 2:
            self._about(pick // 2, kinds.PROPOSAL_ACCEPTED, asked=asked[-1].id)
        else:
            self._about(pick // 2, kinds.PROPOSED, facts=OTHER)

    def _note(self, pick: int) -> None:
        self._record(pick, kinds.MATCH_NOTED, note="ñandú 🂡", stakes="")

    def _end(self, pick: int) -> None:
        self._record(pick, kinds.MATCH_ENDED, **({"leader": True} if pick % 2 else {}))

    def _start(self, pick: int) -> None:
        self.match = start(self.table, sides=2 + pick % 3, target=(11, 21, 41)[pick % 3])

    def _resume(self, pick: int) -> None:
        self.match = db.session.get(Match, (self.table.id, 1 + pick % self.table.last_match)) or self.match
        self._record(pick, kinds.MATCH_RESUMED)

    def _hide(self, _pick: int) -> None:
        deleted.hide(self.table, self.match)
        self.match = start(self.table)

    def _show(self, pick: int) -> None:
        deleted.bring_back(self.table, 1 + pick % self.table.last_match)

    def _rename(self, pick: int) -> None:
        ownership.rename_player(self.table, 1 + pick % 2, f"Ana {pick}", str(uuid4()), device=PHONES[0])

    def _typed(self, pick: int) -> None:
        numbers = commands.seat_players(self.table, ["Ana", "Beto"])
        agreed = Setup("brisca", None, {}, sides_of([numbers[:1], numbers[1:]]), 0)
        result = commands.TypedResult(date(2026, 5, 1 + pick), {"A": 3, "B": pick}, ["A"])
        commands.type_result(self.table, str(uuid4()), agreed, result)

    def _substitute(self, pick: int) -> None:
        [player] = commands.seat_players(self.table, ["Sofi"])
        self._record(pick, kinds.SUBSTITUTED, deal=self._deal(), player=player, other=1)

    def _enter(self, pick: int) -> None:
        if len(standing_of(self.match).state.setup_to_come.sides) == 4:
            # The page refuses a fifth side, which the game does not have.
            return
        [player] = commands.seat_players(self.table, ["Tina"])
        self._record(pick, kinds.ENTERED, deal=self._deal(), side="E", player=player, points=pick)

    def _leave(self, pick: int) -> None:
        self._record(pick, kinds.LEFT, deal=self._deal(), side="B")

    def _zone(self, pick: int) -> None:
        ownership.set_zone(self.table, ["America/Montevideo", "Asia/Tokyo", "Europe/Rome"][pick % 3])

    def _newcomers(self, _pick: int) -> None:
        self.match = start(self.table, names=["Anita", "Tina"])

    def _someone(self, pick: int) -> int:
        found = list(queries.player_names(self.table).people)
        if not found:
            raise Gone
        return found[pick % len(found)]

    def _merge(self, pick: int) -> None:
        people.merge(self.table, self._someone(-pick), self._someone(pick // 3), str(uuid4()))

    def _guest(self, pick: int) -> None:
        people.mark_guest(self.table, self._someone(pick), is_guest=True)

    def _forget(self, pick: int) -> None:
        people.forget(self.table, self._someone(pick), str(uuid4()))

    def _void(self, pick: int) -> None:
        found = [entry for entry in self._entries() if entry.kind not in kinds.NEVER_VOIDED]
        if found:
            commands.undo(self.match, found[pick % len(found)].id, device=PHONES[pick % 3])

    def _hold(self, pick: int) -> None:
        self._record(pick, kinds.PHONE_HELD, player=None if pick % 2 else 1)
