"""What stands between a phone and the app: a network that answers in its place, an update of the app's files."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..helpers.proxy import Proxy, Request

STAMP = re.compile(rb"((?:files-|\.)[0-9a-f]{11})[0-9a-f]([.\"])")
LOGIN = "<!doctype html><title>Wi-Fi</title><h1>Log in to the Wi-Fi</h1>"
OF_THE_APP = {"content-length", "connection", "transfer-encoding"}
"""Headers that tell of the app's own answer, not of the one that goes on to the phone."""


class Between(Proxy):
    """A network. ``answers`` gives status and body for a path, or None to pass it on."""

    def __init__(self, app: str) -> None:
        super().__init__(app)
        self.answers: Callable[[str], tuple[int, str] | None] = lambda _path: None
        self.version = b""

    def update(self) -> None:
        """Give every file of the app another name, as an update does that changes them."""
        self.version = b"%x" % ((int(self.version or b"f", 16) + 1) % 16)

    def answer(self, request: Request, body: bytes) -> None:
        """Answer in place of the app, or as the app does, with the names of its files as they now are."""
        told = self.answers(request.path)
        if told is None and "/live" in request.path:
            told = (503, "")
        if told is not None:
            request.say(told[0], [("Content-Type", "text/html")], told[1].encode())
            return
        upstream = self.ask(request, body, "Accept-Encoding")
        answer = upstream.getresponse()
        page = answer.read()
        if self.version:
            page = STAMP.sub(lambda found: found[1] + self.version + found[2], page)
        request.say(answer.status, [pair for pair in answer.getheaders() if pair[0].lower() not in OF_THE_APP], page)
        upstream.close()
