"""Deals in doubt: which they are, whether they decide a match, and what the migration makes of earlier matches."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import select

from scorekeeper.store import doubts
from scorekeeper.store.db import db
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match, MatchSummary
from scorekeeper.store.standings import standing_of

from .test_agreement import ANA, BETO, closing, propose, say, write

MOSTLY_ANA: dict[str, Any] = {"cards": "A", "seven_of_coins": "A", "two_of_clubs": "A", "coins": "B", "prime": "B"}
ALL_BETO = dict.fromkeys(MOSTLY_ANA, "B")


@pytest.fixture
def won(match: Match) -> list[str]:
    """A match that Ana has won 24–8 in the fourth deal; gives the ids of the closings."""
    return [write(match, closing(MOSTLY_ANA, deal), **ANA) for deal in range(1, 5)]


def contest(match: Match, deal: int, awards: dict[str, Any]) -> None:
    write(match, closing(awards, deal), **BETO)


def decides(match: Match) -> bool:
    standing = standing_of(match)
    return doubts.decide_the_end(standing, doubts.doubts_of(standing.state))


def summary(match: Match) -> MatchSummary:
    db.session.expire_all()
    return db.session.scalars(select(MatchSummary).where(MatchSummary.match == match.number)).one()


def test_no_deal_is_in_doubt_of_which_nobody_said_anything(match: Match, won: list[str]) -> None:
    assert doubts.doubts_of(standing_of(match).state) == []
    assert (summary(match).doubt_deal, summary(match).doubt_decides) == (None, False)


def test_another_version_decides_where_another_side_would_have_won_or_none(match: Match, won: list[str]) -> None:
    contest(match, 4, ALL_BETO)
    assert decides(match)
    assert (summary(match).doubt_deal, summary(match).doubt_decides) == (4, True)


def test_another_version_decides_nothing_where_the_same_side_wins_by_it(match: Match, won: list[str]) -> None:
    contest(match, 4, {**MOSTLY_ANA, "prime": "A"})
    assert not decides(match)
    assert (summary(match).doubt_deal, summary(match).doubt_decides) == (4, False)


def test_two_versions_that_alone_decide_nothing_may_decide_together(match: Match, won: list[str]) -> None:
    for deal in (1, 2):
        contest(match, deal, {**MOSTLY_ANA, "cards": "B", "seven_of_coins": "B"})
        assert decides(match) == (deal == 2)


def test_a_dispute_that_names_no_version_decides(match: Match, won: list[str]) -> None:
    say(match, kinds.DISPUTED, won[0], "B", BETO, line="prime")
    assert decides(match)


def test_a_proposal_decides_by_the_version_that_it_names(match: Match, won: list[str]) -> None:
    propose(match, BETO, deal=4, entry=won[3], facts={"awards": {**MOSTLY_ANA, "prime": "A"}})
    assert not decides(match)


def test_a_match_that_goes_on_has_no_end_to_be_decided(match: Match) -> None:
    write(match, closing(MOSTLY_ANA), **ANA)
    contest(match, 1, ALL_BETO)
    assert not decides(match)
    assert summary(match).doubt_deal == 1


def test_too_many_ways_to_try_decide(match: Match, won: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    contest(match, 4, {**MOSTLY_ANA, "prime": "A"})
    monkeypatch.setattr(doubts, "DOUBT_ENDINGS", 0)
    assert decides(match)


def test_what_settles_it_clears_the_summary(match: Match, won: list[str]) -> None:
    dispute = say(match, kinds.DISPUTED, won[3], "B", BETO, deal=4)
    assert summary(match).doubt_decides
    write(match, NewEntry(kinds.VOIDED, {"entry": dispute}, str(uuid4())), **BETO)
    assert (summary(match).doubt_deal, summary(match).doubt_decides) == (None, False)
