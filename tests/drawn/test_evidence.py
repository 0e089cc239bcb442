"""What is known of a deal settles what it settles, no more and no less (hypothesis)."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper import rules

from ..helpers.asking import COUNTED
from ..helpers.draws import examples
from ..helpers.strategies import Told, faults, told_deals

SOME = settings(deadline=None, max_examples=examples(8))


def settled(answer: dict[str, Any]) -> dict[str, Any]:
    return {line["item"]: line["points"] for line in answer["lines"] if line["points"] is not None}


@SOME
@given(told_deals())
def test_what_is_settled_early_is_what_every_card_shows_in_the_end(told: Told) -> None:
    early, late = rules.score(told.known), rules.score(told.whole)

    assert late["status"] == "complete"
    assert early["status"] in ("open", "complete")
    truth = settled(late)
    assert all(truth[item] == points for item, points in settled(early).items())


@SOME
@given(told_deals(), st.data())
def test_one_card_more_never_unsettles_a_line(told: Told, data: st.DataObject) -> None:
    before = settled(rules.score(told.known))
    unseen = [card for side in "AB" for card in told.piles[side] if card not in told.deal["piles"][side]]
    assume(unseen)
    card = data.draw(st.sampled_from(unseen))
    more = deepcopy(told.deal)
    more["piles"]["A" if card in told.piles["A"] else "B"].append(card)
    after = settled(rules.score(told.request(more)))

    assert before.items() <= after.items()


@SOME
@given(told_deals())
def test_true_evidence_is_never_a_problem(told: Told) -> None:
    assert faults(rules.score(told.known)) == []


@SOME
@given(told_deals())
def test_what_is_asked_is_not_known_already_and_either_answer_can_be(told: Told) -> None:
    answer = rules.score(told.known)
    if answer["status"] == "complete":
        assert answer["ask"] is None
        return
    question = answer["ask"]
    undecided = {line["item"] for line in answer["lines"] if line["points"] is None}
    assert question["settles"]
    assert set(question["settles"]) <= undecided
    if "card" in question:
        assert question["card"] not in told.deal["piles"]["A"] + told.deal["piles"]["B"]
        for side in "AB":
            more = deepcopy(told.deal)
            more["piles"][side].append(question["card"])
            assert faults(rules.score(told.request(more))) == []
    else:
        assert question["count"] in COUNTED
        assert all(question["count"] not in told.deal["counts"][side] for side in "AB")


@SOME
@given(told_deals())
def test_an_open_line_names_unplaced_cards_it_waits_for(told: Told) -> None:
    placed = set(told.deal["piles"]["A"] + told.deal["piles"]["B"])
    for line in rules.score(told.known)["lines"]:
        if line["points"] is None:
            assert line["reason"] == "open"
            assert line["needs"]
            assert not placed & set(line["needs"])


@SOME
@given(told_deals())
def test_seats_swapped_scores_swapped(told: Told) -> None:
    other = {"A": "B", "B": "A"}
    swapped = {part: {other[side]: content for side, content in told.deal[part].items()} for part in told.deal}
    one, two = rules.score(told.known), rules.score(told.request(swapped))

    assert one["status"] == two["status"]
    assert one["points"] == {side: two["points"][other[side]] for side in "AB"}


@SOME
@given(told_deals())
def test_an_answer_is_plain_json_and_the_request_stays_as_it_was(told: Told) -> None:
    request = told.known
    before = json.dumps(request)
    answer = rules.score(request)

    assert json.loads(json.dumps(answer, allow_nan=False)) == answer
    assert rules.score(json.loads(before)) == answer
    assert json.dumps(request) == before
