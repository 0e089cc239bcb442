"""A search for the worst request that a stranger can send: ``python -m bench.worst [--seconds 300]``.

Tables are opened and filled through the app's addresses as far as it lets a stranger. Then every address is requested:
pages of the filled tables, requests that grow until they are refused, and deals that are changed into costlier ones.
A new process that has served only a small table answers each request. The result is the CPU time and the bytes of the
answer before it is packed. Seeds are fixed, but the extent of the search depends on the machine.
"""

from __future__ import annotations

import argparse
import functools
import gc
import json
import os
import pickle
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from urllib.parse import urlencode
from uuid import uuid4

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.rules.cards import CODES
from scorekeeper.store import queries
from scorekeeper.store.db import db, migrate_database

from .stage import SECRET, instance, print_machine, print_table

AIM = 0.25
"""Seconds of CPU that a request may take."""
GUARD = 60
"""Seconds of CPU after which a request is given up."""
WAITED = 10
"""A request that only waits is given up after this many times ``GUARD``."""
SLOW = 3.0
"""Seconds of CPU after which a request is not made larger."""
ENTRIES, AT_ONCE = 4000, 50
"""Entries that are pushed to one match at most, and in one push."""
SIZES = (10, 40, 100, 200, 400, 1_000, 4_000, 16_000, 60_000, 120_000, 240_000)
LONG_NAME = "Ⓦ" * 40
"""As long as a name may be, of letters that no font of the app has."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Sent:
    """A request of the search."""

    method: str
    path: str
    what: str
    form: tuple[tuple[str, str], ...] | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cost:
    """The cost of a request."""

    sent: Sent
    rule: str
    cpu: float
    size: int
    status: int

    @property
    def seconds(self) -> str:
        """The time in words."""
        return f"> {GUARD}" if self.cpu >= GUARD else f"{self.cpu:.3f}"


def apart(work: Callable[[], Result], guard: int = GUARD) -> Result | None:
    """Return the result of work in another process, which leaves this one unchanged; None if it took too long."""
    reading, writing = os.pipe()
    # A collection in the new process would copy all memory of this one, and be counted.
    gc.collect()
    gc.freeze()
    process = os.fork()
    if not process:
        os.close(reading)
        signal.setitimer(signal.ITIMER_PROF, guard)
        signal.alarm(WAITED * guard)
        try:
            with os.fdopen(writing, "wb") as answer:
                answer.write(pickle.dumps(work()))
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        pickled = answer.read()
    os.waitpid(process, 0)
    result: Result | None = pickle.loads(pickled) if pickled else None
    return result


def used() -> float:
    """Return the CPU seconds of this process and of its children."""
    return sum(os.times()[:4])


class Search:
    """Sends requests to the app and stores the cost of each."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()
        self.costs: list[Cost] = []
        self.random = Random(1)

    def send(self, sent: Sent) -> Cost:
        """Send a request in another process, and store its cost."""
        taken = apart(lambda: self._taken(sent)) or (float(GUARD), 0, 0)
        cost = Cost(sent, self._rule(sent), *taken)
        self.costs.append(cost)
        return cost

    def _taken(self, sent: Sent) -> tuple[float, int, int]:
        arguments = self._arguments(sent)
        began = time.process_time()
        answer = self.client.open(**arguments)
        return time.process_time() - began, len(answer.data), answer.status_code

    def open(self, sent: Sent) -> Any:
        """Send a request in this process, and return the answer."""
        return self.client.open(**self._arguments(sent))

    def _arguments(self, sent: Sent) -> dict[str, Any]:
        """Return the client's arguments for a request; the app's time does not include this work."""
        data = urlencode(sent.form).encode() if sent.form is not None else None
        body = json.dumps(sent.body).encode() if sent.body is not None else data
        kind = "application/x-www-form-urlencoded" if sent.form is not None else "application/json"
        about = {"path": sent.path, "method": sent.method, "headers": dict(sent.headers)}
        return {**about, "data": body, "content_type": kind}

    def visit(self, *paths: str) -> None:
        """Open pages in this process: the phone then knows their tables, and their templates are compiled."""
        keys = {path.split("/")[2] for path in paths if path.startswith("/t/")}
        if keys:
            # A phone that knows a table is not asked who holds it.
            with self.client.session_transaction() as session:
                session["tables"] = sorted(keys)
        for path in paths:
            self.client.get(path).close()
        with self.app.app_context():
            db.engine.dispose()

    def _rule(self, sent: Sent) -> str:
        path = sent.path.partition("?")[0]
        rule = self.app.url_map.bind("localhost").match(path, method=sent.method, return_rule=True)[0]
        shown = path if "<any(score" in str(rule) else str(rule).replace("<any(t, w):link>", "t")
        return f"{sent.method} {shown}"

    def an_id(self) -> str:
        """Return a fresh entry id."""
        return str(uuid4())


