"""What phones hold that was not sent yet: forms drawn and open in a browser, and entries queued without signal."""

from __future__ import annotations

from random import Random
from typing import Any
from uuid import uuid4

from werkzeug.datastructures import MultiDict

from scorekeeper.rules.cards import CODES

from . import deals
from .evenings import NAMES, standing
from .happenings import ANA, BETO, OTHER, TRUST, both_close, evening_of
from .phones import Evening, Phone, closing_fields, filled

AT = "2026-07-15T20:00:00.000Z"
HTMX = {"HX-Request": "true"}


class Drawn:
    """Collects drawn forms, each with what the person had filled in."""

    def __init__(self) -> None:
        self.forms: list[dict[str, Any]] = []

    def add(
        self, name: str, path: str, form: MultiDict[str, str], phone: str = "keeper", htmx: bool = False, **fields: Any
    ) -> None:
        """Keep a form to be posted to ``path``."""
        data = filled(form, {field.replace("__", "-"): value for field, value in fields.items()})
        self.forms.append(
            {
                "name": name,
                "phone": phone,
                "path": path,
                "fields": [[field, value] for field, values in data.lists() for value in values],
                "headers": HTMX if htmx else {},
            }
        )


def drawn_forms(phone: Phone, other: Phone) -> list[dict[str, Any]]:
    """Draw a form of every kind, each about a match of its own: what one writes makes no other stale."""
    drawn, random = Drawn(), Random("drawn")
    table = evening_of(phone, "Drawn")
    drawn.add("closing in words", table.deal(1, "/close"), table.closing(1, {"awards": TRUST}))
    table.start(NAMES[:2], game="chorizo")
    setup = deals.Setup("chorizo", "flores", standing(table).state.setup.options, ["A", "B"], 1)
    whole = deals.fishing(setup, "A", random)
    drawn.add("closing with cards", table.deal(1, "/close"), table.closing(1, whole))
    table.start(NAMES[:2], game="chorizo")
    drawn.add(
        "closing tapped to its end", table.deal(1, "/close"), table.closing(1, {"awards": TRUST}), htmx=True, step=None
    )
    table.start(NAMES[:2], game="chorizo")
    drawn.add("question answered", table.deal(1, "/close"), table.closing(1), step=None, give="A 7O")
    table.start(NAMES[:2], game="chorizo")
    drawn.add(
        "all the rest", table.deal(1, "/close"), table.closing(1, {"awards": {"cards": "A"}}), step=None, others="B"
    )
    table.start(NAMES[:2], game="chorizo")
    drawn.add("nothing told", table.deal(1, "/close"), table.closing(1))
    table.start(NAMES[:2], game="chorizo")
    table.close(1, {"awards": TRUST})
    drawn.add("correction", table.deal(1, "/close"), table.closing(1, {"awards": OTHER}))
    table.start(NAMES[:2], game="chorizo")
    stale = table.closing(1, {"awards": TRUST})
    table.sweep(1, ANA)
    drawn.add("closing drawn before a sweep", table.deal(1, "/close"), stale)
    table.start(NAMES[:2], game="chorizo")
    second = table.closing(1, {"awards": OTHER})
    table.close(1, {"awards": TRUST})
    drawn.add("closing drawn before another", table.deal(1, "/close"), second)
    table.start(NAMES[:2], game="chorizo")
    table.close(1, {"awards": TRUST})
    closed = table.phone.get(f"{table.deal(1)}?saved=1")
    undo = next(action for action in actions(closed) if "/undo/" in action)
    drawn.add("closing taken back", undo, closed.form(action=undo))
    table.start(NAMES[:2], game="chorizo")
    form = phone.form(table.deal(1, "/declare"), "declare", side=ANA, cards=["1B", "2B", "3B"], step="save")
    drawn.add("declaration", table.deal(1, "/declare"), form)
    table.start(NAMES[:2], game="chorizo")
    form = phone.form(table.deal(1, "/declare"), "declare", side=ANA, cards=["1B", "2B", "3B"])
    drawn.add("declaration looked at", table.deal(1, "/declare"), form, htmx=True)
    table.start(NAMES[:2], game="chorizo")
    drawn.add("layout in a tap", table.deal(1, "/layout"), phone.form(table.deal(1, "/layout"), "layout", told="15"))
    table.start(NAMES[:2], game="chorizo")
    form = phone.form(table.deal(1, "/layout"), "layout", cards=["1O", "2C", "5E", "7B"], step="save")
    drawn.add("layout in cards", table.deal(1, "/layout"), form)
    table.start(NAMES[:2], game="la_escoba")
    form = phone.form(table.deal(1, "/penalty"), action="/penalty", penalty="renuncio:B")
    drawn.add("penalty", table.deal(1, "/penalty"), form)
    for game, fields in (
        ("brisca", {"card_points__A": 70, "card_points__B": 50}),
        ("carioca", {"went_out": "A", "left__B": "K 5 X"}),
        ("free", {"points__A": 12, "points__B": -3}),
        ("cirulla", {"rest": "A", "as__7C": "5"}),
    ):
        table.start(NAMES[:2], game=game, shape="2x1", first_dealer=0)
        drawn.add(f"closing of {game}", table.deal(1, "/close"), table.closing(1, None, **fields))
    table.start(NAMES[:2], game="chorizo", shape="2x1", first_dealer=0)
    said_forms(drawn, table, other)
    table.start(NAMES[:2], game="chorizo", shape="2x1", first_dealer=0)
    drawn.add("sweep", table.deal(1, "/sweep"), phone.form(table.path(), action="/sweep"), side=ANA)
    beside = evening_of(phone, "Drawn by script")
    form = phone.form(beside.path(), action="/sweep")
    drawn.add("sweep by script", beside.deal(1, "/sweep"), form, htmx=True, side=BETO)
    beside = evening_of(phone, "Drawn on another phone")
    form = other.form(beside.path(), action="/sweep")
    drawn.add("sweep on another phone", beside.deal(1, "/sweep"), form, "guest", side=BETO)
    board_forms(drawn, phone)
    owner_forms(drawn, phone)
    form = phone.agreed("/tables/new", ["Zoe", "Yago"], table_name="Drawn and not sent")
    drawn.add("new table", "/tables/new", form)
    drawn.add("new table once more", "/tables/new", phone.agreed("/tables/new", ["Zoe", "Yago"]))
    form = phone.agreed("/tables/new", [*NAMES[:4]], game="la_escoba", preset="chile", shape="2x2", first_dealer=3)
    drawn.add("new table of four", "/tables/new", form)
    drawn.add("language", "/language", phone.form("/", action="/language"), language="es")
    drawn.add("pasted link", "/open", phone.form("/", action="/open"), link=f"http://cards.example{table.path()}")
    drawn.add("pasted key", "/open", phone.form("/", action="/open"), link=table.key)
    return drawn.forms


