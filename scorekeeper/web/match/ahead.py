"""The data with which a phone goes on without signal: the deals to come, and what each note gives by itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

from flask import url_for
from flask_babel import get_locale
from flask_babel import gettext as _

from ... import rules
from ...limits import DEAL_NOTES, DEALS_AHEAD, NOTED_SHOWN
from ...rules import contract
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, reported_in
from ..words.cards import suit_name
from ..words.names import short_item_name
from ..words.openings import void_words
from ..words.values import numeral
from .closing_needs import Needs
from .view import MatchView

MARKED, MARK = 50, 8
"""How many entries a page names as those that it was drawn with (a phone sends as many at once), and by
how many signs."""
ANEW = DEALS_AHEAD // 2
"""After so many deals the page is stored anew, so that there are always some deals ahead of the one being played."""


def ahead_key(match: MatchView) -> str:
    """Return what names the stored page: another one if the deals, the rules, the seats or the app have changed."""
    setup, deal = match.setup, match.deal
    turn = (deal.dealer_seat - deal.number) % len(setup.seats)
    told = (setup.as_json(), turn, (deal.number - 1) // ANEW, _last_deal(match), str(get_locale()))
    files = [url_for("static", filename=name) for name in ("js/closing.js", "js/later.js", "css/pages.css")]
    return hashlib.sha256(json.dumps([told, files, match.table.name], sort_keys=True).encode()).hexdigest()[:4]


def deals_ahead(match: MatchView) -> dict[str, Any]:
    """Return what the stored page of a match holds as data, for the deals from the one being played on.

    Deals that are played with other players or by other rules are not in it: nobody knows their form yet.
    """
    deal, seats = match.deal, match.setup.seats
    numbers = range(deal.number, _last_deal(match) + 1)
    return {
        "key": ahead_key(match),
        "match": match.number,
        "sides": list(match.setup.labels),
        "names": {label: str(name) for label, name in match.sides.items()},
        "seats": [_seat(match, place) for place in range(len(seats))],
        "deals": [_deal(match, number, (deal.dealer_seat + number - deal.number) % len(seats)) for number in numbers],
        "ends": _end(match),
        "by_itself": _by_itself(match),
        "redeals": list(_redeals(match.needs)),
        "keep": _pages(match),
        "words": _words(),
    }


def noted_here(match: MatchView) -> list[list[object]]:
    """Return what is noted of the deal being played, as a phone counts it into a form: id, seq, kind, payload.

    Of each id there is the beginning, as in ``newest_marks``. Of more taps than a closing names, the older are summed.
    """
    deal = match.deal
    if len(deal.noted) > DEAL_NOTES:
        return [*_summed(deal.noted[:-NOTED_SHOWN]), *map(_noted, deal.noted[-NOTED_SHOWN:])]
    newest = deal.noted_openings[-1:]
    return [_noted(entry) for entry in deal.noted if entry.kind != kinds.LAYOUT_NOTED or entry in newest]


def _noted(entry: JournalEntry) -> list[object]:
    return [entry.id[:MARK], entry.seq, entry.kind, reported_in(entry.payload)]


def _summed(noted: Sequence[JournalEntry]) -> list[list[object]]:
    """Return notes with the taps of each side as one, under the id of the last; other notes as they are."""
    last = {entry.payload["side"]: entry for entry in noted if entry.kind == kinds.POINTS_NOTED}
    points = dict.fromkeys(last, 0)
    for entry in noted:
        if entry.kind == kinds.POINTS_NOTED:
            points[entry.payload["side"]] += entry.payload["points"]
    taps: list[list[object]] = [
        [entry.id[:MARK], entry.seq, entry.kind, {"side": side, "points": points[side]}] for side, entry in last.items()
    ]
    return [*taps, *(_noted(entry) for entry in noted if entry.kind != kinds.POINTS_NOTED)]


def newest_marks(match: MatchView) -> str:
    """Return the beginnings of the newest entries' ids: what waits on a phone is not counted beside them."""
    return " ".join(entry.id[:MARK] for entry in match.standing.state.entries[-MARKED:])


def _last_deal(match: MatchView) -> int:
    """Return the last deal that is stored ahead: twelve from the one being played, but none of another set-up."""
    first = (match.deal.number - 1) // ANEW * ANEW + 1
    last = first + ANEW + DEALS_AHEAD - 1
    coming = [entry.payload["deal"] - 1 for entry in match.standing.state.coming]
    return min(
        [last, *coming, *([match.ending.rounds] if match.ending.rounds and match.game["family"] == "rummy" else [])]
    )


def _deal(match: MatchView, number: int, seat: int) -> dict[str, object]:
    """Return what the phone shows of a deal, and what its form says of it."""
    played = match.round_of(number)
    is_of = match.ending.rounds and number <= match.ending.rounds
    fixed = match.trump_of(number)
    lowest = _("lowest wins") if match.is_in_rounds and match.is_low_best else ""
    found: dict[str, object] = {
        "number": number,
        "seat": seat,
        "title": match.words.of(number, match.ending.rounds or 0) if is_of else match.words.title(number),
        "closing": match.words.closing(number),
        "about": " · ".join(filter(None, (played.words() if played else "", str(lowest)))),
    }
    if played:
        found.update(round=played.words(), lifted=str(_("%(cut)d cards lifted", cut=played.cut)))
    if fixed:
        found.update(trump=fixed, trumps=str(_("trumps: %(suit)s", suit=suit_name(fixed))), suit=suit_name(fixed))
    return found


