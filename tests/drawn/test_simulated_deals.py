"""Random legal deals of every game and its house rules: no problem is found, and every line has its second opinion."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from scorekeeper import rules

from ..helpers import oracle
from ..helpers.draws import examples
from ..helpers.simulator import (
    CAPTURES,
    FIFTEENS,
    GAMES,
    ITEMS,
    KNOWN,
    LINE_UPS,
    PACK,
    SUMS,
    TABLES,
    Played,
    may_leave,
    play,
)

DEALS = examples(4)
FIRST = [(game, *LINE_UPS[game][0]) for game in GAMES]
METHODS = ("face", "half_ace", "italian", "seventy", "sevens_count")
COMBINATIONS = oracle.KNOWN_COMBINATIONS - {"false_declaration"}
DECLARING = [game for game in GAMES if ITEMS[game] & COMBINATIONS]


def deals(game: str, sides: int, players: int) -> list[Played]:
    random = Random(f"{game} {sides} {players}")
    return [play(game, sides, players, random) for _ in range(DEALS)]


def house_rules(game: str, random: Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw a preset and options of a game: what a request says of them, and all that then is in force."""
    known = KNOWN[game]
    preset = random.choice(list(known["presets"]))
    drawn = {option["id"]: random.choice(option["values"]) for option in known["options"] if random.random() < 0.4}
    drawn |= {f"pts_{id}": random.randrange(4) for id in ("flush", "twenty_in_suit") if f"pts_{id}" in drawn}
    if "wild_cards" in known["presets"][preset] or "wild_cards" in drawn:
        drawn["wild_cards"] = "none"
    usual = {option["id"]: option["default"] for option in known["options"]}
    return {"preset": preset, "options": drawn}, {**usual, **known["presets"][preset], **drawn}


