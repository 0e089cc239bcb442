"""A proxy of a test's own, in front of the app."""

from __future__ import annotations

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import urlsplit


class Door(ThreadingHTTPServer):
    """A server that lets nobody wait before its door: a connection refused there is tried again only after seconds."""

    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A phone that hangs up is no fault of a test."""


class Request(BaseHTTPRequestHandler):
    """A request that came to a proxy, which answers it."""

    protocol_version = "HTTP/1.1"
    proxy: Proxy

    def answer(self) -> None:
        """Let the proxy answer."""
        self.proxy.answer(self, self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    do_GET = do_POST = answer

    def say(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Answer with a whole body; with its length."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class Proxy:
    """Stands in front of ``app`` while it is entered, at an ``address`` of its own. ``answer`` says what it does."""

    def __init__(self, app: str) -> None:
        self.app = urlsplit(app).netloc
        self._door = Door(("127.0.0.1", 0), type("Handler", (Request,), {"proxy": self}))
        self.address = f"http://127.0.0.1:{self._door.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._door.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._door.shutdown()
        self._door.server_close()

    def answer(self, request: Request, body: bytes) -> None:
        """Answer a request that brought this body."""
        raise NotImplementedError

    def ask(self, request: Request, body: bytes, *left_out: str) -> http.client.HTTPConnection:
        """Pass a request on to the app, without the headers left out; return the connection it will answer on."""
        upstream = http.client.HTTPConnection(self.app, timeout=60)
        headers = {name: value for name, value in request.headers.items() if name not in left_out}
        upstream.request(request.command, request.path, body, {**headers, "Connection": "close"})
        return upstream
