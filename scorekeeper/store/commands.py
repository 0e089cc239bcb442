"""The commands that write: tables, matches and their entries, each with the summary row that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, cast
from uuid import uuid4

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.exc import ObjectDeletedError

from scorekeeper import rules

from ..limits import (
    DEAL_ADJUSTMENTS,
    DEAL_DEALINGS,
    DEAL_NOTES,
    DEAL_RIVALS,
    DEAL_SAID,
    JUDGED_AHEAD,
    MATCH_DEALS,
    PHONES_CARRIED,
    TABLE_MATCHES,
    TABLE_PLAYERS,
)
from ..names import same
from ..rules import contract
from . import agreement, changes, deleted, queries, standings, voices
from .db import Gone, db, lock, savepoint, writing
from .journal import kinds
from .journal.entries import (
    Full,
    JournalEntry,
    NewEntry,
    NoSuchEntry,
    Stale,
    are_written,
    as_written,
    entries_of,
    entry_by_id,
    make_room,
    refuse_stale,
    voiding,
    write_entries,
)
from .journal.replay import DealState, MatchState, phones_of, table_phone_of
from .journal.setup import Setup
from .models import Match, MatchSummary, Player, Table, now
from .standings import BrokenMatch, Standing, cache_standing, standing_after, standing_of
from .summaries import project
from .voices import Matter, Speaker

SAME_EVENING = timedelta(hours=12)
"""Time after the start of a match in which whoever held a phone in it is taken to hold it in the next one, too."""


JUDGED = frozenset({"facts", "takes"})
"""What the payload of a closing holds that is to be judged (``facts`` alone), or that repeats another one."""
DOUBTS = kinds.STATEMENTS | {kinds.DEAL_CONTESTED}
"""The kinds by which a deal may come into doubt, or out of it."""


class NewerMatch(Exception):
    """Another match was started since the one that a rematch is asked of, or since a form was drawn: its ``number``."""

    def __init__(self, number: int) -> None:
        super().__init__(f"match {number} was started since")
        self.number = number


def open_table(name: str, form_id: str) -> Table:
    """Make a table, or return the one that this very form made before; call inside ``writing()``."""
    table = table_of_form(form_id)
    if table is not None:
        return table
    table = Table(name=name, form_id=form_id)
    try:
        with savepoint():
            db.session.add(table)
            db.session.flush()
    except IntegrityError:
        # The same form at this very instant, in another connection: it has just been committed.
        table = table_of_form(form_id)
        if table is None:
            raise
    return table


def table_of_form(*form_ids: str) -> Table | None:
    """Return the table that a form made which is known under one of these ids, or None."""
    return db.session.scalar(select(Table).where(Table.form_id.in_(form_ids)).limit(1))


def forget_form(table: Table) -> None:
    """Let no form lead to this table any more; call inside ``writing()``."""
    lock(table)
    table.form_id = str(uuid4())
    db.session.flush()


def seat_players(table: Table, names: Sequence[str]) -> list[int]:
    """Return the players' numbers: whoever has that name at this table already, else someone new.

    Call inside ``writing()``. Raises ``Full``.
    """
    # Held until the end, so that the same newcomer is not seated twice at once.
    lock(table)
    known = {same(name): number for number, name in queries.player_names(table).items()}
    numbers = []
    for name in names:
        number = known.get(same(name))
        if number is None:
            if len(known) >= TABLE_PLAYERS:
                raise Full("players", TABLE_PLAYERS)
            number = known[same(name)] = max(known.values(), default=0) + 1
            db.session.add(Player(table_id=table.id, number=number, name=name))
        numbers.append(number)
    return numbers


def start_match(
    table: Table,
    entry_id: str,
    agreed: Setup,
    *,
    rematch_of: int | None = None,
    beside_newer: bool = False,
    known: int | None = None,
    waiting: Sequence[int] = (),
    device: str | None = None,
    player: int | None = None,
) -> Match:
    """Start a match, or return the one that this very form started; call inside ``writing()``.

    It is played by the newest rules, whichever ``agreed`` names. A rematch of the match of number ``rematch_of`` is
    one, however many ask for it: the first of them starts it, until a deal of it is closed. Beside another match that
    was started since, also since the form was drawn while ``known`` was the last, it is started only where
    ``beside_newer`` says so. ``waiting`` are the players who wait for a seat, the next first. ``player`` holds the
    phone that starts it; who held the others in the match before is carried over.
    Raises ``Full``, ``NewerMatch``, or ``Stale`` for an id used before for something else.
    """
    lock(table)
    started = entry_by_id(table.id, entry_id)
    if started is not None:
        if started[1].kind != kinds.MATCH_STARTED:
            raise Stale([started[1]])
        return db.session.get_one(Match, (table.id, started[0]))
    agreed = replace(agreed, rules=rules.NEWEST)
    newest = queries.current_match(table)
    if newest is not None and rematch_of not in (None, newest.number) and _has_just_begun(newest, agreed):
        return newest
    if not beside_newer:
        _refuse_newer(newest, rematch_of, known)
    if table.last_match >= TABLE_MATCHES:
        raise Full("matches", TABLE_MATCHES)
    table.last_match += 1
    setup = agreed.as_json()
    match = Match(table_id=table.id, number=table.last_match, setup=setup, taken_up=_next_taking_up(table.id))
    db.session.add(match)
    db.session.flush()
    payload: kinds.AnyPayload = {"setup": setup}
    if phones := _phones_of_the_evening(newest):
        payload["phones"] = phones
    if waiting:
        payload["waiting"] = list(waiting)
    record(match, [NewEntry(kinds.MATCH_STARTED, payload, id=entry_id)], device=device, player=player)
    return match


def _refuse_newer(newest: Match | None, rematch_of: int | None, known: int | None) -> None:
    """Raise ``NewerMatch`` where another match came after the one of a rematch, or is played since a form was drawn."""
    if newest is None:
        return
    is_after = rematch_of not in (None, newest.number)
    if is_after or (known not in (None, newest.number) and _is_playing(newest)):
        raise NewerMatch(newest.number)


def _next_taking_up(table_id: int) -> int:
    """Return the count by which a match becomes the one being played at its table."""
    last = db.session.scalar(select(func.max(Match.taken_up)).where(Match.table_id == table_id))
    return (last or 0) + 1


def _phones_of_the_evening(before: Match | None) -> dict[str, int | None]:
    """Return who held the phones that wrote in the match before, by their marks; none of an evening long ago.

    None is the table's phone.
    """
    if before is None or before.created_at is None or now() - before.created_at > SAME_EVENING:
        return {}
    entries = entries_of(before)
    wrote = {entry.device for entry in entries}
    held = [(device, player) for device, player in phones_of(entries).items() if device in wrote]
    in_the_middle = table_phone_of(entries)
    phones: dict[str, int | None] = dict(held[-PHONES_CARRIED:])
    return phones if in_the_middle is None else {**phones, in_the_middle.device: None}


def _has_just_begun(match: Match, agreed: Setup) -> bool:
    """Say whether a match was started with this very set-up, and none of its deals was closed yet."""
    stored = cast(kinds.StoredSetup, match.setup)
    return _is_playing(match, MatchSummary.deals == 0) and Setup.from_json(stored) == Setup.from_json(agreed.as_json())


def _is_playing(match: Match, *also: ColumnElement[bool]) -> bool:
    """Say whether a match is neither won nor stopped, and what else its summary is to say."""
    is_it = (MatchSummary.table_id == match.table_id, MatchSummary.match == match.number)
    found = select(func.count()).select_from(MatchSummary).where(*is_it, MatchSummary.status == "playing", *also)
    return bool(db.session.scalar(found))


@dataclass(frozen=True)
class Draft:
    """What is to be written to a match, judged beside what it held up to ``head``; empty where all of it is there."""

    head: int
    new: tuple[NewEntry, ...] = ()
    written: tuple[JournalEntry, ...] = ()
    """The same entries as they stand in the journal after ``head``."""
    standing: Standing | None = None
    """Where the match then stands."""
    moves: bool = False
    """Whether its summary changes with them: the match is scored anew, or a deal of it may come into doubt."""
    drawn_from: int | None = None

    def is_true_beside(self, since: Sequence[JournalEntry]) -> bool:
        """Say whether it would be judged alike beside entries written after ``head``.

        Notes hold beside notes, but for those of which the later replaces the earlier.
        """
        new, others = {entry.kind for entry in self.new}, {entry.kind for entry in since}
        twice = {entry.id for entry in self.new} & {entry.id for entry in since}
        replaced = new & others & kinds.REPLACING
        return self.drawn_from is None and new | others <= kinds.NOTES and not twice and not replaced


NOTHING = Draft(0)
"""What is drafted where there is nothing to write."""


def write(match: Match, drafted: Callable[[], Draft]) -> int:
    """Judge, then write; return the seq of the last entry written, 0 where nothing was to be written.

    ``drafted`` judges, outside the write transaction: that one is held only to see that what was judged is still true,
    and to write. Where others have written to the match meanwhile, it is judged again; after a few turns inside the
    transaction, where nobody can come first. Raises what ``drafted`` raises, ``Full``, ``Stale`` and ``Gone``.
    """
    for _turn in range(JUDGED_AHEAD):
        try:
            draft = drafted()
        except ObjectDeletedError as error:
            raise Gone from error
        if not draft.new:
            return 0
        with writing():
            _lock(match)
            since = entries_of(match, after=draft.head) if match.head != draft.head else []
            if match.head == draft.head or draft.is_true_beside(since):
                return _write(match, draft)
    with writing():
        _lock(match)
        draft = drafted()
        return _write(match, draft) if draft.new else 0


def record(match: Match, new: Sequence[NewEntry], *, drawn_from: int | None = None, **written_by: Any) -> bool:
    """Judge entries and write them, all inside ``writing()``; say whether that was needed. As ``draft``.

    A page judges before, by ``write``: here whoever else writes waits for it.
    """
    _lock(match)
    judged = draft(match, new, drawn_from=drawn_from, **written_by)
    return bool(judged.new and _write(match, judged))


def _lock(match: Match) -> None:
    """Lock the match. Raises ``Gone`` where it was deleted meanwhile."""
    lock(match)
    if match.deleted_at is not None:
        raise Gone


def _write(match: Match, draft: Draft) -> int:
    """Write what was judged, with the summary that follows from it; the match is locked."""
    written = draft.written
    if match.head != draft.head:
        make_room(match.head, draft.new)
        written = tuple(entry._replace(seq=seq) for seq, entry in enumerate(written, match.head + 1))
    if are_written(match, draft.new):
        # In another match of the table, as in this one it would have been seen.
        raise Stale(())
    write_entries(match, written)
    if any(entry.kind == kinds.MATCH_RESUMED for entry in draft.new):
        match.taken_up = _next_taking_up(match.table_id)
    if draft.standing is not None and draft.moves:
        project(match, draft.standing)
    deleted.purge(match.table_id)
    if draft.standing is not None and written is draft.written:
        cache_standing(match, draft.standing)
    return written[-1].seq


def draft(
    match: Match,
    new: Sequence[NewEntry],
    *,
    drawn_from: int | None = None,
    unsaid: Collection[str] = (),
    **written_by: Any,
) -> Draft:
    """Judge entries beside what the match holds, and return what to write. Nothing is written.

    Entries that are there already (same id, kind and payload) are not written again: a repeated post is one entry.
    ``drawn_from`` is the seq that the form was drawn from, None where the entries hold whatever was written meanwhile
    (two sweeps are two sweeps); ``author``, ``device`` and ``player`` say who writes. A second closing of a closed deal
    takes nobody's place: it is written as ``confirmed`` where it comes to the same, else as ``deal_contested``. With
    the last yes to a proposal it is carried out. ``unsaid`` are ids that a side may void whoever said them.
    Raises ``Stale``, also where who played a closed deal would change, ``Locked`` where an entry to be voided
    is for all sides to change, ``NoSuchEntry`` where a version that is proposed is not there, ``BrokenMatch``
    where the deals cannot be scored, ``Full``.
    """
    head = match.head
    if not new or are_written(match, new, drawn_from):
        return NOTHING
    before = standing_of(match) if head else None
    if before is not None:
        if before.state.ended is not None and all(entry.kind == kinds.MATCH_ENDED for entry in new):
            return NOTHING
        if not (new := _beside_accepted(match.table_id, before.state, new, unsaid, **written_by)):
            return NOTHING
        written_by = _heard_as(match.table_id, before.state, new, **written_by)
        if all(entry.kind in kinds.MOVES_NO_POINTS for entry in new):
            # It is kept beside what was written meanwhile, whatever that is.
            drawn_from = None
        _make_room(before.state, new)
    moves = any(entry.kind in kinds.SCORES_MATCH for entry in new)
    may_doubt = any(entry.kind in DOUBTS for entry in new)
    refuse_stale(match, new, drawn_from)
    written = as_written(head, new, **written_by)
    standing = standing_after(before, written, moves=moves)
    return Draft(head, tuple(new), tuple(written), standing, moves or may_doubt, drawn_from)


def draft_undo(match: Match, entry_id: str, *, id: str | None = None, **written_by: Any) -> Draft:
    """Judge the voiding of an entry, whose own id is ``id``; nothing is to be written where it is void already.

    Raises ``NoSuchEntry``, and as ``draft``.
    """
    return draft(match, voiding(standing_of(match).state.entries, entry_id, id), **written_by)


def undo(match: Match, entry_id: str, *, id: str | None = None, **written_by: Any) -> bool:
    """Void an entry, all inside ``writing()``, and say whether that was needed. As ``draft_undo``."""
    _lock(match)
    judged = draft_undo(match, entry_id, id=id, **written_by)
    return bool(judged.new and _write(match, judged))


def draft_unsaying(match: Match, entry_id: str, form_id: str, **written_by: Any) -> Draft:
    """Judge that a side takes back what was said for it on a phone that is none of its own: the matter is open again.

    A yes is taken back by a dispute of that side, which also opens what was locked by it; anything else is voided.
    Raises ``NoSuchEntry`` where there is nothing (any more) to be taken back, and as ``draft``.
    """
    state = standing_of(match).state
    if kind_of(match, form_id) is not None:
        return NOTHING
    said = next((entry for entry in state.entries if entry.id == entry_id), None)
    if said is None or not changes.may_be_unsaid(state, said, _speaker(**written_by)):
        raise NoSuchEntry(entry_id)
    if said.kind in (kinds.CONFIRMED, kinds.PROPOSAL_ACCEPTED):
        deal = state.closed_deal(said.payload["deal"])
        assert deal is not None
        assert deal.closed is not None
        dispute: kinds.AnyPayload = {"deal": deal.number, "entry": deal.closed.id, "side": said.payload["side"]}
        return draft(match, [NewEntry(kinds.DISPUTED, {**dispute, "unsays": said.id}, id=form_id)], **written_by)
    changed = [
        entry.id
        for entry in state.changes
        if said.kind == kinds.RULES_ACCEPTED and entry.payload.get("asked") == said.payload["asked"]
    ]
    new = [
        NewEntry(kinds.VOIDED, {"entry": said.id}, id=form_id),
        *(agreement.voided_with(form_id, id) for id in changed),
    ]
    return draft(match, new, unsaid=(said.id, *changed), **written_by)


def draft_restoring(match: Match, deal: int, entry_id: str, form_id: str, **written_by: Any) -> Draft:
    """Judge the undoing of a correction: the former closing, of the id ``entry_id``, counts again.

    ``form_id`` makes a repeated post one act. Raises ``NoSuchEntry`` where the closing that counts has not
    taken the place of that one, and as ``draft``.
    """
    state = standing_of(match).state
    closed = state.closed_deal(deal)
    former = agreement.corrected_closing(state, closed) if closed is not None else None
    if closed is None or former is None or former.id != entry_id:
        if kind_of(match, form_id) is not None:
            return NOTHING
        raise NoSuchEntry(entry_id)
    return draft(match, agreement.entries_to_restore(closed, former, form_id), **written_by)


def _speaker(**written_by: Any) -> Speaker:
    return Speaker(written_by.get("author"), written_by.get("device"))


def _heard_as(table_id: int, state: MatchState, new: Sequence[NewEntry], **written_by: Any) -> dict[str, Any]:
    """Return who writes these entries, in nobody's name where the phone may not speak for its side.

    Anybody closes a deal, and proposes. But a phone that spoke for another side in the matter is no voice of its side.
    """
    by = _speaker(**written_by)
    if by.side is None or not any(entry.kind in voices.TELLS for entry in new):
        return written_by
    heard = voices.voices_of(table_id, state)
    for entry in new:
        if entry.kind in voices.TELLS and not heard.may_speak(by, by.side, _matter_of(state, entry)):
            return {**written_by, "author": None}
    return written_by


def _matter_of(state: MatchState, entry: NewEntry) -> Matter:
    """Return what an entry talks about."""
    if entry.kind == kinds.RULES_PROPOSED:
        return Matter(state.head + 1, ())
    deal = state.deal(entry.payload.get("deal", 0))
    return voices.about_rules(state, entry.payload.get("asked")) if deal is None else voices.about_deal(state, deal)


def _refuse_voice(table_id: int, state: MatchState, new: Sequence[NewEntry], by: Speaker) -> None:
    """Raise ``NotTheirVoice`` where an entry speaks for a side that has a voice of its own."""
    said = [entry for entry in new if entry.kind in voices.SPEAKS and entry.payload.get("side")]
    if said:
        heard = voices.voices_of(table_id, state)
        for entry in said:
            heard.refuse_to_speak(by, entry.payload["side"], _matter_of(state, entry))


def _agrees_for_nobody(table_id: int, state: MatchState, entry: NewEntry, by: Speaker) -> bool:
    """Say whether a second closing with the same sheet is no yes: the phone speaks for no side that has no voice."""
    if by.device is None:
        return True
    heard, matter = voices.voices_of(table_id, state), _matter_of(state, entry)
    if heard.speaks_for_all(by, matter.since):
        return False
    if by.side is not None:
        return not heard.may_speak(by, by.side, matter)
    return bool(heard.labels(by.device))


def _beside_accepted(
    table_id: int, state: MatchState, new: Sequence[NewEntry], unsaid: Collection[str] = (), **written_by: Any
) -> list[NewEntry]:
    """Return entries as they are to be written beside the accepted closings; none where all is there already.

    A last yes to a proposal is written with what it carries out.
    Raises ``Locked``, ``NotTheirVoice``, ``BrokenMatch``, ``NoSuchEntry``.
    """
    voided = [entry.payload["entry"] for entry in new if entry.kind == kinds.VOIDED]
    by = _speaker(**written_by)
    _refuse_to_change_played(state, new, voided)
    taken_back = [id for id in voided if id not in unsaid]
    if _are_said(state, taken_back):
        heard = voices.voices_of(table_id, state)
        agreement.refuse_to_void_agreed(state, taken_back, by, heard)
        agreement.refuse_to_void_rules(state, taken_back, by, heard)
    _refuse_voice(table_id, state, new, by)
    written: list[NewEntry] = []
    for entry in new:
        # A closing that repeats another one was judged when that was written.
        if entry.kind in (kinds.DEAL_CLOSED, kinds.PROPOSED) and entry.payload.keys() & JUDGED == {"facts"}:
            _refuse_broken(state, entry)
        if entry.kind == kinds.DEAL_CLOSED:
            second = agreement.as_confirmed_or_contested(state, entry, voided)
            if second.kind != kinds.CONFIRMED or not _agrees_for_nobody(table_id, state, second, by):
                written.append(second)
            continue
        written.append(entry)
        if entry.kind == kinds.RULES_PROPOSED:
            _refuse_broken_rules(state, entry.payload["options"])
        said = as_written(state.head, [entry], **_heard_as(table_id, state, [entry], **written_by))[0]
        if entry.kind in (kinds.PROPOSED, kinds.PROPOSAL_ACCEPTED):
            written += agreement.carried_out(state, _proposed_about(state, entry), said)
        elif entry.kind in (kinds.RULES_PROPOSED, kinds.RULES_ACCEPTED):
            written += agreement.changed_rules(state, said)
    return written


def _are_said(state: MatchState, voided: Sequence[str]) -> bool:
    """Say whether one of these entries is a closing, a word about one, or about other rules."""
    ids = set(voided)
    return bool(ids) and any(entry.id in ids and entry.kind in voices.MATTERS for entry in state.entries)


def _refuse_to_change_played(state: MatchState, new: Sequence[NewEntry], voided: Sequence[str]) -> None:
    """Raise ``Stale`` where who played a closed deal, or who dealt it, would change: its sheet rests on that."""
    played = [deal.closed for deal in state.closed if deal.closed is not None]
    last = max((closing.payload["deal"] for closing in played), default=0)
    dealings = [entry for deal in state.closed for entry in deal.dealings]
    seated = [state.seated] if state.seated is not None else []
    taken_back = [entry.payload for entry in (*state.changes, *dealings, *seated) if entry.id in voided]
    written = [entry.payload for entry in new if entry.kind in kinds.CHANGES or entry.kind == kinds.SEATED]
    if any(payload.get("deal", 1) <= last for payload in (*taken_back, *written)):
        raise Stale(played)
    if not all(_is_of_who_plays(state, entry) for entry in new):
        raise Stale(state.changes)


def _is_of_who_plays(state: MatchState, entry: NewEntry) -> bool:
    """Say whether who comes in does not play yet, and who leaves does: another phone may have said so meanwhile."""
    setup, payload = state.setup_to_come, entry.payload
    if entry.kind == kinds.SUBSTITUTED:
        return payload["player"] not in setup.seats and payload["other"] in setup.seats
    if entry.kind == kinds.ENTERED:
        ever = {side.label for side in (*state.everybody, *setup.sides)}
        return payload["player"] not in setup.seats and payload["side"] not in ever
    return entry.kind != kinds.LEFT or payload["side"] in setup.labels


def _proposed_about(state: MatchState, entry: NewEntry) -> DealState:
    """Return the deal that a proposal or its answer is about. Raises ``NoSuchEntry`` where it has changed since."""
    deal, takes = state.closed_deal(entry.payload["deal"]), entry.payload.get("takes")
    is_there = takes is None or (deal is not None and agreement.version_of(deal, takes) is not None)
    if deal is None or deal.closed is None or deal.closed.id != entry.payload["entry"] or not is_there:
        raise NoSuchEntry(takes or entry.payload["entry"])
    return deal


def _refuse_broken(state: MatchState, entry: NewEntry) -> None:
    """Raise ``BrokenMatch`` where a version of a deal cannot be scored, or cannot be scored whole."""
    # What anybody may have made up is scored with bounds, whatever the rules of the match.
    deal = state.deal(entry.payload["deal"]) or state.current
    sheet = standings.score_deal(state, deal, entry.payload["facts"], bounded=True)
    if sheet["status"] == "invalid" or standings.is_unfinished(sheet):
        raise BrokenMatch(standings.blocking_problems(sheet))


def _refuse_broken_rules(state: MatchState, options: contract.Options) -> None:
    """Raise ``BrokenMatch`` where the game does not know these options, or no value like one of theirs."""
    problems = rules.Problems()
    rules.read_table({**state.engine_setup(), "options": {**state.setup.options, **options}}, problems)
    if problems.fatal:
        raise BrokenMatch(problems.as_json())


def _make_room(state: MatchState, new: Sequence[NewEntry]) -> None:
    """Raise ``Full`` where there is as much as there may be of what some of these entries add to."""
    for entry in new:
        deal = state.deal(entry.payload.get("deal", 0))
        closed = deal is not None and deal.closed is not None
        if entry.kind == kinds.DEAL_CLOSED and not closed and len(state.closed) >= MATCH_DEALS:
            raise Full("deals", MATCH_DEALS)
        if deal is None:
            continue
        if entry.kind in kinds.NOTES and len(deal.noted) + len(deal.credits) + len(deal.apart) >= DEAL_NOTES:
            raise Full("notes", DEAL_NOTES)
        if entry.kind == kinds.ADJUSTED and len(deal.noted_adjustments()) >= DEAL_ADJUSTMENTS:
            raise Full("adjustments", DEAL_ADJUSTMENTS)
        if entry.kind in (kinds.DEALT, kinds.DEALT_AGAIN) and len(deal.dealings) >= DEAL_DEALINGS:
            raise Full("dealings", DEAL_DEALINGS)
        if entry.kind == kinds.DEAL_CONTESTED and len(deal.rivals) >= DEAL_RIVALS:
            raise Full("rivals", DEAL_RIVALS)
        if entry.kind in kinds.STATEMENTS and len(deal.statements) >= DEAL_SAID:
            raise Full("said", DEAL_SAID)


def kind_of(match: Match, entry_id: str) -> str | None:
    """Return what an entry was written as, None where there is no such entry at this table."""
    found = entry_by_id(match.table_id, entry_id)
    return None if found is None else found[1].kind
