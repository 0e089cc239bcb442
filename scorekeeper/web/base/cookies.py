"""This phone's cookies: the keys of its tables, and the secret that its forms are signed with.

The keys are stored nowhere else. A page of another site that made the server answer with a fresh cookie would take a
phone's tables and owner links away for good. Browsers send our cookies (``SameSite=Lax``) with all that our own pages
send and with every page that opens in a tab. They do not send them with a form that another site posts, but they do
store a cookie from the answer to it. So where a cookie did not come with the request, the answer sets it only if that
proves that the phone has none (``may_be_set``).
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf import CSRFProtect
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.http import dump_cookie

from ...app_secrets import Followed
from ...events import note
from ...limits import COOKIE_BYTES

TOKEN = "csrf_token"
"""The name of the secret of this phone's forms in the session, and of the form field with the signed secret."""
FORMS = "scorekeeper_forms"
"""The cookie of that secret for a phone without keys. Where there are keys, the secret is in their cookie."""
_SECRET = re.compile(r"[0-9a-f]{40}")
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class PhoneSession(SecureCookieSession):
    """The content of the cookie of keys. A new secret for the forms does not count as a change."""

    in_keys: str | None = None
    """The secret that the request brought in the cookie of keys."""
    of_forms: str | None = None
    """The secret that the request brought in its own cookie."""

    def __setitem__(self, name: str, value: Any) -> None:
        """Set a value. Only values other than the secret of the forms mark the session as modified."""
        if name == TOKEN:
            dict.__setitem__(self, name, value)
        else:
            super().__setitem__(name, value)

    @property
    def secrets(self) -> set[str]:
        """All secrets that a form of this phone may be signed with."""
        return {secret for secret in (self.get(TOKEN), self.in_keys, self.of_forms) if secret}


class PhoneCookies(SecureCookieSessionInterface):
    """Reads and writes both cookies.

    The cookie of keys has the name, salt and signature that Flask gives it, so that hosts with two versions of the app
    read each other's. Earlier secrets of the app open it too, and it is signed with the newest one when it is set next
    (``remembered.remember`` does so once a month). Its age is not checked: a server whose clock goes back, or two hosts
    whose clocks differ, would refuse it as coming from the future. Browsers drop it after 400 days.
    """

    session_class = PhoneSession

    def open_session(self, app: Flask, request: Request) -> PhoneSession:
        """Return the session that the cookies hold; an empty one where the signature is not ours."""
        _follow_secrets(app)
        keys: dict[str, Any] = {}
        signed = request.cookies.get(self.get_cookie_name(app))
        signing = self.get_signing_serializer(app)
        if signed and signing is not None:
            try:
                keys = signing.loads(signed)
            except BadSignature:
                keys = {}
        opened = PhoneSession(keys)
        opened.in_keys = opened.get(TOKEN)
        secret = request.cookies.get(FORMS, "")
        if _SECRET.fullmatch(secret):
            opened.of_forms = secret
            if opened.in_keys is None:
                opened[TOKEN] = secret
        return opened

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie of keys where the session changed, else the cookie of the forms where their secret is new."""
        if session.accessed:
            response.vary.add("Cookie")
        name, how, signing = self.get_cookie_name(app), self._how(app), self.get_signing_serializer(app)
        assert isinstance(session, PhoneSession)
        assert signing is not None
        age = int(app.permanent_session_lifetime.total_seconds())
        if session.modified and may_be_set(name):
            if not set(session) - {TOKEN}:
                response.delete_cookie(name, **how)
            elif (size := bytes_of(session)) > COOKIE_BYTES:
                # Browsers would take none: the phone goes on with the one that it has.
                app.logger.warning("A cookie of keys was not set, because it has %d bytes.", size)
            else:
                # With an age and not a date, which would depend on the clock of this server.
                signed = signing.dumps(dict(session))
                response.set_cookie(name, signed, max_age=age if session.permanent else None, **how)
            response.vary.add("Cookie")
        elif session.get(TOKEN) not in (None, session.in_keys, session.of_forms) and may_be_set(FORMS):
            response.set_cookie(FORMS, session[TOKEN], max_age=age, **how)

    def size(self, app: Flask, content: Mapping[str, Any]) -> int:
        """Return the bytes of the cookie of keys with this content, its name and all that is said of it."""
        signing = self.get_signing_serializer(app)
        assert signing is not None
        age = int(app.permanent_session_lifetime.total_seconds())
        return len(
            dump_cookie(
                self.get_cookie_name(app), signing.dumps(dict(content)), max_age=age, max_size=0, **self._how(app)
            )
        )

    def _how(self, app: Flask) -> dict[str, Any]:
        return {
            "httponly": self.get_cookie_httponly(app),
            "domain": self.get_cookie_domain(app),
            "path": self.get_cookie_path(app),
            "secure": self.get_cookie_secure(app),
            "partitioned": self.get_cookie_partitioned(app),
            "samesite": self.get_cookie_samesite(app),
        }


def bytes_of(content: Mapping[str, Any]) -> int:
    """Return how many bytes the cookie of keys would have with this content, its name and all that is said of it."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    cookies = app.session_interface
    assert isinstance(cookies, PhoneCookies)
    return cookies.size(app, content)


