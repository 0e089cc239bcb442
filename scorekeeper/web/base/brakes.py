"""Brakes on requests: new tables, keys that open nothing, the engine, live streams. Beyond one the answer is 429.

What is counted by address is counted for the network of ``addresses``; where that is not known, only for the host.
A part of what the host may do is only for those who have done little. One home has hundreds of networks of IPv6, so for
that part the networks around count as one (``mark_around``).
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import cast

from flask import Flask, current_app, g, request
from flask_babel import gettext as _
from flask_babel import ngettext
from limits.storage import Storage
from werkzeug.exceptions import TooManyRequests

from ... import events
from ...brakes.brake import Brake
from ...brakes.host import HostCounts
from ...brakes.memory import NoTurn
from ...brakes.streams import Place
from ...brakes.under_way import UnderWay
from ...limits import ENGINE_REQUEST, ENGINE_SPARED, HOST_RESERVE
from .addresses import address_mark, mark_around

HOST = "host"
"""The subject of what is counted for the whole host."""
BY_FACTS = "answers_by_facts"
"""The mark of a view that calls ``ask_engine`` itself, where it has no stored answer."""
MINUTE, HOUR = 60, 3600
ENGINE = frozenset(
    {
        "agreement",
        "api.ask",
        "api_tables",
        "captures",
        "closing",
        "dealing",
        "deals",
        "house_rules",
        "imports",
        "journal",
        "matches",
        "new_match",
        "prime",
        "rules",
        "sharing",
        "sync",
    }
)
"""The blueprints, and one view, whose requests may cost the engine something: what they take of a processor counts."""


class TooMany(TooManyRequests):
    """One brake holds; ``seconds`` is when it lets go."""

    def __init__(self, words: str, seconds: float) -> None:
        self.seconds = max(1, math.ceil(seconds))
        super().__init__(f"{words} {_in_a_while(self.seconds)}")


class TooManyKeys(TooMany):
    """Too many links were tried that lead nowhere."""


def _in_a_while(seconds: int) -> str:
    if seconds <= MINUTE:
        return _("Try it again in a minute.")
    minutes = math.ceil(seconds / MINUTE)
    return ngettext("Try it again in %(num)d minute.", "Try it again in %(num)d minutes.", minutes)


@cache
def _unused() -> HostCounts:
    """Return the counts of all apps whose brakes are off."""
    return HostCounts()


class Brakes:
    """The brakes of an app. Seconds of a processor are counted in thousandths."""

    def __init__(self, app: Flask) -> None:
        most: dict[str, int] = app.config["BRAKED"]
        where: str = app.config["BRAKES"]
        if where == "off":
            most = dict.fromkeys(most, 0)
        given: HostCounts | None = app.config["BRAKES_MEMORY"]
        self.counts = given or (_unused() if where == "off" else HostCounts())
        counts, addresses = self.counts, cast(Storage, self.counts.addresses)
        if where not in ("", "off"):
            from ...brakes.remote import RemoteCounts, redis_counts

            addresses = RemoteCounts(redis_counts(where), counts.addresses)
        self.new_tables = Brake("new_tables", most["NEW_TABLES"], HOUR, addresses)
        self.host_new_tables = Brake("host_new_tables", most["HOST_NEW_TABLES"], HOUR, counts.host)
        self.wrong_keys = Brake("wrong_keys", most["WRONG_KEYS"], MINUTE, addresses)
        self.engine = Brake("engine", 1000 * most["ENGINE_SECONDS"], MINUTE, addresses)
        self.host_engine = Brake("host_engine", 1000 * most["HOST_ENGINE_SECONDS"], MINUTE, counts.host)
        self.tables_around = Brake("tables_around", most["NEW_TABLES"], HOUR, addresses)
        self.engine_around = Brake("engine_around", 1000 * most["ENGINE_SECONDS"], MINUTE, addresses)
        self.same_key = Brake("same_key", 1, MINUTE, counts.addresses)
        self.under_way = UnderWay()
        self.streams = counts.streams
        self.table_streams, self.address_streams = most["TABLE_STREAMS"], most["ADDRESS_STREAMS"]


def init_brakes(app: Flask) -> None:
    """Make the app's brakes, and refuse requests to the engine while it has had enough."""
    app.extensions["scorekeeper.brakes"] = Brakes(app)
    app.before_request(_refuse_engine)
    app.teardown_request(_count_engine)


def brakes() -> Brakes:
    """Return the brakes of the app."""
    found: Brakes = current_app.extensions["scorekeeper.brakes"]
    return found


def _asking() -> str | None:
    """Return the mark of who asks, worked out once a request; None if it is not known."""
    if "address_mark" not in g:
        g.address_mark = address_mark()
    mark: str | None = g.address_mark
    return mark


def is_braked() -> bool:
    """Return whether this request may cost the engine something."""
    return request.blueprint in ENGINE or request.endpoint in ENGINE


def _around() -> str | None:
    """Return the mark of the networks around who asks, worked out once a request; None if there are none."""
    if "around" not in g:
        g.around = mark_around()
    mark: str | None = g.around
    return mark


