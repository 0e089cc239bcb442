"""What stands between a phone and the app: a network that answers in its place, an update of the app's files."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

STAMP = re.compile(rb"((?:files-|\.)[0-9a-f]{11})[0-9a-f]([.\"])")
LOGIN = "<!doctype html><title>Wi-Fi</title><h1>Log in to the Wi-Fi</h1>"


class Door(ThreadingHTTPServer):
    """A server that lets nobody wait before its door: a connection refused there is tried again only after seconds."""

    request_queue_size = 128
    daemon_threads = True


class Between:
    """A proxy in front of the app. ``answers`` gives status and body for a path, or None to pass it on."""

    def __init__(self, app: str) -> None:
        self.app = urlsplit(app).netloc
        self.answers: Callable[[str], tuple[int, str] | None] = lambda _path: None
        self.version = b""
        self._server = Door(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def update(self) -> None:
        """Give every file of the app another name, as an update does that changes them."""
        self.version = b"0" if self.version != b"0" else b"1"

    def close(self) -> None:
        """Stop: nobody answers any more."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(between) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _pass(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                told = between.answers(self.path)
                if told is None and "/live" in self.path:
                    told = (503, "")
                if told is not None:
                    self._say(told[0], [("Content-Type", "text/html")], told[1].encode())
                    return
                upstream = http.client.HTTPConnection(between.app, timeout=60)
                headers = {name: value for name, value in self.headers.items() if name != "Accept-Encoding"}
                upstream.request(self.command, self.path, body, {**headers, "Connection": "close"})
                answer = upstream.getresponse()
                page = answer.read()
                if between.version:
                    page = STAMP.sub(lambda found: found[1] + between.version + found[2], page)
                dropped = {"content-length", "connection", "transfer-encoding"}
                self._say(answer.status, [pair for pair in answer.getheaders() if pair[0].lower() not in dropped], page)
                upstream.close()

            def _say(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = _pass

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


@contextmanager
def between(app: str) -> Iterator[Between]:
    """Stand between the phones and ``app`` for as long as the test lasts."""
    proxy = Between(app)
    try:
        yield proxy
    finally:
        proxy.close()
