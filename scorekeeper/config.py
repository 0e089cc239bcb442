"""Settings, read from the environment. Unsafe or unreadable ones are refused."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from . import app_secrets, file_modes, limits

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent
"""The folder the package is in: the checkout, or ``site-packages`` where a wheel was installed."""
PACKED = PACKAGE / "_data"
"""The folder of ``templates``, ``static`` and ``translations`` in a wheel; a checkout has none."""
ORIGIN = re.compile(r"https?://(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")
"""A scheme, a host and perhaps a port, and nothing else."""
HOST_ONLY = "__Host-"
"""The beginning of a cookie's name that browsers take from this host alone, over HTTPS and for all of its paths."""


class UnsafeConfiguration(Exception):
    """A setting puts the tables at risk, or cannot be read; the message says what to set."""


@dataclass(frozen=True)
class Proxies:
    """The proxies that are believed about whom they ask for; none is the usual."""

    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()
    socket: bool = False
    """True if one that asks by a socket of this machine, which has no address, is believed."""

    def __bool__(self) -> bool:
        return bool(self.networks or self.socket)

    def believe(self, peer: ipaddress.IPv4Address | ipaddress.IPv6Address | None) -> bool:
        """Return whether a peer is one of them; None is one without an address."""
        return self.socket if peer is None else any(peer in network for network in self.networks)


def data_folder() -> Path:
    """Return the folder of ``templates``, ``static`` and ``translations``, which the app only reads.

    It is inside the package of a wheel, and beside the package in a checkout, also after ``pip install -e``.
    """
    return PACKED if PACKED.is_dir() else ROOT


