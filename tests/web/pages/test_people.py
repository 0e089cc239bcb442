"""The owner's pages of a person, and what other pages show of one who was merged, marked as a guest, or forgotten."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from scorekeeper.store import forgotten, people, plain_writes
from scorekeeper.store.models import now

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, with_fields
from .test_owner import Keeper, keeper

__all__ = ["keeper"]

CLOSED = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def press(keeper: Keeper, path: str, action: str, **fields: object) -> Page:
    """Press the button of a form on a page."""
    return keeper.post(action, with_fields(keeper.get(path).form(action=action), fields))


def another_match(player: Player, *names: str) -> None:
    """Start another match, with these players."""
    form = player.get("/matches/new").form("agree")
    seats = {f"player__{place}": name for place, name in enumerate(names)}
    filled = with_fields(form, {**{name.replace("__", "-"): value for name, value in seats.items()}, "step": "save"})
    page = player.post("/matches/new", filled)
    assert page.status == 303, page.words


def pulled(player: Player, match: int = 1) -> list[dict[str, object]]:
    headers = {"Authorization": f"Bearer {player.key}"}
    answer = player.client.get(f"/api/v1/entries?match={match}", headers=headers)
    found: list[dict[str, object]] = json.loads(answer.text)["entries"]
    return found


class TestAPerson:
    def test_who_is_not_there_is_not_found(self, keeper: Keeper) -> None:
        for path in ("/people/9", "/people/9/same", "/people/9/forget"):
            assert keeper.get(path).status == 404
        for path in ("guest", "same", "separate", "forget", "bring-back"):
            assert keeper.post(f"/people/9/{path}", {"id": str(uuid4()), "into": "1"}).status == 404

    def test_is_nobody_elses_to_change(self, ana: Player, beto: Player) -> None:
        for path in ("guest", "same", "separate", "forget", "bring-back"):
            answer = beto.client.post(f"/o/{beto.key}/people/1/{path}", data={"id": str(uuid4()), "into": "2"})
            assert answer.status_code == 404
        assert ana.kinds() == ["match_started", "phone_held"]


class TestTwoWhoAreOne:
    @pytest.fixture
    def merged(self, ana: Player, keeper: Keeper) -> Keeper:
        """Ana played with Beto, Anita with Leo; Anita is Ana."""
        ana.close(**CLOSED)
        ana.stop()
        another_match(ana, "Anita", "Leo")
        assert press(keeper, "/people/3/same", "/people/3/same", into=1).location.endswith(
            "/people/1?made=merged&other=3"
        )
        return keeper

    def test_have_one_name_on_every_page(self, ana: Player, merged: Keeper) -> None:
        for path in ("", "/matches/2", "/history", "/matches/new", "/share", "/matches/2/journal"):
            assert "Anita" not in ana.get(path).words, path
        assert [row["name"] for row in _players(ana)] == ["Ana", "Leo"]

    def test_are_undone_from_the_notice(self, ana: Player, merged: Keeper) -> None:
        notice = merged.get("/people/1?made=merged&other=3")
        assert "Anita is Ana now" in notice.words
        assert merged.post("/people/3/separate", notice.form(action="/people/3/separate")).status == 303
        assert "Anita" in ana.get("/matches/2").words

    def test_lead_to_one_page(self, ana: Player, merged: Keeper) -> None:
        assert ana.get("/players/3").location == f"/t/{ana.key}/players/1"
        assert merged.get("/people/3").location.endswith("/people/1")
        assert "Has played as" in merged.get("/people/1").words

    def test_who_sat_together_are_refused_with_the_match(self, ana: Player, keeper: Keeper) -> None:
        page = press(keeper, "/people/2/same", "/people/2/same", into=1)
        assert page.status == 409
        assert "both sat in match 1" in page.words
        assert f"/t/{ana.key}/matches/1" in page.html

    def test_of_nobody_are_refused(self, keeper: Keeper) -> None:
        assert keeper.post("/people/1/same", {"id": str(uuid4())}).status == 422
        assert keeper.post("/people/1/same", {"id": str(uuid4()), "into": "1"}).status == 422
        assert keeper.post("/people/1/same", {"id": str(uuid4()), "into": "9"}).status == 404


class TestAGuest:
    def test_is_not_in_the_ranking_unless_asked(self, ana: Player, keeper: Keeper) -> None:
        ana.close(**CLOSED)
        ana.stop(leader=True)
        assert "/players/2" in _ranking(ana.get("/history"))
        assert press(keeper, "/people/2", "/people/2/guest").location.endswith("/people/2?made=guest")
        assert "/players/2" not in _ranking(ana.get("/history"))
        assert "/players/2" in _ranking(ana.get("/history?guests=yes"))

    def test_is_undone_from_the_notice(self, keeper: Keeper) -> None:
        press(keeper, "/people/2", "/people/2/guest")
        notice = keeper.get("/people/2?made=guest")
        assert "Beto is a guest now" in notice.words
        keeper.post("/people/2/guest", notice.form(action="/people/2/guest"))
        assert "Mark as a guest" in keeper.get("/people/2").words


PAGES = (
    "",
    "/history",
    "/history.csv",
    "/matches/1/journal",
    "/matches/1/text",
    "/matches/new",
    "/players/1",
)


class TestAForgottenPerson:
    @pytest.fixture
    def gone(self, ana: Player, keeper: Keeper) -> Keeper:
        keeper.rename("/name", "Los jueves")
        keeper.rename("/players/1", "Maruja")
        ana.close(**CLOSED)
        assert press(keeper, "/people/1/forget", "/people/1/forget").location.endswith("/people/1?made=forgotten")
        return keeper

    @pytest.mark.parametrize("path", PAGES)
    def test_is_named_on_no_page(self, ana: Player, gone: Keeper, path: str) -> None:
        page = ana.get(path)
        assert page.status == 200
        for words in ("Maruja", "Ana is now"):
            assert words not in page.html

    def test_is_not_named_to_the_owner(self, gone: Keeper) -> None:
        for path in ("", "/people/1?made=forgotten"):
            assert "Maruja" not in gone.get(path).html

    def test_is_not_named_to_programs(self, ana: Player, gone: Keeper) -> None:
        assert "Maruja" not in str(pulled(ana))
        renaming = next(entry for entry in pulled(ana) if entry["kind"] == "player_renamed")
        assert renaming["payload"] == {**renaming["payload"], "from": "", "to": ""}  # type: ignore[dict-item]
        assert [row["name"] for row in _players(ana)] == ["", "Beto"]

    def test_does_not_sit_in_the_next_match(self, ana: Player, gone: Keeper) -> None:
        ana.stop()
        form = ana.get("/matches/1/again").form(action="/rematch")
        assert ana.post("/matches/1/rematch", form).location.endswith("/matches/new")
        assert 'value="—"' not in ana.get("/matches/new").html
        another_match(ana, "Maruja", "Beto")
        assert "Maruja" in ana.get().words
        assert "Maruja" not in ana.get("/matches/1").words

    def test_comes_back_from_the_notice(self, ana: Player, gone: Keeper) -> None:
        notice = gone.get("/people/1?made=forgotten")
        assert gone.post("/people/1/bring-back", notice.form(action="/people/1/bring-back")).status == 303
        assert "Maruja" in ana.get().words
        assert "Maruja" in str(pulled(ana))

    def test_is_gone_for_good_after_a_day(self, ana: Player, gone: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in (forgotten, people, plain_writes):
            monkeypatch.setattr(module, "now", lambda: now() + timedelta(hours=24, seconds=1))
        assert "gone for good" in gone.get("/people/1").words
        assert gone.post("/people/1/bring-back", {"id": str(uuid4())}).status == 404
        ana.sweep("A", number=2)
        assert "Maruja" not in str([entry.payload for entry in ana.entries()])
        for path in PAGES:
            assert "Maruja" not in ana.get(path).html

    def test_is_not_renamed_or_merged(self, gone: Keeper) -> None:
        assert gone.rename("/players/1", "X").status == 404
        assert gone.post("/people/2/same", {"id": str(uuid4()), "into": "1"}).status == 404
        assert gone.get("/people/1/forget").status == 404


class TestThePageBefore:
    def test_lists_the_free_text_with_the_name(self, ana: Player, keeper: Keeper) -> None:
        form = ana.get("/matches/1/note").form(action="/note")
        ana.post("/matches/1/note", with_fields(form, {"note": "ANA pays", "stakes": "Anabel's wine"}))
        page = keeper.get("/people/1/forget")
        for told in ("Name of the table", "Note of match 1", "ANA pays", "For 24 hours"):
            assert told in page.words
        assert "Anabel" not in page.words


def _players(player: Player) -> list[dict[str, str]]:
    """Return the players of the match being played, as programs are answered."""
    answer = player.client.get("/api/v1/standing", headers={"Authorization": f"Bearer {player.key}"})
    sides = json.loads(answer.text)["sides"]
    return [{"name": name} for side in sides for name in side["players"]]


def _ranking(page: Page) -> str:
    """Return the ranking of a history."""
    return page.html.partition("ranking")[2].partition("</table>")[0]
