"""Deals as tables tell them: shown, counted, said or all of it mixed, in every family of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from scorekeeper import rules
from scorekeeper.rules.rummy import RANKS
from scorekeeper.rules.tricks.pack import VALUE_TABLES, pack_of

from ..helpers.asking import COUNTED, ask_through
from ..helpers.simulator import GAMES, play

Facts = dict[str, Any]
WAYS = ("shown", "said", "counted", "rest", "mixed", "asked")
"""How a deal of a fishing game may be told."""
SHORT_WAYS = ("shown", "said", "rest")
"""Those that are quickly weighed with many sides too."""


class Setup:
    """What a match was started with, as the engine takes it."""

    def __init__(self, game: str, preset: str | None, options: Mapping[str, Any], labels: Sequence[str], each: int):
        self.game, self.preset, self.options, self.labels, self.each = game, preset, dict(options), list(labels), each

    def request(self, deal: Mapping[str, Any]) -> dict[str, Any]:
        """Return the question what a deal scores."""
        return {
            "game": self.game,
            "preset": self.preset,
            "options": self.options,
            "sides": self.labels,
            "players_per_side": self.each,
            "deal": deal,
        }

    def sheet(self, deal: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a deal scores."""
        return rules.score(self.request(deal))


def fishing(setup: Setup, dealer: str, random: Random) -> Facts:
    """Play a deal of a fishing game to its end; return all that an attentive table would know of it."""
    assert setup.game in GAMES
    while True:
        played = play(setup.game, len(setup.labels), setup.each, random, setup.options)
        deal: Facts = played.request["deal"]
        if not played.is_redealt and deal.get("last_capturer") and deal.pop("dealer") == dealer:
            return deal


def void_layout(setup: Setup, random: Random) -> list[str] | None:
    """Return an opening layout that has the deal dealt again; None where the game knows none."""
    for _try in range(300):
        played = play(setup.game, len(setup.labels), setup.each, random, setup.options)
        if played.is_redealt:
            layout: list[str] = played.request["deal"]["layout"]
            return layout
    return None


def awards(setup: Setup, deal: Facts, items: Sequence[str]) -> dict[str, Any]:
    """Return who takes which of these items, as far as the sheet of a deal tells."""
    told: dict[str, Any] = {}
    for line in setup.sheet(deal)["lines"]:
        if line["item"] in items and line["points"] is not None:
            takers = [label for label, points in line["points"].items() if points]
            told[line["item"]] = None if not takers else takers[0] if len(takers) == 1 else takers
    return told


