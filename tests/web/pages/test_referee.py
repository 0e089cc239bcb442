"""The referee's pages: a question in the address, its answer on the page."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper import rules
from scorekeeper.web.pages.captures import capture_options

from ...helpers.reading import Page

PLAIN = {"chorizo": "flores", "scopa_d_assi": "scopa_d_assi", "cirulla": "cirulla", "chkobba": "chkobba"}


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    return app.test_client()


A_24 = "pile-A=7O&pile-A=6C&pile-A=6E&pile-A=5B"
B_23 = "pile-B=7C&pile-B=7E&pile-B=7B&pile-B=2O"


def read(phone: FlaskClient, address: str, status: int = 200, **how: Any) -> Page:
    """Open a page and read it; it answers with the status."""
    page = Page(phone.get(address, **how))
    assert page.status == status, page.words
    return page


# The prime.


def test_the_better_prime_is_named(phone: FlaskClient) -> None:
    assert "I win, 24–23" in read(phone, f"/prime?method=face&{A_24}&{B_23}").words


def test_each_card_of_a_prime_shows_what_it_counts(phone: FlaskClient) -> None:
    words = read(phone, f"/prime?method=italian&{A_24}&{B_23}").words

    for shown in ("7 21 Me, coins: 7 of coins", "6 18 Me, cups: 6 of cups", "5 15 Me, clubs: 5 of clubs"):
        assert shown in words
    assert "72 7 21 Me, coins" in words


def test_every_other_way_of_counting_is_told_and_where_it_would_change_the_winner(phone: FlaskClient) -> None:
    words = read(phone, f"/prime?method=face&{A_24}&{B_23}").words

    assert "21, 18, 16 (Italian) The other wins 72 75" in words
    assert "Ace five and a half 24 23" in words


def test_a_suit_that_is_missing_leaves_a_gap(phone: FlaskClient) -> None:
    words = read(phone, "/prime?pile-A=7O&pile-B=6O").words

    assert "Me, cups: no card" in words
    assert "Empty places count nothing." in words


def test_where_four_suits_are_needed_a_prime_of_three_does_not_count(phone: FlaskClient) -> None:
    words = read(phone, "/prime?suits=1&pile-A=7O&pile-A=7C&pile-A=7E&pile-B=1O&pile-B=1C&pile-B=1E&pile-B=1B").words

    assert "The other wins" in words
    assert "a suit or a card that it needs is missing" in words


def test_equal_primes_are_level(phone: FlaskClient) -> None:
    assert "Level: Me and The other" in read(phone, "/prime?pile-A=7O&pile-B=7C").words


def test_up_to_four_sides_compare(phone: FlaskClient) -> None:
    words = read(phone, "/prime?sides=4&pile-A=5O&pile-B=6O&pile-C=7C&pile-D=4O").words

    assert "The third wins, 7–5–6–4" in words


def test_a_card_on_both_sides_is_refused_and_kept(phone: FlaskClient) -> None:
    page = read(phone, "/prime?pile-A=7O&pile-B=7O", 422)

    assert "7 of coins is in the pile of Me and in the pile of The other" in page.words
    assert page.form("prime").getlist("pile-A") == ["7O"]
    assert page.form("prime").getlist("pile-B") == ["7O"]


def test_only_the_verdict_is_sent_when_only_that_is_asked_for(phone: FlaskClient) -> None:
    page = read(phone, "/prime?pile-A=7O", headers={"HX-Request": "true", "HX-Target": "verdict"})

    assert "<html" not in page.html
    assert "Me 7 Still to come: The other" in page.words


def test_the_first_empty_place_is_open(phone: FlaskClient) -> None:
    for asked, opened in (
        ("", "A-O"),
        ("?pile-A=7O", "A-C"),
        ("?tab=B&pile-B=7O", "B-C"),
        ("?tab=nonsense", "A-O"),
        (f"?{A_24}&{B_23}", ""),
    ):
        found = re.search(r'name="slot" form="" value="([^"]*)" checked', read(phone, f"/prime{asked}").html)
        assert (found[1] if found else "") == opened


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


def test_before_each_side_has_a_card_nobody_wins(phone: FlaskClient) -> None:
    words = read(phone, f"/prime?{A_24}").words

    assert "Me 24 Still to come: The other" in words
    assert "I win" not in words.partition("Counted otherwise")[0]


def test_halves_are_written_as_the_language_does(phone: FlaskClient) -> None:
    address = f"/prime?method=seventy&{A_24}&{B_23}"

    assert "55.5" in read(phone, address).words
    assert "55,5" in read(phone, address, headers={"Accept-Language": "es"}).words


def test_the_best_of_two_cards_of_a_suit_counts(phone: FlaskClient) -> None:
    page = read(phone, "/prime?pile-A=5O&pile-A=7O&pile-B=6O")

    assert "Me, coins: 7 of coins" in page.words
    assert sorted(page.form("prime").getlist("pile-A")) == ["5O", "7O"]


# Captures.


def test_every_set_a_card_takes_is_shown_as_a_sum(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=chorizo&layout=1O&layout=3C&layout=4E&layout=7B&card=4O").words

    assert "can take and it must" in words
    assert "4 + 7 + 4 = 15" in words
    assert "1 + 3 + 7 + 4 = 15" in words
    assert "must take: one of 2 sets" in words


def test_a_sweep_is_announced(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=escopa&layout=12O&layout=11C&layout=3E&card=10B").words

    assert "and that is 2 escopas" in words
    assert "optional" in words


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


def test_house_rules_of_the_game_before_do_not_follow_into_the_next(phone: FlaskClient) -> None:
    page = read(phone, '/captures?game=escoba&drawn=chorizo/flores&opt-obligation="card"&layout=7O&card=10C')

    assert "Taking is optional" in page.words
    assert page.form("captures")["opt-obligation"] == '"free"'


def test_the_obligation_of_the_hand_asks_for_the_hand(phone: FlaskClient) -> None:
    page = read(phone, "/captures?game=cirulla&layout=12O&card=2E")
    assert "tap in the rest of the hand" in page.words

    page = read(phone, "/captures?game=cirulla&layout=12O&card=2E&hand=5B")
    assert "Another card of the hand can take" in page.words


def test_an_equal_card_bars_the_sums(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=scopa&layout=7O&layout=3C&layout=4E&card=7E").words

    assert "can take and it must" in words
    assert "no sum may be taken" in words


def test_the_very_last_card_clears_the_table_without_a_sweep(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=scopa&layout=7O&card=7E&last=1").words

    assert "clears the table, but with the very last card that scores nothing" in words


def test_an_ace_that_takes_all_makes_no_sweep_in_scopa_d_assi(phone: FlaskClient) -> None:
    words = read(phone, "/captures?game=scopa_d_assi&layout=12O&layout=5C&card=1E").words

    assert "clears the table, but that scores nothing at this table" in words


def test_a_queen_counts_eight_in_tunisia(phone: FlaskClient) -> None:
    assert "8 + 1 = 9" in read(phone, "/captures?game=chkobba&layout=11O&layout=1C&card=10B").words


def test_a_wild_card_shows_no_sum_until_it_is_given_a_value(phone: FlaskClient) -> None:
    address = "/captures?game=chorizo&preset=montevideo&layout=12O&layout=5C&card=6E"

    assert "= 15" not in read(phone, address).words
    assert "4 + 5 + 6 = 15" in read(phone, f"{address}&as-12O=4").words


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("game=scopa&layout=7O&card=7O", "7 di denari is on the table and played"),
        ("game=scopa&layout=7O&layout=7O&card=6O", "7 di denari is twice on the table"),
        ("game=cirulla&layout=7O&card=6O&hand=6O", "6 di denari is played and in the hand"),
        ("game=chorizo&card=8O", "no card 8O"),
        ("game=scopa&layout=x", "no card X"),
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


def test_nothing_is_taken_for_wrong_before_a_card_is_played(phone: FlaskClient) -> None:
    assert 'class="error"' not in read(phone, "/captures?game=scopa&layout=7O").html


@pytest.mark.parametrize(
    "path", ["/prime?method={}", "/prime?pile-A={}", "/captures?layout={}", "/captures?game=cirulla&as-7C={}"]
)
def test_a_flood_of_letters_is_refused(phone: FlaskClient, path: str) -> None:
    answer = phone.get(path.format("x" * 3000))

    assert answer.status_code in (400, 422)
    assert re.search('class="(bad|error)"', answer.text)


def test_an_unknown_game_has_no_captures(phone: FlaskClient) -> None:
    assert phone.get("/captures?game=poker").status_code == 404


# The rules.


@pytest.mark.parametrize("game", [game["id"] for game in rules.games()["games"]])
@pytest.mark.parametrize("language", ["es", "en"])
def test_every_game_has_a_page_of_rules(phone: FlaskClient, game: str, language: str) -> None:
    page = phone.get(f"/rules/{game}", headers={"Accept-Language": language})

    assert page.status_code == 200
    assert f'<html lang="{language}"' in page.text


def test_the_rules_say_what_scores_and_for_what(phone: FlaskClient) -> None:
    words = read(phone, "/rules/chorizo").words

    assert "Nine for three three cards that add up to exactly nine 3" in words
    assert "Opening sweep the four opening cards make 15 or 30: they are the dealer's 1 / 2" in words
    assert "Level at the top, each of them scores; if all are level, nobody does" in words
    assert "J. Capagorry: El juego es cosa seria (1979)" in words


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("chorizo", "A card takes cards that make 15 together with it."),
        ("escopa", "an escopa for each fifteen taken"),
        ("scopa", "With 2 re or more on the table the deal is void. The next dealer deals."),
        (
            "scopa_d_assi",
            "By an asso that takes everything it is none. With the very last card of the deal it is none.",
        ),
        ("scopone_scientifico", "10 cards each; the table begins empty."),
        ("cirulla", "As long as any card of the hand can take, one that takes must be played."),
        ("chkobba", "then queen counts 8, jack counts 9 and king counts 10."),
        ("la_escoba", "the one that takes nothing in a whole deal loses the match"),
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


def test_of_many_sets_the_first_are_shown_and_the_others_counted(phone: FlaskClient) -> None:
    table = "&".join(f"layout={rank}{suit}" for suit in "CEB" for rank in range(1, 8))
    page = read(phone, f"/captures?game=escopa&card=1O&{table}")

    assert "can take" in page.words
    assert page.html.count("<li>") < 250
    assert "And 139615 sets more." in page.words


@pytest.mark.parametrize("game", ["escopa", "chorizo", "cirulla", "scopa_d_assi"])
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
        ("game=la_escoba", "Who has the better prime?"),
        ("game=chkobba", "Who has the better prime?"),
        ("game=nothing", "Who has the better prime?"),
    ],
)
def test_the_prime_is_called_as_in_the_game_that_it_is_asked_from(phone: FlaskClient, asked: str, says: str) -> None:
    page = read(phone, f"/prime?{asked}&method=italian&pile-A=1E")
    assert says in page.words
    assert ('aria-label="asso di spade"' in page.html) == ("scopa" in asked)
