"""Numbers, shapes and names that no page sends, each by its name: answered in words.

The largest numbers, and what a text may hold, on both databases: there they differ.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ..helpers.databases import DATABASES
from ..helpers.reading import Page
from ..web.conftest import with_fields
from .drawn import an_id, closing, drawn, entry, form, named, pushed
from .hall import Hall
from .watching import Request, Watcher, ask, get, post

Make = Callable[[Hall], Request]


def listed(cases: dict[str, Make]) -> pytest.MarkDecorator:
    """Run a test for each of these requests."""
    return pytest.mark.parametrize(
        "make", [pytest.param(make, id=name.replace(" ", "-")) for name, make in cases.items()]
    )


NUMBERS = ("2147483648", "9223372036854775808", "-1", "%C2%B2", "")
ON_BOTH = pytest.mark.parametrize(
    "database", [DATABASES[0], *(pytest.param(name, marks=pytest.mark.whole) for name in DATABASES[1:])], indirect=True
)


ADDRESSES = (
    "/t/{play}/matches/1/deals/{number}",
    "/t/{play}/matches/1/deals/{number}/close",
    "/t/{play}/history?before={number}",
    "/o/{owner}/table.json?matches={number}",
    "/t/{play}/history?pair=1-{number}",
    "/t/{play}/matches/1/deals/1/meanwhile?seq={number}",
    "/w/{watch}/live?match={number}",
    "/w/{watch}/matches/{number}/result.png",
    "/prime?sides={number}",
    "/o/{owner}/people/1?made=merged&other={number}",
)


@pytest.mark.whole
@ON_BOTH
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_number_of_any_size_in_an_address_is_no_fault_of_ours(hall: Hall, watcher: Watcher, address: str) -> None:
    keys = vars(hall.tables["chorizo"])
    for number in NUMBERS:
        path, _mark, query = address.format(number=number, **keys).partition("?")
        answer = watcher.expect(get(path + (f"?{query}" if query else "")))
        assert not answer.wrote


@ON_BOTH
@pytest.mark.parametrize("number", ["9223372036854775808", "²"])
def test_nor_one_in_the_version_that_a_form_was_drawn_from(hall: Hall, watcher: Watcher, number: str) -> None:
    watcher.expect(closing(hall, "chorizo", seq=number, others="A"))


FORMS: dict[str, Make] = {
    "a declaration that is 100,000 lists": lambda hall: closing(hall, "chorizo", declaration=["[" * 100_000]),
    "a declaration whose items are a number": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","items":7}']
    ),
    "a declaration of half a character as a value": lambda hall: closing(
        hall, "chorizo", declaration=[r'{"side":"A","cards":["\ud800"],"as":{"\ud800":"1"}}']
    ),
    "a declaration with an endless number": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","batch":1e999,"cards":["1B","2B","3B"]}']
    ),
    "a name with NUL": lambda hall: named(hall, "An\0a"),
    "a pasted link with NUL": lambda hall: post("/open", {"link": f"http://localhost/t/{'x' * 21}\0"}),
    "a file without a file": lambda hall: post("/tables/import", {"id": an_id(Random(1)), "file": "{}"}),
    "an entry that is taken back, with NUL": lambda hall: post(
        hall.path("chorizo", "/matches/1/undo/%00"), {"id": an_id(Random(1))}
    ),
    "a closing to take, with NUL": lambda hall: post(
        hall.path("chorizo", "/matches/1/deals/2/versions"), {"id": an_id(Random(1)), "take": "\0"}
    ),
}


@listed(FORMS)
def test_a_form_that_no_page_has_drawn_is_answered_in_words(hall: Hall, watcher: Watcher, make: Make) -> None:
    watcher.expect(make(hall))


PLACES: dict[str, Make] = {
    "a file called NUL": lambda hall: get("/static/%00"),
    "a file with a long name and a stamp": lambda hall: get(f"/static/{'x' * 300}.{'0' * 12}.css"),
    "a file above the folder": lambda hall: get("/static/../pyproject.toml"),
    "a key called NUL": lambda hall: get("/t/%00"),
    "a key that is no UTF-8": lambda hall: get("/t/%ff%fe"),
    "a bearer with NUL": lambda hall: get("/api/v1/entries", Authorization="Bearer \0"),
    "a language that is none": lambda hall: post("/language", {"language": "es", "back": "/\0"}),
    "a cookie that is none": lambda hall: get("/", Cookie="scorekeeper=.eJx\xff; language=\x01"),
    "a host with two dots": lambda hall: get("/", Host="a..b"),
}


@listed(PLACES)
def test_a_place_that_cannot_be_is_answered_in_words(hall: Hall, watcher: Watcher, make: Make) -> None:
    assert not watcher.expect(make(hall)).wrote


ENTRIES: dict[str, Any] = {
    "no declarations but nothing": {"facts": {"declarations": None}},
    "piles that are a list": {"facts": {"piles": []}},
    "counts that are lists": {"facts": {"counts": {"A": []}}},
    "too many cards beside counts that are a number": {
        "facts": {"counts": {"A": {"cards": 999}, "B": None, "Z": 7}},
    },
    "values of wild cards that are numbers": {"facts": {"as": {"7O": 7}}},
    "a card with NUL": {"facts": {"piles": {"A": ["\0"]}}},
    "a layout that is an object": {"facts": {"layout": {"a": 1}, "layout_result": {}}},
    "problems accepted that are objects": {"facts": {"accept": [{}]}},
}


@pytest.mark.parametrize("game", ["chorizo", "carioca"])
def test_a_pushed_closing_of_any_shape_is_answered_in_words(hall: Hall, watcher: Watcher, game: str) -> None:
    for name, payload in ENTRIES.items():
        random = Random(f"{game} {name}")
        told = entry(random, "deal_closed", payload=payload, drawn_from=1000)
        after = entry(random, "swept", payload={"side": "A", "count": 1})
        answer = watcher.expect(ask("/api/v1/entries", pushed(hall, game, told, after)), 200, 400, 409, 422)
        assert answer.status == 400 or answer.json["answers"][0]["status"] in ("refused", "stale"), name


KEYS: dict[str, Any] = {
    "a key with NUL": "\0",
    "a key of half a character": "\ud800",
}


@ON_BOTH
@pytest.mark.parametrize("key", [pytest.param(key, id=name.replace(" ", "-")) for name, key in KEYS.items()])
def test_a_push_to_a_table_that_cannot_be(hall: Hall, watcher: Watcher, key: Any) -> None:
    answer = watcher.expect(ask("/api/v1/entries", {"table": key, "entries": [entry(Random(1), "swept")]}))
    assert answer.is_refused


@ON_BOTH
@pytest.mark.parametrize("field", ["id", "author", "side"])
def test_a_pushed_entry_with_nul_in_it(hall: Hall, watcher: Watcher, field: str) -> None:
    told = {**entry(Random(field), "swept"), "payload": {"side": "A", "count": 1}}
    (told["payload"] if field == "side" else told)[field] = "\0"
    watcher.expect(ask("/api/v1/entries", pushed(hall, "scopa", told)))


STRANGE = {
    "written from right to left": "Ana\u202e",
    "with a letter that no XML has": "Ana\x01",
    "with NUL": "An\0a",
    "with half a character": "Ana\ud800",
}
UNSEEN = {
    "of a filler": "\u3164",
    "of joiners": "\u200d\u200c",
}
PAGES = ("", "/matches/1", "/matches/1/text", "/matches/1/picture", "/matches/1/result.png", "/matches/1/journal")


def strange(text: str) -> bool:
    """Say whether a text holds what is not to be seen, or turns what stands beside it."""
    return any(letter in text for letter in "\0\x01\x1b\u200b\u202e\u2066\ufeff\ufffe\U000e0041")


@ON_BOTH
@pytest.mark.parametrize("name", [pytest.param(name, id=id.replace(" ", "-")) for id, name in STRANGE.items()])
def test_a_name_is_kept_without_what_nobody_sees(hall: Hall, watcher: Watcher, name: str) -> None:
    answer = watcher.expect(named(hall, name, table_name=name), 303, 400, 422)
    if answer.status != 303:
        assert not answer.wrote
        return
    table = answer.headers["Location"]
    for page in PAGES:
        drawn_page = watcher.expect(get(table + page), 200)
        if not page.endswith(".png"):
            assert not strange(Page(hall.client.get(table + page)).words), drawn_page.request
    assert watcher.expect(get(table + "/matches/1/journal")).status == 200


@pytest.mark.parametrize("name", [pytest.param(name, id=id.replace(" ", "-")) for id, name in UNSEEN.items()])
def test_a_name_that_nobody_sees_is_none(hall: Hall, watcher: Watcher, name: str) -> None:
    answer = watcher.expect(named(hall, name), 400, 422)
    assert not answer.wrote


@pytest.mark.parametrize("name", ["A\u202ena"])
def test_two_players_whose_names_look_alike_are_not_two(hall: Hall, watcher: Watcher, name: str) -> None:
    request = form(
        "/tables/new",
        with_fields(drawn(hall, "/tables/new", "agree"), {"player-0": "Ana", "player-1": name, "step": "save"}),
    )
    watcher.expect(request, 422)
