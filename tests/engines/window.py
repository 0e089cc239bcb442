"""A window in front of the app: a page of the test's own, whose frame is as wide as a phone.

WebKitGTK's MiniBrowser is never narrower than 447 pixels, and Firefox never than 450. The app lets no page frame it, so
what passes here loses that one rule of its policy, and nothing else.
"""

from __future__ import annotations

import http.client
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs, quote, urlsplit

from ..helpers.proxy import Proxy, Request

FRAME = "/in-a-frame"
PAGE = """<!doctype html><meta charset="utf-8"><title>A phone</title><link rel="icon" href="data:,">
<style>body {{ margin: 0 }} iframe {{ display: block; border: 0; width: {width}px; height: {height}px }}</style>
<iframe src="{at}"></iframe>"""


class Window(Proxy):
    """Passes everything on to the app, as it comes; ``answers`` gives a page of the test's own for a path, or None."""

    def __init__(self, app: str) -> None:
        super().__init__(app)
        self.answers: Callable[[str], bytes | None] = lambda _path: None

    def frame(self, path: str, width: int, height: int) -> str:
        """Return the address of a page that shows ``path`` in a frame of this size."""
        return f"{self.address}{FRAME}?width={width}&height={height}&at={quote(path)}"

    def answer(self, request: Request, body: bytes) -> None:
        """Answer with a page of the test's own, or as the app does, piece by piece."""
        told = self.answers(request.path)
        if request.path.startswith(FRAME):
            size = {name: values[0] for name, values in parse_qs(urlsplit(request.path).query).items()}
            told = PAGE.format(**size).encode()
        if told is not None:
            request.say(200, [("Content-Type", "text/html; charset=utf-8")], told)
            return
        request.close_connection = True
        # Whoever asked may have gone, or the app: then the phone hears nothing.
        with suppress(OSError, http.client.HTTPException):
            self._stream(request, body)

    def _stream(self, request: Request, body: bytes) -> None:
        upstream = self.ask(request, body)
        try:
            answer = upstream.getresponse()
            request.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("connection", "transfer-encoding"):
                    request.send_header(name, value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"))
            request.send_header("Connection", "close")
            request.end_headers()
            while piece := answer.read1(65536):
                request.wfile.write(piece)
                request.wfile.flush()
        finally:
            upstream.close()