def actions(page: Any) -> list[str]:
    """Return the addresses that the forms of a page post to."""
    return [told.get("action") or "" for told, _data in page._read.forms]


def said_forms(drawn: Drawn, table: Evening, other: Phone) -> None:
    """Draw the forms about closed deals."""
    phone = table.phone

    def sheet(name: str, what: str, side: str, **fields: Any) -> None:
        form = phone.form(table.deal(1), action=table.deal(1, what), side=side, **fields)
        drawn.add(name, table.deal(1, what), form)

    table.close(1, {"awards": TRUST})
    sheet("acceptance", "/accept", BETO)
    again(table)
    sheet("dispute", "/dispute", BETO, line="coins")
    again(table)
    table.say(1, "/accept", BETO)
    table.say(1, "/accept", ANA)
    sheet("asked to open again", "/reopen", ANA)
    again(table)
    table.say(1, "/accept", BETO)
    table.say(1, "/accept", ANA)
    table.say(1, "/reopen", ANA)
    sheet("opening again accepted", "/reopen/accept", BETO)
    table.start(NAMES[:2], game="chorizo", shape="2x1", first_dealer=0)
    both_close(table, table.by(other), 1, OTHER)
    page = phone.get(table.deal(1, "/versions"))
    drawn.add("version taken", table.deal(1, "/versions"), page.form("choose"), take=page.buttons("take")[1])
    again(table)
    drawn.add("phone is with", table.of("/speaks"), phone.form(table.path("/phone"), action="/phone", side=BETO))