def may_be_set(name: str) -> bool:
    """Return whether the answer may set this cookie: the request brought it, or would have brought any.

    Browsers say where a request comes from (Fetch Metadata). One of our own pages, a typed address and a link that
    opens in the tab all bring the cookie. On a plain http address, as at home, browsers do not say it. Then a form
    counts as ours by its ``Origin``, or when it brings another of our cookies (our pages send no referrer, so their
    ``Origin`` is ``null``). A page that another site only fetches does no harm: browsers take no cookie from it.
    """
    if any(cookie in request.cookies for cookie in (name, current_app.config["SESSION_COOKIE_NAME"], FORMS)):
        return True
    site = request.headers.get("Sec-Fetch-Site")
    if site is None:
        origin = urlsplit(request.headers.get("Origin", "")).netloc
        return request.method in SAFE or (bool(origin) and origin == request.host)
    if site != "cross-site":
        return True
    opens_in_the_tab = request.headers.get("Sec-Fetch-Mode") == "navigate"
    opens_in_the_tab = opens_in_the_tab and request.headers.get("Sec-Fetch-Dest") == "document"
    return request.method in SAFE and opens_in_the_tab


class FormTokens(CSRFProtect):  # type: ignore[misc]
    """CSRF protection that accepts a form signed with any secret of this phone.

    There are two when a form was drawn before the phone got its cookie of keys.
    """

    def protect(self, apply_exemptions: bool = False) -> None:
        """Mark the request as ours, or raise ``CSRFError``."""
        token = None
        if request.method in current_app.config["WTF_CSRF_METHODS"] and request.endpoint and not self._is_exempt():
            token = self._get_csrf_token()
        if token and _is_ours(token):
            g.csrf_valid = True
        else:
            super().protect(apply_exemptions)


def _is_ours(token: str) -> bool:
    """Return whether a form's token holds a secret of this phone. A token never expires."""
    try:
        secret = URLSafeTimedSerializer(_secrets(), salt="wtf-csrf-token").loads(token)
    except BadSignature:
        return False
    known = session.secrets if isinstance(secret, str) else ()  # type: ignore[attr-defined]
    return any(hmac.compare_digest(secret.encode(), other.encode()) for other in known)


def _secrets() -> list[str]:
    """Return the secrets of the app, the one that signs last."""
    return [*current_app.config["SECRET_KEY_FALLBACKS"], current_app.config["SECRET_KEY"]]


def _follow_secrets(app: Flask) -> None:
    """Take over the secrets of the file once it has changed, before any of them is asked for in this request.

    So nothing that another process has signed with a new secret is refused, and a restart is not needed.
    """
    followed: Followed | None = app.config["FOLLOWED_SECRETS"]
    if followed is None:
        return
    with followed.lock:
        news = followed.news()
        if news is None:
            return
        # In this order, because requests that have begun read both: none of them misses a secret.
        secret, earlier = news
        app.config["SECRET_KEY_FALLBACKS"] = [app.config["SECRET_KEY"], secret, *earlier]
        app.config["SECRET_KEY"] = secret
        app.config["SECRET_KEY_FALLBACKS"] = earlier
    note("secret_rotated", earlier=len(earlier))


def init_cookies(app: Flask) -> FormTokens:
    """Read and write the phone's cookies, and refuse forms that were not drawn for this phone."""
    app.session_interface = PhoneCookies()
    return FormTokens(app)
