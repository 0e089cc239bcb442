"""A phone without signal: it pushes what it kept, each entry once and in its order, and pulls what others wrote."""

from __future__ import annotations

import threading
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from scorekeeper.store.journal.kinds import KINDS
from scorekeeper.web.deal_entry.entry_classes import ENTRY_CLASSES

from ..conftest import ON_TRUST, Player, join, open_table, with_fields

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
WRITTEN, KNOWN, REFUSED, STALE = "written", "known", "refused", "stale"


def entry(kind: str, deal: int = 1, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "match": 1, "kind": kind, "deal": deal, **more}


def swept(side: str = "A", deal: int = 1) -> dict[str, Any]:
    return entry("swept", deal, fields={"side": [side]})


def typed(form: MultiDict[str, str], **changes: Any) -> dict[str, list[str]]:
    """Return a drawn form as a phone keeps it, with fields filled in."""
    fields = {name: values for name, values in form.lists() if name not in ("id", "seq", "csrf_token")}
    return {**fields, **{name: value if isinstance(value, list) else [value] for name, value in changes.items()}}


def closing(phone: Player, deal: int = 1, drawn_from: int | None = None, **more: Any) -> dict[str, Any]:
    form = phone.closing(deal)
    seq = int(form["seq"]) if drawn_from is None else drawn_from
    fields = {**typed(form), **{name: [value] for name, value in ON_TRUST.items()}, **more.pop("fields", {})}
    return entry("deal_closed", deal, fields=fields, drawn_from=seq, **more)


def push(phone: Player, *entries: Any, **how: Any) -> TestResponse:
    return phone.client.post("/api/v1/entries", json={"table": phone.key, "entries": list(entries)}, **how)


def became(answer: TestResponse) -> list[str]:
    assert answer.json is not None
    return [one["status"] for one in answer.json["answers"]]


def words(answer: TestResponse, number: int = 0) -> str:
    assert answer.json is not None
    return " ".join(answer.json["answers"][number].get("words", []))


@pytest.fixture
def offline(app: Flask, ana: Player) -> Player:
    """A phone that has the table's key and no cookie."""
    return Player(app, app.test_client(use_cookies=False), ana.key)


