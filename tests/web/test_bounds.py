"""What comes from outside is bounded: it is refused with words, writes nothing, and never breaks a page."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask, url_for

from scorekeeper.limits import FORM_VALUES, LARGEST_ID, PUSHED_ENTRIES, RANKS_LENGTH

from ..helpers.reading import Page
from .conftest import ON_TRUST, Player, open_table, with_fields

pytestmark = pytest.mark.whole

TOO_LARGE = [str(LARGEST_ID + 1), "²"]
"""A number that no column holds, and a digit that is no number."""
STRANGE_DECLARATIONS = [
    "[" * 100_000,
    '{"side": "A", "items": ["7", null]}',
    '{"side": "A", "cards": {"7O": 1}}',
    '{"side": "A", "batch": NaN}',
    '{"side": "\\ud800"}',
]


class TestNumbers:
    @pytest.mark.parametrize("number", TOO_LARGE)
    @pytest.mark.parametrize("path", ["/matches/{}", "/matches/1/deals/{}/close", "/players/{}"])
    def test_a_number_that_no_column_holds_leads_nowhere(self, ana: Player, path: str, number: str) -> None:
        assert ana.get(path.format(number)).status in (404, 414)

    @pytest.mark.parametrize("number", TOO_LARGE)
    @pytest.mark.parametrize("path", ["/history?before=", "/matches/1/deals/1/meanwhile?seq=", "/live?match="])
    def test_one_in_the_question_of_an_address_is_a_400_or_too_long(self, ana: Player, path: str, number: str) -> None:
        assert ana.get(path + number).status in (400, 414)

    @pytest.mark.parametrize("number", TOO_LARGE)
    def test_one_in_a_form_is_refused_and_nothing_typed_is_lost(self, ana: Player, number: str) -> None:
        form = with_fields(ana.closing(), {**ON_TRUST, "seq": number, "step": "save"})
        page = ana.post(ana.deal() + "/close", form)
        assert page.status == 422
        assert page.form("closing")["award-prime"] == "B"
        assert ana.kinds() == ["match_started"]

    @pytest.mark.parametrize("minutes", ["9" * 3000, "²"])
    def test_a_strange_clock_of_the_phone_counts_for_nothing(self, ana: Player, minutes: str) -> None:
        ana.client.set_cookie("minutes", minutes.encode().decode("latin-1"))
        assert ana.get("/matches/1").status == 200

    def test_the_batch_of_a_declaration(self, ana: Player) -> None:
        form = ana.closing(new_side="A", new_card=["1B", "2B", "3B"], new_batch="9" * 3000)
        assert ana.post(ana.deal() + "/close", with_fields(form, {"step": "add"})).status == 200


class TestTexts:
    @pytest.mark.parametrize("path", ["/t/%00", "/static/%00", "/rules/%00"])
    def test_no_address_holds_a_nul(self, ana: Player, path: str) -> None:
        assert ana.client.get(path).status_code == 404

    @pytest.mark.parametrize("path", ["/matches/new?rules=%00", "/live?v=a%00"])
    def test_nor_does_its_question(self, ana: Player, path: str) -> None:
        assert ana.get(path).status == 400

    def test_nor_a_form(self, ana: Player) -> None:
        owner = ana.get("/owner").location
        for path in (f"{owner}/renew/owner", f"{owner}/renew/play"):
            form = {"id": str(uuid4()), "coming": "a\0", "former": "\0"}
            assert ana.client.post(path, data=form).status_code == 400
        assert ana.post(ana.deal() + "/close", with_fields(ana.closing(), {"tab": "\0"})).status == 400
        assert ana.kinds() == ["match_started"]

    def test_an_address_has_an_end(self, ana: Player) -> None:
        page = ana.get("/history?" + "a=1&" * 2000)
        assert page.status == 414
        assert "Send less" in page.words

    @pytest.mark.parametrize("text", STRANGE_DECLARATIONS)
    def test_a_declaration_that_no_form_carries_is_left_out(self, ana: Player, text: str) -> None:
        page = ana.post(ana.deal() + "/close", with_fields(ana.closing(), {"declaration": [text], "step": "check"}))
        assert page.status in (200, 413)
        if page.status == 200:
            assert "declaration" not in page.form("closing")

    def test_one_that_a_form_carries_is_taken(self, ana: Player) -> None:
        ana.declare("A", "1B", "2B", "3B")
        form = ana.closing(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        assert json.loads(form["declaration"])["cards"] == ["1B", "2B", "3B"]
        assert ana.post(ana.deal() + "/close", with_fields(form, {"step": "save"})).status == 303
        assert ana.entries()[-1].payload["facts"]["declarations"][0]["cards"] == ["1B", "2B", "3B"]

    def test_more_ranks_than_a_hand_has_are_refused_beside_their_field(self, app: Flask) -> None:
        table = open_table(app, game="carioca")
        typed = "z " * RANKS_LENGTH
        form = with_fields(table.closing(), {"left-A": typed, "went_out": "B", "step": "save"})
        page = table.post(table.deal() + "/close", form)
        assert page.status == 422
        assert page.form("closing")["left-A"] == typed
        assert len(page.html) < 100_000


class TestManyOfOneName:
    @pytest.mark.parametrize("field", ["pile-A", "declaration", "new_card"])
    def test_a_closing_with_far_too_many_is_no_larger_a_page(self, ana: Player, field: str) -> None:
        many = ["7O" if field != "declaration" else '{"side": "A"}'] * 3000
        form = with_fields(ana.closing(), {field: many, "new_side": "A", "step": "save"})
        page = ana.post(ana.deal() + "/close", form)
        assert page.status in (413, 422)
        assert len(page.html) < 300_000
        assert ana.kinds() == ["match_started"]

    def test_a_pile_of_every_card_is_not_too_many(self, ana: Player) -> None:
        from scorekeeper.web.match.closing_needs import PACK

        assert len(PACK) <= FORM_VALUES
        form = with_fields(ana.closing(), {"pile-A": list(PACK), "step": "save"})
        assert ana.post(ana.deal() + "/close", form).status == 303


class TestPushed:
    def push(self, phone: Player, *entries: Any) -> tuple[int, list[str]]:
        answer = phone.client.post("/api/v1/entries", json={"table": phone.key, "entries": list(entries)})
        assert answer.json is not None
        return answer.status_code, [one["status"] for one in answer.json.get("answers", ())]

    def entry(self, kind: str, **more: Any) -> dict[str, Any]:
        return {"id": str(uuid4()), "match": 1, "kind": kind, "deal": 1, **more}

    @pytest.mark.parametrize(
        "facts",
        [
            {"sweeps": None, "awards": {"prime": ["A", 5]}},
            {"declarations": [{"side": "A", "as": {"2O": 5}}]},
            {"penalties": [{"item": [], "side": {}}]},
            {"piles": {"A": None}},
            {"awards": {"prime": "A\0"}},
        ],
    )
    def test_facts_of_a_strange_shape_are_refused_and_what_follows_is_written(
        self, ana: Player, facts: dict[str, Any]
    ) -> None:
        closing = self.entry("deal_closed", payload={"facts": facts}, drawn_from=1)
        tap = self.entry("swept", fields={"side": ["A"]})
        assert self.push(ana, closing, tap) == (422, ["refused", "written"])

    def test_what_is_null_was_not_told(self, ana: Player) -> None:
        facts = {"declarations": None, "sweeps": None, "piles": None}
        told = {"awards": {name.removeprefix("award-"): side for name, side in ON_TRUST.items()}, **facts}
        closing = self.entry("deal_closed", payload={"facts": told}, drawn_from=1)
        assert self.push(ana, closing) == (200, ["written"])
        assert ana.totals() == {"A": 6, "B": 2}

    def test_a_fault_of_one_entry_keeps_none_behind_it_back(self, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("scorekeeper.web.deal_entry.notes.declaration_form", lambda *_told: 1 / 0)
        one, tap = self.entry("declared", fields={"side": ["A"]}), self.entry("swept", fields={"side": ["A"]})
        assert self.push(ana, one, tap) == (422, ["refused", "written"])

    @pytest.mark.parametrize("body", [{"table": "a\0"}, {"fields": {"side": ["A\0"]}}])
    def test_no_text_holds_a_nul(self, ana: Player, body: dict[str, Any]) -> None:
        tap = {**self.entry("swept", fields={"side": ["A"]}), **body}
        asked = {"table": body.get("table", ana.key), "entries": [tap]}
        assert ana.client.post("/api/v1/entries", json=asked).status_code in (404, 422)
        assert ana.kinds() == ["match_started"]

    def test_fifty_taps_go_at_once_and_more_are_too_many(self, ana: Player) -> None:
        taps = [self.entry("swept", fields={"side": ["A"]}) for _tap in range(PUSHED_ENTRIES)]
        assert self.push(ana, *taps) == (200, ["written"] * PUSHED_ENTRIES)
        assert self.push(ana, *taps, taps[0])[0] == 400

    def test_what_takes_too_long_waits_for_the_next_request_in_its_order(self, app: Flask) -> None:
        pad = open_table(app, game="free")
        closings = [
            {**self.entry("deal_closed", fields={"points-A": ["1"], "points-B": ["0"]}, drawn_from=deal), "deal": deal}
            for deal in range(1, PUSHED_ENTRIES + 1)
        ]
        told, waiting = [], closings
        while waiting:
            status, became = self.push(pad, *waiting)
            assert status == 200
            assert became == sorted(became, key=["written", "later"].index), "nothing overtakes what waits"
            assert became[0] == "written", "each request brings something"
            told.append(became.count("later"))
            waiting = [one for one, is_now in zip(waiting, became, strict=True) if is_now == "later"]
        assert told[0] > 0
        assert pad.totals() == {"A": PUSHED_ENTRIES, "B": 0}


class TestEveryAnswer:
    @pytest.mark.parametrize("path", ["/", "/api/v1/nothing"])
    def test_says_that_it_is_ours(self, ana: Player, path: str) -> None:
        assert ana.client.get(path).headers["X-Scorekeeper"] == "1"

    def test_also_what_is_empty_or_leads_on(self, ana: Player) -> None:
        version = Page(ana.client.get(f"/t/{ana.key}")).html.partition('data-version="')[2].partition('"')[0]
        unchanged = ana.client.get(f"/t/{ana.key}?v={version}")
        assert unchanged.status_code == 204
        sweep = ana.client.post(f"/t/{ana.key}{ana.deal()}/sweep", data={"id": str(uuid4()), "side": "A"})
        assert sweep.status_code == 303
        for answer in (unchanged, sweep, ana.client.post("/rules"), ana.client.get("/static/nothing.js")):
            assert answer.headers["X-Scorekeeper"] == "1"

    @pytest.mark.parametrize("path", ["nothing.js", "x" * 300, "css/../css/pages.css"])
    def test_a_file_that_is_not_there_is_a_page_as_any_other(self, ana: Player, path: str) -> None:
        answer = ana.client.get(f"/static/{path}")
        assert answer.status_code == 404
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"

    def test_every_file_of_the_pages_is_there(self, app: Flask, ana: Player) -> None:
        from scorekeeper.web.pages.pwa import FILES

        with app.test_request_context():
            addresses = [url_for("static", filename=name) for name in FILES]
        for address in addresses:
            with ana.client.get(address) as answer:
                assert answer.status_code == 200


class TestThePageOfATable:
    @pytest.mark.parametrize("path", ["", "/matches/1/deals/1/close"])
    def test_says_which_it_is_also_after_its_link_was_renewed(self, ana: Player, path: str) -> None:
        before = ana.get(path).html
        told = before.partition('data-table-id="')[2].partition('"')[0]
        assert told.isdigit()
        assert f'data-key="{ana.key}"' in before
        assert ana.client.get(f"/t/{told}").status_code == 404
