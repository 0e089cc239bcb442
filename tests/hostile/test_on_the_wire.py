"""What only a raw connection can send: bad hosts, odd paths, headers of proxies, bodies too large or in pieces."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask import Flask

from scorekeeper.app import create_app

from ..conftest import SECRET, close
from ..helpers.serving import serving
from .hall import open_hall
from .watching import LARGEST_ANSWER

pytestmark = pytest.mark.whole

PATIENCE = 30


@dataclass(frozen=True)
class Served:
    """The hall behind a real server."""

    address: str
    key: str
    owner: str
    log: Path

    def send(self, raw: bytes) -> tuple[int, bytes]:
        """Send bytes as they are; return the status and the whole answer (0 where the connection was just closed)."""
        url = urlsplit(self.address)
        with socket.create_connection((url.hostname, url.port), PATIENCE) as connection:
            connection.sendall(raw)
            answer = b""
            try:
                while piece := connection.recv(65536):
                    answer += piece
            except ConnectionResetError:
                pass
        status = answer.split(b" ", 2)[1] if answer.startswith(b"HTTP/") else b"0"
        return int(status), answer


def raw(start: str, *headers: str, body: bytes = b"", host: str | None = "localhost") -> bytes:
    """Write a request by hand."""
    lines = [f"{start} HTTP/1.1", *([] if host is None else [f"Host: {host}"]), "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


@pytest.fixture(scope="module")
def served(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of these: what one request does to it the next would notice."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(furnished, folder / "scorekeeper.db")
    app: Flask = create_app({"INSTANCE": folder, "SECRET_KEY": SECRET})
    keys = open_hall(app).tables["chorizo"]
    close(app)
    with serving(folder, SECRET_KEY=SECRET, DATABASE_URL=os.environ.get("DATABASE_URL", "")) as address:
        yield Served(address, keys.play, keys.owner, folder / "server.log")


BAD_HOSTS = ("xn--", "a..b", "x" * 64 + ".example", "a b", "x@y", "", "[", "a:b:c", "localhost:99999", "\xff")
BIG = 2_000_000


def requests_of(served: Served) -> dict[str, bytes]:
    """Return the requests by what they are."""
    key, owner = served.key, served.owner
    form = "Content-Type: application/x-www-form-urlencoded"
    small = b"3\r\na=b\r\n0\r\n\r\n"
    hosts = {f"host {host!r}": raw(f"GET /o/{owner}", host=host) for host in BAD_HOSTS}
    nowhere = {f"nowhere at host {host!r}": raw(f"GET /o/{'x' * 22}?k=1", host=host) for host in BAD_HOSTS}
    return {
        **hosts,
        **nowhere,
        "no host": raw(f"GET /t/{key}", host=None),
        "two hosts": raw(f"GET /t/{key}", "Host: other"),
        "a mount of a proxy": raw(f"GET /o/{owner}", "SCRIPT_NAME: /x"),
        "a mount that is the path": raw(f"GET /o/{owner}", f"SCRIPT_NAME: /o/{owner}"),
        "a path of a proxy": raw(f"GET /o/{owner}", "PATH_INFO: /\x01", "REMOTE_USER: x"),
        "forwarded": raw("GET /", "X-Forwarded-Proto: https", "X-Forwarded-Prefix: /x", "Forwarded: host=evil"),
        "a letter of the path in its code": raw(f"GET /%74/{key}"),
        "a key that is told in other headers": raw("GET /", f"Referer: http://h/o/{owner}", f"User-Agent: {key}"),
        "a key in a header that is none": raw(f"GET /t/{key}", f"Bad Header {key}: x"),
        "a key in its code": raw("GET /t/" + "".join(f"%{ord(one):02X}" for one in key)),
        "slashes in their code": raw(f"GET /t%2F{key}%2Fhistory"),
        "slashes doubled": raw(f"GET //t//{key}"),
        "NUL for a key": raw("GET /t/%00"),
        "NUL after a key": raw(f"GET /t/{key}%00"),
        "NUL in the query": raw(f"GET /t/{key}/history?before=%00"),
        "NUL as it is": raw("GET /t/\0"),
        "a file called NUL": raw("GET /static/%00"),
        "no UTF-8": raw("GET /t/%ff%fe%c0"),
        "an address of another server": raw(f"GET http://evil.example/t/{key}"),
        "an address of 8,000 letters": raw("GET /" + "x" * 8_000),
        "a query of 8,000 letters": raw("GET /captures?" + "layout=1O&" * 800),
        "2,000 headers": raw("GET /", *(f"X-{number}: 1" for number in range(2_000))),
        "a header of 20,000 letters": raw("GET /", "Cookie: scorekeeper=" + "x" * 20_000),
        "no method": raw("BREW /"),
        "CONNECT": raw("CONNECT localhost:1"),
        "OPTIONS *": raw("OPTIONS *"),
        "a body that is announced too large": raw("POST /tables/new", form, f"Content-Length: {BIG}", body=b"a=b"),
        "a body too large": raw("POST /tables/new", form, f"Content-Length: {BIG}", body=b"a" * BIG),
        "a body too large for the engine": raw("POST /api/v1/score", f"Content-Length: {BIG}", body=b"[" * BIG),
        "a body in pieces": raw("POST /language", form, "Transfer-Encoding: chunked", body=small),
        "a body in pieces for the engine": raw("POST /api/v1/score", "Transfer-Encoding: chunked", body=small),
        "pieces too large": raw(
            "POST /api/v1/score", "Transfer-Encoding: chunked", body=b"1E8480\r\n" + b" " * BIG + b"\r\n0\r\n\r\n"
        ),
        "a piece of a size below nothing": raw("POST /api/v1/score", "Transfer-Encoding: chunked", body=b"-1\r\nx\r\n"),
        "a length and pieces": raw("POST /", "Content-Length: 3", "Transfer-Encoding: chunked", body=small),
        "a length that is none": raw("POST /language", "Content-Length: x", body=b"a=b"),
        "a length below nothing": raw("POST /language", "Content-Length: -1", body=b"a=b"),
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n\r\n",
    }


def faults_of(status: int, answer: bytes) -> Iterator[str]:
    """Yield what of an answer must never be."""
    # 501 is the server's own word for a method or a transfer coding that it does not know.
    if status >= 500 and status != 501:
        yield f"answer {status}"
    if b"Traceback" in answer:
        yield "a trace of the program in the answer"
    if len(answer) > LARGEST_ANSWER:
        yield f"{len(answer):,} bytes"


def test_the_server_answers_in_words_or_hangs_up(served: Served) -> None:
    bad = [
        f"{name}: {fault}: {request[:120]!r}"
        for name, request in requests_of(served).items()
        for fault in faults_of(*served.send(request))
    ]
    assert not bad, "\n".join(bad)
    status, _page = served.send(raw(f"GET /t/{served.key}"))
    assert status == 200, "it goes on"
    lines = served.log.read_text(errors="replace").splitlines()
    spelt = "".join(f"%{ord(one):02X}" for one in served.key)
    assert not [line for line in lines if served.key in line or served.owner in line or spelt in line]
    assert not [line for line in lines if "Traceback" in line]
