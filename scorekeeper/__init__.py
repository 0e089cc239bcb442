"""The scorekeeper for the phone in the middle of a card table: rules → store → web."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from flask import Flask

from . import config as configuration
from .assets import init_assets
from .config import data_folder
from .logs import keep_discreet

# One blueprint (``bp``) per noun. The order decides nothing: no two share an address.
BLUEPRINTS = (
    "tables",
    "phone",
    "owner",
    "matches",
    "deals",
    "live",
    "boards",
    "sharing",
    "players",
    "settling",
    "journals",
    "referee",
    "rules_pages",
    "api",
    "pushing",
    "installed",
)
# What every page gets around it; each module has ``init_<name>(app)``.
SURROUNDINGS = (
    "incoming",
    "access",
    "i18n",
    "clock",
    "words",
    "course",
    "kept",
    "sharing",
    "security",
    "errors",
    "hosts",
)


def create_app(overrides: Mapping[str, Any] | None = None) -> Flask:
    """Return the app, with ``overrides`` over the settings of the environment (see ``config.load``)."""
    app = Flask("scorekeeper", static_folder=None, template_folder=str(data_folder() / "templates"))
    app.config.from_mapping(configuration.load(overrides))
    app.logger  # noqa: B018  (made when it is first asked for, with a handler of its own)
    keep_discreet()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    init_assets(app)
    _init_store(app)
    _init_forms(app)
    _init_compression(app)
    for name in SURROUNDINGS:
        getattr(import_module(f"scorekeeper.web.{name}"), f"init_{name}")(app)
    for name in BLUEPRINTS:
        app.register_blueprint(import_module(f"scorekeeper.web.{name}").bp)
    return app


def _init_store(app: Flask) -> None:
    from .store.db import init_store

    init_store(app)


def _init_forms(app: Flask) -> None:
    from .web.cookies import init_cookies

    csrf = init_cookies(app)
    # The API carries no cookie and trusts none: a key in the address or nothing.
    csrf.exempt("scorekeeper.web.api.ask")
    csrf.exempt("scorekeeper.web.pushing.push")


def _init_compression(app: Flask) -> None:
    from flask_compress import Compress

    app.config.setdefault("COMPRESS_STREAMS", False)
    Compress(app)
