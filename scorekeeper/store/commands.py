"""The commands that write: tables, matches and their entries, each with the summary row that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, NamedTuple, cast

from sqlalchemy import ColumnElement, func, inspect, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import set_committed_value
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
    TAPPED_NOTES,
)
from ..names import same
from ..rules import contract
from . import (
    agreement,
    changes,
    deleted,
    evenings,
    forgotten,
    links,
    queries,
    seating,
    series,
    standings,
    tapping,
    voices,
)
from .db import Gone, db, lock, read_again, savepoint, writing
from .digests import hash_of
from .journal import kinds
from .journal.entries import (
    FromPaper,
    Full,
    JournalEntry,
    NewEntry,
    NoSuchEntry,
    Stale,
    TakeBackFirst,
    are_written,
    as_written,
    entries_of,
    entry_by_id,
    make_room,
    refuse_stale,
    voiding,
    write_entries,
)
from .journal.match_setup import Setup
from .journal.replay import DealState, MatchState, phones_of, table_phone_of
from .models import Link, Match, MatchSummary, Player, Table, now
from .plain_writes import is_plain, write_plainly, write_together
from .standings import (
    BrokenMatch,
    Standing,
    cache_standing,
    cache_under,
    known_standing,
    standing_after,
    standing_of,
)
from .summaries import project
from .table_file import jobs
from .voices import Matter, Speaker
from .who import Merged

JUDGED = frozenset({"facts", "takes"})
"""Fields of a closing: with ``facts`` alone it has to be judged, with ``takes`` it repeats another one."""
DOUBTS = kinds.STATEMENTS | {kinds.DEAL_CONTESTED}
"""The kinds that may put a deal in doubt, or settle it."""


class TypedResult(NamedTuple):
    """A result from paper: its day, the points, and who won."""

    day: date
    totals: Mapping[str, contract.Number]
    """The points of every side by its label."""
    winners: Sequence[str]
    """The labels of the sides that won."""


class NewerMatch(Exception):
    """Another match, of this ``number``, was started since the one to be repeated, or since a form was drawn."""

    def __init__(self, number: int) -> None:
        super().__init__(f"match {number} was started since")
        self.number = number


def open_table(name: str, form_id: str, zone: str | None = None) -> Table:
    """Make a table in a time zone, or return the one that this form made before; call inside ``writing()``."""
    table = table_of_form(form_id)
    if table is not None:
        return table
    table = Table(name=name, zone=zone)
    try:
        with savepoint():
            db.session.add(table)
            db.session.flush()
            links.make(table, form_id)
    except IntegrityError:
        # Another connection has just committed the same form.
        table = table_of_form(form_id)
        if table is None:
            raise
    return table


def table_of_form(*form_ids: str) -> Table | None:
    """Return the table made by a form with one of these ids, or None."""
    hashes = [hash_of(links.FORM, form_id) for form_id in form_ids]
    opened = select(Table).join(Link, Link.table_id == Table.id).where(Link.hash.in_(hashes))
    return db.session.scalar(opened.limit(1))


def forget_form(table: Table) -> None:
    """Let the form that opened the table open another one; call inside ``writing()``."""
    lock(table)
    links.forget_form(table)


def seat_players(table: Table, names: Sequence[str]) -> list[int]:
    """Return the numbers of the players with these names; new names become new players.

    Call inside ``writing()``. Raises ``Full``.
    """
    # Until the end, so that no newcomer is seated twice at the same moment.
    lock(table)
    players = queries.player_names(table)
    known = {same(name): number for number, name in players.people.items()}
    last = max(players, default=0)
    numbers = []
    for name in names:
        number = known.get(same(name))
        if number is None:
            if last >= TABLE_PLAYERS:
                raise Full("players", TABLE_PLAYERS)
            number = last = known[same(name)] = last + 1
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
    best_of_three: bool = False,
    language: str | None = None,
    device: str | None = None,
    player: int | None = None,
) -> Match:
    """Start a match, or return the one that this form started; call inside ``writing()``.

    The match has the newest rules, not those of ``agreed``. Several requests for a rematch of match ``rematch_of``
    start one, until a deal of it is closed. ``known`` was the last match when the form was drawn: if another was
    started since then, or since ``rematch_of``, a match is started only with ``beside_newer``. ``waiting`` are the
    players who wait for a seat, the next first. A rematch between the same sides goes on with their series while that
    is not over; any other match begins one with ``best_of_three``. ``player`` holds the phone that starts it; the
    holders of the other phones are taken over from the match before. ``language`` becomes that of a table that has none
    yet. Raises ``Full``, ``NewerMatch``, or ``Stale`` for an id with another content.
    """
    lock(table)
    started = entry_by_id(table.id, entry_id)
    if started is not None:
        if started[1].kind != kinds.MATCH_STARTED:
            raise Stale([started[1]])
        return db.session.get_one(Match, (table.id, started[0]))
    agreed = replace(agreed, rules=rules.NEWEST)
    newest = queries.current_match(table)
    if newest is not None:
        is_after = rematch_of not in (None, newest.number)
        if is_after and _has_just_begun(newest, agreed):
            return newest
        if not beside_newer and (is_after or (known not in (None, newest.number) and _is_playing(newest))):
            raise NewerMatch(newest.number)
    if table.last_match >= TABLE_MATCHES:
        raise Full("matches", TABLE_MATCHES)
    table.last_match += 1
    table.language = table.language or language
    setup = agreed.as_json()
    match = Match(table_id=table.id, number=table.last_match, setup=setup, taken_up=_next_taking_up(table.id))
    db.session.add(match)
    db.session.flush()
    payload: kinds.AnyPayload = {"setup": setup}
    if phones := _phones_of_the_evening(newest):
        payload["phones"] = _held_in(agreed, phones, queries.player_names(table).merged)
    if waiting:
        payload["waiting"] = list(waiting)
    if best_of_three:
        payload["series"] = {"of": series.BEST_OF, "first": match.number}
    if rematch_of is not None and (goes_on := series.going_on(table.id, rematch_of, match.number, agreed.sides)):
        payload["series"] = goes_on
    record(match, [NewEntry(kinds.MATCH_STARTED, payload, id=entry_id)], device=device, player=player)
    return match


def type_result(table: Table, entry_id: str, agreed: Setup, result: TypedResult, **written_by: Any) -> Match:
    """Add a result from paper, or return the match that this form added; call inside ``writing()``.

    It counts at noon of its day in the table's zone, and is never the match being played. Of ``agreed`` only the game
    (with the name that the table gives it) and the sides count. ``written_by`` is as in ``draft``. Raises ``Full``, or
    ``Stale`` for an id with another content, or whose match was deleted since.
    """
    lock(table)
    setup = replace(agreed, preset=None, options={}, first_dealer=0, rules=rules.NEWEST).as_json()
    payload: kinds.AnyPayload = {
        "setup": setup,
        "date": result.day.isoformat(),
        "totals": dict(result.totals),
        "winners": list(result.winners),
    }
    entry = NewEntry(kinds.RESULT_TYPED, payload, id=entry_id)
    typed = entry_by_id(table.id, entry_id)
    if typed is not None:
        match = queries.match_by_number(table, typed[0])
        if match is None or not are_written(match, [entry]):
            raise Stale([typed[1]])
        return match
    if table.last_match >= TABLE_MATCHES:
        raise Full("matches", TABLE_MATCHES)
    table.last_match += 1
    noon = evenings.noon_of(result.day, table.zone)
    match = Match(table_id=table.id, number=table.last_match, setup=setup, taken_up=0, created_at=noon)
    db.session.add(match)
    db.session.flush()
    record(match, [entry], **written_by)
    return match


def _next_taking_up(table_id: int) -> int:
    """Return the value of ``taken_up`` that makes a match the one being played at its table."""
    last = db.session.scalar(select(func.max(Match.taken_up)).where(Match.table_id == table_id))
    return (last or 0) + 1


def _phones_of_the_evening(before: Match | None) -> dict[str, int | None]:
    """Return the holders of the phones that wrote in the match before, by their marks; None is the table's phone.

    There are none if its last entry was written ``evenings.GAP`` ago.
    """
    entries = entries_of(before) if before is not None else []
    if not entries or now() - entries[-1].created_at >= evenings.GAP:
        return {}
    wrote = {entry.device for entry in entries}
    held = [(device, player) for device, player in phones_of(entries).items() if device in wrote]
    in_the_middle = table_phone_of(entries)
    phones: dict[str, int | None] = dict(held[-PHONES_CARRIED:])
    return phones if in_the_middle is None else {**phones, in_the_middle.device: None}


def _held_in(agreed: Setup, phones: dict[str, int | None], merged: Merged) -> dict[str, int | None]:
    """Return the holders of phones as a match seats them: a merged player by the number that sits in it."""
    seat_of = {merged.get(number, number): number for number in agreed.seats}
    return {
        mark: player if player is None else seat_of.get(merged.get(player, player), player)
        for mark, player in phones.items()
    }


def _has_just_begun(match: Match, agreed: Setup) -> bool:
    """Return whether a match goes on with this set-up, and none of its deals is closed."""
    stored = cast(kinds.StoredSetup, match.setup)
    return _is_playing(match, MatchSummary.deals == 0) and Setup.from_json(stored) == Setup.from_json(agreed.as_json())


def _is_playing(match: Match, *also: ColumnElement[bool]) -> bool:
    """Return whether a match is neither won nor stopped, and its summary meets these conditions."""
    is_it = (MatchSummary.table_id == match.table_id, MatchSummary.match == match.number)
    query = select(func.count()).select_from(MatchSummary).where(*is_it, MatchSummary.status == "playing", *also)
    return bool(db.session.scalar(query))


@dataclass(frozen=True)
class Draft:
    """Entries to write to a match, judged beside those up to ``head``; empty if the journal has them all."""

    head: int
    new: tuple[NewEntry, ...] = ()
    written: tuple[JournalEntry, ...] = ()
    """The same entries in the form of the journal, after ``head``."""
    before: Standing | None = None
    """The standing of the match up to ``head``."""
    standing: Standing | None = None
    """The standing of the match after them."""
    moves: bool = False
    """True if they change the summary: the match is scored again, or a deal may be in doubt."""
    drawn_from: int | None = None
    may_end: bool = False
    """True if they may have closed the deal by themselves, which any other note decides as well."""

    def is_true_beside(self, since: Sequence[JournalEntry]) -> bool:
        """Return whether entries written after ``head`` do not change the verdict.

        Notes are valid beside notes, except beside one of a kind that replaces the earlier.
        """
        new, others = {entry.kind for entry in self.new}, {entry.kind for entry in since}
        twice = {entry.id for entry in self.new} & {entry.id for entry in since}
        replaced = new & others & kinds.REPLACING
        return (
            not self.may_end and self.drawn_from is None and new | others <= kinds.NOTES and not twice and not replaced
        )


NOTHING = Draft(0)
"""The draft without an entry."""


def write(match: Match, drafted: Callable[[], Draft]) -> int:
    """Judge, then write; return the seq of the last entry written, 0 if nothing was written.

    ``drafted`` judges outside the write transaction, which only checks that the verdict is still true, and writes. If
    others wrote to the match meanwhile, ``drafted`` judges again; after ``JUDGED_AHEAD`` turns it judges inside the
    transaction. Raises what ``drafted`` raises, ``Full``, ``Stale`` and ``Gone``.
    """
    for _turn in range(JUDGED_AHEAD):
        try:
            draft = drafted()
        except ObjectDeletedError as error:
            raise Gone from error
        if not draft.new:
            return 0
        try:
            if _is_written_together(match, draft):
                return draft.head + 1
            with writing(goes_on=True):
                if _is_written_plainly(match, draft):
                    return draft.head + 1
                read_again()
                _lock(match)
                since = entries_of(match, after=draft.head) if match.head != draft.head else []
                if match.head == draft.head or draft.is_true_beside(since):
                    return _write(match, draft)
        except Stale as stale:
            if not stale.since:
                # The entry is in another match of the table: this names what was written since.
                are_written(match, draft.new, draft.drawn_from)
            raise
    with writing():
        _lock(match)
        draft = drafted()
        return _write(match, draft) if draft.new else 0


def record(match: Match, new: Sequence[NewEntry], *, drawn_from: int | None = None, **written_by: Any) -> bool:
    """Judge entries as ``draft`` does and write them, inside ``writing()``; return whether that was needed.

    Other writers wait for the judging; a page judges before, by ``write``.
    """
    _lock(match)
    judged = draft(match, new, drawn_from=drawn_from, **written_by)
    return bool(judged.new and _write(match, judged))


def _lock(match: Match) -> None:
    """Lock the match. Raises ``Gone`` if it was deleted meanwhile."""
    lock(match)
    if match.deleted_at is not None:
        raise Gone


def _is_written_plainly(match: Match, draft: Draft, *, is_locked: bool = False) -> bool:
    """Write a draft of one entry if only the rows of its match change with it; return whether it is written."""
    plain = _as_plain(match, draft)
    if plain is None or not write_plainly(*plain, moves=draft.moves, is_locked=is_locked):
        return False
    jobs.tidy()
    cache_under(plain[0], plain[-1])
    return True


def _is_written_together(match: Match, draft: Draft) -> bool:
    """Write such a draft beside those of others, outside ``writing()``; return whether it is written."""
    plain = _as_plain(match, draft)
    if plain is None or not write_together(*plain, moves=draft.moves):
        return False
    cache_under(plain[0], plain[-1])
    return True


def _as_plain(match: Match, draft: Draft) -> tuple[tuple[int, int], JournalEntry, Standing, Standing] | None:
    """Return the key of the match, the one entry, and the standing before and after it; None if more changes."""
    key, before, after = inspect(match).identity, draft.before, draft.standing
    if key is None or before is None or after is None or len(draft.written) != 1:
        return None
    [entry] = draft.written
    if not is_plain(before, after, entry, moves=draft.moves):
        return None
    make_room(draft.head, draft.new)
    return key, entry, before, after


def _write(match: Match, draft: Draft) -> int:
    """Write a draft and the summary that follows from it, and return the last seq; the match is locked."""
    written = draft.written
    if match.head == draft.head and _is_written_plainly(match, draft, is_locked=True):
        set_committed_value(match, "head", draft.head + 1)
        return draft.head + 1
    if match.head != draft.head:
        make_room(match.head, draft.new)
        written = tuple(entry._replace(seq=seq) for seq, entry in enumerate(written, match.head + 1))
    if are_written(match, draft.new):
        # They are in another match of the table: in this one the draft would be empty.
        raise Stale(())
    write_entries(match, written)
    if any(entry.kind == kinds.MATCH_RESUMED for entry in draft.new):
        match.taken_up = _next_taking_up(match.table_id)
    if draft.standing is not None and draft.moves:
        project(match, draft.standing)
    deleted.purge(match.table_id)
    jobs.tidy()
    forgotten.blank(match.table_id)
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
    """Judge entries beside those of the match, and return what to write. Nothing is written.

    Entries that are already written (same id, kind and payload) are left out: a repeated post is one entry.
    ``drawn_from`` is the seq that the form was drawn from; None if the entries are valid beside all others (two sweeps
    are two sweeps). ``author``, ``device`` and ``player`` are the writer. A second closing of a closed deal becomes
    ``confirmed`` if its sheet agrees, else ``deal_contested``. The last yes to a proposal is written with what it
    carries out. ``unsaid`` are ids that may be voided although another phone wrote them.
    Raises ``Stale``, also if the players of a closed deal would change or who plays would be out of place (then
    ``TakeBackFirst`` if another change is in the way), ``Locked`` if only all sides may void an entry,
    ``NoSuchEntry`` for a proposed version that does not exist, ``BrokenMatch`` if the deals cannot be scored,
    ``FromPaper``, ``Full``.
    """
    head, posted = match.head, new
    before = known_standing(match) if head else None
    if not new or (not _is_unknown(before, new) and are_written(match, new, drawn_from)):
        return NOTHING
    if before is None and head:
        before = standing_of(match)
    if before is not None:
        if before.state.typed is not None:
            raise FromPaper
        new = tapping.with_closings_to_void(before.state, new)
        is_ended = before.state.ended is not None and all(entry.kind == kinds.MATCH_ENDED for entry in new)
        if is_ended or not (new := _beside_accepted(match.table_id, before.state, new, unsaid, **written_by)):
            are_written(match, posted, drawn_from)
            return NOTHING
        written_by = _heard_as(match.table_id, before.state, new, **written_by)
        if all(entry.kind in kinds.MOVES_NO_POINTS for entry in new):
            # It is valid beside anything that was written meanwhile.
            drawn_from = None
        _make_room(before.state, new)
    refuse_stale(match, new, drawn_from)
    written = as_written(head, new, **written_by)
    moves = any(entry.kind in kinds.SCORES_MATCH for entry in new)
    standing = standing_after(before, written, moves=moves)
    at_once = standing.counts_notes and any(entry.kind in tapping.MOVES for entry in new)
    closing = tapping.closing_after(standing, new[-1].id) if at_once else None
    if closing is not None:
        new, last = [*new, closing], as_written(standing.state.head, [closing], **written_by)
        written = [*written, *last]
        standing = standing_after(standing, last)
    moves = moves or at_once or any(entry.kind in DOUBTS for entry in new)
    return Draft(head, tuple(new), tuple(written), before, standing, moves, drawn_from, at_once)


def _is_unknown(before: Standing | None, new: Sequence[NewEntry]) -> bool:
    """Return whether a match has none of these entries, as far as its standing is known.

    Another match of the table may have one: then the database refuses the second with the same id.
    """
    if before is None:
        return False
    ids = {entry.id for entry in new}
    return not any(entry.id in ids for entry in before.state.entries)


def draft_undo(match: Match, entry_id: str, *, id: str | None = None, **written_by: Any) -> Draft:
    """Judge the voiding of an entry; ``id`` is the id of the voiding. The draft is empty if the entry is void already.

    Raises ``NoSuchEntry``, and as ``draft``.
    """
    return draft(match, voiding(standing_of(match).state.entries, entry_id, id), **written_by)


def undo(match: Match, entry_id: str, *, id: str | None = None, **written_by: Any) -> bool:
    """Void an entry as ``draft_undo`` judges it, inside ``writing()``; return whether that was needed."""
    _lock(match)
    judged = draft_undo(match, entry_id, id=id, **written_by)
    return bool(judged.new and _write(match, judged))


def draft_unsaying(match: Match, entry_id: str, form_id: str, **written_by: Any) -> Draft:
    """Judge that a side takes back what a phone of another said for it.

    A yes is taken back by a dispute of that side, which also unlocks the deal; anything else is voided. Raises
    ``NoSuchEntry`` if there is nothing to take back, and as ``draft``.
    """
    state = standing_of(match).state
    if kind_of(match, form_id) is not None:
        return NOTHING
    said = next((entry for entry in state.entries if entry.id == entry_id), None)
    if said is None or not changes.may_be_unsaid(state, said, _speaker(**written_by)):
        raise NoSuchEntry(entry_id)
    if said.kind in (kinds.CONFIRMED, kinds.PROPOSAL_ACCEPTED):
        deal = state.closed_deal(said.payload["deal"])
        assert deal is not None and deal.closed is not None  # noqa: PT018
        dispute: kinds.AnyPayload = {"deal": deal.number, "entry": deal.closed.id, "side": said.payload["side"]}
        return draft(match, [NewEntry(kinds.DISPUTED, {**dispute, "unsays": said.id}, id=form_id)], **written_by)
    changed = [
        entry.id
        for entry in state.changes
        if said.kind == kinds.RULES_ACCEPTED and entry.payload.get("asked") == said.payload["asked"]
    ]
    voids = [agreement.voided_with(form_id, id) for id in changed]
    new = [NewEntry(kinds.VOIDED, {"entry": said.id}, id=form_id), *voids]
    return draft(match, new, unsaid=(said.id, *changed), **written_by)


def draft_restoring(match: Match, deal: int, entry_id: str, form_id: str, **written_by: Any) -> Draft:
    """Judge the undoing of a correction: the former closing ``entry_id`` counts again.

    ``form_id`` makes a repeated post one act. Raises ``NoSuchEntry`` if the closing that counts has not replaced that
    closing, and as ``draft``.
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
    """Return ``written_by``, with no author if the phone may not speak for its side.

    Anybody may close a deal and propose, but a phone that spoke for another side in the matter is no voice of its own.
    """
    by = _speaker(**written_by)
    spoken = [entry for entry in new if entry.kind in voices.OF_PHONE]
    if by.side is None or not spoken:
        return written_by
    heard = voices.voices_of(table_id, state)
    is_voice = all(heard.may_speak(by, by.side, _matter_of(state, entry)) for entry in spoken)
    return written_by if is_voice else {**written_by, "author": None}


