"""What can happen around a deal: corrections, disputes, agreements, doubts, wild cards, names, and many entries."""

from __future__ import annotations

import json
from random import Random
from typing import Any
from uuid import uuid4

from flask import Flask

from scorekeeper.store import commands, queries
from scorekeeper.store.db import writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry

from . import deals
from .evenings import NAMES, play_deal, play_on, standing, start_below
from .phones import Evening, Phone, filled

ANA, BETO = "A", "B"
TRUST = {"cards": ANA, "coins": BETO, "seven_of_coins": ANA, "two_of_clubs": ANA, "prime": BETO}
"""Who took what in a deal of chorizo that nobody counted: Ana 6, Beto 2."""
OTHER = {**TRUST, "coins": ANA, "prime": ANA}


def evening_of(phone: Phone, name: str, names: list[str] | None = None, **chosen: Any) -> Evening:
    """Open a table of two at chorizo, unless another game is named."""
    return Evening.opened(phone, names or NAMES[:2], table_name=name, **chosen)


def corrections(phone: Phone, _other: Phone) -> Evening:
    """Deals corrected and taken back, a match that a correction ends earlier than it was played to, a rematch."""
    table = evening_of(phone, "Corrections")
    table.sweep(1, ANA)
    mistaken = table.sweep(1, BETO)
    table.undo(mistaken)
    table.close(1, {"awards": TRUST})
    table.close(1, {"awards": {**TRUST, "cards": BETO}, "sweeps": {"A": 2, "B": 0}})
    table.close(1, {"awards": TRUST, "sweeps": {"A": 1, "B": 1}})
    table.close(2, {"awards": OTHER})
    table.undo(closing_of(table, 2))
    table.sweep(2, ANA)
    table.close(2, {"awards": TRUST, "sweeps": {"A": 1, "B": 0}})
    table.layout(3, told="15")
    table.layout(3, "1O", "2C", "5E", "7B")
    table.close(3, {"awards": TRUST})
    table.undo(closing_of(table, 3))
    table.start(NAMES[:2], {"target": 15}, game="chorizo")
    for number in (1, 2, 3):
        table.close(number, {"awards": TRUST})
    assert standing(table).is_over
    # Ana had fifteen after two deals already.
    table.close(1, {"awards": OTHER, "sweeps": {"A": 3, "B": 0}})
    assert len(standing(table).sheets) == 2
    table.rematch()
    table.close(1, {"awards": TRUST})
    table.end()
    stopped = table.match
    table.start(NAMES[:3], game="chorizo", shape="3x1")
    table.match = stopped
    table.close(1, {"awards": OTHER})
    table.match += 1
    return table


def closing_of(table: Evening, deal: int) -> str:
    """Return the id of the closing of a deal that stands."""
    one = standing(table).state.closed_deal(deal)
    assert one is not None
    assert one.closed is not None
    return one.closed.id


def agreements(phone: Phone, other: Phone) -> Evening:
    """Two phones about the same deals: accepted, disputed, closed twice, chosen, locked, opened again."""
    table = evening_of(phone, "Agreements", options={"target": 200})
    beside = table.by(other)
    table.speak_for(ANA)
    beside.speak_for(BETO)
    table.close(1, {"awards": TRUST})
    beside.say(1, "/accept", BETO)
    table.close(2, {"awards": TRUST})
    beside.say(2, "/dispute", BETO, line="coins")
    table.close(3, {"awards": TRUST})
    beside.say(3, "/dispute", BETO)
    beside.say(3, "/accept", BETO)
    both_close(table, beside, 4, OTHER)
    both_close(table, beside, 5, OTHER)
    choose(table, 5, 1)
    both_close(table, beside, 6, OTHER)
    choose(beside, 6, 0)
    both_close(table, beside, 7, TRUST)
    table.close(8, {"awards": TRUST})
    beside.say(8, "/accept", BETO)
    table.say(8, "/reopen", ANA)
    table.close(9, {"awards": TRUST})
    beside.say(9, "/accept", BETO)
    beside.say(9, "/reopen", BETO)
    table.say(9, "/reopen/accept", ANA)
    table.close(9, {"awards": OTHER})
    table.close(10, {"awards": TRUST})
    beside.say(10, "/accept", BETO)
    table.say(10, "/reopen", ANA)
    beside.say(10, "/reopen/accept", BETO)
    return table


