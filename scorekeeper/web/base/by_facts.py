"""A page that this phone was shown before is found by one statement, before its view reads or builds anything.

What decides a page is what the phone sends and what the database says of the table and the match (``direct.Facts``). If
both are as they were, so is the page, and the page cache still has it. What time alone changes says until when it holds
(``only_until``). A page that depends on anything else, such as who is at the table now, says so (``only_now``) and is
not found like this. Nor is one whose request changes anything: a cookie, or what is noted of the table.

Ten phones ask for a board at the same moment. The first draws it, the others wait for that, without a connection to the
database; and a process draws no more pages at a time than the machine has cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from threading import BoundedSemaphore, Lock
from typing import Any, NamedTuple, TypeVar

from flask import Flask, Response, current_app, g, make_response, request, session

from ...limits import DRAWING_SECONDS, STORED_ANSWERS
from ...store import direct, moments
from ...store.direct import Facts
from ...store.lru import LruCache
from ...store.models import Table, now, this_month
from ...store.moments import Present
from .access import PLAY
from .alike import address, digest, has_seen, like, quiet_from
from .brakes import BY_FACTS, ask_engine
from .choice import NAMES as CHOSEN
from .cookies import PhoneSession
from .gone import AtTable
from .heard import hear_phone
from .htmx import nothing_new
from .page_cache import Drawn, Place, stored_part
from .remembered import is_asked_at, is_first

READ = frozenset({"v", "look", "before", "deal", "lines", "as", "who", "guests", *CHOSEN})
"""The parts of an address that choose among what a page shows; with any other it is drawn by its view."""
LINKS = {PLAY: "play", "w": "watch"}

View = TypeVar("View", bound=Callable[..., Any])


class Answer(NamedTuple):
    """The answer of a phone: by which facts, from which place of the page cache, and in which version."""

    facts: Facts
    place: Place
    version: str
    headers: tuple[tuple[str, str], ...]
    until: datetime | None
    """When the page turns by time alone; None if only what is written changes it."""
    quiet_from: int | None
    """The entry up to which another phone must have seen the match for this answer; None if it is only for this one."""

    def is_of(self, facts: Facts) -> bool:
        """Return whether it still answers."""
        return self.facts == facts and (self.until is None or now() < self.until)


class Drawing:
    """The pages that a process is drawing now."""

    def __init__(self) -> None:
        self._turns = BoundedSemaphore(os.cpu_count() or 1)
        self._lock = Lock()
        self._locks: dict[Hashable, tuple[Lock, int]] = {}

    @contextmanager
    def turn(self, of: Hashable) -> Iterator[None]:
        """Wait until nobody else draws the same, and until there is a core for it; but no longer than it may take."""
        with self._lock:
            own, waiting = self._locks.get(of, (Lock(), 0))
            self._locks[of] = own, waiting + 1
        is_own = own.acquire(timeout=DRAWING_SECONDS)
        has_turn = self._turns.acquire(timeout=DRAWING_SECONDS)
        try:
            yield
        finally:
            if has_turn:
                self._turns.release()
            if is_own:
                own.release()
            with self._lock:
                own, waiting = self._locks.pop(of)
                if waiting > 1:
                    self._locks[of] = own, waiting - 1


def init_by_facts(app: Flask) -> None:
    """Give the app the memory of its answers."""
    app.extensions["scorekeeper.answers"] = LruCache[Answer](STORED_ANSWERS)
    app.extensions["scorekeeper.drawing"] = Drawing()


def only_now() -> None:
    """Note that the page of this request depends on more than what is sent and ``Facts``."""
    g.only_now = True


def only_until(moment: datetime | None) -> None:
    """Note that time alone changes the page of this request at a moment; None if it does not."""
    if moment is not None:
        g.until = min(moment, g.get("until", moment))


def by_facts(view: View) -> View:
    """Answer with the page that the view has drawn before, where it is the same; else call the view.

    The view shows the match with the ``number`` of its address, or else the one being played.
    """
    return _by_facts(view, lambda arguments: arguments.get("number"))


def by_facts_of_table(view: View) -> View:
    """As ``by_facts``, for a view that shows no one match."""
    return _by_facts(view, lambda _arguments: None)


def present_at(table: Table) -> Present:
    """Return the moment of the table of this page. Call it before all that is drawn at that moment."""
    return _present() or moments.of_table(table)


def present_of(table: Table, number: int) -> Present | None:
    """Return the moment with the match of this page; None if there is no such match. As ``present_at``."""
    return _present() or moments.of_match(table, number)


def _present() -> Present | None:
    facts: Facts | None = g.get("facts")
    return None if facts is None else Present(facts.moment, facts.match, facts.head)


def _by_facts(view: View, match_of: Callable[[Mapping[str, Any]], int | None]) -> View:
    def drawn(**arguments: Any) -> Any:
        ask_engine()
        return view(**arguments)

    @wraps(view)
    def shown(**arguments: Any) -> Any:
        key = arguments["key"]
        if not _is_plain_reading(key):
            return drawn(**arguments)
        link, number = LINKS[g.link], match_of(arguments)
        facts = direct.facts_of(link, key, number)
        if facts is None or not _changes_nothing(facts):
            return drawn(**arguments)
        asked = (facts.table, *address(), digest(request.headers.get("Cookie", "")))
        stored = _stored(asked, facts)
        if stored is None:
            g.facts = facts
            # Before it waits for its turn: hundreds that wait are not all within the bound.
            ask_engine()
            drawing: Drawing = current_app.extensions["scorekeeper.drawing"]
            with drawing.turn((request.path, facts.head)):
                stored = _stored(asked, facts)
                if stored is None:
                    response = view(**arguments)
                    _store(asked, response, facts, (link, key, number))
                    return response
        known, page = stored
        return _again(facts, known) or _with(page, known)

    setattr(shown, BY_FACTS, True)
    return shown  # type: ignore[return-value]


def forget_answers(table_id: int) -> None:
    """Drop what is stored of the answers of a table that is deleted."""
    _answers().forget(lambda asked: asked[0] == table_id)


def _answers() -> LruCache[Answer]:
    answers: LruCache[Answer] = current_app.extensions["scorekeeper.answers"]
    return answers


def _is_plain_reading(key: str) -> bool:
    """Return whether this request only reads, and the phone is one that has been here before."""
    if request.method != "GET" or not request.cookies or not READ.issuperset(request.args):
        return False
    opened = session
    assert isinstance(opened, PhoneSession)
    if opened.moves_keys or opened.moves_forms or "_flashes" in opened:
        return False
    return g.link != PLAY or is_first(key)


def _changes_nothing(facts: Facts) -> bool:
    """Return whether opening the table notes nothing of it, and asks nothing of the phone."""
    noted = facts.opened_in is not None and str(facts.opened_in) >= str(this_month())
    return noted and facts.expires_on is None and facts.moved_to is None and not is_asked_at(facts.table)


def _stored(asked: Hashable, facts: Facts) -> tuple[Answer, Drawn] | None:
    """Return the answer to this phone, or to one to which the page looks the same, with its page; None without one."""
    answers = _answers()
    known = answers.get(asked)
    if known is None or not known.is_of(facts):
        known = answers.get(_of_the_like(facts))
        if known is None or not known.is_of(facts) or not has_seen(facts, known.quiet_from):
            return None
    page = stored_part(known.place)
    return None if page is None else (known, page)


def _store(asked: Hashable, response: Any, facts: Facts, at: tuple[str, str, int | None]) -> None:
    """Store an answer, unless what it shows may have changed while it was drawn, and is not in the facts."""
    answer = _to_store(response, facts)
    if answer is None or direct.facts_of(*at) != facts:
        return
    _answers().put(asked, answer)
    if answer.quiet_from is not None and (of_others := _of_the_like(facts)) is not None:
        _answers().put(of_others, answer)


def _of_the_like(facts: Facts) -> Hashable | None:
    """Return under what an answer is stored for all phones to which the page looks the same; None if there is none."""
    alike = like(facts)
    return None if alike is None else (facts.table, *alike)


def _again(facts: Facts, known: Answer) -> Any:
    """Note of this request what its view would note, and return the answer that there is nothing new, if so."""
    g.at = AtTable(facts.table, facts.deletions)
    if g.link == PLAY:
        hear_phone(facts.table)
    return nothing_new(known.version) if known.version else None


def _with(page: Any, known: Answer) -> Response:
    response = make_response("")
    page.answer(response)
    for name, value in known.headers:
        response.headers[name] = value
    response.vary.add("HX-Request")
    return response


def _to_store(response: Any, facts: Facts) -> Answer | None:
    """Return what is to be stored of an answer; None if it is not one of those."""
    changes = session.modified or any(name in g for name in ("seen", "gone", "is_full", "opened_table", "moved_to"))
    if changes or "only_now" in g or "page_under" not in g:
        return None
    if not isinstance(response, Response) or response.status_code != 200:
        return None
    headers = tuple((name, value) for name, value in response.headers if name.startswith("HX-"))
    return Answer(facts, g.page_under, g.get("table_version", ""), headers, g.get("until"), quiet_from())
