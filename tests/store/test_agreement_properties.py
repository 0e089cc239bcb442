"""Whatever is said in whatever order, no closing is lost, and a locked deal stays what was agreed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.store.agreement import agreement_of
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalEntry
from scorekeeper.store.journal.match_setup import Setup, Side
from scorekeeper.store.journal.replay import replay

SETUP = Setup("chorizo", "flores", {}, (Side("A", (1,)), Side("B", (2,))), 0).as_json()
THEN = datetime(2026, 1, 1, tzinfo=UTC)

acts = st.tuples(
    st.sampled_from(["close", "contest", "confirm", "dispute", "propose", "yes", "no", "void"]),
    st.integers(0, 9),
    st.sampled_from(["A", "B", None]),
    st.sampled_from(["x", "y"]),
)


def record(seq: int, kind: str, payload: dict[str, Any], author: str | None = None, device: str = "x") -> JournalEntry:
    return JournalEntry(f"e{seq}", seq, kind, cast(Any, {"v": 1, **payload}), author, THEN, device)


def told(entries: list[JournalEntry], act: str, pick: int, side: str | None, device: str) -> JournalEntry | None:
    """Turn an act into the next entry of deal 1; None where there is nothing that it could be about."""
    seq = len(entries) + 1
    closings = [one for one in entries if one.kind in (kinds.DEAL_CLOSED, kinds.DEAL_CONTESTED)]
    if act in ("close", "contest"):
        kind = kinds.DEAL_CLOSED if act == "close" else kinds.DEAL_CONTESTED
        return record(seq, kind, {"deal": 1, "facts": {"n": seq}}, side, device)
    if not closings:
        return None
    about: dict[str, Any] = {"deal": 1, "entry": closings[pick % len(closings)].id, "side": side}
    if act == "void":
        return record(seq, kinds.VOIDED, {"entry": about["entry"]}, side, device)
    if act in ("yes", "no"):
        asked = [one for one in entries if one.kind == kinds.PROPOSED]
        about["asked"] = asked[-1].id if asked else ""
    if act == "propose":
        about |= {"opens": True} if pick % 2 else {"takes": closings[-1].id}
    said = {
        "confirm": kinds.CONFIRMED,
        "dispute": kinds.DISPUTED,
        "propose": kinds.PROPOSED,
        "yes": kinds.PROPOSAL_ACCEPTED,
        "no": kinds.PROPOSAL_DECLINED,
    }
    return record(seq, said[act], about, side, device)


def journal_of(drawn: list[tuple[str, int, str | None, str]]) -> list[JournalEntry]:
    entries = [record(1, kinds.MATCH_STARTED, {"setup": SETUP})]
    for act in drawn:
        entry = told(entries, *act)
        if entry is not None:
            entries.append(entry)
    return entries


@given(st.lists(acts, max_size=25))
def test_no_closing_is_ever_lost(drawn: list[tuple[str, int, str | None, str]]) -> None:
    entries = journal_of(drawn)
    voided = {one.payload["entry"] for one in entries if one.kind == kinds.VOIDED}
    living = {one.id for one in entries if one.kind in (kinds.DEAL_CLOSED, kinds.DEAL_CONTESTED)} - voided
    deal = next((one for one in replay(entries).deals if one.number == 1), None)
    kept = [*([deal.closed] if deal.closed else []), *deal.rivals] if deal else []
    assert {one.id for one in kept} == living


@given(st.lists(acts, max_size=25))
def test_statements_never_change_which_closing_counts(drawn: list[tuple[str, int, str | None, str]]) -> None:
    entries = journal_of(drawn)
    silent = [one for one in entries if one.kind not in kinds.STATEMENTS]
    assert replay(entries).deals[0].closed == replay(silent).deals[0].closed


@given(st.lists(acts, max_size=25))
def test_a_lock_opens_only_when_a_side_accepts_it(drawn: list[tuple[str, int, str | None, str]]) -> None:
    locked_about = None
    entries = journal_of(drawn)
    for length in range(1, len(entries) + 1):
        state = replay(entries[:length])
        deal = state.deals[0]
        about = deal.closed.id if deal.closed and agreement_of(state, deal).is_locked else None
        if locked_about is not None and about is None and deal.closed and deal.closed.id == locked_about:
            assert entries[length - 1].kind == kinds.PROPOSAL_ACCEPTED
        locked_about = about