def _refuse_engine() -> None:
    if not getattr(current_app.view_functions.get(request.endpoint or ""), BY_FACTS, False):
        ask_engine()


def ask_engine() -> None:
    """Refuse a request to the engine where its address, or the host, has used up the time of this minute.

    Raises ``TooMany``. Do nothing if no brake is on this request.
    """
    if not is_braked():
        return
    of_app = brakes()
    address, host = of_app.engine, of_app.host_engine
    if not (address.most or host.most):
        return
    who = _asking() if address.most else None
    g.engine_asked = [who] if who else []
    g.engine_asked.append(HOST)
    # Those that are being answered count as the dearest: else hundreds that come at once would all be within the bound.
    others = {one: of_app.under_way.begin(one) * 1000 * ENGINE_REQUEST for one in g.engine_asked}
    used = address.used(who) + others[who] if who else None
    if who and used is not None and used >= address.most:
        events.note_brake(address.name)
        words = _("From this network the referee was asked too often within a minute.")
        raise TooMany(words, address.seconds_left(who))
    # Where addresses have no bound there is nobody to reserve anything for.
    is_spared = not address.most or (used is not None and used < 1000 * ENGINE_SPARED)
    if used is not None and is_spared and (around := _around()):
        is_spared = of_app.engine_around.used(around) < of_app.engine_around.most
    # Those of strangers that are being answered take nothing from who is spared.
    of_host = host.used(HOST) + (0 if is_spared else others[HOST])
    if host.most and of_host >= host.most * (1 if is_spared else HOST_RESERVE):
        events.note_brake(host.name)
        raise TooMany(_("The referee is very busy just now."), host.seconds_left(HOST))
    g.engine_since = time.thread_time()


def _count_engine(_error: BaseException | None) -> None:
    of_app = brakes()
    asked: list[str] = g.pop("engine_asked", [])
    since = g.pop("engine_since", None)
    if since is not None:
        cost = math.ceil(1000 * (time.thread_time() - since))
        of_app.host_engine.take(HOST, cost)
        for who in asked[:-1]:
            of_app.engine.take(who, cost)
        if asked[:-1] and (around := _around()):
            of_app.engine_around.take(around, cost)
    for subject in asked:
        of_app.under_way.end(subject)


def _may_open(of_app: Brakes, who: str | None) -> bool:
    """Count a new table for the host and for the networks around who asks, and return whether they may open one more.

    The last part of the host's tables is for networks that have opened few.
    """
    of_host = of_app.host_new_tables
    around = _around() if who else None
    has_few = of_app.tables_around.take(around) if around else True
    if not of_host.take(HOST):
        return False
    if has_few or not of_host.most or of_host.used(HOST) <= of_host.most * HOST_RESERVE:
        return True
    of_host.give_back(HOST)
    return False


@contextmanager
def opening_table() -> Iterator[None]:
    """Count a new table, unless none comes of it. Raises ``TooMany``."""
    of_app = brakes()
    of_host, of_address = of_app.host_new_tables, of_app.new_tables
    who = _asking() if of_address.most else None
    if not _may_open(of_app, who):
        events.note_brake(of_host.name)
        raise TooMany(_("On this server very many tables are being opened just now."), of_host.seconds_left(HOST))
    if who and not of_address.take(who):
        of_host.give_back(HOST)
        events.note_brake(of_address.name)
        words = ngettext(
            "From this network %(num)d table was opened within an hour.",
            "From this network %(num)d tables were opened within an hour.",
            of_address.most,
        )
        raise TooMany(words, of_address.seconds_left(who))
    try:
        yield
    except BaseException:
        of_host.give_back(HOST)
        if who:
            of_address.give_back(who)
        raise


def wrong_key(key: str) -> None:
    """Count a key that opens nothing. Raises ``TooManyKeys``.

    The same key counts once a minute: nine screens at a table whose link was renewed ask for it again and again, and
    nobody finds another key by that.
    """
    of_app = brakes()
    brake = of_app.wrong_keys
    who = _asking() if brake.most else None
    if not who:
        return
    if of_app.same_key.used(f"{who} {key}"):
        return
    if brake.take(who):
        of_app.same_key.take(f"{who} {key}")
        return
    events.note_brake(brake.name)
    words = _("From this network many links were tried that lead nowhere. The right one opens all the same.")
    raise TooManyKeys(words, brake.seconds_left(who))


def place_of_stream(table: int) -> Place | None:
    """Return a place for a live stream of a table; None if the table or the address has as many as it may."""
    of_app = brakes()
    bounds = []
    if of_app.table_streams:
        bounds.append((f"table {table}", of_app.table_streams))
    who = _asking() if of_app.address_streams else None
    if who:
        bounds.append((f"address {who}", of_app.address_streams))
    try:
        place = of_app.streams.enter(bounds) if bounds else Place(of_app.streams, ())
    except NoTurn:
        return Place(of_app.streams, ())
    if place is None:
        events.note_brake("streams")
    return place