def unusual_deals(game: str, sides: int, players: int) -> list[tuple[Played, dict[str, Any]]]:
    """Play deals under house rules; some of La escoba's with faults. Each comes with all its options."""
    random = Random(f"house rules: {game} {sides} {players}")
    found = []
    for _ in range(DEALS * 2 // 3):
        request, options = house_rules(game, random)
        played = play(game, sides, players, random, options)
        played.request |= request
        if game == "la_escoba" and random.random() < 0.5:
            labels = played.request["sides"]
            played.request["deal"]["penalties"] = [
                {"item": random.choice(["renuncio", "wrong_capture"]), "side": random.choice(labels)}
                for _ in range(random.randint(1, 2))
            ]
        found.append((played, options))
    return found


def finished(game: str) -> list[Played]:
    """Return the deals of a game's first line-up that are played to the end; most of them must be."""
    sides, players = LINE_UPS[game][0]
    found = [played for played in deals(game, sides, players) if not played.is_redealt]
    assert len(found) >= DEALS // 2
    return found


def test_the_second_opinion_knows_every_item() -> None:
    unknown = set().union(*ITEMS.values()) - oracle.KNOWN_ITEMS - oracle.KNOWN_COMBINATIONS

    assert unknown == set(), "say once more in tests/helpers/oracle.py what these score"


@pytest.mark.parametrize(
    ("capture_rule", "games"),
    {
        "sum15": {"chorizo", "baciga", "escoba", "la_escoba", "escova", "scopa_di_quindici"},
        "sum15k": {"escopa"},
        "rank_else_sum": {"scopa", "scopone", "scopone_scientifico", "chkobba"},
        "rank_else_sum_ace": {"scopa_d_assi"},
        "cirulla": {"cirulla", "cirullone"},
    }.items(),
)
def test_these_games_capture_as_their_rules_say(capture_rule: str, games: set[str]) -> None:
    assert {CAPTURES[game] for game in games} == {capture_rule}


def points_of(answer: dict[str, Any]) -> dict[str, dict[str, float]]:
    return {line["item"]: line["points"] for line in answer["lines"]}


@pytest.mark.parametrize(("game", "sides", "players"), TABLES)
def test_a_legal_deal_has_no_problem_and_every_line_has_its_second_opinion(game: str, sides: int, players: int) -> None:
    looked_at = 0
    for played in deals(game, sides, players):
        answer = rules.score(played.request)
        assert [problem for problem in answer["problems"] if problem["severity"] == "error"] == [], played.request
        if played.is_redealt:
            assert answer["redeal"] in ("same", "next")
            assert answer["lines"] == []
            continue
        assert answer["redeal"] is None
        assert answer["status"] == "complete"
        assert points_of(answer) == oracle.score(played.request, answer["options"]), played.request
        totals = {side: sum(line["points"][side] for line in answer["lines"]) for side in answer["sides"]}
        assert answer["points"] == totals
        looked_at += 1
    assert looked_at >= DEALS // 2


@pytest.mark.parametrize(("game", "sides", "players"), FIRST)
def test_under_house_rules_every_line_has_its_second_opinion_too(game: str, sides: int, players: int) -> None:
    looked_at = 0
    for played, options in unusual_deals(game, sides, players):
        answer = rules.score(played.request)
        assert answer["options"] == options
        assert [problem for problem in answer["problems"] if problem["severity"] == "error"] == [], played.request
        assert (answer["redeal"] is not None) == played.is_redealt, played.request
        if not played.is_redealt:
            assert answer["status"] == "complete"
            assert points_of(answer) == oracle.score(played.request, options), played.request
            looked_at += 1
    assert looked_at >= DEALS // 3


@pytest.mark.parametrize(("game", "sides", "players"), FIRST)
def test_under_house_rules_every_turn_has_its_captures_too(game: str, sides: int, players: int) -> None:
    for played, options in unusual_deals(game, sides, players)[:1]:
        house = {name: played.request[name] for name in ("game", "preset", "options")}
        for table, card, _hand, matta, sets in played.asked:
            given = {} if matta is None else {"7C": str(matta)}
            answer = rules.captures({**house, "layout": table, "card": card, "as": given})
            found = {frozenset(capture["takes"]) for capture in answer["captures"]}
            assert found == {frozenset(taken) for taken in sets}
            assert answer["may_leave"] == may_leave(game, card, sets, matta, options)


@pytest.mark.parametrize(("game", "sides", "players"), FIRST)
def test_every_turn_has_the_captures_that_trying_all_sets_finds(game: str, sides: int, players: int) -> None:
    for played in deals(game, sides, players)[:2]:
        for table, card, hand, matta, sets in played.asked:
            request = {"game": game, "layout": table, "card": card, "hand": hand}
            if matta is not None:
                request["as"] = {"7C": str(matta)}
            answer = rules.captures(request)
            assert {frozenset(capture["takes"]) for capture in answer["captures"]} == {
                frozenset(taken) for taken in sets
            }
            positions = [[table.index(other) for other in capture["takes"]] for capture in answer["captures"]]
            assert positions == sorted(positions, key=lambda taken: (len(taken), taken))


@pytest.mark.parametrize("game", [game for game in GAMES if game in FIFTEENS])
def test_a_card_in_the_wrong_pile_breaks_the_fifteens(game: str) -> None:
    both_took = [
        played for played in finished(game) if all(len(pile) > 1 for pile in played.request["deal"]["piles"].values())
    ]
    assert len(both_took) >= DEALS // 2
    for played in both_took:
        piles = played.request["deal"]["piles"]
        card = piles["A"].pop()
        piles["B"].append(card)
        answer = rules.score(played.request)
        found = {problem["code"]: problem for problem in answer["problems"]}

        assert answer["status"] == "invalid"
        assert "pile_modulus" in found
        mend = found["pile_modulus"]["facts"].get("mend")
        assert mend is None or mend["from"].startswith("piles.") or mend["from"] == "leftover"
        played.request["deal"]["accept"] = ["pile_modulus", "pile_of_one"]
        played.request["deal"]["sweeps"] = {}
        assert rules.score(played.request)["status"] == "complete"


@pytest.mark.parametrize("game", FIFTEENS)
def test_sums_tell_who_captured_last(game: str) -> None:
    captured = [played for played in finished(game) if played.request["deal"]["last_capturer"] is not None]
    assert len(captured) >= DEALS // 2
    for played in captured:
        deal = played.request["deal"]
        piles = {side: pile[:] for side, pile in deal["piles"].items()}
        piles[deal["last_capturer"]] += deal["leftover"]

        assert rules.last_capturer({**played.request, "deal": {"piles": piles}}) == deal["last_capturer"]


def test_sums_of_which_another_is_no_multiple_of_fifteen_tell_nobody() -> None:
    def last(**piles: list[str]) -> str | None:
        return rules.last_capturer({"game": "escoba", "sides": ["A", "B", "C"], "deal": {"piles": piles, "rest": "A"}})

    assert last(B=["7O", "7C", "1O"], C=[]) == "A"
    assert last(B=["7O"], C=["7C", "1O"]) is None


@pytest.mark.parametrize("game", [game for game in SUMS if CAPTURES[game] == "rank_else_sum"])
def test_an_odd_card_in_the_wrong_pile_breaks_the_parity(game: str) -> None:
    looked_at = 0
    for played in finished(game):
        piles = played.request["deal"]["piles"]
        odd = [card for card in piles["A"] if card[:-1] in ("1", "3", "5", "7")]
        if odd:
            looked_at += 1
            piles["A"].remove(odd[0])
            piles["B"].append(odd[0])
            played.request["deal"]["sweeps"] = {}
            codes = {problem["code"] for problem in rules.score(played.request)["problems"]}
            assert "pile_parity" in codes
    assert looked_at >= DEALS // 2


@pytest.mark.whole
@pytest.mark.parametrize("game", ["chorizo", "la_escoba", "cirulla"])
def test_declarations_agree_with_a_second_opinion(game: str) -> None:
    random = Random(game)
    hands = [hand for number, hand in enumerate(combinations(PACK, 3)) if number % 99 == 0 and "7C" not in hand]
    for cards in hands:
        house, options = house_rules(game, random)
        players = random.choice([players for sides, players in LINE_UPS[game] if sides == 2])
        deal = {"declarations": [{"side": "A", "cards": list(cards)}]}
        request = {"game": game, **house, "sides": ["A", "B"], "players_per_side": players, "deal": deal}
        answer = rules.score(request)
        wanted = oracle.declared(game, cards, options, 2 * players)

        declared = {item: points["A"] for item, points in points_of(answer).items() if item in COMBINATIONS}
        assert declared == wanted, request


@pytest.mark.parametrize("game", DECLARING)
def test_claims_agree_with_a_second_opinion(game: str) -> None:
    random = Random(f"claims: {game}")
    seen = set()
    for cards in [hand for number, hand in enumerate(combinations(PACK, 3)) if number % 37 == 1 and "7C" not in hand]:
        house, options = house_rules(game, random)
        sides, players = random.choice(LINE_UPS[game])
        known = sorted(oracle.worth(game, options, sides * players))
        if not known:
            continue
        items = random.sample(known, random.randint(1, min(3, len(known))))
        true = sorted(set(known) & oracle.held(game, cards))
        if true and random.random() < 0.8:
            items = list({*items, random.choice(true)})
        labels = list("ABCD"[:sides])
        # With every card placed no line is open, which is quicker.
        claim = {"side": "A", "cards": list(cards), "items": items}
        deal = {"declarations": [claim], "rest": "A", "accept": ["pile_modulus"]}
        request = {"game": game, **house, "sides": labels, "players_per_side": players, "deal": deal}
        answer = rules.score(request)
        wanted, price, is_warned = oracle.claimed(game, cards, items, options, sides * players)
        seen.add((bool(wanted), bool(price), is_warned))

        found = points_of(answer)
        assert {item: found[item]["A"] for item in found if item in COMBINATIONS} == wanted, request
        others = found.get("false_declaration", dict.fromkeys(labels, 0))
        assert others == {label: 0 if label == "A" else price for label in labels}, request
        warned = [problem["severity"] for problem in answer["problems"] if problem["code"] == "claim_not_held"]
        assert warned == ["warning"] * is_warned, request
    assert {(True, False, False), (False, False, True)} <= seen


@pytest.mark.parametrize("method", METHODS)
def test_primes_agree_with_a_second_opinion(method: str) -> None:
    random = Random(method)
    for _ in range(100):
        pack = PACK[:]
        random.shuffle(pack)
        piles = {"A": pack[: random.randrange(12)], "B": pack[12 : 12 + random.randrange(12)]}
        answer = rules.prime({"method": method, "piles": piles})

        for side, pile in piles.items():
            assert answer["primes"][side]["value"] == oracle.prime_value(pile, method)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("sides", [2, 3])
def test_a_line_is_settled_exactly_when_every_way_of_dealing_the_rest_agrees(seed: int, sides: int) -> None:
    random = Random(seed * 10 + sides)
    labels = list("ABC"[:sides])
    pack = PACK[:]
    random.shuffle(pack)
    loose = [pack.pop() for _ in range(random.randrange(1, 8 if sides == 2 else 6))]
    piles: dict[str, list[str]] = {label: [] for label in labels}
    for card in pack:
        piles[random.choice(labels)].append(card)
    owner = {card: random.choice(labels) for card in loose}
    deal: dict[str, Any] = {"piles": piles}
    counted = random.random() < 0.5
    true_cards = len(piles["A"]) + sum(side == "A" for side in owner.values())
    true_coins = sum(card[-1] == "O" for card in piles["A"]) + sum(s == "A" and c[-1] == "O" for c, s in owner.items())
    if counted:
        deal["counts"] = {"A": {"cards": true_cards, "coins": true_coins}}

    def agrees(way: oracle.Piles) -> bool:
        if not counted:
            return True
        return len(way["A"]) == true_cards and sum(card[-1] == "O" for card in way["A"]) == true_coins

    for game in ("chorizo", "la_escoba", "scopa", "cirulla", "escopa"):
        answer = rules.score({"game": game, "sides": labels, "deal": deal})
        for line in answer["lines"]:
            item = line["item"]
            if item in ("sweeps", "cappotto"):
                continue
            table = {"game": game, "sides": labels}
            options = answer["options"]

            def judge(
                way: oracle.Piles,
                item: str = item,
                table: dict[str, Any] = table,
                options: dict[str, Any] = options,
            ) -> oracle.Points:
                told = {"piles": way, "sweeps": {}, "dealer": "A"}
                return oracle.score({**table, "deal": told}, options)[item]

            assert line["points"] == oracle.settled(judge, piles, loose, agrees), (game, item, seed)
            if line["points"] is None:
                assert set(line["needs"]) <= set(loose)
                assert line["needs"]
