"""The results of the examples of a game at a table, for its rules page: the engine works them out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache, singledispatch
from typing import Any, TypeAlias, cast

from ... import rules
from ...limits import EXAMPLE_STEPS
from ...rules import contract
from .sums import Arithmetic

Asked: TypeAlias = Mapping[str, Any]
"""A table, as a request to the engine names it."""
Worked: TypeAlias = Mapping[str, Any]
"""The result of an example at one table, for its template."""


@singledispatch
def _work(example: rules.examples.Example, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return what an example comes to; None where this table has no such case."""
    raise TypeError(example)


@_work.register
def _played(example: rules.examples.Played, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return the sets that may be taken, each with its sum and the sweeps that it is worth."""
    agreed = rules.fishing_rules(table)
    if agreed is None:
        return None
    layout = example.layout.split()
    request = {**asked, "layout": layout, "card": example.card, "last_play": example.last_play}
    found = cast(contract.Captures, rules.captures(cast(contract.CapturesRequest, request)))
    sums = Arithmetic(agreed, {})
    return {
        "layout": layout,
        "card": example.card,
        "is_last": example.last_play,
        "may_leave": found["may_leave"],
        "sets": [(each["takes"], sums.shown(example.card, each["takes"]), each["sweep"]) for each in found["captures"]],
    }


@_work.register
def _dealt(example: rules.examples.Dealt, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return what they bring to the dealer, or that they void the deal."""
    layout = example.layout.split()
    worth = rules.opening_worth(table, {"dealer": asked["sides"][0], "layout": layout})
    if worth is None or not (worth.redeal or worth.sweeps or worth.flush_points):
        return None
    return {"layout": layout, "worth": worth}


@_work.register
def _shown(example: rules.examples.Shown, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return the items that the hand scores, with their points."""
    agreed = rules.fishing_rules(table)
    combos = {combo.id for combo in agreed.combos if combo.is_on} if agreed else set()
    if agreed is None or not combos:
        return None
    if (example.item and example.item not in combos) or (example.wild and example.wild not in agreed.wild_cards):
        return None
    side, cards = asked["sides"][0], example.cards.split()
    # With the rest of the pack in one pile no line is open, and the engine has nothing to weigh.
    lines = _lines(asked, {"declarations": [{"side": side, "cards": cards}], "rest": side})
    return {"cards": cards, "worth": {line["item"]: line["points"][side] for line in lines if line["item"] in combos}}


@_work.register
def _compared(example: rules.examples.Compared, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return the engine's primes of these piles."""
    rule = rules.prime_rule(table)
    if rule is None:
        return None
    request = {
        "method": rule.method,
        "suits_required": rule.suits_required,
        "needs_pip": rule.needs_pip,
        "needs_seven": rule.needs_seven,
        "piles": {label: cards.split() for label, cards in zip("ABCD", example.piles, strict=False)},
    }
    return {"method": rule.method, "primes": rules.prime(request)}


@_work.register
def _ended(example: rules.examples.Ended, asked: Asked, table: rules.TableRules) -> Worked | None:
    """Return the lines of its items."""
    if len(asked["sides"]) != example.sides or (example.presets and table.preset not in example.presets):
        return None
    scored = {item for item, _points in rules.item_points(table)} & set(example.items)
    lines = [line for line in _lines(asked, example.deal) if line["item"] in scored]
    return {"given": example.deal, "lines": lines, "sides": asked["sides"], "bare": example.bare} if lines else None


def _lines(asked: Asked, deal: Mapping[str, Any]) -> list[contract.SettledLine]:
    """Return the settled lines of a deal at a table."""
    standing = cast(contract.Standing, rules.match({**asked, "deals": [deal]}, most_steps=EXAMPLE_STEPS))
    return [line for line in standing["sheets"][0]["lines"] if line["reason"] != "open"]


def examples_of(asked: Asked) -> dict[str, list[Worked]]:
    """Return the examples of a table's game by kind, worked out by its own rules."""
    return _examples_of(json.dumps(asked, sort_keys=True))


@lru_cache(maxsize=64)
def _examples_of(asked_json: str) -> dict[str, list[Worked]]:
    asked = json.loads(asked_json)
    table = rules.read_table(asked, rules.Problems())
    assert table is not None
    worked: dict[str, list[Worked]] = {}
    for example in table.rules.examples:
        result = _work(example, asked, table)
        if result is not None:
            worked.setdefault(example.kind, []).append(result)
    return worked
