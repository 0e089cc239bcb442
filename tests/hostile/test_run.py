"""Some hundreds of hostile requests with fixed seeds: half of them well-shaped but for one value, forms and interface.

Nothing may answer 5xx, log a fault, write what it refuses, answer a megabyte or forget its headers. A failure shows the
seed and the requests as they can be sent by hand; ``RUN``, below, says how many of each kind a seed sends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from werkzeug.datastructures import MultiDict

from ..helpers.reading import Page
from ..helpers.simulator import PACK
from ..web.conftest import with_fields
from .drawn import DEAL, an_id, entry, partial
from .hall import GAMES, Hall
from .values import HEADERS, NUMBERS, a_field, a_text, a_value, with_one_changed
from .watching import Answer, Request, Watcher, ask, post, told_of

pytestmark = pytest.mark.whole

SEEDS = [1, *(pytest.param(seed, marks=pytest.mark.whole) for seed in (2, 3))]
USES = 5
"""How often a large form that was drawn is sent: with another id each time, as if it had been drawn anew."""
FEW = 6
"""Fields of a form that is hardly more than a button."""
SHOWN = 25

FORM_PAGES = (
    "",
    "/matches/new",
    f"{DEAL}/close",
    f"{DEAL}/close",
    f"{DEAL}/close",
    f"{DEAL}/declare",
    f"{DEAL}/layout",
    f"{DEAL}/penalty",
    "/matches/1/deals/1/close",
    "/matches/1/deals/1",
    "/matches/1/deals/2/versions",
    "/matches/1/deals/3",
    "/matches/1/deals/4",
    "/matches/1/journal",
    "/matches/1",
)
OTHER_PAGES = ("/tables/new", "/tables/new", "/forget", "/", "/rules/scopa")
PATHS = (
    "/t/{key}/matches/{n}",
    "/t/{key}/matches/1/deals/{n}",
    "/t/{key}/matches/{n}/deals/{n}/close",
    "/t/{key}/matches/{n}/result.png",
    "/t/{key}/players/{n}",
    "/w/{watch}/matches/{n}/journal",
    "/w/{watch}/matches/1/deals/{n}/meanwhile",
    "/o/{owner}/qr/{n}.svg",
    "/o/{owner}/renew/{n}",
    "/o/{owner}/people/{n}/same",
    "/t/{n}",
    "/o/{n}",
    "/rules/{n}",
    "/static/{n}",
    "/{n}",
)
QUERIES = (
    ("/t/{key}/history", ("before", "game", "player", "pair", "period", "state", "who", "guests", "typed")),
    ("/t/{key}/history/find", ("game", "player", "pair", "period", "state")),
    ("/t/{key}/table.json", ("matches",)),
    ("/t/{key}/matches/1/journal", ("before",)),
    ("/t/{key}/matches/1/deals/1", ("v", "saved", "locked")),
    ("/t/{key}/matches/1/deals/5/meanwhile", ("seq", "v")),
    ("/t/{key}/matches/new", ("rules",)),
    ("/w/{watch}/live", ("match", "v")),
    ("/o/{owner}/people/1", ("made", "other")),
    ("/tables/new", ("game", "preset")),
    ("/prime", ("method", "sides", "tab", "pile-A", "pile-B", "suits", "pip")),
    ("/captures", ("game", "preset", "card", "layout", "hand", "opt-wild_cards", "as-7O", "tab", "drawn", "last")),
    ("/api/v1/entries", ("match", "after")),
)


class Sender:
    """Makes requests up, from a seed and what the hall's pages draw."""

    def __init__(self, hall: Hall, seed: int) -> None:
        self.hall, self.random = hall, Random(seed)
        self.drawn: list[tuple[str, MultiDict[str, str]]] = []

    def a_form(self) -> Request:
        """Return a form as a page has drawn it, one field of it hostile."""
        while not self.drawn:
            drawn = [one for _page in range(4) for one in self._draw()]
            self.drawn = [one for one in drawn for _use in range(USES if len(one[1]) > FEW else 1)]
            self.random.shuffle(self.drawn)
        path, fields = self.drawn.pop()
        told = with_fields(fields, {"id": an_id(self.random)} if "id" in fields else {})
        if path.endswith("/close"):
            told = with_fields(told, self._answers(path))
        elif "step" not in told and self.random.random() < 0.7:
            told = with_fields(told, {"step": "save"})
        if path.endswith("/new"):
            told = with_fields(
                told, {f"player-{seat}": f"Name {seat}" for seat in range(10) if f"player-{seat}" in told}
            )
        # The id and the version are in every form: mostly something else is hostile, or nobody would look further.
        names = [name for name in told if name not in ("csrf_token", "id", "seq") or self.random.random() < 0.2]
        names = names or ["side"]
        name = self.random.choice(names)
        headers = self.random.choice(HEADERS) if self.random.random() < 0.2 else {}
        value = a_field(self.random)
        made = post(path, dict(with_fields(told, {name: value}).lists()))
        return Request("POST", path, form=made.form, headers=headers, note=f"{name} is {value!r}")

    def _answers(self, path: str) -> dict[str, Any]:
        """Return what closes the deal of that form, or a part of it."""
        game = next(one for one in GAMES if self.hall.tables[one.name].play in path)
        told = dict(self.random.choice((game.closing, game.otherwise)))
        if "others" in told:
            cards = self.random.sample(PACK, 12)
            told |= {"pile-A": cards[:6], "pile-B": cards[6:], "rest": "B"} if self.random.random() < 0.5 else {}
        return {**told, "step": self.random.choice(("save", "save", "check", "live", "add"))}

    def _draw(self) -> list[tuple[str, MultiDict[str, str]]]:
        """Return every form of a page that posts."""
        if self.random.random() < 0.1:
            path = self.random.choice(OTHER_PAGES)
        elif self.random.random() < 0.1:
            owner = self.random.choice(list(self.hall.tables.values())).owner
            path = f"/o/{owner}" + self.random.choice(
                ("", "", "/renew/play", "/renew/watch", "/zone", "/delete", "/people/1", "/people/2/same")
            )
        else:
            path = self.hall.path(self.random.choice(GAMES).name, self.random.choice(FORM_PAGES))
        page = Page(self.hall.client.get(path))
        found = []
        for told, fields in page._read.forms:
            action = told.get("action") or path
            # Taking the hall down is somebody else's test: what follows would only hit tables that are gone. The
            # language is on every page, and would be every third form.
            dull = action.endswith(("/delete", "/forget")) or (action == "/language" and self.random.random() < 0.95)
            if (told.get("method") or "").lower() == "post" and not dull:
                found.append((action, with_fields(fields, self._pressed(page, fields))))
        return found

    def _pressed(self, page: Page, fields: MultiDict[str, str]) -> dict[str, str]:
        """Return the buttons of the page, pressed: a small form has no more than these."""
        pressed = {"side": self.random.choice("AB")} if len(fields) <= FEW else {}
        for name in ("take", "penalty"):
            if page.buttons(name):
                pressed[name] = self.random.choice(page.buttons(name))
        return pressed

    def an_address(self) -> Request:
        """Return a page at an address with a hostile part."""
        keys = vars(self.hall.tables[self.random.choice(GAMES).name])
        known = {"key": keys["play"], "watch": keys["watch"], "owner": keys["owner"]}
        headers = self.random.choice(HEADERS) if self.random.random() < 0.3 else {}
        if self.random.random() < 0.5:
            hostile = self.random.choice(NUMBERS) if self.random.random() < 0.6 else a_text(self.random)
            told = quote(hostile.encode("utf-8", "surrogatepass"), safe="")
            return Request("GET", self.random.choice(PATHS).format(n=told, **known), headers=headers)
        path, names = self.random.choice(QUERIES)
        if path == "/api/v1/entries":
            headers = {"Authorization": f"Bearer {known['key']}"}
        query = [(name, a_text(self.random)) for name in names if self.random.random() < 0.6]
        if path == "/captures":
            query += [("game", "escopa")] + [("layout", card) for card in self.random.sample(PACK, 9)]
        return Request("GET", path.format(**known), query=tuple(query), headers=headers)

    def a_question(self) -> Request:
        """Return a request to the engine that is right but for one value."""
        door, body = self.random.choice(self._questions())
        return ask(f"/api/v1/{door}", *with_one_changed(body, self.random))

    def _questions(self) -> list[tuple[str, dict[str, Any]]]:
        random = self.random
        sides = random.choice(("AB", "ABC", "ABCD"))
        part = partial(random, sides, 30, random.choice(((), ("cards",), ("cards", "coins"))))
        layout = random.sample(PACK, 6)
        fishing = random.choice(("chorizo", "escoba", "scopa"))
        hand = {"side": "A", "batch": 1, "cards": ["1B", "2B", "3B"], "items": ["flush"], "as": {}}
        wild = {"wild_cards": "7O+12O", "wild_power": "rank_or_suit"}
        said = {"awards": {"cards": "A", "coins": ["A"], "prime": None}, "sweeps": {"A": 2, "B": 0}}
        told = {"dealer": "A", "declarations": [hand], "rest": "B", "last_capturer": "B", "as": {"12O": "5O"}, **said}
        brisca = {"trump": "O", "card_points": {"A": 70, "B": 50}, "marriages": [{"side": "A", "suit": "O"}]}
        carioca = {"round": 1, "went_out": "A", "left": {"B": ["K", "5"]}, "left_points": {"C": 3}, "steals": {"B": 1}}
        sevens = {"A": ["7O", "6C", "6E", "5B"], "B": PACK[11:20]}
        return [
            ("score", {"game": fishing, "sides": list(sides), "options": {"target": 21}, "deal": part}),
            (
                "score",
                {"game": "chorizo", "sides": ["A", "B"], "options": wild, "deal": {**told, "layout": layout[:4]}},
            ),
            ("score", {"game": "cirulla", "sides": ["A", "B"], "deal": {**said, "layout": layout[:4], "rest": "A"}}),
            ("score", {"game": "brisca", "sides": ["A", "B"], "players_per_side": 1, "deal": brisca}),
            ("score", {"game": "carioca", "sides": ["A", "B", "C"], "deal": carioca}),
            ("score", {"game": "free", "sides": ["A", "B"], "deal": {"points": {"A": 1, "B": -2}}}),
            ("match", {"game": "free", "sides": ["A", "B"], "deals": [{"points": {"A": n, "B": 1}} for n in range(9)]}),
            ("match", {"game": fishing, "preset": None, "sides": ["A", "B"], "deals": [said, {**said, "dealer": "B"}]}),
            (
                "captures",
                {"game": "escopa", "layout": layout, "card": "7O", "hand": ["1C"], "as": {}, "last_play": False},
            ),
            ("captures", {"game": "chorizo", "options": wild, "layout": layout, "card": "12O", "as": {"7O": "3O"}}),
            (
                "prime",
                {"method": "face", "suits_required": 0, "needs_pip": False, "needs_seven": True, "piles": sevens},
            ),
        ]

    def a_push(self) -> Request:
        """Return a push that is right but for one value."""
        random, one = self.random, self.random.choice(GAMES)
        told = {name: value if isinstance(value, list) else [value] for name, value in one.closing.items()}
        closed = {"facts": {"awards": {"cards": "A"}, "sweeps": {"A": 1}, "piles": {"A": ["7O"]}, "rest": "B"}}
        declared = {"side": "A", "batch": 1, "cards": ["1B", "2B", "3B"]}
        entries = [
            entry(random, "swept", fields={"side": ["A"]}, at="2026-11-20T22:00:00Z"),
            entry(random, "swept", payload={"side": "B", "count": 2}),
            entry(random, "declared", payload=declared),
            entry(random, "layout_noted", payload={"layout": random.sample(PACK, 4)}),
            entry(random, "penalised", fields={"penalty": ["wrong_capture:A"]}),
            entry(random, "deal_closed", fields=told, drawn_from=1000, counted=[]),
            entry(random, "deal_closed", payload=closed, drawn_from=1000),
            entry(random, "deal_closed", 1, fields=told, drawn_from=2),
            entry(random, "voided", payload={"entry": an_id(random)}),
        ]
        body = {"table": self.hall.tables[one.name].play, "entries": random.sample(entries, 2)}
        return ask("/api/v1/entries", *with_one_changed(body, random))

    def a_body(self) -> Request:
        """Return something that is hardly a request at all."""
        random = self.random
        path = random.choice(
            [f"/api/v1/{door}" for door in ("score", "match", "captures", "prime", "entries", "games")]
        )
        if random.random() < 0.5:
            return ask(path, a_value(random))
        if random.random() < 0.5:
            junk = (
                b"\xff\xfe",
                b"\0" * 50,
                b"{" * 500,
                b'{"a":1,"a":2}',
                b"NaN",
                b"-",
                b'{"game":"scopa"',
                b"\xef\xbb\xbf{}",
            )
            return ask(path, random.choice(junk))
        key = self.hall.tables[random.choice(GAMES).name].play
        rest = random.choice(
            ("/sweep", "/close", "/declare", "/layout", "/penalty", "/accept", "/dispute", "/versions")
        )
        fields = {
            random.choice(("id", "side", "seq", "step", "take", "line", "entry", "x")): a_field(random) for _n in "123"
        }
        return post(f"/t/{key}/matches/1/deals/{random.randint(0, 6)}{rest}", fields)