def default_instance(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the database and the secret if ``SCOREKEEPER_INSTANCE`` names none.

    In a checkout this is its folder ``instance``. An installed package may be read-only and is deleted with its virtual
    environment, so its folder is ``~/.local/share/scorekeeper`` (``XDG_DATA_HOME`` moves it).
    """
    if not PACKED.is_dir():
        return ROOT / "instance"
    return Path(environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "scorekeeper"


def places(instance: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the settings that say where the data are: the instance folder and the database. Nothing is made.

    Raises ``UnsafeConfiguration``.
    """
    chosen = environ.get("SCOREKEEPER_INSTANCE") if instance is None else instance
    folder = Path(default_instance(environ) if chosen is None else chosen).resolve()
    url = environ.get("DATABASE_URL") or f"sqlite:///{folder / file_modes.DATABASE}"
    return {"INSTANCE": str(folder), "SQLALCHEMY_DATABASE_URI": _readable(_with_driver(url))}


def secret_file(instance: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the file with the app's secret; there is none where ``SECRET_KEY`` has it."""
    return Path(places(instance, environ)["INSTANCE"]) / file_modes.SECRET


def has_secret(instance: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> bool:
    """Return whether the app has a secret already. Nothing is made."""
    return bool(environ.get("SECRET_KEY")) or secret_file(instance, environ).exists()


def make_secret() -> None:
    """Make a secret in the instance folder if the app has none. Raises ``OSError``."""
    if not has_secret():
        file_modes.make_folder(secret_file().parent)
        _made_secret(secret_file().parent)


def load(overrides: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ) -> dict[str, Any]:
    """Return the app's settings: defaults, then the environment, then ``overrides``.

    ``docs/operations.md`` says what each variable of the environment means, and what it is unless set.
    Raises ``UnsafeConfiguration``, and ``OSError`` if the folder cannot be made or read.
    """
    given = dict(overrides or {})
    where = places(given.pop("INSTANCE", None), environ)
    instance = Path(where["INSTANCE"])
    file_modes.make_folder(instance)
    settings: dict[str, Any] = {
        **where,
        **_address_and_cookies(environ),
        "SECRET_KEY": environ.get("SECRET_KEY"),
        "SECRET_KEY_FALLBACKS": _fallbacks(environ.get("SECRET_KEY_FALLBACKS", "")),
        "MAX_CONTENT_LENGTH": limits.REQUEST_BYTES,
        "MAX_FORM_MEMORY_SIZE": limits.FORM_BYTES,
        # A form that is open for a whole evening must still be accepted.
        "WTF_CSRF_TIME_LIMIT": None,
        "WTF_CSRF_SSL_STRICT": False,
        "TEMPLATES_AUTO_RELOAD": False,
        **_bounds(environ),
        "PROXIES": _proxies(environ.get("SCOREKEEPER_PROXIES", "")),
        "CORS": _origins(environ.get("SCOREKEEPER_CORS", "")),
        # True if the server prints every request; the page about privacy says so.
        "ACCESS_LOG": False,
        # How many times longer than a page a command waits for the database.
        "PATIENCE": 1,
        # Seconds; a stream ends after one to two times as many, and the phone opens another.
        "LIVE_SECONDS": 60,
    }
    settings.update(given)
    return settings | _secrets(settings["SECRET_KEY"], settings["SECRET_KEY_FALLBACKS"], instance)


def _secrets(secret: str | None, earlier: list[str], instance: Path) -> dict[str, Any]:
    """Return the settings of the secrets; without a secret they come from the file in the instance folder, too."""
    followed = None
    if not secret:
        followed = app_secrets.Followed(_made_secret(instance), earlier)
        secret, earlier = followed.read()
    if len(secret) < limits.SECRET_LETTERS:
        raise UnsafeConfiguration(f"SECRET_KEY must have at least {limits.SECRET_LETTERS} characters.")
    # A running app reads the file again once it has changed; without one its secret stays as it is.
    return {"SECRET_KEY": secret, "SECRET_KEY_FALLBACKS": earlier, "FOLLOWED_SECRETS": followed}


def _address_and_cookies(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the app's own address, and what the cookies of phones are like there."""
    address = own_address(environ)
    is_https = address.startswith("https://")
    return {
        # Without a slash at its end; "" for the address by which each request reaches the app.
        "URL": address,
        "SESSION_COOKIE_NAME": f"{HOST_ONLY if is_https else ''}scorekeeper",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": _says_https(environ) or is_https,
        "PERMANENT_SESSION_LIFETIME": limits.COOKIE_DAYS * 24 * 3600,
        # The cookie is renewed once a month (``remembered.remember``), not with every page.
        "SESSION_REFRESH_EACH_REQUEST": False,
    }


def brakes() -> dict[str, int]:
    """Return the bound of every brake unless ``SCOREKEEPER_`` and its name set another; 0 is none.

    ``NEW_TABLES`` and ``HOST_NEW_TABLES`` are tables an hour, ``WRONG_KEYS`` is keys a minute, ``ENGINE_SECONDS`` and
    ``HOST_ENGINE_SECONDS`` are seconds of a processor a minute, ``TABLE_STREAMS`` and ``ADDRESS_STREAMS`` are live
    streams at once, ``CONNECTIONS`` is connections at once to one process of ``scorekeeper serve``. Those without
    another word are of one network address.
    """
    return {
        "NEW_TABLES": limits.NEW_TABLES,
        "HOST_NEW_TABLES": limits.HOST_NEW_TABLES,
        "WRONG_KEYS": limits.WRONG_KEYS,
        "ENGINE_SECONDS": limits.ENGINE_SECONDS,
        "HOST_ENGINE_SECONDS": round(60 * limits.ENGINE_SHARE * _cores()),
        "TABLE_STREAMS": limits.TABLE_STREAMS,
        "ADDRESS_STREAMS": limits.ADDRESS_STREAMS,
        "CONNECTIONS": limits.CONNECTIONS,
    }


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _number(environ: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    """Return a setting as a whole number, ``usual`` if it is missing or blank."""
    text = environ.get(name, "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most)) and least <= int(text) <= most):
        raise UnsafeConfiguration(f"{name} must be a whole number from {least} to {most}.")
    return int(text)


def _bounds(environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings that bound what is done: streams, connections, brakes, the months of a table."""
    return {
        "LIVE_STREAMS": _number(environ, "SCOREKEEPER_LIVE_STREAMS", limits.LIVE_STREAMS, 0, limits.MOST_STREAMS),
        "POOL": _number(environ, "SCOREKEEPER_POOL", limits.POOL_CONNECTIONS, 1, limits.MOST_CONNECTIONS),
        "BRAKES": _counted_where(environ.get("SCOREKEEPER_BRAKES", "").strip()),
        "BRAKED": {
            name: _number(environ, f"SCOREKEEPER_{name}", usual, 0, limits.MOST_BRAKED)
            for name, usual in brakes().items()
        },
        # The memory that the processes of a server share (``brakes.memory``); None for one of this process alone.
        "BRAKES_MEMORY": None,
        # After how many months without an opening tables are deleted; 0 is never.
        "EXPIRE_MONTHS": _months(environ),
    }


def _months(environ: Mapping[str, str]) -> int:
    """Return after how many months tables expire; 0 is never. Refuses so few that nobody could be warned before."""
    name, (fewest, most) = "SCOREKEEPER_EXPIRE_MONTHS", limits.EXPIRE_MONTHS
    months = _number(environ, name, 0, 0, most)
    if 0 < months < fewest:
        raise UnsafeConfiguration(f"{name} must be 0 (never) or a whole number from {fewest} to {most}.")
    return months


def _origins(text: str) -> frozenset[str]:
    """Return the origins of a list, as browsers write them. Refuses what is no origin, and "every site"."""
    origins = text.lower().replace(",", " ").split()
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise UnsafeConfiguration(
                f"SCOREKEEPER_CORS has {origin[:80]!r}, which is no origin. Name each site that may read the API, "
                "such as https://club.example or http://localhost:5173, without a path; * and null are not taken, "
                "because any page that a player opens could then ask this server in the player's network."
            )
    return frozenset(origins)


def own_address(environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the app that ``SCOREKEEPER_URL`` names, as browsers write it; "" if it names none.

    Raises ``UnsafeConfiguration`` for what is no address, and for one that ``SCOREKEEPER_HTTPS`` contradicts.
    """
    address = environ.get("SCOREKEEPER_URL", "").strip().lower()
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        # Of an address in brackets this is without them, and it raises ValueError for a port that cannot be.
        host, port = parts.hostname or "", parts.port
        if "[" in address:
            host = f"[{ipaddress.IPv6Address(host)}]"
        if not ORIGIN.fullmatch(address) or port == 0 or not all(host.split(".")):
            raise ValueError
    except ValueError:
        # Not quoted: a link of a table, with its key, would be no address of a server.
        raise UnsafeConfiguration(
            "SCOREKEEPER_URL is no address of a server. It looks like https://cards.example or "
            "http://192.168.1.20:8000, without a path and without a slash at its end."
        ) from None
    if parts.scheme == "http" and _says_https(environ):
        raise UnsafeConfiguration(
            "SCOREKEEPER_URL begins with http:// and SCOREKEEPER_HTTPS=1 says that phones come over HTTPS: "
            "write https:// where they do, and leave out SCOREKEEPER_HTTPS, which is needless beside SCOREKEEPER_URL."
        )
    usual = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, usual) else "")


def _says_https(environ: Mapping[str, str]) -> bool:
    """Return whether the proxy in front speaks HTTPS. Refuses what is neither yes nor no: cookies would go in clear."""
    text = environ.get("SCOREKEEPER_HTTPS", "").strip()
    if text not in ("", "0", "1"):
        raise UnsafeConfiguration("SCOREKEEPER_HTTPS must be 1 (a proxy speaks HTTPS) or 0.")
    return text == "1"


def _proxies(text: str) -> Proxies:
    """Return the proxies of a list of networks. Refuses what is no network."""
    networks = []
    names = text.replace(",", " ").split()
    for name in names:
        if name == "unix":
            continue
        try:
            networks.append(ipaddress.ip_network(name))
        except ValueError:
            raise UnsafeConfiguration(
                f"SCOREKEEPER_PROXIES has {name[:80]!r}, which is no network. Name the proxies that are believed about "
                "a phone's address, such as 127.0.0.1 or 10.0.0.0/8, with a space between; unix is one at a socket."
            ) from None
    return Proxies(tuple(networks), "unix" in names)


def _counted_where(text: str) -> str:
    """Return where brakes count: "off", the address of a Redis, or "" for this host's memory. Refuses anything else.

    The refusal does not quote it: it may hold a password.
    """
    if text in ("", "off"):
        return text
    if not text.startswith(("redis://", "rediss://", "redis+unix://")):
        raise UnsafeConfiguration("SCOREKEEPER_BRAKES is neither off nor the address of a Redis (redis://host:6379/0).")
    # Only a host that uses it needs the package.
    try:
        from redis import ConnectionPool
    except ModuleNotFoundError:
        words = "SCOREKEEPER_BRAKES needs the package redis: install the app with its extra 'redis'."
        raise UnsafeConfiguration(words) from None
    try:
        ConnectionPool.from_url(text.replace("redis+unix", "unix"))
    except ValueError:
        raise UnsafeConfiguration("SCOREKEEPER_BRAKES is no address of a Redis: redis://host:6379/0") from None
    return text


def _readable(url: str) -> str:
    """Return the address of a database, or refuse it. The refusal does not quote it: it may hold a password."""
    # The engine's commands run without SQLAlchemy.
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        address = make_url(url)
        address.get_dialect()
        if address.get_backend_name() not in ("sqlite", "postgresql"):
            raise NoSuchModuleError
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise UnsafeConfiguration(
            "DATABASE_URL is no address of PostgreSQL or SQLite. It looks like "
            "postgresql://user:password@host/database or sqlite:////srv/scorekeeper.db"
        ) from None
    except ModuleNotFoundError as error:
        raise UnsafeConfiguration(f"DATABASE_URL needs the package {error.name}, which is not installed.") from None
    return url


def _with_driver(url: str) -> str:
    """Return the address with the installed PostgreSQL driver; hosts give ``postgres://`` addresses."""
    for prefix in ("postgres://", "postgresql://"):
        if url.startswith(prefix):
            return "postgresql+psycopg://" + url.removeprefix(prefix)
    return url


def _fallbacks(text: str) -> list[str]:
    """Return the secrets of a list, or refuse it. The refusal does not quote them."""
    try:
        secrets_named = json.loads(text) if text.lstrip().startswith("[") else text.split()
    except ValueError:
        secrets_named = None
    if not isinstance(secrets_named, list) or not all(
        isinstance(each, str) and len(each) >= limits.SECRET_LETTERS for each in secrets_named
    ):
        raise UnsafeConfiguration(
            f"SECRET_KEY_FALLBACKS names secrets of at least {limits.SECRET_LETTERS} characters with a space between; "
            'if one has a space in it, write all of them as a list of JSON: ["…", "…"].'
        )
    if len(secrets_named) > limits.SECRETS:
        raise UnsafeConfiguration(f"SECRET_KEY_FALLBACKS names more than {limits.SECRETS} secrets.")
    return secrets_named


def _made_secret(instance: Path) -> Path:
    """Return the file of the secret in the instance folder, and make it if there is none.

    Two processes that start at the same moment get the same secret.
    """
    path = instance / file_modes.SECRET
    if not path.exists():
        # Linked into its place when it is whole, so that no other process reads half of it.
        descriptor, whole = tempfile.mkstemp(dir=instance)
        try:
            with os.fdopen(descriptor, "w") as file:
                file.write(new_secret())
            with suppress(FileExistsError):
                os.link(whole, path)
        finally:
            os.unlink(whole)
    return path


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(48)
