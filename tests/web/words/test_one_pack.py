"""What a page draws is what its words name: for every game, and for every pack that a phone may show."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.web.words.cards import PACKS, cards_for, cards_of_game, cookie_of, suit_name
from scorekeeper.web.words.names import games, item_name, item_rule, pick, short_item_name

from ...helpers.reading import Page
from ..conftest import open_table, with_fields

LANGUAGES = ("en", "es")
WITH_CARDS = sorted(game for game, described in games().items() if described["family"] in ("fishing", "tricks"))


def words_of_other_packs(app: Flask, game: str, pack: str, language: str) -> set[str]:
    """Return the names of suits that are none of a game's when it is played with this pack."""

    def suits(of: str, game: str = "chorizo") -> set[str]:
        cookie = f"{cookie_of(cards_of_game(game))}={of}"
        with app.test_request_context(headers={"Accept-Language": language, "Cookie": cookie}):
            cards_for(lambda: game)
            return {suit_name(suit) for suit in rules.SUITS}

    return set().union(*map(suits, PACKS)) - suits(pack, game)


def named_in(text: str, words: set[str]) -> list[str]:
    return sorted(word for word in words if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("pack", PACKS)
def test_items_and_options_of_any_game_name_no_suit_of_another_pack(app: Flask, pack: str, language: str) -> None:
    wrong: list[tuple[str, str, list[str]]] = []
    for game in WITH_CARDS:
        others = words_of_other_packs(app, game, pack, language)
        cookie = f"{cookie_of(cards_of_game(game))}={pack}"
        with app.test_request_context(headers={"Accept-Language": language, "Cookie": cookie}):
            wrong += [(game, text, found) for text in said_of(game) if (found := named_in(text, others))]
    assert wrong == []


def said_of(game: str) -> Iterator[str]:
    """Yield the names and notes of the items and options of a game."""
    described = games()[game]
    for item in described["items"]:
        yield from (item_name(game, item["id"]), short_item_name(game, item["id"]), item_rule(game, item["id"], {}))
    for option in described["options"]:
        yield from (pick(option["label"]), pick(option["about"]), *map(pick, option["value_labels"].values()))


def test_an_item_without_a_shorter_name_keeps_that_of_the_readers_language(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "es"}):
        said = {short_item_name(game, one["id"]) for game, described in games().items() for one in described["items"]}
    assert said & {"cards", "coins", "figures"} == set()


@pytest.mark.parametrize(("game", "language"), [("chorizo", "es"), ("chkobba", "es"), ("brisca", "en")])
def test_closing_cards_questions_rules_and_sheet_name_no_suit_of_another_pack(
    app: Flask, game: str, language: str
) -> None:
    described = games()[game]
    seats = described["seats"][0]
    shape, number = f"{seats['sides']}x{seats['players_per_side']}", seats["sides"] * seats["players_per_side"]
    players = {f"player__{seat}": name for seat, name in enumerate("ABCDEF"[:number])}
    table = open_table(app, game=game, shape=shape, **players)
    others = words_of_other_packs(app, game, cards_of_game(game), language)
    headers = {"Accept-Language": language}
    form, close = table.closing(), table.deal() + "/close"
    ways = {"fishing": {"others": "A"}, "tricks": {"card_points-A": "70", "card_points-B": "50", "step": "save"}}
    pages = [
        table.get(close, headers=headers),
        table.post(close, with_fields(form, {"helping": "yes", "step": "check"}), headers=headers),
        Page(table.client.get(f"/rules/{game}", headers=headers)),
        table.post(close, with_fields(form, ways[described["family"]]), headers=headers, follow_redirects=True),
    ]
    assert {page.status for page in pages} == {200}
    assert [named_in(page.words, others) for page in pages] == [[]] * len(pages)
