"""The free text of a table, and where a name is in it: forgetting a person changes none of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from sqlalchemy import select

from ..limits import FREE_TEXT_ENTRIES, FREE_TEXT_MATCHES, FREE_TEXT_PLACES
from ..names import name_of_table, same
from . import queries
from .db import db
from .forgotten import renamings_of
from .journal import kinds
from .models import NAME_LENGTH, Entry, Match, Player, Table

What = Literal["table", "made", "former", "note", "reason", "team", "rules", "pad", "line"]
TEXTS: Mapping[str, tuple[What, tuple[str, ...]]] = {
    kinds.MATCH_NOTED: ("note", ("note", "stakes")),
    kinds.ADJUSTED: ("reason", ("reason",)),
    kinds.TABLE_RENAMED: ("former", ("from", "to")),
}
"""The fields of entries that hold free text, by kind."""


class Place(NamedTuple):
    """A text that holds a name: ``what`` it is, the number of its match (None for the table's name), and the text.

    ``made`` is the name of a table that is called by its players: it follows their names.
    """

    what: What
    match: int | None
    text: str


@dataclass(frozen=True)
class Search:
    """The places with a name in some matches of a table, the newest first."""

    places: list[Place]
    first: int | None
    """The first and the ``last`` of the matches that were searched; None if there are none."""
    last: int | None
    before: int | None
    """The matches before this one were not searched; None if all were."""


def names_of(table: Table, numbers: Collection[int]) -> set[str]:
    """Return all names that these players of a table have, or have had."""
    its = (Player.table_id == table.id, Player.number.in_(numbers))
    names = set(db.session.scalars(select(Player.name).where(*its)))
    for renaming in renamings_of(table.id, numbers):
        names |= {renaming.payload["from"], renaming.payload["to"]}
    return {name for name in names if name}


def places_with(table: Table, names: Collection[str], before: int | None = None) -> Search:
    """Return where one of these names is in what the table typed, in its newest matches that are not deleted.

    Only matches before ``before`` are searched, as many as one page may read.
    """
    is_in = _matcher(names)
    query = select(Match.number, Match.head, Match.setup).where(Match.table_id == table.id, Match.deleted_at.is_(None))
    if before is not None:
        query = query.where(Match.number < before)
    matches: list[Any] = []
    left, more = FREE_TEXT_ENTRIES, None
    for row in db.session.execute(query.order_by(Match.number.desc()).limit(FREE_TEXT_MATCHES + 1)):
        left -= row.head
        if matches and (left < 0 or len(matches) >= FREE_TEXT_MATCHES):
            more = matches[-1].number
            break
        matches.append(row)
    first, last = (matches[-1].number, matches[0].number) if matches else (None, None)
    places = list(_of_table(table, is_in)) if before is None else []
    written = _written(table, first, last, is_in) if matches else {}
    for row in matches:
        found = dict.fromkeys((*_of_setup(row, is_in), *written.get(row.number, ())))
        if len(places) >= FREE_TEXT_PLACES and found:
            return Search(places, row.number + 1, last, row.number + 1)
        places += found
    return Search(places, first, last, more)


def _matcher(names: Collection[str]) -> re.Pattern[str]:
    """Return the pattern of any of these names as whole words, in texts as ``same`` writes them."""
    each = "|".join(re.escape(same(name)) for name in names if same(name))
    return re.compile(rf"(?<!\w)(?:{each})(?!\w)" if each else r"(?!)")


def _of_table(table: Table, is_in: re.Pattern[str]) -> Iterator[Place]:
    if is_in.search(same(table.name)):
        players = list(queries.player_names(table).values())
        is_made = any(table.name == name_of_table(players[:count], NAME_LENGTH) for count in range(1, len(players) + 1))
        yield Place("made" if is_made else "table", None, table.name)


def _of_setup(row: Any, is_in: re.Pattern[str]) -> Iterator[Place]:
    """Yield the names of teams, house rules, pads and own lines of a match that hold one of the names."""
    setup: kinds.StoredSetup = row.setup
    texts: list[tuple[What, str | None]] = [
        *(("team", side.get("name")) for side in setup["sides"]),
        ("rules", setup.get("rules_name")),
        ("pad", setup.get("game_name")),
        *(("line", line["name"]) for line in setup.get("own_lines") or ()),
    ]
    for what, text in texts:
        if text and is_in.search(same(text)):
            yield Place(what, row.number, text)


def _written(table: Table, first: int | None, last: int | None, is_in: re.Pattern[str]) -> dict[int, list[Place]]:
    """Return the texts of entries of these matches that hold one of the names, by match."""
    written = select(Entry.match, Entry.kind, Entry.payload).where(
        Entry.table_id == table.id, Entry.match.between(first, last), Entry.kind.in_([*TEXTS, kinds.SEATED])
    )
    found: dict[int, list[Place]] = {}
    for row in db.session.execute(written.order_by(Entry.match, Entry.seq)):
        if row.kind == kinds.SEATED:
            what: What = "team"
            texts = [side.get("name") for side in row.payload["sides"]]
        else:
            what, fields = TEXTS[row.kind]
            texts = [row.payload.get(field) for field in fields]
        for text in texts:
            if text and is_in.search(same(text)):
                found.setdefault(row.match, []).append(Place(what, row.match, text))
    return found
