"""What happens at the tables of ``rules-3``: all that came since the first set, and closings that were costly to judge.

Most of it is written by the functions below the pages, which is what the pages call.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from flask import Flask
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper.store import agreement, commands, deleted, queries, standings
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, append, entries_of
from scorekeeper.store.journal.match_setup import Setup, Side
from scorekeeper.store.journal.replay import MatchState
from scorekeeper.store.models import Match, Table
from scorekeeper.store.summaries import project

from .evenings import NAMES, play_on, standing
from .happenings import ANA, BETO, OTHER, TRUST, both_close, closing_of, evening_of, record
from .kept import Drawn, entry, typed
from .phones import Evening, Phone

COSTLY: list[dict[str, Any]] = json.loads((Path(__file__).parent / "costly.json").read_text())
"""Half-known deals of single sides, found by a search: the engine takes many steps to settle them."""
LOOKED_AT = 9
"""Of so many pages of costly tables one is opened."""
Facts = Mapping[str, Any]
THIRD = "C"


def of_match(table: Evening) -> Match:
    """Return the row of the match; call inside the app's context."""
    found = queries.table_by_play_key(table.key)
    assert found is not None
    match = queries.match_by_number(found, table.match)
    assert match is not None
    return match


def write(table: Evening, kind: str, by: str | None = None, **payload: Any) -> str:
    """Write one entry, of a side and its phone where one is named; return its id."""
    new = NewEntry(kind, payload, id=str(uuid4()))  # type: ignore[arg-type]
    device = None if by is None else by.lower() * 22
    record(table, [new], author=by, device=device)
    return new.id


def close(table: Evening, deal: int, facts: Facts, by: str | None = None) -> str:
    """Close a deal."""
    return write(table, kinds.DEAL_CLOSED, by, deal=deal, facts=dict(facts))


