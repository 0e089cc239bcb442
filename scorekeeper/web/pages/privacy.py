"""The page that says what this server stores, where, how long, and how to take it away."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template

bp = Blueprint("privacy", __name__)


@bp.get("/privacy")
def show() -> str:
    """Show it as the settings of this server have it."""
    return render_template(
        "privacy/show.html",
        months=current_app.config["EXPIRE_MONTHS"],
        has_access_log=current_app.config["ACCESS_LOG"],
        counts_addresses=current_app.config["BRAKES"] != "off",
    )
