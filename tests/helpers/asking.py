"""The guided way through a deal: every question that the engine asks is answered truthfully until none is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random
from typing import Any

from scorekeeper import rules

from .simulator import PACK, play

COUNTED: Mapping[str, Callable[[str], bool]] = {
    "cards": lambda card: True,
    "coins": lambda card: card[-1] == "O",
    "sevens": lambda card: card[:-1] == "7",
    "sixes": lambda card: card[:-1] == "6",
    "figures": lambda card: card[:-1] in ("10", "11", "12"),
}
POINTS = {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2}
"""Card points of Brisca."""

Piles = Mapping[str, list[str]]


def finished_deal(game: str, sides: int, players: int, random: Random) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Play a deal to its end; return what a table knows by then without looking into the piles, and the piles."""
    while True:
        request = play(game, sides, players, random).request
        deal = request["deal"]
        if deal.get("last_capturer"):
            break
    piles = {side: pile[:] for side, pile in deal.pop("piles").items()}
    piles[deal.pop("last_capturer")] += deal.pop("leftover")
    return request, piles


def chance_deal(game: str, sides: int, players: int, random: Random) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return a deal of which nothing is known, each card of the pack in the pile of any side."""
    labels = [chr(ord("A") + number) for number in range(sides)]
    piles: dict[str, list[str]] = {label: [] for label in labels}
    for card in PACK:
        piles[random.choice(labels)].append(card)
    return {"game": game, "sides": labels, "players_per_side": players, "deal": {}}, piles


def tricks_of_brisca(random: Random) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Return a deal of Brisca for two, its piles shared out trick by trick."""
    pack = random.sample(PACK, len(PACK))
    piles: dict[str, list[str]] = {"A": [], "B": []}
    for number in range(0, len(pack), 2):
        piles[random.choice("AB")] += pack[number : number + 2]
    return {"game": "brisca", "sides": ["A", "B"], "deal": {"trump": "O"}}, piles


def ask_through(
    request: Mapping[str, Any], piles: Piles, groups: bool = False
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Answer every question from the piles; return the questions in order, and the first sheet without a question.

    With ``groups``, a group of cards is answered in place of the question beside it, wherever there is one.
    """
    owner = {card: side for side, pile in piles.items() for card in pile}
    deal = deepcopy(dict(request["deal"]))
    asked: list[dict[str, Any]] = []
    while True:
        answer = rules.score({**request, "deal": deal})
        question = answer["ask"]
        if question is None:
            return asked, answer
        if groups and "ask_group" in answer:
            question = answer["ask_group"]
        asked.append(question)
        for card in question.get("cards", ()):
            deal.setdefault("told", {}).setdefault(owner[card], []).append(card)
        if "card" in question:
            deal.setdefault("piles", {}).setdefault(owner[question["card"]], []).append(question["card"])
        elif question.get("count") == "card_points":
            deal.setdefault("card_points", {})[question["side"]] = card_points(piles[question["side"]])
        elif "count" in question:
            number = sum(map(COUNTED[question["count"]], piles[question["side"]]))
            deal.setdefault("counts", {}).setdefault(question["side"], {})[question["count"]] = number


def card_points(pile: list[str]) -> int:
    """Add up the card points of Brisca."""
    return sum(POINTS.get(card[:-1], 0) for card in pile)


def taps_of(question: Mapping[str, Any], piles: Piles) -> int:
    """Return the taps of an answer: a card one, a number its digits and the tick, a group its cards and the tick."""
    if "card" in question:
        return 1
    if "cards" in question:
        return 1 + len(set(question["cards"]) & set(piles[question["side"]]))
    pile = piles[question["side"]]
    points = question["count"] == "card_points"
    number = card_points(pile) if points else sum(map(COUNTED[question["count"]], pile))
    return len(str(number)) + 1
