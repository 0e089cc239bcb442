"""The deals that a walk plays: what a table would see, drawn for a game, preset and line-up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, repeat
from random import Random
from typing import Any, TypeAlias

from scorekeeper import rules

from ...helpers.asking import COUNTED
from ...helpers.simulator import play
from .words import GAMES

Deal: TypeAlias = dict[str, Any]
TRIES = 400
HANDS = (("5O", "5C", "5E"), ("1O", "4O", "6O"), ("1O", "1C", "2E"), ("4O", "5O", "6O"), ("1O", "2C", "3E"))
"""Hands that are worth something in one game or another."""


@dataclass(frozen=True)
class Setup:
    """A game as a table has agreed on it."""

    game: str
    preset: str
    sides: int
    per_side: int

    def __str__(self) -> str:
        return f"{self.game}-{self.preset}-{self.sides}x{self.per_side}"

    @property
    def family(self) -> str:
        return GAMES[self.game]["family"]

    @property
    def labels(self) -> list[str]:
        return [chr(ord("A") + number) for number in range(self.sides)]

    @property
    def request(self) -> dict[str, Any]:
        """Return the table as the engine is asked about it; with the rounds that so many can play."""
        rounds = rules.most_rounds(self.game, self.sides * self.per_side)
        return {
            "game": self.game,
            "preset": self.preset,
            "options": {} if rounds is None else {"rounds": rounds},
            "sides": self.labels,
            "players_per_side": self.per_side,
        }

    @cached_property
    def table(self) -> rules.TableRules:
        table = rules.read_table(self.request, rules.Problems())
        assert table is not None
        return table

    @cached_property
    def needs(self) -> rules.Needs:
        """Return what a deal can be told, where it is told in a grid of winners."""
        return rules.describe_deal(self.table)

    def score(self, deal: Deal) -> Deal:
        return dict(rules.score({**self.request, "deal": deal}))

    def is_settled(self, deal: Deal) -> bool:
        answer = self.score(deal)
        return answer["status"] == "complete" and not answer["problems"]


def every_setup() -> Iterator[Setup]:
    """Yield every game under each of its presets, with every line-up of that preset; the usual one comes first."""
    for id, game in GAMES.items():
        presets = sorted(game["presets"], key=lambda preset: preset != game["default_preset"])
        for preset in presets:
            known = rules.find_game(id)
            for sides, per_side in known.preset_line_ups.get(preset, known.line_ups):
                yield Setup(id, preset, sides, per_side)


def in_cards(setup: Setup, deal: Deal) -> Deal:
    """Return a deal as it is told by its cards."""
    return deal


def a_hand(setup: Setup, side: str) -> tuple[str, ...]:
    """Return three cards that this side may declare for points."""
    for hand in HANDS:
        declared = {"declarations": [{"side": side, "cards": list(hand)}]}
        answer = setup.score(declared)
        if answer["status"] != "invalid" and answer["points"][side]:
            return hand
    raise AssertionError(f"no hand of {HANDS} is worth anything in {setup}")


def a_deal(setup: Setup, dealer: str, random: Random, tell: Callable[[Setup, Deal], Deal] = in_cards) -> Deal:
    """Draw a deal to its end: who dealt, what was noted in play, and the piles with all cards in them, or as told."""
    draw = _of_fishing if setup.family == "fishing" else _of_tricks
    for _ in range(TRIES):
        deal = draw(setup, dealer, random)
        if deal is not None and setup.is_settled(deal):
            told = tell(setup, deal)
            if setup.is_settled(told):
                return told
    raise AssertionError(f"no deal of {setup} was found that raises no question")


def _of_fishing(setup: Setup, dealer: str, random: Random) -> Deal | None:
    options = dict(setup.table.options)
    played = play(setup.game, setup.sides, setup.per_side, random, options)
    deal = played.request["deal"]
    if played.is_redealt or not all(deal["piles"].values()):
        return None
    piles = {side: list(pile) for side, pile in deal["piles"].items()}
    piles[deal["last_capturer"]] += deal["leftover"]
    # The line-up is turned so that the one dealt whose turn it is.
    labels = setup.labels
    turn = labels.index(dealer) - labels.index(deal["dealer"])
    turned = {label: labels[(labels.index(label) + turn) % len(labels)] for label in labels}
    found: dict[str, Any] = {
        "dealer": dealer,
        "piles": {turned[side]: pile for side, pile in piles.items()},
        "sweeps": {turned[side]: number for side, number in deal["sweeps"].items()},
    }
    if "layout" in deal and any(_opens(setup, deal["layout"], dealer)):
        found["layout"] = deal["layout"]
    if "as" in deal:
        found["as"] = deal["as"]
    return found


def _opens(setup: Setup, layout: list[str], dealer: str) -> Iterator[bool]:
    """Yield for each line of an opening layout whether it brings points."""
    for line in setup.score({"dealer": dealer, "layout": layout})["lines"]:
        if line["item"].startswith("table_"):
            yield any((line["points"] or {}).values())


def _of_tricks(setup: Setup, dealer: str, random: Random) -> Deal:
    players = setup.sides * setup.per_side
    pack = list(rules.pack_of(int(setup.table.options["pack"])))
    if setup.table.options["pack"] % 2:
        # One of the twos is left out.
        pack.remove("2B")
    random.shuffle(pack)
    facts: dict[str, Any] = {"dealer": dealer, **_said_in(setup, random)}
    piles: dict[str, list[str]] = {label: [] for label in setup.labels}
    while len(pack) >= players:
        piles[random.choice(setup.labels)] += [pack.pop() for _ in range(players)]
    if pack:
        # A talon goes to who bid.
        piles[facts["bid"]["side"]] += pack
    return {**facts, "piles": piles}


def _said_in(setup: Setup, random: Random) -> Deal:
    """Return what a preset of Brisca asks besides card points."""
    first, second = random.sample(setup.labels, 2)
    if setup.preset == "rematada":
        called = {"bid": {"side": first, "points": 100}}
        return {**called, "trump": "O", "marriages": [{"suit": "O", "side": first}], "last_trick": second}
    if setup.preset.startswith("chiamata"):
        return {"bid": {"side": first, "points": 70}, "partner": second}
    if setup.preset in ("mariaje", "cinquecento"):
        return {"trump": "O", "marriages": [{"suit": "O", "side": first}, {"suit": "E", "side": second}]}
    return {}


def in_card_points(setup: Setup, deal: Deal) -> Deal:
    """Return a deal of tricks as it is told in numbers, without its cards."""
    line = next(line for line in setup.score(deal)["lines"] if line["item"] == "card_points")
    told = {name: fact for name, fact in deal.items() if name != "piles"}
    # Where one calls a partner, a table counts what these two have.
    counted = (deal["bid"]["side"], deal["partner"]) if "partner" in deal else setup.labels
    return {**told, "card_points": {side: line["values"][side] for side in counted}}


def in_counts(setup: Setup, deal: Deal) -> Deal:
    """Return a deal of fishing as it is told in counts and, where these leave something open, by who won it."""
    told = {name: deepcopy(fact) for name, fact in deal.items() if name not in ("piles", "as")}
    told["counts"] = {
        side: {kind: sum(map(COUNTED[kind], deal["piles"][side])) for kind in setup.needs.counts}
        for side in setup.labels
    }
    takers = {line["item"]: _taker(line["points"]) for line in setup.score(deal)["lines"]}
    still_open = {line["item"] for line in setup.score(told)["lines"] if line["points"] is None}
    told["awards"] = {row.item: takers[row.item] for row in setup.needs.rows if row.item in still_open}
    return told


def _taker(points: dict[str, int]) -> str | list[str] | None:
    """Return who took an item that brought these points."""
    takers = [side for side, number in points.items() if number > 0]
    return takers[0] if len(takers) == 1 else (takers or None)


def on_trust(setup: Setup, noted: Deal) -> Deal:
    """Return a deal as it is told by who won what, beyond what was noted in play.

    The sides win something in turn, or the first wins all where such a deal cannot be; nobody wins what is rare.
    """
    told: Deal = {"sweeps": {}, **deepcopy(noted)}
    for takers in (cycle(setup.labels), repeat(setup.labels[0])):
        awards = {row.item: None if row.is_rare and row.may_be_nobody else next(takers) for row in setup.needs.rows}
        told["awards"] = awards
        if setup.score(told)["status"] == "complete":
            return told
    raise AssertionError(f"{setup} cannot be told on trust: {setup.score(told)['problems']}")


def of_carioca(setup: Setup, dealer: str, number: int) -> Deal:
    """Return a round of Carioca: the second player goes out, and the others hold some cards."""
    out, *others = setup.labels[1:] + setup.labels[:1]
    hands = (["K", "5", "A"], ["9", "9"], ["2", "10", "Q"], ["7"], ["J", "3"], ["4"], ["6", "8"], ["X"])
    left = dict(zip(others, hands, strict=False))
    return {"dealer": dealer, "round": number, "went_out": out, "left": left, "steals": {others[0]: 2}}


def on_the_pad(setup: Setup, dealer: str, random: Random) -> Deal:
    """Return a deal of the free pad, in which one side loses points."""
    points = {label: random.randrange(1, 30) for label in setup.labels}
    points[setup.labels[-1]] *= -1
    return {"dealer": dealer, "points": points}
