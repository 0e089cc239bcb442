"""Starting a match: with a new table, at a table that is there, or the same match again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, abort, flash, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ... import rules
from ...limits import FORM_SECONDS
from ...names import name_of_table
from ...store import agreement, commands, queries
from ...store.db import lock, writing
from ...store.deleted import RESTORABLE, deleted_matches
from ...store.journal import kinds
from ...store.journal.entries import Full, NewEntry, Stale, entry_by_id
from ...store.journal.match_setup import Setup, Side, sides_of
from ...store.models import NAME_LENGTH, Table, now
from ..base.access import LINKS, match_of, table_or_404
from ..base.brakes import opening_table
from ..base.entry_form import build_form, damaged, pressed_button
from ..base.htmx import go, page
from ..base.i18n import chosen_language
from ..base.remembered import has_room_for_table, is_mine, my_tables, phone_marks, remember_made, writer
from ..base.request_bounds import number_in, whole_number
from ..match.author import written_by
from ..match.match_form import (
    OF_PEOPLE,
    OWN_PLAYED,
    MatchForm,
    TableForm,
    agree,
    explain_refusal,
    match_form,
    of_former,
    write_match,
)
from ..match.next_match import WaitingForm, changes_partners, loser_of, pairings, with_partner
from ..match.own_line_fields import filled_own
from ..match.rules_words import pad_words, played_games
from ..match.show import OPENED
from ..match.view import MatchView, match_at, shown_match
from ..words.dates import zone_of_phone
from ..words.names import playable, shown_names
from ..words.problems import full_words

bp = Blueprint("new_match", __name__)

LEFT_OPEN = 5
"""Matches left in the middle that are offered before a new one is started."""
PADS = 6
"""Games that were played on the pad of a table, offered at its next match."""
LATEST, OFFERED = 5, 40
"""Tables of this phone whose players are offered at a new one, and how many names at most."""


@bp.get("/tables/new/games")
def games_of_new_table() -> str:
    """List the games for a new table; those that have a button on the start page come last.

    First come those that this phone has played last, then those of a kind of which no game has such a button.
    """
    known, on_home = playable(), rules.games_on_home()
    kinds_on_home = {known[id]["family"] for id in on_home}
    others = [id for id in known if id not in on_home]
    last = filter(None, map(queries.current_match, _latest_tables()))
    played = [match.setup["game"] for match in last if match.setup["game"] in others]
    of_other_kinds = [id for id in others if known[id]["family"] not in kinds_on_home]
    order = dict.fromkeys([*played, *of_other_kinds, *others, *on_home])
    return render_template("new_match/games.html", offered=[known[id] for id in order])


@bp.route("/tables/new", methods=["GET", "POST"])
def table() -> BaseResponse:
    """Open a table with its first match."""
    filled_in = {name: request.args.get(name, "") for name in ("game", "preset", "shape")}
    form = match_form(TableForm, request.form if request.method == "POST" else None, filled_in)
    if request.method == "GET" or request.form.get("step") == "refresh":
        return _table_page(form)
    agreed = agree(form)
    made_by = _ids_of(form, phone_marks())
    if agreed is None or (_made_before(made_by) is None and not has_room_for_table()):
        return _table_page(form, 422)
    try:
        with opening_table() if _made_before(made_by) is None else nullcontext(), writing():
            table = _made_before(made_by)
            if table is None:
                _free(made_by)
                named = form.table_name.data or name_of_table([field.data for field in form.players()], NAME_LENGTH)
                table = commands.open_table(named, made_by[0], zone_of_phone())
                write_match(table, form, agreed, _one_way(form.id.data), **writer(table))
    except (Full, Stale) as refused:
        explain_refusal(form, refused)
        return _table_page(form, 422)
    if not remember_made(table):
        return go(url_for("owner.show", key=table.owner_key))
    flash("", OPENED)
    return go(url_for("tables.show", key=table.play_key))


def _table_page(form: TableForm, status: int = 200) -> BaseResponse:
    """Return the page of a new table; where the form was refused, with the reasons."""
    known = _known_people(_latest_tables())
    context: dict[str, Any] = {"form": form, "opens": _opens(form), "has_room": has_room_for_table(), **known}
    return page("new_match/table.html", "new_match/_table_form.html", status, **context)


def _opens(form: MatchForm) -> bool:
    """Return whether game and rules are unfolded: where no game was named yet, and where one was chosen just now."""
    if request.method == "GET":
        return request.endpoint == "new_match.table" and not request.args.get("game")
    drawn = request.form.get("drawn_game"), request.form.get("drawn_preset")
    return request.form.get("step") == "refresh" and drawn != (form.rule_set["id"], form.played_as)


def _latest_tables() -> list[Table]:
    """Return the last tables of this phone."""
    return [remembered.table for remembered in my_tables()[:LATEST]]


def _known_people(tables: Iterable[Table]) -> dict[str, Any]:
    """Return who has played at these tables, by name, and who sat together at their last matches, in their order."""
    known: set[str] = set()
    guests: set[str] = set()
    groups: dict[tuple[str, ...], None] = {}
    for table in tables:
        # The match first: whoever sits in it is among the names then, also if both were written between.
        last = queries.current_match(table)
        names = queries.player_names(table)
        known.update(name for number, name in names.people.items() if number not in names.guests)
        guests.update(name for number, name in names.people.items() if number in names.guests)
        if last is not None:
            seats = Setup.from_json(cast(kinds.StoredSetup, last.setup)).seats
            if names.forgotten.isdisjoint(seats):
                groups[tuple(names[number] for number in seats)] = None
    offered = [*sorted(known), *sorted(guests - known)][:OFFERED]
    return {"known_players": offered, "known_groups": list(map(list, groups))}


def _one_way(*parts: str) -> str:
    """Return an id that follows from these texts, and from which they cannot be worked out."""
    return str(uuid5(NAMESPACE_OID, " ".join(parts)))


def _ids_of(form: TableForm, marks: Sequence[str]) -> list[str]:
    """Return the form ids that a table opened by this form may have. The first is the one for a new table.

    An id follows from the form's own id, from its content and from the phone that sends it. So the same form on another
    phone opens another table, and so does a form that a browser restored with its old id and that was filled in anew.
    No page shows any of them.
    """
    id = form.id.data.lower()
    content = "\n".join(
        f"{name}={value}" for name, value in sorted(request.form.items(multi=True)) if name != "csrf_token"
    )
    return [_one_way(mark, id, content) for mark in marks]


def _made_before(made_by: Sequence[str]) -> Table | None:
    """Return the table that this form has opened on this phone, or None.

    It is returned to a phone that has its owner link. A phone without it gets the table only for an hour: the answer
    with the keys may have been lost. After that the form opens a new table.
    """
    table = commands.table_of_form(*made_by)
    if table is None or is_mine(table) or now() - table.created_at < timedelta(seconds=FORM_SECONDS):
        return table
    return None


def _free(made_by: Sequence[str]) -> None:
    """Let these ids of a form open another table; call inside ``writing()``."""
    table = commands.table_of_form(*made_by)
    if table is not None:
        commands.forget_form(table)


@bp.route(f"{LINKS}/matches/new", methods=["GET", "POST"])
def match(key: str) -> BaseResponse:
    """Start a match. The form is filled in as the last match, or a saved set of house rules, was played."""
    table = table_or_404(key)
    former = running = deleted = None
    setups = queries.newest_setups(table)
    last = queries.current_match(table)
    if last is not None:
        match = shown_match(table, last)
        running = None if match.standing.is_over else match
        former = _played_before(setups, match.setup, match.plain_names, match.deal.dealer_seat)
        former["best_of_three"] = match.standing.state.series is not None
    elif (deleted := next(iter(deleted_matches(table)), None)) is not None:
        setup = Setup.from_json(cast(kinds.StoredSetup, deleted.setup))
        former = _played_before(setups, setup, queries.player_names(table), setup.first_dealer)
    form = match_form(MatchForm, request.form if request.method == "POST" else None, former)
    context: dict[str, Any] = {
        "form": form,
        "table": table,
        "saved": queries.saved_rules(setups),
        "pads": [(name, pad_words(setup)) for name, setup in queries.named_pads(setups, PADS).items()],
        **_known_people([table]),
        "opens": _opens(form),
        "running": running,
        "has_lost": last is None and table.deletions > 0,
        "deleted": deleted,
        "kept": RESTORABLE,
        "before": request.form.get("before", "leave"),
        "known": request.form.get("known") or (last.number if last is not None else ""),
        **_left_open(table, running),
    }
    if request.method == "GET" or request.form.get("step") == "refresh":
        return page("new_match/match.html", "new_match/_match_form.html", **context)
    agreed = agree(form)
    if agreed is None:
        return page("new_match/match.html", "new_match/_match_form.html", 422, **context)
    try:
        with writing():
            _cut_before(table, form.id.data)
            write_match(table, form, agreed, known=number_in(request.form, "known"), **writer(table))
    except commands.NewerMatch as newer:
        # What was chosen for the match before is not chosen for this one.
        running = MatchView(table, match_of(table, newer.number))
        asked = {"running": running, "known": newer.number, "before": "leave", "newer": True}
        context = {**context, **asked, **_left_open(table, running)}
        return page("new_match/match.html", "new_match/_match_form.html", 409, **context)
    except (Full, Stale) as refused:
        explain_refusal(form, refused)
        status = 409 if isinstance(refused, Stale) else 422
        return page("new_match/match.html", "new_match/_match_form.html", status, **context)
    return go(url_for("tables.show", key=key))


def _played_before(
    setups: Sequence[dict[str, Any]], setup: Setup, names: Mapping[int, str], dealer: int
) -> dict[str, object]:
    """Return what a form starts from: a former match, with the saved rules or the game that the address names.

    ``setups`` are those of the table's matches, the newest first.
    """
    asked = request.args
    chosen = queries.saved_rules(setups).get(asked.get("rules", ""))
    chosen = queries.named_pads(setups, PADS).get(asked.get("pad", ""), chosen)
    if chosen is not None:
        kept = Setup.from_json(cast(kinds.StoredSetup, chosen))
        of_rules = ("game", "preset", "options", "rules_name", "game_name", "halves", "own_lines")
        setup = replace(setup, **{name: getattr(kept, name) for name in of_rules})
    played = queries.own_lines_played(setups)
    former = {**of_former(setup, names, dealer), OWN_PLAYED: played}
    if asked.get("game", setup.game) == setup.game:
        return former
    of_people = ("shape", "first_dealer", *(name for name in former if name.startswith(OF_PEOPLE)))
    of_game = filled_own(played.get(asked["game"], ()))
    return {"game": asked["game"], OWN_PLAYED: played, **of_game, **{name: former[name] for name in of_people}}


def _left_open(table: Table, running: MatchView | None) -> dict[str, Any]:
    """Return the matches that were left in the middle, but for the one in play, with what their rows show."""
    found = queries.matches_left_open(table, size=LEFT_OPEN + 1)
    left = [summary for summary in found if running is None or summary.match != running.number][:LEFT_OPEN]
    return {"left_open": left, "names": shown_names(queries.player_names(table)), "shown_games": played_games(left)}


def _cut_before(table: Table, form_id: str) -> None:
    """End the match in play where the form asks for that; call inside ``writing()``, before the new one is written."""
    number, how = whole_number(request.form.get("before_of", "")), request.form.get("before")
    row = queries.match_by_number(table, number) if number is not None else None
    if row is None or how not in ("leader", "nobody") or entry_by_id(table.id, form_id) is not None:
        return
    # A table is locked before its matches, as whoever deletes it does.
    lock(table)
    payload: kinds.AnyPayload = {"leader": True} if how == "leader" else {}
    ended = NewEntry(kinds.MATCH_ENDED, payload, id=agreement.part_id(form_id, "ends the match before"))
    commands.record(row, [ended], **written_by(MatchView(table, row)))


@bp.post(f"{LINKS}/matches/<int:number>/rematch")
def rematch(key: str, number: int) -> BaseResponse:
    """Start the same match again with the next dealer: with the same seats, or with the partners changed round.

    If another phone has asked for the rematch already, this leads to the same match.
    """
    match = match_at(key, number)
    form = pressed_button()
    setup = match.setup
    partner = number_in(request.form, "partner")
    seats = setup.seats if partner is None else with_partner(setup.seats, partner)
    if seats is None or (partner is not None and not changes_partners(match)):
        damaged()
    if (asked := _asked_about_doubt(match, form.id.data)) is not None:
        return asked
    if _has_forgotten(match, seats):
        return go(url_for("new_match.match", key=key))
    try:
        with writing():
            _start_again(match, form.id.data, seats, waiting=match.standing.state.waiting)
    except commands.NewerMatch as newer:
        return _asked_about_newer(match, newer.number)
    return go(url_for("tables.show", key=key))


def _has_forgotten(match: MatchView, seats: Iterable[int]) -> bool:
    """Return whether one of these players was forgotten: who sits there in the next match is to be said anew."""
    return not match.plain_names.forgotten.isdisjoint(seats)


ANYWAY = "anyway"
"""The field by which the table says that it starts a match all the same, once it was asked."""


def _asked_about_doubt(match: MatchView, form_id: str) -> BaseResponse | None:
    """Return the question whether a match is to follow one of which a deal is in doubt; None where nothing is asked."""
    if not match.doubts or request.form.get(ANYWAY) == "yes" or commands.kind_of(match.row, form_id) is not None:
        return None
    return page("new_match/anyway.html", None, 409, match=match, fields=_carried(), newer=None)


def _asked_about_newer(match: MatchView, number: int) -> BaseResponse:
    """Return the question whether another match is to be started beside one that was started since."""
    newer = MatchView(match.table, match_of(match.table, number))
    return page("new_match/anyway.html", None, 409, match=match, fields=_carried(), newer=newer)


def _carried() -> list[tuple[str, str]]:
    """Return what was posted, to be posted again with the answer."""
    left_out = ("csrf_token", ANYWAY)
    return [(name, value) for name, value in request.form.items(multi=True) if name not in left_out]


@bp.get(f"{LINKS}/matches/<int:number>/again")
def again(key: str, number: int) -> BaseResponse:
    """Show the ways to go on after a match: the same again, other partners, or who waits comes in for the loser.

    Where the match goes on after all, this leads to the page of a new one, which asks what becomes of it.
    """
    match = match_at(key, number)
    if not match.standing.is_over:
        return go(url_for("new_match.match", key=key))
    return _again_page(match, None)


def _again_page(match: MatchView, form: WaitingForm | None, status: int = 200) -> BaseResponse:
    """Return the page of the ways to go on; where who waits was refused, with the reasons."""
    names = match.plain_names
    waiting = list(dict.fromkeys(names[player] for player in match.standing.state.waiting if names.get(player)))
    form = form or build_form(WaitingForm, {}, None, {"waiting": ", ".join(waiting)})
    known = match.sitting_out[:OFFERED]
    context: dict[str, Any] = {"pairings": pairings(match), "leaving": _leaving(match), "known": known}
    return page("new_match/again.html", None, status, match=match, form=form, **context)


@bp.post(f"{LINKS}/matches/<int:number>/stays")
def stays(key: str, number: int) -> BaseResponse:
    """Start the next match: the winner stays, and the player who waits first comes in for the loser, who waits last."""
    match = match_at(key, number)
    form, leaving = build_form(WaitingForm, {}, request.form), _leaving(match)
    if leaving is None and _in_series(match):
        abort(409, description=_("The best of three goes on: play it to its end, or start another match as you like."))
    if leaving is None:
        abort(409, description=_("Nobody has lost this match: start another one as you like."))
    if not form.validate():
        if form.id.errors:
            damaged()
        return _again_page(match, form, 422)
    if (asked := _asked_about_doubt(match, form.id.data)) is not None:
        return asked
    if _has_forgotten(match, (player for player in match.setup.seats if player not in leaving.players)):
        return go(url_for("new_match.match", key=key))
    names = form.names(match.plain_names.people.values())
    refused = form.refusal(names, [match.plain_names[player] for player in match.setup.seats], len(leaving.players))
    try:
        if not refused:
            with writing():
                _let_in(match, form.id.data, names, leaving)
    except Full as full:
        refused = full_words(full)
    except commands.NewerMatch as newer:
        return _asked_about_newer(match, newer.number)
    if refused:
        form.waiting.errors = [refused]
        return _again_page(match, form, 422)
    return go(url_for("tables.show", key=key))


def _in_series(match: MatchView) -> bool:
    """Return whether a best of three goes on after a match: until its end nobody gets up for who waits."""
    return match.series is not None and match.series.goes_on


def _leaving(match: MatchView) -> Side | None:
    """Return the side that leaves its seats to who waits; None where nobody does."""
    return None if _in_series(match) else loser_of(match)


def _let_in(match: MatchView, entry_id: str, names: Sequence[str], leaving: Side) -> None:
    """Start the next match with the first who wait in the seats of those who leave; call inside ``writing()``."""
    numbers = commands.seat_players(match.table, names)
    coming = dict(zip(leaving.players, numbers, strict=False))
    seats = [coming.get(player, player) for player in match.setup.seats]
    _start_again(match, entry_id, seats, waiting=[*numbers[len(coming) :], *leaving.players])


def _start_again(match: MatchView, entry_id: str, seats: Sequence[int], waiting: Sequence[int]) -> None:
    """Start a match like the last one, as its rules were at its end; call inside ``writing()``.

    The names of teams stay with their players.
    """
    setup = match.setup
    sides = [tuple(seats[place :: len(setup.sides)]) for place in range(len(setup.sides))]
    teams = {tuple(sorted(side.players)): side.name for side in setup.sides}
    first = match.setup.seats[match.deal.dealer_seat]
    agreed = replace(
        setup,
        sides=sides_of(sides, [teams.get(tuple(sorted(side))) for side in sides]),
        first_dealer=seats.index(first) if first in seats else match.deal.dealer_seat,
    )
    commands.start_match(
        match.table,
        entry_id,
        agreed,
        rematch_of=match.number,
        beside_newer=request.form.get(ANYWAY) == "yes",
        waiting=waiting,
        best_of_three=request.form.get("best_of_three") == "yes",
        language=chosen_language(),
        **writer(match.table),
    )
