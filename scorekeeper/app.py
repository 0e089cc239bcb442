"""The web app, put together: settings, store, what surrounds every page, and the pages themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Flask
from flask_compress import Compress

from . import config
from .assets import init_assets
from .config import data_folder
from .logs import keep_discreet
from .store import init_store
from .web import (
    api,
    boards,
    deals,
    i18n,
    installed,
    journals,
    live,
    matches,
    owner,
    phone,
    players,
    pushing,
    referee,
    rules_pages,
    settling,
    sharing,
    tables,
)
from .web.access import init_access
from .web.cookies import init_cookies
from .web.errors import init_errors
from .web.hosts import init_hosts
from .web.i18n import init_i18n
from .web.incoming import init_incoming
from .web.kept import init_kept
from .web.security import init_security
from .web.templating import init_templating

BLUEPRINTS = (
    tables.bp,
    phone.bp,
    owner.bp,
    matches.bp,
    deals.bp,
    live.bp,
    boards.bp,
    sharing.bp,
    players.bp,
    settling.bp,
    journals.bp,
    referee.bp,
    rules_pages.bp,
    i18n.bp,
    api.bp,
    pushing.bp,
    installed.bp,
)
"""One blueprint per noun. The order decides nothing: no two share an address."""


def create_app(overrides: Mapping[str, Any] | None = None) -> Flask:
    """Return the app, with ``overrides`` over the settings of the environment (see ``config.load``)."""
    app = Flask("scorekeeper", static_folder=None, template_folder=str(data_folder() / "templates"))
    app.config.from_mapping(config.load(overrides))
    app.logger  # noqa: B018  (made when it is first asked for, with a handler of its own)
    keep_discreet()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    init_assets(app)
    init_store(app)
    csrf = init_cookies(app)
    # The API carries no cookie and trusts none: a key in the address or nothing.
    csrf.exempt(api.ask)
    csrf.exempt(pushing.push)
    app.config.setdefault("COMPRESS_STREAMS", False)
    Compress(app)
    # The order of these decides which check of a request comes first.
    init_incoming(app)
    init_access(app)
    init_i18n(app)
    init_kept(app)
    init_templating(app)
    init_security(app)
    init_errors(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    # Wraps the whole app, so it comes last.
    init_hosts(app)
    return app
