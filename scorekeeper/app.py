"""Make the web app from its settings, the store, the base of every page, and the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Flask

from . import config
from .assets import init_assets
from .config import data_folder
from .logs import mask_all_logs
from .store import init_store
from .web.api import engine, sync
from .web.api import tables as api_tables
from .web.api.cors import init_cors
from .web.base import i18n
from .web.base.access import init_access
from .web.base.addresses import init_addresses
from .web.base.brakes import init_brakes
from .web.base.by_facts import init_by_facts
from .web.base.cookies import init_cookies
from .web.base.errors import init_errors
from .web.base.files import init_files
from .web.base.gone import init_gone
from .web.base.heard import init_heard
from .web.base.hosts import init_hosts
from .web.base.i18n import init_i18n
from .web.base.opened import init_opened
from .web.base.other_sites import init_other_sites
from .web.base.packed import init_packing
from .web.base.page_cache import init_page_cache
from .web.base.request_bounds import init_request_bounds
from .web.base.security import init_security
from .web.base.seen import init_seen
from .web.match.link_preview import init_link_preview
from .web.pages import (
    agreement,
    boards,
    captures,
    cards,
    changes,
    closing,
    dealing,
    deals,
    history,
    home,
    house_rules,
    imports,
    journal,
    live,
    matches,
    moved,
    new_match,
    owner,
    people,
    players,
    prime,
    privacy,
    pwa,
    rules,
    seats,
    sharing,
    table_file,
    tables,
    this_phone,
    this_table,
    typed_result,
    zone,
)
from .web.templating import init_templating

BLUEPRINTS = (
    home.bp,
    tables.bp,
    this_phone.bp,
    this_table.bp,
    owner.bp,
    people.bp,
    moved.bp,
    zone.bp,
    new_match.bp,
    imports.bp,
    typed_result.bp,
    matches.bp,
    history.bp,
    table_file.bp,
    closing.bp,
    deals.bp,
    dealing.bp,
    seats.bp,
    house_rules.bp,
    live.bp,
    boards.bp,
    captures.bp,
    cards.bp,
    sharing.bp,
    players.bp,
    agreement.bp,
    changes.bp,
    journal.bp,
    prime.bp,
    privacy.bp,
    rules.bp,
    i18n.bp,
    engine.bp,
    sync.bp,
    api_tables.bp,
    pwa.bp,
)
"""One blueprint per noun. Their order does not matter, because no two share an address."""


class App(Flask):
    """The web app. None of its functions is a coroutine, so nothing looks for one at every step of a request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function as it is."""
        return func


def create_app(overrides: Mapping[str, Any] | None = None) -> Flask:
    """Return a new app; ``overrides`` replace settings of the environment (see ``config.load``)."""
    app = App("scorekeeper", static_folder=None, template_folder=str(data_folder() / "templates"))
    app.config.from_mapping(config.load(overrides))
    app.logger  # noqa: B018  (made at the first use, with a handler whose log must be masked too)
    mask_all_logs()
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    init_assets(app)
    init_store(app)
    csrf = init_cookies(app)
    # The API needs the key and reads no cookie, so no other site can write through it in a reader's name.
    csrf.exempt(engine.ask)
    csrf.exempt(sync.push)
    csrf.exempt(api_tables.open_table)
    init_packing(app)
    # These check a request in this order.
    init_files(app)
    init_request_bounds(app)
    init_addresses(app)
    init_other_sites(app)
    init_brakes(app)
    init_access(app)
    init_gone(app)
    init_heard(app)
    init_opened(app)
    init_seen(app)
    init_i18n(app)
    init_page_cache(app)
    init_by_facts(app)
    init_templating(app)
    init_link_preview(app)
    init_security(app)
    init_cors(app)
    init_errors(app)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
    # Last, because it wraps the whole app.
    init_hosts(app)
    return app
