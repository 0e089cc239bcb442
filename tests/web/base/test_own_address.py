"""The app's own address comes from a setting: no header chooses a link, and no other host is answered."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
import segno
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse, create_environ, run_wsgi_app

from scorekeeper.config import UnsafeConfiguration, own_address
from scorekeeper.store import queries
from scorekeeper.web.base.cookies import FORMS
from scorekeeper.web.base.links import LETTERS

from ...conftest import MakeApp
from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, agreed, open_table

pytestmark = pytest.mark.whole

ADDRESS = "https://cards.example"
KEYS = "scorekeeper"
HOSTED = f"__Host-{KEYS}", f"__Host-{FORMS}"
POSTED = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
OPENED = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
FETCHED = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
EVIL = {
    "X-Forwarded-Host": "evil.example",
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Port": "81",
    "Forwarded": "host=evil.example;proto=http",
    "X-Host": "evil.example",
}

At = Callable[[str], Flask]


@pytest.fixture
def at(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> At:
    """Makes an app whose own address is this one."""

    def make(address: str) -> Flask:
        monkeypatch.setenv("SCOREKEEPER_URL", address)
        return make_app()

    return make


@pytest.fixture
def there(at: At) -> Player:
    """The phone that opened a table at the app's own address."""
    return open_table(at(ADDRESS))


def set_by(answer: TestResponse) -> dict[str, str]:
    """Return the cookies of keys and forms that an answer sets, "" for those that it deletes."""
    lines = [line.partition("=")[::2] for line in answer.headers.getlist("Set-Cookie") if KEYS in line]
    return {name: "" if "Max-Age=0" in told else told.partition(";")[0] for name, told in lines}


def keys_of(player: Player) -> dict[str, str]:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        return {link: queries.key_of(table, link) for link in LETTERS}


class TestEveryLinkIsOfThatAddress:
    def test_on_pages_and_in_texts(self, there: Player) -> None:
        keys = keys_of(there)
        there.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        for host in ("cards.example", "CARDS.example.:8000", "localhost:8000"):
            headers = {"Host": host, **EVIL}
            told = {
                f"/t/{keys['play']}/share": ("play", "watch"),
                f"/o/{keys['owner']}": ("owner", "play", "watch"),
                f"/t/{keys['play']}/matches/1/text?add=watch": ("watch",),
                f"/t/{keys['play']}/matches/1/deals/1/text?add=watch": ("watch",),
            }
            for path, links in told.items():
                page = there.client.get(path, headers=headers)
                assert page.status_code == 200, path
                for link in links:
                    assert f"{ADDRESS}/{LETTERS[link]}/{keys[link]}" in page.text, (path, link)
                assert "http://" not in page.text.replace("http://www.w3.org/", ""), path
                assert "evil" not in page.text

    def test_in_qr_codes(self, there: Player) -> None:
        keys = keys_of(there)
        told = {f"/t/{keys['play']}/qr.svg": "play", f"/t/{keys['play']}/watch.svg": "watch"}
        told |= {f"/o/{keys['owner']}/qr/{link}.svg": link for link in LETTERS}
        for path, link in told.items():
            drawn = io.BytesIO()
            code = segno.make(f"{ADDRESS}/{LETTERS[link]}/{keys[link]}", error="m")
            code.save(drawn, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False)
            assert there.client.get(path, headers=EVIL).data == drawn.getvalue(), path

    def test_beside_a_link_in_a_chat(self, there: Player) -> None:
        page = there.app.test_client(use_cookies=False).get(f"/t/{there.key}", headers=EVIL, follow_redirects=True)
        assert f'content="{ADDRESS}/preview.png"' in page.text
        assert "evil" not in page.text

    @pytest.mark.parametrize("path", ["/t//{key}//matches/1"])
    def test_where_doubled_slashes_are_led_back(self, there: Player, path: str) -> None:
        for host in ("cards.example", "localhost"):
            asked = {**create_environ("/", headers=EVIL), "PATH_INFO": path.format(key=there.key), "HTTP_HOST": host}
            _body, status, headers = run_wsgi_app(there.app.wsgi_app, asked)
            assert status.startswith("308")
            assert headers["Location"].startswith("/t/")

    def test_in_what_the_api_answers(self, there: Player) -> None:
        asked = {"id": str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]]}
        told = there.app.test_client().post("/api/v1/tables", json=asked, headers=EVIL)
        assert told.status_code == 201
        assert told.json is not None
        for link, path in told.json["links"].items():
            assert path == f"/{LETTERS[link]}/{told.json['keys'][link]}", "whose host is the one that was asked"

    def test_without_the_setting_it_is_the_host_that_is_asked(self, app: Flask, ana: Player) -> None:
        page = ana.client.get(f"/t/{ana.key}/share", headers={"Host": "192.168.1.20:8000"})
        assert f"http://192.168.1.20:8000/t/{ana.key}" in page.text
        assert "Strict-Transport-Security" not in page.headers