def _matter_of(state: MatchState, entry: NewEntry) -> Matter:
    """Return the matter of an entry."""
    if entry.kind == kinds.RULES_PROPOSED:
        return Matter(state.head + 1, ())
    deal = state.deal(entry.payload.get("deal", 0))
    return voices.about_rules(state, entry.payload.get("asked")) if deal is None else voices.about_deal(state, deal)


def _refuse_voice(table_id: int, state: MatchState, new: Sequence[NewEntry], by: Speaker) -> None:
    """Raise ``NotTheirVoice`` if an entry speaks for a side that has a voice of its own."""
    said = [entry for entry in new if entry.kind in voices.SPEAKS and entry.payload.get("side")]
    if said:
        heard = voices.voices_of(table_id, state)
        for entry in said:
            heard.refuse_to_speak(by, entry.payload["side"], _matter_of(state, entry))


def _agrees_for_nobody(table_id: int, state: MatchState, entry: NewEntry, by: Speaker) -> bool:
    """Return whether a second closing with the same sheet is no yes, because the phone may speak for no side."""
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
    """Return the entries to write beside the accepted closings; none if the journal has them all.

    The last yes to a proposal is followed by what it carries out.
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
        # A closing that repeats another one was judged with that one.
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
    """Return whether one of these entries is a closing, or a statement about one or about other rules."""
    ids = set(voided)
    return bool(ids) and any(entry.id in ids and entry.kind in voices.MATTERS for entry in state.entries)


def _refuse_to_change_played(state: MatchState, new: Sequence[NewEntry], voided: Sequence[str]) -> None:
    """Raise ``Stale`` if the players or the dealer of a closed deal would change: its sheet depends on them.

    Raises the same if who plays would be changed as it cannot be; a phone may be late.
    """
    played = [deal.closed for deal in state.closed if deal.closed is not None]
    last = max((closing.payload["deal"] for closing in played), default=0)
    dealings = [entry for deal in state.closed for entry in deal.dealings]
    seated = [state.seated] if state.seated is not None else []
    taken_back = [entry.payload for entry in (*state.changes, *dealings, *seated) if entry.id in voided]
    written = [entry.payload for entry in new if entry.kind in kinds.CHANGES or entry.kind == kinds.SEATED]
    if any(payload.get("deal", 1) <= last for payload in (*taken_back, *written)):
        raise Stale(played)
    seats = [entry for entry in new if entry.kind in seating.SEATS]
    if seats or voided:
        _refuse_out_of_place(state, seats, voided)


def _refuse_out_of_place(state: MatchState, new: Sequence[NewEntry], voided: Sequence[str]) -> None:
    """Refuse to change who plays where that leaves a change out of place that was in place before.

    Raises ``Stale``, or ``TakeBackFirst`` if another change is in the way. The newest can always be taken back.
    """
    count = seating.seats_that_count(state)
    left = [entry for entry in count if entry.id not in voided]
    if new:
        ever = {side.label for side in (*state.everybody, *state.setup_to_come.sides)}
        if any(entry.kind == kinds.ENTERED and entry.payload["side"] in ever for entry in new):
            raise Stale(state.changes)
    elif len(left) == len(count) or left == count[: len(left)]:
        return
    were = {change.id for change in seating.out_of_place(state, count)}
    wrong = [change for change in seating.out_of_place(state, [*left, *new]) if change.id not in were]
    if not wrong:
        return
    last = wrong[-1]
    in_the_way = seating.in_the_way(left, last) if last.kind == kinds.SEATED and last in new else last
    raise TakeBackFirst(in_the_way) if isinstance(in_the_way, JournalEntry) else Stale(state.changes)


def _proposed_about(state: MatchState, entry: NewEntry) -> DealState:
    """Return the deal that a proposal or its answer is about. Raises ``NoSuchEntry`` if it has changed since."""
    deal, takes = state.closed_deal(entry.payload["deal"]), entry.payload.get("takes")
    is_there = takes is None or (deal is not None and agreement.version_of(deal, takes) is not None)
    if deal is None or deal.closed is None or deal.closed.id != entry.payload["entry"] or not is_there:
        raise NoSuchEntry(takes or entry.payload["entry"])
    return deal


def _refuse_broken(state: MatchState, entry: NewEntry) -> None:
    """Raise ``BrokenMatch`` if a version of a deal cannot be scored, or only in part."""
    # Facts from outside are scored with bounds, under all rules.
    deal = state.deal(entry.payload["deal"]) or state.current
    sheet = standings.score_deal(state, deal, entry.payload["facts"])
    if sheet["status"] == "invalid" or standings.is_unfinished(sheet):
        raise BrokenMatch(standings.blocking_problems(sheet))


def _refuse_broken_rules(state: MatchState, options: contract.Options) -> None:
    """Raise ``BrokenMatch`` if the game does not have these options, or not these values."""
    problems = rules.Problems()
    rules.read_table({**state.engine_setup(), "options": {**state.setup.options, **options}}, problems)
    if problems.fatal:
        raise BrokenMatch(problems.as_json())


def _make_room(state: MatchState, new: Sequence[NewEntry]) -> None:
    """Raise ``Full`` if one of these entries is more than its match or deal may hold."""
    for entry in new:
        deal = state.deal(entry.payload.get("deal", 0))
        closed = deal is not None and deal.closed is not None
        if entry.kind == kinds.DEAL_CLOSED and not closed and len(state.closed) >= MATCH_DEALS:
            raise Full("deals", MATCH_DEALS)
        if deal is None:
            continue
        if entry.kind in kinds.NOTES and (notes := len(deal.noted) + len(deal.credits) + len(deal.apart)) >= DEAL_NOTES:
            most = TAPPED_NOTES if standings.ending_of(state).counts_at_once else DEAL_NOTES
            if notes >= most:
                raise Full("notes", most)
        if entry.kind == kinds.ADJUSTED and len(deal.noted_adjustments()) >= DEAL_ADJUSTMENTS:
            raise Full("adjustments", DEAL_ADJUSTMENTS)
        if entry.kind in (kinds.DEALT, kinds.DEALT_AGAIN) and len(deal.dealings) >= DEAL_DEALINGS:
            raise Full("dealings", DEAL_DEALINGS)
        if entry.kind == kinds.DEAL_CONTESTED and len(deal.rivals) >= DEAL_RIVALS:
            raise Full("rivals", DEAL_RIVALS)
        if entry.kind in kinds.STATEMENTS and len(deal.statements) >= DEAL_SAID:
            raise Full("said", DEAL_SAID)


def kind_of(match: Match, entry_id: str) -> str | None:
    """Return the kind of an entry of the table; None if it has no such entry."""
    entry = entry_by_id(match.table_id, entry_id)
    return None if entry is None else entry[1].kind
