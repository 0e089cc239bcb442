"""Starting a match: what the form says, agreed with the engine, then written."""

from __future__ import annotations

from typing import Any

from flask_babel import gettext as _

from .. import rules
from ..store import commands
from ..store.journal import Full, Stale
from ..store.models import Match, Table
from .entering import full_words
from .forms import OPTION, MatchForm
from .problems import in_words
from .writing import new_id


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
        answer = rules.score(request, bounded=True)
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


def tell(form: MatchForm, refused: Full | Stale) -> None:
    """Say in the form why nothing was started; what was typed stays. One used before goes on as a new form."""
    if isinstance(refused, Full):
        form.id.errors = [full_words(refused)]
        return
    form.id.data = new_id()
    form.id.errors = [_("This form was saved before, with something else in it. Save again to start a match with it.")]


def write(table: Table, form: MatchForm, options: dict[str, Any], device: str, entry_id: str | None = None) -> Match:
    """Seat the players and start the match; call inside ``writing()``. The same form starts it once.

    Raises ``Full``, or ``Stale`` where the form's id was used before for something else.
    """
    numbers = commands.seat_players(table, [field.data for field in form.players()])
    return commands.start_match(
        table,
        entry_id or form.id.data,
        game=form.game.data,
        preset=form.preset.data or None,
        options=options,
        sides=form.sides_of(numbers),
        first_dealer=form.first_dealer.data,
        rules_name=form.rules_name.data,
        device=device,
    )