def both_close(table: Evening, beside: Evening, deal: int, awards: dict[str, Any]) -> None:
    """Close a deal on two phones, both from forms that were drawn while it was open."""
    first, second = table.closing(deal, {"awards": TRUST}), beside.closing(deal, {"awards": awards})
    table.phone.post(table.deal(deal, "/close"), first)
    beside.phone.post(beside.deal(deal, "/close"), second)


def choose(table: Evening, deal: int, which: int) -> None:
    """Let one of the versions of a deal stand."""
    path = table.deal(deal, "/versions")
    page = table.phone.get(path)
    form = filled(page.form("choose"), {"take": page.buttons("take")[which]})
    table.phone.post(path, form)


def wild_cards(phone: Phone, _other: Phone) -> Evening:
    """Wild cards of every power, declared and in piles; the seven of cups of Cirulla; false calls and low hands."""
    table = evening_of(phone, "Wild cards", preset="montevideo")
    table.declare(1, ANA, "1O", "12O", "3B", as__1O="4", as__12O="5")
    table.declare(1, BETO, "1C", "2C", "2E", batch="2")
    table.close(1, {"rest": "A", "as": {"12O": "5O", "1O": "4O"}})
    table.start(NAMES[:2], game="chorizo", preset="capagorry", shape="2x1")
    table.declare(1, ANA, "7O", "6C", "5C", as__7O="7")
    table.declare(1, BETO, "12O", "2O", "3O", expect=None)
    table.close(1, {"piles": {"A": ["7O"]}, "as": {"12O": "5O"}, "rest": "B"}, None)
    for power in ("rank_free_no_suit", "rank_or_suit"):
        for where in ("natural", "free", "redeal"):
            options = {
                "wild_cards": json.dumps("1O+12O"),
                "wild_power": json.dumps(power),
                "wild_in_layout": json.dumps(where),
            }
            table.start(NAMES[:2], options, game="chorizo", preset="flores", shape="2x1")
            table.layout(1, "12O", "2C", "3E", "4B")
            number = standing(table).state.current.number
            table.declare(number, BETO, "1O", "2E", "3C", expect=None)
            table.sweep(number, ANA)
            table.close(number, {"awards": {**TRUST, "one_of_coins": "A", "twelve_of_coins": "B"}}, None)
    table.start(NAMES[:2], game="cirulla", shape="2x1")
    table.declare(1, ANA, "7C", "1O", "1E", expect=None)
    table.declare(1, BETO, "7C", "12B", "12E", expect=None, as__7C="12")
    table.declare(1, BETO, "1B", "2B", "3B")
    table.close(1, {"as": {"7C": "3"}, "rest": "A", "piles": {"B": ["10O", "11O", "12O"]}}, None)
    if not standing(table).state.closed:
        table.close(1, {"as": {"7C": "3C"}, "counts": {"A": {"cards": 22, "coins": 6}}, "awards": {"prime": "A"}}, None)
    table.start(NAMES[:2], game="chorizo", preset="flores", shape="2x1")
    table.declare(1, ANA, "1B", "2B", "3B", items=["flush", "run", "misery"])
    table.declare(1, BETO, "4O", "5O", "6O", items=["flush"], batch="2")
    table.declare(1, ANA, items=["three_for_nine"], batch="3")
    # A false call: what the cards do not hold goes to the others.
    table.declare(1, ANA, "4C", "5E", "11B", items=["flush"], batch="4")
    table.close(1, {"awards": TRUST})
    return table


HANDS = (
    ("1O", "3O", "4O"),
    ("5C", "6C", "7C"),
    ("2O", "3C", "4E"),
    ("1C", "1E", "2B"),
    ("7O", "7E", "7B"),
    ("4C", "5E", "6B"),
    ("11O", "12O", "5O"),
    ("3E", "3B", "2C"),
)
"""Hands that hold something in one game or another: a flush, a run, nine, a misery, three of a kind, fifteen."""


