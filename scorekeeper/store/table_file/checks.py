"""Check every field of a table's file, before anything of it is replayed or scored (``judging``)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

from ... import rules
from ...limits import (
    DEAL_DEALINGS,
    LARGEST_POINTS,
    MATCH_DEALS,
    MATCH_ENTRIES,
    MATCH_SIDES,
    MOST_CARDS,
    MOST_ITEMS,
    NOTE_LENGTH,
    PHONE_NUMBERS,
    REASON_LENGTH,
    TABLE_MATCHES,
    TABLE_PLAYERS,
    WAITING_PLAYERS,
)
from ...names import drawn
from ..journal import kinds
from ..journal.entries import VERSION
from ..models import NAME_LENGTH, ZONE_LENGTH
from ..series import BEST_OF
from . import shape, values
from .values import fields, inside, items, one_of, refuse, text, whole

MOST_ENTRIES = 2 * MATCH_ENTRIES
"""Entries of a match with the voiding of each: those find room in a full match."""
FROM_UTC = timedelta(hours=15)
"""No zone's clocks are as far from UTC."""
_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", re.ASCII)
_RANKS = frozenset(code[:-1] for code in rules.CODES)
_CARDS = frozenset(rules.CODES)
_OPENINGS = ("15", "30", "flush3", "flush4", "redeal")
_FIRST = (kinds.MATCH_STARTED, kinds.RESULT_TYPED)
"""The kinds that begin a journal; no other place has them."""
_FISHING = (kinds.SWEPT, kinds.DECLARED, kinds.PENALISED, kinds.LAYOUT_NOTED)
"""The kinds that only a game has in which cards are captured."""
_SETUP = {"game", "preset", "options", "sides", "first_dealer", "rules"}
_SETUP_MORE = {"rules_name", "game_name", "halves", "own_lines"}
_CLOSINGS = (kinds.DEAL_CLOSED, kinds.DEAL_CONTESTED)
_VERSIONS = (*_CLOSINGS, kinds.CONFIRMED, kinds.PROPOSED)
_ACTS = (kinds.SWEPT, kinds.DECLARED)
_ABOUT: Mapping[str, Sequence[str]] = {
    kinds.VOIDED: [name for name in kinds.KINDS if name not in kinds.NEVER_VOIDED],
    kinds.CREDITED: _ACTS,
    kinds.TOLD_APART: _ACTS,
}
"""The kinds of the entry that an entry of a kind names as ``entry``; of the others, closings."""
_ASKED: Mapping[str, Sequence[str]] = {
    kinds.PROPOSAL_ACCEPTED: (kinds.PROPOSED,),
    kinds.PROPOSAL_DECLINED: (kinds.PROPOSED,),
    kinds.RULES_ACCEPTED: (kinds.RULES_PROPOSED,),
    kinds.RULES_DECLINED: (kinds.RULES_PROPOSED,),
    kinds.RULES_CHANGED: (kinds.RULES_PROPOSED,),
}
_UNSAID = (kinds.CONFIRMED, kinds.PROPOSAL_ACCEPTED, kinds.RULES_ACCEPTED)
_OF_NOBODY = (kinds.CREDITED, kinds.PHONE_HELD)
"""The kinds whose player may be nobody."""


def check_head(head: Any) -> shape.Head:
    """Return the head of a file. Raises ``Refused``."""
    if not isinstance(head, dict) or head.get("format") != shape.FORMAT:
        refuse("format", f"This is no file of a table: its format is not {shape.FORMAT!r}.", "not_a_table")
    if head.get("version") != shape.VERSION or type(head["version"]) is not int:
        refuse("version", "This file was made by a newer version of the scorekeeper.", "newer_version")
    fields(head, "", shape.HEAD_KEYS)
    _name(head["name"], "name")
    values.moment(head["created"], "created")
    if head["zone"] is not None and not _ZONE.fullmatch(text(head["zone"], "zone", ZONE_LENGTH, 1)):
        refuse("zone", "A zone is written like America/Montevideo.")
    whole(head["last"], "last", 0, TABLE_MATCHES)
    last = 0
    for place, row in enumerate(items(head["players"], "players", TABLE_PLAYERS, _as_it_is)):
        at = f"players[{place}]"
        player = fields(row, at, shape.PLAYER_KEYS)
        last = whole(player["number"], f"{at}.number", last + 1, TABLE_PLAYERS)
        if player["name"] != "":
            _name(player["name"], f"{at}.name")
        values.flag(player["guest"], f"{at}.guest")
    _check_merges(head["players"])
    return cast(shape.Head, head)


