"""HTTPS in front of an app, as a proxy gives it: a door that speaks TLS, and passes on every byte as it is."""

from __future__ import annotations

import ipaddress
import select
import socket
import ssl
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PIECE = 64 * 1024


class Https:
    """Speaks HTTPS at ``https://localhost`` and a port of its own for the app at another port, while it is entered."""

    def __init__(self, folder: Path, app_port: int) -> None:
        self._app = ("127.0.0.1", app_port)
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(*_certificate(folder))
        self._door = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.address = f"https://localhost:{self._door.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._let_in, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        # Wakes the thread that waits at the door.
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _let_in(self) -> None:
        with suppress(OSError):
            while True:
                guest, _address = self._door.accept()
                threading.Thread(target=self._serve, args=(guest,), daemon=True).start()

    def _serve(self, guest: socket.socket) -> None:
        # An app that is away is a connection that ends.
        with (
            suppress(OSError),
            guest,
            self._context.wrap_socket(guest, server_side=True) as phone,
            socket.create_connection(self._app) as app,
        ):
            _pass_on(phone, app)


def _pass_on(phone: ssl.SSLSocket, app: socket.socket) -> None:
    """Pass on what comes from either side, until one of them ends. In one thread: TLS does not read while it writes."""
    while True:
        ready = [phone] if phone.pending() else select.select([phone, app], [], [])[0]
        for source, target in ((phone, app), (app, phone)):
            if source in ready:
                piece = source.recv(PIECE)
                if not piece:
                    return
                target.sendall(piece)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate for this machine, signed by itself, and its key; return both files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))],
    )
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    written = folder / "certificate.pem", folder / "key.pem"
    written[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    written[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return written
