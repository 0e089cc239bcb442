"""Matches are found by game, player, pair, time and state; each view is an address, by the watch link too."""

from __future__ import annotations

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import update

from scorekeeper.limits import PAIRS_OFFERED, UNFINISHED_SHOWN
from scorekeeper.store import commands, queries
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import Player as PlayerRow
from scorekeeper.store.models import now

from ...helpers.many_matches import Played, add, people
from ...helpers.reading import Page
from ..conftest import Player

NAMES = ("Ana", "Beto", "Leo", "Cata", "Óscar")
MANY, LETTERS = 60, 40


def table_of(app: Flask, played: list[Played], *names: str) -> Player:
    """Open a table of these people that has these matches."""
    with app.app_context():
        with writing():
            table = commands.open_table("Los jueves", str(uuid4()))
            people(table, *(names or NAMES))
        add(table, played)
        client = app.test_client()
        with client.session_transaction() as session:
            session["tables"] = [table.play_key]
        return Player(app, client, table.play_key)


def matches_of(page: Page) -> list[int]:
    return [int(number) for number in re.findall(r'match-card" href="[^"]*/matches/(\d+)"', page.html)]


@pytest.fixture
def played(app: Flask) -> Player:
    """Six matches: two pairs a year ago, the same players apart this year, one of them in play, one stopped."""
    this, last = now() - timedelta(hours=30), now() - timedelta(days=366)
    pairs, apart = ((1, 3), (2, 4)), ((1,), (5,))
    return table_of(
        app,
        [
            Played(last, pairs),
            Played(last, pairs, game="scopa", winner=1),
            Played(last, ((1, 2), (3, 4)), doubt=timedelta(days=3)),
            Played(this, apart, status="playing"),
            Played(this, apart),
            Played(this, apart, status="ended"),
        ],
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [4, 6, 5, 3, 2, 1]),
        ("game=scopa", [2]),
        ("player=2", [3, 2, 1]),
        ("pair=3-1&game=chorizo", [1]),
        ("pair=1-3&player=4", [2, 1]),
        ("state=playing", [4]),
        ("state=doubt", [3]),
        ("state=won&player=5", [5]),
        ("period=never&state=lost", [4, 6, 5, 3, 2, 1]),
        ("before=3&pair=1-3", [2, 1]),
    ],
)
def test_an_address_shows_what_it_asks_for(played: Player, query: str, found: list[int]) -> None:
    assert matches_of(played.get(f"/history?{query}")) == found


def test_what_a_form_leaves_open_is_not_in_the_address(played: Player) -> None:
    answer = played.client.get(f"/t/{played.key}/history?game=&player=1&pair=3-1&period=&state=won&who=pairs")
    assert answer.status_code == 303
    assert answer.location == f"/t/{played.key}/history?pair=1-3&state=won&who=pairs"


def test_each_part_of_a_choice_can_be_taken_off(played: Player) -> None:
    page = played.get("/history?game=scopa&pair=1-3&state=won").html
    chips = re.findall(r'<li><a class="button" href="[^"]*/history\?([^"]*)"><span>([^<]*)', page)
    assert chips == [
        ("pair=1-3&amp;state=won", "Scopa"),
        ("game=scopa&amp;state=won", "Ana and Leo"),
        ("game=scopa&amp;pair=1-3", "Won"),
    ]


def test_where_nothing_is_found_the_page_says_what_to_take_off(played: Player) -> None:
    page = played.get("/history?game=scopa&player=5&state=won")
    assert "There is no such match." in page.words
    assert "Show those without: Scopa" in page.words
    assert "Show those without: Óscar" in page.words
    assert "Show those without: Won" not in page.words
    assert "Show all matches" in page.words
    assert "Show those without" not in played.get("/history?game=scopa&player=5&state=doubt").words


