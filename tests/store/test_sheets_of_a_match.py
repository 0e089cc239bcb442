"""A match needs the points of its deals; what else is certain of one is worked out when somebody looks at its sheet."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.rules.fishing.item_lines import ItemScorer
from scorekeeper.store import commands
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, entries_of
from scorekeeper.store.models import Match
from scorekeeper.store.standings import Standing, score_closing, standing_after

from ..helpers.cold import forget

SAID: list[Any] = [
    {"cards": "A", "coins": "A", "seven_of_coins": "B", "two_of_clubs": "A", "prime": "B"},
    {"cards": "B", "coins": None, "seven_of_coins": "B", "two_of_clubs": "B", "prime": "B"},
    {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "B", "prime": None},
]


@pytest.fixture
def standing(match: Match) -> Standing:
    """The standing of a match of three deals told on trust, in a process that has seen nothing."""
    for number, said in enumerate(SAID, 1):
        closing: Any = {"deal": number, "facts": {"awards": said}}
        with writing():
            commands.record(match, [NewEntry(kinds.DEAL_CLOSED, closing)])
    forget()
    return standing_after(None, entries_of(match))


def prime_of(sheet: Any) -> dict[str, Any]:
    return next(line for line in sheet["lines"] if line["item"] == "prime")  # type: ignore[no-any-return]


def test_every_deal_has_its_points_and_reasons(standing: Standing) -> None:
    for place, (_deal, sheet) in enumerate(standing.sheets):
        whole = standing.explained(place)
        assert sheet["status"] == whole["status"] == "complete"
        assert sheet["points"] == whole["points"]
        assert [(line["item"], line["points"]) for line in sheet["lines"]] == [
            (line["item"], line["points"]) for line in whole["lines"]
        ]


def test_a_sheet_that_is_looked_at_says_what_it_says_by_itself(standing: Standing) -> None:
    for place, (deal, _sheet) in enumerate(standing.sheets):
        assert deal.closed is not None
        assert standing.explained(place) == score_closing(standing.state, deal, deal.closed)


def test_no_sheet_of_a_match_has_a_question(standing: Standing) -> None:
    assert not any({"ask", "ask_group"} & sheet.keys() for _deal, sheet in standing.sheets)


def test_only_the_last_deal_is_explained_until_another_is_looked_at(
    standing: Standing, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "because" in prime_of(standing.sheets[-1][1])
    assert "because" not in prime_of(standing.sheets[0][1])
    explained: list[object] = []
    explain = ItemScorer.explained_lines
    monkeypatch.setattr(ItemScorer, "explained_lines", lambda *of: explained.append(of) or explain(*of))
    for _time in range(2):
        assert "because" in prime_of(standing.explained(0))
    assert len(explained) == 1
