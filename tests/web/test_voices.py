"""Who may speak for a side: one phone has one voice, and the server checks it."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from scorekeeper.store import heard, queries, voices
from scorekeeper.store.db import db
from scorekeeper.store.digests import mark_at
from scorekeeper.store.journal import entries as journal_entries
from scorekeeper.store.journal.entries import JournalEntry
from scorekeeper.store.models import HeardPhone, now

from .conftest import ON_TRUST, Player, join, open_table, with_fields

ANA, BETO = 1, 2
FACTS = [ON_TRUST, {**ON_TRUST, "award-prime": "A"}, {**ON_TRUST, "award-coins": "B"}]
TO_31 = {"opt-target": "31", "step": "save"}
SIDES = strategies.sampled_from("AB")
PLAYERS = {"A": ANA, "B": BETO}


class Clock:
    """The server's clock, which a test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = timedelta()
        for module in (heard, voices, journal_entries):
            monkeypatch.setattr(module, "now", self)

    def __call__(self) -> datetime:
        return now() + self.ahead

    def wait(self, **time: float) -> None:
        self.ahead += timedelta(**time)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def table(app: Flask) -> Player:
    """The phone that opened the table: nobody has said whose it is."""
    return open_table(app)


def use(player: Player) -> None:
    """Open the board."""
    assert player.get().status == 200


def say(player: Player, what: str, side: str, deal: int = 1, **fields: str) -> int:
    """Post a statement about the closing that counts; return the status."""
    closed = player.standing().state.closed_deal(deal)
    entry = closed.closed.id if closed is not None and closed.closed is not None else ""
    data = {"id": str(uuid4()), "entry": entry, "side": side, **fields}
    return player.post(f"{player.deal(deal)}/{what}", data).status


def close_deal(player: Player, facts: dict[str, str], deal: int = 1) -> int:
    return player.post(
        player.deal(deal) + "/close", with_fields(player.closing(deal), {**facts, "step": "save"})
    ).status


def undo(player: Player, entry: JournalEntry) -> int:
    return player.post(f"/matches/1/undo/{entry.id}", {"id": str(uuid4())}).status


def push(player: Player, kind: str, fields: dict[str, list[str]], **more: Any) -> str:
    entry = {"id": str(uuid4()), "kind": kind, "match": 1, "fields": fields, **more}
    answer = player.client.post("/api/v1/entries", json={"table": player.key, "entries": [entry]})
    return str(answer.json["answers"][0]["status"])  # type: ignore[index]


def newest(player: Player) -> JournalEntry:
    return player.entries()[-1]


class TestASideWithAVoice:
    def test_says_yes_on_its_own_phone_only(self, app: Flask, table: Player) -> None:
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        assert say(ana, "accept", "B") == 409
        assert say(table, "accept", "B") == 409
        assert "confirmed" not in table.kinds()
        assert say(beto, "accept", "B") == 303

    def test_is_told_by_name_and_for_how_long(self, app: Flask, table: Player) -> None:
        ana, _beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        fields = {"id": str(uuid4()), "entry": newest(ana).id, "side": "B"}
        words = ana.post(ana.deal() + "/accept", fields).words
        assert "that is said on the phone of Beto, which is at this table" in words
        assert "in 15 minutes" in words

    def test_answers_other_rules_on_its_own_phone_only(self, app: Flask, table: Player) -> None:
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        form = ana.get("/matches/1/rules/change").form("agree")
        assert ana.post("/matches/1/rules/change", with_fields(form, TO_31)).status == 303
        asked = newest(ana).id
        fields = {"id": str(uuid4()), "asked": asked, "side": "B"}
        assert ana.post("/matches/1/rules/accept", fields).status == 409
        assert ana.post("/matches/1/rules/decline", fields).status == 409
        assert beto.post("/matches/1/rules/accept", fields).status == 303
        assert "rules_changed" in table.kinds()

    def test_takes_back_itself_what_it_said(self, app: Flask, table: Player) -> None:
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        say(beto, "dispute", "B")
        dispute = newest(beto)
        nobody = Player(app, app.test_client(use_cookies=False), table.key)
        assert push(nobody, "voided", {"entry": [dispute.id]}) == "stale"
        assert push(ana, "voided", {"entry": [dispute.id]}) == "stale"
        assert newest(table).id == dispute.id
        assert undo(beto, dispute) == 303

    def test_keeps_its_voice_for_a_quarter_of_an_hour_without_a_touch(
        self, app: Flask, table: Player, clock: Clock
    ) -> None:
        ana, _beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        clock.wait(minutes=14)
        assert say(ana, "accept", "B") == 409
        clock.wait(minutes=2)
        assert say(ana, "accept", "B") == 303

    def test_keeps_it_while_somebody_looks_at_a_page(self, app: Flask, table: Player, clock: Clock) -> None:
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        for _turn in range(3):
            clock.wait(minutes=10)
            use(beto)
        assert say(ana, "accept", "B") == 409

    def test_keeps_it_an_hour_longer_while_its_page_listens(self, app: Flask, table: Player, clock: Clock) -> None:
        ana, beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(ana, FACTS[0])
        use(beto)
        for minutes in range(0, 70, 5):
            beto.client.get(f"/t/{beto.key}/live").close()
            clock.wait(minutes=5)
            assert say(ana, "accept", "B") == 409, minutes
        beto.client.get(f"/t/{beto.key}/live").close()
        clock.wait(minutes=10)
        assert say(ana, "accept", "B") == 303

    def test_carries_it_into_the_rematch(self, app: Flask, table: Player) -> None:
        ana, _beto = join(app, table, ANA), join(app, table, BETO)
        table.stop()
        assert table.post("/matches/1/rematch", table.get().form(action="/rematch")).status == 303
        use(_beto)
        path = ana.deal(1, 2)
        form = with_fields(ana.closing(1, 2), {**FACTS[0], "step": "save"})
        assert ana.post(path + "/close", form).status == 303
        fields = {"id": str(uuid4()), "entry": ana.entries(2)[-1].id, "side": "B"}
        assert ana.post(path + "/accept", fields).status == 409


