"""The open items by which a side reaches the target of a match are named where they are few, and nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.takings import Taking
from scorekeeper.rules.ways_to_target import ways_by

ALL = 99
"""As many ways as there are."""


def ways(game: str, totals: dict[str, int], deal: dict[str, Any], most: int = 4, **table: Any) -> Any:
    request = {"game": game, "sides": [*totals], **table, "deal": deal}
    return rules.ways_to_target(request, totals, most=most)


def won(**awards: str | None) -> dict[str, Any]:
    return {"awards": awards}


class TestChorizoTo21:
    SAID = won(cards="A", two_of_clubs="A", seven_of_coins="A")
    """Six points for A; coins and prime are open, a point each."""

    def test_a_side_that_lacks_as_many_points_as_are_open_needs_every_open_item(self) -> None:
        assert ways("chorizo", {"A": 13, "B": 19}, self.SAID) == {"A": [["coins", "prime"]], "B": [["coins", "prime"]]}

    def test_a_side_that_lacks_one_point_needs_any_one_of_them(self) -> None:
        assert ways("chorizo", {"A": 14, "B": 18}, self.SAID) == {"A": [["coins"], ["prime"]]}

    def test_an_item_worth_enough_by_itself_needs_no_other(self) -> None:
        said = won(cards="A", seven_of_coins="A", prime=None)
        assert ways("chorizo", {"A": 10, "B": 17}, said) == {"B": [["two_of_clubs"]]}
        assert ways("chorizo", {"A": 10, "B": 16}, said) == {"B": [["coins", "two_of_clubs"]]}

    def test_what_is_noted_of_the_deal_counts_already(self) -> None:
        noted = {**self.SAID, "sweeps": {"A": 0, "B": 1}}
        assert ways("chorizo", {"A": 0, "B": 19}, noted) == {"B": [["coins"], ["prime"]]}

    def test_what_the_table_added_counts_too(self) -> None:
        given_points = {**self.SAID, "adjustments": [{"side": "B", "points": 1, "reason": "a start"}]}
        assert ways("chorizo", {"A": 0, "B": 19}, given_points) == {"B": [["coins"], ["prime"]]}

    def test_a_side_that_has_the_target_needs_nothing(self) -> None:
        assert ways("chorizo", {"A": 15, "B": 19}, self.SAID) == {"B": [["coins", "prime"]]}

    def test_a_side_that_cannot_get_there_with_this_deal_is_not_named(self) -> None:
        assert ways("chorizo", {"A": 3, "B": 18}, self.SAID) == {}

    def test_more_ways_than_asked_for_are_not_listed_at_all(self) -> None:
        said = won(cards="A", two_of_clubs="A")
        assert ways("chorizo", {"A": 15, "B": 18}, said, most=4) == {
            "A": [["coins"], ["seven_of_coins"], ["prime"]],
            "B": [["coins", "seven_of_coins", "prime"]],
        }
        assert ways("chorizo", {"A": 15, "B": 18}, said, most=3) == {}

    def test_where_every_line_is_settled_nothing_is_left_to_decide(self) -> None:
        assert ways("chorizo", {"A": 0, "B": 20}, won(**self.SAID["awards"], coins="A", prime="A")) == {}

    def test_an_impossible_deal_and_one_that_is_dealt_again_have_no_ways(self) -> None:
        assert ways("chorizo", {"A": 14, "B": 0}, {"piles": {"A": ["99X"]}}) == {}
        void = {"layout": ["1O", "2C", "3E", "4B"]}
        again = {"wild_cards": "1O+12O", "wild_in_layout": "redeal"}
        assert rules.score({"game": "chorizo", "sides": ["A", "B"], "options": again, "deal": void})["redeal"]
        assert ways("chorizo", {"A": 20, "B": 20}, void, options=again) == {}


class TestWhatTheCardsExclude:
    def test_an_item_that_a_side_cannot_take_any_more_is_no_way(self) -> None:
        coins = [f"{rank}O" for rank in (2, 3, 4, 5, 6)]
        deal = {"piles": {"A": coins}, **won(cards="A", seven_of_coins="B")}
        # B has five coins at most, and a tie gives the point to nobody.
        assert ways("scopa", {"A": 9, "B": 9}, deal) == {"A": [["coins"], ["prime"]], "B": [["prime"]]}

    def test_what_another_item_implies_is_superfluous(self) -> None:
        # Whoever has all the sevens has the one of coins, and so the point for it.
        said = won(cards="A", coins="A", all_coins=None)
        assert ways("escopa", {"A": 0, "B": 9}, said) == {"B": [["all_sevens"]]}
        assert ways("escopa", {"A": 0, "B": 10}, said) == {"B": [["seven_of_coins"]]}

    def test_items_that_exclude_each_other_are_not_needed_together(self) -> None:
        # All the sevens are three points in place of the one for most sevens, and there is no prime.
        said = won(cards="A", coins="A", all_coins=None, seven_of_coins="B", few_cards=None)
        without_prime = {"prime_method": "off"}
        assert ways("la_escoba", {"A": 0, "B": 18}, said, options=without_prime) == {"B": [["all_sevens"]]}
        assert ways("la_escoba", {"A": 0, "B": 19}, said, options=without_prime) == {"B": [["sevens"], ["all_sevens"]]}
        assert ways("la_escoba", {"A": 0, "B": 16}, said, options=without_prime) == {}

    def test_a_side_that_may_not_have_an_item_by_its_fault_cannot_need_it(self) -> None:
        void = {"wrong_capture_mode": "void_cards"}
        said = won(
            coins="A", all_coins=None, seven_of_coins="A", sevens="A", all_sevens=None, few_cards=None, prime="A"
        )
        totals = {"A": 0, "B": 20}
        assert ways("la_escoba", totals, said, options=void) == {"B": [["cards"]]}
        faulted = {**said, "penalties": [{"item": "wrong_capture", "side": "B"}]}
        assert ways("la_escoba", totals, faulted, options=void) == {}

    def test_a_tie_that_gives_the_point_to_each_is_a_way_for_each(self) -> None:
        each = {"tie_rule": "each"}
        said = won(
            cards="A", coins="A", all_coins=None, seven_of_coins="A", sevens="A", all_sevens=None, few_cards=None
        )
        found = ways("la_escoba", {"A": 17, "B": 20}, said, options=each)
        assert found["B"] == [["prime"]]


class TestWhereItemsAloneDoNotDecide:
    SAID = won(cards="A", cappotto=None, coins="A", seven_of_coins="A", grande="A")

    def test_an_item_whose_points_are_open_is_named_where_any_number_of_them_is_enough(self) -> None:
        said = won(**self.SAID["awards"], prime="A")
        assert ways("cirulla", {"A": 0, "B": 48}, said) == {"B": [["piccola"]]}

    def test_nothing_is_named_where_its_points_may_be_too_few(self) -> None:
        assert ways("cirulla", {"A": 0, "B": 47}, self.SAID) == {}

    def test_nothing_is_named_while_somebody_may_win_the_match_at_once(self) -> None:
        said = won(cards="A", coins="A", seven_of_coins="A", grande="A", piccola="A")
        assert ways("cirulla", {"A": 47, "B": 50}, said) == {}
        settled = won(**said["awards"], cappotto=None)
        assert ways("cirulla", {"A": 47, "B": 50}, settled) == {"B": [["prime"]]}

    def test_nothing_is_named_while_the_price_of_a_fault_is_open(self) -> None:
        renuncio = {"penalties": [{"item": "renuncio", "side": "A"}]}
        said = won(
            cards="A", coins="A", all_coins=None, seven_of_coins="A", sevens="A", all_sevens=None, few_cards=None
        )
        assert ways("la_escoba", {"A": 0, "B": 20}, said) == {"B": [["prime"]]}
        assert ways("la_escoba", {"A": 0, "B": 20}, {**said, **renuncio}) == {}


class TestOtherMatches:
    def test_where_the_lowest_total_wins_nobody_needs_the_target(self) -> None:
        assert ways("la_escoba", {"A": 20, "B": 20}, won(cards="A"), preset="desescoba", most=ALL) == {}

    @pytest.mark.parametrize("game", ["brisca", "carioca", "free"])
    def test_a_game_without_a_target_for_its_items_has_no_ways(self, game: str) -> None:
        assert ways(game, {"A": 20, "B": 20}, {}) == {}

    def test_three_sides_are_named_each_by_its_own_ways(self) -> None:
        said = won(cards="A", seven_of_coins="C")
        assert ways("scopa", {"A": 9, "B": 9, "C": 3}, said) == {
            "A": [["coins"], ["prime"]],
            "B": [["coins", "prime"]],
        }

    def test_a_damaged_request_is_refused_as_by_every_question(self) -> None:
        with pytest.raises(rules.Malformed):
            rules.ways_to_target({"game": "chorizo", "sides": "A", "deal": {}}, {})


def test_a_deal_that_was_scored_just_now_is_not_scored_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said = won(cards="A", two_of_clubs="A", prime=None)
    rules.score({"game": "chorizo", "sides": ["A", "B"], "deal": said})
    monkeypatch.delattr(FishingGame, "score")
    assert ways("chorizo", {"A": 15, "B": 0}, said) == {"A": [["coins"], ["seven_of_coins"]]}


def test_no_set_decides_where_the_same_items_may_be_worth_enough_or_too_little() -> None:
    assert ways_by({Taking(0, 0), Taking(1, 3), Taking(1, 4)}, 4) is None
    assert ways_by({Taking(0, 0), Taking(1, 3), Taking(1, 4)}, 3) == [1]
