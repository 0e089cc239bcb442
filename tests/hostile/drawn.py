"""Forms as pages draw them, and requests to the interface as programs write them: what hostile values are put into."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any
from uuid import UUID

from werkzeug.datastructures import MultiDict

from ..helpers.reading import Page
from ..helpers.simulator import PACK
from ..web.conftest import with_fields
from .hall import Hall
from .watching import Request, post

DEAL = "/matches/1/deals/5"
"""The deal being played at every table of the hall."""


def an_id(random: Random) -> str:
    """Return an entry id, the same for the same seed."""
    return str(UUID(int=random.getrandbits(128), version=4))


def drawn(hall: Hall, path: str, id: str = "", action: str = "") -> MultiDict[str, str]:
    """Return a form of a page as it stands."""
    return Page(hall.client.get(path)).form(id, action)


def closing(hall: Hall, game: str, deal: int = 5, **fields: Any) -> Request:
    """Return the closing of a deal, to be saved as drawn but for ``fields`` (``left__A`` is ``left-A``)."""
    path = hall.path(game, f"/matches/1/deals/{deal}/close")
    changes = {"step": "save", **{name.replace("__", "-"): value for name, value in fields.items()}}
    return form(path, with_fields(drawn(hall, path, "closing"), changes))


def form(path: str, fields: MultiDict[str, str]) -> Request:
    """Return a form to be posted."""
    return post(path, dict(fields.lists()))


def named(hall: Hall, name: str, **fields: Any) -> Request:
    """Return the form of a new table whose first player is called ``name``."""
    told = {"player-0": name, "player-1": "Beto", "step": "save", **fields}
    return form("/tables/new", with_fields(drawn(hall, "/tables/new", "agree"), told))


def pushed(hall: Hall, game: str, *entries: Any) -> dict[str, Any]:
    """Return a push of entries to a table."""
    return {"table": hall.tables[game].play, "entries": list(entries)}


def entry(random: Random, kind: str, deal: int = 5, **told: Any) -> dict[str, Any]:
    """Return an entry as a phone without signal keeps it."""
    return {"id": an_id(random), "match": 1, "kind": kind, "deal": deal, **told}


def points_of_four(random: Random, deal: int) -> dict[str, Any]:
    """Return the closing of a deal of the free pad, as an entry to be pushed."""
    points = {label: random.randint(0, 9) for label in "ABCD"}
    return entry(random, "deal_closed", deal, payload={"facts": {"points": points}}, drawn_from=1000)


def partial(
    random: Random, sides: str = "ABCD", shown: int = 16, counted: Iterable[str] = ("cards",)
) -> dict[str, Any]:
    """Return a deal of which a table knows a part: some cards of each side, some counts; all of it true."""
    owner = {card: random.choice(sides) for card in PACK}
    seen = random.sample(PACK, shown)
    kinds = {"cards": PACK, "coins": PACK[:10], "sevens": [card for card in PACK if card[0] == "7"]}
    piles = {side: [card for card in seen if owner[card] == side] for side in sides}
    counts = {side: {kind: sum(owner[card] == side for card in kinds[kind]) for kind in counted} for side in sides[:-1]}
    return {"piles": piles, "counts": counts}
