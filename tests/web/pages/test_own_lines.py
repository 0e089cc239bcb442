"""Lines of the table's own: chosen with the rules, said in a closing of any family, and shown wherever lines are."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from ..conftest import Player, agreed, open_table, with_fields

OWN: dict[str, Any] = {
    "own_name-0": "napola",
    "own_points-0": "3",
    "own_how-0": "one",
    "own_name-1": "Re bello",
    "own_points-1": "2",
    "own_how-1": "count",
}
STORED = [{"name": "napola", "points": 3, "how": "one"}, {"name": "Re bello", "points": 2, "how": "count"}]
SCOPA = {"award-cards": "A", "award-coins": "B", "award-seven_of_coins": "A", "award-prime": "B"}


def table_of(app: Flask, game: str, shape: str = "2x1", **fields: Any) -> Player:
    sides, each = map(int, shape.split("x"))
    names = {f"player-{seat}": name for seat, name in enumerate(("Ana", "Beto", "Cata", "Dani", "Eva")[: sides * each])}
    return open_table(app, game=game, shape=shape, **{**names, **OWN, **fields})


def closed(player: Player, number: int = 1, **fields: Any) -> Any:
    return player.close(number, **fields)


def lines(player: Player) -> dict[str, Any]:
    return {line["item"]: line for line in player.standing().sheets[-1][1]["lines"]}


def test_a_scopa_is_closed_with_them_by_pairs(app: Flask) -> None:
    ana = table_of(app, "scopa", "2x2")
    assert closed(ana, **SCOPA, **{"award-own_1": "A", "own_2-B": "2"}).status == 303
    assert (lines(ana)["own_1"]["reason"], lines(ana)["own_1"]["points"]["A"]) == ("said_own", 3)
    assert lines(ana)["own_2"]["points"]["B"] == 4


def test_all_that_is_left_gives_one_that_one_takes_to_nobody(app: Flask) -> None:
    ana = table_of(app, "scopa")
    form = ana.closing(1)
    assert ana.post(ana.deal(1) + "/close", with_fields(form, {"others": "A"})).status == 303
    assert lines(ana)["own_1"]["reason"] == "nobody"
    assert lines(ana)["cards"]["points"]["A"] == 1


def test_a_brisca_is_closed_with_them(app: Flask) -> None:
    ana = table_of(app, "brisca")
    points = {"card_points-A": "70", "card_points-B": "50"}
    page = closed(ana, **points)
    assert page.status == 422
    assert "Still to be said: napola." in page.words
    assert closed(ana, **points, **{"award-own_1": "nobody", "own_2-A": "1"}).status == 303
    assert lines(ana)["own_1"]["reason"] == "nobody"
    assert lines(ana)["own_2"]["points"] == {"A": 2, "B": 0}


def test_a_round_of_the_pad_is_closed_with_them(app: Flask) -> None:
    ana = table_of(app, "free", **{"opt-target": ""})
    told = {"points-A": "7", "points-B": "4"}
    assert closed(ana, **told).status == 422
    assert closed(ana, **told, **{"award-own_1": "A", "own_2-B": "2"}).status == 303
    assert ana.totals() == {"A": 10, "B": 8}
    assert "napola: Ana, 3 points, Ana made it" in ana.get(ana.deal(1)).words


def test_sheet_journal_and_text_say_them_by_their_names(app: Flask) -> None:
    ana = table_of(app, "scopa")
    assert closed(ana, **SCOPA, **{"award-own_1": "A", "own_2-A": "2", "own_2-B": "1"}).status == 303
    sheet = ana.get(ana.deal(1))
    assert "napola: Ana, 3 points, Ana made it" in sheet.words
    assert "Re bello: Ana, 4 points, Beto, 2 points, 2 to 1" in sheet.words
    assert "own_1" not in sheet.words
    text = ana.get(ana.deal(1) + "/text").words
    assert "napola: Ana made it" in text
    assert "Re bello: Ana 2, Beto 1" in text


def test_a_change_of_the_rules_neither_offers_nor_touches_them(app: Flask) -> None:
    ana = table_of(app, "scopa")
    assert "own_name-0" not in ana.get("/matches/1/rules/change").form("agree")


def test_a_correction_and_a_dispute_are_about_one_of_them(app: Flask) -> None:
    ana = table_of(app, "scopa")
    assert closed(ana, **SCOPA, **{"award-own_1": "A"}).status == 303
    assert ana.closing(1)["award-own_1"] == "A"
    assert closed(ana, **{"award-own_1": "B"}).status == 303
    assert lines(ana)["own_1"]["points"] == {"A": 0, "B": 3}
    assert "napola: Ana +3 → Beto +3" in ana.get(ana.deal(1)).words
    closing = ana.entries()[-1].id
    said = {"id": str(uuid4()), "entry": closing, "side": "A", "line": "own_1"}
    assert ana.post(ana.deal(1) + "/dispute", said).status == 303
    assert "disputes: napola" in ana.get(ana.deal(1)).words


def test_another_game_has_none_of_them_and_the_former_one_has_them_again(app: Flask) -> None:
    ana = table_of(app, "scopa")
    ana.stop()
    form = ana.get("/matches/new").form("agree")
    form = ana.post("/matches/new", with_fields(form, {"game": "brisca", "step": "refresh"})).form("agree")
    assert not form["own_name-0"]
    form["own_name-0"] = "Capote"
    form = ana.post("/matches/new", with_fields(form, {"game": "scopa", "step": "refresh"})).form("agree")
    assert form["own_name-0"] == "napola"
    form = ana.post("/matches/new", with_fields(form, {"game": "brisca", "step": "refresh"})).form("agree")
    assert form["own_name-0"] == "Capote"
    assert ana.get("/matches/new?game=brisca").form("agree")["own_name-0"] == ""


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"own_points-0": "0"}, "but not 0"),
        ({"own_name-0": ""}, "Give this line a name"),
        ({"own_name-0": "x" * 25}, "up to 24 letters"),
        ({"own_name-1": "NAPOLA"}, "Two lines are called NAPOLA"),
    ],
)
def test_what_cannot_be_gets_words_and_what_was_typed_stays(app: Flask, fields: dict[str, str], words: str) -> None:
    client = app.test_client()
    form = agreed(client, game="scopa", **{"player-0": "Ana", "player-1": "Beto"}, **{**OWN, **fields})
    page = client.post("/tables/new", data=form)
    assert page.status_code == 422
    assert words in page.text
    for value in fields.values():
        assert value in page.text


def test_the_page_kept_ahead_knows_what_they_give_by_themselves(app: Flask) -> None:
    ana = table_of(app, "scopa")
    page = ana.get(ana.deal(1) + "/ahead").html
    own = json.loads(page.split("data-ahead='")[1].split("'")[0])["by_itself"]["own"]
    assert own["rows"]["own_1"]["points"] == 3
    assert own["counted"] == {"own_2": 2}


class TestThePadThatCountsAtOnce:
    """Taps reach the target there, and no tap says who took a line of the table's own."""

    @staticmethod
    def pad(app: Flask, **fields: Any) -> Player:
        return table_of(app, "free", **{"opt-target": "10", "opt-count": '"at_once"', **fields})

    @staticmethod
    def tap(player: Player, side: str, points: int, number: int = 1) -> None:
        data = {"id": str(uuid4()), "side": side, "points": str(points)}
        assert player.post(player.deal(number) + "/points", data).status == 303

    def test_a_tap_that_reaches_the_target_leaves_the_round_open_and_the_board_says_why(self, app: Flask) -> None:
        ana = self.pad(app)
        self.tap(ana, "A", 9)
        assert "Target reached" not in ana.get().words
        self.tap(ana, "A", 1)
        assert not ana.standing().is_over
        assert ana.kinds()[-1] == "points_noted"
        said = "Target reached: close the round and say who took napola."
        assert said in ana.get().words

    def test_the_closing_of_the_round_ends_the_match_with_what_is_tapped_and_said(self, app: Flask) -> None:
        ana = self.pad(app)
        self.tap(ana, "A", 10)
        self.tap(ana, "B", 8)
        assert closed(ana).status == 422
        assert closed(ana, **{"award-own_1": "B", "own_2-B": "1"}).status == 303
        assert ana.totals() == {"A": 10, "B": 13}
        assert ana.standing().winners == ["B"]


