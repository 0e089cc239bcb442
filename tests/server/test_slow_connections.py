"""Connections that are slow on purpose: they take no thread, they end, and everybody else is answered meanwhile."""

from __future__ import annotations

import re
import resource
import selectors
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from gunicorn.config import Config
from gunicorn.http.errors import NoMoreData, ParseException
from gunicorn.http.parser import RequestParser
from hypothesis import example, given
from hypothesis import strategies as st

from scorekeeper.cli.arriving import Arriving
from scorekeeper.limits import ANSWER_SECONDS, BODY_AHEAD, HEAD_BYTES

from ..helpers.serving import serving

pytestmark = pytest.mark.whole

GIVEN_UP = 60
"""Seconds after which a test no longer waits. No measure of speed."""
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
FORM = "POST /language HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
LAST = b"GET /privacy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
PIECES = f"{FORM}Transfer-Encoding: chunked\r\n\r\n".encode()


def connect(address: str, source: str = "127.0.0.1") -> socket.socket:
    at = urlsplit(address)
    return socket.create_connection((at.hostname, at.port), GIVEN_UP, (source, 0))


def ask(address: str, seconds: float = GIVEN_UP) -> int:
    with urllib.request.urlopen(f"{address}/privacy", timeout=seconds) as answer:
        return int(answer.status)


def rest_of(connection: socket.socket) -> bytes:
    """Return what comes until the other side closes."""
    came = b""
    with suppress(ConnectionError):
        while piece := connection.recv(65536):
            came += piece
    return came


def statuses(answers: bytes) -> list[int]:
    return [int(part.split(b" ", 1)[0]) for part in answers.split(b"HTTP/1.1 ")[1:]]


def trickle(address: str, start: bytes, piece: bytes, pause: float, pieces: int = 10_000) -> list[int]:
    """Send a start, then piece after piece with pauses, until an answer comes; return the statuses of all answers."""
    with connect(address) as connection, selectors.DefaultSelector() as selector:
        selector.register(connection, selectors.EVENT_READ)
        connection.sendall(start)
        for _turn in range(pieces):
            if selector.select(pause):
                break
            with suppress(ConnectionError):
                connection.sendall(piece)
        return statuses(rest_of(connection))


def second_half_sent(address: str) -> list[int]:
    """Send a request, and half of another on the same connection."""
    with connect(address) as connection:
        connection.sendall(b"GET /prime HTTP/1.1\r\nHost: localhost\r\n\r\n" + HALF)
        return statuses(rest_of(connection))


class Attack:
    """Many connections that have sent half a header: each sends a byte every two seconds, and is opened again."""

    def __init__(self, address: str, many: int) -> None:
        self.address, self.many = address, many
        self.held: list[socket.socket] = []
        self._stopped = threading.Event()

    def _open(self) -> socket.socket:
        connection = connect(self.address)
        connection.sendall(HALF)
        connection.setblocking(False)
        return connection

    def _go_on(self) -> None:
        while not self._stopped.wait(2):
            for place, connection in enumerate(self.held):
                try:
                    connection.sendall(b"x")
                except OSError:
                    connection.close()
                    with suppress(OSError):
                        self.held[place] = self._open()

    @contextmanager
    def going_on(self) -> Iterator[None]:
        self.held = [self._open() for _one in range(self.many)]
        thread = threading.Thread(target=self._go_on)
        thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            thread.join()
            for connection in self.held:
                connection.close()


@pytest.fixture(scope="module", autouse=True)
def room() -> Iterator[None]:
    """Handles for the connections of an attack, here and in the servers that are started here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that lets one address have any number of connections."""
    with serving(tmp_path_factory.mktemp("slow"), SCOREKEEPER_CONNECTIONS="0") as address:
        yield address


@pytest.fixture(scope="module")
def slow(address: str) -> Iterator[dict[str, Future[list[int]]]]:
    """What each of these is answered; they all take their time at once."""
    deal = b'{"game": "scopa", "sides": ["A", "B"], "deal": {}}'
    length = len(deal) + 20_000
    honest = f"POST /api/v1/score HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    with ThreadPoolExecutor() as pool:
        yield {
            "a form that trickles": pool.submit(
                trickle, address, f"{FORM}Content-Length: 60000\r\n\r\na=".encode(), b"x", 1
            ),
            "a body in pieces that trickles": pool.submit(trickle, address, PIECES, b"1\r\nx\r\n", 1),
            "a long body that trickles": pool.submit(
                trickle, address, b"POST /api/v1/score HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n[", b" ", 1
            ),
            "a header that trickles": pool.submit(trickle, address, HALF, b"x", 1),
            "a second request": pool.submit(second_half_sent, address),
            "an honest phone": pool.submit(trickle, address, honest.encode() + deal, b" " * 1_000, 0.75, 20),
        }


