"""The referee's pages: a question in the address, its answer on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper import create_app, rules


@pytest.fixture
def phone(tmp_path: Path) -> FlaskClient:
    return create_app({"INSTANCE": tmp_path}).test_client()


def test_the_better_prime_is_named_with_what_other_counts_would_say(phone: FlaskClient) -> None:
    page = phone.get(
        "/prime?method=face&pile-A=7O&pile-A=6C&pile-A=6E&pile-A=5B&pile-B=7C&pile-B=7E&pile-B=7B&pile-B=2O"
    )

    assert page.status_code == 200
    assert "Side A has the better prime." in page.text
    assert "A 72 · B 75 → B" in page.text  # counted 21-18-16


def test_a_card_on_both_sides_is_refused_and_kept(phone: FlaskClient) -> None:
    page = phone.get("/prime?pile-A=7O&pile-B=7O")

    assert page.status_code == 422
    assert 'class="error"' in page.text
    assert page.text.count('value="7O" checked') == 2


def test_only_the_verdict_is_sent_when_only_that_is_asked_for(phone: FlaskClient) -> None:
    page = phone.get("/prime?pile-A=7O", headers={"HX-Request": "true", "HX-Target": "verdict"})

    assert "<html" not in page.text
    assert "Side A has the better prime." in page.text


def test_every_set_a_card_takes_is_shown_with_its_sweep(phone: FlaskClient) -> None:
    page = phone.get("/captures?game=chorizo&layout=1O&layout=3C&layout=4E&layout=7B&card=4O")

    assert "takes one of 2 sets" in page.text
    assert "must take" in page.text


def test_a_sweep_is_announced(phone: FlaskClient) -> None:
    page = phone.get("/captures?game=escopa&layout=12O&layout=11C&layout=3E&card=10B")

    assert "sweeps 2 times" in page.text
    assert "optional" in page.text


def test_the_obligation_of_the_hand_asks_for_the_hand(phone: FlaskClient) -> None:
    page = phone.get("/captures?game=cirulla&layout=12O&card=2E&hand=5B")

    assert "Another card of the hand can take" in page.text
    assert 'name="hand"' in page.text


def test_the_card_played_cannot_lie_on_the_table(phone: FlaskClient) -> None:
    page = phone.get("/captures?game=scopa&layout=7O&card=7O")

    assert page.status_code == 422
    assert 'class="error"' in page.text


@pytest.mark.parametrize("path", ["/prime?sides=x&method=magic", "/captures?game=chorizo&card=8O&layout=x"])
def test_nonsense_is_refused_in_words(phone: FlaskClient, path: str) -> None:
    page = phone.get(path)

    assert page.status_code == 422
    assert 'class="error"' in page.text


@pytest.mark.parametrize("game", [game["id"] for game in rules.games()["games"]])
@pytest.mark.parametrize("language", ["es", "en"])
def test_every_game_has_a_page_of_rules(phone: FlaskClient, game: str, language: str) -> None:
    page = phone.get(f"/rules/{game}", headers={"Accept-Language": language})

    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text


def test_an_unknown_game_has_no_rules(phone: FlaskClient) -> None:
    assert phone.get("/rules/poker").status_code == 404


def test_the_language_can_be_switched_and_stays(phone: FlaskClient) -> None:
    phone.application.config["WTF_CSRF_ENABLED"] = False
    answer = phone.post("/language", data={"language": "es", "back": "/rules"})

    assert answer.status_code == 303
    assert answer.headers["Location"] == "/rules"
    assert '<html lang="es"' in phone.get("/rules").text


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_the_switch_leads_nowhere_else(phone: FlaskClient, back: str) -> None:
    phone.application.config["WTF_CSRF_ENABLED"] = False
    answer = phone.post("/language", data={"language": "en", "back": back})

    assert answer.headers["Location"] == "/"


def test_every_answer_carries_the_headers_that_keep_a_key_here(phone: FlaskClient) -> None:
    headers = phone.get("/prime").headers

    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