RUN = (
    (Sender.a_form, 35),
    (Sender.an_address, 25),
    (Sender.a_question, 15),
    (Sender.a_push, 10),
    (Sender.a_body, 15),
)
"""A hundred requests a seed; forms, questions and pushes are well-shaped but for one value."""


def requests_of(hall: Hall, seed: int) -> Iterator[Request]:
    """Yield the requests of a seed, in an order of its own."""
    sender = Sender(hall, seed)
    kinds = [kind for kind, number in RUN for _turn in range(number)]
    sender.random.shuffle(kinds)
    for kind in kinds:
        yield kind(sender)


def run(hall: Hall, watcher: Watcher, seed: int) -> list[Answer]:
    """Send the requests of a seed; fail with those whose answer must never be."""
    answers = [watcher.send(request) for request in requests_of(hall, seed)]
    bad = [told_of(answer) for answer in answers if answer.faults]
    assert not bad, f"{len(bad)} of {len(answers)} requests of seed {seed}:\n" + "\n".join(bad[:SHOWN])
    return answers


@pytest.mark.parametrize("seed", SEEDS)
def test_no_request_breaks_the_app_or_writes_what_it_is_refused(hall: Hall, watcher: Watcher, seed: int) -> None:
    run(hall, watcher, seed)


@pytest.mark.whole
@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_nor_on_the_database_whose_numbers_and_texts_have_narrower_bounds(hall: Hall, watcher: Watcher) -> None:
    run(hall, watcher, 101)


def test_half_of_the_run_gets_past_the_door(hall: Hall, watcher: Watcher) -> None:
    """Requests that are all refused at once would show nothing of what lies behind."""
    answers = run(hall, watcher, 0)
    statuses = Counter(answer.status for answer in answers)
    assert sum(statuses[status] for status in (200, 303, 409, 422)) >= len(answers) // 2, statuses
    assert sum(answer.wrote for answer in answers) >= 5, statuses
