"""Who asks: the network address of a request, behind the proxies that a setting names, and a mark of it.

The address itself is stored nowhere and logged nowhere: what counts by address has the mark.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterator

from flask import Flask, current_app, g, request

from ...config import Proxies
from ...limits import FORWARDED_ADDRESSES, WARNED_SECONDS
from ...logs import Sparing

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

HOME_BITS = 64
"""The first bits of an address of the newer kind: a home has all addresses that begin with them."""
AROUND_BITS = 48
"""The first bits of the networks around a home: who has one has many homes' addresses, hundreds of them or all."""
FORWARDING = ("X-Forwarded-For", "Forwarded", "X-Real-Ip", "Cf-Connecting-Ip", "True-Client-Ip", "X-Client-Ip", "Via")
"""Headers by which a proxy shows that it is one."""
_FORWARDING_KEYS = frozenset(f"HTTP_{name.upper().replace('-', '_')}" for name in FORWARDING)
WARNED = "scorekeeper.proxy_warned"


def read_address(text: str) -> Address | None:
    """Return the address in a text, with or without a port; None if there is none.

    One of the older kind that is written as one of the newer is the older one.
    """
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def network_of(address: Address) -> str:
    """Return the network that counts as one: the address itself, of the newer kind its first half."""
    if address.version == 4:
        return f"{address}/{address.max_prefixlen}"
    return str(ipaddress.ip_network((address, HOME_BITS), strict=False))


def client_network() -> str | None:
    """Return the network that sent this request; None if it cannot be known.

    That is the peer. A proxy that a setting names is believed: then it is the last address of ``X-Forwarded-For`` that
    is no such proxy. Where none is named, a peer in the host's own networks with the header of a proxy is one that
    nobody named: then it cannot be known, and the log says so. A public peer may send what it likes.
    """
    proxies: Proxies = current_app.config["PROXIES"]
    peer = read_address(request.remote_addr or "")
    if proxies:
        if not proxies.believe(peer):
            return network_of(peer) if peer else None
        client = _forwarded(proxies)
        if client is None:
            _warn("A proxy that SCOREKEEPER_PROXIES names does not say for whom it asks (X-Forwarded-For)")
        return network_of(client) if client else None
    if not _FORWARDING_KEYS.isdisjoint(request.environ) and (peer is None or not peer.is_global):
        _warn("Requests come by a proxy, and SCOREKEEPER_PROXIES names none")
        return None
    return network_of(peer) if peer else None


def _forwarded(proxies: Proxies) -> Address | None:
    """Return the last address that is no proxy; the first one if all are, None if there is no address."""
    found: Address | None = None
    for address in _addresses():
        if address is None:
            return None
        found = address
        if not proxies.believe(address):
            return found
    return found


def _addresses() -> Iterator[Address | None]:
    """Yield the addresses of ``X-Forwarded-For`` from its end; None for what is no address."""
    texts = request.headers.get("X-Forwarded-For", "").rsplit(",", FORWARDED_ADDRESSES)
    yield from map(read_address, reversed(texts))


def _known_network() -> str | None:
    """Return what ``client_network`` finds, worked out once a request."""
    if "client_network" not in g:
        g.client_network = client_network()
    known: str | None = g.client_network
    return known


def address_mark() -> str | None:
    """Return a mark of the network of this request, from which that cannot be worked out; None if it is not known."""
    known = _known_network()
    return None if known is None else _mark(known)


def mark_around() -> str | None:
    """Return a mark of the networks around that of this request; None for an address of IPv4."""
    known = _known_network()
    if known is None or ":" not in known:
        return None
    return _mark(str(ipaddress.ip_network(known).supernet(new_prefix=AROUND_BITS)))


def _mark(network: str) -> str:
    secret = str(current_app.secret_key).encode()
    return hmac.digest(secret, f"address {network}".encode(), "sha256").hex()


def init_addresses(app: Flask) -> None:
    """Give the app the memory of what it has warned of."""
    app.extensions[WARNED] = Sparing(seconds=WARNED_SECONDS)


def _warn(what: str) -> None:
    sparing: Sparing = current_app.extensions[WARNED]
    if sparing.next(what) is not None:
        words = "%s: nothing is counted by address, only for the host as a whole (docs/operations.md)."
        current_app.logger.warning(words, what)
