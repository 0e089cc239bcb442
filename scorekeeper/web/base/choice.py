"""The matches that the address of a page asks for, and the address that asks for them.

An address names years, months and days as they are, so that it shows the same to whom it is sent, and later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import abort, request
from flask_babel import gettext as _

from ...store.finding import STATES, Chosen, days_of
from ...store.queries import Names
from ...store.who import as_now, written
from ..words.names import games
from .request_bounds import whole_number

NAMES = ("game", "player", "pair", "period", "state")
"""The names under which an address says what is chosen."""
EVER = "ever"
"""The period of an address that asks for all matches, and for the ranking of all of them."""


def is_untidy() -> bool:
    """Return whether the address names a part of the choice without a value, as a form does that leaves it open."""
    return any(request.args.get(name) == "" for name in NAMES)


def is_ever() -> bool:
    """Return whether the address asks for all matches, and not only for no period."""
    return request.args.get("period") == EVER


def chosen_matches(names: Names) -> Chosen:
    """Return which matches the address asks for. A period or state that is not known is as if none was asked for.

    Aborts with 404 for a game that there is not, and players whom the table does not have.
    """
    game = request.args.get("game") or None
    if game is not None and game not in games():
        abort(404, description=_("There is no game of that name here."))
    together = _players(request.args.get("pair", ""), names, len(names))
    alone = _players(request.args.get("player", ""), names, 1)
    state = request.args.get("state", "")
    return Chosen(
        game=game,
        players=together,
        person=alone[0] if alone and alone[0] not in together else None,
        span=_span(request.args.get("period", "")),
        state=state if state in STATES else "",
    )


def what_is_asked() -> tuple[str, ...]:
    """Return what the address says of the choice, as it says it: two that say the same ask for the same matches."""
    said = {name: request.args.get(name, "") for name in NAMES}
    # What is not known is as if it was not asked for, so it makes no page of its own.
    said["period"] = _span(said["period"])
    said["state"] = said["state"] if said["state"] in STATES else ""
    return (*said.values(), "untidy" if is_untidy() else "")


def _players(text: str, names: Names, most: int) -> tuple[int, ...]:
    numbers = [whole_number(number) for number in text.split("-")] if text else []
    found = as_now([number for number in numbers if number is not None and number in names], names.merged)
    if len(found) != len(numbers) or len(found) > most:
        abort(404, description=_("Nobody plays here under that number."))
    return found


def _span(asked: str) -> str:
    try:
        days_of(asked)
    except ValueError:
        return ""
    return asked


def in_address(chosen: Chosen) -> dict[str, Any]:
    """Return what an address says to ask for these matches, in the order in which pages write it."""
    said = {
        "game": chosen.game or "",
        "player": "" if chosen.person is None else str(chosen.person),
        "pair": written(chosen.players),
        "period": chosen.span,
        "state": chosen.state,
    }
    return {name: value for name, value in said.items() if value}


def without(chosen: Chosen, name: str) -> Chosen:
    """Return the same choice without what an address says under this name."""
    nothing = Chosen()
    field = {"player": "person", "pair": "players", "period": "span"}.get(name, name)
    return replace(chosen, **{field: getattr(nothing, field)})