def hands(phone: Phone, _other: Phone) -> Evening:
    """Every combination that a game knows, declared with its cards, and one that was only said."""
    table = evening_of(phone, "Hands")
    low = {"low_combos": json.dumps("baciga"), "pts_baciga_pairs": "3", "pts_sweep_in_hand": "1", "table_flush": "y"}
    for game, preset, shape, options in (
        ("chorizo", "flores", "2x1", {}),
        ("chorizo", "flores", "2x1", low),
        ("chorizo", "montevideo", "2x2", {}),
        ("baciga", "catsatcards", "2x1", {}),
        ("baciga", "flores", "3x1", low),
        ("baciga", "flores", "2x1", {"low_combos": json.dumps("nine_and_misery"), "pts_sweep_in_hand": "1"}),
        ("la_escoba", "verdulera", "2x1", {}),
        ("la_escoba", "chile", "3x1", {"sweep_must_be_covered": None}),
        ("cirulla", "cirulla", "2x1", {}),
        ("cirulla", "cirulla", "2x1", {"low_and_three": json.dumps("sum")}),
        ("cirullone", "cirullone", "2x2", {"cirullone_max_announcements": "1"}),
    ):
        sides, _x, each = shape.partition("x")
        names = NAMES[: int(sides) * int(each)]
        table.start(names, options, game=game, preset=preset, shape=shape, first_dealer=0)
        for turn, hand in enumerate(HANDS):
            # What holds nothing at this table is refused.
            table.declare(1, "AB"[turn % 2], *hand, expect=None)
        # Where both made a sweep in hand, neither can have nothing: that deal stays open.
        for side in "BA":
            if table.close(1, {"rest": side}, None).status == 303:
                break
    return table


def tricks(phone: Phone, _other: Phone) -> Evening:
    """Brisca in every pack and way to count a match; Carioca in fewer rounds."""
    table = evening_of(phone, "Tricks and rounds", game="brisca", preset="brisca")
    table.close(1, None, 303, card_points__A=110, card_points__B=10)
    random = Random("tricks")
    for mode in ("cycle_victories", "cycle_points"):
        options = {"match_mode": json.dumps(mode), "trump_method": json.dumps("fixed_cycle"), "match_to": "2"}
        table.start(NAMES[:2], options, game="brisca", preset="brisca", shape="2x1", first_dealer=0)
        play_on(table, random, 9)
    for pack, shape in (("48", "2x1"), ("36", "2x2"), ("32", "2x2"), ("39", "3x1")):
        sides, _x, each = shape.partition("x")
        names = NAMES[: int(sides) * int(each)]
        options = {"pack": pack, "match_mode": json.dumps("game_points")}
        table.start(names, options, game="brisca", preset="muerte_al_tres", shape=shape, first_dealer=0)
        play_on(table, random, 3)
    for number, one in enumerate(("brisca", "mexican", "mariaje"), 1):
        chosen = {"game": "brisca", "preset": one, "shape": "2x1", "first_dealer": 0}
        table.start(NAMES[:2], {"pack": "null", "value_table": json.dumps("seven_ten")}, **chosen)
        play_on(table, random, number)
    for rounds in ("1", "3", "6"):
        table.start(NAMES[:4], {"rounds": rounds}, game="carioca", shape="4x1", first_dealer=0)
        play_on(table, random, 6)
    return table


def penalties(phone: Phone, _other: Phone) -> Evening:
    """Penalties of La escoba in every mode; nobody captured; everything is one side's."""
    table = evening_of(phone, "Penalties", game="la_escoba")
    modes = [
        (mode, share, wrong)
        for mode in ("forfeit", "table_trick")
        for share in ("each_other_full", "split")
        for wrong in ("four_plus_sweeps", "as_renuncio", "void_cards", "off")
    ]
    random = Random("penalties")
    for turn, (mode, share, wrong) in enumerate(modes):
        options = {
            "renuncio_mode": json.dumps(mode),
            "renuncio_share": json.dumps(share),
            "wrong_capture_mode": json.dumps(wrong),
        }
        shape = ("2x1", "3x1", "2x2")[turn % 3]
        sides, _x, each = shape.partition("x")
        table.start(
            NAMES[: int(sides) * int(each)], options, game="la_escoba", preset="la_escoba", shape=shape, first_dealer=0
        )
        table.sweep(1, ANA)
        table.penalty(1, "renuncio", BETO)
        if wrong != "off":
            table.penalty(1, "wrong_capture", ANA)
        play_deal(table, random, "said" if turn % 2 else "shown")
    table.start(NAMES[:2], game="la_escoba", preset="la_escoba", shape="2x1", first_dealer=0)
    table.close(1, {"counts": {"A": {"cards": 40}}}, None)
    if not standing(table).state.closed:
        table.close(1, {"rest": "A"})
    table.start(NAMES[:4], game="cirulla", shape="2x2")
    table.close(1, {"rest": "B"})
    return table


