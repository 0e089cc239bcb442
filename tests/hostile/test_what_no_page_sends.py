"""Numbers, shapes and names that no page sends, each by its name: answered in words, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ..helpers.databases import on_both
from ..helpers.reading import Page
from ..web.conftest import with_fields
from .drawn import DEAL, an_id, closing, drawn, entry, form, named, pushed
from .hall import Hall
from .watching import Request, Watcher, ask, get, post

Make = Callable[[Hall], Request]


def listed(cases: dict[str, Make]) -> pytest.MarkDecorator:
    """Run a test for each of these requests."""
    return pytest.mark.parametrize(
        "make", [pytest.param(make, id=name.replace(" ", "-")) for name, make in cases.items()]
    )


NUMBERS = (
    "2147483647",
    "2147483648",
    "9223372036854775807",
    "9223372036854775808",
    "9" * 40,
    "-1",
    "%C2%B2",
    "1e9",
    "",
)


# They differ in the largest number, and in what a text may hold.
pytestmark = on_both
ADDRESSES = (
    "/t/{play}/matches/{number}",
    "/t/{play}/matches/{number}/deals/1",
    "/t/{play}/matches/1/deals/{number}",
    "/t/{play}/matches/1/deals/{number}/close",
    "/t/{play}/players/{number}",
    "/t/{play}/history?before={number}",
    "/t/{play}/table.json?matches=1-{number}",
    "/o/{owner}/table.json?matches={number}",
    "/t/{play}/history?player={number}",
    "/t/{play}/history?pair=1-{number}",
    "/t/{play}/history/find?period={number}",
    "/t/{play}/players/1?before={number}",
    "/t/{play}/matches/1/journal?before={number}",
    "/t/{play}/matches/1/deals/1/meanwhile?seq={number}",
    "/t/{play}/live?match={number}",
    "/w/{watch}/live?match={number}",
    "/w/{watch}/deleted?match={number}",
    "/w/{watch}/matches/{number}/result.png",
    "/t/{play}/matches/1?v={number}",
    "/captures?game=scopa&card={number}",
    "/prime?sides={number}",
    "/o/{owner}?made={number}",
    "/o/{owner}/people/{number}",
    "/o/{owner}/people/1?made=merged&other={number}",
    "/o/{owner}/people/1/forget?before={number}",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_number_of_any_size_in_an_address_is_no_fault_of_ours(hall: Hall, watcher: Watcher, address: str) -> None:
    keys = vars(hall.tables["chorizo"])
    for number in NUMBERS:
        path, _mark, query = address.format(number=number, **keys).partition("?")
        answer = watcher.expect(get(path + (f"?{query}" if query else "")))
        assert not answer.wrote


@pytest.mark.parametrize("number", [*NUMBERS, "²"])
def test_nor_one_in_the_version_that_a_form_was_drawn_from(hall: Hall, watcher: Watcher, number: str) -> None:
    watcher.expect(closing(hall, "chorizo", seq=number, others="A"))


FORMS: dict[str, Make] = {
    "a declaration that is 100,000 lists": lambda hall: closing(hall, "chorizo", declaration=["[" * 100_000]),
    "a declaration that is 10,000 lists": lambda hall: closing(hall, "chorizo", declaration=["[" * 10_000]),
    "a declaration whose items are a number": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","items":7}']
    ),
    "a declaration whose cards are a text": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","cards":"1B"}']
    ),
    "a declaration of half a character": lambda hall: closing(hall, "chorizo", declaration=[r'{"side":"\ud800"}']),
    "a declaration of half a character as a value": lambda hall: closing(
        hall, "chorizo", declaration=[r'{"side":"A","cards":["\ud800"],"as":{"\ud800":"1"}}']
    ),
    "a declaration with an endless number": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","batch":1e999,"cards":["1B","2B","3B"]}']
    ),
    "a declaration with a number of 5,000 digits": lambda hall: closing(
        hall, "chorizo", declaration=['{"side":"A","batch":' + "9" * 5_000 + "}"]
    ),
    "a name with NUL": lambda hall: named(hall, "An\0a"),
    "a form id with NUL": lambda hall: named(hall, "Ana", id="\0"),
    "a side with NUL": lambda hall: post(hall.path("chorizo", DEAL + "/sweep"), {"id": an_id(Random(1)), "side": "\0"}),
    "a pasted link with NUL": lambda hall: post("/open", {"link": f"http://localhost/t/{'x' * 21}\0"}),
    "a side for this phone with NUL": lambda hall: post(
        hall.path("chorizo", "/matches/1/speaks"), {"id": an_id(Random(1)), "side": "\0", "deal": "9" * 40}
    ),
    "another name of a player with NUL": lambda hall: post(
        f"/o/{hall.tables['chorizo'].owner}/players/1", {"id": an_id(Random(1)), "name": "A\0b"}
    ),
    "a zone with NUL": lambda hall: post(
        f"/o/{hall.tables['chorizo'].owner}/zone", {"id": an_id(Random(1)), "zone": "America/\0"}
    ),
    "a link of the new table with NUL": lambda hall: post(
        f"/o/{hall.tables['chorizo'].owner}/moved", {"id": an_id(Random(1)), "link": "https://a.example/\0"}
    ),
    "a file without a file": lambda hall: post("/tables/import", {"id": an_id(Random(1)), "file": "{}"}),
    "a file whose id is no id": lambda hall: post("/tables/import/%00", {}),
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
    "a file with a long name": lambda hall: get(f"/static/{'x' * 300}"),
    "a file with a long name and a stamp": lambda hall: get(f"/static/{'x' * 300}.{'0' * 12}.css"),
    "a file above the folder": lambda hall: get("/static/../pyproject.toml"),
    "a file that is a folder": lambda hall: get("/static/js"),
    "a key called NUL": lambda hall: get("/t/%00"),
    "a watch key called NUL": lambda hall: get("/w/%00/matches/1"),
    "an owner key called NUL": lambda hall: get("/o/%00"),
    "a key that is no UTF-8": lambda hall: get("/t/%ff%fe"),
    "a key of 4,000 letters": lambda hall: get(f"/t/{'x' * 4000}"),
    "a bearer with NUL": lambda hall: get("/api/v1/entries", Authorization="Bearer \0"),
    "a match with NUL": lambda hall: get(
        "/api/v1/entries", ("match", "\0"), Authorization=f"Bearer {hall.tables['free'].play}"
    ),
    "house rules called NUL": lambda hall: get(hall.path("free", "/matches/new"), ("rules", "\0")),
    "rules of a game called NUL": lambda hall: get("/rules/%00"),
    "a renewed link of a kind called NUL": lambda hall: get(f"/o/{hall.tables['free'].owner}/renew/%00"),
    "a language that is none": lambda hall: post("/language", {"language": "es", "back": "/\0"}),
    "a cookie that is none": lambda hall: get("/", Cookie="scorekeeper=.eJx\xff; language=\x01"),
    "a host with two dots": lambda hall: get("/", Host="a..b"),
    "a host of 64 letters": lambda hall: get("/nowhere", Host="x" * 64 + ".example"),
    "a host with a blank": lambda hall: get(hall.path("free", "/share"), Host="a b"),
    "a host with a user": lambda hall: get(hall.path("free", "/qr.svg"), Host="x@y"),
    "a bad host on a page that is not there": lambda hall: get("/o/" + "x" * 22, Host="a..b"),
}


@listed(PLACES)
def test_a_place_that_cannot_be_is_answered_in_words(hall: Hall, watcher: Watcher, make: Make) -> None:
    assert not watcher.expect(make(hall)).wrote


ENTRIES: dict[str, Any] = {
    "no declarations but nothing": {"facts": {"declarations": None}},
    "no sweeps but nothing": {"facts": {"sweeps": None}},
    "no awards but nothing": {"facts": {"awards": None}},
    "piles that are a list": {"facts": {"piles": []}},
    "counts that are lists": {"facts": {"counts": {"A": []}}},
    "too many cards beside counts that are a number": {
        "facts": {"counts": {"A": {"cards": 999}, "B": None, "Z": 7}},
    },
    "penalties that are texts": {"facts": {"penalties": ["x"]}},
    "a declaration that is a number": {"facts": {"declarations": [7]}},
    "values of wild cards that are numbers": {"facts": {"as": {"7O": 7}}},
    "facts that are a list": {"facts": []},
    "a card with NUL": {"facts": {"piles": {"A": ["\0"]}}},
    "a side of half a character": {"facts": {"piles": {"\ud800": []}}},
    "a layout that is an object": {"facts": {"layout": {"a": 1}, "layout_result": {}}},
    "problems accepted that are objects": {"facts": {"accept": [{}]}},
}


@pytest.mark.parametrize("game", ["chorizo", "brisca", "rematada", "carioca", "free"])
def test_a_pushed_closing_of_any_shape_is_answered_in_words(hall: Hall, watcher: Watcher, game: str) -> None:
    for name, payload in ENTRIES.items():
        random = Random(f"{game} {name}")
        told = entry(random, "deal_closed", payload=payload, drawn_from=1000)
        after = entry(random, "swept", payload={"side": "A", "count": 1})
        answer = watcher.expect(ask("/api/v1/entries", pushed(hall, game, told, after)), 200, 400, 409, 422)
        assert answer.status == 400 or answer.json["answers"][0]["status"] in ("refused", "stale"), name


KEYS: dict[str, Any] = {
    "a key with NUL": "\0",
    "a key of another kind": 7,
    "a key of 1,000 letters": "x" * 1000,
    "a key of half a character": "\ud800",
}


@pytest.mark.parametrize("key", [pytest.param(key, id=name.replace(" ", "-")) for name, key in KEYS.items()])
def test_a_push_to_a_table_that_cannot_be(hall: Hall, watcher: Watcher, key: Any) -> None:
    answer = watcher.expect(ask("/api/v1/entries", {"table": key, "entries": [entry(Random(1), "swept")]}))
    assert answer.is_refused


@pytest.mark.parametrize("field", ["id", "kind", "author", "side", "at"])
def test_a_pushed_entry_with_nul_in_it(hall: Hall, watcher: Watcher, field: str) -> None:
    told = {**entry(Random(field), "swept"), "payload": {"side": "A", "count": 1}}
    (told["payload"] if field == "side" else told)[field] = "\0"
    watcher.expect(ask("/api/v1/entries", pushed(hall, "scopa", told)))


STRANGE = {
    "written from right to left": "Ana\u202e",
    "with a letter that no XML has": "Ana\x01",
    "with an escape": "Ana\x1b[31m",
    "with no character": "Ana\ufffe",
    "with NUL": "An\0a",
    "with half a character": "Ana\ud800",
    "with an isolate that is never closed": "Ana\u2066",
    "with a byte order mark": "\ufeffAna",
    "with a tag": "Ana\U000e0041",
}
UNSEEN = {
    "of no width": "\u200b",
    "of a filler": "\u3164",
    "of a braille blank": "\u2800",
    "of joiners": "\u200d\u200c",
}
PAGES = ("", "/matches/1", "/matches/1/text", "/matches/1/picture", "/matches/1/result.png", "/matches/1/journal")


def strange(text: str) -> bool:
    """Say whether a text holds what is not to be seen, or turns what stands beside it."""
    return any(letter in text for letter in "\0\x01\x1b\u200b\u202e\u2066\ufeff\ufffe\U000e0041")


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


@pytest.mark.parametrize("name", ["ana\u200b", "A\u202ena", "ANA\u2060", " Ana\ufeff "])
def test_two_players_whose_names_look_alike_are_not_two(hall: Hall, watcher: Watcher, name: str) -> None:
    request = form(
        "/tables/new",
        with_fields(drawn(hall, "/tables/new", "agree"), {"player-0": "Ana", "player-1": name, "step": "save"}),
    )
    watcher.expect(request, 422)
