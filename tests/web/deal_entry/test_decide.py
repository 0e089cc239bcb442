"""What becomes of a posted closing, without any page: saved, overtaken, outdated, agreed, broken or open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.store import commands
from scorekeeper.store.journal.entries import Full, JournalEntry, Locked
from scorekeeper.store.standings import BrokenMatch
from scorekeeper.web.base.access import match_or_404
from scorekeeper.web.deal_entry.closing_entry import ClosingEntry
from scorekeeper.web.deal_entry.decide import (
    LIVE,
    SAVE,
    Decision,
    Open,
    Outdated,
    Overtook,
    Refused,
    Saved,
    Unchanged,
    decide,
)
from scorekeeper.web.deal_entry.incoming import posted_entry
from scorekeeper.web.match.view import MatchView

from ..conftest import ON_TRUST, Player, with_fields

OTHERWISE = {**ON_TRUST, "award-cards": "B"}
"""The same deal, but Beto has most cards."""
Deciding = Callable[..., Decision]


def form_of(player: Player, **awards: str) -> MultiDict[str, str]:
    """Return the closing form of the first deal as it is drawn now, filled in."""
    return with_fields(player.closing(), awards)


@pytest.fixture
def deciding(app: Flask, ana: Player) -> Deciding:
    """Decide about a posted form, as the page does."""

    def decision(form: MultiDict[str, str], step: str, **written_by: Any) -> Decision:
        with app.test_request_context(f"/t/{ana.key}", method="POST", data=form):
            view = MatchView(*match_or_404(ana.key, 1))
            return decide(ClosingEntry(view, posted_entry(1)), step, **written_by)

    return decision


def test_a_form_posted_again_is_saved_once(ana: Player, deciding: Deciding) -> None:
    form = form_of(ana, **ON_TRUST)
    assert deciding(form, SAVE) == deciding(form, SAVE) == Saved("deal_closed")
    assert ana.kinds() == ["match_started", "deal_closed"]


@pytest.mark.parametrize(("step", "was_open"), [(LIVE, "no"), ("check", "yes"), ("add", "yes")])
def test_any_other_step_leaves_the_form_open(ana: Player, deciding: Deciding, step: str, was_open: str) -> None:
    assert deciding(form_of(ana, was_open=was_open, **ON_TRUST), step) == Open()
    assert ana.kinds() == ["match_started"]


def test_an_unsettled_form_is_not_saved(ana: Player, deciding: Deciding) -> None:
    form = form_of(ana, **{"award-cards": "A"})
    assert deciding(form, LIVE) == Open()
    assert deciding(form, SAVE) == Open(is_refused=True)
    assert ana.kinds() == ["match_started"]


def test_a_tap_that_changes_nothing_of_what_was_saved_overtook_the_answer(ana: Player, deciding: Deciding) -> None:
    form = form_of(ana, **ON_TRUST)
    deciding(form, SAVE)
    assert deciding(form, LIVE) == Overtook()
    assert ana.kinds() == ["match_started", "deal_closed"]


def test_a_question_about_a_form_that_was_sent_meanwhile_under_another_id_leads_to_its_sheet(
    ana: Player, deciding: Deciding
) -> None:
    form = form_of(ana, **ON_TRUST, was_open="yes")
    deciding(form, SAVE)
    asked = with_fields(form, {"id": str(uuid4()), "instead_of": form["id"]})
    assert deciding(asked, LIVE) == Overtook()
    assert deciding(with_fields(asked, OTHERWISE), LIVE) == Open()
    drawn_since = with_fields(form_of(ana, **ON_TRUST, was_open="yes"), {"instead_of": form["id"]})
    assert deciding(drawn_since, LIVE) == Open(), "a correction has just been opened"
    assert ana.kinds() == ["match_started", "deal_closed"]


def test_a_tap_that_changes_what_was_saved_corrects_it(ana: Player, deciding: Deciding) -> None:
    form = form_of(ana, **ON_TRUST)
    deciding(form, SAVE)
    assert deciding(with_fields(form, OTHERWISE), LIVE) == Saved("deal_closed")
    assert ana.kinds() == ["match_started", "deal_closed", "voided", "deal_closed"]


@pytest.mark.parametrize("step", [LIVE, SAVE, "check"])
def test_what_others_noted_outdates_the_form(ana: Player, deciding: Deciding, step: str) -> None:
    form = form_of(ana, **ON_TRUST)
    ana.sweep("B")
    decision = deciding(form, step)
    assert isinstance(decision, Outdated)
    assert [entry.kind for entry in decision.since] == ["swept"]


def just_before_writing(monkeypatch: pytest.MonkeyPatch, act: Callable[[], Any]) -> None:
    """Let somebody else be faster: ``act`` happens when everything is decided and nothing is written yet."""
    write = commands.write

    def beaten(*judged: Any) -> int:
        monkeypatch.setattr(commands, "write", write)
        act()
        return write(*judged)

    monkeypatch.setattr(commands, "write", beaten)


def test_what_others_note_at_this_very_moment_outdates_the_form_too(
    ana: Player, deciding: Deciding, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = form_of(ana, **ON_TRUST)
    just_before_writing(monkeypatch, lambda: ana.sweep("B"))
    assert isinstance(deciding(form, SAVE), Outdated)
    assert ana.kinds() == ["match_started", "swept"]


@pytest.mark.parametrize(("facts", "kind"), [(ON_TRUST, "confirmed"), (OTHERWISE, "deal_contested")])
def test_a_second_closing_confirms_the_first_or_contests_it(
    ana: Player, deciding: Deciding, facts: dict[str, str], kind: str
) -> None:
    first, second = form_of(ana, **ON_TRUST), form_of(ana, **facts)
    assert deciding(first, SAVE) == Saved("deal_closed")
    assert deciding(second, SAVE, device="another phone") == Saved(kind)


def test_a_correction_is_kept_beside_one_of_this_very_moment(
    ana: Player, deciding: Deciding, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana.close(**{name.replace("-", "__"): side for name, side in ON_TRUST.items()})
    first, second = form_of(ana, **OTHERWISE), form_of(ana, **{**ON_TRUST, "award-coins": "A"})
    just_before_writing(monkeypatch, lambda: deciding(first, SAVE))
    assert deciding(second, SAVE) == Saved("deal_contested")
    assert ana.kinds() == ["match_started", "deal_closed", "voided", "deal_closed", "deal_contested"]


@pytest.fixture
def correction(ana: Player, deciding: Deciding) -> MultiDict[str, str]:
    """Return the correction of a deal that was agreed on after its form was drawn."""
    deciding(form_of(ana, **ON_TRUST), SAVE, author="A", device="a")
    form = form_of(ana, **OTHERWISE)
    [closing] = [entry for entry in ana.entries() if entry.kind == "deal_closed"]
    accepted = {"id": str(uuid4()), "entry": closing.id, "side": "B"}
    assert ana.post(ana.deal(1) + "/accept", accepted).status == 303
    return form


def test_the_correction_of_an_agreed_deal_is_saved_as_a_proposal(
    deciding: Deciding, correction: MultiDict[str, str]
) -> None:
    assert deciding(correction, SAVE) == Saved("proposed")


def test_a_correction_of_a_deal_agreed_on_at_this_very_moment_is_not_saved(
    deciding: Deciding, correction: MultiDict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ClosingEntry, "is_proposed", False)
    decision = deciding(correction, SAVE)
    assert isinstance(decision, Refused)
    assert isinstance(decision.why, Locked)
    assert decision.why.deal == 1


def test_a_correction_that_changes_nothing_writes_nothing(ana: Player, deciding: Deciding) -> None:
    deciding(form_of(ana, **ON_TRUST), SAVE)
    assert deciding(form_of(ana), SAVE) == Unchanged()


def test_where_there_is_no_room_it_says_of_what(
    ana: Player, deciding: Deciding, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = form_of(ana, **ON_TRUST)
    monkeypatch.setattr(commands, "MATCH_DEALS", 0)
    decision = deciding(form, SAVE)
    assert isinstance(decision, Refused)
    assert isinstance(decision.why, Full)
    assert (decision.why.what, decision.why.most) == ("deals", 0)


def test_a_match_that_could_not_be_scored_is_left_as_it_was(
    ana: Player, deciding: Deciding, monkeypatch: pytest.MonkeyPatch
) -> None:
    form, problems = form_of(ana, **ON_TRUST), [{"severity": "error", "code": "odd", "where": "", "message": ""}]

    def broken(*_entries: Any, **_how: Any) -> JournalEntry:
        raise BrokenMatch(problems)

    monkeypatch.setattr(commands, "draft", broken)
    decision = deciding(form, SAVE)
    assert isinstance(decision, Refused)
    assert isinstance(decision.why, BrokenMatch)
    assert decision.why.problems == problems
    assert ana.kinds() == ["match_started"]
