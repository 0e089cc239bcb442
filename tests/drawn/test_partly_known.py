"""Partly known deals against a second opinion that tries every completion; and what holds however little is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from scorekeeper import rules

from ..helpers.asking import COUNTED
from ..helpers.draws import examples
from ..helpers.partly_known import PartlyKnown, best_of, partly_known
from ..helpers.second_opinion import (
    FIELDS,
    NOBODY,
    Deal,
    Difference,
    Piece,
    TooMany,
    as_points,
    deal_of,
    differences,
    faults_of,
)
from ..helpers.simulator import GAMES, KNOWN, PACK, TABLES

pytestmark = pytest.mark.whole

SEEDS = st.integers(0, 2**40)
# A smaller seed is no smaller deal, so nothing is gained by shrinking.
DRAWN = settings(deadline=None, phases=[Phase.generate])
SOME = settings(DRAWN, max_examples=examples(2))
FEW = settings(DRAWN, max_examples=examples(1))
LONG = [
    pytest.param(*table, marks=pytest.mark.whole if table[1] > 2 else ())
    for table in TABLES
    if table[0] in ("chorizo", "la_escoba", "scopa", "cirulla", "escopa")
]
"""Tables of every way to play; those of more than two sides take long."""
METHODS = ("face", "half_ace", "italian", "seventy", "sevens_count")
METHODS_OF = {
    game: option["values"] for game in GAMES for option in KNOWN[game]["options"] if option["id"] == "prime_method"
}


def against_each_other(known: PartlyKnown) -> list[Difference]:
    """Return what the engine says otherwise than the second opinion."""
    try:
        deal = Deal(known.table, known.pieces, known.nobodys)
    except TooMany:
        return []
    return differences(rules.score(known.request), deal)


def settled(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {line["item"]: line["points"] for line in answer["lines"] if line["points"] is not None}


def spent(answer: Mapping[str, Any]) -> set[str]:
    """Return the items of which the budget did not suffice to say more."""
    return {
        item
        for problem in answer["problems"]
        if problem["code"] == "budget_spent"
        for item in problem["facts"]["items"]
    }


# ---------------------------------------------------------------- few unplaced cards: the second opinion


@pytest.mark.parametrize(("game", "sides", "players"), TABLES)
@SOME
@given(seed=SEEDS)
def test_every_line_up_has_its_second_opinion(game: str, sides: int, players: int, seed: int) -> None:
    known = partly_known(Random(seed), game, (sides, players))

    assert against_each_other(known) == [], known.request


@pytest.mark.parametrize("game", GAMES)
@SOME
@given(seed=SEEDS)
def test_any_preset_has_its_second_opinion(game: str, seed: int) -> None:
    preset = Random(seed).choice(list(KNOWN[game]["presets"]))
    known = partly_known(Random(seed), game, house=(preset, {}))

    assert against_each_other(known) == [], known.request


@pytest.mark.parametrize("method", METHODS)
@SOME
@given(seed=SEEDS)
def test_every_prime_method_has_its_second_opinion(method: str, seed: int) -> None:
    game = Random(seed).choice([game for game in METHODS_OF if method in METHODS_OF[game]])
    known = partly_known(Random(seed), game, house=(None, {"prime_method": method}))

    assert against_each_other(known) == [], known.request


# ---------------------------------------------------------------- any number of unplaced cards


def grown(known: PartlyKnown, random: Random, steps: int = 6) -> Iterator[dict[str, Any]]:
    """Yield requests that know more and more: pieces are added in any order, some at a time."""
    pieces = known.pieces
    random.shuffle(pieces)
    cuts = sorted(random.sample(range(len(pieces) + 1), min(steps, len(pieces) + 1)))
    rest = {name: part for name, part in known.request["deal"].items() if name not in (*FIELDS, "leftover", "rest")}
    for cut in cuts:
        some = deal_of([piece for piece in pieces[:cut] if piece.of != NOBODY])
        left = [piece.about for piece in pieces if piece.of == NOBODY]
        yield {**known.request, "deal": {**rest, **({"leftover": left} if left else {}), **some}}


def far_from_known(
    seed: int, game: str | None = None, sides: tuple[int, int] | None = None
) -> tuple[PartlyKnown, Random]:
    random = Random(seed)
    return partly_known(random, game, sides, loose=random.choice([8, 15, 25, 40])), random


def problems_of_growth(requests: Iterator[dict[str, Any]], known: PartlyKnown) -> list[Any]:
    """Return where more evidence opened a line, widened a bound, or where an answer is not true."""
    truth = {item: as_points(item, points) for item, points in known.table.score(known.truth).items()}
    values = {item: known.table.values(item, known.truth) for item in truth}
    labels = known.request["sides"]
    before: dict[str, Any] = {}
    bounds: dict[tuple[str, str], list[Any]] = {}
    wrong: list[Any] = []
    for request in requests:
        answer = rules.score(request)
        wrong += faults_of(answer)
        now, unsure = settled(answer), spent(answer)
        opened = [item for item in before if item not in now and item not in unsure]
        false = [item for item in truth if item in now and tuple(now[item].values()) != truth[item]]
        wrong += [("opened", item, request) for item in opened] + [("false", item, request) for item in false]
        for line in answer["lines"]:
            if line["item"] not in truth:
                continue
            for side, value in zip(labels, values[line["item"]], strict=True):
                here = (
                    line["bounds"][side]
                    if "bounds" in line
                    else [line["values"][side]] * 2
                    if "values" in line
                    else None
                )
                if here is None or line["item"] == "barmila":
                    continue
                least, most = here
                if not (least is None if value is None else (least or 0) <= value <= most):
                    wrong.append(("bounds without the truth", line["item"], side, here, value, request))
                wider = bounds.get((line["item"], side))
                if wider and line["item"] not in unsure and not _is_within(here, wider):
                    wrong.append(("wider bounds", line["item"], side, wider, here, request))
                bounds[line["item"], side] = here
        before = {**{item: before[item] for item in unsure if item in before}, **now}
    return wrong


def _is_within(inner: list[Any], outer: list[Any]) -> bool:
    least = outer[0] is None or (inner[0] is not None and inner[0] >= outer[0])
    return least and (inner[1] or 0) <= (outer[1] or 0)


@pytest.mark.parametrize(("game", "sides", "players"), LONG)
@SOME
@given(seed=SEEDS)
def test_more_evidence_never_opens_a_line(game: str, sides: int, players: int, seed: int) -> None:
    known, random = far_from_known(seed, game, (sides, players))
    # What is nobody's belongs to no truth about the piles.
    assume(known.table.options.get("last_cards") != "nobody")

    assert problems_of_growth(grown(known, random), known) == []


# ---------------------------------------------------------------- what contradicts


def false_piece(known: PartlyKnown, field: str, random: Random) -> Piece:
    """Return a piece that is not true, but would be of some other deal."""
    table, side = known.table, random.choice(known.request["sides"])
    other = {label: [] for label in table.sides}
    for card in PACK:
        other[random.choice(table.sides)].append(card)
    if field == "best":
        suit = random.choice("OCEB")
        return Piece("best", side, suit, best_of(table, other[side], suit))
    if field == "counts":
        kind = random.choice(list(COUNTED))
        return Piece("counts", side, kind, sum(map(COUNTED[kind], other[side])))
    if field == "told":
        return Piece("told", side, random.choice(PACK))
    item, winners = random.choice(sorted(table.takers(other).items()))
    return Piece("awards", item, "", winners)


def contradicted(field: str, random: Random, game: str | None = None) -> tuple[PartlyKnown, Piece] | None:
    """Draw a deal, and a piece that stronger evidence of it excludes; the deal has no other piece of its field."""
    known = partly_known(random, game, fields=[each for each in FIELDS if each not in ("piles", field)])
    known = known.with_deal(**{field: None})
    if field == "best" and "rest" in known.request["deal"]:
        return None  # A best card is not of the rest, so there it contradicts nothing.
    if field == "best" and ("prime" not in known.table.score(known.truth) or known.table.method not in METHODS[:4]):
        return None
    piece = false_piece(known, field, random)
    if field == "told" and any(
        other.field == "best" and f"{other.value}{other.about}" == piece.about for other in known.pieces
    ):
        return None
    stronger = [other for other in known.pieces if FIELDS.index(other.field) < FIELDS.index(field)]
    try:
        if Deal(known.table, [*stronger, piece], known.nobodys).is_possible:
            return None
    except TooMany:
        return None
    return known, piece


CODES = {
    "best": "best_contradicted",
    "counts": "counts_contradicted",
    "told": "told_contradicted",
    "awards": "award_contradicted",
}


def check_that_it_is_dropped(known: PartlyKnown, piece: Piece) -> None:
    without, answer = rules.score(known.request), rules.score(known.with_deal(**deal_of([piece])).request)
    added = [each for each in answer["problems"] if each not in without["problems"]]
    place = f"awards.{piece.of}" if piece.field == "awards" else f"{piece.field}.{piece.of}"
    place = {"told": f"{place}[0]", "awards": place}.get(piece.field, f"{place}.{piece.about}")

    assert [(each["severity"], each["code"], each["where"]) for each in added] == [
        ("warning", CODES[piece.field], place)
    ], known.with_deal(**deal_of([piece])).request
    assert {**answer, "problems": []} == {**without, "problems": []}


@pytest.mark.parametrize("field", CODES)
@settings(DRAWN, max_examples=examples(10), suppress_health_check=[HealthCheck.filter_too_much])
@given(seed=SEEDS)
def test_what_stronger_evidence_excludes_is_dropped_with_a_warning(field: str, seed: int) -> None:
    found = contradicted(field, Random(seed))
    assume(found is not None)
    assert found is not None

    check_that_it_is_dropped(*found)


# ---------------------------------------------------------------- the order of what is told


def shuffled(value: Any, random: Random) -> Any:
    """Return the same JSON with the names of every object in another order."""
    if isinstance(value, dict):
        names = random.sample(list(value), len(value))
        return {name: shuffled(value[name], random) for name in names}
    return value


@settings(DRAWN, max_examples=examples(10))
@given(seed=SEEDS)
def test_an_answer_does_not_depend_on_the_order_of_what_is_told(seed: int) -> None:
    known, random = far_from_known(seed)
    again = shuffled(known.request, random)

    assert json.loads(json.dumps(again)) == known.request
    assert rules.score(again) == rules.score(known.request)


# ---------------------------------------------------------------- questions to the end


def answered(deal: dict[str, Any], question: Mapping[str, Any], truth: Mapping[str, Any], as_shown: bool) -> None:
    """Add the true answer to the deal."""
    if "count" in question:
        number = sum(map(COUNTED[question["count"]], truth[question["side"]]))
        deal.setdefault("counts", {}).setdefault(question["side"], {})[question["count"]] = number
    for card in question.get("cards", [question["card"]] if "card" in question else []):
        owner = next(side for side, pile in truth.items() if card in pile)
        deal.setdefault("piles" if as_shown else "told", {}).setdefault(owner, []).append(card)


def interview(known: PartlyKnown, random: Random) -> Iterator[tuple[PartlyKnown, dict[str, Any]]]:
    """Yield every deal that truthful answers lead to, with its answer; sometimes a group is answered."""
    as_shown = random.random() < 0.3
    for _ in range(2 * len(PACK)):
        answer = rules.score(known.request)
        yield known, answer
        group, question = answer.get("ask_group"), answer["ask"]
        if question is None:
            return
        deal = json.loads(json.dumps(known.request["deal"]))
        answered(deal, group if group and random.random() < 0.5 else question, known.truth, as_shown)
        known = PartlyKnown({**known.request, "deal": deal}, known.truth, known.options)


def faults_of_an_interview(known: PartlyKnown, random: Random) -> list[Any]:
    """Return what is wrong with an interview: a line that opens again, or an end that leaves lines open."""
    steps = list(interview(known, random))
    wrong = problems_of_growth((each.request for each, _ in steps), known)
    last = steps[-1][1]
    if last["status"] != "complete" and not any(each["code"] == "budget_spent" for each in last["problems"]):
        wrong.append(("not complete", last["ask"], steps[-1][0].request))
    return wrong


@pytest.mark.parametrize(("game", "sides", "players"), LONG)
@FEW
@given(seed=SEEDS)
def test_every_interview_ends_complete(game: str, sides: int, players: int, seed: int) -> None:
    random = Random(seed)
    known = partly_known(random, game, (sides, players), loose=random.choice([12, 40]))
    assume(not known.nobodys)

    assert faults_of_an_interview(known, random) == []
