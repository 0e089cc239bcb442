"""The app as an icon on a phone: manifest, icons, service worker, and what forgetting the phone takes with it."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ..base.test_access import the_table
from ..conftest import Player


def test_every_page_names_the_manifest_and_it_names_icons_that_are_there(client: FlaskClient) -> None:
    address = re.search(r'<link rel="manifest" href="([^"]+)"', client.get("/").text)
    assert address
    told = client.get(address[1])
    assert told.mimetype == "application/manifest+json"
    assert told.json is not None
    assert (told.json["start_url"], told.json["scope"], told.json["display"]) == ("/", "/", "standalone")
    for icon in told.json["icons"]:
        picture = client.get(icon["src"])
        assert picture.data.startswith(b"\x89PNG")
        width = int.from_bytes(picture.data[16:20], "big")
        assert icon["sizes"] == f"{width}x{width}"
    assert {icon["purpose"] for icon in told.json["icons"]} == {"any", "maskable"}


def test_the_app_is_named_in_the_readers_language(client: FlaskClient) -> None:
    told = client.get("/manifest.webmanifest", headers={"Accept-Language": "es"}).json
    assert told is not None
    assert told["lang"] == "es"


def test_the_service_worker_keeps_files_that_are_there_under_names_of_their_content(client: FlaskClient) -> None:
    script = client.get("/sw.js")
    assert script.mimetype == "text/javascript"
    assert script.headers["Cache-Control"] == "no-cache"
    files = re.findall(r'"(/[^"]+)"', script.text.split("FILES = ")[1].split(";")[0])
    assert "/offline" in files
    for address in files:
        with client.get(address) as answer:
            assert answer.status_code == 200, address
            assert address == "/offline" or "immutable" in answer.headers["Cache-Control"]


def test_the_page_for_no_signal_says_that_nothing_is_lost(client: FlaskClient) -> None:
    assert "is kept" in client.get("/offline").text


def test_forgetting_everything_takes_the_kept_pages_and_drafts_with_it(ana: Player) -> None:
    assert "storage" in ana.client.post("/forget", data={"what": "all"}).headers["Clear-Site-Data"]


@pytest.mark.parametrize("path", ["", "/matches/1/deals/1/close"])
def test_every_page_that_writes_keeps_what_cannot_be_sent(app: Flask, ana: Player, path: str) -> None:
    page = ana.get(path).html
    assert 'id="waiting"' in page
    assert "js/match." in page


def test_a_page_that_writes_names_its_table_for_what_waited_while_the_link_was_renewed(app: Flask, ana: Player) -> None:
    table = the_table(app, ana)
    written = re.search(r'<details id="waiting"[^>]*>', ana.get().html)
    assert written
    assert f'data-table-id="{table.id}" data-key="{table.play_key}"' in written[0]


def test_a_page_that_watches_names_no_key_to_write(app: Flask, ana: Player) -> None:
    ana.get()  # the parts of this page are kept
    table = the_table(app, ana)
    watched = app.test_client().get(f"/w/{table.watch_key}").text
    assert 'id="waiting"' in watched
    assert "data-table-id" not in watched
    assert table.play_key not in watched


def test_the_script_that_holds_early_taps_comes_before_the_board(ana: Player) -> None:
    for path in ("", "/faces"):
        page = ana.get(path).html
        assert page.index("tapsAreHeld") < page.index('id="board"'), "in the page itself: no request more"
