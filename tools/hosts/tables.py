"""Open tables with a match each, by the settings of this environment, and print their keys to play."""

from __future__ import annotations

import sys
from uuid import uuid4

from scorekeeper import rules
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.match_setup import Setup, sides_of

GAME, PRESET = "chorizo", "flores"


def main(count: int) -> None:
    """Open ``count`` tables."""
    asked = {"game": GAME, "preset": PRESET, "options": {"target": 1000}, "sides": ["A", "B"], "deal": {}}
    options = dict(rules.score(asked)["options"])
    with create_app().app_context():
        for _table in range(count):
            with writing():
                table = commands.open_table("Los jueves", str(uuid4()))
                numbers = commands.seat_players(table, ["Ana", "Beto"])
                agreed = Setup(GAME, PRESET, options, sides_of([numbers[:1], numbers[1:]]), first_dealer=0)
                commands.start_match(table, str(uuid4()), agreed)
                print(table.play_key)
        db.session.remove()
        db.engine.dispose()


if __name__ == "__main__":
    main(int(sys.argv[1]))