class TestTheTablesPhone:
    def test_is_the_first_that_is_made_everybodys_and_speaks_for_all(self, app: Flask, table: Player) -> None:
        middle, later = join(app, table), join(app, table)
        join(app, table, ANA), join(app, table, BETO)
        close_deal(table, FACTS[0])
        assert say(later, "accept", "A") == 409
        assert say(middle, "accept", "A") == 303
        assert say(middle, "accept", "B") == 303
        assert "said on the table's phone" in middle.get(middle.deal()).words

    def test_is_one_only_for_deals_that_were_closed_after_it_became_that(self, app: Flask, table: Player) -> None:
        _ana, _beto = join(app, table, ANA), join(app, table, BETO)
        close_deal(table, FACTS[0])
        middle = join(app, table)
        assert say(middle, "accept", "A") == 409
        close_deal(table, FACTS[0], 2)
        assert say(middle, "accept", "A", 2) == 303

    def test_stays_it_in_the_rematch(self, app: Flask, table: Player) -> None:
        middle = join(app, table)
        middle.sweep("A")
        table.stop()
        table.post("/matches/1/rematch", table.get().form(action="/rematch"))
        found = table.standing(2).state.table_phone
        assert found is not None
        assert (found.device, found.since) == (table.standing().state.table_phone.device, 1)  # type: ignore[union-attr]
        assert list(table.entries(2)[0].payload["phones"].values()) == [None]


class TestAPhoneThatSpoke:
    def test_for_one_side_closes_the_deal_otherwise_in_nobodys_name(self, app: Flask, table: Player) -> None:
        ana, _beto = join(app, table, ANA), join(app, table, BETO)
        table_form = with_fields(ana.closing(), {**FACTS[1], "step": "save"})
        close_deal(ana, FACTS[0])
        ana.hold(BETO)
        assert ana.post(ana.deal() + "/close", table_form).status == 303
        assert (newest(ana).kind, newest(ana).author) == ("deal_contested", None)

    def test_speaks_for_a_side_without_a_voice_whoever_holds_it(self, app: Flask, table: Player) -> None:
        ana = join(app, table, ANA)
        close_deal(ana, FACTS[0])
        ana.hold(BETO)
        assert say(ana, "accept", "B") == 303


def test_what_was_said_for_a_side_before_its_phone_joined_stays(app: Flask, table: Player) -> None:
    ana = join(app, table, ANA)
    close_deal(ana, FACTS[0])
    assert say(ana, "accept", "B") == 303
    beto = join(app, table, BETO)
    assert "Agreed: changed only by all sides" in beto.get(beto.deal()).words
    assert "said on Ana's phone" in beto.get(beto.deal()).words


def test_a_phone_at_a_table_is_one_row_that_goes_with_the_table(app: Flask, table: Player, clock: Clock) -> None:
    ana = join(app, table, ANA)
    for _turn in range(4):
        use(ana)
        clock.wait(minutes=3)
    with app.app_context():
        assert [row.used_at < row.listened_at + timedelta(1) for row in db.session.query(HeardPhone)] == [True]