class _Forms(HTMLParser):
    """Reads the hidden and typed fields of the forms of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, str]]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag == "form":
            self.forms.append((given.get("id", ""), {}))
        if not self.forms:
            return
        fields = self.forms[-1][1]
        is_choice = given.get("type") in ("checkbox", "radio")
        if tag == "select":
            self._select = given.get("name", "")
        elif tag == "option" and self._select and ("selected" in given or self._select not in fields):
            fields[self._select] = given.get("value", "")
        elif tag == "input" and given.get("name") and (not is_choice or "checked" in given):
            fields[given["name"]] = given.get("value", "y" if is_choice else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""


def fields_of(search: Search, path: str, id: str) -> dict[str, str]:
    """Return the fields of a page's form."""
    reader = _Forms()
    reader.feed(apart(lambda: str(search.client.get(path).text)) or "")
    return next((dict(fields) for name, fields in reader.forms if name == id), {})


# ---------------------------------------------------------------- tables, filled as far as the app lets a stranger


@dataclass
class Filled:
    """A table that a stranger has filled."""

    what: str
    key: str
    watch: str = ""
    owner: str = ""
    entries: int = 0
    deal: int = 1
    """The deal being played."""

    def at(self, rest: str) -> str:
        """Return an address of the table."""
        return f"/t/{self.key}{rest}"


def open_table(search: Search, what: str, game: str, sides: int, **options: str) -> Filled:
    """Open a table of that many sides with the longest names."""
    path = "/tables/new"
    form = fields_of(search, path, "agree")
    for chosen in ({"game": game}, {"game": game, "shape": f"{sides}x1"}):
        reader = _Forms()
        reader.feed(search.client.post(path, data={**form, **chosen, "step": "refresh"}).text)
        form = next(dict(fields) for name, fields in reader.forms if name == "agree")
    names = {f"player-{seat}": f"{LONG_NAME[:38]}{seat:02}" for seat in range(sides)}
    agreed = {**form, "shape": f"{sides}x1", **names, **options, "first_dealer": "0", "step": "save"}
    answer = search.client.post(path, data=agreed)
    assert answer.status_code == 303, answer.text
    key = answer.headers["Location"].rpartition("/")[2]
    with search.app.app_context():
        table = queries.table_by_play_key(key)
        assert table is not None
        return Filled(what, key, table.watch_key, table.owner_key)


def push(search: Search, table: Filled, entries: Iterable[dict[str, Any]], seconds: float) -> None:
    """Push entries, some at once, until one is refused or the time is up."""
    until = used() + seconds
    waiting = list(entries)
    while waiting and used() < until:
        batch = waiting[:AT_ONCE]
        answer = search.open(Sent("POST", "/api/v1/entries", "", body={"table": table.key, "entries": batch}))
        said = [one["status"] for one in (answer.json or {}).get("answers", [])]
        table.entries += said.count("written")
        if not said or "refused" in said or "stale" in said or not said.count("written"):
            return
        waiting = waiting[said.count("written") :]


