"""Pages of other sites, in a real browser: whatever they post or embed, this phone keeps its tables."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

import pytest
from playwright.sync_api import expect

from .conftest import NOTICED, Phone
from .waiting import a_while

pytestmark = pytest.mark.whole


class Elsewhere(BaseHTTPRequestHandler):
    """Answers with the page that is asked for in the address."""

    def do_GET(self) -> None:
        """Send it."""
        page = unquote(self.path.partition("?")[2]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>" + page)

    def log_message(self, *_told: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """Another site: the app is at 127.0.0.1, this one at localhost."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def table(phone: Phone) -> Iterator[str]:
    """The page of a table that this phone keeps, and keeps in the end."""
    address = phone.open_table("Ana", "Beto")
    yield address
    phone.page.goto("/")
    expect(phone.page.locator(f"a[href='/t/{address.rpartition('/')[2]}']").first).to_be_visible()
    phone.page.goto(f"{address}/owner")
    expect(phone.page.get_by_role("heading", name="Owner of the table")).to_be_visible()
    # What is refused is told in the console.
    phone.errors.clear()


@pytest.mark.parametrize("path", ["/", pytest.param("/t/nobody", marks=pytest.mark.whole)])
def test_a_form_posted_from_there_takes_no_table_away(
    phone: Phone, server: str, elsewhere: str, table: str, path: str
) -> None:
    fields = "<input name=what value=all><input name=csrf_token value=x>"
    phone.page.goto(f"{elsewhere}?<form method=post action='{server}{path}'>{fields}<button>Win</button></form>")
    with phone.page.expect_navigation(url=f"{server}{path}"):
        phone.press("Win")


def test_nor_does_a_link_that_leads_here(phone: Phone, server: str, elsewhere: str, table: str) -> None:
    phone.page.goto(f"{elsewhere}?<a href='{server}/tables/new'>Look</a>")
    phone.follow("Look")
    expect(phone.page.get_by_role("button", name="Start", exact=True)).to_be_visible()


def test_nothing_that_is_drawn_into_a_page_runs_as_a_script_or_asks_there(phone: Phone, elsewhere: str) -> None:
    page = phone.page
    page.goto("/tables/new")
    phone.rest()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate(
        """(elsewhere) => {
            const place = document.querySelector("#refused");
            const script = `<script src="/static/of-a-stranger.js"></script>`;
            const asks = `<i hx-get="${elsewhere}" hx-trigger="load"></i>`;
            htmx.swap(place, `${script}${asks}<b>Drawn</b>`, { swapStyle: "innerHTML" });
            htmx.ajax("GET", elsewhere, { target: place, swap: "innerHTML" }).catch(() => {});
        }""",
        elsewhere,
    )
    expect(page.locator("#refused")).to_contain_text("Drawn")
    a_while(page, NOTICED)
    assert asked == []
    assert page.locator("#refused script").count() == 0
    phone.errors.clear()