def doubts(phone: Phone, _other: Phone) -> Evening:
    """Piles that cannot add up and are accepted, and words that the cards contradict."""
    table = evening_of(phone, "Doubts", options={"target": 500})
    setup = deals.Setup("chorizo", "flores", standing(table).state.setup.options, ["A", "B"], 1)
    random = Random("doubts")
    for accepted in (True, False):
        whole = deals.fishing(setup, standing_dealer(table), random)
        if accepted:
            wrong = {label: list(cards) for label, cards in whole["piles"].items()}
            moved = next(card for card in wrong["A"] if card[:-1] in ("1", "2", "3", "4"))
            wrong["A"].remove(moved)
            wrong["B"].append(moved)
            table.close(number(table), {**whole, "piles": wrong, "accept": ["pile_modulus"]})
        else:
            table.close(number(table), {**whole, "last_capturer": "A" if whole["last_capturer"] == "B" else "B"}, None)
    whole = deals.fishing(setup, standing_dealer(table), random)
    table.close(number(table), {**whole, "awards": {"cards": loser(setup, whole, "cards")}})
    whole = deals.fishing(setup, standing_dealer(table), random)
    table.close(number(table), {**whole, "counts": {"A": {"cards": 20, "coins": 5}}}, None)
    whole = deals.fishing(setup, standing_dealer(table), random)
    alone = {"A": ["5C"], "B": [card for pile in whole["piles"].values() for card in pile if card != "5C"]}
    alone["B"] += [card for card in whole["leftover"] if card != "5C"]
    table.close(number(table), {"piles": alone, "accept": ["pile_modulus"], "sweeps": {"A": 0, "B": 3}}, None)
    # Open with doubts: contradicted, and settled in part.
    table.close(
        number(table), {"piles": {"A": ["7O", "1C", "1E"], "B": ["2B"]}, "awards": {**TRUST, "two_of_clubs": "A"}}
    )
    return table


def number(table: Evening) -> int:
    """Return the number of the deal being played."""
    return standing(table).state.current.number


def standing_dealer(table: Evening) -> str:
    """Return the side that deals now."""
    state = standing(table).state
    return state.setup.side_at(state.current.dealer_seat).label


def loser(setup: deals.Setup, whole: deals.Facts, item: str) -> str:
    """Return a side that does not take an item."""
    taker = deals.awards(setup, whole, [item])[item]
    return "B" if taker == "A" else "A"


def dealt_again(phone: Phone, _other: Phone) -> Evening:
    """Layouts that have the deal dealt again, by the same dealer or the next."""
    table = evening_of(phone, "Dealt again", game="scopa")
    random = Random("dealt again")
    for game in ("scopa", "cirulla", "chkobba", "scopa_di_quindici"):
        if game != "scopa":
            table.start(NAMES[:2], game=game, shape="2x1")
        now = standing(table).state.setup
        void = deals.void_layout(deals.Setup(game, now.preset, now.options, now.labels, 1), random)
        assert void is not None
        closing = void != []
        if game == "chkobba":
            # On the closing form instead.
            table.close(1, {"layout": void})
        else:
            # Where nothing opens, the page still takes the four cards.
            table.layout(1, *void)
        assert closing
        play_on(table, random, 1)
    return table


NAMED = [
    "\u202eanA",
    "Be\u200bto",
    "Leo\u0007",
    "\u2066Cata\u2069",
    "👩\u200d👩\u200d👧 Gómez",
    "<b>Dina</b>",
    "می\u200cخواهم",
    "'; DROP --",
    "É" * 40,
]
"""Names as phones sent them: written backwards, with a gap that nobody sees, a bell, a family of emoji, a tag."""