@pytest.mark.whole
def test_phones_that_ask_on_and_read_nothing_keep_nobody_from_an_answer(address: str) -> None:
    """Their answers are more than the system takes of each, and a thread would wait a minute with the next one."""
    with urllib.request.urlopen(address, timeout=GIVEN_UP) as page:
        script = re.search(rb"/static/[^\"]*htmx[^\"]*", page.read())
    assert script is not None
    at = urlsplit(address)
    with ExitStack() as held:
        for _one in range(300):
            connection = held.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            connection.settimeout(GIVEN_UP)
            connection.connect((at.hostname, at.port))
            connection.sendall(40 * (b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % script[0]))
        for _turn in range(10):
            assert ask(address, ANSWER_SECONDS / 2) == 200
            time.sleep(0.5)
        asked = held.enter_context(connect(address))
        asked.sendall(40 * (b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n" % script[0]) + LAST)
        assert statuses(rest_of(asked)) == [200] * 41, "one that reads has all of them"


def test_headers_that_trickle_end(slow: dict[str, Future[list[int]]]) -> None:
    assert slow["a header that trickles"].result(GIVEN_UP) == [408]
    assert slow["a second request"].result(GIVEN_UP) == [200, 408]


def test_a_slow_phone_that_sends_something_long_is_served(slow: dict[str, Future[list[int]]]) -> None:
    assert slow["an honest phone"].result(GIVEN_UP) == [200]


def test_bodies_that_trickle_end(slow: dict[str, Future[list[int]]]) -> None:
    for what in ("a form that trickles", "a body in pieces that trickles", "a long body that trickles"):
        assert slow[what].result(GIVEN_UP) == [408], what


def test_long_bodies_of_one_address_leave_threads_to_others(address: str) -> None:
    with ExitStack() as held:
        answers = []
        for _one in range(20):
            connection = held.enter_context(connect(address, "127.0.0.9"))
            connection.sendall(PIECES)
            connection.settimeout(0.2)
            with suppress(TimeoutError):
                answers.append(connection.recv(12))
        assert answers, "some are refused"
        assert set(answers) == {b"HTTP/1.1 503"}
        assert ask(address) == 200
        with connect(address) as other:
            other.sendall(PIECES + b"1\r\nx\r\n0\r\n\r\n")
            assert other.recv(12) != b"HTTP/1.1 503", "another address still has its share"


def test_long_bodies_of_a_few_addresses_leave_one_to_each_other(tmp_path: Path) -> None:
    with serving(tmp_path) as address, ExitStack() as held:
        for number in range(40):
            held.enter_context(connect(address, f"127.0.0.{9 + number % 4}")).sendall(PIECES)
        with connect(address, "127.0.0.20") as other:
            other.sendall(PIECES + b"1\r\nx\r\n0\r\n\r\n")
            assert other.recv(12) == b"HTTP/1.1 400"
    assert "Traceback" not in (tmp_path / "server.log").read_text()


def has_room(address: str, source: str) -> bool:
    """Return whether a connection from an address of this machine is answered."""
    with connect(address, source) as connection, suppress(ConnectionError):
        connection.sendall(b"GET /prime HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return connection.recv(12) == b"HTTP/1.1 200"
    return False


def waited_for_room(address: str, source: str) -> None:
    until = time.monotonic() + GIVEN_UP
    while not has_room(address, source):
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.fixture(scope="module")
def braked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server with few connections for one address, and its log."""
    folder = tmp_path_factory.mktemp("braked")
    with serving(folder, SCOREKEEPER_CONNECTIONS="5", SCOREKEEPER_PROXIES="127.0.0.4") as address:
        yield address, folder / "server.log"


def test_an_address_has_its_connections_and_no_more(braked: tuple[str, Path]) -> None:
    address, log = braked
    with ExitStack() as held:
        first, *_others = [held.enter_context(connect(address, "127.0.0.2")) for _one in range(5)]
        assert not has_room(address, "127.0.0.2")
        assert has_room(address, "127.0.0.3")
        first.close()
        waited_for_room(address, "127.0.0.2")
    said = log.read_text()
    assert "event brake name=connections" in said
    assert "127.0.0.2" not in said.partition("event brake")[2].splitlines()[0]


def test_a_proxy_has_as_many_as_it_needs(braked: tuple[str, Path]) -> None:
    with ExitStack() as held:
        for _one in range(12):
            held.enter_context(connect(braked[0], "127.0.0.4"))
        assert has_room(braked[0], "127.0.0.4")


def test_a_proxy_that_nobody_named_has_too(tmp_path: Path) -> None:
    with serving(tmp_path, SCOREKEEPER_CONNECTIONS="5") as address, ExitStack() as held:
        with connect(address, "127.0.0.4") as proxy:
            proxy.sendall(b"GET /prime HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n")
            assert proxy.recv(12) == b"HTTP/1.1 200"
        for _one in range(12):
            held.enter_context(connect(address, "127.0.0.4"))
        assert has_room(address, "127.0.0.4")


HEADS = st.lists(
    st.sampled_from(["Host: h", "Accept: */*", "Cookie: a=" + "x" * 300, "X-Content-Length: 7", "content-type: a"])
)


@given(HEADS, st.binary(max_size=200), st.sampled_from([1, 20]), st.booleans(), st.lists(st.integers(0, 1_000)))
def test_a_request_is_here_with_its_last_byte_however_it_is_cut(
    heads: list[str], body: bytes, digits: int, is_blank_first: bool, cuts: list[int]
) -> None:
    lines = ["POST / HTTP/1.1", *heads, f"content-LENGTH:  {len(body):0{digits}}", "", ""]
    request = b"\r\n" * is_blank_first + "\r\n".join(lines).encode() + body
    places = sorted({0, *(cut for cut in cuts if cut < len(request) - 1), len(request) - 1})
    arriving = Arriving()
    for start, end in pairwise(places):
        arriving.add(request[start:end])
        assert not arriving.is_enough
    arriving.add(request[places[-1] :])
    assert arriving.is_enough
    assert arriving.is_whole
    assert not arriving.is_too_long
    assert bytes(arriving.came) == request


@pytest.mark.parametrize(
    "header",
    [
        f"Content-Length: {BODY_AHEAD + 1}",
        f"Content-Length: 1{'0' * 5_000}",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue",
    ],
)
def test_a_long_body_is_not_collected(header: str) -> None:
    arriving = Arriving()
    arriving.add(f"POST / HTTP/1.1\r\nHost: h\r\n{header}\r\n\r\n".encode())
    assert arriving.is_enough
    assert not arriving.is_whole


class Waited(Exception):
    """The server's parser wants more than has come: a thread would wait for it."""


def pieces_of(came: bytes) -> Iterator[bytes]:
    yield came
    raise Waited


STRANGE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                b"Host: h",
                b"Content-Length: 9",
                b"Content-Length: 0000001000",
                b"content-length:\t7 ",
                b"Content-Length: " + b"9" * 5_000,
                b"Content-Length : 9",
                b"Content-Length:\r\n 9",
                b"Content-Length: +9",
                b"Content-Length: \xb2",
                b"Content-Length: 9\n",
                b"Transfer-Encoding: chunked",
                b"Transfer-Encoding:\tidentity, chunked",
                b"Transfer_Encoding: chunked",
                b"Expect: 100-continue",
                b"",
                b"\n",
            ]
        ),
        st.binary(max_size=12),
        st.from_regex(rb"content-length:[ \t]*[0-9 ,+]{1,12}", fullmatch=True),
    ),
    max_size=2,
)


