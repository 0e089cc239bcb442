"""A hall of tables with several games in play: what a hostile request may hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import rules
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Table

from ..helpers.reading import Page
from ..web.conftest import Player, join, with_fields

NAMES = ("Ana", "Beto", "Cata", "Leo", "Ema", "Fede", "Gabi", "Hugo")
ALL_TO_A = {"others": "A"}
"""What closes a deal of a fishing game on trust: one button, for every line."""


@dataclass(frozen=True)
class Game:
    """How a table of the hall is opened, and what closes a deal at it: as it stands, and as somebody else saw it."""

    name: str
    opened: Mapping[str, Any]
    players: int
    closing: Mapping[str, Any]
    otherwise: Mapping[str, Any]
    options: Mapping[str, Any] | None = None
    """Every option, for a game that no page can start."""


LONG = {"opt-target": "121"}
"""No match of the hall is won by the deals that are closed in it."""
WILD = {"opt-wild_cards": '"7O+12O"', "opt-wild_power": '"rank_or_suit"'}
CARIOCA = {"opt-card_values-own": "A 15, X 50", "opt-rounds-own": "Poker, Escala real"}
TRUST, REVERSED = ALL_TO_A, {"others": "B"}
GAMES = (
    Game("chorizo", {"game": "chorizo", **WILD, **LONG}, 2, TRUST, REVERSED),
    Game("scopa", {"game": "scopa", **LONG}, 2, TRUST, REVERSED),
    Game("cirulla", {"game": "cirulla", "shape": "2x1", **LONG}, 2, TRUST, REVERSED),
    Game("escoba", {"game": "escoba", "shape": "4x1", **LONG}, 4, TRUST, REVERSED),
    Game("escopa", {"game": "escopa", **LONG}, 2, TRUST, REVERSED),
    Game(
        "brisca",
        {"game": "brisca"},
        2,
        {"card_points-A": "70", "card_points-B": "50"},
        {"card_points-A": "50", "card_points-B": "70"},
    ),
    Game(
        "rematada",
        {"game": "brisca", "preset": "rematada", "shape": "3x1"},
        3,
        {
            "bidder": "A",
            "bid": "100",
            "last_trick": "B",
            "married": "none",
            "trump": "O",
            "card_points-A": "110",
            "card_points-B": "10",
        },
        {
            "bidder": "A",
            "bid": "100",
            "last_trick": "B",
            "married": "none",
            "trump": "O",
            "card_points-A": "60",
            "card_points-B": "60",
        },
        rules.match({"game": "brisca", "preset": "rematada", "sides": ["A", "B", "C"], "deals": []})["options"],
    ),
    Game(
        "carioca",
        {"game": "carioca", "shape": "3x1", **CARIOCA},
        3,
        {"went_out": "A", "left-B": "K 5", "left-C": "X"},
        {"went_out": "A", "left-B": "K 6", "left-C": "X"},
    ),
    Game(
        "free",
        {"game": "free", "shape": "4x1"},
        4,
        {"points-A": "5", "points-B": "0", "points-C": "-3", "points-D": "7"},
        {"points-A": "6", "points-B": "0", "points-C": "-3", "points-D": "7"},
    ),
)


def furnish(app: Flask) -> None:
    """Open a table of every game, with deals closed, contested, locked and being played."""
    for game in GAMES:
        _play(app, game)


def _play(app: Flask, game: Game) -> None:
    one = _open(app, game) if game.options is None else _open_below(app, game, game.options)
    other = join(app, one)
    _close(one, 1, game.closing)
    _contest(one, other, 2, game)
    _close(one, 3, game.otherwise)
    for side in "AB":
        _say(one, 3, "accept", side)
    _close(one, 4, game.otherwise)
    _say(one, 4, "dispute", "B")
    if one.sweep("A", 5).status == 303:
        one.sweep("B", 5)
    if one.get(one.deal(5) + "/declare").status == 200:
        one.declare("A", "1B", "2B", "3B", number=5)
    page = one.get(one.deal(5) + "/penalty")
    if page.status == 200:
        pressed = {"penalty": page.buttons("penalty")[0]}
        one.post(one.deal(5) + "/penalty", with_fields(page.form(action="/penalty"), pressed))


def _open(app: Flask, game: Game) -> Player:
    """Open a table as a phone does without script: the game first, then what it asks, then the names."""
    client, path = app.test_client(), "/tables/new"
    form = Page(client.get(path)).form("agree")
    for changed in ({"game": game.opened["game"]}, game.opened):
        form = Page(client.post(path, data=with_fields(form, {**changed, "step": "refresh"}))).form("agree")
    seats = {f"player-{seat}": name for seat, name in enumerate(NAMES[: game.players])}
    told = {**seats, **game.opened, "table_name": game.name, "step": "save"}
    page = Page(client.post(path, data=with_fields(form, told)))
    assert page.status == 303, page.words
    return Player(app, client, page.location.removeprefix("/t/"))


def _open_below(app: Flask, game: Game, options: Mapping[str, Any]) -> Player:
    """Open a table through the functions below the pages."""
    with app.app_context(), writing():
        table = commands.open_table(game.name, str(uuid4()))
        numbers = commands.seat_players(table, NAMES[: game.players])
        seated = sides_of([[number] for number in numbers])
        agreed = Setup(game.opened["game"], game.opened["preset"], dict(options), seated, first_dealer=0)
        commands.start_match(table, str(uuid4()), agreed)
        key = table.play_key
    return Player(app, app.test_client(), key)


def _close(phone: Player, deal: int, fields: Mapping[str, Any]) -> None:
    answer = phone.close(deal, **fields)
    assert answer.status == 303, answer.words


def _contest(one: Player, other: Player, deal: int, game: Game) -> None:
    """Both draw the form, and tell the deal differently."""
    drawn = with_fields(other.closing(deal), {**game.otherwise, "step": "save"})
    _close(one, deal, game.closing)
    assert other.post(one.deal(deal) + "/close", drawn).status == 303


def _say(phone: Player, deal: int, what: str, side: str) -> None:
    path = f"{phone.deal(deal)}/{what}"
    form = phone.get(phone.deal(deal)).form(action=path)
    assert phone.post(path, with_fields(form, {"side": side})).status == 303


@dataclass(frozen=True)
class Keys:
    """The three keys of a table."""

    play: str
    watch: str
    owner: str


@dataclass(frozen=True)
class Hall:
    """The tables by the name of their game, and a phone that knows them all."""

    app: Flask
    client: FlaskClient
    tables: Mapping[str, Keys]

    def path(self, game: str, rest: str = "") -> str:
        """Return an address of a table's play link."""
        return f"/t/{self.tables[game].play}{rest}"


def open_hall(app: Flask) -> Hall:
    """Return the hall that ``furnish`` has left in the app's database."""
    with app.app_context():
        tables = {
            table.name: Keys(table.play_key, table.watch_key, table.owner_key)
            for table in db.session.query(Table).order_by(Table.id)
        }
    return Hall(app, app.test_client(), tables)
