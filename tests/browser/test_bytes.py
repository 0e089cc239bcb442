"""What a first look costs on a bad signal: few requests, and few bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from .conftest import NOTICED, Phone
from .waiting import a_while, happens

pytestmark = pytest.mark.whole

REQUESTS = 5
"""The page, its style, the drawings, htmx and one script."""
FIRST, AGAIN = 40 * 1024, 4 * 1024
NOT_COUNTED = ("/manifest.webmanifest", "/icon", "/sw.js", "/live", "/static/js/later", "/favicon.ico", "/ahead")
"""What a browser fetches behind the page, once it is shown."""


class Wire:
    """What a page fetches over the wire: the bodies, as they are packed."""

    def __init__(self, page: Page) -> None:
        self._paths: dict[str, str] = {}
        self._lengths: dict[str, int] = {}
        self._encodings: dict[str, str] = {}
        self._heads: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.responseReceived", self._answered)
        session.on("Network.loadingFinished", self._finished)

    def _sent(self, event: dict[str, Any]) -> None:
        address = urlsplit(event["request"]["url"])
        if address.scheme in ("http", "https"):
            self._paths[event["requestId"]] = address.path

    def _answered(self, event: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in event["response"]["headers"].items()}
        self._encodings[event["requestId"]] = headers.get("content-encoding", "")
        self._heads[event["requestId"]] = event["response"]["encodedDataLength"]

    def _finished(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        self._lengths[request] = max(0, event["encodedDataLength"] - self._heads.get(request, 0))

    def is_quiet(self) -> bool:
        """Say whether all that was asked for has come; a stream has no end, and is not waited for."""
        return all(request in self._lengths for request, path in self._paths.items() if not _is_behind(path))

    def fetched(self) -> Iterator[tuple[str, int, str]]:
        """Yield path, bytes and encoding of each file that came over the wire since the last call."""
        for request, path in self._paths.items():
            length = self._lengths.get(request, 0)
            if length and not _is_behind(path):
                yield path, length, self._encodings.get(request, "")
        self._paths.clear()


def _is_behind(path: str) -> bool:
    return any(part in path for part in NOT_COUNTED)


def load(wire: Wire, page: Page, address: str | None) -> list[tuple[str, int, str]]:
    """Load a page, or the same one again, and return what came over the wire."""
    if address is None:
        page.reload()
    else:
        page.goto(address)
    a_while(page, NOTICED)
    happens(page, wire.is_quiet)
    found = list(wire.fetched())
    for path, length, encoding in found:
        print(f"{length:7} {encoding or 'plain':6} {path}")
    print(f"{sum(length for _path, length, _encoding in found):7} in all")
    return found


@pytest.mark.parametrize("name", ["board", pytest.param("home")])
def test_a_first_look_takes_five_requests_and_few_bytes(phone: Phone, other: Phone, name: str) -> None:
    table = phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2")
    page = other.page
    other.join(table)
    fresh = page.context.browser
    assert fresh is not None
    state: Any = page.context.storage_state()
    context = fresh.new_context(storage_state=state, service_workers="block")
    cold = context.new_page()
    wire = Wire(cold)
    found = load(wire, cold, table if name == "board" else table.split("/t/", maxsplit=1)[0] + "/")
    assert len(found) <= REQUESTS, [path for path, _length, _encoding in found]
    assert all(encoding == "br" for _path, _length, encoding in found)
    assert sum(length for _path, length, _encoding in found) <= FIRST
    again = load(wire, cold, None)
    assert sum(length for _path, length, _encoding in again) <= AGAIN
    context.close()
