"""The host that a request names: it goes into links and QR codes, so an impossible or a wrong one is refused.

Where a setting says by which address phones reach the app (``URL``), no other host is answered, and every request
counts as one to that address: no header chooses what is in links, or what is compared with the app's own host.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from flask import Flask, current_app, request

from .security import HEADERS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST = 253
"""The most letters of a host's name in the domain name system; a part between two dots may have 63."""

OWN_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names under which a machine asks itself, as a check of its health does."""

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
_PART = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)", re.ASCII)


def is_host(text: str) -> bool:
    """Return whether a text can be the name or address of a host, with or without a port."""
    host = _HOST.fullmatch(text)
    if host is None or int(host["port"] or 0) > 65535:
        return False
    name = host["name"]
    if name.startswith("["):
        return _is_ipv6(name[1:-1])
    return len(name) <= LONGEST and all(map(_is_part, name.removesuffix(".").split(".")))


def _is_ipv6(number: str) -> bool:
    try:
        ipaddress.IPv6Address(number)
    except ValueError:
        return False
    return True


def _is_part(part: str) -> bool:
    if not _PART.fullmatch(part):
        return False
    if not part.lower().startswith("xn--"):
        return True
    try:
        # Other alphabets are spelt as xn-- and ASCII letters; not every such spelling has a meaning.
        return bool(part[4:].encode().decode("punycode")) and bool(part.encode().decode("idna"))
    except UnicodeError:
        return False


def name_of(text: str) -> str:
    """Return the name of a host without its port, in the one spelling that is compared."""
    host = _HOST.fullmatch(text)
    if host is None:
        return ""
    name = host["name"].lower().removesuffix(".")
    return f"[{ipaddress.IPv6Address(name[1:-1])}]" if name.startswith("[") and _is_ipv6(name[1:-1]) else name


def is_own_origin(origin: str) -> bool:
    """Return whether a page of this origin is one of the app's own."""
    address: str = current_app.config["URL"]
    if address:
        return origin == address
    # A proxy may speak HTTPS where the app is asked over HTTP.
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:
        return False


def init_hosts(app: Flask) -> None:
    """Answer a request that names no possible host, or another one than the app's, before anything else reads it.

    The answer is 400 in plain text. A request without a name of a host (HTTP/1.0) names no other one.
    """
    inner, address = app.wsgi_app, app.config["URL"]
    own = urlsplit(address)

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # A request without the header reached the app under the server's own name.
        if not is_host(str(environ.get("HTTP_HOST", environ["SERVER_NAME"]))):
            return _refuse("This request names no host that could be (Host).\n", environ, start_response)
        if address:
            if not _is_for(name_of(own.netloc), environ):
                words = (
                    f"This server is at {address} and nowhere else: open that address.\n"
                    f"Este servidor está en {address} y en ningún otro lado: abre esa dirección.\n"
                )
                return _refuse(words, environ, start_response)
            environ["HTTP_HOST"], environ["wsgi.url_scheme"] = own.netloc, own.scheme
        return inner(environ, start_response)

    _put(app, checked)


def _is_for(own: str, environ: WSGIEnvironment) -> bool:
    """Return whether a request is for the host of this name: it names it, or none, or comes from the same machine.

    The port is of no account: some proxies leave it out, and links have that of the setting.
    """
    if "HTTP_HOST" not in environ:
        return True
    name = name_of(environ["HTTP_HOST"])
    return name == own or (name in OWN_NAMES and _is_from_this_machine(environ.get("REMOTE_ADDR", "")))


def _is_from_this_machine(peer: str) -> bool:
    """Return whether the peer of a connection is on this machine; one at a socket has no address."""
    try:
        return not peer or ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False


def _refuse(words: str, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    body = words.encode()
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    headers += [*HEADERS.items(), ("Cache-Control", "no-store"), ("Connection", "close")]
    start_response("400 Bad Request", headers)
    return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]


def _put(app: Any, application: WSGIApplication) -> None:
    app.wsgi_app = application