def entry(search: Search, kind: str, deal: int, payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an entry to be pushed."""
    return {"id": search.an_id(), "match": 1, "kind": kind, "deal": deal, "payload": payload, **more}


def fill_long(search: Search, seconds: float) -> Filled:
    """A match of as many deals as it may have, ten sides."""
    table = open_table(search, "many deals", "free", 10, **{"opt-target": ""})
    points = {chr(ord("A") + side): side for side in range(10)}
    closings = (
        entry(search, "deal_closed", number, {"facts": {"points": points}}, drawn_from=10**6)
        for number in range(1, ENTRIES)
    )
    push(search, table, closings, seconds)
    table.deal = table.entries + 1
    return table


def partial(random: Random, sides: str = "ABCD", shown: int = 14) -> dict[str, Any]:
    """Return a deal with some cards shown and some counted, without contradictions."""
    owner = {card: random.choice(sides) for card in CODES}
    seen = random.sample(list(CODES), shown)
    piles = {side: [card for card in seen if owner[card] == side] for side in sides}
    counts = {side: {"cards": sum(owner[card] == side for card in CODES)} for side in sides[:-1]}
    return {"piles": piles, "counts": counts}


def costly(search: Search, table: Filled, random: Random, deal: int = 1) -> dict[str, str | list[str]]:
    """Return a closing form with a part of the cards and a taker for every line."""
    path = table.at(f"/matches/1/deals/{deal}/close")
    form: dict[str, Any] = fields_of(search, path, "closing")
    form |= _cards_of(partial(random))
    return {**form, "others": "A", "step": "save", "id": search.an_id()}


def _cards_of(deal: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a closing form for the piles and counts of a deal."""
    piles = {f"pile-{side}": cards for side, cards in deal.get("piles", {}).items()}
    counts = [(kind, side, number) for side, each in deal.get("counts", {}).items() for kind, number in each.items()]
    return {**piles, **{f"count-{kind}-{side}": str(number) for kind, side, number in counts}}


def pairs(form: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of names and values of a form."""
    return tuple((name, one) for name, value in form.items() for one in (value if isinstance(value, list) else [value]))


def fill_corrected(search: Search, seconds: float) -> Filled:
    """One costly deal, corrected again and again."""
    table = open_table(search, "many corrections", "escoba", 4, **{"opt-target": "1000"})
    until, random = used() + seconds, Random(2)
    while used() < until and table.entries < ENTRIES:
        form = costly(search, table, random)
        answer = search.open(Sent("POST", table.at("/matches/1/deals/1/close"), "", pairs(form)))
        if answer.status_code == 409:
            break
        table.entries += 2 * (answer.status_code == 303)
    table.deal = 2
    return table


def fill_contested(search: Search, seconds: float) -> Filled:
    """One costly deal, closed by many who do not agree."""
    table = open_table(search, "many versions", "escoba", 4, **{"opt-target": "1000"})
    until, random, path = used() + seconds, Random(3), table.at("/matches/1/deals/1/close")
    first = costly(search, table, random)
    refused = 0
    while used() < until and table.entries < ENTRIES and refused < 20:
        other = {**first, **costly(search, table, random), "seq": first["seq"], "id": search.an_id()}
        answer = search.open(Sent("POST", path, "", pairs(other)))
        refused = 0 if answer.status_code == 303 else refused + 1
        table.entries += answer.status_code == 303
    table.deal = 2
    return table


def fill_declared(search: Search, seconds: float) -> Filled:
    """One deal with the same declaration over and over."""
    table = open_table(search, "many declarations", "chorizo", 2, **{"opt-target": "1000"})
    hand = {"side": "A", "items": ["flush", "run"]}
    push(search, table, (entry(search, "declared", 1, hand) for _turn in range(ENTRIES)), seconds)
    return table


def fill_swept(search: Search, seconds: float) -> Filled:
    """One deal with a sweep for every tap."""
    table = open_table(search, "many taps", "scopa", 2, **{"opt-target": "1000"})
    push(search, table, (entry(search, "swept", 1, {"side": "A", "count": 3}) for _turn in range(ENTRIES)), seconds)
    return table


def fill_accepted(search: Search, seconds: float) -> Filled:
    """One sheet that the same side accepts, over and over."""
    table = open_table(search, "many agreements of one side", "free", 2)
    closed = entry(search, "deal_closed", 1, {"facts": {"points": {"A": 1, "B": 2}}}, drawn_from=10**6)
    push(search, table, [closed], 5)
    until = used() + seconds
    while used() < until and table.entries < ENTRIES:
        form = {"id": search.an_id(), "entry": closed["id"], "side": "A"}
        answer = search.open(Sent("POST", table.at("/matches/1/deals/1/accept"), "", pairs(form)))
        if answer.status_code != 303:
            break
        table.entries += 1
    table.deal = 2
    return table


def fill_seated(search: Search, seconds: float) -> Filled:
    """Match after match, always with new people and rules of its own name."""
    table = open_table(search, "many matches and players", "free", 10)
    until, turn, path = used() + seconds, 0, table.at("/matches/new")
    form = fields_of(search, path, "agree")
    while used() < until and table.entries < ENTRIES:
        turn += 1
        names = {f"player-{seat}": f"{LONG_NAME[:32]}{turn:05}{seat:02}" for seat in range(10)}
        agreed = {**form, **names, "id": search.an_id(), "rules_name": f"{LONG_NAME[:34]}{turn:05}", "step": "save"}
        if search.client.post(path, data=agreed).status_code != 303:
            break
        table.entries += 1
    return table


FILLS: tuple[Callable[[Search, float], Filled], ...] = (
    fill_long,
    fill_corrected,
    fill_contested,
    fill_declared,
    fill_swept,
    fill_accepted,
    fill_seated,
)


# ---------------------------------------------------------------- every page of them


def pages(search: Search, table: Filled) -> Iterator[Sent]:
    """Yield a request of every page of a table."""
    auth = {"Authorization": f"Bearer {table.key}"}
    for address in ("entries", "standing", "sheet", f"sheet?deal={table.deal}", "matches"):
        yield Sent("GET", f"/api/v1/{address}", table.what, headers=auth)
    known = {"link": "t", "number": 1, "home": "it", "filename": "css/app.css", "name": "512", "kind": "png"}
    for rule in search.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint.startswith(("sync.", "api_tables.")):
            continue
        owned = str(rule).startswith("/o/")
        values = {**known, "id": "carioca", "which": "owner", "key": table.owner if owned else table.key}
        for deal in (1, table.deal) if "deal" in rule.arguments else (1,):
            path = _path(search, rule.endpoint, rule.arguments, {**values, "deal": deal})
            queries = {"meanwhile": "?seq=0", "live": "?v=0"}
            query = queries.get(path.rpartition("/")[2], "")
            yield Sent("GET", path + query, table.what)


def _path(search: Search, endpoint: str, names: set[str], values: Mapping[str, Any]) -> str:
    with search.app.test_request_context():
        return search.app.url_map.bind("localhost").build(endpoint, {name: values[name] for name in names})


# ---------------------------------------------------------------- requests that grow


def growing(search: Search, tables: Mapping[str, Filled]) -> Iterator[tuple[str, Callable[[int], Sent]]]:
    """Yield the makers of requests of any size."""

    def ask(door: str, what: str, body: Callable[[int], dict[str, Any]]) -> tuple[str, Callable[[int], Sent]]:
        return what, lambda n: Sent("POST", f"/api/v1/{door}", f"{what}, {n:,}", body=body(n))

    def numbered(n: int) -> dict[str, int]:
        return {f"x{i}": 0 for i in range(n)}

    def own(n: int) -> dict[str, list[str]]:
        return {"extra": ["x" * 40] * n}

    def closing_entry(deal: int, points: dict[str, int], drawn_from: int) -> dict[str, Any]:
        return entry(search, "deal_closed", deal, {"facts": {"points": points}}, drawn_from=drawn_from)

    free, chorizo, carioca = tables["free"], tables["chorizo"], tables["carioca"]
    ab = {"game": "chorizo", "sides": ["A", "B"]}
    rummy, ten = {**ab, "game": "carioca"}, {"game": "free", "sides": list("ABCDEFGHIJ")}
    hand = {"side": "A", "cards": ["1B", "2B", "3B"]}
    yield ask("match", "empty deals", lambda n: {**ab, "deals": [{}] * n})
    yield ask("match", "deals of ten", lambda n: {**ten, "deals": [{}] * n})
    yield ask("match", "partial deals", _partials)
    own_rounds = "deals with rounds of one's own"
    yield ask("match", own_rounds, lambda n: {**rummy, "options": {"rounds": own(n)}, "deals": [{}] * n})
    yield ask("score", "bad cards", lambda n: {**ab, "deal": {"piles": {"A": ["zz"] * n}}})
    yield ask("score", "unknown fields", lambda n: {**ab, "deal": numbered(n)})
    yield ask("score", "unknown options", lambda n: {**ab, "options": numbered(n)})
    yield ask("score", "letters of a side", lambda n: {"game": "scopa", "sides": ["A" * n, "B"], "deal": {}})
    yield ask("score", "declarations", lambda n: {**ab, "deal": {"declarations": [hand] * n}})
    yield ask("score", "rounds", lambda n: {**rummy, "options": {"rounds": {"extra": ["x"], "n": n}}, "deal": {}})
    held = {"game": "escopa", "layout": [], "card": "7O"}
    yield ask("captures", "cards in the hand", lambda n: {**held, "hand": ["1O"] * n})
    yield ask("prime", "sides", lambda n: {"method": "face", "piles": {f"x{i}": ["7O"] for i in range(n)}})

    opened = {"id": search.an_id(), "game": "scopa", "sides": [["Ana"], ["Beto"]]}
    yield ask("tables", "fields of a new table", lambda n: {**opened, **numbered(n)})
    yield ask("tables", "options of a new table", lambda n: {**opened, "options": numbered(n)})
    yield ask("tables", "letters of a table's name", lambda n: {**opened, "name": "x" * n})
    yield ask("tables", "letters of a player's name", lambda n: {**opened, "sides": [["x" * n], ["Beto"]]})

    def push_to_free(what: str, made: Callable[[int, int], dict[str, Any]]) -> tuple[str, Callable[[int], Sent]]:
        return ask("entries", what, lambda n: {"table": free.key, "entries": [made(n, i) for i in range(min(n, 500))]})

    yield ask("entries", "nonsense", lambda n: {"table": free.key, "entries": ["x"] * n})
    yield push_to_free("closings", lambda _n, turn: closing_entry(free.deal + turn, {"A": 1}, 10**6))
    yield push_to_free("stale closings", lambda n, turn: closing_entry(1, {"A": n, "B": turn}, 0))

    def post(path: str, what: str, form: Callable[[int], dict[str, Any]]) -> tuple[str, Callable[[int], Sent]]:
        return what, lambda n: Sent("POST", path, f"{what}, {n:,}", pairs(form(n)))

    at = chorizo.at("/matches/1/deals/1")
    close = f"{at}/close"
    closing = {**fields_of(search, close, "closing"), "step": "check"}
    rounds = carioca.at("/matches/1/deals/1/close")
    left = {**fields_of(search, rounds, "closing"), "step": "check"}
    yield post(rounds, "ranks left in hand", lambda n: {**left, "left-A": "z " * n})
    declared = json.dumps({**hand, "items": ["flush"]})
    yield post(close, "cards of a pile", lambda n: {**closing, "pile-A": ["1O"] * n})
    yield post(close, "declarations", lambda n: {**closing, "declaration": [declared] * n})
    items = "items of a declaration"
    yield post(close, items, lambda n: {**closing, "declaration": json.dumps({"side": "A", "items": ["flush"] * n})})
    added = {**closing, "step": "add", "new_side": "A"}
    yield post(close, "items of a new declaration", lambda n: {**added, "new_item": ["flush"] * n})
    yield post(close, "penalties", lambda n: {**closing, "penalty": ["x:A"] * n})
    yield post(close, "problems accepted", lambda n: {**closing, "accept": ["pile_parity"] * n})
    yield post(f"{at}/declare", "cards of a hand", lambda n: {"id": search.an_id(), "side": "A", "cards": ["1O"] * n})
    yield post(f"{at}/layout", "cards of a layout", lambda n: {"id": search.an_id(), "cards": ["1O"] * n})
    agree = fields_of(search, "/tables/new", "agree")
    yield post("/tables/new", "letters of a name", lambda n: {**agree, "player-0": "x" * n, "step": "save"})
    yield post("/tables/new", "fields", lambda n: {**agree, "x": [""] * n, "step": "refresh"})
    yield post("/open", "keys pasted", lambda n: {"link": "x" * 22 + (" " + "y" * 22) * n})
    yield post("/language", "letters of an address", lambda n: {"language": "es", "back": "/" + "x" * n})

    def get(path: str, what: str, fields: Sequence[str]) -> tuple[str, Callable[[int], Sent]]:
        return what, lambda n: Sent("GET", path + "&".join(fields[:n]), f"{what}, {n:,}")

    yield get("/captures?game=escopa&card=12B&", "cards on the table", [f"layout={card}" for card in CODES[:24]])
    yield get("/captures?game=escopa&card=12B&", "cards of the hand", ["hand=1O"] * 400)
    yield get("/prime?", "cards of a prime", ["pile-A=1O"] * 400)


def _partials(number: int) -> dict[str, Any]:
    random = Random(4)
    deals = [partial(random, shown=random.randint(4, 24)) for _deal in range(min(number, 1_000))]
    return {"game": "escoba", "sides": list("ABCD"), "options": {"target": 10_000}, "deals": deals}


def grow(search: Search, make: Callable[[int], Sent]) -> None:
    """Send a request larger and larger, until it takes too long or has the last of ``SIZES``."""
    for size in SIZES:
        cost = search.send(make(size))
        if cost.cpu > SLOW:
            return


# ---------------------------------------------------------------- deals that grow costlier step by step


def changed(body: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a question with a small change of its deal."""
    other: dict[str, Any] = json.loads(json.dumps(body))
    sides, deal = other["sides"], other["deal"]
    piles = deal.setdefault("piles", {side: [] for side in sides})
    lying = [(side, card) for side in sides for card in piles.get(side, [])]
    turn = random.random()
    if turn < 0.15:
        _say_more(deal, lying, sides, random)
    elif turn < 0.4 and lying:
        side, card = random.choice(lying)
        piles[side].remove(card)
        if random.random() < 0.5:
            piles.setdefault(random.choice(sides), []).append(card)
    elif turn < 0.7:
        card = random.choice([card for card in CODES if card not in [one for _side, one in lying]])
        piles.setdefault(random.choice(sides), []).append(card)
    elif turn < 0.9:
        kind = random.choice(("cards", "coins", "sevens", "sixes", "figures"))
        counts = deal.setdefault("counts", {}).setdefault(random.choice(sides), {})
        if kind in counts and random.random() < 0.5:
            counts.pop(kind)
        else:
            counts[kind] = random.randint(0, 14 if kind == "cards" else 5)
    else:
        deal["awards"] = {random.choice(("cards", "coins", "prime", "seven_of_coins")): random.choice(sides)}
    return other


def _say_more(deal: dict[str, Any], lying: list[tuple[str, str]], sides: list[str], random: Random) -> None:
    """Add the side of a card, or a best card for the prime; or remove all of these."""
    side, card = random.choice(sides), random.choice([card for card in CODES if card not in [one for _, one in lying]])
    if random.random() < 0.1:
        deal.pop("told", None)
        deal.pop("best", None)
    elif random.random() < 0.5:
        others = [cards for cards in deal.setdefault("told", {}).values() if card in cards]
        if not others:
            deal["told"].setdefault(side, []).append(card)
    else:
        deal.setdefault("best", {}).setdefault(side, {})[card[-1]] = random.choice((6, 5, "figure", None))


def climb(search: Search, seconds: float) -> dict[str, Any]:
    """Change deals as long as they get costlier; return the costliest."""
    random, until = Random(5), used() + seconds
    worst: tuple[float, dict[str, Any]] = (0.0, {})
    starts = [
        {"game": game, "sides": list(sides), "deal": partial(random, sides, shown), "options": {}}
        for game in ("chorizo", "escoba", "baciga", "scopa", "cirulla", "escopa")
        for sides in ("ABCD", "ABC", "AB")
        for shown in (6, 12, 18)
    ]
    random.shuffle(starts)
    for number, start in enumerate(starts):
        body, best = start, 0.0
        share = used() + (until - used()) / (len(starts) - number)
        while used() < share:
            other = body if best == 0 else changed(body, random)
            cost = search.send(Sent("POST", "/api/v1/score", f"a deal of {len(body['sides'])} sides", body=other))
            if cost.status == 200 and cost.cpu > best:
                body, best = other, cost.cpu
            elif best == 0:
                break
        if best > worst[0]:
            worst = (best, body)
    return worst[1]


def everywhere(search: Search, body: dict[str, Any]) -> None:
    """Send the costliest deal to every address that takes a deal."""
    random = Random(6)
    deals, one = [], body
    for _deal in range(200):
        deals.append(one["deal"])
        other = changed(one, random)
        one = other if random.random() < 0.5 else body
    asked = {"game": body["game"], "sides": body["sides"], "options": {"target": 10_000}}
    for number in (20, 60, 200):
        sent = Sent("POST", "/api/v1/match", f"{number} such deals", body={**asked, "deals": deals[:number]})
        if search.send(sent).cpu > SLOW:
            break
    table = _opened(search, body["game"], "the costliest deal", len(body["sides"]), **{"opt-target": "1000"})
    path = table.at("/matches/1/deals/1/close")
    form: dict[str, Any] = fields_of(search, path, "closing")
    form |= _cards_of(body["deal"])
    for step in ("live", "check", "save"):
        taken = {"others": "A"} if step == "save" else {}
        fields = pairs({**form, "step": step, **taken, "id": search.an_id()})
        search.send(Sent("POST", path, f"the costliest deal, {step}", fields))
    for sent in pages(search, table):
        if sent.path.startswith("/t/"):
            search.send(sent)
    for sent in pushes(search, table, body["deal"], random):
        search.send(sent)


def pushes(search: Search, table: Filled, deal: dict[str, Any], random: Random) -> Iterator[Sent]:
    """Yield pushes of different costly entries of one deal."""

    def pushed(what: str, entries: list[dict[str, Any]]) -> Sent:
        return Sent("POST", "/api/v1/entries", what, body={"table": table.key, "entries": entries})

    known = {name: value for name, value in deal.items() if name != "accept"}
    facts: list[dict[str, Any]] = [{**known, "sweeps": {"A": turn}} for turn in range(15)]
    for number in (1, 2, 15):
        closings = [entry(search, "deal_closed", 1, {"facts": one}, drawn_from=10**6) for one in facts[:number]]
        yield pushed(f"{number} closings of the costliest deal", closings)
    layouts = [random.sample(list(CODES), 4) for _turn in range(AT_ONCE)]
    yield pushed("50 layouts", [entry(search, "layout_noted", 1, {"layout": one}) for one in layouts])
    declared = {"side": "A", "items": ["flush"]}
    yield pushed("50 declarations", [entry(search, "declared", 1, declared) for _turn in range(AT_ONCE)])
    swept = {"side": "A", "count": 1}
    yield pushed("50 taps", [entry(search, "swept", 1, swept) for _turn in range(AT_ONCE)])


def captures(search: Search, seconds: float) -> None:
    """Ask for the captures from layouts that are changed as long as they get costlier."""
    random, until = Random(7), used() + seconds
    wild = {"wild_cards": "7O+12O", "wild_power": "rank_or_suit"}
    for game, options in (("escopa", {}), ("chorizo", wild), ("cirulla", {}), ("scopa", {}), ("escoba", {})):
        best, layout = 0.0, random.sample(list(CODES), 10)
        share = used() + (until - used()) / 5
        while used() < share:
            other = list(layout)
            if len(other) > 4 and random.random() < 0.4:
                other.remove(random.choice(other))
            free = [card for card in CODES if card not in other]
            other += random.sample(free, min(len(free) - 1, random.randint(1, 3)))
            card = random.choice([one for one in free if one not in other])
            body = {"game": game, "options": options, "layout": other, "card": card}
            cost = search.send(Sent("POST", "/api/v1/captures", f"{len(other)} cards on the table", body=body))
            query = urlencode([("game", game), ("card", card), *(("layout", one) for one in other)])
            query += "".join(f"&opt-{name}={json.dumps(value)}" for name, value in options.items())
            page = search.send(Sent("GET", f"/captures?{query}", f"{len(other)} cards on the table of {game}"))
            if max(cost.cpu, page.cpu) > best and cost.status == 200:
                best, layout = max(cost.cpu, page.cpu), other
            if best > SLOW:
                break


# ---------------------------------------------------------------- the whole search


def main() -> None:
    """Search, and print the worst of each address and of all."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300, help="how long to search (default: 300)")
    seconds = parser.parse_args().seconds
    print_machine()
    with TemporaryDirectory(prefix="scorekeeper-worst-") as folder, instance(folder, None):
        settings = {"INSTANCE": Path(folder), "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "LIVE_SECONDS": 0}
        # What a request costs is looked for, and not how many are refused.
        app = create_app({**settings, "BRAKES": "off"})
        migrate_database(app)
        search = Search(app)
        run(search, seconds)
        show(search.costs)
        print(f"Searched for {used():.0f} s of CPU.")


def run(search: Search, seconds: float) -> None:
    """Fill the tables, then search in each way for its share of the time."""
    small = {game: _opened(search, game) for game in ("chorizo", "carioca", "free")}
    _warm_up(search, small["chorizo"])
    tables = []
    for fill in FILLS:
        began, share = used(), seconds * 0.4 / len(FILLS)
        table = apart(functools.partial(fill, search, share), int(GUARD + 20 * share))
        if table is None:
            print(f"{fill.__doc__} Given up: it takes too long to fill.")
            continue
        print(f"{table.what}: {table.entries:,} in {used() - began:.0f} s of CPU")
        tables.append(table)
    for table in tables:
        search.visit(table.at("/share"))
    for table in tables:
        for sent in pages(search, table):
            search.send(sent)
    for _what, make in growing(search, small):
        grow(search, make)
    captures(search, seconds * 0.1)
    everywhere(search, climb(search, seconds * 0.2))


def _opened(search: Search, game: str, what: str = "", sides: int = 2, **options: str) -> Filled:
    table = apart(lambda: open_table(search, what or game, game, sides, **options))
    assert table is not None
    return table


def _warm_up(search: Search, table: Filled) -> None:
    """Compile every template, and fill the caches of all requests, before the measurements."""
    search.visit(*(sent.path for sent in pages(search, table)), "/captures?game=scopa&card=7O", "/prime?pile-A=7O")
    form = {**fields_of(search, table.at("/matches/1/deals/1/close"), "closing"), "step": "check"}
    search.open(Sent("POST", table.at("/matches/1/deals/1/close"), "", pairs(form)))
    for door in ("score", "match", "captures", "prime", "entries"):
        search.open(Sent("POST", f"/api/v1/{door}", "", body={"game": "chorizo", "sides": ["A", "B"]}))
    search.visit()


def show(costs: list[Cost]) -> None:
    """Print the worst of each address, and of all."""
    by_rule: dict[str, list[Cost]] = {}
    for cost in costs:
        by_rule.setdefault(cost.rule, []).append(cost)
    rows = []
    for rule, each in sorted(by_rule.items(), key=lambda one: -max(cost.cpu for cost in one[1])):
        slow, large = max(each, key=lambda cost: cost.cpu), max(each, key=lambda cost: cost.size)
        of_slow = [slow.seconds, str(slow.status or "-"), slow.sent.what]
        rows.append([f"`{rule}`", *of_slow, f"{large.size:,}", str(large.status), large.sent.what])
    head = ["address", "CPU, s", "status", "by", "bytes", "status", "by"]
    print_table(f"The worst of each address, of {len(costs):,} requests", head, rows)
    slow, large = max(costs, key=lambda cost: cost.cpu), max(costs, key=lambda cost: cost.size)
    print(f"\nThe slowest: {slow.seconds} s of CPU, {slow.rule}, {slow.sent.what} (answered {slow.status})")
    print(f"The largest: {large.size:,} bytes, {large.rule}, {large.sent.what} (answered {large.status})")
    print(f"The aim: {AIM} s of CPU for every request, 1 s where a stored match is met for the first time.")
    print(f"{sum(cost.cpu > AIM for cost in costs)} requests took longer than {AIM} s,", end=" ")
    print(f"{sum(cost.size > 1_000_000 for cost in costs)} answers had more than a megabyte,", end=" ")
    print(f"{sum(cost.status >= 500 for cost in costs)} were a fault of ours.")


if __name__ == "__main__":
    main()
