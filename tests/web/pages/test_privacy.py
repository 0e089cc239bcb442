"""The page about privacy: ten lines, in both languages, as the settings of this very server have it."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import Player


def lines(app: Flask, language: str = "en") -> list[str]:
    page = Page(app.test_client().get("/privacy", headers={"Accept-Language": language}))
    assert page.status == 200
    return re.findall(r"<li><b>(.*?)</b>: (.*?)</li>", page.html, re.DOTALL)


@pytest.mark.parametrize("language", ["en", "es"])
def test_it_has_ten_lines_in_both_languages(app: Flask, language: str) -> None:
    assert len(lines(app, language)) == 10
    assert dict(lines(app, "en")).keys().isdisjoint(dict(lines(app, "es")))


SETTINGS = [
    ("EXPIRE_MONTHS", 0, "This server deletes no table by itself."),
    ("EXPIRE_MONTHS", 24, "nobody has opened the table for 24 months: then it is deleted."),
    ("ACCESS_LOG", False, "no link, no name and no network address"),
    ("ACCESS_LOG", True, "every request with its network address"),
    ("SQLALCHEMY_DATABASE_URI", "sqlite:///x.db", "hold what was deleted until they are deleted themselves"),
    ("SQLALCHEMY_DATABASE_URI", "postgresql+psycopg:///x", "own records and free room"),
    ("BRAKES", "off", "Of whoever sends a table as a file"),
    ("BRAKES", "", "it counts requests by a code made from the network address"),
]


@pytest.mark.parametrize(("setting", "value", "words"), SETTINGS)
def test_the_settings_of_this_server_are_in_its_words(app: Flask, setting: str, value: object, words: str) -> None:
    app.config[setting] = value
    said = " ".join(map(" ".join, lines(app)))
    assert words in said
    others = [other for name, _value, other in SETTINGS if name == setting and other != words]
    assert not any(other in said for other in others)


def test_the_start_page_and_the_owners_page_lead_to_it(app: Flask, ana: Player) -> None:
    assert 'href="/privacy"' in app.test_client().get("/").text
    with ana.client.session_transaction() as session:
        owner = session["owned"][0]
    assert 'href="/privacy"' in ana.client.get(f"/o/{owner}").text
