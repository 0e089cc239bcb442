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

from ..conftest import ON_TRUST, Player

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

    def test_a_refused_entry_does_not_lose_the_others(self, offline: Player) -> None:
        answer = push(offline, swept("A"), swept("Z"), "nonsense", swept("B"))
        assert (answer.status_code, became(answer)) == (422, [WRITTEN, REFUSED, REFUSED, WRITTEN])
        assert offline.standing().state.current.facts()["sweeps"] == {"A": 1, "B": 1}

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

    def test_what_was_kept_is_written_in_its_order(self, offline: Player) -> None:
        entries = [swept(side) for side in "ABBA"]
        answer = push(offline, *entries)
        assert (answer.status_code, became(answer)) == (200, [WRITTEN] * 4)
        assert [one.id for one in offline.entries()[1:]] == [one["id"] for one in entries]
        assert [one["seq"] for one in answer.json["answers"]] == [2, 3, 4, 5]  # type: ignore[index]


class TestEveryKind:
    def kept(self, phone: Player, path: str, form: str, kind: str, **typed_in: Any) -> dict[str, Any]:
        return entry(kind, fields=typed(phone.get(phone.deal() + path).form(form), **typed_in))

    @pytest.mark.parametrize(
        ("cards", "said"),
        [
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

    def test_an_undo_happens_once(self, offline: Player) -> None:
        tap = swept()
        undo, twin = (entry("voided", payload={"entry": tap["id"]}) for _turn in range(2))
        assert became(push(offline, tap, undo, undo, twin)) == [WRITTEN, WRITTEN, KNOWN, KNOWN]
        assert offline.kinds() == ["match_started", "swept", "voided"]
        assert became(push(offline, entry("voided", payload={"entry": str(uuid4())}))) == [STALE]

    @pytest.mark.parametrize(
        "payload",
        [
            {},
            {"facts": {"awards": 5}},
            {"facts": {"piles": {"A": ["7O"], "B": ["7O"]}}},
            {"facts": {"awards": {"cards": "A"}}},
            {"facts": {"nonsense": 1}},
        ],
    )
    def test_facts_that_cannot_be_close_nothing(self, offline: Player, payload: dict[str, Any]) -> None:
        answer = push(offline, entry("deal_closed", payload=payload, drawn_from=1))
        assert (answer.status_code, became(answer)) == (422, [REFUSED])
        assert words(answer)
        assert offline.kinds() == ["match_started"]


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

    def test_a_closing_that_counts_what_never_arrived_or_counts_it_twice_is_refused(self, offline: Player) -> None:
        kept = closing(offline, fields={"sweeps-A": ["1"]}, counted=[str(uuid4())])
        assert became(push(offline, kept)) == [REFUSED]
        tap = swept()
        push(offline, tap)
        twice = closing(offline, fields={"sweeps-A": ["2"]}, counted=[tap["id"]])
        answer = push(offline, twice)
        assert became(answer) == [REFUSED]
        assert "look at it again" in words(answer)


class TestBadInput:
    @pytest.mark.parametrize(
        "change",
        [
            {"id": "1"},
            {"kind": "match_started"},
            {"match": True},
            {"deal": 7},
            {"fields": None},
            {"fields": {"side": "A"}},
            {"payload": {"side": "A"}},
            {"fields": None, "payload": {"side": ["A"], "count": 1.5}},
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
            "{",
            '{"table": "x"}',
            '{"table": "x", "entries": {}}',
        ],
    )
    def test_what_is_no_push_is_a_400(self, offline: Player, body: str) -> None:
        answer = offline.client.post("/api/v1/entries", data=body)
        assert answer.status_code == 400
        assert answer.json is not None
        assert answer.json["problems"]


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

    @pytest.mark.parametrize("asked", [{"match": 9}, {"after": "9" * 40}])
    def test_what_is_not_there_is_a_4xx(self, offline: Player, asked: dict[str, Any]) -> None:
        assert pull(offline, **asked).status_code in (400, 404)


class TestTheKey:
    @pytest.mark.parametrize("key", ["", "x" * 22])
    def test_without_the_key_nothing_is_written_or_read(self, offline: Player, key: str) -> None:
        stranger = Player(offline.app, offline.client, key)
        assert push(stranger, swept()).status_code == 404
        assert pull(stranger).status_code == 401

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

    def test_a_cookie_alone_opens_nothing(self, ana: Player) -> None:
        assert ana.client.get("/api/v1/entries").status_code == 401


SAMPLES: dict[str, Any] = {"cards": ["1C"], "redeal": "same", "why": "shown", "reason": "x", "entry": str(uuid4())}
WRONG = (None, [[]], {"a": 1}, 1.5, "\N{SUPERSCRIPT TWO}", -1, 10**30)


@pytest.mark.parametrize("kind", ["declared", "seated", "deal_closed"])
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

    def test_a_wrong_fact_says_its_place_from_the_top(self, offline: Player) -> None:
        facts = {"piles": {"A": ["9O"]}}
        answer = push(offline, swept(), entry("deal_closed", payload={"facts": facts}, drawn_from=1))
        assert answer.json is not None
        (problem,) = answer.json["answers"][1]["problems"]
        assert problem["at"] == "entries[1].payload.facts.piles.A[0]"
        assert problem["where"] == "piles.A[0]"