def test_what_is_unfinished_comes_first_and_once(app: Flask) -> None:
    moment = now() - timedelta(days=2)
    table = table_of(app, [Played(moment, status="playing"), *[Played(moment)] * 25, Played(moment, status="playing")])
    page = table.get("/history")
    assert matches_of(page) == [27, 1, *range(26, 7, -1)]
    assert "All that are not finished" not in page.words
    # An earlier page has all that is of its evening.
    assert matches_of(table.get("/history?before=8")) == [7, 6, 5, 4, 3, 2, 1]
    many = table_of(app, [Played(moment, status="playing")] * (UNFINISHED_SHOWN + 2))
    assert sorted(matches_of(many.get("/history"))) == list(range(1, UNFINISHED_SHOWN + 3))
    assert "All that are not finished" in many.get("/history").words


@pytest.mark.parametrize("query", ["player=x", "pair=1-9", "game=ludo"])
def test_nobody_and_no_game_is_not_found(played: Player, query: str) -> None:
    for path in ("/history", "/history/find"):
        assert played.get(f"{path}?{query}").status == 404


@pytest.mark.parametrize("path", ["/history", "/history/find"])
def test_whoever_watches_finds_the_same(ana: Player, path: str) -> None:
    with ana.app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        watch = table.watch_key
    query = "?player=1&game=chorizo&state=playing"
    page = Page(ana.app.test_client().get(f"/w/{watch}{path}{query}"))
    assert page.status == 200
    assert ana.key not in page.html
    assert matches_of(page) == matches_of(ana.get(f"{path}{query}")) == ([] if path.endswith("find") else [1])


def test_the_form_offers_what_there_is_and_has_what_is_chosen(played: Player) -> None:
    form = played.get("/history/find?pair=1-3&state=won")
    assert re.findall(r'<option value="([^"]+)" selected', form.html) == ["1-3", "won"]
    for offered in ('"scopa"', '"1-2"', '"doubt"', f'"{now() - timedelta(days=366):%Y}"'):
        assert f"<option value={offered}" in form.html
    # Of a player the pairs of that player; sorted without accents, guests behind, and nobody forgotten.
    assert '"1-3"' not in played.get("/history/find?player=2").html
    change(played, 4, into=3)
    assert matches_of(played.get("/history?player=4")) == [3, 2, 1]
    change(played, 1, guest=True)
    change(played, 2, forgotten_at=now())
    people_offered = form_names(played.get("/history/find"))
    assert people_offered == ["Anybody", "Leo", "Óscar", "Ana"]
    assert matches_of(played.get("/history?player=2")) == [3, 2, 1]


def change(table: Player, number: int, **columns: object) -> None:
    with table.app.app_context():
        db.session.execute(update(PlayerRow).where(PlayerRow.number == number).values(**columns))
        db.session.commit()


def form_names(page: Page) -> list[str]:
    names = page.html.split('id="find-player"')[1].split("</select>")[0]
    return re.findall(r">([^<>\n]+)</option>", names)


@pytest.mark.whole
def test_two_thousand_matches_of_sixty_people_are_a_page_like_any_other(app: Flask) -> None:
    names = [f"{'Wilhelmina' * 4}"[: LETTERS - 3] + f" {number:02}" for number in range(MANY)]
    began = now() - timedelta(days=3000)
    played = [
        Played(began + timedelta(days=at), ((at % MANY + 1, (at * 7 + 3) % MANY + 1), ((at + 5) % MANY + 1,)))
        for at in range(2000)
        if at % MANY != (at * 7 + 3) % MANY
    ]
    table = table_of(app, played, *names)
    for path in (
        "/history",
        "/history?who=pairs&period=ever",
        "/history?player=7",
        "/history/find",
        "/history?before=21",
    ):
        page = table.get(path)
        assert page.status == 200
        assert len(page.html) < 150_000, path
    assert table.get("/history/find").html.split('id="find-pair"')[1].count("<option") <= PAIRS_OFFERED + 1