def names(phone: Phone, _other: Phone) -> Evening:
    """Odd names, on tables and players, from the first form and by renaming; rules kept under an odd name."""
    table = Evening.opened(
        phone, NAMED[:4], {}, "Los \u202ejueves\u200b", game="chorizo", shape="4x1", rules_name="casa\u0085 \u2028nueva"
    )
    table.close(1, {"awards": {**TRUST, "coins": "C"}})
    table.start(NAMED[4:6], game="brisca", preset="brisca", shape="2x1", first_dealer=0)
    table.close(1, None, 303, winner="A")
    table.start([NAMED[6], NAMED[7], NAMED[8]], game="carioca", shape="3x1", first_dealer=2)
    table.close(1, None, 303, went_out="A", left__B="K 5 A", left_points__C="30")
    owner = phone.get(table.path("/owner")).location
    phone.post(f"{owner}/name", phone.form(owner, action="/name", name="Lo\u2067s martes"))
    phone.post(f"{owner}/players/1", phone.form(f"{owner}/people/1", action="/players/1", name="Ana\u200e María"))
    phone.post(f"{owner}/players/1", phone.form(f"{owner}/people/1", action="/players/1", name="\u2060"), None)
    table.end()
    table.start(NAMES[:2], game="free", shape="2x1", first_dealer=0)
    table.close(1, None, 303, points__A="3", points__B="-4")
    return table


def many(phone: Phone, _other: Phone) -> Evening:
    """The free pad over more than 200 rounds, and a match with many sweeps and more taken back."""
    table = evening_of(phone, "Many", NAMES[:3], game="free", shape="3x1")
    random = Random("many")
    for _round in range(230):
        play_deal(table, random)
    table.start(NAMES[:2], game="chorizo", preset="flores", shape="2x1", first_dealer=0)
    for turn in range(60):
        tapped = table.sweep(1, random.choice("AB"))
        if turn % 4 == 0:
            table.undo(tapped)
    return table


def costly(phone: Phone, _other: Phone) -> Evening:
    """Deals of three and four sides known in part: few cards, counts of a kind or two, the rest said."""
    table = evening_of(
        phone, "Costly", NAMES[:4], game="chorizo", preset="montevideo", shape="4x1", options={"target": 200}
    )
    random = Random("costly")
    play_deal(table, random, "counted")
    play_deal(table, random, "mixed")
    for game, shape, way in (("escoba", "3x1", "counted"), ("scopa", "4x1", "mixed"), ("escopa", "4x1", "counted")):
        table.start(NAMES[: int(shape[0])], game=game, shape=shape, first_dealer=0)
        play_deal(table, random, way)
    return table


def below(phone: Phone, _other: Phone) -> Evening:
    """What only the functions below the pages write: facts that no form can say, no preset, a rule no form closes."""
    table = evening_of(phone, "Below the pages")
    facts: list[dict[str, Any]] = [
        {"layout_result": ["15", "flush3"], "awards": TRUST},
        {"last_capturer": None, "awards": TRUST, "sweeps": {"A": 1}},
        {"piles": {"A": ["7o", "2b", "1c"]}, "awards": {**TRUST, "prime": ["B"]}},
        {"declarations": [{"side": "A", "items": ["run", "flush"]}], "awards": TRUST, "accept": ["leftover_modulus"]},
        # A line that nobody could settle any more.
        {"awards": {item: side for item, side in TRUST.items() if item != "prime"}},
    ]
    start_below(table, "chorizo", None, "2x1", table_flush=True, target=100)
    for deal, told in enumerate(facts, 1):
        record(table, [NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": told})])
    start_below(table, "chorizo", "flores", "2x1", last_cards="nobody")
    record(table, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"awards": TRUST, "leftover": ["5C", "5B"]}})])
    start_below(table, "carioca", None, "2x1", card_values={"A": 15, "X": 25}, rounds={"extra": ["blanca", "sucia"]})
    for deal in range(1, 10):
        told = {"left": {"B": ["A", "X", "KS"]}, "went_out": "A", "round": deal, "steals": {"A": 1}}
        record(table, [NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": told})])
    start_below(table, "brisca", "chiamata", "5x1", chiamata_scores="manual")
    points = dict(zip("ABCDE", (2, -1, 1, -1, -1), strict=True))
    record(
        table,
        [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"points": points, "bid": {"side": "A", "points": 61}}})],
    )
    start_below(table, "free", None, "10x1", end="rounds", rounds=2, tie="shared", winner="lowest")
    for deal in (1, 2):
        points = dict.fromkeys("ABCDEFGHIJ", deal)
        record(table, [NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"points": points}})])
    told_late = {"deal": 1, "side": "A", "count": 3, "at": "2026-06-30T23:00:00+00:00"}
    start_below(table, "escopa", "escopa", "2x1")
    record(table, [NewEntry(kinds.SWEPT, told_late)], device="d" * 22, author="B")
    record(table, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"rest": "A"}, "at": "2026-06-30T23:05:00+00:00"})])
    return table


