"""Starting a match: what the form says, agreed with the engine, then written."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext as _

from .. import rules
from ..limits import PLAYERS
from ..names import same
from ..store import notebook, queries
from ..store.models import Match, Table
from .forms import OPTION, MatchForm
from .problems import in_words


def agree(form: MatchForm) -> dict[str, Any] | None:
    """Return every option resolved, or None with the reasons beside the fields."""
    if not form.validate_on_submit():
        return None
    shape = form.how_many
    request = {
        "game": form.game.data,
        "preset": form.preset.data or None,
        "options": {id: value for id, value in form.chosen().items() if value is not None},
        "sides": [chr(ord("A") + side) for side in range(shape.sides)],
        "players_per_side": shape.per_side,
        "deal": {},
    }
    try:
        answer = rules.score(request)
    except rules.Malformed as malformed:
        answer = {"status": "invalid", "problems": malformed.problems}
    problems = [problem for problem in answer["problems"] if problem["severity"] == "error"]
    settings = [problem for problem in problems if not problem["where"].startswith("deal")]
    if not settings:
        options: dict[str, Any] = answer["options"]
        return options
    for problem in settings:
        name = OPTION + problem["where"].removeprefix("options.").split(".")[0]
        field = form[name if name in form else "game"]
        field.errors = [*field.errors, in_words(problem) or _("This cannot be.")]
    return None


def seats_too_many(table: Table | None, form: MatchForm) -> bool:
    """Say whether the table would have more players than it can list; the form then says so."""
    typed = {same(field.data) for field in form.players()}
    known = {same(name) for name in queries.player_names(table).values()} if table is not None else set()
    if len(known | typed) <= max(PLAYERS, len(known)):
        return False
    form.players()[0].errors = [
        _("This table has %(num)d players, and no room for more: seat some of them.", num=PLAYERS)
    ]
    return True


def write(table: Table, form: MatchForm, options: dict[str, Any], device: str) -> Match:
    """Seat the players and start the match; call inside ``writing()``. The same form starts it once."""
    numbers = notebook.seat_players(table, [field.data for field in form.players()])
    return notebook.start_match(
        table,
        form.id.data,
        game=form.game.data,
        preset=form.preset.data or None,
        options=options,
        sides=form.sides_of(numbers),
        first_dealer=form.first_dealer.data,
        rules_name=form.rules_name.data,
        device=device,
    )