def _as_it_is(value: object, _at: str) -> object:
    return value


def _name(value: object, at: str) -> None:
    if drawn(text(value, at, NAME_LENGTH, 1)) != value:
        refuse(at, "A name has no characters that show nothing.")


def _check_merges(players: Sequence[Mapping[str, Any]]) -> None:
    into = {player["number"]: player["into"] for player in players}
    for place, number in enumerate(into):
        at, end, seen = f"players[{place}].into", into[number], {number}
        while end is not None:
            if type(end) is not int or end not in into or end in seen:
                refuse(at, "Nobody with this number can be this player.", "no_such_player")
            seen.add(end)
            end = into[end]


def check_matches(head: shape.Head, matches: object) -> list[dict[str, Any]]:
    """Return the matches of a file; only their numbers and the ids of entries are checked. Raises ``Refused``."""
    found: list[dict[str, Any]] = items(matches, "matches", TABLE_MATCHES, _match)
    last, ids = 0, set()
    for place, match in enumerate(found):
        at = f"matches[{place}]"
        if not last < match["number"] <= head["last"]:
            refuse(f"{at}.number", "The numbers of matches ascend, up to 'last'.")
        last = match["number"]
        for number, entry in enumerate(match["entries"]):
            id = entry.get("id") if isinstance(entry, dict) else None
            if isinstance(id, str) and id in ids:
                refuse(f"{at}.entries[{number}].id", "Another entry has this id.", "twice")
            ids.add(id if isinstance(id, str) else "")
    return found


def _match(match: object, at: str) -> dict[str, Any]:
    match = fields(match, at, shape.MATCH_KEYS)
    whole(match["number"], f"{at}.number", 1, TABLE_MATCHES)
    items(match["entries"], f"{at}.entries", MOST_ENTRIES, _as_it_is, least=1)
    return match


def check_match(head: shape.Head, match: Mapping[str, Any], at: str) -> None:
    """Check every field of a match and of its entries. Raises ``Refused``."""
    _CheckedMatch(head, match, at).check()


