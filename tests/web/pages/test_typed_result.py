"""Results from paper, as pages and programs take and show them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.limits import FORM_SECONDS, LARGEST_POINTS
from scorekeeper.store import queries
from scorekeeper.web.match.typed_form import read_points

from ...helpers.reading import Page
from ..conftest import Player, open_table, with_fields

PATH = "/matches/paper"
MAY_3 = "2026-05-03"
TWO = {"day": MAY_3, "player-0": "Ana", "player-1": "Beto", "points-0": "31", "points-1": "24"}


def fields(table: Player, **choice: Any) -> Any:
    """Return the form as drawn for a game and a line-up."""
    form = table.get(PATH).form("paper")
    if choice:
        form = table.post(PATH, with_fields(form, {**choice, "step": "refresh"})).form("paper")
    return form


def type_result(table: Player, choice: dict[str, Any] | None = None, **typed: Any) -> Page:
    told = {**TWO, **{name.replace("__", "-"): value for name, value in typed.items()}, "step": "save"}
    return table.post(PATH, with_fields(fields(table, **(choice or {})), told))


def test_a_result_is_typed_and_is_in_the_history(ana: Player) -> None:
    answer = type_result(ana)

    assert (answer.status, answer.location) == (303, f"/t/{ana.key}/history?typed=2")
    [entry] = ana.entries(2)
    assert (entry.kind, entry.payload["date"], entry.payload["winners"]) == ("result_typed", MAY_3, ["A"])
    assert entry.payload["totals"] == {"A": 31, "B": 24}
    page = ana.get("/history?typed=2")
    assert "from paper · Chorizo" in page.words
    assert "The result is added" in page.words


def test_the_form_begins_with_this_evening_and_what_was_played_last(app: Flask) -> None:
    table = open_table(app, game="free", shape="3x1", player__2="Leo", game_name="Truco")
    form = fields(table)
    assert (form["game"], form["shape"], form["game_name"]) == ("free", "3x1", "Truco")
    day = datetime.fromisoformat(form["day"]).replace(tzinfo=UTC)
    assert timedelta() <= datetime.now(UTC) - day < timedelta(days=2)


def test_in_carioca_the_fewest_points_win(ana: Player) -> None:
    page = Page(ana.client.get(f"/t/{ana.key}{PATH}"))
    assert "the most points win" in page.words
    drawn = ana.post(PATH, with_fields(page.form("paper"), {"game": "carioca", "shape": "3x1", "step": "refresh"}))
    assert "the fewest points win" in drawn.words
    told = {**TWO, "player-2": "Leo", "points-2": "95", "step": "save"}
    assert ana.post(PATH, with_fields(drawn.form("paper"), told)).status == 303
    assert ana.entries(2)[0].payload["winners"] == ["B"]


def test_level_sides_are_asked_who_won(ana: Player) -> None:
    answer = type_result(ana, points__1="31")
    assert (answer.status, ana.entries(2)) == (422, [])
    assert "They are level" in answer.words

    shared = {**TWO, "points-1": "31", "won-0": "y", "won-1": "y", "step": "save"}
    assert ana.post(PATH, with_fields(answer.form("paper"), shared)).status == 303
    assert ana.entries(2)[0].payload["winners"] == ["A", "B"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"day": (datetime.now(UTC) + timedelta(days=3)).date().isoformat()}, "A day in the past."),
        ({"day": "1899-12-31"}, "A day from 1900 on."),
        ({"day": "yesterday"}, "The day on which it was played."),
        ({"points__1": ""}, "How many points?"),
        ({"points__1": str(LARGEST_POINTS + 1)}, "A number of points"),
        ({"player__1": "ANA"}, "Two players have this name."),
        ({"game": "chess"}, "Not a valid choice"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason_and_what_was_typed_stays(
    ana: Player, typed: dict[str, str], said: str
) -> None:
    answer = type_result(ana, **typed)
    assert (answer.status, ana.entries(2)) == (422, [])
    assert said in answer.words
    again = answer.form("paper")
    if "points__1" not in typed or len(typed["points__1"]) < 10:
        told = {**TWO, **{name.replace("__", "-"): value for name, value in typed.items() if name != "game"}}
        assert {name: again[name] for name in told} == told


@pytest.mark.parametrize(
    ("typed", "points"),
    [
        (" 31 ", 31),
        ("−2", -2),
        ("24,5", 24.5),
        ("24½", 24.5),
        ("24.0", 24),
        ("-0", 0),
        (str(LARGEST_POINTS), LARGEST_POINTS),
        (f"{LARGEST_POINTS}.5", None),
        ("24.3", None),
        ("1e3", None),
        ("٣", None),
    ],
)
def test_points_are_whole_or_halves(typed: str, points: float | None) -> None:
    assert read_points(typed) == points
    assert type(read_points(typed)) is type(points)


def test_the_same_form_is_one_result_and_another_content_a_question(ana: Player) -> None:
    form = with_fields(fields(ana), {**TWO, "step": "save"})
    first, again = ana.post(PATH, form), ana.post(PATH, form)
    assert first.location == again.location == f"/t/{ana.key}/history?typed=2"

    other = ana.post(PATH, with_fields(form, {"points-0": "32"}))
    assert (other.status, ana.entries(3)) == (409, [])
    assert ana.post(PATH, with_fields(other.form("paper"), {"step": "save"})).status == 303
    assert ana.entries(3)[0].payload["totals"] == {"A": 32, "B": 24}


def test_the_phone_that_typed_it_takes_it_back_and_has_its_form_again(ana: Player) -> None:
    type_result(ana, won__1="y", points__0="24,5")
    undo = ana.get("/history?typed=2").form(action="/matches/2/paper/undo")
    answer = ana.post("/matches/2/paper/undo", undo)

    assert (answer.status, answer.location) == (303, f"/t/{ana.key}{PATH}?again=2")
    assert ana.get("/matches/2").status == 404
    form = ana.get(f"{PATH}?again=2").form("paper")
    assert [form[name] for name in ("day", "game", "points-0", "points-1", "won-1")] == [
        MAY_3,
        "chorizo",
        "24.5",
        "24",
        "y",
    ]
    assert "won-0" not in form
    assert ana.post(PATH, with_fields(form, {"step": "save"})).location == f"/t/{ana.key}/history?typed=3"


def test_another_phone_does_not_take_it_back(ana: Player, beto: Player) -> None:
    type_result(ana)
    assert "The result is added" not in beto.get("/history?typed=2").words
    assert beto.post("/matches/2/paper/undo", {"id": str(uuid4())}).status == 403
    assert beto.get(f"{PATH}?again=2").form("paper")["day"] != MAY_3
    assert ana.get("/matches/2").status == 200


def test_after_an_hour_only_the_owner_deletes_it(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    type_result(ana)
    monkeypatch.setattr("scorekeeper.web.match.typed_here.FORM_SECONDS", -1)
    assert FORM_SECONDS > 0
    assert "The result is added" not in ana.get("/history?typed=2").words
    assert ana.post("/matches/2/paper/undo", {"id": str(uuid4())}).status == 403

    delete = ana.get("/matches/2/delete")
    assert "From paper" in delete.words
    assert ana.post("/matches/2/delete", delete.form(action="/delete")).status == 303
    assert ana.get("/matches/2").status == 404


def test_its_page_says_that_it_is_from_paper(ana: Player) -> None:
    type_result(ana)
    page = ana.get("/matches/2")
    assert "From paper" in page.words
    assert "May 3" in page.words
    for other in ("No deal is closed yet", "to 21", "About this match", "The rules it was played by"):
        assert other not in page.words
    journal = ana.get("/matches/2/journal")
    assert "Result from paper, Sunday, May 3, Chorizo: Ana 31, Beto 24 · Ana wins" in journal.words
    in_spanish = Page(ana.client.get(f"/t/{ana.key}/matches/2/journal", headers={"Accept-Language": "es"}))
    assert "Resultado del papel, domingo, 3 de mayo, Chorizo" in in_spanish.words
    assert "from paper" in ana.get("/matches/2/text").words
    assert ana.get("/matches/2/picture").status == 200
    assert ana.client.get(f"/t/{ana.key}/matches/2/result.png").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/deals/1/close",
        "/people",
        "/rules/change",
    ],
)
def test_no_page_of_playing_opens_for_it(ana: Player, path: str) -> None:
    type_result(ana)
    page = ana.get(f"/matches/2{path}")
    assert page.status == 409
    assert "nothing is added to it" in page.words


@pytest.mark.parametrize("path", ["/resume", "/end", "/deals/1/sweep"])
def test_nothing_posted_to_it_is_written(ana: Player, path: str) -> None:
    type_result(ana)
    page = ana.post(f"/matches/2{path}", {"id": str(uuid4()), "side": "A"})
    assert page.status == 409
    assert ana.kinds(2) == ["result_typed"]


def test_a_watcher_reads_it_and_types_none(app: Flask, ana: Player) -> None:
    type_result(ana)
    with app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        watch = table.watch_key
    watcher = app.test_client()
    assert watcher.get(f"/w/{watch}/matches/2").status_code == 200
    history = watcher.get(f"/w/{watch}/history?typed=2").get_data(as_text=True)
    assert "from paper" in history
    assert "paper/undo" not in history
    assert "/matches/paper" not in history
    assert watcher.get(f"/w/{watch}{PATH}").status_code == 403
    assert watcher.post(f"/w/{watch}{PATH}", data=TWO).status_code == 403


def test_programs_read_it_and_push_none(ana: Player) -> None:
    type_result(ana)
    read = {"Authorization": f"Bearer {ana.key}"}
    newest = ana.client.get("/api/v1/matches", headers=read).json["matches"]
    paper = next(each for each in newest if each["match"] == 2)
    assert (paper["status"], paper["totals"], paper["deals"]) == ("won", {"A": 31, "B": 24}, 0)
    standing = ana.client.get("/api/v1/standing?match=2", headers=read).json
    assert (standing["status"], standing["winners"], standing["deal"], standing["closed"]) == ("won", ["A"], None, [])
    assert ana.client.get("/api/v1/standing", headers=read).json["match"] == 1
    assert ana.client.get("/api/v1/sheet?match=2", headers=read).status_code == 404
    assert ana.client.get("/api/v1/entries?match=2", headers=read).json["entries"][0]["kind"] == "result_typed"

    tap = {"match": 2, "kind": "swept", "payload": {"deal": 1, "side": "A", "count": 1}}
    again = {"match": 2, "kind": "result_typed", "payload": {"date": MAY_3}}
    pushed = [{"id": str(uuid4()), **entry} for entry in (tap, again)]
    answers = ana.client.post("/api/v1/entries", json={"table": ana.key, "entries": pushed}).json["answers"]
    assert [answer["status"] for answer in answers] == ["refused", "refused"]
    assert "nothing is added to it" in answers[0]["words"][0]
    assert ana.kinds(2) == ["result_typed"]


def test_a_table_with_nothing_but_paper_starts_a_match(app: Flask, ana: Player) -> None:
    type_result(ana)
    assert ana.post("/matches/1/delete", ana.get("/matches/1/delete").form(action="/delete")).status == 303
    assert ana.get("").location == f"/t/{ana.key}/matches/new"
    assert ana.get("/history").status == 200
    assert ana.get("/matches/new").status == 200
    assert Page(ana.client.get("/")).status == 200
    assert Player(app, app.test_client(), ana.key).get("/matches/2").status == 200
