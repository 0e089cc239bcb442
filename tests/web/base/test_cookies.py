"""The cookies of a phone: its tables are nowhere else, so nothing but this app ever writes them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.web.base import remembered
from scorekeeper.web.base.cookies import FORMS

from ...helpers.reading import Page
from ..conftest import Player

KEYS = "scorekeeper"
PLAY, OWNER = "P" * 22, "O" * 22
# Signed with the secret of these tests, for another phone.
OTHERS_TOKEN = ".eJxTMjA0MjYxNTO3sExMSk5JTcPFVwIA4koKpQ.awJhbA.BWwm8tIWQNQ41hyD9nmfUlXmVPI"
ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


def set_by(answer: TestResponse) -> set[str]:
    """Return the names of the cookies that an answer sets."""
    return {line.partition("=")[0] for line in answer.headers.getlist("Set-Cookie")}


@pytest.fixture
def tokens(app: Flask) -> None:
    """Forms are checked, as they are outside the tests."""
    app.config["WTF_CSRF_ENABLED"] = True


class TestACookieThatNobodyElseWrites:
    @pytest.mark.parametrize("path", ["/forget", "/tables/new"])
    @pytest.mark.parametrize("said", [ELSEWHERE, {"Origin": "null"}])
    @pytest.mark.usefixtures("tokens")
    def test_a_form_that_another_site_posts_sets_none(
        self, app: Flask, ana: Player, path: str, said: dict[str, str]
    ) -> None:
        # Browsers send no cookie with it, and would keep the one of the answer.
        answer = app.test_client().post(path, data={"what": "all"}, headers=said)
        assert answer.status_code >= 400
        assert not set_by(answer)

    def test_what_another_sites_page_fetches_sets_none(self, app: Flask, ana: Player) -> None:
        said = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "iframe"}
        for path in (f"/t/{ana.key}", "/tables/new"):
            assert not set_by(app.test_client().get(path, headers=said)), path

    def test_a_link_that_was_sent_opens_and_is_remembered(self, app: Flask, ana: Player) -> None:
        phone = app.test_client()
        assert KEYS in set_by(phone.get(f"/t/{ana.key}", headers=ELSEWHERE))
        assert f"/t/{ana.key}" in phone.get("/").text

    def test_a_page_that_only_draws_a_form_never_writes_the_keys(self, app: Flask, ana: Player) -> None:
        assert set_by(app.test_client().get("/tables/new")) <= {FORMS}
        assert KEYS not in set_by(ana.client.get("/tables/new"))

    @pytest.mark.usefixtures("tokens")
    def test_a_new_phone_opens_a_table_whatever_its_browser_says_of_itself(self, app: Flask) -> None:
        from ..conftest import agreed

        said: tuple[dict[str, str], ...] = ({"Origin": "null"}, {}, {"Sec-Fetch-Site": "same-origin"})
        for headers in said:
            phone = app.test_client()
            form = agreed(phone, player__0="Ana", player__1="Beto")
            answer = phone.post("/tables/new", data=form, headers=headers)
            assert answer.status_code == 303, headers
            assert KEYS in set_by(answer), headers
            assert answer.headers["Location"] in phone.get("/").text

    @pytest.mark.usefixtures("tokens")
    def test_a_form_needs_the_token_of_this_very_phone(self, app: Flask, ana: Player) -> None:
        other = app.test_client()
        theirs = Page(other.get("/")).form(action="/language")["csrf_token"]
        ana.client.get("/")
        for token in (theirs, "", "x", OTHERS_TOKEN):
            assert ana.client.post("/forget", data={"what": "all", "csrf_token": token}).status_code == 400
        assert f"/t/{ana.key}" in ana.client.get("/").text

    def test_it_is_kept_by_its_age_and_not_by_the_servers_calendar(self, ana: Player) -> None:
        with ana.client.session_transaction() as kept:
            kept["month"] = "2001-01"
        line = next(line for line in ana.get().cookies if line.startswith(f"{KEYS}="))
        assert f"Max-Age={400 * 24 * 3600}" in line
        assert "HttpOnly" in line
        assert "SameSite=Lax" in line

    def test_in_a_new_month_the_cookie_is_written_anew_and_then_left_alone(
        self, ana: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ana.get()
        assert KEYS not in set_by(ana.client.get(f"/t/{ana.key}"))

        later = remembered.now() + timedelta(days=32)
        monkeypatch.setattr(remembered, "now", lambda: later)
        assert KEYS in set_by(ana.client.get(f"/t/{ana.key}"))
        assert KEYS not in set_by(ana.client.get(f"/t/{ana.key}"))

    def test_a_phone_that_only_reads_gets_no_mark(self, client: FlaskClient, ana: Player) -> None:
        for path in ("", "/matches/1", "/matches/1/deals/1/close"):
            client.get(f"/t/{ana.key}{path}")
            client.get(f"/t/{ana.key}/matches/1/deals/1/meanwhile?seq=1")
        with client.session_transaction() as session:
            assert "device" not in session