def again(table: Evening) -> None:
    """Start another match and close its first deal."""
    table.start(NAMES[:2], game="chorizo", shape="2x1", first_dealer=0)
    table.close(1, {"awards": TRUST})


def board_forms(drawn: Drawn, phone: Phone) -> None:
    """Draw the forms that only the board of the match being played has."""
    table = evening_of(phone, "Board")
    tapped = table.sweep(1, ANA)
    undo = table.of(f"/undo/{tapped}")
    drawn.add("sweep taken back", undo, phone.form(table.path(), action=undo))
    table = evening_of(phone, "Stopped")
    drawn.add("end", table.of("/end"), phone.form(table.path(), action="/end"))
    table = evening_of(phone, "Over", options={"target": 5})
    table.close(1, {"awards": TRUST})
    drawn.add("rematch", table.of("/rematch"), phone.form(table.path(), action="/rematch"))
    table = evening_of(phone, "Next")
    form = phone.agreed(table.path("/matches/new"), ["Ana", "Nueva"], game="scopa", shape="2x1", first_dealer=1)
    drawn.add("new match", table.path("/matches/new"), form)


def owner_forms(drawn: Drawn, phone: Phone) -> None:
    """Draw the forms of the owner's page."""
    for name in ("play", "watch", "owner"):
        table = evening_of(phone, f"New link: {name}")
        path = f"{owner_of(phone, table)}/renew/{name}"
        drawn.add(f"new link: {name}", path, phone.form(path, "renew"))
    table = evening_of(phone, "Kept names")
    owner = owner_of(phone, table)
    drawn.add("table renamed", f"{owner}/name", phone.form(owner, action="/name", name="Los viernes"))
    drawn.add(
        "player renamed", f"{owner}/players/2", phone.form(f"{owner}/people/2", action="/players/2", name="Bruno")
    )
    table = evening_of(phone, "To go")
    path = f"{owner_of(phone, table)}/delete"
    drawn.add("table deleted", path, phone.form(path, "delete", name="to go"))
    table = evening_of(phone, "To forget")
    page = phone.get("/forget")
    forms = [data for told, data in page._read.forms if not told.get("action")]
    drawn.add("table forgotten", "/forget", forms[0], what=page.buttons("what")[0] if page.buttons("what") else None)


def owner_of(phone: Phone, table: Evening) -> str:
    """Return the address of the owner's page."""
    return phone.get(table.path("/owner")).location


def entry(kind: str, match: int, deal: int = 1, **more: Any) -> dict[str, Any]:
    """Return an entry as the page's script queues it."""
    told: dict[str, Any] = {"id": str(uuid4()), "match": match, "kind": kind, "deal": deal}
    return {**told, "drawn_from": None, "at": AT, **more}


def typed(form: MultiDict[str, str], **fields: Any) -> dict[str, list[str]]:
    """Return a drawn form as the script queues it."""
    data = filled(form, fields)
    return {name: values for name, values in data.lists() if name not in ("id", "seq", "csrf_token")}


