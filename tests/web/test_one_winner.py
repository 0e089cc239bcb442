"""One truth for the prime: sheet, sentence, prime page, shared text and ``score`` name one winner, or all say open.

Deals are played card by card; then the table knows only a part of each. Every game with a prime and every prime method.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from babel.lists import format_list
from flask import Flask

from scorekeeper import rules
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Table

from ..helpers.asking import finished_deal
from ..helpers.partly import awarded, counted, laid_out, shown, told
from ..helpers.reading import Page
from ..helpers.simulator import KNOWN
from .conftest import Player

pytestmark = pytest.mark.whole

NAMES = ("Ana", "Beto", "Cata", "Dani", "Eva", "Fede")
DEALS = 3
"""Deals of each game, method and line-up."""


def games_with_primes() -> Iterator[tuple[str, str]]:
    """Yield each game that has a prime with each of its methods."""
    for game, known in KNOWN.items():
        options = {option["id"]: option for option in known["options"]}
        if "prime_method" in options:
            yield from ((game, method) for method in options["prime_method"]["values"] if method != "off")
        elif any(item["id"] == "prime" for item in known["items"]):
            yield game, ""


def chosen_options(game: str, method: str, random: Random) -> dict[str, Any]:
    """Return options of a table: the method, and any of what else decides a prime."""
    deciding = ("tie_rule", "prime_suits_required", "prime_needs_pip", "prime_needs_seven", "three_player_tie_to_third")
    known = {option["id"]: option["values"] for option in KNOWN[game]["options"]}
    options = {id: random.choice(known[id]) for id in deciding if id in known}
    return {**options, "prime_method": method} if method else options


def what_is_known(request: Mapping[str, Any], piles: Mapping[str, list[str]], random: Random) -> dict[str, Any]:
    """Return what a table knows of a deal, from nothing to everything."""
    way = random.randrange(8)
    if way == 0:
        return {"piles": dict(piles), "accept": ["pile_modulus", "pile_parity"]}
    facts: dict[str, Any] = {}
    if way in (1, 2, 3):
        facts |= shown(piles, random)
    if way in (2, 3, 4):
        facts |= counted(piles, random)
    if way in (3, 5, 6):
        facts |= told(piles, random)
    method = request["options"].get("prime_method") or rules.score({**request, "deal": {}})["options"].get(
        "prime_method"
    )
    if way in (6, 7) and method != "sevens_count":
        facts |= laid_out(piles, method, random)
    if random.random() < 0.3:
        whole = rules.score({**request, "deal": {"piles": piles, "accept": ["pile_modulus", "pile_parity"]}})
        facts |= awarded(winners_of(whole))
    return facts


def winners_of(sheet: Mapping[str, Any]) -> list[str] | None:
    """Return who takes the prime on a sheet; None while that is open, or where the sheet is invalid."""
    line = next((line for line in sheet.get("lines", []) if line["item"] == "prime"), None)
    if line is None or line["points"] is None:
        return None
    return [side for side, points in line["points"].items() if points > 0]


def read_winners(sentence: str, names: Mapping[str, str]) -> list[str] | None:
    """Return whom a reader of the sentence takes for the winners, by the numbers or by the names in it."""
    _item, _colon, says = sentence.partition(": ")
    if says.startswith("still open"):
        return None
    if re.search(r"nobody|instead", says):
        return []
    numbers = {side: re.search(rf"{name} (at least |at most )?([\d.]+|–)", says) for side, name in names.items()}
    found = {side: (one[1], one[2]) for side, one in numbers.items() if one}
    if not found:
        return [side for side, name in names.items() if re.search(rf"\b{name}\b", says)]
    values = {side: 0.0 if value == "–" else float(value) for side, (_bound, value) in found.items()}
    if "the best that is not level" in says:
        alone = [value for value in values.values() if list(values.values()).count(value) == 1]
        return [side for side, value in values.items() if value == max(alone)]
    return [side for side, value in values.items() if value == max(values.values())]


def marked(html: str, names: Mapping[str, str]) -> list[str] | None:
    """Return the sides whose primes are marked as the best; None where no primes are laid out."""
    blocks = re.findall(r'class="panel prime-side side-(\d+)">(.*?)</section>', html, re.DOTALL)
    if not blocks:
        return None
    labels = list(names)
    return [labels[int(place) - 1] for place, block in blocks if "data-wins" in block]


def leading_in_slots(html: str) -> list[str]:
    """Return the sides that win by the slots of the best cards; none where there are no slots."""
    return re.findall(r'id="total-(\w)" data-wins', html)


def gains_on_sheet(html: str) -> dict[str, str]:
    """Return the sentence of each line of a sheet with what stands beside it."""
    rows = re.findall(r'<span class="visually-hidden sentence">(.*?)</span>(.*?)(?:</summary>|</li>)', html, re.DOTALL)
    return {" ".join(sentence.split()): row for sentence, row in rows}


class OneTable:
    """A table at which any deal can be closed, also one that is known only in part."""

    def __init__(self, app: Flask, client: Any) -> None:
        self.app = app
        with app.app_context(), writing():
            table = commands.open_table("Los jueves", str(uuid4()))
            self.seats = commands.seat_players(table, NAMES)
            self.id, key, self.watch_key = table.id, table.play_key, table.watch_key
        self.player = Player(app, client, key)

    def watched(self, path: str) -> Page:
        """Open a page by the link of those who watch."""
        return Page(self.player.client.get(f"/w/{self.watch_key}{path}"))

    def close(self, request: Mapping[str, Any], dealer: int, facts: Mapping[str, Any]) -> int:
        """Start a match, and close its first deal as the journal has it; return the number of the match."""
        sides, each = len(request["sides"]), request["players_per_side"]
        numbers = [self.seats[place : sides * each : sides] for place in range(sides)]
        resolved = rules.score({**request, "deal": {}})["options"]
        with self.app.app_context(), writing():
            agreed = Setup(request["game"], None, resolved, sides_of(numbers), dealer)
            match = commands.start_match(db.session.get_one(Table, self.id), str(uuid4()), agreed)
            commands.record(match, [NewEntry("deal_closed", {"deal": 1, "facts": dict(facts)})])
            return match.number


def of_whole_piles(request: Mapping[str, Any], options: Mapping[str, Any], piles: Mapping[str, Any]) -> list[str]:
    """Return who wins by the verb ``prime``, which takes whole piles."""
    agreed = rules.read_table({**request, "options": options}, rules.Problems())
    assert agreed is not None
    rule = rules.prime_rule(agreed)
    assert rule is not None
    needed = {name: getattr(rule, name) for name in ("method", "suits_required", "needs_pip", "needs_seven")}
    winners: list[str] = rules.prime({**needed, "piles": piles})["winners"]
    return winners


def check_one_deal(table: OneTable, request: Mapping[str, Any], facts: Mapping[str, Any], dealer: int) -> None:
    """Close a deal with these facts; check that every page says what the sheet says."""
    number = table.close(request, dealer, facts)
    ((_deal, sheet),) = table.player.standing(number).sheets
    wanted = winners_of(sheet)
    line = next(line for line in sheet["lines"] if line["item"] == "prime")
    names = {
        label: format_list(NAMES[place :: len(request["sides"])][: request["players_per_side"]], locale="en")
        for place, label in enumerate(request["sides"])
    }
    assert winners_of(rules.score({**request, "options": sheet["options"], "deal": facts})) == wanted
    at = table.player.deal(match=number)
    page, slots, text = (table.player.get(at + more) for more in ("", "/prime", "/text"))
    alone = table.watched(at + "/prime")
    assert [one.status for one in (page, slots, text, alone)] == [200] * 4
    sentences = [one for one in gains_on_sheet(page.html) if one.startswith(("Prime:", "Primiera:", "Setenta:"))]
    assert len(sentences) == 1, sentences
    (heard,) = sentences
    assert read_winners(heard, names) == wanted, (heard, line)
    points = re.findall(r'line-points number[^"]*"[^>]*>([^<]*)<', gains_on_sheet(page.html)[heard])
    gaining = [label for label, gained in zip(names, points, strict=True) if gained.startswith("+")]
    assert gaining == (wanted or [])
    sentence = re.findall(r'<p class="foot-text"><b>(.*?)</b>', alone.html)[0]
    assert read_winners(sentence, names) == wanted, (sentence, line)
    assert sentence in text.words
    best = marked(alone.html, names)
    assert best is None or best == (wanted or []), (best, line)
    # The slots go by the cards and counts alone: where the prime was only said, they are open.
    assert leading_in_slots(slots.html) in ([], wanted or [])
    if line["reason"] == "most" and set(facts) == {"piles", "accept"}:
        assert of_whole_piles(request, sheet["options"], facts["piles"]) == wanted


def once_each() -> Iterator[tuple[str, str]]:
    """Yield each game once, and each method of comparing primes once."""
    seen: set[str] = set()
    for game, method in games_with_primes():
        if not {game, method} <= seen:
            yield game, method
        seen |= {game, method}


@pytest.mark.parametrize(("game", "method"), list(once_each()), ids=lambda word: word or "usual")
def test_every_page_names_the_winner_of_the_sheet_or_says_that_it_is_open(app: Flask, game: str, method: str) -> None:
    table, random = OneTable(app, app.test_client()), Random(f"{game} {method}")
    seats = KNOWN[game]["seats"]
    for _deal in range(DEALS):
        seat = random.choice(seats)
        played, piles = finished_deal(game, seat["sides"], seat["players_per_side"], random)
        request = {**played, "options": chosen_options(game, method, random)}
        dealer = request["sides"].index(played["deal"]["dealer"])
        facts = what_is_known(request, piles, random)
        if not any(
            problem["code"] == "budget_spent" for problem in rules.score({**request, "deal": facts})["problems"]
        ):
            check_one_deal(table, request, facts, dealer)
