"""An item says of itself what it counts, how rare it is and what it gives; nothing else knows items by their ids."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.cards import COINS, cards_of
from scorekeeper.rules.fishing.features import CoinRun
from scorekeeper.rules.fishing.items import Item, LowCoins
from scorekeeper.rules.fishing.needs import Needs
from scorekeeper.rules.fishing.outlook import outcomes, reader_of
from scorekeeper.rules.fishing.pieces import Shown, ways_of

FISHING = [game["id"] for game in rules.games()["games"] if game["family"] == "fishing"]


def table_of(game: str, **options: Any) -> rules.TableRules:
    known = next(each for each in rules.games()["games"] if each["id"] == game)["seats"][0]
    sides, players = list("ABCDE"[: known["sides"]]), known["players_per_side"]
    asked = {"game": game, "sides": sides, "players_per_side": players, "options": options}
    table = rules.read_table(asked, rules.Problems())
    assert table is not None
    return table


def needs(game: str, **options: Any) -> Needs:
    return rules.describe_deal(table_of(game, **options))


@pytest.mark.parametrize("longest", [3, 6, 8, 10])
def test_a_run_counts_as_far_as_its_item_says(longest: int) -> None:
    item = LowCoins("run", 1, longest=longest)
    coins = list(cards_of(COINS))
    shown, loose = coins[:2], coins[2:]
    ways = ways_of([Shown(card, 0) for card in shown], 2, may_be_nobodys=False)
    assert ways is not None
    reader = reader_of(item, (), 2)
    found = outcomes([(ways, ())], reader, lambda read: item.judge(*read), item.outcome)
    brute = set()
    for owners in product((0, 1), repeat=len(loose)):
        piles = [list(shown), []]
        for card, owner in zip(loose, owners, strict=True):
            piles[owner].append(card)
        run = CoinRun().measure
        brute.add(item.judge(tuple(run(sum(1 << card for card in pile)) for pile in piles)).points)

    assert set(found) == brute


def test_an_item_knows_the_counts_that_settle_it() -> None:
    counts = {row.item: row.counts for row in needs("la_escoba").rows}

    assert counts["cards"] == counts["few_cards"] == ("cards",)
    assert counts["coins"] == counts["all_coins"] == ("coins",)
    assert counts["sevens"] == counts["all_sevens"] == ("sevens",)
    assert counts["prime"] == ("sevens", "sixes")
    assert counts["seven_of_coins"] == ()
    assert {row.item: row.counts for row in needs("scopa", prime_method="sevens_count").rows}["prime"] == ("sevens",)
    assert {row.item: row.counts for row in needs("chkobba").rows}["barmila"] == ("sevens", "sixes")


def test_a_rare_item_is_one_that_takes_several_cards() -> None:
    rows = [row for game in FISHING for row in needs(game).rows]
    rare, usual = ({row.item for row in rows if row.is_rare is wanted} for wanted in (True, False))

    assert {"all_sevens", "all_coins", "few_cards", "fifty_cards", "grande", "piccola", "cappotto"} <= rare
    assert {"cards", "coins", "sevens", "seven_of_coins", "two_of_clubs", "prime", "barmila"} <= usual
    assert rare & usual == set()


def test_a_table_is_asked_for_rare_items_last_and_for_several_of_them_at_once() -> None:
    assert [row.item for row in needs("escopa").rows][:3] == ["cards", "seven_of_coins", "coins"]
    assert [row.item for row in needs("cirulla").folded] == ["grande", "piccola", "cappotto"]
    assert needs("escova").folded == ()


def test_points_that_are_not_one_number_are_not_named() -> None:
    points = dict(rules.item_points(table_of("cirulla")))

    assert points["piccola"] is None
    assert points["cappotto"] is None
    assert (points["grande"], points["low_hand"], points["sweeps"]) == (5, 3, 1)


@pytest.mark.parametrize("game", FISHING)
def test_every_item_of_the_piles_has_a_row(game: str) -> None:
    table = table_of(game)
    asked = needs(game)
    items: list[Item] = list(table.game.items)  # type: ignore[attr-defined]

    rare = {row.item for row in asked.rare}
    assert [row.item for row in asked.rows] == [item.id for item in sorted(items, key=lambda item: item.id in rare)]
    assert asked.sweeps is ("sweeps" in table.game.item_ids())
    assert set(asked.declarations) | set(asked.penalties) <= set(table.game.item_ids())


def test_what_can_be_said_of_the_opening_and_of_wild_cards() -> None:
    montevideo = needs("chorizo", wild_cards="1O+12O", table_flush=True)

    assert montevideo.wilds == ("1O", "12O")
    assert montevideo.openings == ("15", "30", "flush3", "flush4")
    assert montevideo.modulus == 15
    assert needs("cirulla").wilds == ("7C",)
    assert needs("scopa").openings == ()
    assert needs("chkobba").values["11"] == 8


def test_a_game_told_in_numbers_has_no_rows() -> None:
    assert needs("carioca") == needs("free") == Needs()