class TestPush:
    def test_what_was_kept_is_written_in_its_order(self, offline: Player) -> None:
        entries = [swept(side) for side in "ABBA"]
        answer = push(offline, *entries)
        assert (answer.status_code, became(answer)) == (200, [WRITTEN] * 4)
        assert [one.id for one in offline.entries()[1:]] == [one["id"] for one in entries]
        assert [one["seq"] for one in answer.json["answers"]] == [2, 3, 4, 5]  # type: ignore[index]

    def test_sent_again_it_is_known_and_nothing_is_written(self, offline: Player) -> None:
        entries = [swept(), closing(offline)]
        entries[1]["counted"] = [entries[0]["id"]]
        assert became(push(offline, *entries)) == [WRITTEN, WRITTEN]
        again = push(offline, *entries)
        assert (again.status_code, became(again)) == (200, [KNOWN, KNOWN])
        assert offline.kinds() == ["match_started", "swept", "deal_closed"]

    def test_a_tap_that_arrived_though_its_answer_was_lost_is_known(self, ana: Player, offline: Player) -> None:
        one = swept()
        ana.sweep("A", id=one["id"])
        assert became(push(offline, one)) == [KNOWN]
        assert ana.standing().state.current.facts()["sweeps"] == {"A": 1}

    def test_and_the_other_way_round(self, ana: Player, offline: Player) -> None:
        one = {**swept(), "at": "2026-11-20T22:00:00Z"}
        push(offline, one)
        assert ana.sweep("A", id=one["id"]).status == 303
        assert ana.kinds() == ["match_started", "swept"]

    def test_a_refused_entry_does_not_lose_the_others(self, offline: Player) -> None:
        answer = push(offline, swept("A"), swept("Z"), "nonsense", swept("B"))
        assert (answer.status_code, became(answer)) == (422, [WRITTEN, REFUSED, REFUSED, WRITTEN])
        assert offline.standing().state.current.facts()["sweeps"] == {"A": 1, "B": 1}

    def test_an_evening_with_several_deals_adds_up(self, offline: Player) -> None:
        first, second = swept("A"), swept("B", deal=2)
        close_first = closing(offline, fields={"sweeps-A": ["1"]}, counted=[first["id"]])
        answer = push(offline, first, close_first, second)
        assert became(answer) == [WRITTEN] * 3
        assert offline.totals() == {"A": 7, "B": 2}
        assert offline.standing().state.current.facts()["sweeps"] == {"B": 1}

    def test_the_same_id_with_something_else_in_it_is_no_repetition(self, offline: Player) -> None:
        one = swept("A")
        push(offline, one)
        answer = push(offline, {**one, "fields": {"side": ["B"]}}, {**one, "deal": 2})
        assert became(answer) == [REFUSED, REFUSED]
        assert "Enter it again" in words(answer)

    def test_the_same_tap_from_several_phones_at_once_is_one(self, app: Flask, offline: Player) -> None:
        one, found = swept(), []
        phones = [Player(app, app.test_client(), offline.key) for _phone in range(8)]
        threads = [
            threading.Thread(target=lambda phone=phone: found.extend(became(push(phone, one)))) for phone in phones
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [KNOWN] * 7 + [WRITTEN]
        assert offline.kinds() == ["match_started", "swept"]

    def test_it_says_when_it_was_told(self, offline: Player) -> None:
        from scorekeeper.store.models import now

        push(offline, {**swept(), "at": "1970-01-01T00:00:00Z"}, {**swept(), "at": "yesterday"}, {**swept(), "at": 7})
        assert all("at" not in one.payload for one in offline.entries())
        earlier = now().replace(microsecond=0).timestamp() - 3600
        told = now().fromtimestamp(earlier, now().tzinfo)
        push(offline, {**swept(), "at": told.isoformat()})
        assert offline.entries()[-1].happened_at == told

    def test_the_phone_has_a_mark_where_it_has_a_cookie(self, ana: Player, offline: Player) -> None:
        assert "Set-Cookie" not in push(offline, swept()).headers
        assert became(push(ana, swept())) == [WRITTEN]


class TestEveryKind:
    def kept(self, phone: Player, path: str, form: str, kind: str, **typed_in: Any) -> dict[str, Any]:
        return entry(kind, fields=typed(phone.get(phone.deal() + path).form(form), **typed_in))

    def test_a_declaration(self, offline: Player) -> None:
        one = self.kept(offline, "/declare", "declare", "declared", side="A", cards=["1B", "2B", "3B"])
        assert became(push(offline, one, one)) == [WRITTEN, KNOWN]
        assert offline.entries()[-1].payload["cards"] == ["1B", "2B", "3B"]

    @pytest.mark.parametrize(
        ("cards", "said"),
        [
            (["1B", "2B"], "Tap the three cards"),
            (["1B", "1B", "2B"], "twice"),
            (["1O", "3C", "4E"], "Nothing to declare"),
        ],
    )
    def test_a_declaration_is_refused_in_the_words_of_its_page(
        self, offline: Player, cards: list[str], said: str
    ) -> None:
        answer = push(offline, self.kept(offline, "/declare", "declare", "declared", side="A", cards=cards))
        assert (answer.status_code, became(answer)) == (422, [REFUSED])
        assert said in words(answer)
        assert offline.kinds() == ["match_started"]

    def test_a_refusal_is_told_in_the_readers_language(self, offline: Player) -> None:
        one = self.kept(offline, "/declare", "declare", "declared", side="A", cards=["1B", "2B"])
        assert "Tocá las tres cartas" in words(push(offline, one, headers={"Accept-Language": "es-UY"}))

    def test_the_opening(self, offline: Player) -> None:
        one = self.kept(offline, "/layout", "layout", "layout_noted", cards=["2O", "3C", "4E", "6B"])
        assert became(push(offline, one, one)) == [WRITTEN, KNOWN]
        assert offline.standing().state.current.facts() == {"layout": ["2O", "3C", "4E", "6B"]}
        assert became(push(offline, self.kept(offline, "/layout", "layout", "layout_noted", cards=["2O"]))) == [REFUSED]

    def test_an_opening_that_voids_what_was_dealt_has_it_dealt_again(self, app: Flask) -> None:
        table = open_table(app, preset="capagorry")
        one = self.kept(table, "/layout", "layout", "layout_noted", cards=["12O", "2C", "3E", "4B"])
        assert became(push(table, one, one)) == [WRITTEN, KNOWN]
        assert table.kinds() == ["match_started", "dealt_again"]

    @pytest.mark.parametrize(
        ("kind", "payload", "wrong"),
        [
            ("dealt", {"player": 2, "once": True}, {"player": 9}),
            ("dealt_again", {"redeal": "next", "again": 1, "why": "shown"}, {"redeal": "both", "again": 1}),
            ("adjusted", {"side": "A", "points": -2, "reason": "talked"}, {"side": "A", "points": 0, "reason": "x"}),
            ("seated", {"sides": [{"label": "A", "players": [2]}, {"label": "B", "players": [1]}]}, {"sides": [7]}),
            ("substituted", {"player": 3, "other": 1}, {"player": 2, "other": 1}),
            ("match_resumed", {}, None),
            ("match_noted", {"note": "the asado", "stakes": ""}, {"note": "a" * 121, "stakes": ""}),
            ("match_ended", {"leader": True}, None),
        ],
    )
    def test_what_an_evening_brings(
        self, app: Flask, kind: str, payload: dict[str, Any], wrong: dict[str, Any] | None
    ) -> None:
        table = open_table(app, shape="3x1", player__0="Ana", player__1="Beto", player__2="Dora")
        if kind in ("seated", "substituted", "match_resumed"):
            # Dora is known at the table, and sits out the second match.
            form = with_fields(table.get("/matches/new").form("agree"), {"shape": "2x1", "step": "refresh"})
            drawn = table.post("/matches/new", form).form("agree")
            assert table.post("/matches/new", with_fields(drawn, {"step": "save"})).status == 303
        match = 1 if kind == "match_resumed" else 2 if kind in ("seated", "substituted") else 1
        if wrong is not None:
            refused = {**entry(kind, payload=wrong), "match": match}
            assert became(push(table, refused)) == [REFUSED]
        one = {**entry(kind, payload=payload), "match": match}
        assert became(push(table, one, one)) == [WRITTEN, KNOWN]
        assert table.kinds(match)[1:] == [kind]

    def test_who_comes_and_who_leaves(self, app: Flask) -> None:
        table = open_table(app, game="carioca", shape="3x1", player__0="Ana", player__1="Beto", player__2="Cata")
        comes = entry("entered", fields={"newcomer": ["Dora"], "points": ["12"]})
        leaves = entry("left", payload={"side": "B"})
        assert became(push(table, comes, comes, leaves, leaves)) == [WRITTEN, KNOWN, WRITTEN, KNOWN]
        assert [side.label for side in table.standing().state.setup.sides] == ["A", "C", "D"]
        assert "Dora" in table.get().words

    def test_who_it_was(self, app: Flask) -> None:
        names = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata"}
        table = open_table(app, shape="2x2", **names)
        tap = swept()
        named = entry("credited", payload={"entry": tap["id"], "player": 3})
        stranger = entry("credited", payload={"entry": tap["id"], "player": 2})
        assert became(push(table, tap, named, named, stranger)) == [WRITTEN, WRITTEN, KNOWN, REFUSED]

    def test_just_the_points(self, offline: Player) -> None:
        facts = {"points": {"A": 5, "B": 2}, "adjustments": [{"side": "B", "points": -1, "reason": "talked"}]}
        one = entry("deal_closed", payload={"facts": facts}, drawn_from=1)
        assert became(push(offline, one, one)) == [WRITTEN, KNOWN]
        assert offline.totals() == {"A": 5, "B": 1}

    def test_a_penalty(self, app: Flask) -> None:
        table = open_table(app, game="la_escoba")
        one = entry("penalised", fields={"penalty": ["wrong_capture:B"]})
        other = entry("penalised", payload={"item": "wrong_capture", "side": "A"})
        assert became(push(table, one, one, other, {**other, "payload": {"item": "singing", "side": "A"}})) == [
            WRITTEN,
            KNOWN,
            WRITTEN,
            REFUSED,
        ]

    def test_an_undo_happens_once(self, offline: Player) -> None:
        tap = swept()
        undo, twin = (entry("voided", payload={"entry": tap["id"]}) for _turn in range(2))
        assert became(push(offline, tap, undo, undo, twin)) == [WRITTEN, WRITTEN, KNOWN, KNOWN]
        assert offline.kinds() == ["match_started", "swept", "voided"]
        assert became(push(offline, entry("voided", payload={"entry": str(uuid4())}))) == [STALE]

    def test_the_end_of_a_match(self, offline: Player) -> None:
        one = entry("match_ended", payload={})
        assert became(push(offline, one, one)) == [WRITTEN, KNOWN]
        assert offline.standing().is_over
        assert became(push(offline, swept())) == [STALE]

    @pytest.mark.parametrize(
        ("game", "preset", "fields", "totals"),
        [
            ("free", None, {"points-A": ["12"], "points-B": ["-3"]}, {"A": 12, "B": -3}),
            ("brisca", None, {"card_points-A": ["70"], "card_points-B": ["50"]}, {"A": 1, "B": 0}),
        ],
    )
    def test_a_deal_told_by_numbers(
        self, app: Flask, game: str, preset: str | None, fields: dict[str, list[str]], totals: dict[str, int]
    ) -> None:
        table = open_table(app, game=game)
        form = table.closing()
        one = entry("deal_closed", fields={**typed(form), **fields}, drawn_from=int(form["seq"]))
        assert became(push(table, one, one)) == [WRITTEN, KNOWN]
        assert table.totals() == totals
        copy = open_table(app, game=game)
        said = {"facts": table.entries()[-1].payload["facts"]}
        assert became(push(copy, entry("deal_closed", payload=said, drawn_from=1))) == [WRITTEN]
        assert copy.totals() == totals

    def test_a_closing_with_cards_that_were_said_and_laid_out(self, app: Flask, offline: Player) -> None:
        said = {"told-A": ["7O", "2B"], "best-B-C": ["7"], "best-A-C": ["figure"], "best-A-E": ["none"]}
        form = typed(offline.closing(), **{"award-cards": "A", "award-coins": "B", "award-prime": "B"}, **said)
        one = entry("deal_closed", fields=form, drawn_from=1)
        assert became(push(offline, one, one)) == [WRITTEN, KNOWN]
        facts = offline.entries()[-1].payload["facts"]
        assert facts["told"] == {"A": ["7O", "2B"]}
        assert facts["best"] == {"A": {"C": "figure", "E": None}, "B": {"C": 7}}
        pulled = pull(offline, after=1).json["entries"][0]["payload"]  # type: ignore[index]
        copy = open_table(app)
        assert became(push(copy, entry("deal_closed", payload=pulled, drawn_from=1))) == [WRITTEN]
        assert copy.entries()[-1].payload["facts"] == facts

    def test_a_closing_that_waits_with_the_answer_to_a_question(self, offline: Player) -> None:
        one = closing(offline, fields={"award-seven_of_coins": [""], "give": ["B 7O"]})
        assert became(push(offline, one)) == [WRITTEN]
        assert offline.entries()[-1].payload["facts"]["told"] == {"B": ["7O"]}

    def test_what_was_pulled_can_be_pushed_to_another_table(self, app: Flask, offline: Player) -> None:
        push(
            offline,
            swept(),
            self.kept(offline, "/declare", "declare", "declared", side="A", cards=["1B", "2B", "3B"]),
            entry("layout_noted", payload={"layout_result": "15"}),
        )
        push(offline, closing(offline, fields={"sweeps-A": ["1"]}))
        copy = open_table(app)
        pulled = pull(offline).json["entries"][1:]  # type: ignore[index]
        sent = [
            {"id": one["id"], "match": 1, "kind": one["kind"], "payload": one["payload"], "drawn_from": one["seq"] - 1}
            for one in pulled
        ]
        assert became(push(copy, *sent)) == [WRITTEN] * 4
        assert copy.totals() == offline.totals()

    @pytest.mark.parametrize(
        "payload",
        [
            {},
            {"facts": []},
            {"facts": {"awards": 5}},
            {"facts": {"awards": {"cards": "Z"}}},
            {"facts": {"piles": {"A": ["7O"], "B": ["7O"]}}},
            {"facts": {"told": {"A": ["7O"], "B": ["7O"]}}},
            {"facts": {"told": {"A": "7O"}}},
            {"facts": {"best": {"A": {"O": 8}}}},
            {"facts": {"best": {"A": {"X": 7}}}},
            {"facts": {"awards": {"cards": "A"}}},
            {"facts": {"nonsense": 1}},
        ],
    )
    def test_facts_that_cannot_be_close_nothing(self, offline: Player, payload: dict[str, Any]) -> None:
        answer = push(offline, entry("deal_closed", payload=payload, drawn_from=1))
        assert (answer.status_code, became(answer)) == (422, [REFUSED])
        assert words(answer)
        assert offline.kinds() == ["match_started"]


def test_slots_that_waited_for_signal_take_back_what_was_said_of_the_prime(ana: Player, offline: Player) -> None:
    ana.close(**{**TRUST, "award__coins": "A"})
    best = {f"best-A-{suit}": ["7"] for suit in "OCEB"}
    laid = {**best, "award-coins": ["A"], "slots_of": ["sheet"], "step": ["save"]}
    assert became(push(offline, closing(offline, fields=laid))) == [WRITTEN]
    facts = ana.entries()[-1].payload["facts"]
    assert facts["best"] == {"A": dict.fromkeys("OCEB", 7)}
    assert "prime" not in facts["awards"]


class TestWhatOthersWrote:
    def test_a_closing_that_does_not_know_of_it_is_stale_and_says_what_it_was(
        self, ana: Player, offline: Player
    ) -> None:
        kept = closing(offline)
        ana.sweep("B")
        answer = push(offline, kept)
        assert (answer.status_code, became(answer)) == (409, [STALE])
        assert [one["kind"] for one in answer.json["answers"][0]["since"]] == ["swept"]  # type: ignore[index]
        assert ana.kinds() == ["match_started", "swept"]

    def test_another_closing_of_that_deal_is_kept_beside_the_one_that_stands(
        self, ana: Player, offline: Player
    ) -> None:
        kept = closing(offline, fields={"award-prime": ["A"]})
        ana.close(**TRUST)
        assert [became(push(offline, kept)) for _turn in range(2)] == [[WRITTEN], [KNOWN]]
        assert ana.kinds() == ["match_started", "deal_closed", "deal_contested"]
        assert ana.totals() == {"A": 6, "B": 2}

    def test_the_same_closing_of_that_deal_agrees_on_the_phone_of_another_side(self, app: Flask, ana: Player) -> None:
        beto = join(app, ana, 2)
        kept = closing(beto)
        ana.close(**TRUST)
        assert [became(push(beto, kept)) for _turn in range(2)] == [[WRITTEN], [KNOWN]]
        assert ana.kinds()[-2:] == ["deal_closed", "confirmed"]

    def test_the_same_closing_of_that_deal_without_a_cookie_is_known_and_agrees_for_nobody(
        self, ana: Player, offline: Player
    ) -> None:
        kept = closing(offline)
        ana.close(**TRUST)
        assert became(push(offline, kept)) == [KNOWN]
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_a_correction_of_a_deal_agreed_on_meanwhile_becomes_a_proposal(self, ana: Player, offline: Player) -> None:
        ana.close(**TRUST)
        kept = closing(offline, fields={"award-prime": ["A"]})
        for side in "AB":
            form = ana.get(ana.deal()).form(action="/accept")
            ana.post(ana.deal() + "/accept", {**form, "side": side})
        assert [became(push(offline, kept)) for _turn in range(2)] == [[WRITTEN], [KNOWN]]
        assert ana.kinds()[-1] == "proposed"
        assert ana.totals() == {"A": 6, "B": 2}

    def test_a_tap_for_a_deal_closed_meanwhile_is_stale(self, ana: Player, offline: Player) -> None:
        ana.close(**TRUST)
        answer = push(offline, {**swept(), "drawn_from": 1})
        assert became(answer) == [STALE]
        assert "closed meanwhile" in words(answer)
        assert [one["kind"] for one in answer.json["answers"][0]["since"]] == ["deal_closed"]  # type: ignore[index]

    def test_its_own_taps_are_known_to_a_closing_that_counts_them(self, offline: Player) -> None:
        tap = swept()
        kept = closing(offline, fields={"sweeps-A": ["1"]}, counted=[tap["id"]])
        assert became(push(offline, tap, kept)) == [WRITTEN, WRITTEN]
        assert offline.totals() == {"A": 7, "B": 2}

    def test_a_closing_that_left_its_own_tap_out_is_stale(self, offline: Player) -> None:
        kept = closing(offline)
        assert became(push(offline, swept(), kept)) == [WRITTEN, STALE]

    def test_a_closing_that_counts_what_never_arrived_or_counts_it_twice_is_refused(self, offline: Player) -> None:
        kept = closing(offline, fields={"sweeps-A": ["1"]}, counted=[str(uuid4())])
        assert became(push(offline, kept)) == [REFUSED]
        tap = swept()
        push(offline, tap)
        twice = closing(offline, fields={"sweeps-A": ["2"]}, counted=[tap["id"]])
        answer = push(offline, twice)
        assert became(answer) == [REFUSED]
        assert "look at it again" in words(answer)

    def test_a_correction_replaces_the_closing_it_was_drawn_from(self, offline: Player) -> None:
        push(offline, closing(offline))
        kept = closing(offline, fields={"award-prime": ["A"]})
        assert became(push(offline, kept, kept)) == [WRITTEN, KNOWN]
        assert offline.kinds() == ["match_started", "deal_closed", "voided", "deal_closed"]
        assert offline.totals() == {"A": 7, "B": 1}


class TestBadInput:
    @pytest.mark.parametrize(
        "change",
        [
            {"id": "1"},
            {"id": None},
            {"kind": "match_started"},
            {"kind": ["swept"]},
            {"match": 9},
            {"match": True},
            {"match": 10**12},
            {"deal": None},
            {"deal": 7},
            {"deal": "1"},
            {"fields": None},
            {"fields": {"side": "A"}},
            {"fields": {"side": [1]}},
            {"fields": {"side": ["A"], "count": ["24"]}},
            {"payload": {"side": "A"}},
            {"fields": None, "payload": {"side": ["A"], "count": 1.5}},
            {"fields": None, "payload": {"side": {"A": 1}}},
            {"fields": None, "payload": []},
            {"drawn_from": "x"},
            {"counted": [1]},
        ],
    )
    def test_a_damaged_entry_is_refused_and_says_why(self, offline: Player, change: dict[str, Any]) -> None:
        answer = push(offline, {**swept(), **change}, swept("B"))
        assert (answer.status_code, became(answer)) == (422, [REFUSED, WRITTEN])
        assert words(answer)

    def test_a_closing_says_what_it_was_drawn_from(self, offline: Player) -> None:
        assert became(push(offline, {**closing(offline), "drawn_from": None})) == [REFUSED]

    @pytest.mark.parametrize(
        "body",
        [
            "",
            "[]",
            "{",
            '{"table": 1}',
            '{"table": "x"}',
            '{"table": "x", "entries": []}',
            '{"table": "x", "entries": {}}',
        ],
    )
    def test_what_is_no_push_is_a_400(self, offline: Player, body: str) -> None:
        answer = offline.client.post("/api/v1/entries", data=body)
        assert answer.status_code == 400
        assert answer.json is not None
        assert answer.json["problems"]

    def test_more_than_an_evening_at_once_is_too_much(self, offline: Player) -> None:
        assert push(offline, *[swept()] * 51).status_code == 400
        assert offline.kinds() == ["match_started"]


def pull(phone: Player, key: str | None = None, **asked: Any) -> TestResponse:
    headers = {"Authorization": f"Bearer {phone.key if key is None else key}"}
    return phone.client.get("/api/v1/entries", query_string=asked, headers=headers)


class TestPull:
    def test_it_gives_what_was_written_after_a_seq(self, offline: Player) -> None:
        push(offline, swept("A"), swept("B"))
        answer = pull(offline, match=1, after=2).json
        assert answer is not None
        assert (answer["match"], answer["head"], answer["more"]) == (1, 3, False)
        assert [(one["seq"], one["payload"]["side"]) for one in answer["entries"]] == [(3, "B")]

    def test_without_a_match_it_is_the_newest(self, offline: Player) -> None:
        assert [one["kind"] for one in pull(offline).json["entries"]] == ["match_started"]  # type: ignore[index]

    @pytest.mark.parametrize("asked", [{"match": 9}, {"match": "x"}, {"after": "-1"}, {"after": "9" * 40}])
    def test_what_is_not_there_is_a_4xx(self, offline: Player, asked: dict[str, Any]) -> None:
        assert pull(offline, **asked).status_code in (400, 404)


class TestTheKey:
    @pytest.mark.parametrize("key", ["", "x" * 22])
    def test_without_the_key_nothing_is_written_or_read(self, offline: Player, key: str) -> None:
        stranger = Player(offline.app, offline.client, key)
        assert push(stranger, swept()).status_code == 404
        assert pull(stranger).status_code == 401

    def test_a_cookie_alone_opens_nothing(self, ana: Player) -> None:
        assert ana.client.get("/api/v1/entries").status_code == 401

    def test_no_form_token_is_needed_and_none_is_trusted(self, app: Flask, offline: Player) -> None:
        app.config["WTF_CSRF_ENABLED"] = True
        one = entry("declared", payload={"side": "A", "cards": ["1B", "2B", "3B"]})
        assert became(push(offline, swept(), one)) == [WRITTEN, WRITTEN]

    def test_a_watcher_may_not_push(self, app: Flask, offline: Player) -> None:
        from scorekeeper.store import queries

        with app.app_context():
            table = queries.table_by_play_key(offline.key)
            assert table is not None
            watcher = Player(app, offline.client, table.watch_key)
        assert push(watcher, swept()).status_code == 404
        assert offline.kinds() == ["match_started"]


SAMPLES: dict[str, Any] = {"cards": ["1C"], "redeal": "same", "why": "shown", "reason": "x", "entry": str(uuid4())}
WRONG = (None, [[]], {"a": 1}, 1.5, "\N{SUPERSCRIPT TWO}", -1, 10**30)


@pytest.mark.parametrize("kind", ENTRY_CLASSES)
def test_no_payload_leaves_a_trace_whatever_is_missing_or_wrong_in_it(
    offline: Player, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    names = sorted(KINDS[kind].fields - {"v", "at", "by", "deal"})
    whole = {name: SAMPLES.get(name, 1) for name in names} | {"side": "A"}
    damaged: list[dict[str, Any]] = [{}, whole]
    damaged += [{key: value for key, value in whole.items() if key != name} for name in names]
    damaged += [{**whole, name: value} for name in names for value in WRONG]
    for payload in damaged:
        push(offline, entry(kind, payload=payload, drawn_from=1))
    assert not [record for record in caplog.records if record.exc_info], caplog.text


def test_which_dealing_was_void_must_be_said(offline: Player) -> None:
    answer = push(offline, entry("dealt_again", payload={"redeal": "same"}))
    assert (became(answer), words(answer)) == ([REFUSED], "Which dealing of the deal is void, from 1.")


def test_the_same_mistake_of_the_app_leaves_one_trace(
    offline: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_what: object) -> None:
        raise KeyError("swordfish")

    monkeypatch.setattr(ENTRY_CLASSES["swept"], "fields_of", broken)
    for _turn in range(3):
        assert became(push(offline, entry("swept", payload={}), entry("swept", payload={}))) == [REFUSED] * 2
    assert len([record for record in caplog.records if record.exc_info]) == 1


class TestPayload:
    """What a payload holds beside what its kind has."""

    def test_an_unknown_name_is_refused_and_the_others_are_written(self, offline: Player) -> None:
        wrong = entry("swept", payload={"side": "A", "sweeps": 1})
        answer = push(offline, swept(), wrong, entry("swept", payload={"side": "B", "count": 1}))
        assert (answer.status_code, became(answer)) == (422, [WRITTEN, REFUSED, WRITTEN])
        assert offline.kinds() == ["match_started", "swept", "swept"]
        assert answer.json is not None
        (problem,) = answer.json["answers"][1]["problems"]
        assert (problem["code"], problem["where"]) == ("unknown_field", "payload.sweeps")
        assert problem["at"] == "entries[1].payload.sweeps"
        assert problem["facts"] == {"field": "sweeps"}
        assert "count" in words(answer, 1)

    def test_what_every_payload_has_is_known(self, offline: Player) -> None:
        payload = {"v": 1, "at": "2026-05-03T20:00:00+00:00", "by": 1, "deal": 1, "side": "A", "count": 1}
        assert became(push(offline, entry("swept", payload=payload))) == [WRITTEN]

    def test_fields_are_read_as_forms_send_them(self, offline: Player) -> None:
        tap = entry("swept", fields={"side": ["A"], "csrf_token": ["x"], "of_an_earlier_page": ["y"]})
        assert became(push(offline, tap)) == [WRITTEN]

    def test_a_wrong_fact_says_its_place_from_the_top(self, offline: Player) -> None:
        facts = {"piles": {"A": ["9O"]}}
        answer = push(offline, swept(), entry("deal_closed", payload={"facts": facts}, drawn_from=1))
        assert answer.json is not None
        (problem,) = answer.json["answers"][1]["problems"]
        assert problem["at"] == "entries[1].payload.facts.piles.A[0]"
        assert problem["where"] == "piles.A[0]"

    def test_a_malformed_entry_says_its_place_from_the_top(self, offline: Player) -> None:
        answer = push(offline, swept(), {**swept(), "match": "one"})
        assert answer.json is not None
        assert answer.json["answers"][1]["problems"][0]["at"] == "entries[1].match"


def test_what_a_later_change_rests_on_is_said_with_that_change(app: Flask) -> None:
    table = open_table(app, game="free")
    entered = entry("entered", fields={"newcomer": ["Dora"], "points": ["3"]})
    left = entry("left", fields={"side": ["A"]})
    assert became(push(table, entered, left)) == [WRITTEN, WRITTEN]
    answer = push(table, entry("voided", fields={"entry": [entered["id"]]}))
    assert became(answer) == [STALE]
    assert words(answer) == "First take this back: Ana leaves before deal 1, and keeps the total."
    assert answer.json is not None
    assert [one["id"] for one in answer.json["answers"][0]["since"]] == [left["id"]]