def test_house_rules_that_are_kept_by_a_name_have_them(app: Flask) -> None:
    ana = table_of(app, "scopa", rules_name="Los jueves")
    ana.stop()
    plain = dict.fromkeys((name for name in OWN if not name.startswith("own_how")), "")
    form = with_fields(ana.get("/matches/new").form("agree"), {**plain, "rules_name": "", "step": "save"})
    assert ana.post("/matches/new", form).status == 303
    ana.stop(2)
    assert not ana.get("/matches/new").form("agree")["own_name-0"]
    form = ana.get("/matches/new?rules=Los+jueves").form("agree")
    assert {name: form[name] for name in OWN} == OWN


def test_partners_that_change_round_and_a_winner_who_stays_play_on_with_them(app: Flask) -> None:
    ana = table_of(app, "scopa", "2x2")
    ana.stop(leader=True)
    assert ana.post("/matches/1/rematch", {"id": str(uuid4()), "partner": "3"}).status == 303
    assert ana.entries(2)[0].payload["setup"]["own_lines"] == STORED
    two = table_of(app, "scopa", **{"opt-target": "5"})
    assert closed(two, **SCOPA, **{"award-own_1": "A"}).status == 303
    form = two.get("/matches/1/again").form(action="/stays")
    assert two.post("/matches/1/stays", with_fields(form, {"waiting": "Eva"})).status == 303
    assert two.entries(2)[0].payload["setup"]["own_lines"] == STORED