def counted(piles: Mapping[str, Sequence[str]], kinds: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return what each side counts in its pile."""
    return {label: {kind: sum(map(COUNTED[kind], cards)) for kind in kinds} for label, cards in piles.items()}


def told(way: str, setup: Setup, whole: Facts, items: Sequence[str], kinds: Sequence[str], random: Random) -> Facts:
    """Return a deal as it is told one ``way``; ``items`` and ``kinds`` are what the form can be told and counted."""
    deal = deepcopy(whole)
    piles = {label: list(cards) for label, cards in deal["piles"].items()}
    finished = deepcopy(piles)
    if setup.options.get("last_cards") != "nobody":
        finished[deal["last_capturer"]] += deal["leftover"]
    noted: Facts = {
        name: deal[name] for name in ("layout", "sweeps", "as", "declarations", "penalties") if name in deal
    }
    if way == "shown":
        return deal
    if way == "rest":
        del deal["piles"][setup.labels[-1]]
        return {**deal, "rest": setup.labels[-1]}
    if way == "said":
        return {**noted, "awards": awards(setup, whole, items)}
    if way == "counted":
        return {**noted, "counts": counted(finished, kinds), "awards": awards(setup, whole, items)}
    if way == "asked":
        open_deal: Facts = {name: value for name, value in noted.items() if name != "layout"}
        _asked, answer = ask_through(setup.request(open_deal), finished)
        assert answer["ask"] is None
        return _answered(setup, open_deal, finished)
    some = {label: sorted(random.sample(cards, len(cards) // 3)) for label, cards in finished.items()}
    few = dict(list(counted(finished, random.sample(list(kinds), min(2, len(kinds)))).items())[:2])
    return {**noted, "piles": some, "counts": few, "awards": awards(setup, whole, items)}


def _answered(setup: Setup, deal: Facts, piles: Mapping[str, list[str]]) -> Facts:
    """Answer every question of the engine and return the deal as it is known then."""
    owner = {card: side for side, pile in piles.items() for card in pile}
    deal = deepcopy(deal)
    while (question := setup.sheet(deal)["ask"]) is not None:
        if "card" in question:
            deal.setdefault("piles", {}).setdefault(owner[question["card"]], []).append(question["card"])
        else:
            number = sum(map(COUNTED[question["count"]], piles[question["side"]]))
            deal.setdefault("counts", {}).setdefault(question["side"], {})[question["count"]] = number
    return deal


def tricks(setup: Setup, number: int, random: Random) -> dict[str, Any]:
    """Play a deal of the Brisca family trick by trick; return what its form is filled with, by the names of fields."""
    labels, preset = setup.labels, setup.preset or "brisca"
    size = setup.options["pack"]
    pack = list(pack_of(size))
    if size == 39:
        pack.remove("2B")
    random.shuffle(pack)
    values = VALUE_TABLES[setup.options["value_table"]]
    players = len(labels) * setup.each
    piles: dict[str, list[str]] = {label: [] for label in labels}
    last = labels[0]
    for start in range(0, len(pack), players):
        last = random.choice(labels)
        piles[last] += pack[start : start + players]
    points = {label: sum(values.get(card[:-1], 0) for card in cards) for label, cards in piles.items()}
    fields: dict[str, Any] = {f"card_points-{label}": points[label] for label in labels}
    trump = random.choice("OCEB")
    if preset in ("mariaje", "cinquecento", "rematada"):
        fields.update(trump=trump)
        if number % 2:
            fields[f"marriage-{trump}"] = random.choice(labels)
    if preset == "rematada":
        fields.update(bidder=random.choice(labels), bid=random.choice((100, 110)), last_trick=last)
    if preset.startswith("chiamata"):
        fields.update(bidder=labels[number % len(labels)], bid=61, partner=labels[(number + 2) % len(labels)])
        if setup.options["chiamata_scores"] == "manual":
            fields.update({f"points-{label}": place for place, label in enumerate(labels, -2)})
    if preset == "muerte_al_tres" and number % 2:
        fields.update(three_killed=labels[0])
    if setup.options["trump_method"] == "fixed_cycle" and preset in ("brisca", "scoperta", "muerte_al_tres"):
        fields.update(trump="OCEB"[(number - 1) % 4])
    if preset not in ("rematada", "mexican") and not preset.startswith("chiamata"):
        fields.update({f"cards-{label}": len(cards) for label, cards in piles.items()})
    if number % 3 == 0 and preset != "rematada":
        # Shown instead of counted.
        fields = {name: value for name, value in fields.items() if not name.startswith(("card_points", "cards"))}
        fields.update({f"pile-{label}": cards for label, cards in piles.items()})
    elif number % 3 == 2 and preset in ("brisca", "scoperta") and setup.options["match_mode"] == "game_points":
        fields = {name: value for name, value in fields.items() if name == "trump"}
        fields["winner"] = random.choice(labels)
    return fields


def rummy(setup: Setup, number: int, dealer: str, random: Random) -> dict[str, Any]:
    """Play a round of Carioca; return what its form is filled with."""
    labels, options = setup.labels, setup.options
    out = random.choice(labels)
    fields: dict[str, Any] = {"out_at_once" if number % 4 == 3 and options["pts_out_at_once"] else "went_out": out}
    pack = [rank for rank in RANKS for _each in range(4 if rank == "X" else 8)]
    random.shuffle(pack)
    for place, label in enumerate(labels):
        if label == out:
            continue
        hand = [pack.pop() for _card in range(random.randint(1, 5))]
        if (place + number) % 3:
            fields[f"left-{label}"] = " ".join(hand)
        else:
            fields[f"left_points-{label}"] = 5 * random.randint(1, 20)
    if number % 2 and options["pts_perfect_cut"]:
        fields["perfect_cut"] = labels[(labels.index(dealer) - 1) % len(labels)]
    if number % 3 == 1 and options["pts_steal"]:
        fields[f"steals-{labels[-1]}"] = 2
    return fields


def pad(setup: Setup, random: Random) -> dict[str, Any]:
    """Write a round of the free pad; return what its form is filled with."""
    points = {label: random.randint(-20, 60) for label in setup.labels}
    total = setup.options["round_sum"]
    if total is not None:
        points[setup.labels[-1]] = total - sum(list(points.values())[:-1])
    return {f"points-{label}": number for label, number in points.items()}
