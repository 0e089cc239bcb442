"""Who holds this phone: asked once when it joins, remembered, written into the journal, and changed later."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.limits import PHONES_CARRIED
from scorekeeper.store import commands, queries
from scorekeeper.store.journal.entries import VERSION
from scorekeeper.store.models import now

from ...helpers.reading import Page
from ..conftest import Player, join, open_table, with_fields
from ..deal_entry.test_closing import HTMX, TRUST

QUESTION = "Who holds this phone?"


@pytest.fixture
def joining(app: Flask, ana: Player) -> Player:
    """A phone that was given the play link and has not opened it yet."""
    return Player(app, app.test_client(), ana.key)


def watch_key(table: Player) -> str:
    with table.app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        return found.watch_key


class TestAPhoneThatJoins:
    def test_is_asked_in_place_of_the_board(self, joining: Player) -> None:
        page = joining.get()
        assert QUESTION in page.words
        assert page.buttons("holder") == ["1", "2", "everybody", "watch"]
        assert "Close the deal" not in page.words

    def test_is_asked_until_somebody_answers(self, joining: Player) -> None:
        for path in ("", "/faces", ""):
            assert QUESTION in joining.get(path).words
        assert joining.hold().location == f"/t/{joining.key}"
        for path in ("", "/faces"):
            assert QUESTION not in joining.get(path).words

    def test_may_open_everything_else_without_an_answer(self, ana: Player, joining: Player) -> None:
        for path in ("/matches/1/journal", "/matches/1/deals/1/close", "/share"):
            assert QUESTION not in joining.get(path).words
        assert joining.sweep("A").status == 303
        assert ana.kinds()[-1] == "swept"
        assert QUESTION in joining.get().words

    def test_has_forgotten_the_table_and_joins_again(self, joining: Player) -> None:
        joining.hold(2)
        forget = Page(joining.client.get("/forget"))
        what = forget.buttons("what")[0]
        assert joining.client.post("/forget", data={"what": what}).status_code == 303
        assert QUESTION in joining.get().words

    def test_is_answered_with_the_board_where_an_open_page_asks_what_is_new(self, joining: Player) -> None:
        assert QUESTION in joining.get().words
        answer = Page(joining.client.get(f"/t/{joining.key}?v=1.0", headers=HTMX))
        assert QUESTION not in answer.words
        assert "Close the deal" in answer.words

    def test_comes_back_to_the_look_that_it_was_asked_in(self, joining: Player) -> None:
        form = joining.get("/faces").form(action="look=faces")
        assert joining.post("/phone?look=faces", with_fields(form, {"holder": 2})).location.endswith("/faces")

    def test_is_not_stored_as_the_board_by_the_service_worker(self, joining: Player) -> None:
        path = f"/t/{joining.key}"
        assert joining.client.get(path).headers["X-Scorekeeper"] == "once"
        joining.hold()
        assert joining.client.get(path).headers["X-Scorekeeper"] == "1"


class TestAPhoneThatIsNotAsked:
    def test_has_opened_the_owner_link(self, app: Flask, ana: Player) -> None:
        with app.app_context():
            table = queries.table_by_play_key(ana.key)
            assert table is not None
            owner = table.owner_key
        other = Player(app, app.test_client(), ana.key)
        other.client.get(f"/o/{owner}")
        assert QUESTION not in other.get().words

    def test_has_answered_and_then_opened_many_other_tables(self, joining: Player) -> None:
        joining.hold(2)
        with joining.client.session_transaction() as session:
            session["tables"] = ["x" * 22]
        assert QUESTION not in joining.get().words
        assert "This phone Beto" in joining.get("/table").words


class TestTheAnswer:
    def test_of_a_name_is_on_the_page_of_the_table_and_in_the_journal(self, ana: Player, joining: Player) -> None:
        joining.hold(2)
        assert "This phone Beto" in joining.get("/table").words
        assert "This phone Everybody's" in ana.get("/table").words
        assert ana.entries()[-1].kind == "phone_held"
        assert ana.entries()[-1].payload == {"v": VERSION, "player": 2, "by": 2}
        assert "Beto has a phone" in ana.get("/matches/1/journal").words

    def test_that_somebody_only_watches_says_of_no_phone_that_it_is_everybodys(
        self, ana: Player, joining: Player
    ) -> None:
        joining.hold("watch")
        assert ana.kinds() == ["match_started"]
        joining.hold(2)
        joining.hold("watch")
        assert ana.standing().state.phones == {}
        assert ana.standing().state.table_phone is None

    def test_does_not_outdate_a_form_that_is_open(self, ana: Player, joining: Player) -> None:
        form = ana.closing(**TRUST)
        joining.hold(2)
        ana.hold(1)
        assert ana.post(ana.deal() + "/close", with_fields(form, {"step": "save"})).status == 303
        assert ana.kinds()[-1] == "deal_closed"

    def test_of_somebody_who_just_watches_leads_to_the_watch_link_from_now_on(
        self, ana: Player, joining: Player
    ) -> None:
        joining.hold(2)
        watch = f"/w/{watch_key(ana)}"
        assert joining.hold("watch").location == watch
        home = Page(joining.client.get("/")).html
        assert f'href="{watch}"' in home
        assert joining.key not in home
        assert ana.standing().state.phones == {}
        assert QUESTION in joining.get().words

    def test_that_nobody_offered_is_refused(self, ana: Player, joining: Player) -> None:
        form = joining.get().form(action="/phone")
        for holder in ("9", "", "Ana", "99999999999"):
            assert joining.post("/phone", with_fields(form, {"holder": holder})).status == 400
        assert joining.post("/phone", {"holder": "1", "id": "x"}).status == 400
        assert ana.kinds() == ["match_started"]

    def test_is_not_for_watchers(self, app: Flask, ana: Player) -> None:
        path = f"/w/{watch_key(ana)}/phone"
        assert app.test_client().get(path).status_code == 403
        assert app.test_client().post(path, data={"holder": "1"}).status_code == 403

    def test_leads_back_to_the_page_that_asked_to_change_it(self, ana: Player) -> None:
        journal = f"/t/{ana.key}/matches/1/journal"
        for back, leads_to in (
            (journal, journal),
            ("https://other.example/", f"/t/{ana.key}"),
            ("//x", f"/t/{ana.key}"),
        ):
            form = Page(ana.client.get(f"/t/{ana.key}/phone", query_string={"back": back})).form(action="/phone")
            assert ana.post("/phone", with_fields(form, {"holder": 1})).location == leads_to


class TestWhatAPhoneWrites:
    def test_says_who_held_it(self, ana: Player, joining: Player) -> None:
        joining.hold(2)
        joining.sweep("A")
        ana.sweep("A")
        assert [entry.payload.get("by") for entry in ana.entries()[2:]] == [2, None]
        assert [entry.author for entry in ana.entries()[2:]] == ["B", None]

    def test_says_so_of_names_and_of_the_next_match_too(self, ana: Player) -> None:
        ana.hold(1)
        owner = ana.get("/owner").location
        page = Page(ana.client.get(owner))
        ana.client.post(f"{owner}/name", data=with_fields(page.form(action="/name"), {"name": "Friday"}))
        assert (ana.entries()[-1].kind, ana.entries()[-1].payload["by"]) == ("table_renamed", 1)
        ana.stop()
        ana.post("/matches/1/rematch", ana.get().form(action="/rematch"))
        assert ana.entries(2)[0].payload["by"] == 1

    def test_in_a_match_that_its_player_sits_out_is_of_no_side(self, app: Flask) -> None:
        table = open_table(app, player__1="Leo")
        other = join(app, table, 2)
        path = f"/t/{table.key}/matches/new"
        form = Page(table.client.get(path)).form("agree")
        table.client.post(path, data=with_fields(form, {"player-1": "Cata", "step": "save"}))
        other.sweep("A", match=2)
        entry = table.entries(2)[-1]
        assert (entry.author, entry.payload["by"]) == (None, 2)
        assert "Leo" in table.get("/matches/2/journal").words


class TestTheNextMatch:
    def rematch(self, ana: Player, number: int = 1) -> None:
        ana.stop(number)
        assert ana.post(f"/matches/{number}/rematch", ana.get().form(action="/rematch")).status == 303

    def test_knows_the_phones_that_wrote_in_the_one_before(self, ana: Player, joining: Player) -> None:
        joining.hold(2)
        self.rematch(ana)
        state = ana.standing(2).state
        assert list(state.phones.values()) == [2]
        assert "This phone Beto" in joining.get("/table").words
        self.rematch(ana, 2)
        assert ana.standing(3).state.phones == {}
        joining.sweep("A", match=3)
        assert list(ana.standing(3).state.phones.values()) == [2]

    @pytest.mark.parametrize(("hours", "held"), [(5.9, [2]), (6.1, [])])
    def test_forgets_those_of_another_evening(
        self, ana: Player, joining: Player, monkeypatch: pytest.MonkeyPatch, hours: float, held: list[int]
    ) -> None:
        joining.hold(2)
        monkeypatch.setattr(commands, "now", lambda: now() + timedelta(hours=hours))
        self.rematch(ana)
        assert list(ana.standing(2).state.phones.values()) == held

    def test_tells_nobody_the_marks_of_the_phones(self, ana: Player, joining: Player) -> None:
        joining.hold(2)
        self.rematch(ana)
        pulled = ana.client.get("/api/v1/entries?match=2", headers={"Authorization": f"Bearer {ana.key}"})
        assert ana.entries()[-1].kind
        [mark] = ana.standing(2).state.phones
        assert pulled.status_code == 200
        assert mark not in pulled.text

    def test_takes_over_only_so_many(self, app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(commands, "PHONES_CARRIED", 2)
        assert PHONES_CARRIED > 2
        others = [join(app, ana, holder) for holder in (1, 2, 1)]
        others[0].sweep("A")
        self.rematch(ana)
        assert list(ana.standing(2).state.phones.values()) == [1, 1]
