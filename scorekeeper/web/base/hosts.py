"""Refuses a request that names an impossible host, because the host goes into links and QR codes."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from flask import Flask

from .security import HEADERS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LONGEST = 253
"""The most letters of a host's name in the domain name system; a part between two dots may have 63."""

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


def init_hosts(app: Flask) -> None:
    """Answer a request that names no possible host with 400 in plain text, before anything else reads it."""
    inner = app.wsgi_app

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # A request without the header (HTTP/1.0) reached the app under the server's own name.
        if is_host(str(environ.get("HTTP_HOST", environ["SERVER_NAME"]))):
            return inner(environ, start_response)
        body = b"This request names no host that could be (Host).\n"
        headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
        headers += [*HEADERS.items(), ("Cache-Control", "no-store"), ("Connection", "close")]
        start_response("400 Bad Request", headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    _put(app, checked)


def _put(app: Any, application: WSGIApplication) -> None:
    app.wsgi_app = application