class TestAnotherHost:
    @pytest.mark.parametrize(
        ("host", "path"),
        [
            ("evil.example", "/t/{key}"),
            ("cards.example.evil.example", "/"),
            ("192.168.1.20:8000", "/api/v1/games"),
            ("[::2]", "/static/nothing.js"),
        ],
    )
    def test_is_refused_in_words_before_anything_reads_the_request(self, there: Player, host: str, path: str) -> None:
        for method in ("GET", "POST", "HEAD"):
            asked = {**create_environ(path.format(key=there.key), method=method), "HTTP_HOST": host}
            body, status, headers = run_wsgi_app(there.app.wsgi_app, asked)
            assert status == "400 Bad Request"
            assert headers["Content-Type"] == "text/plain; charset=utf-8"
            assert "Set-Cookie" not in headers
            assert host not in headers.values()
            words = b"".join(body).decode()
            assert words == "" if method == "HEAD" else ADDRESS in words
            assert "evil" not in words

    @pytest.mark.parametrize("host", ["cards.example:80", "Cards.Example."])
    def test_is_not_meant_where_only_the_spelling_or_the_port_differ(self, there: Player, host: str) -> None:
        assert there.client.get(f"/t/{there.key}", headers={"Host": host}).status_code == 200

    def test_is_not_named_by_a_request_without_a_host(self, there: Player) -> None:
        asked = create_environ(f"/t/{there.key}/share")
        del asked["HTTP_HOST"]
        body, status, _headers = run_wsgi_app(there.app.wsgi_app, {**asked, "SERVER_NAME": "0.0.0.0"})
        assert status == "200 OK"
        assert f"{ADDRESS}/t/{there.key}" in b"".join(body).decode()

    @pytest.mark.parametrize("host", ["localhost:8000", "[::1]:8000"])
    def test_is_only_this_machine_where_it_asks_itself(self, there: Player, host: str) -> None:
        for peer, status in {"127.0.0.1": 200, "": 200, "192.168.1.7": 400}.items():
            told = there.app.test_client().get("/", headers={"Host": host}, environ_base={"REMOTE_ADDR": peer})
            assert told.status_code == status, peer


class TestOverHttps:
    def test_cookies_are_of_this_host_alone(self, there: Player) -> None:
        phone = there.app.test_client()
        lines = phone.get("/").headers.getlist("Set-Cookie") + phone.get(f"/t/{there.key}").headers.getlist(
            "Set-Cookie"
        )
        assert {line.partition("=")[0] for line in lines} == {*HOSTED}
        for line in lines:
            told = line.split("; ")[1:]
            assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= {*told}
            assert not any(part.startswith("Domain") for part in told)
        assert f"/t/{there.key}" in phone.get("/").text

    def test_browsers_are_told_to_stay_with_it(self, there: Player) -> None:
        for path in ("/", f"/t/{there.key}", "/nothing", "/api/v1/games"):
            assert there.client.get(path).headers["Strict-Transport-Security"] == "max-age=31536000"

    def test_but_not_at_an_address_of_http(self, at: At) -> None:
        address = "http://192.168.1.20:8000"
        player = open_table(at(address))
        page = player.client.get(f"/t/{player.key}/share")
        assert f"{address}/t/{player.key}" in page.text
        assert "Strict-Transport-Security" not in page.headers
        assert player.client.get_cookie(KEYS) is not None
        assert "Secure" not in str(player.app.test_client().get("/").headers.getlist("Set-Cookie"))


