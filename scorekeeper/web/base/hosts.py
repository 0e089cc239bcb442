"""The name under which a request reached the app goes into links and QR codes: what is no name of a host stops here."""

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
"""Letters of a host's name, as the name system has it; a part between two dots has 63."""

_HOST = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?P<port>[0-9]{1,5}))?", re.ASCII)
_PART = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)", re.ASCII)


def is_host(told: str) -> bool:
    """Say whether this can be the name or number of a host, with its port or without."""
    found = _HOST.fullmatch(told)
    if found is None or int(found["port"] or 0) > 65535:
        return False
    name = found["name"]
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
        # Letters of another alphabet, spelt with these: not everything that looks so is.
        return bool(part[4:].encode().decode("punycode")) and bool(part.encode().decode("idna"))
    except UnicodeError:
        return False


def init_hosts(app: Flask) -> None:
    """Answer 400 in plain text, before anything else reads the request, where it names no host."""
    inner = app.wsgi_app

    def checked(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        # A request without the header (HTTP/1.0) is answered under the address that it came to.
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
