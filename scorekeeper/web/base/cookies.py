"""This phone's cookies: the keys of its tables, and the secret that its forms are signed with.

The keys are stored nowhere else. A page of another site that made the server answer with a fresh cookie would take a
phone's tables and owner links away for good. Browsers send our cookies (``SameSite=Lax``) with all that our own pages
send and with every page that opens in a tab. They do not send them with a form that another site posts, but they do
store a cookie from the answer to it. So where a cookie did not come with the request, the answer sets it only if that
proves that the phone has none (``may_be_set``).

Where the app's own address is one of HTTPS, the names of both begin with ``HOST_ONLY``: browsers then take them from
this host alone, and no other host below the same domain can put its own in their place. A phone from before has them
under the plain names. Those are read where the ones of now are missing, and deleted once those are set: with the next
page that it opens, or with what changes them.
"""

from __future__ import annotations

import hmac
import pickle
import re
import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from flask import Flask, Request, Response, current_app, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_wtf import CSRFProtect
from flask_wtf.csrf import generate_csrf
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.http import dump_cookie

from ... import events
from ...app_secrets import Followed
from ...config import HOST_ONLY
from ...limits import COOKIE_BYTES, COOKIES_REMEMBERED
from ...store.lru import LruCache
from .hosts import is_own_origin

TOKEN = "csrf_token"
"""The name of the secret of this phone's forms in the session, and of the form field with the signed secret."""
FORMS = "scorekeeper_forms"
"""The plain name of the cookie of that secret for a phone without keys. Where there are keys, it is in their cookie."""
OWNED = "owned"
"""The field of the cookie with the keys of owner links."""
NEXT = "next_owner_key"
"""The field with a key of an owner link that is not valid yet (``remembered.next_owner_key``)."""
_SECRET = re.compile(r"[0-9a-f]{40}")
TOKENS = 1_000
"""The tokens of forms that a process has for a minute."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


class PhoneSession(SecureCookieSession):
    """The content of the cookie of keys. A new secret for the forms does not count as a change."""

    in_keys: str | None = None
    """The secret that the request brought in the cookie of keys."""
    of_forms: str | None = None
    """The secret that the request brought in its own cookie."""
    moves_keys: bool = False
    """True if the request brought the keys under their plain name, and not under the one of now."""
    moves_forms: bool = False
    """True if it brought the secret in its own cookie under the plain name, and not under the one of now."""

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
        name, forms = keys_cookie(app), forms_cookie(app)
        moves = name != _plain(name) and name not in request.cookies
        signed = request.cookies.get(_plain(name) if moves else name)
        if signed:
            keys = self._read(app, signed)
        if moves and NEXT in keys:
            # Another host below the same domain may have made this cookie, from one of its own: a key that it knows
            # must not become the one of a renewed link. It may also be valid already, and only its answer was lost.
            keys[OWNED] = [*keys.get(OWNED, []), keys.pop(NEXT)]
        opened = PhoneSession(keys)
        opened.in_keys = opened.get(TOKEN)
        opened.moves_keys = moves and bool(keys)
        # A phone whose keys have moved has moved: a secret under the plain name is not its own any more.
        moves = moves and forms not in request.cookies
        secret = request.cookies.get(_plain(forms) if moves else forms, "")
        if _SECRET.fullmatch(secret):
            opened.of_forms, opened.moves_forms = secret, moves
            if opened.in_keys is None:
                opened[TOKEN] = secret
        return opened

    def _read(self, app: Flask, signed: str) -> dict[str, Any]:
        """Return what a cookie of keys holds; {} where the signature is not ours.

        One that a process has read under these secrets is not checked again.
        """
        secrets = (app.config["SECRET_KEY"], *app.config["SECRET_KEY_FALLBACKS"])
        known: LruCache[bytes] = app.extensions.setdefault("scorekeeper.cookies", LruCache(COOKIES_REMEMBERED))
        name = blake2b("\n".join((signed, *secrets)).encode(), digest_size=32).digest()
        held = known.get(name)
        if held is not None:
            # A copy for each request, which may change it.
            return dict(pickle.loads(held))
        signing = self.get_signing_serializer(app)
        assert signing is not None
        try:
            keys: dict[str, Any] = signing.loads(signed)
        except BadSignature:
            return {}
        known.put(name, pickle.dumps(keys))
        return keys

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Set the cookie of keys where the session changed, else the cookie of the forms where their secret is new.

        Cookies under their plain names move with either, and with a page that a person opens.
        """
        if session.accessed:
            response.vary.add("Cookie")
        assert isinstance(session, PhoneSession)
        is_new = session.get(TOKEN) not in (None, session.in_keys, session.of_forms)
        moves = session.accessed and (session.moves_keys or session.moves_forms) and _opens_a_page()
        if not (session.modified or is_new or moves) or not may_be_set():
            return
        age = int(app.permanent_session_lifetime.total_seconds())
        if session.modified or (moves and session.moves_keys):
            if (size := bytes_of(session)) > COOKIE_BYTES:
                # Browsers would take none: the phone goes on with the one that it has.
                app.logger.warning("A cookie of keys was not set, because it has %d bytes.", size)
                return
            # With an age and not a date, which would depend on the clock of this server.
            self._put(response, keys_cookie(app), self._signed(app, session), age if session.permanent else None)
        elif is_new:
            self._put(response, forms_cookie(app), session[TOKEN], age)
        if session.moves_forms:
            self._put(response, forms_cookie(app), session.of_forms, age)
        response.vary.add("Cookie")

    def _signed(self, app: Flask, session: PhoneSession) -> str | None:
        """Return what the cookie of keys is to hold; None if nothing but the secret of the forms is left."""
        signing = self.get_signing_serializer(app)
        assert signing is not None
        signed: str | None = signing.dumps(dict(session)) if set(session) - {TOKEN} else None
        return signed

    def _put(self, response: Response, name: str, value: str | None, age: int | None) -> None:
        """Set a cookie, or delete it where there is no value; the one of its plain name goes."""
        how = self._how(current_app)
        if value is None:
            response.delete_cookie(name, **how)
        else:
            response.set_cookie(name, value, max_age=age, **how)
        if name != _plain(name) and _plain(name) in request.cookies:
            response.delete_cookie(_plain(name), **how)

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