class _CheckedMatch:
    """A match that is being checked, entry by entry."""

    def __init__(self, head: shape.Head, match: Mapping[str, Any], at: str) -> None:
        self.match, self.at = match, at
        self.players = {player["number"] for player in head["players"]}
        self.earlier: dict[str, str] = {}
        """The kinds of the earlier entries, by their ids."""
        self.labels: set[str] = set()
        self.game = ""
        self.kind = ""
        """The kind of the entry that is being checked."""

    def check(self) -> None:
        match, at = self.match, self.at
        self.check_setup(match["setup"], f"{at}.setup")
        if match["game"] != self.game:
            refuse(f"{at}.game", "It is not the game of its set-up.")
        for number, entry in enumerate(match["entries"]):
            self.check_entry(entry, number, f"{at}.entries[{number}]")
        first = match["entries"][0]
        if first["payload"]["setup"] != match["setup"]:
            refuse(f"{at}.setup", "It is not the set-up of its first entry.")
        is_typed = first["kind"] == kinds.RESULT_TYPED
        if is_typed and len(match["entries"]) > 1:
            refuse(f"{at}.entries[1]", "A result from paper is never played on.")
        # Only a result from paper is never the match being played.
        most = 0 if is_typed else TABLE_MATCHES * MATCH_ENTRIES
        whole(match["taken_up"], f"{at}.taken_up", 0 if is_typed else 1, most)
        if is_typed:
            _check_noon(match["started"], first["payload"]["date"], f"{at}.started")
        else:
            values.moment(match["started"], f"{at}.started")

    def check_entry(self, entry: Any, number: int, at: str) -> None:
        fields(entry, at, shape.ENTRY_KEYS)
        values.entry_id(entry["id"], f"{at}.id")
        self.kind = kind = one_of(entry["kind"], f"{at}.kind", kinds.KINDS)
        if (number == 0) != (kind in _FIRST):
            refuse(f"{at}.kind", "A match begins with its set-up, once.")
        if number >= MATCH_ENTRIES and kind not in kinds.ALWAYS_ROOM_FOR:
            refuse(at, f"A match has {MATCH_ENTRIES} entries at most, but for those that take others back.", "too_many")
        if kind in _FISHING and not rules.is_fishing(self.game):
            refuse(f"{at}.kind", "There is nothing of this kind in this game.")
        whole(entry["v"], f"{at}.v", 1, VERSION)
        values.moment(entry["at"], f"{at}.at")
        if entry["told"] is not None:
            values.told(entry["told"], f"{at}.told")
        if entry["side"] is not None:
            self.label(entry["side"], f"{at}.side")
        if entry["by"] is not None:
            self.player(entry["by"], f"{at}.by")
        if entry["phone"] is not None:
            whole(entry["phone"], f"{at}.phone", 1, PHONE_NUMBERS)
        self.check_payload(entry["payload"], kinds.KINDS[kind], f"{at}.payload")
        self.earlier[entry["id"]] = kind

    def check_payload(self, payload: Any, kind: kinds.Kind, at: str) -> None:
        beside = set(shape.BESIDE_PAYLOAD)
        fields(payload, at, kind.required - beside, kind.fields - beside)
        values.refuse_excess(payload, at)
        for name, value in payload.items():
            _READERS[name](self, value, inside(at, name))
        if kind.name == kinds.RESULT_TYPED:
            self.check_result(payload, at)

    def label(self, value: object, at: str) -> str:
        """Take the label of a side that the match has had by now."""
        if not isinstance(value, str) or value not in self.labels:
            refuse(at, "The match has no such side.", "no_such_side")
        return value

    def player(self, value: object, at: str) -> int:
        if type(value) is not int or value not in self.players:
            refuse(at, "The table has no such player.", "no_such_player")
        return value

    def some_player(self, value: object, at: str) -> int | None:
        return None if value is None and self.kind in _OF_NOBODY else self.player(value, at)

    def deal(self, value: object, at: str) -> int:
        # A deal that is being played may follow the last one, and a change may be for the deal after that.
        return whole(value, at, 1, MATCH_DEALS + 2)

    def check_setup(self, value: object, at: str) -> None:
        setup = fields(value, at, _SETUP, _SETUP_MORE)
        values.refuse_excess(setup, at)
        self.game = text(setup["game"], f"{at}.game", NAME_LENGTH)
        if rules.find_game(self.game) is None:
            refuse(f"{at}.game", "There is no such game here.", "unknown_value")
        if setup["preset"] is not None:
            text(setup["preset"], f"{at}.preset", NAME_LENGTH)
        self.options(setup["options"], f"{at}.options")
        self.sides(setup["sides"], f"{at}.sides")
        self.seat(setup["first_dealer"], f"{at}.first_dealer", setup["sides"])
        if type(setup["rules"]) is not int or setup["rules"] not in rules.RULES:
            refuse(f"{at}.rules", "There are no such rules.", "unknown_value")
        for name in ("rules_name", "game_name"):
            if name in setup:
                _name(setup[name], f"{at}.{name}")
        if "halves" in setup:
            values.flag(setup["halves"], f"{at}.halves")
        if "own_lines" in setup:
            items(setup["own_lines"], f"{at}.own_lines", MOST_ITEMS, _own_line)

    def options(self, value: object, at: str) -> None:
        """Take options; the engine looks at what they say."""
        if not isinstance(value, dict):
            refuse(at, "An object is needed here.")

    def sides(self, value: object, at: str) -> None:
        found = items(value, at, MATCH_SIDES, self._side, least=1)
        labels = [side["label"] for side in found]
        seated = [player for side in found for player in side["players"]]
        if len(set(labels)) < len(labels) or len(set(seated)) < len(seated):
            refuse(at, "No side and no player is there twice.", "twice")
        if len({len(side["players"]) for side in found}) > 1:
            refuse(at, "All sides have the same number of players.")
        self.labels |= set(labels)

    def _side(self, value: object, at: str) -> dict[str, Any]:
        side = fields(value, at, ("label", "players"), ("name",))
        _new_label(side["label"], f"{at}.label")
        items(side["players"], f"{at}.players", TABLE_PLAYERS, self.player, least=1)
        if "name" in side:
            _name(side["name"], f"{at}.name")
        return side

    def seat(self, value: object, at: str, sides: Sequence[Mapping[str, Any]]) -> None:
        whole(value, at, 0, sum(len(side["players"]) for side in sides) - 1)

    def phones(self, value: object, at: str) -> None:
        if not isinstance(value, dict):
            refuse(at, "An object is needed here.")
        for number, player in value.items():
            if not (number.isascii() and number.isdigit() and len(number) < 10 and str(int(number)) == number):
                refuse(inside(at, number[:40]), "A phone is named by its number.")
            whole(int(number), inside(at, number), 1, PHONE_NUMBERS)
            if player is not None:
                self.player(player, inside(at, number))

    def series(self, value: object, at: str) -> None:
        series = fields(value, at, ("of", "first"))
        whole(series["of"], f"{at}.of", 1, BEST_OF)
        # That match may be deleted meanwhile.
        whole(series["first"], f"{at}.first", 1, self.match["number"])

    def entry(self, value: object, at: str) -> None:
        values.known_id(value, at, self.earlier, _ABOUT.get(self.kind, _CLOSINGS))

    def asked(self, value: object, at: str) -> None:
        values.known_id(value, at, self.earlier, _ASKED[self.kind])

    def item(self, value: object, at: str) -> None:
        known = text(value, at, NAME_LENGTH)
        if not (rules.item_words(self.game, known) or rules.is_own(known)):
            refuse(at, "There is no such item in this game.", "unknown_value")

    def entered_side(self, value: object, at: str) -> None:
        if self.kind == kinds.ENTERED:
            self.labels.add(_new_label(value, at))
        else:
            self.label(value, at)

    def check_result(self, payload: Mapping[str, Any], at: str) -> None:
        """Check that a result from paper names the points of every side, and those that won among them."""
        if set(payload["totals"]) != self.labels:
            refuse(f"{at}.totals", "It has the points of every side, and of no other.")
        if len(set(payload["winners"])) < len(payload["winners"]) or not payload["winners"]:
            refuse(f"{at}.winners", "It names the sides that won, each once.")