def test_a_phone_that_cannot_be_noted_is_answered_all_the_same(
    app: Flask, table: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = join(app, table, ANA)

    def fail(*_args: object, **_named: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(heard, "note", fail)
    use(ana)
    assert ana.get().status == 200


# ---------------------------------------------------------------- any order of acts

RUNS = int(os.environ.get("SCOREKEEPER_VOICES", "12"))
SAID = {
    "confirmed",
    "disputed",
    "proposed",
    "proposal_accepted",
    "proposal_declined",
    "rules_proposed",
    "rules_accepted",
    "rules_declined",
}
ABOUT_A_DEAL = {"deal_closed", "deal_contested", "confirmed", "disputed", "proposed", "proposal_accepted"} | {
    "proposal_declined"
}


class AtATable(RuleBasedStateMachine):
    """Phones that come, change hands, close, agree and quarrel; a second opinion says who may speak for whom."""

    app: Flask
    clock: Clock

    phones: list[Player]
    held: list[int | None]
    """Who holds each phone, by what its cookie says."""

    @initialize()
    def open(self) -> None:
        self.phones, self.held = [open_table(self.app)], [None]
        with self.app.app_context():
            table = queries.table_by_play_key(self.phones[0].key)
            assert table is not None
            self.table_id = table.id
        self.used: dict[str, datetime] = {}
        self.stale: list[tuple[Player, str]] = []

    # ------------------------------------------------ the second opinion

    def mark(self, which: int) -> str | None:
        with self.phones[which].client.session_transaction() as session:
            return mark_at(session["device"], self.table_id) if "device" in session else None

    def holders(self, entries: list[JournalEntry]) -> dict[str, int | None]:
        found: dict[str, int | None] = {}
        for entry in entries:
            if entry.device is not None and entry.kind == "phone_held":
                found[entry.device] = entry.payload["player"]
            elif entry.device is not None and "by" in entry.payload:
                found[entry.device] = entry.payload["by"]
        return found

    def in_the_middle(self, entries: list[JournalEntry]) -> tuple[str, int] | None:
        """Return the table's phone after these entries, and since which seq it is everybody's."""
        first = next((e for e in entries if e.kind == "phone_held" and e.payload["player"] is None), None)
        if first is None or first.device is None:
            return None
        since = None
        for entry in entries:
            if entry.device != first.device:
                continue
            if entry.kind == "phone_held":
                is_free = entry.payload["player"] is None
                since = (since or entry.seq) if is_free else None
            elif "by" in entry.payload:
                since = None
        return None if since is None else (first.device, since)

    def has_voice(self, side: str, entries: list[JournalEntry], but: str | None) -> bool:
        def at(mark: str) -> bool:
            wrote = [entry.created_at for entry in entries if entry.device == mark]
            last = max([*wrote, *([self.used[mark]] if mark in self.used else [])])
            return self.clock() - last < timedelta(minutes=15)

        own = [mark for mark, player in self.holders(entries).items() if player == PLAYERS[side]]
        return any(at(mark) for mark in own if mark != but)

    def may_speak(self, mark: str | None, with_side: str | None, side: str, about: JournalEntry | str) -> bool:
        """Say whether a phone may speak for a side now: ``about`` is a proposal of rules, or ``deal``."""
        entries = self.phones[0].entries()
        if isinstance(about, str):
            matter = [entry for entry in entries if entry.kind in ABOUT_A_DEAL]
        else:
            matter = [entry for entry in entries if entry.kind.startswith("rules_") and entry.seq >= about.seq]
        middle = self.in_the_middle(entries)
        if middle is not None and middle[0] == mark and matter and middle[1] < matter[0].seq:
            return True
        if not self.has_voice(side, entries, mark):
            return True
        spoke_for = {entry.author for entry in matter if entry.device == mark and entry.author}
        return mark is not None and with_side == side and spoke_for <= {side}

    def side_of(self, which: int) -> str | None:
        return {ANA: "A", BETO: "B"}.get(self.held[which] or 0)

    def acted(self, which: int) -> None:
        mark = self.mark(which)
        if mark is not None and self.held[which] is not None:
            self.used[mark] = self.clock()

    def act(self, which: int, side: str, about: JournalEntry | str, post: Callable[[], int]) -> None:
        """Post what a phone says for a side: it is written exactly where it may be."""
        allowed = self.may_speak(self.mark(which), self.side_of(which), side, about)
        before = len(self.phones[0].entries())
        status = post()
        written = self.phones[0].entries()[before:]
        if allowed:
            assert status == 303, status
        else:
            assert (status, written) == (409, []), (status, written)
        self.acted(which)

    # ------------------------------------------------ who is there

    @precondition(lambda self: len(self.phones) < 4)
    @rule(holder=strategies.sampled_from([ANA, BETO, "everybody"]))
    def join(self, holder: int | str) -> None:
        self.phones.append(join(self.app, self.phones[0], holder))
        self.held.append(holder if isinstance(holder, int) else None)
        self.acted(len(self.phones) - 1)

    @rule(data=strategies.data(), holder=strategies.sampled_from([ANA, BETO, "everybody"]))
    def change_hands(self, data: Any, holder: int | str) -> None:
        which = self.some(data)
        assert self.phones[which].hold(holder).status == 303
        self.held[which] = holder if isinstance(holder, int) else None
        self.acted(which)

    @rule(data=strategies.data())
    def forget(self, data: Any) -> None:
        which = self.some(data)
        with self.app.app_context():
            from scorekeeper.store import queries

            table = queries.table_by_play_key(self.phones[which].key)
            assert table is not None
            number = table.id
        self.phones[which].client.post("/forget", data={"what": str(number)})
        self.held[which] = None

    @rule(data=strategies.data())
    def reload(self, data: Any) -> None:
        which = self.some(data)
        use(self.phones[which])
        self.acted(which)

    @rule(minutes=strategies.sampled_from([6, 20]))
    def wait(self, minutes: int) -> None:
        self.clock.wait(minutes=minutes)

    def some(self, data: Any) -> int:
        return int(data.draw(strategies.integers(0, len(self.phones) - 1)))

    # ------------------------------------------------ what they say

    def closing(self) -> JournalEntry | None:
        deal = self.phones[0].standing().state.closed_deal(1)
        return deal.closed if deal is not None else None

    @rule(data=strategies.data(), facts=strategies.sampled_from(FACTS), cookie=strategies.booleans())
    def close(self, data: Any, facts: dict[str, str], cookie: bool) -> None:
        """Close the deal, or correct it, by form, or by a push without a cookie: anybody may, agreeing for nobody."""
        which, before = self.some(data), self.phones[0].entries()
        side, mark = self.side_of(which), self.mark(which)
        if cookie:
            may = side is None or self.may_speak(mark, side, side, "deal")
            assert close_deal(self.phones[which], facts) in (303, 422)
            self.acted(which)
        else:
            may, mark = False, None
            phone = Player(self.app, self.app.test_client(use_cookies=False), self.phones[0].key)
            form = with_fields(phone.closing(), facts)
            fields = {name: form.getlist(name) for name in form if name not in ("id", "step", "csrf_token")}
            push(phone, "deal_closed", fields, deal=1, drawn_from=int(form["seq"]))
        for entry in self.phones[0].entries()[len(before) :]:
            assert may or entry.author is None

    @rule(data=strategies.data(), facts=strategies.sampled_from(FACTS))
    def keep_a_form(self, data: Any, facts: dict[str, str]) -> None:
        which = self.some(data)
        phone = self.phones[which]
        self.kept = (phone, with_fields(phone.closing(), {**facts, "step": "save"}))
        self.acted(which)

    @precondition(lambda self: hasattr(self, "kept"))
    @rule()
    def send_the_kept_form(self) -> None:
        """An old page: its closing is a second one, kept beside that which counts by now."""
        phone, form = self.kept
        which = self.phones.index(phone)
        side, mark, before = self.side_of(which), self.mark(which), len(self.phones[0].entries())
        may = side is None or self.may_speak(mark, side, side, "deal")
        phone.post(phone.deal() + "/close", form)
        for entry in self.phones[0].entries()[before:]:
            assert may or entry.author is None
        self.acted(which)
        del self.kept

    @precondition(lambda self: self.closing() is not None)
    @rule(data=strategies.data(), side=SIDES, what=strategies.sampled_from(["accept", "dispute"]))
    def say(self, data: Any, side: str, what: str) -> None:
        which = self.some(data)
        self.act(which, side, "deal", lambda: say(self.phones[which], what, side))

    @precondition(lambda self: self.closing() is not None)
    @rule(data=strategies.data(), side=SIDES)
    def propose(self, data: Any, side: str) -> None:
        which, closing = self.some(data), self.closing()
        assert closing is not None
        deal = self.phones[0].standing().state.closed_deal(1)
        assert deal is not None
        version = data.draw(strategies.sampled_from([closing, *deal.rivals]))
        self.act(which, side, "deal", lambda: say(self.phones[which], "versions", side, take=version.id))

    def proposal(self) -> Any:
        from scorekeeper.store.agreement import agreement_of

        standing = self.phones[0].standing().state
        deal = standing.closed_deal(1)
        return agreement_of(standing, deal).proposal if deal is not None else None

    @precondition(lambda self: self.proposal() is not None)
    @rule(data=strategies.data(), side=SIDES, yes=strategies.booleans())
    def answer(self, data: Any, side: str, yes: bool) -> None:
        which, proposal = self.some(data), self.proposal()
        if side == (proposal.entry.payload.get("side") or proposal.entry.author):
            return
        way = "proposal/accept" if yes else "proposal/decline"
        self.act(which, side, "deal", lambda: say(self.phones[which], way, side, asked=proposal.entry.id))

    @rule(data=strategies.data(), cookie=strategies.booleans())
    def take_back(self, data: Any, cookie: bool) -> None:
        """Nobody takes back what a side with a voice said, or what somebody known said on another phone."""
        entries = self.phones[0].entries()
        said = [entry for entry in entries if entry.kind in SAID]
        if not said:
            return
        entry, which = data.draw(strategies.sampled_from(said)), self.some(data)
        side = entry.payload.get("side") or entry.author
        about: JournalEntry | str = "deal"
        if entry.kind.startswith("rules_"):
            about = next(e for e in reversed(entries) if e.kind == "rules_proposed")
        phone = (
            self.phones[which]
            if cookie
            else Player(self.app, self.app.test_client(use_cookies=False), self.phones[0].key)
        )
        mark, with_side = (self.mark(which), self.side_of(which)) if cookie else (None, None)
        middle = self.in_the_middle(entries)
        speaks = side is None or self.may_speak(mark, with_side, side, about)
        if mark is None:
            is_own = entry.device is None and side is None
        else:
            is_own = entry.device == mark or (side is not None and with_side == side)
        is_middle = middle is not None and middle[0] == mark
        counts = entry.id in self.counting()
        before = len(entries)
        push(phone, "voided", {"entry": [entry.id]}) if not cookie else undo(phone, entry)
        is_void = any(e.kind == "voided" and e.payload["entry"] == entry.id for e in self.phones[0].entries()[before:])
        if is_void and counts:
            assert speaks, (entry, mark, with_side)
            assert is_own or is_middle, (entry, mark, with_side)
        if cookie:
            self.acted(which)

    def counting(self) -> set[str]:
        """Return the ids of what was said and still counts."""
        state = self.phones[0].standing().state
        deal = state.closed_deal(1)
        about_deal = {entry.id for entry in deal.statements} if deal is not None else set()
        entries = [entry for entry in state.entries if entry.kind.startswith("rules_")]
        last = next((e.seq for e in reversed(entries) if e.kind == "rules_proposed"), 0)
        return about_deal | {entry.id for entry in entries if entry.seq >= last}

    @rule(data=strategies.data(), points=strategies.sampled_from(["31", "41"]))
    def propose_rules(self, data: Any, points: str) -> None:
        which = self.some(data)
        phone = self.phones[which]
        form = phone.get("/matches/1/rules/change").form("agree")
        phone.post("/matches/1/rules/change", with_fields(form, {"opt-target": points, "step": "save"}))
        self.acted(which)

    @precondition(lambda self: self.phones[0].standing().state.proposal is not None)
    @rule(data=strategies.data(), side=SIDES, yes=strategies.booleans())
    def answer_rules(self, data: Any, side: str, yes: bool) -> None:
        which, proposal = self.some(data), self.phones[0].standing().state.proposal
        assert proposal is not None
        if side in proposal.supporters:
            return
        fields = {"id": str(uuid4()), "asked": proposal.entry.id, "side": side}
        path = f"/matches/1/rules/{'accept' if yes else 'decline'}"
        self.act(which, side, proposal.entry, lambda: self.phones[which].post(path, fields).status)


@pytest.fixture
def machine(app: Flask, clock: Clock) -> type[AtATable]:
    class Here(AtATable):
        pass

    Here.app, Here.clock = app, clock
    return Here


@pytest.mark.whole
def test_whatever_phones_do_nobody_speaks_for_a_side_that_has_a_voice(machine: type[AtATable]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=RUNS, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