@pytest.mark.own_app
class TestAPhoneFromBefore:
    """It has its cookies under the plain names, as ``SCOREKEEPER_HTTPS=1`` and plain HTTP have set them."""

    drawn = ""
    """The token of a form that it has open since it had no table."""

    @pytest.fixture
    def old(self, app: Flask) -> Player:
        """A phone as it was before: with a table, and with the secret of forms that it had before that."""
        app.config["WTF_CSRF_ENABLED"] = True
        client = app.test_client()
        # An open form, which is signed with the secret in the cookie of the forms.
        drawn = Page(client.get("/tables/new")).form("agree")
        form = agreed(client, player__0="Ana", player__1="Beto")
        assert form["csrf_token"]
        page = Page(client.post("/tables/new", data=form))
        assert page.status == 303
        old = Player(app, client, page.location.removeprefix("/t/"))
        old.client.get(f"/t/{old.key}")
        self.drawn = drawn["csrf_token"]
        assert client.get_cookie(FORMS) is not None
        return old

    @pytest.fixture
    def phone(self, old: Player, at: At) -> Player:
        """The same phone once the server has its own address."""
        app = at(ADDRESS)
        app.config["WTF_CSRF_ENABLED"] = True
        return _as(old, app)

    def test_goes_on_with_its_tables(self, phone: Player) -> None:
        assert f"/t/{phone.key}" in phone.client.get("/", headers=FETCHED).text
        assert phone.client.get(f"/t/{phone.key}/owner").headers["Location"].startswith("/o/")

    def test_moves_its_cookies_with_the_first_page_that_it_opens(self, phone: Player) -> None:
        assert not set_by(phone.client.get(f"/t/{phone.key}", headers=FETCHED)), "a part of a page moves nothing"
        moved = set_by(phone.client.get(f"/t/{phone.key}", headers=OPENED))
        assert set(moved) == {KEYS, FORMS, *HOSTED}
        assert moved[KEYS] == moved[FORMS] == ""
        assert all(moved[name] for name in HOSTED)
        assert phone.client.get_cookie(KEYS) is None
        assert phone.client.get_cookie(FORMS) is None
        assert not set_by(phone.client.get(f"/t/{phone.key}", headers=OPENED)), "once"
        assert f"/t/{phone.key}" in phone.client.get("/").text

    def test_posts_the_form_that_was_drawn_before(self, phone: Player) -> None:
        phone.client.get("/", headers=OPENED)
        answer = phone.client.post("/language", data={"language": "es", "csrf_token": self.drawn})
        assert answer.status_code == 303

    def test_renews_no_owner_link_to_a_key_that_came_under_the_old_name(self, phone: Player, at: At) -> None:
        """Another host below the same domain may have put a cookie of its own there, and know what is in it."""
        before = _unsigned(at(""))
        cookie = phone.client.get_cookie(KEYS)
        assert cookie is not None
        theirs = before.test_client()
        theirs.set_cookie(KEYS, cookie.value)
        with theirs.session_transaction() as held:
            held["next_owner_key"] = "a" * 22
        cookie = theirs.get_cookie(KEYS)
        assert cookie is not None
        phone.client.set_cookie(KEYS, cookie.value)
        phone.client.get("/", headers=OPENED)
        asked = phone.client.get(f"{owner_of(phone)}/renew/owner").text
        coming = re.findall(r'name="coming"[^>]* value="([^"]+)"', asked)
        assert len(coming) == 1
        assert coming[0] != "a" * 22

    def test_keeps_what_it_has_under_the_new_name_if_another_host_makes_the_old_one(
        self, phone: Player, old: Player
    ) -> None:
        phone.client.get("/", headers=OPENED)
        other = open_table(_unsigned(phone.app))
        cookie = other.client.get_cookie(HOSTED[0])
        assert cookie is not None
        phone.client.set_cookie(KEYS, cookie.value)
        phone.client.set_cookie(FORMS, "a" * 40)
        home = phone.client.get("/", headers=OPENED).text
        assert f"/t/{phone.key}" in home
        assert f"/t/{other.key}" not in home


