"""A table's key stays in this app: no foreign script, no referrer, no copy in a cache."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from ..conftest import Player


@pytest.mark.parametrize("path", ["/", "/api/v1/nothing"])
def test_every_answer_carries_the_headers(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert "style-src" not in policy, "nothing but the app's own styles"
    assert re.fullmatch(r"'self' 'sha256-[\w+/]{43}='", policy["script-src"]), "nothing but the app's own scripts"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "screen-wake-lock=(self)" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", ["", "/history"])
def test_a_page_with_a_key_is_kept_in_no_cache(ana: Player, path: str) -> None:
    answer = ana.client.get(f"/t/{ana.key}{path}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["", "/matches/1/deals/1/close"])
def test_no_page_needs_what_the_policy_forbids(ana: Player, path: str) -> None:
    answer = ana.client.get(f"/t/{ana.key}{path}")
    page = answer.text
    for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in answer.headers["Content-Security-Policy"], (
            "a script in the page is known by its hash"
        )
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script (?![^>]*src=)|hx-on|javascript:", page)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//(?!localhost)""", page)


@pytest.mark.parametrize("filename", ["css/pages.css", "js/page.js"])
def test_styles_and_scripts_travel_compressed(app: Flask, client: FlaskClient, filename: str) -> None:
    with app.test_request_context():
        address = url_for("static", filename=filename)
    with client.get(address) as whole:
        sizes = {"": len(whole.data)}
    for asked, name in (("gzip", "gzip"), ("gzip, deflate, br, zstd", "br")):
        with client.get(address, headers={"Accept-Encoding": asked}) as packed:
            assert packed.headers["Content-Encoding"] == name
            assert "Accept-Encoding" in packed.headers["Vary"]
            sizes[name] = len(packed.data)
    assert sizes["br"] < sizes["gzip"] < sizes[""] / 2