def _check_noon(started: object, day: str, at: str) -> None:
    """Check that a moment is noon of a day somewhere: the table may have had another zone when the result was typed."""
    noon = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    if abs(values.any_moment(started, at) - noon) > FROM_UTC:
        refuse(at, "A result from paper begins at noon of its date.")


def _new_label(value: object, at: str) -> str:
    if not isinstance(value, str) or len(value) != 1 or not "A" <= value <= "Z":
        refuse(at, "The label of a side is a letter from A to Z.")
    return value


def _own_line(value: object, at: str) -> None:
    line = fields(value, at, ("name", "points", "how"))
    text(line["name"], f"{at}.name", NAME_LENGTH, 1)
    whole(line["points"], f"{at}.points", -LARGEST_POINTS, LARGEST_POINTS)
    text(line["how"], f"{at}.how", NAME_LENGTH, 1)


def _card(value: object, at: str) -> str:
    return one_of(value, at, _CARDS)


def _opening(value: object, at: str) -> None:
    for one in value if isinstance(value, list) else [value]:
        one_of(one, at, _OPENINGS)


def _counted_as(value: object, at: str) -> None:
    if not isinstance(value, dict):
        refuse(at, "An object is needed here.")
    for card, other in value.items():
        _card(card, at)
        one_of(other, inside(at, card), _CARDS | _RANKS)


