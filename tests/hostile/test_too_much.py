"""Requests that once cost minutes or gigabytes, each by its name: too much is refused, what is costly stays small."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ..helpers.simulator import PACK
from ..web.conftest import with_fields
from .drawn import closing, drawn, entry, form, partial, points_of_four, pushed
from .hall import Hall
from .watching import Request, Watcher, ask, get, post

Make = Callable[[Hall], Request]

SMALL = 60_000
"""Bytes of a form that is not refused for its size alone."""
BIG = 480_000
CARIOCA_ROUNDS = {"extra": [str(number) for number in range(100_000)]}


def listed(cases: dict[str, Make]) -> pytest.MarkDecorator:
    """Run a test for each of these requests."""
    return pytest.mark.parametrize(
        "make", [pytest.param(make, id=name.replace(" ", "-")) for name, make in cases.items()]
    )


def declared(items: int) -> str:
    return json.dumps({"side": "A", "cards": ["1B", "2B", "3B"], "items": ["flush"] * items})


def score(game: str = "chorizo", sides: str = "AB", **deal: Any) -> Request:
    return ask("/api/v1/score", {"game": game, "sides": list(sides), "deal": deal})


def match(game: str, deals: list[Any], sides: str = "AB", **options: Any) -> Request:
    return ask("/api/v1/match", {"game": game, "sides": list(sides), "options": options, "deals": deals})


TOO_MUCH: dict[str, Make] = {
    "ranks left in hand, as much as a form may have": lambda hall: closing(
        hall, "carioca", left__A="z " * (SMALL // 2)
    ),
    "a declaration of 6,000 items": lambda hall: closing(hall, "chorizo", declaration=[declared(6_000)]),
    "5,000 declarations": lambda hall: closing(hall, "chorizo", declaration=["{}"] * 5_000),
    "a pile of 5,000 cards": lambda hall: closing(hall, "chorizo", pile__A=["1O"] * 5_000),
    "4,000 items of a new declaration": lambda hall: closing(
        hall, "chorizo", step="add", new_side="A", new_item=["flush"] * 4_000
    ),
    "100,000 rounds of one's own and 2,000 deals": lambda hall: match("carioca", [{}] * 2_000, rounds=CARIOCA_ROUNDS),
    "30,000 cards that are none": lambda hall: score(piles={"A": ["zz"] * 30_000}),
    "20,000 fields that nobody knows": lambda hall: score(**{f"x{number}": 0 for number in range(20_000)}),
    "500 closings in one push": lambda hall: ask(
        "/api/v1/entries", pushed(hall, "free", *(points_of_four(Random(n), n) for n in range(5, 505)))
    ),
    "30,000 fields in one form": lambda hall: post("/tables/new", {"a": [""] * 30_000}),
    "a rule of one's own of 60,000 letters": lambda hall: form(
        "/tables/new",
        with_fields(
            drawn(hall, "/tables/new", "agree"),
            {"player-0": "Ana", "player-1": "Beto", "rules_name": "x" * SMALL, "step": "save"},
        ),
    ),
    "lists in lists, 100,000 deep": lambda hall: ask("/api/v1/score", b'{"deal":' + b"[" * 100_000),
    "a number of 100,000 digits": lambda hall: ask("/api/v1/score", b'{"deal": {"round": ' + b"9" * 100_000 + b"}}"),
}


@listed(TOO_MUCH)
def test_too_much_is_refused_in_few_words(hall: Hall, watcher: Watcher, make: Make) -> None:
    answer = watcher.expect(make(hall))
    assert answer.is_refused, answer
    assert not answer.wrote


SUM_TO_30 = ["1O", "1C", "1E", "1B", "2O", "2C", "2E", "2B", "3O", "3C", "3E", "3B", "4O", "4C", "4E", "4B", "5O", "5C"]


def taken(game: str, card: str, layout: list[str], *options: tuple[str, str]) -> Request:
    return get("/captures", ("game", game), ("card", card), *options, *(("layout", one) for one in layout))


COSTLY: dict[str, Make] = {
    "every set that a card takes from twenty": lambda hall: taken("escopa", "7O", [*SUM_TO_30, "6O", "6C"]),
    "two wild cards of any rank or suit, twenty on the table": lambda hall: ask(
        "/api/v1/captures",
        {
            "game": "chorizo",
            "options": {"wild_cards": "7O+12O", "wild_power": "rank_or_suit"},
            "layout": ["12O", *SUM_TO_30],
            "card": "7O",
        },
    ),
    "a deal of four sides of which a part is known": lambda hall: score("escoba", "ABCD", **partial(Random(1))),
    "twenty such deals in one match": lambda hall: match(
        "escoba", [partial(Random(n), shown=8 + n % 12) for n in range(20)], "ABCD", target=1000
    ),
    "fifty closings in one push": lambda hall: ask(
        "/api/v1/entries", pushed(hall, "free", *(points_of_four(Random(n), n) for n in range(5, 55)))
    ),
    "fifty closings of one deal, drawn before everything": lambda hall: ask(
        "/api/v1/entries",
        pushed(
            hall,
            "free",
            *(
                entry(Random(n), "deal_closed", 5, payload={"facts": {"points": {"A": n}}}, drawn_from=0)
                for n in range(50)
            ),
        ),
    ),
    "everything written in a match": lambda hall: get(
        "/api/v1/entries", Authorization=f"Bearer {hall.tables['chorizo'].play}"
    ),
    "a prime of the whole pack for everybody": lambda hall: get(
        "/prime", ("sides", "4"), *((f"pile-{side}", card) for side in "ABCD" for card in PACK)
    ),
}


@listed(COSTLY)
def test_what_is_costly_is_answered_in_less_than_a_megabyte(hall: Hall, watcher: Watcher, make: Make) -> None:
    watcher.expect(make(hall))


def test_a_form_refused_as_too_old_is_not_offered_again_by_the_thousand(
    hall: Hall, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(hall.app.config, "WTF_CSRF_ENABLED", True)
    watcher.expect(post("/tables/new", {"a": [""] * 25_000}))


ENGINE: dict[str, Any] = {
    "sides that are a number": {"game": "x", "sides": 5},
    "sides that are true": {"game": "x", "sides": True},
    "sides that are alike": {"game": "scopa", "sides": ["A", "A"], "deal": {}},
    "a side of half a million letters": {"game": "scopa", "sides": ["A" * 200_000, "B"], "deal": {}},
    "a preset that is an object": {"game": "scopa", "preset": {}, "sides": ["A", "B"], "deal": {}},
    "an option that is a list": {"game": "scopa", "options": {"target": [[]]}, "sides": ["A", "B"], "deal": {}},
    "a list": [],
    "players that are none": {"game": "scopa", "sides": ["A", "B"], "players_per_side": 10**18, "deal": {}},
}


@pytest.mark.parametrize("door", ["match", "captures"])
def test_the_engine_refuses_what_it_cannot_read(watcher: Watcher, door: str) -> None:
    for name, body in ENGINE.items():
        if door == "match" and isinstance(body, dict) and "deal" in body:
            body = {**body, "deals": [body["deal"]]}
        answer = watcher.expect(ask(f"/api/v1/{door}", body))
        assert answer.is_refused, name
