"""Whoever reads the log gets into no table, and is not buried in it."""

from __future__ import annotations

import io
import logging
import sys

import pytest

from scorekeeper.logs import MASK_KEYS, Sparing, masked

KEY = "Ab0-_efGHijklMNopqrsTU"


@pytest.mark.parametrize(
    "text",
    [
        f"GET /t/{KEY} HTTP/1.1",
        f"GET /w/{KEY}/matches/1?v=1.2 HTTP/1.1",
        f"GET //t//{KEY} HTTP/1.1",
        f"GET /%74/{KEY} HTTP/1.1",
        f"GET /%77%2F{KEY} HTTP/1.1",
        f"GET /%2574%252F{KEY} HTTP/1.1",
        f"GET /t/{''.join(f'%{ord(letter):02x}' for letter in KEY)} HTTP/1.1",
        f"[parameters: ('{KEY}', 'Ana')]",
        f'DETAIL:  Key (play_key)=({KEY}) already exists. "Ana"',
        f"Request path '/o/{KEY}' does not start with SCRIPT_NAME '/x'",
        f"Authorization: Bearer {KEY}",
    ],
)
def test_a_key_is_masked_however_it_is_spelt(text: str) -> None:
    assert KEY not in masked(text)
    assert "".join(f"%{ord(letter):02x}" for letter in KEY) not in masked(text)
    assert "Ana" not in masked(text)
    assert "…" in masked(text)


@pytest.mark.parametrize(
    "text",
    [
        "GET /rules/scopa HTTP/1.1",
        'File "/usr/lib/python3.11/site-packages/flask/app.py", line 917, in full_dispatch_request_',
        "0d1f0a3e-6f0c-4b1e-9a76-0d7a1f0b7f7e",
        "/static/css/app.0123456789ab.css 100%",
    ],
)
def test_nothing_else_is(text: str) -> None:
    assert masked(text) == text


def test_no_line_can_be_forged_by_what_is_masked() -> None:
    assert "\n" not in masked(f"GET /t/{KEY}%0Aroot:was:here HTTP/1.1")


def test_a_trace_is_masked_too() -> None:
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    handler.addFilter(MASK_KEYS)
    try:
        raise ValueError(f"/t/{KEY}")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "at %s", (f"/o/{KEY}",), sys.exc_info())
    handler.handle(record)
    assert "ValueError" in said.getvalue()
    assert KEY not in said.getvalue()


def test_a_fault_is_told_once_a_minute_with_how_often_it_was_met() -> None:
    times = iter([0.0, 1.0, 59.0, 60.5, 61.0])
    sparing = Sparing(clock=lambda: next(times))
    assert [sparing.next("full") for _turn in range(5)] == [0, None, None, 2, None]


def test_faults_are_told_apart() -> None:
    sparing = Sparing(clock=lambda: 0.0)
    assert [sparing.next(cause) for cause in ("full", "away", "full")] == [0, 0, None]
