"""This phone's cookies: the keys of its tables, and what its forms are signed with; no other page can overwrite them.

The keys are nowhere else: a page of another site that made the server answer with a fresh cookie would take a phone's
tables and owner links away for good. Browsers send our cookies (``SameSite=Lax``) with whatever our own pages send and
with every page that opens in a tab, but not with a form that another site posts, and they take a cookie from the answer
to that. So a cookie that did not come along is set only where its absence means that there is none (``may_be_set``).
"""

from __future__ import annotations

import hmac
import re
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf import CSRFProtect
from itsdangerous import BadSignature, URLSafeTimedSerializer

TOKEN = "csrf_token"
"""The name of the secret of this phone's forms, and of the field that carries it signed."""
FORMS = "scorekeeper_forms"
"""The cookie of that secret, for a phone that has no keys yet. With keys it is in their cookie, as it always was."""
_SECRET = re.compile(r"[0-9a-f]{40}")
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class PhoneSession(SecureCookieSession):
    """What the cookie of keys holds. A secret made for a form is no reason to write that cookie."""

    in_keys: str | None = None
    """The secret that came in the cookie of keys."""
    of_forms: str | None = None
    """The secret that came in a cookie of its own."""

    def __setitem__(self, name: str, value: Any) -> None:
        """Keep a value; the secret of the forms does not count as a change."""
        if name == TOKEN:
            dict.__setitem__(self, name, value)
        else:
            super().__setitem__(name, value)

    @property
    def secrets(self) -> set[str]:
        """The secrets that a form of this phone may have been signed with."""
        return {secret for secret in (self.get(TOKEN), self.in_keys, self.of_forms) if secret}


class PhoneCookies(SecureCookieSessionInterface):
    """Reads and writes the cookies.

    The cookie of keys is the one that Flask writes, by name, salt and signature, so that hosts of two versions read
    each other's. It has no age here: browsers drop it after 400 days, and a server whose clock goes back, or two hosts
    whose clocks differ, must not take it for one from the future.
    """

    session_class = PhoneSession

    def open_session(self, app: Flask, request: Request) -> PhoneSession:
        """Return what came; nothing where it was not signed by us."""
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
        """Write the keys where they changed, else a new secret of the forms in the cookie of its own."""
        if session.accessed:
            response.vary.add("Cookie")
        name, how, signing = self.get_cookie_name(app), self._how(app), self.get_signing_serializer(app)
        assert isinstance(session, PhoneSession)
        assert signing is not None
        age = int(app.permanent_session_lifetime.total_seconds())
        if session.modified and may_be_set(name):
            if not set(session) - {TOKEN}:
                response.delete_cookie(name, **how)
            else:
                # By age and not by date: the date would be by this server's clock.
                signed = signing.dumps(dict(session))
                response.set_cookie(name, signed, max_age=age if session.permanent else None, **how)
            response.vary.add("Cookie")
        elif session.get(TOKEN) not in (None, session.in_keys, session.of_forms) and may_be_set(FORMS):
            response.set_cookie(FORMS, session[TOKEN], max_age=age, **how)

    def _how(self, app: Flask) -> dict[str, Any]:
        return {
            "httponly": self.get_cookie_httponly(app),
            "domain": self.get_cookie_domain(app),
            "path": self.get_cookie_path(app),
            "secure": self.get_cookie_secure(app),
            "partitioned": self.get_cookie_partitioned(app),
            "samesite": self.get_cookie_samesite(app),
        }


def may_be_set(name: str) -> bool:
    """Say whether the answer may set this cookie: it came along, or there is none that it could take the place of.

    What the browser says of the request (Fetch Metadata) tells it: what comes from our own pages, from an address that
    somebody typed, or from a link that opens in the tab would have brought the cookie. To a plain http address, as at
    home, browsers say no such thing. A form then counts as ours where its ``Origin`` does, or where another of our
    cookies came along (our own pages send no referrer, so their ``Origin`` is ``null``); a page that is only fetched
    there could at most set a cookie that browsers do not take from another site's page.
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
    """Takes a form of this phone that was signed with either secret: one drawn before its cookie of keys was made."""

    def protect(self, apply_exemptions: bool = False) -> None:
        """Let the request pass as ours, or raise ``CSRFError``."""
        token = None
        if request.method in current_app.config["WTF_CSRF_METHODS"] and request.endpoint and not self._is_exempt():
            token = self._get_csrf_token()
        if token and _is_ours(token):
            g.csrf_valid = True
        else:
            super().protect(apply_exemptions)


def _is_ours(token: str) -> bool:
    """Say whether a form's token was signed with a secret of this phone; it never grows too old."""
    try:
        secret = URLSafeTimedSerializer(current_app.secret_key or "", salt="wtf-csrf-token").loads(token)
    except BadSignature:
        return False
    known = session.secrets if isinstance(secret, str) else ()  # type: ignore[attr-defined]
    return any(hmac.compare_digest(secret.encode(), one.encode()) for one in known)


def init_cookies(app: Flask) -> FormTokens:
    """Keep the phone's cookies, and take no form that was not drawn for it."""
    app.session_interface = PhoneCookies()
    return FormTokens(app)
