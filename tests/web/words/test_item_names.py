"""An item is named in the reader's language, also where there is room for few letters."""

from __future__ import annotations

import pytest
from flask import Flask

from scorekeeper.web.words.names import short_item_name


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("es", ["cartas", "oros", "7 de oros"]),
        ("es-AR", ["cartas", "oros", "7 de oros"]),
        ("en", ["cards", "coins", "7 of coins"]),
    ],
)
def test_a_short_name_is_in_the_language_of_the_reader(app: Flask, language: str, names: list[str]) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert [short_item_name("chorizo", item) for item in ("cards", "coins", "seven_of_coins")] == names