class TestNobodyElseWritesThem:
    @pytest.mark.parametrize("path", ["/forget", "/tables/new"])
    @pytest.mark.parametrize("planted", [{}, {KEYS: "x", FORMS: "f" * 40}])
    def test_a_form_that_another_site_posts_sets_none_whatever_comes_with_it(
        self, there: Player, path: str, planted: dict[str, str]
    ) -> None:
        """Another host below the same domain makes cookies of plain names, which come with such a post; ours do not."""
        there.app.config["WTF_CSRF_ENABLED"] = True
        phone = there.app.test_client()
        for name, value in planted.items():
            phone.set_cookie(name, value)
        answer = phone.post(path, data={"what": "all"}, headers={**POSTED, "Origin": "https://evil.example"})
        assert answer.status_code >= 400
        assert not set_by(answer)

    def test_nor_does_what_it_embeds(self, there: Player) -> None:
        phone = there.app.test_client()
        cookie = there.client.get_cookie(HOSTED[0])
        assert cookie is not None
        phone.set_cookie(KEYS, cookie.value)
        for path in ("/", f"/t/{there.key}", "/tables/new"):
            said = {**POSTED, "Sec-Fetch-Dest": "iframe"}
            assert not set_by(phone.get(path, headers=said)), path

    @pytest.mark.parametrize("origin", ["http://cards.example", "https://cards.example:8443"])
    def test_nor_does_a_form_of_another_origin_where_a_browser_says_no_more(self, there: Player, origin: str) -> None:
        there.app.config["WTF_CSRF_ENABLED"] = True
        answer = there.app.test_client().post("/forget", data={"what": "all"}, headers={"Origin": origin})
        assert answer.status_code == 400
        assert not set_by(answer)

    def test_a_link_that_was_sent_is_remembered(self, there: Player) -> None:
        phone = there.app.test_client()
        assert HOSTED[0] in set_by(phone.get(f"/t/{there.key}", headers=POSTED))


@pytest.mark.parametrize("letter", "two")
def test_no_page_with_a_key_is_found_by_searching(ana: Player, letter: str) -> None:
    keys = {LETTERS[link]: key for link, key in keys_of(ana).items()}
    for key in (keys[letter], "x" * 22):
        assert ana.client.get(f"/{letter}/{key}").headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize("path", ["/", "/tables/new"])
def test_the_others_may_be(client: FlaskClient, path: str) -> None:
    assert "X-Robots-Tag" not in client.get(path).headers


class TestTheSetting:
    @pytest.mark.parametrize(
        ("told", "address"),
        {
            "": "",
            "https://cards.example": ADDRESS,
            " HTTPS://Cards.Example:443 ": ADDRESS,
            "http://cards.example:80": "http://cards.example",
            "http://[0:0::1]:8000": "http://[::1]:8000",
            "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
        }.items(),
    )
    def test_is_a_scheme_a_host_and_perhaps_a_port(self, told: str, address: str) -> None:
        assert own_address({"SCOREKEEPER_URL": told}) == address

    @pytest.mark.parametrize(
        "told",
        [
            "cards.example",
            "https://cards.example/t/AAAAAAAAAAAAAAAAAAAAAA",
            "https://ana:secret@cards.example",
            "ftp://cards.example",
            "https://cards.example:65536",
            "https://bücher.example",
            "*",
        ],
    )
    def test_or_is_refused_without_repeating_it(self, told: str) -> None:
        with pytest.raises(UnsafeConfiguration) as refused:
            own_address({"SCOREKEEPER_URL": told})
        assert "SCOREKEEPER_URL" in str(refused.value)
        assert "AAAA" not in str(refused.value)
        assert "secret" not in str(refused.value)

    def test_does_not_go_with_its_contrary(self) -> None:
        with pytest.raises(UnsafeConfiguration):
            own_address({"SCOREKEEPER_URL": "http://cards.example", "SCOREKEEPER_HTTPS": "1"})
        assert own_address({"SCOREKEEPER_URL": ADDRESS, "SCOREKEEPER_HTTPS": "1"}) == ADDRESS


def owner_of(phone: Player) -> str:
    """Return the address of the owner's page."""
    return phone.client.get(f"/t/{phone.key}/owner").headers["Location"]


def _as(old: Player, app: Flask) -> Player:
    """Return the phone with its cookies, as it comes to another app."""
    client = app.test_client()
    for name in (KEYS, FORMS):
        cookie = old.client.get_cookie(name)
        assert cookie is not None
        client.set_cookie(name, cookie.value)
    return Player(app, client, old.key)


def _unsigned(app: Flask) -> Flask:
    """Return the app, which no longer asks who drew a form."""
    app.config["WTF_CSRF_ENABLED"] = False
    return app


@pytest.mark.parametrize("path", ["/", "/prime"])
def test_a_page_that_anybody_may_find_says_what_the_app_is(client: FlaskClient, path: str) -> None:
    assert client.get(path).text.count('<meta name="description" content="Keeps the score') == 1


def test_a_page_behind_a_key_says_nothing_to_search_engines(ana: Player) -> None:
    assert 'name="description"' not in ana.get().html