def keys_cookie(app: Flask | None = None) -> str:
    """Return the name of the cookie of keys."""
    name: str = (app or current_app).config["SESSION_COOKIE_NAME"]
    return name


def forms_cookie(app: Flask | None = None) -> str:
    """Return the name of the cookie of the forms' secret: it begins as that of the keys does."""
    return f"{HOST_ONLY}{FORMS}" if keys_cookie(app).startswith(HOST_ONLY) else FORMS


def _plain(name: str) -> str:
    """Return the name that a cookie has on an address of plain HTTP."""
    return name.removeprefix(HOST_ONLY)


def is_of_phone(name: str, *others: str) -> bool:
    """Return whether a cookie of this name is one of both, or of those named besides."""
    return name in (keys_cookie(), forms_cookie(), *others)


def brought_cookies() -> bool:
    """Return whether the request brought a cookie of ours, under the names of now or under the plain ones."""
    names = (keys_cookie(), forms_cookie())
    return any(name in request.cookies for name in (*names, *map(_plain, names)))


def may_be_set() -> bool:
    """Return whether the answer may set our cookies: the request brought one, or would have brought any.

    Browsers say where a request comes from (Fetch Metadata). One of our own pages, a typed address and a link that
    opens in the tab all bring the cookie. On a plain http address, as at home, browsers do not say it. Then a form
    counts as ours by its ``Origin``, or when it brings another of our cookies (our pages send no referrer, so their
    ``Origin`` is ``null``). A page that another site only fetches does no harm: browsers take no cookie from it.

    Under HTTPS a cookie of a plain name proves less than one of now: another host below the same domain can make one
    that also comes with what a foreign site posts, where those of now do not come. So it counts only where the browser
    does not say that the request comes from another site.
    """
    if keys_cookie() in request.cookies or forms_cookie() in request.cookies:
        return True
    site = request.headers.get("Sec-Fetch-Site")
    if site is None:
        return request.method in SAFE or is_own_origin(request.headers.get("Origin", "")) or brought_cookies()
    return site != "cross-site" or (_opens_a_page() and request.headers.get("Sec-Fetch-Dest") == "document")


def _opens_a_page() -> bool:
    """Return whether a browser says that this request opens a page, and posts nothing."""
    return request.method in SAFE and request.headers.get("Sec-Fetch-Mode") == "navigate"


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


def form_token() -> str:
    """Return the token of this phone's forms; within a minute the same, because signing takes longer than the rest."""
    secret = session.get(TOKEN)
    if not isinstance(secret, str):
        # This makes the secret, too.
        token: str = generate_csrf()
        return token
    if "form_token" not in g:
        g.form_token = _signed_token(current_app.config["SECRET_KEY"], secret, int(time.time()) // 60)
    known: str = g.form_token
    return known


@lru_cache(maxsize=TOKENS)
def _signed_token(app_secret: str, secret: str, _minute: int) -> str:
    signed: str = URLSafeTimedSerializer(app_secret, salt="wtf-csrf-token").dumps(secret)
    return signed


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
    events.note("secret_rotated", earlier=len(earlier))


def init_cookies(app: Flask) -> FormTokens:
    """Read and write the phone's cookies, and refuse forms that were not drawn for this phone."""
    app.session_interface = PhoneCookies()
    return FormTokens(app)
