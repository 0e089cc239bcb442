"""Who asks: the peer, or whom a proxy names that a setting names; a header alone changes nothing for a stranger."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from flask import Flask

from scorekeeper.config import UnsafeConfiguration, load
from scorekeeper.web.base.addresses import address_mark, client_network

PUBLIC = "203.0.113.7"
OTHER = "198.51.100.9"
PROXY = "10.1.2.3"


def asking(app: Flask, peer: str, proxies: str = "", **headers: str) -> str | None:
    """Return the network that a request counts for."""
    app.config["PROXIES"] = load({"INSTANCE": app.config["INSTANCE"]}, {"SCOREKEEPER_PROXIES": proxies})["PROXIES"]
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with app.test_request_context(environ_base={"REMOTE_ADDR": peer}, headers=named):
        return client_network()


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        (PUBLIC, f"{PUBLIC}/32"),
        (f"::ffff:{PUBLIC}", f"{PUBLIC}/32"),
        ("2001:db8:1:2:aaaa:bbbb:cccc:dddd", "2001:db8:1:2::/64"),
        ("what", None),
    ],
)
def test_it_is_the_peer_and_of_the_newer_kind_its_network(app: Flask, peer: str, network: str | None) -> None:
    assert asking(app, peer) == network


# The documentation's own addresses are no public ones.
@pytest.mark.parametrize("header", ["X_Forwarded_For", "Forwarded"])
def test_a_stranger_changes_nothing_by_a_header(app: Flask, header: str) -> None:
    for peer in ("9.9.9.9", "2620:fe::fe"):
        assert asking(app, peer, **{header: OTHER}) == asking(app, peer)


@pytest.mark.parametrize("peer", ["127.0.0.1", "10.0.0.5", "fd00::1"])
def test_a_proxy_that_nobody_named_makes_who_asks_unknown_and_says_so_once(
    app: Flask, peer: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(5):
            assert asking(app, peer, X_Forwarded_For=f"203.0.113.{number}") is None
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert "SCOREKEEPER_PROXIES" in lines[0]
    assert "203.0.113" not in lines[0]


@pytest.mark.parametrize(
    ("forwarded", "network"),
    [
        (PUBLIC, f"{PUBLIC}/32"),
        (f"{OTHER}, {PUBLIC}", f"{PUBLIC}/32"),
        (f"{OTHER}, {PUBLIC}, 10.9.9.9", f"{PUBLIC}/32"),
        (f"{OTHER}, what", None),
        ("10.0.0.9", "10.0.0.9/32"),
        ('"[2001:db8:1:2::9]:443"', "2001:db8:1:2::/64"),
        (f"{OTHER}, " * 400 + PUBLIC, f"{PUBLIC}/32"),
    ],
)
def test_a_named_proxy_is_believed_about_the_last_address_that_is_no_proxy(
    app: Flask, forwarded: str, network: str | None
) -> None:
    assert asking(app, PROXY, "10.0.0.0/8", X_Forwarded_For=forwarded) == network


def test_a_proxy_may_be_an_address_of_any_kind_or_a_socket(app: Flask) -> None:
    for peer, proxies in (
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "10.0.0.1, ::1"),
        ("", "unix"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
    ):
        assert asking(app, peer, proxies, X_Forwarded_For=PUBLIC) == f"{PUBLIC}/32"


def test_where_proxies_are_named_nobody_else_is_one(app: Flask) -> None:
    assert asking(app, "192.168.1.20", "10.0.0.0/8", X_Forwarded_For=PUBLIC) == "192.168.1.20/32"
    assert asking(app, PUBLIC, "10.0.0.0/8", X_Forwarded_For=OTHER) == f"{PUBLIC}/32"


@pytest.mark.parametrize("value", ["proxy.example", "10.0.0.1/8"])
def test_what_is_no_network_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(UnsafeConfiguration, match="SCOREKEEPER_PROXIES"):
        load({"INSTANCE": tmp_path}, {"SCOREKEEPER_PROXIES": value})


@pytest.mark.parametrize("value", ["on", "redis://host:port/0"])
def test_what_is_no_place_to_count_in_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(UnsafeConfiguration, match="SCOREKEEPER_BRAKES"):
        load({"INSTANCE": tmp_path}, {"SCOREKEEPER_BRAKES": value})


def test_each_brake_has_a_setting(tmp_path: Path) -> None:
    settings = {"SCOREKEEPER_NEW_TABLES": "0", "SCOREKEEPER_ADDRESS_STREAMS": "7"}
    braked = load({"INSTANCE": tmp_path}, settings)["BRAKED"]
    assert (braked["NEW_TABLES"], braked["ADDRESS_STREAMS"], braked["WRONG_KEYS"]) == (0, 7, 60)
    with pytest.raises(UnsafeConfiguration, match="SCOREKEEPER_WRONG_KEYS"):
        load({"INSTANCE": tmp_path}, {"SCOREKEEPER_WRONG_KEYS": "-1"})


def test_the_mark_of_an_address_does_not_show_it(app: Flask) -> None:
    with app.test_request_context(environ_base={"REMOTE_ADDR": PUBLIC}):
        mark = address_mark()
    with app.test_request_context(environ_base={"REMOTE_ADDR": OTHER}):
        other = address_mark()
    assert mark is not None
    assert other is not None
    assert mark != other
    assert len(mark) == 64
    assert PUBLIC not in mark