def correct(table: Evening, deal: int, facts: Facts, by: str | None = None) -> str:
    """Close a deal anew, as the form of a correction does."""
    id = str(uuid4())
    new = [agreement.voided_with(id, closing_of(table, deal))]
    new.append(NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": dict(facts)}, id=id))  # type: ignore[typeddict-item]
    record(table, new, author=by, device=None if by is None else by.lower() * 22)
    return id


def restore(table: Evening, deal: int) -> None:
    """Take a correction back: the former closing counts again."""
    with table.phone.app.app_context():
        match = of_match(table)
        state = standings.standing_of(match).state
        found = state.closed_deal(deal)
        assert found is not None
        former = agreement.corrected_closing(state, found)
        assert former is not None
        id = str(uuid4())
        assert commands.write(match, lambda: commands.draft_restoring(match, deal, former.id, id))


def say(table: Evening, kind: str, deal: int, by: str, **more: Any) -> str:
    """Say something about the closing of a deal that counts."""
    return write(table, kind, by, deal=deal, entry=closing_of(table, deal), side=by, **more)


def lock(table: Evening, deal: int, labels: Iterable[str] = (ANA, BETO)) -> None:
    """Let every side agree to a deal."""
    for label in labels:
        say(table, kinds.CONFIRMED, deal, label)


def settled(phone: Phone, _other: Phone) -> Evening:
    """Deals that were agreed on, opened again, contested, proposed anew, taken back, and left waiting; two sides."""
    table = evening_of(phone, "Settled", options={"target": 500})
    close(table, 1, TRUST_FACTS, ANA)
    say(table, kinds.CONFIRMED, 1, BETO)
    asked = say(table, kinds.PROPOSED, 1, ANA, opens=True)
    say(table, kinds.PROPOSAL_ACCEPTED, 1, BETO, asked=asked)
    correct(table, 1, OTHER_FACTS, BETO)
    close(table, 2, TRUST_FACTS, ANA)
    rival = close(table, 2, OTHER_FACTS, BETO)
    asked = say(table, kinds.PROPOSED, 2, BETO, takes=rival)
    say(table, kinds.PROPOSAL_ACCEPTED, 2, ANA, asked=asked)
    close(table, 3, TRUST_FACTS, ANA)
    rival = close(table, 3, OTHER_FACTS, BETO)
    asked = say(table, kinds.PROPOSED, 3, BETO, takes=rival)
    say(table, kinds.PROPOSAL_DECLINED, 3, ANA, asked=asked)
    close(table, 4, TRUST_FACTS, ANA)
    lock(table, 4)
    asked = say(table, kinds.PROPOSED, 4, BETO, facts=OTHER_FACTS)
    say(table, kinds.PROPOSAL_ACCEPTED, 4, ANA, asked=asked)
    close(table, 5, TRUST_FACTS, ANA)
    lock(table, 5)
    say(table, kinds.PROPOSED, 5, BETO, facts=OTHER_FACTS)
    close(table, 6, TRUST_FACTS, ANA)
    for facts in (OTHER_FACTS, SWEPT_FACTS):
        correct(table, 6, facts, ANA)
        restore(table, 6)
    close(table, 7, TRUST_FACTS, ANA)
    say(table, kinds.DISPUTED, 7, BETO, line="coins")
    close(table, 8, TRUST_FACTS, ANA)
    close(table, 8, TRUST_FACTS, BETO)
    asked = say(table, kinds.PROPOSED, 8, ANA, opens=True)
    write(table, kinds.VOIDED, ANA, entry=asked)
    close(table, 9, TRUST_FACTS)
    close(table, 9, OTHER_FACTS)
    both_close(table, table.by(_other), 10, OTHER)
    return table


def three_sides(phone: Phone, _other: Phone) -> Evening:
    """Proposals among three: some wait for one side, one is accepted by all, one changes the rules."""
    table = evening_of(phone, "Three sides", NAMES[:3], game="chorizo", shape="3x1", options={"target": 500})
    for deal in (1, 2, 3):
        close(table, deal, TRUST_FACTS, ANA)
    lock(table, 1, (BETO, THIRD))
    asked = say(table, kinds.PROPOSED, 1, BETO, facts=OTHER_FACTS)
    say(table, kinds.PROPOSAL_ACCEPTED, 1, ANA, asked=asked)
    rival = close(table, 2, OTHER_FACTS, BETO)
    asked = say(table, kinds.PROPOSED, 2, THIRD, takes=rival)
    say(table, kinds.PROPOSAL_ACCEPTED, 2, ANA, asked=asked)
    say(table, kinds.CONFIRMED, 3, BETO)
    asked = write(table, kinds.RULES_PROPOSED, ANA, options={"target": 300}, side=ANA)
    write(table, kinds.RULES_ACCEPTED, BETO, asked=asked, side=BETO)
    write(table, kinds.RULES_ACCEPTED, THIRD, asked=asked, side=THIRD)
    close(table, 4, TRUST_FACTS, ANA)
    asked = write(table, kinds.RULES_PROPOSED, BETO, options={"target": 250}, side=BETO)
    write(table, kinds.RULES_DECLINED, THIRD, asked=asked, side=THIRD)
    return table


def dealt(phone: Phone, _other: Phone) -> Evening:
    """Deals dealt by another, dealt again, credited, and with points that the table added or took."""
    table = evening_of(phone, "Dealt and noted", NAMES[:4], game="chorizo", shape="2x2", options={"target": 200})
    write(table, kinds.DEALT, ANA, deal=1, player=3)
    tapped = write(table, kinds.SWEPT, ANA, deal=1, side=ANA, count=1)
    write(table, kinds.DEALT_AGAIN, BETO, deal=1, redeal="same", again=1, why="misdealt")
    tapped = write(table, kinds.SWEPT, ANA, deal=1, side=BETO, count=2)
    write(table, kinds.CREDITED, BETO, deal=1, entry=tapped, player=4)
    write(table, kinds.ADJUSTED, BETO, deal=1, side=ANA, points=-2, reason="talked")
    sums = {"sweeps": {"B": 2}, "adjustments": [{"side": ANA, "points": -2, "reason": "talked"}]}
    close(table, 1, {**TRUST_FACTS, **sums}, ANA)
    write(table, kinds.DEALT, BETO, deal=2, player=1, once=True)
    write(table, kinds.DEALT_AGAIN, BETO, deal=2, redeal="next", again=1)
    write(table, kinds.DEALT_AGAIN, BETO, deal=2, redeal="same", again=2, why="shown")
    close(table, 2, TRUST_FACTS, ANA)
    tapped = write(table, kinds.SWEPT, ANA, deal=3, side=BETO, count=1)
    write(table, kinds.CREDITED, BETO, deal=3, entry=tapped, player=2)
    write(table, kinds.CREDITED, BETO, deal=3, entry=tapped, player=None)
    write(table, kinds.ADJUSTED, BETO, deal=3, side=BETO, points=5, reason="bet")
    write(table, kinds.MATCH_NOTED, ANA, note="on the terrace", stakes="coffee")
    write(table, kinds.MATCH_NOTED, ANA, note="", stakes="two coffees")
    return table


def seats(phone: Phone, _other: Phone) -> Evening:
    """Seats changed before the first deal; substitutes; somebody who comes later, and who leaves."""
    table = evening_of(phone, "Seats", NAMES[:4], game="chorizo", shape="2x2", options={"target": 200})
    with phone.app.app_context(), writing():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        eve, fay = commands.seat_players(found, ["Eve", "Fay"])
    sides = [{"label": "A", "players": [1, 4]}, {"label": "B", "players": [2, 3], "name": "The others"}]
    write(table, kinds.SEATED, ANA, sides=sides, first_dealer=2)
    close(table, 1, TRUST_FACTS, ANA)
    write(table, kinds.SUBSTITUTED, ANA, deal=2, player=eve, other=1)
    close(table, 2, OTHER_FACTS, ANA)
    taken_back = write(table, kinds.SUBSTITUTED, ANA, deal=3, player=fay, other=2)
    write(table, kinds.VOIDED, ANA, entry=taken_back)
    table.start(NAMES[:3], {"target": 500, "end": json.dumps("target")}, game="free", shape="3x1", first_dealer=0)
    for points in ((5, 7, -3), (1, 2, 3)):
        for label, number in zip("ABC", points, strict=True):
            write(
                table, kinds.POINTS_NOTED, label, deal=standing(table).state.current.number, side=label, points=number
            )
        now = standing(table).state.current
        close(table, now.number, now.noted_so_far(), ANA)
    write(table, kinds.ENTERED, ANA, deal=3, side="D", player=eve, points=4)
    close(table, 3, {"points": {"A": 1, "B": 2, "C": 3, "D": 4}}, ANA)
    write(table, kinds.LEFT, ANA, deal=4, side="B")
    close(table, 4, {"points": {"A": 9, "C": 3, "D": 4}}, ANA)
    write(table, kinds.POINTS_NOTED, ANA, deal=5, side="D", points=11)
    return table


def changed_rules(phone: Phone, _other: Phone) -> Evening:
    """Options changed in the middle of a match, at once and from the next deal; another proposal waits."""
    table = evening_of(phone, "Rules changed", options={"target": 500})
    close(table, 1, TRUST_FACTS, ANA)
    for options in ({"target": 450}, {"target": 400, "table_flush": True}):
        asked = write(table, kinds.RULES_PROPOSED, ANA, options=options, side=ANA)
        write(table, kinds.RULES_ACCEPTED, BETO, asked=asked, side=BETO)
        close(table, standing(table).state.current.number, SWEPT_FACTS, ANA)
        write(table, kinds.SWEPT, ANA, deal=standing(table).state.current.number, side=ANA, count=1)
    write(table, kinds.RULES_PROPOSED, BETO, options={"target": 300}, side=BETO)
    return table


def lives(phone: Phone, _other: Phone) -> Evening:
    """Matches ended by hand, with a winner and without, taken up again, and deleted: one for good, one brought back."""
    table = evening_of(phone, "Lives of matches")
    close(table, 1, TRUST_FACTS, ANA)
    for turn in range(4):
        table.start(NAMES[:2], game="chorizo", shape="2x1", first_dealer=turn % 2)
        close(table, 1, OTHER_FACTS, BETO)
    table.match = 2
    write(table, kinds.MATCH_ENDED, ANA, leader=True)
    table.match = 3
    write(table, kinds.MATCH_ENDED, ANA)
    table.match = 1
    write(table, kinds.MATCH_RESUMED, ANA)
    close(table, 2, OTHER_FACTS, ANA)
    with phone.app.app_context():
        for number, back in ((4, True), (5, False)):
            with writing():
                found = queries.table_by_play_key(table.key)
                assert found is not None
                row = db.session.get_one(Match, (found.id, number))
                deleted.hide(found, row)
            if back:
                with writing():
                    deleted.bring_back(found, number)
    return table


def line_ups(phone: Phone, _other: Phone) -> Evening:
    """Games of other families and other numbers of sides, played through their pages."""
    random = Random("line-ups")
    table = evening_of(phone, "Line-ups", NAMES[:3], game="scopa", shape="3x1")
    play_on(table, random, 2)
    for game, shape in (
        ("escoba", "4x1"),
        ("baciga", "4x1"),
        ("cirulla", "2x2"),
        ("scopa", "2x1"),
        ("la_escoba", "3x1"),
        ("brisca", "3x1"),
        ("carioca", "4x1"),
        ("free", "4x1"),
        ("chorizo", "4x1"),
    ):
        sides, _x, each = shape.partition("x")
        chosen = {"game": game, "shape": shape, "first_dealer": 0}
        table.start(NAMES[: int(sides) * int(each)], {}, **chosen)
        play_on(table, random, 2)
    return table


# ---------------------------------------------------------------- closings that were costly to judge


def costly_of(sides: int, game: str | None = None) -> list[dict[str, Any]]:
    """Return the costly deals of so many sides, the costliest of all last."""
    found = [one for one in COSTLY if len(one["sides"]) == sides and one["game"] == (game or one["game"])]
    return sorted(found, key=lambda one: int(one["steps"]))


def begin(table: Evening, one: Mapping[str, Any], version: int = 3, **options: Any) -> None:
    """Start a match of the game and the sides of a costly deal, by one version of the rules."""
    shape = len(one["sides"])
    with table.phone.app.app_context(), writing():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        numbers = commands.seat_players(found, NAMES[:shape])
        asked = {"game": one["game"], "preset": one["preset"], "options": {"target": 900, **options}}
        asked |= {"sides": one["sides"], "players_per_side": 1, "rules": version}
        resolved = standings.rules.score({**asked, "deal": {}})["options"]  # type: ignore[attr-defined]
        sides = tuple(Side(label, (number,)) for label, number in zip(one["sides"], numbers, strict=True))
        setup = Setup(one["game"], one["preset"], resolved, sides, 0, rules=version)  # type: ignore[arg-type]
        found.last_match += 1
        match = Match(table_id=found.id, number=found.last_match, setup=setup.as_json(), taken_up=found.last_match)
        db.session.add(match)
        db.session.flush()
        commands.record(match, [NewEntry(kinds.MATCH_STARTED, {"setup": setup.as_json()})])
        table.match = match.number


def close_by_hand(table: Evening, deal: int, facts: Facts) -> None:
    """Close a deal as version 1 of the payloads did, which had no bounds: today's judge has them."""
    with table.phone.app.app_context(), writing():
        match = of_match(table)
        payload: Any = {"v": 1, "deal": deal, "facts": dict(facts)}
        append(match, [NewEntry(kinds.DEAL_CLOSED, payload)])
        project(match, standings.standing_after(None, entries_of(match)))


def costly(phone: Phone, _other: Phone) -> Evening:
    """Half-known deals of two, three and four sides that took many steps, and were settled by them."""
    table = evening_of(phone, "Costly")
    for one in COSTLY:
        begin(table, one)
        close(table, 1, one["deal"], ANA)
        close(table, 2, {"rest": "B"}, ANA)
    for version in (1, 2):
        for sides in (2, 3, 4):
            one = costly_of(sides)[-1]
            begin(table, one, version)
            close(table, 1, one["deal"], ANA)
    return table


def costly_matches(phone: Phone, _other: Phone) -> Evening:
    """Whole matches of costly deals: one that takes more than a second, one beyond its budget, one without bounds."""
    table = evening_of(phone, "Costly matches")
    for game in dict.fromkeys(one["game"] for one in costly_of(4)):
        of_game = costly_of(4, game)
        begin(table, of_game[-1])
        for deal, one in enumerate(reversed(of_game), 1):
            close(table, deal, one["deal"], ANA)
    for version, by in ((1, close_by_hand), (2, close)):
        best = costly_of(4)[-1]
        begin(table, best, version)
        for deal, one in enumerate(costly_of(4, best["game"])[-3:], 1):
            by(table, deal, one["deal"])
    return table


def costly_disputes(phone: Phone, _other: Phone) -> Evening:
    """Costly deals that were corrected and taken back, contested, proposed, and agreed on."""
    table = evening_of(phone, "Costly disputes")
    for sides in (2, 3, 4):
        best = costly_of(sides)[-1]
        others = [one["deal"] for one in costly_of(sides, best["game"])]
        begin(table, best)
        labels = best["sides"]
        close(table, 1, best["deal"], ANA)
        correct(table, 1, others[0], ANA)
        restore(table, 1)
        correct(table, 1, {"rest": "B"}, ANA)
        restore(table, 1)
        close(table, 2, best["deal"], ANA)
        rival = close(table, 2, others[0], BETO)
        close(table, 2, others[1 % len(others)], BETO)
        close(table, 3, best["deal"], ANA)
        rival = close(table, 3, others[0], BETO)
        asked = say(table, kinds.PROPOSED, 3, BETO, takes=rival)
        for label in labels:
            if label != BETO:
                say(table, kinds.PROPOSAL_ACCEPTED, 3, label, asked=asked)
        close(table, 4, {"rest": "B"}, ANA)
        lock(table, 4, labels)
        asked = say(table, kinds.PROPOSED, 4, BETO, facts=best["deal"])
        for label in labels:
            if label != BETO:
                say(table, kinds.PROPOSAL_ACCEPTED, 4, label, asked=asked)
        close(table, 5, {"rest": "B"}, ANA)
        lock(table, 5, labels)
        say(table, kinds.PROPOSED, 5, BETO, facts=best["deal"])
        close(table, 6, best["deal"], ANA)
        correct(table, 6, {"rest": "B"}, ANA)
    return table


TRUST_FACTS: dict[str, Any] = {"awards": TRUST}
OTHER_FACTS: dict[str, Any] = {"awards": OTHER}
SWEPT_FACTS: dict[str, Any] = {"awards": TRUST, "sweeps": {"A": 2, "B": 1}}

HAPPENINGS: tuple[Callable[[Phone, Phone], Evening], ...] = (
    settled,
    three_sides,
    dealt,
    seats,
    changed_rules,
    lives,
    line_ups,
    costly,
    costly_matches,
    costly_disputes,
)


# ---------------------------------------------------------------- what phones hold of it


def drawn_forms(phone: Phone, other: Phone) -> list[dict[str, Any]]:
    """Draw the forms that came since, each about a match of its own: what one writes makes no other stale."""
    drawn = Drawn()
    table = evening_of(phone, "Drawn since", NAMES[:2], options={"target": 500})

    def add(name: str, page: str, path: str = "", id: str = "", **fields: Any) -> None:
        form = phone.form(page, id, path or page, **fields)
        drawn.add(name, path or page, form)

    def next_match(game: str = "chorizo", shape: str = "2x1", closed: int = 0, locked: bool = False) -> None:
        sides, _x, each = shape.partition("x")
        table.start(NAMES[: int(sides) * int(each)], game=game, shape=shape, first_dealer=0)
        for deal in range(1, closed + 1):
            close(table, deal, TRUST_FACTS, ANA)
        if locked:
            lock(table, 1, "ABCD"[: int(sides)])

    dealer = table.deal(1, "/dealer")
    add("another dealt", dealer, table.deal(1, "/dealt"), "dealt", player=2)
    next_match()
    add("dealt again", table.deal(1, "/dealer"), table.deal(1, "/again"), "dealt-again", who="next")
    next_match()
    add("points added", table.deal(1, "/adjust"), id="adjust", side=BETO, points=3, reason="a bet")
    next_match(shape="2x2")
    tapped = write(table, kinds.SWEPT, ANA, deal=1, side=ANA, count=1)
    page = table.deal(1, f"/credit?entry={tapped}")
    drawn.add("who made it", table.deal(1, "/credit"), phone.form(page, "credit"), player=3)
    next_match()
    add("a line about the match", table.of("/note"), id="note-form", note="outside", stakes="a beer")
    next_match()
    add("seats", table.of("/people"), table.of("/seats"), "seats", player__0="Beto", player__1="Ana")
    next_match(closed=1)
    add("a substitute", table.of("/people"), table.deal(2, "/substitute"), "substitute", seat=1, newcomer="Uma")
    next_match("free", "3x1")
    add("a late-comer", table.of("/people"), table.deal(1, "/enter"), "enter", newcomer="Uma", points=5)
    next_match("free", "3x1")
    add("one who leaves", table.of("/people"), table.deal(1, "/leave"), "leave", side="B")
    next_match("free")
    add("points of the pad", table.path(), table.deal(1, "/points?of=A"), points=5)
    next_match(closed=1, locked=True)
    proposal_forms(drawn, table, next_match)
    return drawn.forms


def proposal_forms(drawn: Drawn, table: Evening, next_match: Callable[..., None]) -> None:
    """Draw the forms of proposals, of their answers, and of what undoes a correction."""
    phone = table.phone
    form = table.closing(1, OTHER_FACTS)
    drawn.add("correction of an agreed deal", table.deal(1, "/close"), form)
    for way in ("accept", "decline"):
        next_match(closed=1, locked=True)
        say(table, kinds.PROPOSED, 1, BETO, facts=OTHER_FACTS)
        page, path = table.deal(1), table.deal(1, f"/proposal/{way}")
        # Both buttons are of one form.
        drawn.add(f"proposal: {way}", path, phone.form(page, action="/proposal/accept"), side=ANA)
    next_match(closed=1)
    rival = close(table, 1, OTHER_FACTS, BETO)
    page = table.deal(1, "/versions")
    drawn.add("a version proposed", page, phone.form(page, "choose"), take=rival, side=BETO)
    next_match(closed=1)
    saved = table.close(1, OTHER_FACTS).location
    path = table.deal(1, "/restore")
    drawn.add("correction undone", path, phone.form(saved, action=path))
    next_match(closed=1)
    write(table, kinds.PHONE_HELD, BETO, player=2)
    path = table.of("/rules/change")
    drawn.add("rules proposed", path, phone.form(path, "agree"), opt__target=33, step="save")
    next_match(closed=1)
    write(table, kinds.PHONE_HELD, BETO, player=2)
    write(table, kinds.RULES_PROPOSED, BETO, options={"target": 44}, side=BETO)
    path = table.of("/rules/accept")
    drawn.add("rules accepted", path, phone.form(table.of("/rules/proposed"), action=path), side=ANA)
    next_match(closed=1)
    path = table.of("/end")
    drawn.add("ended by hand", path, phone.form(path, action=path))
    first = table.match
    next_match()
    table.match = first
    path = table.of("/resume")
    drawn.add("taken up again", path, phone.form(table.path("/history"), action=path))
    table.match = first + 1
    next_match(closed=1)
    path = table.of("/delete")
    drawn.add("deleted", path, MultiDict({**phone.form(path, action=path)}))


def queued_pushes(phone: Phone, _other: Phone) -> list[dict[str, Any]]:
    """Queue entries of the kinds that came since, each about a match of its own."""
    pushes: list[dict[str, Any]] = []
    table = evening_of(phone, "Queued since", NAMES[:4], game="chorizo", shape="2x2")

    def push(name: str, *entries: dict[str, Any]) -> None:
        pushes.append({"name": name, "body": {"table": table.key, "entries": list(entries)}})

    def next_match(game: str = "chorizo", shape: str = "2x1") -> None:
        sides, _x, each = shape.partition("x")
        table.start(NAMES[: int(sides) * int(each)], game=game, shape=shape, first_dealer=0)

    def noted(kind: str, deal: int = 1, **payload: Any) -> dict[str, Any]:
        return entry(kind, table.match, deal, payload=payload)

    tap = noted("swept", side=ANA, count=1)
    push(
        "an evening as it goes",
        noted("dealt", player=2),
        noted("dealt_again", redeal="same", again=1, why="misdealt"),
        tap,
        noted("credited", entry=tap["id"], player=3),
        noted("adjusted", side=BETO, points=2, reason="a bet"),
        noted("match_noted", 0, note="late", stakes=""),
    )
    next_match()
    form = table.closing(1, TRUST_FACTS)
    tap = entry("swept", table.match, fields={"side": [BETO]})
    closing = entry("deal_closed", table.match, fields=typed(form), drawn_from=int(form["seq"]), counted=[tap["id"]])
    push("a closing of the form of then", tap, closing)
    next_match()
    close(table, 1, TRUST_FACTS, ANA)
    push("a substitute", noted("substituted", 2, player=4, other=1))
    next_match("free", "3x1")
    rounds = [noted("points_noted", side=label, points=5) for label in "ABC"]
    push("the pad", *rounds, noted("entered", 2, player=4, points=3), noted("left", 2, side="B"))
    next_match("scopa", "3x1")
    push("three sides", entry("deal_closed", table.match, payload={"facts": {"rest": "C"}}, drawn_from=1))
    next_match("escoba", "4x1")
    push("four sides", entry("deal_closed", table.match, payload={"facts": {"rest": "D"}}, drawn_from=1))
    next_match()
    push(
        "seats",
        entry(
            "seated",
            table.match,
            0,
            payload={"sides": [{"label": "A", "players": [2]}, {"label": "B", "players": [1]}], "first_dealer": 1},
        ),
    )
    next_match()
    ended = table.match
    next_match()
    push("taken up again", entry("match_resumed", ended, 0, payload={}))
    return pushes


def more_addresses(table: Table) -> Iterator[str]:
    """Yield addresses that came since; call inside the app's context."""
    start = f"/t/{table.play_key}"
    matches = db.session.scalars(select(Match).where(Match.table_id == table.id).order_by(Match.number))
    for match in list(matches):
        of = f"{start}/matches/{match.number}"
        yield from (of + rest for rest in ("/people", "/note", "/end", "/delete", "/rules/change", "/rules/proposed"))
        state: MatchState = standings.standing_of(match).state
        deal = f"{of}/deals/{state.current.number}"
        yield from (deal + rest for rest in ("/dealer", "/adjust", "/credit", "/prime"))
        for one in state.closed:
            if one.rivals or one.statements:
                yield f"{of}/deals/{one.number}/versions"
    yield f"{start}/export.csv"
    yield f"{start}/phone"


def play(app: Flask) -> tuple[Phone, Phone]:
    """Play everything; return the two phones."""
    keeper, guest = Phone(app), Phone(app)
    for happens in HAPPENINGS:
        happens(keeper, guest)
    return keeper, guest
