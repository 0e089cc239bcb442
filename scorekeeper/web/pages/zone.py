"""The owner's page of a table's time zone."""

from __future__ import annotations

from flask import Blueprint, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import ownership
from ...store.db import writing
from ...store.models import Table
from ..base.access import owner_or_404
from ..base.entry_form import pressed_button
from ..base.htmx import go, page
from ..base.zones import offered_zones, zone_called
from ..words.dates import zone_of_phone

bp = Blueprint("zone", __name__, url_prefix="/o/<key>/zone")

SHOWN = 80
"""Characters of what was typed that the refused form shows again."""


@bp.get("")
def show(key: str) -> BaseResponse:
    """Show the zone of the table, that of this phone, and all others to choose from."""
    return _page(owner_or_404(key))


@bp.post("")
def change(key: str) -> BaseResponse:
    """Set the zone: from then on its matches are filed under the days that they have there."""
    table = owner_or_404(key)
    pressed_button()
    typed = request.form.get("zone", "")
    zone = zone_called(typed)
    if zone is None:
        refused = _("No zone is called so. Write the name of a large city in it, as America/Montevideo.")
        return _page(table, 422, typed[:SHOWN], refused)
    with writing():
        ownership.set_zone(table, zone)
    return go(url_for("owner.show", key=key))


def _page(table: Table, status: int = 200, typed: str = "", refused: str = "") -> BaseResponse:
    own = zone_of_phone()
    return page(
        "zone/show.html",
        None,
        status,
        table=table,
        own=own if own != table.zone else None,
        zones=offered_zones(),
        typed=typed,
        refused=refused,
    )