def queued_pushes(phone: Phone, other: Phone) -> list[dict[str, Any]]:
    """Queue entries of every kind as a phone without signal does, each about a match of its own."""
    pushes: list[dict[str, Any]] = []
    table = evening_of(phone, "Queued")

    def push(name: str, *entries: dict[str, Any]) -> None:
        pushes.append({"name": name, "body": {"table": table.key, "entries": list(entries)}})

    def closing(facts: Any, **more: Any) -> dict[str, Any]:
        form = table.closing(1, facts)
        told = {"fields": typed(form), "drawn_from": int(form["seq"]), "counted": [], **more}
        return entry("deal_closed", table.match, **told)

    def next_match(game: str = "chorizo") -> None:
        table.start(NAMES[:2], game=game, shape="2x1", first_dealer=0)

    taps = [entry("swept", 1, fields={"side": [side]}) for side in (ANA, BETO, ANA)]
    hand = {"side": [ANA], "batch": ["1"], "cards": ["1B", "2B", "3B"], "as-1O": [""], "step": ["save"]}
    taps.append(entry("declared", 1, fields=hand))
    told = {
        "awards": TRUST,
        "sweeps": {"A": 2, "B": 1},
        "declarations": [{"side": ANA, "batch": 1, "cards": hand["cards"]}],
    }
    push(
        "a whole deal",
        *taps,
        closing(told, counted=[one["id"] for one in taps]),
        entry("swept", 1, 2, fields={"side": [BETO]}),
    )
    next_match()
    taps = [
        entry("swept", table.match, payload={"side": ANA, "count": 1}),
        entry("swept", table.match, payload={"side": ANA}),
    ]
    taps.append(entry("declared", table.match, payload={"side": BETO, "cards": ["1B", "2B", "3B"]}))
    taps.append(entry("layout_noted", table.match, payload={"layout_result": "15"}))
    facts = {
        "awards": TRUST,
        "sweeps": {"A": 2},
        "layout_result": "15",
        "declarations": [{"side": BETO, "cards": ["1B", "2B", "3B"]}],
    }
    ids = [one["id"] for one in taps]
    push(
        "a whole deal in facts",
        *taps,
        entry("deal_closed", table.match, payload={"facts": facts}, drawn_from=1, counted=ids),
    )
    next_match()
    tapped = [table.sweep(1, ANA), table.sweep(1, BETO)]
    push(
        "taken back",
        entry("voided", table.match, 0, fields={"entry": [tapped[0]]}),
        entry("voided", table.match, 0, payload={"entry": tapped[1]}),
    )
    next_match()
    push("stopped", entry("match_ended", table.match, 0, fields={}))
    next_match()
    push("stopped in facts", entry("match_ended", table.match, 0, payload={}))
    next_match("la_escoba")
    push(
        "penalties",
        entry("penalised", table.match, fields={"penalty": ["renuncio:B"]}),
        entry("penalised", table.match, payload={"item": "wrong_capture", "side": ANA}),
        entry("layout_noted", table.match, fields={"told": ["30"]}),
        entry("layout_noted", table.match, fields={"cards": ["1O", "2C", "5E", "7B"], "step": ["save"]}),
    )
    next_match("scopa")
    push(
        "dealt again",
        entry("layout_noted", table.match, fields={"cards": ["12O", "12C", "5E", "7B"], "step": ["save"]}),
    )
    next_match()
    second = closing({"awards": OTHER})
    table.close(1, {"awards": TRUST})
    push("closed by somebody else too", second)
    next_match()
    third = closing({"awards": TRUST})
    table.close(1, {"awards": TRUST})
    push("closed alike by somebody else", third)
    next_match()
    before = closing({"awards": TRUST})
    table.sweep(1, ANA)
    push("closed without a sweep that was tapped", before)
    next_match()
    table.close(1, {"awards": TRUST})
    push("corrected", closing({"awards": OTHER}))
    for game, fields in (
        ("brisca", {"card_points-A": "70", "card_points-B": "50"}),
        ("carioca", {"went_out": "A", "left-B": "K 5 X"}),
        ("free", {"points-A": "12", "points-B": "-3"}),
    ):
        next_match(game)
        form = table.closing(1)
        push(game, entry("deal_closed", table.match, fields=typed(form, **fields), drawn_from=int(form["seq"])))
    next_match()
    cards = {"pile-A": list(CODES[:20]), "pile-B": list(CODES[20:]), **closing_fields({"accept": ["pile_modulus"]})}
    form = table.closing(1)
    push("cards", entry("deal_closed", table.match, fields=typed(form, **cards), drawn_from=int(form["seq"])))
    next_match()
    tap = entry("swept", table.match, fields={"side": [ANA]})
    push(
        "some of it refused",
        tap,
        entry("swept", table.match, fields={"side": ["Z"]}),
        entry("swept", table.match, payload={"side": BETO}),
    )
    return pushes
