"""What is written is judged before anybody has to wait for it: while the write lock is held, nothing is scored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.store import commands, standings
from scorekeeper.store import db as database_module
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, Stale, entries_of
from scorekeeper.store.models import Match, Table
from scorekeeper.store.standings import BrokenMatch, standing_of

from .conftest import start


def closing(deal: int = 1, id: str | None = None, **sweeps: int) -> NewEntry:
    facts = {"sweeps": {"A": 0, "B": 0, **sweeps}}
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": facts}, id=id or str(uuid4()))


def close(match: Match, *new: NewEntry, **how: Any) -> int:
    return commands.write(match, lambda: commands.draft(match, new, **how))


class Watch:
    """Counts what the engine is asked while the write transaction is open, and how often that is opened."""

    def __init__(self) -> None:
        self.is_open, self.scored, self.opened = False, 0, 0


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch()
    whole = database_module.writing

    @contextmanager
    def watched(**how: Any) -> Iterator[None]:
        with whole(**how):
            watch.is_open = True
            watch.opened += 1
            try:
                yield
            finally:
                watch.is_open = False

    def counted(door: Any) -> Any:
        def ask(*told: Any, **how: Any) -> Any:
            watch.scored += watch.is_open
            return door(*told, **how)

        return ask

    together = commands.write_together

    def beside(*told: Any, **how: Any) -> bool:
        watch.is_open = True
        is_written = together(*told, **how)
        watch.is_open = False
        watch.opened += is_written
        return is_written

    monkeypatch.setattr(commands, "writing", watched)
    monkeypatch.setattr(commands, "write_together", beside)
    for door in ("score", "match"):
        monkeypatch.setattr(rules, door, counted(getattr(rules, door)))
    return watch


def test_a_deal_is_closed_corrected_and_taken_back_without_scoring_under_the_lock(match: Match, watch: Watch) -> None:
    first = closing(A=3)
    assert close(match, first) == 2
    again = closing(A=2, B=1)
    assert close(match, NewEntry(kinds.VOIDED, {"entry": first.id}), again, drawn_from=2) == 4
    assert commands.write(match, lambda: commands.draft_undo(match, again.id)) == 5
    assert (watch.scored, watch.opened) == (0, 3)
    assert standing_of(match).result["totals"] == {"A": 0, "B": 0}


def test_a_rival_is_stored_and_chosen_without_scoring_under_the_lock(match: Match, watch: Watch) -> None:
    first, rival = closing(A=3), closing(B=3)
    commands.write(match, lambda: commands.draft(match, [first], author="A"))
    commands.write(match, lambda: commands.draft(match, [rival], author="B", drawn_from=1))
    taking = NewEntry(kinds.PROPOSED, {"deal": 1, "entry": first.id, "takes": rival.id})
    assert commands.write(match, lambda: commands.draft(match, [taking], author="A"))
    assert watch.scored == 0
    assert standing_of(match).result["totals"] == {"A": 0, "B": 3}


def test_what_somebody_else_wrote_meanwhile_is_judged_too(app: Flask, match: Match) -> None:
    number, table_id, turns = match.number, match.table_id, 0

    def drafted() -> commands.Draft:
        nonlocal turns
        turns += 1
        found = commands.draft(match, [closing(deal=2, A=1)])
        if turns == 1:
            with app.app_context(), writing():
                commands.record(db.session.get_one(Match, (table_id, number)), [closing(deal=1, B=2)])
        return found

    assert commands.write(match, drafted) == 3
    assert turns == 2
    assert standing_of(match).result["totals"] == {"A": 1, "B": 2}


def test_a_closing_that_was_overtaken_before_it_could_be_written_is_stale(app: Flask, match: Match) -> None:
    number, table_id, turns = match.number, match.table_id, 0

    def drafted() -> commands.Draft:
        nonlocal turns
        turns += 1
        found = commands.draft(match, [closing(A=1)], drawn_from=1)
        if turns == 1:
            sweep = NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})
            with app.app_context(), writing():
                commands.record(db.session.get_one(Match, (table_id, number)), [sweep])
        return found

    with pytest.raises(Stale):
        commands.write(match, drafted)
    assert [one.kind for one in entries_of(match)] == [kinds.MATCH_STARTED, kinds.SWEPT]


def test_a_sweep_beside_a_sweep_is_not_judged_again(app: Flask, match: Match) -> None:
    number, table_id, turns = match.number, match.table_id, 0

    def drafted() -> commands.Draft:
        nonlocal turns
        turns += 1
        found = commands.draft(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
        other = NewEntry(kinds.SWEPT, {"deal": 1, "side": "B", "count": 1})
        with app.app_context(), writing():
            commands.record(db.session.get_one(Match, (table_id, number)), [other])
        return found

    assert commands.write(match, drafted) == 3
    assert turns == 1
    assert standing_of(match).state.current.facts() == {"sweeps": {"A": 1, "B": 1}}


def test_an_entry_that_is_overtaken_again_and_again_is_finally_written(app: Flask, match: Match) -> None:
    number, table_id, deals = match.number, match.table_id, iter(range(1, 100))

    def drafted() -> commands.Draft:
        found = commands.draft(match, [closing(deal=50, A=1)])
        if db.session.info.get(database_module.ONCE_COMMITTED) is None:
            with app.app_context(), writing():
                commands.record(db.session.get_one(Match, (table_id, number)), [closing(deal=next(deals))])
        return found

    assert commands.write(match, drafted)
    assert standing_of(match).state.closed_deal(50)


def test_a_long_match_that_a_correction_ends_early_is_judged_in_one_pass(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    with writing():
        match = start(table, target=5)
    for deal in range(1, 41):
        close(match, closing(deal=deal))
    first = standing_of(match).state.closed_deal(1)
    assert first is not None
    assert first.closed is not None
    asked = []
    whole = rules.match
    monkeypatch.setattr(rules, "match", lambda *told, **how: asked.append(1) or whole(*told, **how))
    awards = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}
    won = NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"awards": awards}})
    close(match, NewEntry(kinds.VOIDED, {"entry": first.closed.id}), won)
    assert len(asked) == 1
    standing = standing_of(match)
    assert (standing.winners, len(standing.sheets), len(standing.state.closed)) == (["A"], 1, 40)


class TestADealTooHardToSettle:
    """Its sheet is open because the engine's work has a bound: saved, it could never be settled."""

    @pytest.fixture(autouse=True)
    def spent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = rules.score
        problem = {"severity": "warning", "code": standings.BUDGET_SPENT, "where": "", "message": "Too many ways."}

        def spent(request: Any, **how: Any) -> dict[str, Any]:
            return {**whole(request, **how), "status": "open", "problems": [problem]}

        monkeypatch.setattr(rules, "score", spent)

    def test_a_deal_too_hard_to_settle_is_refused_when_it_is_saved(self, match: Match) -> None:
        with pytest.raises(BrokenMatch) as refused:
            close(match, closing(A=1))
        assert [(one["code"], one["severity"]) for one in refused.value.problems] == [("budget_spent", "error")]
        assert match.head == 1

    def test_a_deal_too_hard_to_settle_is_never_refused_when_it_is_read(
        self, match: Match, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.undo()
        close(match, closing(A=1))
        deal = standing_of(match).state.closed_deal(1)
        assert deal is not None
        self.spent.__wrapped__(self, monkeypatch)  # type: ignore[attr-defined]
        assert standings.score_deal(standing_of(match).state, deal)["status"] != "invalid"
        assert standing_of(match).result["totals"] == {"A": 1, "B": 0}
