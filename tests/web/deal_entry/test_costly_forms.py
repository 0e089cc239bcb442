"""What a form takes to be judged is bounded, however little the cards of a deal tell."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS, REST_STEPS

from ...helpers.cold import forget
from ...helpers.costly import COSTLIEST
from ..conftest import Player, open_table, with_fields

NAMES = ("Ana", "Bruno", "Carla", "Dora")
IDS = [f"{one['game']} {len(one['sides'])}" for one in COSTLIEST]


@pytest.fixture(params=[COSTLIEST[0], *(pytest.param(one, marks=pytest.mark.whole) for one in COSTLIEST[1:])], ids=IDS)
def costly(request: pytest.FixtureRequest) -> dict[str, Any]:
    """One of the costliest deals known."""
    found: dict[str, Any] = request.param
    return found


@pytest.fixture
def table(app: Flask, costly: dict[str, Any]) -> Player:
    """A table of the deal's game and sides."""
    sides = len(costly["sides"])
    names = {f"player__{seat}": name for seat, name in enumerate(NAMES[:sides])}
    return open_table(app, game=costly["game"], shape=f"{sides}x1", **names)


def told(table: Player, deal: dict[str, Any]) -> MultiDict[str, str]:
    """Return the closing form with all that it can tell of a deal."""
    fields: dict[str, Any] = {f"pile-{side}": cards for side, cards in deal["piles"].items()}
    for side, counts in deal["counts"].items():
        fields |= {f"count-{kind}-{side}": number for kind, number in counts.items()}
    fields |= {f"award-{item}": side for item, side in deal["awards"].items()}
    return with_fields(table.closing(), fields)


def steps_of(table: Player, form: MultiDict[str, str], **changes: str) -> int:
    """Post a form to a process that has judged nothing yet; return the steps that its answer took."""
    forget()
    with rules.tallied() as tally:
        assert table.post(table.deal() + "/close", with_fields(form, changes)).status in (200, 303, 422)
    return tally.steps


@pytest.mark.parametrize("step", ["live", "save"])
def test_a_form_takes_no_more_steps_than_a_deal(table: Player, costly: dict[str, Any], step: str) -> None:
    assert DEAL_STEPS // 4 < steps_of(table, told(table, costly["deal"]), step=step) <= DEAL_STEPS


def test_what_is_left_to_one_side_is_looked_through_once_before(table: Player, costly: dict[str, Any]) -> None:
    taken = steps_of(table, told(table, costly["deal"]), step="save", others="A")

    assert 0 < taken <= REST_STEPS + DEAL_STEPS


def test_so_is_a_prime_that_was_said_beside_its_cards(table: Player, costly: dict[str, Any]) -> None:
    said = {"award-prime": "B", "slots_of": "form", "others": "A"}
    assert steps_of(table, told(table, costly["deal"]), step="noted", **said) <= REST_STEPS + DEAL_STEPS


def test_a_said_prime_that_its_cards_exclude_is_taken_back_after_a_short_look(app: Flask) -> None:
    table = open_table(app)
    cards = {"pile-A": ["7O", "7C", "7E", "7B"], "pile-B": ["6O", "6C", "6E", "6B"]}
    form = with_fields(table.closing(), {**cards, "award-prime": "B", "slots_of": "form"})
    forget()
    with rules.tallied() as tally:
        page = table.post(table.deal() + "/close", with_fields(form, {"step": "noted"}))

    assert page.status == 200
    assert not page.form("closing").get("award-prime")
    assert 0 < tally.steps <= REST_STEPS + DEAL_STEPS