def _seat(match: MatchView, place: int) -> dict[str, object]:
    """Return what is said where the player of this seat deals."""
    seats = match.setup.seats
    cutter = seats[place - 1]
    side = match.setup.side_at(place - 1)
    found: dict[str, object] = {
        "player": seats[place],
        "side": match.setup.side_at(place).label,
        "deals": str(_("%(name)s deals", name=match.players[seats[place]])) if match.has_dealers else "",
        "voids": [
            str(
                _(
                    "%(cards)s: dealt again, %(name)s deals",
                    cards=void_words(redeal)[:1].upper() + void_words(redeal)[1:],
                    name=match.players[seats[(place + (redeal.who == "next")) % len(seats)]],
                )
            )
            for redeal in match.needs.redeals
        ],
    }
    if points := match.perfect_cut:
        found.update(
            cuts=str(_("%(name)s cuts", name=match.players[cutter])),
            cutter=side.label,
            cut=str(_("%(name)s cut perfectly: %(points)s", name=match.sides[side.label], points=numeral(points))),
        )
    return found


def _end(match: MatchView) -> dict[str, object]:
    """Return when the match ends, as far as totals show."""
    ending = match.ending
    return {
        "target": ending.target,
        "rounds": ending.rounds,
        "lowest": ending.winner == "lowest",
        "shared": ending.tie == "shared",
        "by_wins": ending.counts_wins,
    }


def _by_itself(match: MatchView) -> dict[str, object]:
    """Return what each field of the closing form gives by itself."""
    table = match.table_rules
    gives = rules.PointsByThemselves() if table is None else rules.points_by_themselves(table)
    needs = match.needs
    rare, folded = ({row.item for row in rows} for rows in (needs.rare, needs.folded))
    rows = {
        item: {
            "field": "winner" if item == "game_point" else f"award-{item}",
            "points": taken.points,
            "unless": list(taken.unless),
            "rare": item in rare,
            "folded": item in folded,
            "name": short_item_name(match.setup.game, item),
        }
        for item, taken in gives.items.items()
    }
    own = {
        item: {
            "field": f"award-{item}",
            "points": points,
            "unless": [],
            "rare": True,
            "folded": False,
            "name": short_item_name(match.setup.game, item),
        }
        for item, points in gives.own_taken.items()
    }
    return {
        "rows": rows,
        "own": {"rows": own, "counted": dict(gives.own_counted)},
        "sweep": gives.sweep if needs.sweeps else 0,
        "openings": dict(needs.opening_points),
        "declared": dict(gives.declared),
        "numbers": dict(gives.numbers),
        "once": dict(gives.once),
        "ranks": dict(gives.ranks),
        "most": gives.most_card_points,
    }


def _redeals(needs: Needs) -> Iterator[dict[str, object]]:
    """Yield the openings that void a deal: so many of these cards, or of one rank where the cards are not named."""
    cards: dict[str, list[contract.Card] | None] = {
        "kings": [f"12{suit}" for suit in rules.SUITS],
        "aces": [f"1{suit}" for suit in rules.SUITS],
        "wild": list(needs.wilds),
        "alike": None,
    }
    for redeal in needs.redeals:
        yield {"at_least": redeal.at_least, "cards": cards[redeal.cards], "who": redeal.who}


def _pages(match: MatchView) -> list[str]:
    """Return the addresses of the pages that the table looks up without signal."""
    at: dict[str, Any] = {"key": match.key, "number": match.number}
    needs = match.needs
    pages = [url_for("rules.of_match", **at), url_for("this_table.show", key=match.key)]
    pages += [url_for("seats.show", **at), url_for("matches.end", **at)]
    pages.append(url_for("dealing.adjust", deal=match.deal.number, **at))
    if match.takes_plain_points:
        bare = {**at, "as": "points", "of": ahead_key(match)}
        pages.append(url_for("closing.ahead", deal=match.deal.number, **bare))
    if needs.declarations:
        pages.append(url_for("deals.declare", deal=match.deal.number, **at))
    if needs.has_opening:
        pages.append(url_for("deals.layout", deal=match.deal.number, **at))
    if needs.values:
        pages.append(url_for("captures.of_match", **at))
    prime = rules.prime_rule(match.table_rules) if match.table_rules is not None else None
    if prime is not None:
        pages.append(url_for("prime.show", game=match.setup.game, method=prime.method))
    return pages


def _words() -> dict[str, str]:
    """Return the sentences that only a phone without signal says; ``#`` is for what it fills in."""
    return {
        "entered": str(_("Entered here")),
        "at_least": str(_("at least")),
        "totals": str(_("%(totals)s in all", totals="#")),
        "rare": str(_("the rare ones")),
        "to_say": str(_("still to be said: #")),
        "with_signal": str(_("with the signal: #")),
        "rest_with_signal": str(_("the rest with the signal")),
        "send": str(_("Save and send")),
        "change": str(_("Save the change")),
        "waits": str(_("waits for signal")),
        "busy": str(_("server busy")),
        "settle": str(_("to be settled")),
        "sent": str(_("sent")),
        "open": str(_("open")),
        "ends": str(_("By what is noted on this phone the match is over: #. The signal will tell.")),
        "rematch": str(_("Rematch: when there is signal")),
        "go_on": str(_("Play on")),
        "later": str(_("# is closed once there is signal.")),
        "written": str(_("# is written already: once there is signal it can be corrected.")),
        "saved": str(_("# is kept on this phone.")),
        "next": str(_("On to #")),
        "behind": str(_("# wait behind it")),
        "seen": str(_("Seen")),
    }
