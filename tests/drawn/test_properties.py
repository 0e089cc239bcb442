"""What holds for every deal, whatever its cards (hypothesis)."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.cards import PACK_SIZE, card_name, parse_card

from ..helpers.asking import COUNTED
from ..helpers.brisca_word import leaders, ways
from ..helpers.draws import examples
from ..helpers.strategies import ACCEPTED

GAMES = ("chorizo", "baciga", "escoba", "la_escoba", "escova", "escopa", "scopa", "cirulla", "chkobba")
NUMBERS = st.integers(0, PACK_SIZE - 1)

settings.register_profile("plain", deadline=None, max_examples=examples(12))
settings.load_profile("plain")


@st.composite
def part_known(draw: st.DrawFn) -> dict[str, Any]:
    """A deal with some of its cards placed, and perhaps true counts."""
    owners = draw(st.lists(st.sampled_from("AB?"), min_size=PACK_SIZE, max_size=PACK_SIZE))
    deal: dict[str, Any] = {
        "piles": {side: [card_name(n) for n, owner in enumerate(owners) if owner == side] for side in "AB"}
    }
    return deal


def ask(game: str, deal: dict[str, Any], sides: tuple[str, ...] = ("A", "B")) -> dict[str, Any]:
    return rules.score({"game": game, "sides": list(sides), "deal": {**deal, "accept": ACCEPTED}})


def by_item(answer: dict[str, Any]) -> dict[str, Any]:
    return {line["item"]: line["points"] for line in answer["lines"]}


@given(NUMBERS)
def test_a_card_is_read_as_it_is_written(number: int) -> None:
    assert parse_card(card_name(number)) == number
    assert parse_card(card_name(number).lower()) == number


@given(st.sampled_from(GAMES), part_known())
def test_lines_add_up_to_points(game: str, deal: dict[str, Any]) -> None:
    answer = ask(game, deal)

    for side in "AB":
        assert answer["points"][side] == sum(line["points"][side] for line in answer["lines"] if line["points"])


@given(st.sampled_from(GAMES), st.lists(st.sampled_from("ABC"), min_size=PACK_SIZE, max_size=PACK_SIZE), st.data())
def test_no_count_changes_what_forty_placed_cards_score(game: str, owners: list[str], data: st.DataObject) -> None:
    sides = ("A", "B") if game == "chkobba" else ("A", "B", "C")
    piles = {side: [card_name(n) for n, owner in enumerate(owners) if owner == side] for side in "ABC"}
    if len(sides) == 2:
        piles["B"] += piles.pop("C")
    numbers = {kind: sum(map(counted, map(card_name, range(PACK_SIZE)))) for kind, counted in COUNTED.items()}
    counts = {
        side: {kind: data.draw(st.integers(0, most)) for kind, most in numbers.items() if data.draw(st.booleans())}
        for side in sides
    }
    wrong = [
        f"counts.{side}.{kind}"
        for side, told in counts.items()
        for kind, number in told.items()
        if number != sum(map(COUNTED[kind], piles[side]))
    ]
    alone, counted_too = ask(game, {"piles": piles}, sides), ask(game, {"piles": piles, "counts": counts}, sides)

    contradicted = [problem for problem in counted_too["problems"] if problem["code"] == "counts_contradicted"]
    assert sorted(problem["where"] for problem in contradicted) == sorted(wrong)
    assert {problem["severity"] for problem in contradicted} <= {"warning"}
    assert by_item(counted_too) == by_item(alone)
    assert counted_too["status"] == "complete"


@given(
    st.sampled_from(["chiamata", "chiamata_buia", "chiamata_a_punti"]),
    st.lists(st.sampled_from("ABCDE"), min_size=8, max_size=8),
    st.sampled_from("ABCDE"),
    st.sampled_from([None, *"ABCDE"]),
    st.integers(0, 120),
)
def test_what_is_won_by_a_call_of_chiamata_is_lost_by_the_others(
    preset: str, tricks: list[str], caller: str, partner: str | None, bid: int
) -> None:
    pack = rules.pack_of(40)
    piles: dict[str, list[str]] = {side: [] for side in "ABCDE"}
    for trick, side in enumerate(tricks):
        piles[side] += pack[5 * trick : 5 * trick + 5]
    deal = {"piles": piles, "bid": {"side": caller, "points": bid}, "partner": partner}
    answer = rules.score({"game": "brisca", "preset": preset, "sides": list("ABCDE"), "deal": deal})
    points = by_item(answer)["bid"]

    team = {caller, partner or caller}
    worth = {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2}
    made = sum(worth.get(card[:-1], 0) for side in team for card in piles[side]) >= max(61, bid)
    assert sum(points.values()) == 0
    assert points[caller] == (4 if len(team) == 1 else 2) * (1 if made else -1)


@given(st.integers(0, 120))
def test_card_points_of_brisca_always_add_up_to_120(points: int) -> None:
    answer = rules.score({"game": "brisca", "sides": ["A", "B"], "deal": {"card_points": {"A": points}}})
    if answer["status"] == "invalid":
        assert points in (1, 119)
    else:
        line = next(line for line in answer["lines"] if line["item"] == "card_points")
        assert sum(line["values"].values()) == 120


@given(st.lists(st.sampled_from("AB"), min_size=20, max_size=20))
def test_piles_of_brisca_count_to_120_between_them(tricks: list[str]) -> None:
    cards = [card_name(number) for number in range(PACK_SIZE)]
    piles: dict[str, list[str]] = {"A": [], "B": []}
    for number, winner in enumerate(tricks):
        piles[winner] += cards[2 * number : 2 * number + 2]
    answer = rules.score({"game": "brisca", "sides": ["A", "B"], "deal": {"piles": piles, "trump": "O"}})
    line = next(line for line in answer["lines"] if line["item"] == "card_points")

    assert sum(line["values"].values()) == 120
    assert answer["status"] == "complete"


@given(
    st.permutations(rules.pack_of(40)),
    st.lists(st.sampled_from("AB"), min_size=20, max_size=20),
    st.integers(0, 8),
    st.booleans(),
    st.sampled_from("AB"),
)
def test_the_word_for_who_won_a_deal_of_brisca_counts_where_the_cards_leave_room_for_it(
    pack: list[str], tricks: list[str], hidden: int, is_counted: bool, word: str
) -> None:
    whole = {side: [pack[2 * n + k] for n, who in enumerate(tricks) if who == side for k in (0, 1)] for side in "AB"}
    unseen = pack[:hidden]
    seen = {side: [card for card in pile if card not in unseen] for side, pile in whole.items()}
    sizes = {side: len(pile) for side, pile in whole.items()} if is_counted else {}
    counts = {side: {"cards": size} for side, size in sizes.items()}
    deal = {"piles": seen, "counts": counts, "awards": {"game_point": word}}
    answer = rules.score({"game": "brisca", "sides": ["A", "B"], "deal": deal})

    ahead = [leaders(piles) for piles in ways(seen, unseen, sizes)]
    points = by_item(answer)["game_point"]
    if answer["problems"]:
        assert [problem["code"] for problem in answer["problems"]] == ["award_contradicted"]
        assert not any(word in sides for sides in ahead)
        assert points[word] == 0
    else:
        assert points == {"A": int(word == "A"), "B": int(word == "B")}
        assert unseen or any(word in sides for sides in ahead)


@given(
    st.lists(st.lists(st.sampled_from(["A", "2", "9", "10", "K", "X"]), min_size=1, max_size=4), min_size=2, max_size=4)
)
def test_one_player_of_carioca_goes_out_and_the_others_pay(hands: list[list[str]]) -> None:
    sides = ["out", *(f"P{number}" for number in range(len(hands)))]
    left = dict(zip(sides[1:], hands, strict=True))
    if sum(hand.count("X") for hand in hands) > 4 or any(
        sum(hand.count(rank) for hand in hands) > 8 for rank in ("A", "2", "9", "10", "K")
    ):
        return
    answer = rules.score({"game": "carioca", "sides": sides, "deal": {"left": left, "went_out": "out"}})

    assert answer["points"]["out"] == 0
    assert all(answer["points"][side] > 0 for side in sides[1:])
    assert [problem for problem in answer["problems"] if problem["severity"] == "error"] == []


@given(
    st.sampled_from(GAMES),
    part_known(),
    st.sampled_from(["A", "B", None]),
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(-99, 99),
)
def test_own_lines_add_their_points_and_change_no_line_of_the_game(
    game: str, deal: dict[str, Any], taker: str | None, by_a: int, by_b: int, points: int
) -> None:
    worth = points or 1
    own_lines = [{"name": "Napola", "points": worth, "how": "one"}, {"name": "Capote", "points": worth, "how": "count"}]
    own = {"awards": {"own_1": taker}, "own": {"own_2": {"A": by_a, "B": by_b}}}
    without = ask(game, deal)
    told = {**deal, **own, "accept": ACCEPTED}
    answer = rules.score({"game": game, "sides": ["A", "B"], "own_lines": own_lines, "deal": told})

    if without["status"] == "invalid":
        assert answer["status"] == "invalid"
        return
    assert answer["lines"][:-2] == without["lines"]
    assert answer["ask"] == without["ask"]
    assert answer["points"] == {
        side: without["points"][side] + worth * ((side == taker) + made) for side, made in (("A", by_a), ("B", by_b))
    }
