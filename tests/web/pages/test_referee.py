"""The referee's pages: a question in the address, its answer on the page."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper.web.pages.captures import capture_options

from ...helpers.reading import Page

PLAIN = {"chorizo": "flores", "scopa_d_assi": "scopa_d_assi", "cirulla": "cirulla", "chkobba": "chkobba"}


@pytest.fixture
def phone(client: FlaskClient) -> FlaskClient:
    """A phone without a table."""
    return client


A_24 = "pile-A=7O&pile-A=6C&pile-A=6E&pile-A=5B"
B_23 = "pile-B=7C&pile-B=7E&pile-B=7B&pile-B=2O"


def read(phone: FlaskClient, address: str, status: int = 200, **how: Any) -> Page:
    """Open a page and read it; it answers with the status."""
    page = Page(phone.get(address, **how))
    assert page.status == status, page.words
    return page


# The prime.


def test_each_card_of_a_prime_shows_what_it_counts(phone: FlaskClient) -> None:
    words = read(phone, f"/prime?method=italian&{A_24}&{B_23}").words

    for shown in ("7 21 Me, coins: 7 of coins", "6 18 Me, cups: 6 of cups", "5 15 Me, clubs: 5 of clubs"):
        assert shown in words
    assert "72 7 21 Me, coins" in words


def test_every_other_way_of_counting_is_told_and_where_it_would_change_the_winner(phone: FlaskClient) -> None:
    words = read(phone, f"/prime?method=face&{A_24}&{B_23}").words

    assert "21, 18, 16 (Italian) The other wins 72 75" in words
    assert "Ace five and a half 24 23" in words


def test_where_four_suits_are_needed_a_prime_of_three_does_not_count(phone: FlaskClient) -> None:
    words = read(phone, "/prime?suits=1&pile-A=7O&pile-A=7C&pile-A=7E&pile-B=1O&pile-B=1C&pile-B=1E&pile-B=1B").words

    assert "The other wins" in words
    assert "a suit or a card that it needs is missing" in words


def test_a_card_on_both_sides_is_refused_and_kept(phone: FlaskClient) -> None:
    page = read(phone, "/prime?pile-A=7O&pile-B=7O", 422)

    assert "7 of coins is in the pile of Me and in the pile of The other" in page.words
    assert page.form("prime").getlist("pile-A") == ["7O"]
    assert page.form("prime").getlist("pile-B") == ["7O"]


def test_only_the_verdict_is_sent_when_only_that_is_asked_for(phone: FlaskClient) -> None:
    page = read(phone, "/prime?pile-A=7O", headers={"HX-Request": "true", "HX-Target": "verdict"})

    assert "<html" not in page.html
    assert "Me 7 Still to come: The other" in page.words


def test_the_sides_go_by_the_names_of_the_address(phone: FlaskClient) -> None:
    page = read(phone, f"/prime?{A_24}&{B_23}&name-A=Ana&name-B=%20")

    assert "Ana wins, 24–23" in page.words
    assert "Ana, coins: 7 of coins" in page.words
    assert page.form("prime")["name-A"] == "Ana"
    assert page.form("prime")["name-B"] == ""


def test_a_name_is_cleaned_and_has_a_bound(phone: FlaskClient) -> None:
    page = read(phone, f"/prime?name-A={'x' * 300}&name-B=%E2%80%AE%3Cb%3E")

    assert page.form("prime")["name-A"] == "x" * 40
    assert "<b>" not in page.form("prime")["name-B"] or "&lt;b&gt;" in page.html
    assert "\u202e" not in page.html


# Captures.


def test_every_set_a_card_takes_is_shown_as_a_sum(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=chorizo&layout=1O&layout=3C&layout=4E&layout=7B&card=4O").words

    assert "can take and it must" in words
    assert "4 + 7 + 4 = 15" in words
    assert "1 + 3 + 7 + 4 = 15" in words
    assert "must take: one of 2 sets" in words


def test_a_house_rule_changes_the_answer(phone: FlaskClient) -> None:
    address = "/captures?game=scopa&layout=5O&layout=2C&card=7E"

    assert "must take" in read(phone, address).words
    assert "a sum may be left lying" in read(phone, f'{address}&opt-obligation="rank_only"').words


def test_only_the_house_rules_that_matter_to_a_capture_are_asked_for() -> None:
    asked = {game: {option["id"] for option in capture_options(game, preset)} for game, preset in PLAIN.items()}

    assert asked == {
        "chorizo": {"obligation", "wild_cards", "wild_on_table"},
        "scopa_d_assi": {"obligation", "last_play_sweep", "ace_on_ace_sweep"},
        "cirulla": {"obligation", "ace_sweep_scores"},
        "chkobba": {"figure_values", "last_play_sweep"},
    }


def test_the_obligation_of_the_hand_asks_for_the_hand(phone: FlaskClient) -> None:
    page = read(phone, "/captures?game=cirulla&layout=12O&card=2E")
    assert "tap in the rest of the hand" in page.words

    page = read(phone, "/captures?game=cirulla&layout=12O&card=2E&hand=5B")
    assert "Another card of the hand can take" in page.words


def test_a_wild_card_shows_no_sum_until_it_is_given_a_value(phone: FlaskClient) -> None:
    address = "/captures?game=chorizo&preset=montevideo&layout=12O&layout=5C&card=6E"

    assert "= 15" not in read(phone, address).words
    assert "4 + 5 + 6 = 15" in read(phone, f"{address}&as-12O=4").words


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("game=cirulla&layout=7O&card=6O&hand=6O", "6 di denari is played and in the hand"),
        ("game=chorizo&card=8O", "no card 8O"),
        ("game=scopa&card=7O&opt-obligation=often", "Choose one of the list"),
        ("game=brisca&card=7O", "nothing is taken from the table"),
        ("game=chorizo&preset=montevideo&layout=12O&card=6E&as-12O=8", "index"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_the_form_kept(phone: FlaskClient, address: str, told: str) -> None:
    page = read(phone, f"/captures?{address}", 422)

    assert told in page.words
    asked = MultiDict(parse_qsl(address))
    assert set(page.form("captures").getlist("layout")) == {card for card in asked.getlist("layout") if card != "x"}


@pytest.mark.parametrize("path", ["/prime?pile-A={}", "/captures?game=cirulla&as-7C={}"])
def test_a_flood_of_letters_is_refused(phone: FlaskClient, path: str) -> None:
    answer = phone.get(path.format("x" * 3000))

    assert answer.status_code in (400, 422)
    assert re.search('class="(bad|error)"', answer.text)


# The rules.


def test_the_rules_say_what_scores_and_for_what(phone: FlaskClient) -> None:
    words = read(phone, "/rules/chorizo").words

    assert "Nine for three three cards that add up to exactly nine 3" in words
    assert "Opening sweep the four opening cards make 15 or 30: they are the dealer's 1 / 2" in words
    assert "Level at the top, each of them scores; if all are level, nobody does" in words
    assert "J. Capagorry: El juego es cosa seria (1979)" in words


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("escopa", "an escopa for each fifteen taken"),
        ("scopa", "With 2 re or more on the table the deal is void. The next dealer deals."),
        ("cirulla", "As long as any card of the hand can take, one that takes must be played."),
        ("brisca", "The first to win 3 deals wins the match."),
        ("carioca", "Steal for each discard taken out of turn 2"),
    ],
)
def test_each_game_is_told_its_own_way(phone: FlaskClient, game: str, told: str) -> None:
    assert told in read(phone, f"/rules/{game}").words


def test_a_preset_is_told_by_what_differs(phone: FlaskClient) -> None:
    words = read(phone, "/rules/chorizo").words
    capagorry = words[words.index("After J. Capagorry") : words.index("What a table may agree on")]

    assert "How is the prime counted? 21-18-16" in capagorry
    assert "Báciga three cards that add up to nine or less 2" in capagorry
    assert "Without: nine for three, misery for two." in capagorry
    assert "Does a prime need all four suits?" not in capagorry


def test_of_many_sets_the_first_are_shown_and_the_others_counted(phone: FlaskClient) -> None:
    table = "&".join(f"layout={rank}{suit}" for suit in "CEB" for rank in range(1, 8))
    page = read(phone, f"/captures?game=escopa&card=1O&{table}")

    assert "can take" in page.words
    assert page.html.count("<li>") < 250
    assert "And 139615 sets more." in page.words


@pytest.mark.parametrize("game", ["escopa", "cirulla"])
def test_the_page_of_a_full_table_stays_small(phone: FlaskClient, game: str) -> None:
    cards = [f"{rank}{suit}" for suit in "OCEB" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    table = "&".join(f"layout={card}" for card in cards[1:])
    answer = phone.get(f"/captures?game={game}&preset=montevideo&card={cards[0]}&{table}")

    assert answer.status_code == 200
    assert len(answer.data) < 600_000


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("game=scopa", "Who has the better primiera?"),
        ("game=nothing", "Who has the better prime?"),
    ],
)
def test_the_prime_is_called_as_in_the_game_that_it_is_asked_from(phone: FlaskClient, asked: str, says: str) -> None:
    page = read(phone, f"/prime?{asked}&method=italian&pile-A=1E")
    assert says in page.words
    assert ('aria-label="asso di spade"' in page.html) == ("scopa" in asked)