@given(st.sampled_from([b"", b"\r\n", b"\n", b"\r"]), STRANGE, st.binary(max_size=40))
@example(b"", [b"Content-Length: 0000001000"], b"")
@example(b"\r\n", [b"Content-Length: 0000000009 "], b"12345")
def test_no_thread_waits_for_a_request_that_counts_as_here(blank: bytes, heads: list[bytes], body: bytes) -> None:
    arriving = Arriving()
    arriving.add(blank + b"\r\n".join([b"POST / HTTP/1.1", *heads, b"", b""]) + body)
    if not arriving.is_enough or not arriving.is_whole:
        return
    with suppress(ParseException, NoMoreData, StopIteration):
        request = next(RequestParser(Config(), pieces_of(bytes(arriving.came)), ("127.0.0.1", 1)))
        request.body.read()


@pytest.mark.whole
def test_a_length_that_begins_with_zeros_is_one(address: str) -> None:
    """Once such bodies had all threads: the loop took them for requests that were here."""
    start = f"{FORM}Content-Length: 0000001000\r\n\r\na=".encode()
    with ExitStack() as held:
        selector = held.enter_context(selectors.DefaultSelector())
        for _one in range(300):
            connection = held.enter_context(connect(address))
            connection.sendall(start)
            selector.register(connection, selectors.EVENT_READ)
        assert ask(address) == 200
        assert not selector.select(0), "none of them has come to its end"


def test_requests_that_cannot_be_read_fill_no_log(braked: tuple[str, Path]) -> None:
    address, log = braked
    for number in range(40):
        with connect(address) as connection:
            connection.sendall(f"GET / HTTP/1.1\r\nHost: h\r\nof stranger {number}\r\n\r\n".encode())
            assert statuses(rest_of(connection)) == [400]
    lines = [line for line in log.read_text().splitlines() if "A request" in line]
    assert len(lines) == 1
    assert "InvalidHeader" in lines[0]
    assert "stranger" not in lines[0]
    assert "127.0.0.1" not in lines[0]


def test_headers_without_an_end_are_too_long_at_some_time() -> None:
    arriving = Arriving()
    arriving.add(b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_BYTES)
    assert arriving.is_too_long