def record(table: Evening, new: list[NewEntry], **written_by: Any) -> None:
    """Write entries through the function below the pages."""
    with table.phone.app.app_context(), writing():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        match = queries.match_by_number(found, table.match)
        assert match is not None
        commands.record(match, new, **written_by)


def late(phone: Phone, _other: Phone) -> Evening:
    """What phones without signal told late, each entry with the time of its tap."""
    table = evening_of(phone, "Told late")
    entries: list[dict[str, Any]] = [
        {"kind": "swept", "deal": 1, "fields": {"side": ["A"]}},
        {"kind": "declared", "deal": 1, "payload": {"deal": 1, "side": "B", "cards": ["1B", "2B", "3B"]}},
    ]
    closing = table.closing(1, {"awards": TRUST, "sweeps": {"A": 1}})
    kept = {name: values for name, values in closing.lists() if name not in ("id", "seq", "csrf_token")}
    for one in entries:
        one.update(id=str(uuid4()), match=1, drawn_from=None, at="2026-07-01T18:00:00.000Z", counted=[])
    fields = {**kept, "declaration": [json.dumps({"side": "B", "cards": ["1B", "2B", "3B"]})]}
    entries.append(
        {
            "id": str(uuid4()),
            "match": 1,
            "kind": "deal_closed",
            "deal": 1,
            "fields": fields,
            "drawn_from": 1,
            "counted": [one["id"] for one in entries],
            "at": "2026-07-01T18:20:00.000Z",
        }
    )
    answer = phone.client.post("/api/v1/entries", json={"table": table.key, "entries": entries})
    assert answer.json is not None
    assert [one["status"] for one in answer.json["answers"]] == ["written"] * 3, answer.json
    return table


def renewed(phone: Phone, other: Phone) -> tuple[Evening, list[str]]:
    """Links made new; returns the addresses that open nothing any more."""
    table = evening_of(phone, "Renewed")
    table.close(1, {"awards": TRUST})
    share = phone.get(table.path("/share")).html
    watched = share.split("/w/")[1][:22]
    owner = phone.get(table.path("/owner")).location
    dead = [f"/w/{watched}", table.path(), owner]
    other.get(table.path())
    for link in ("watch", "play", "owner"):
        path = f"{owner}/renew/{link}"
        page = phone.post(path, phone.form(path, "renew"))
        owner = page.location.partition("?")[0].partition("#")[0]
    table.key = phone.get(f"{owner}").html.split("/t/")[1][:22]
    return table, dead


def gone(phone: Phone, _other: Phone) -> None:
    """A table that was deleted: its number is never another's."""
    table = evening_of(phone, "Gone")
    owner = phone.get(table.path("/owner")).location
    phone.post(f"{owner}/delete", phone.form(f"{owner}/delete", "delete", name="gone"), 200)


def empty(app: Flask) -> None:
    """A table without a match, as a process that died between two steps might have left it."""
    with app.app_context(), writing():
        commands.open_table("Empty", str(uuid4()))


HAPPENINGS = (
    corrections,
    agreements,
    wild_cards,
    hands,
    tricks,
    penalties,
    doubts,
    dealt_again,
    names,
    many,
    costly,
    below,
    late,
)