def _facts(value: object, at: str) -> None:
    if not isinstance(value, dict):
        refuse(at, "The facts of a deal are an object.")


_Reader = Callable[[_CheckedMatch, Any, str], Any]


def _plain(take: Callable[..., Any], *bounds: Any) -> _Reader:
    """Return the reader of a field that is the same in every match."""
    return lambda _match, value, at: take(value, at, *bounds)


def _or_nothing(take: _Reader) -> _Reader:
    return lambda match, value, at: None if value is None else take(match, value, at)


def _each(take: Callable[[_CheckedMatch], Callable[[Any, str], Any]], most: int) -> _Reader:
    return lambda match, value, at: items(value, at, most, take(match))


def _totals(match: _CheckedMatch, value: object, at: str) -> None:
    if not isinstance(value, dict):
        refuse(at, "An object is needed here.")
    for label, total in value.items():
        match.label(label, inside(at, label[:40]))
        values.points(total, inside(at, label))


def _first_dealer(match: _CheckedMatch, value: object, at: str) -> None:
    whole(value, at, 0, len(match.players) - 1)


_FLAG = _plain(values.flag)
_POINTS = _plain(whole, -LARGEST_POINTS, LARGEST_POINTS)
_VERSION_ID: _Reader = lambda match, value, at: values.known_id(value, at, match.earlier, _VERSIONS)  # noqa: E731
_CARD_LIST = _each(lambda _match: _card, MOST_CARDS)
_READERS: Mapping[str, _Reader] = {
    "setup": _CheckedMatch.check_setup,
    "phones": _CheckedMatch.phones,
    "waiting": _each(lambda match: match.player, WAITING_PLAYERS),
    "series": _CheckedMatch.series,
    "date": _plain(values.day),
    "totals": _totals,
    "winners": _each(lambda match: match.label, MATCH_SIDES),
    "deal": _CheckedMatch.deal,
    "layout": _CARD_LIST,
    "layout_result": _plain(_opening),
    "side": _CheckedMatch.entered_side,
    "count": _plain(whole, 1, len(_CARDS)),
    "points": _POINTS,
    "reason": _plain(text, REASON_LENGTH),
    "batch": _or_nothing(_plain(whole, 0, MOST_ITEMS)),
    "cards": _or_nothing(_CARD_LIST),
    "items": _or_nothing(_each(lambda match: match.item, MOST_ITEMS)),
    "as": _or_nothing(_plain(_counted_as)),
    "item": _CheckedMatch.item,
    "trump": _or_nothing(_plain(one_of, rules.SUITS)),
    "entry": _CheckedMatch.entry,
    "beside": _CheckedMatch.entry,
    "player": _CheckedMatch.some_player,
    "other": _CheckedMatch.player,
    "once": _FLAG,
    "redeal": _or_nothing(_plain(one_of, ("same", "next"))),
    "again": _plain(whole, 1, DEAL_DEALINGS),
    "why": _plain(one_of, ("opening", "shown", "misdealt")),
    "facts": _plain(_facts),
    "takes": _VERSION_ID,
    "agreed": _each(lambda match: match.label, MATCH_SIDES),
    "opens": _FLAG,
    "line": _CheckedMatch.item,
    "unsays": lambda match, value, at: values.known_id(value, at, match.earlier, _UNSAID),
    "asked": _CheckedMatch.asked,
    "sides": _CheckedMatch.sides,
    "first_dealer": _first_dealer,
    "options": _CheckedMatch.options,
    "leader": _FLAG,
    "note": _plain(text, NOTE_LENGTH),
    "stakes": _plain(text, NOTE_LENGTH),
    "watches": _FLAG,
    "from": _plain(text, NAME_LENGTH),
    "to": _plain(text, NAME_LENGTH),
}
"""The readers of the fields of all kinds, by their names."""
