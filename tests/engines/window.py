"""A window in front of the app: a page of the test's own, whose frame is as wide as a phone.

WebKitGTK's MiniBrowser is never narrower than 447 pixels, and Firefox never than 450. The app lets no page frame it, so
what passes here loses that one rule of its policy, and nothing else.
"""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

FRAME = "/in-a-frame"
PAGE = """<!doctype html><meta charset="utf-8"><title>A phone</title><link rel="icon" href="data:,">
<style>body {{ margin: 0 }} iframe {{ display: block; border: 0; width: {width}px; height: {height}px }}</style>
<iframe src="{at}"></iframe>"""


class Window:
    """Passes everything on to ``app``, as it comes; ``answers`` gives a page of the test's own for a path, or None."""

    def __init__(self, app: str) -> None:
        self.app = urlsplit(app).netloc
        self.answers: Callable[[str], bytes | None] = lambda _path: None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def frame(self, path: str, width: int, height: int) -> str:
        """Return the address of a page that shows ``path`` in a frame of this size."""
        return f"{self.address}{FRAME}?width={width}&height={height}&at={quote(path)}"

    def close(self) -> None:
        """Stop: nobody answers any more."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(window) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _pass(self) -> None:
                told = window.answers(self.path)
                if self.path.startswith(FRAME):
                    size = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
                    told = PAGE.format(**size).encode()
                if told is not None:
                    self._own(told)
                    return
                self.close_connection = True
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                # Whoever asked may have gone, or the app: then the phone hears nothing.
                with suppress(OSError, http.client.HTTPException):
                    self._stream(body)

            def _own(self, page: bytes) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def _stream(self, body: bytes) -> None:
                upstream = http.client.HTTPConnection(window.app)
                try:
                    upstream.request(self.command, self.path, body, {**dict(self.headers), "Connection": "close"})
                    answer = upstream.getresponse()
                    self.send_response(answer.status)
                    for name, value in answer.getheaders():
                        if name.lower() not in ("connection", "transfer-encoding"):
                            self.send_header(name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
                    self.send_header("Connection", "close")
                    self.end_headers()
                    while piece := answer.read1(65536):
                        self.wfile.write(piece)
                        self.wfile.flush()
                finally:
                    upstream.close()

            do_GET = do_POST = _pass

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


@contextmanager
def window(app: str) -> Iterator[Window]:
    """Stand in front of ``app`` for as long as the test lasts."""
    opened = Window(app)
    try:
        yield opened
    finally:
        opened.close()
