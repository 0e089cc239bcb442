"""Every kind of entry has a sentence of its own, and every reason of a line is told in words or by its numbers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, get_args

import pytest
from flask import Flask

from scorekeeper.rules.contract import Reason
from scorekeeper.store.journal.kinds import KINDS, OF_A_DEAL
from scorekeeper.store.queries import Names
from scorekeeper.web.match.entry_words import entry_words
from scorekeeper.web.words.lines import SENTENCES
from scorekeeper.web.words.names import games

ID = "0b6f2c1e-6f0e-4c8e-9a53-6ad0a4f1f0aa"
PAYLOADS: dict[str, dict[str, Any]] = {
    "match_started": {"setup": {}},
    "result_typed": {"setup": {}, "date": "2026-05-03", "totals": {"A": 31, "B": 24}, "winners": ["A"]},
    "layout_noted": {"layout": ["7O", "8C", "AE", "2B"]},
    "swept": {"side": "A", "count": 2},
    "declared": {"side": "A", "cards": ["AO", "2O", "3O"]},
    "points_noted": {"side": "A", "points": -1},
    "penalised": {"item": "wrong_capture", "side": "A"},
    "told_apart": {"entry": "one", "beside": "another"},
    "adjusted": {"side": "A", "points": -2, "reason": "played out of turn"},
    "trump_noted": {"trump": "O"},
    "credited": {"entry": ID, "player": 1},
    "dealt": {"player": 2, "once": True},
    "dealt_again": {"redeal": "next", "again": 1, "why": "shown"},
    "deal_closed": {"facts": {}},
    "deal_contested": {"facts": {}, "entry": ID},
    "confirmed": {"entry": ID, "side": "A"},
    "disputed": {"entry": ID, "side": "A", "line": "cards"},
    "proposed": {"entry": ID, "takes": ID},
    "proposal_accepted": {"entry": ID, "side": "B", "asked": ID},
    "proposal_declined": {"entry": ID, "side": "B", "asked": ID},
    "voided": {"entry": ID},
    "seated": {"sides": [{"label": "A", "players": [2]}, {"label": "B", "players": [1]}], "first_dealer": 0},
    "substituted": {"player": 2, "other": 1},
    "entered": {"side": "C", "player": 2, "points": 12},
    "left": {"side": "B"},
    "rules_proposed": {"options": {"target": 31}, "side": "A"},
    "rules_accepted": {"side": "B", "asked": ID},
    "rules_declined": {"side": "B", "asked": ID},
    "rules_changed": {"options": {"target": 31}, "asked": ID},
    "match_resumed": {},
    "match_ended": {},
    "match_noted": {"note": "the asado of March", "stakes": "who washes up"},
    "player_renamed": {"player": 1, "from": "Ana", "to": "Anita"},
    "table_renamed": {"from": "Friday", "to": "Saturday"},
    "phone_held": {"player": 1},
}
"""A payload for each kind, without version and deal."""

BY_NUMBERS = frozenset(
    {
        "most",
        "run",
        "each",
        "counted",
        "last_trick",
        "over_hundred",
        "left_in_hand",
        "steal",
        "given",
    }
)
"""Reasons that need no words: the numbers of the sides, or who scores, say it all."""


def sentence(app: Flask, language: str, kind: str, payload: dict[str, Any]) -> str:
    sides = {"A": "Ana", "B": "Beto"}
    match: Any = SimpleNamespace(
        sides=sides,
        all_sides={**sides, "C": "Cata"},
        players={1: "Ana", 2: "Beto"},
        plain_names=Names({1: "Ana", 2: "Beto"}, {}),
        setup=SimpleNamespace(game="la_escoba", players_per_side=1, options={}),
        standing=SimpleNamespace(state=SimpleNamespace(deal=lambda _number: None)),
        deal=None,
        table_rules=None,
        side_behind=lambda _id: "B",
        worth_of=lambda _declaration: {},
        game=games()["la_escoba"],
        game_title="La escoba",
    )
    match.as_of_entry = match.as_of = lambda _time: match
    with app.test_request_context(headers={"Accept-Language": language}):
        entry: Any = SimpleNamespace(kind=kind, payload=payload, author="A")
        return entry_words(match, entry)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_entry_has_its_sentence(app: Flask, kind: str, language: str) -> None:
    assert kind in PAYLOADS, f"PAYLOADS of this test has no payload of the kind {kind}"
    payload = {"v": 1, **({"deal": 3} if kind in OF_A_DEAL else {}), **PAYLOADS[kind]}
    assert set(payload) <= KINDS[kind].fields
    unknown = sentence(app, language, "unheard_of", payload)
    assert unknown.endswith("unheard_of")
    said = sentence(app, language, kind, payload)
    assert said, f"the entry {kind} is blank: match/entry_words.py says nothing"
    assert said != unknown.replace("unheard_of", kind), f"{kind} has no sentence in match/entry_words.py"


@pytest.mark.parametrize(
    ("note", "stakes", "said"),
    [("the asado", "who pays", "the asado · who pays"), ("", "who pays", "who pays"), ("", "", "–")],
)
def test_a_line_about_a_match_leaves_out_what_nobody_wrote(app: Flask, note: str, stakes: str, said: str) -> None:
    payload = {"v": 1, "note": note, "stakes": stakes}
    assert sentence(app, "en", "match_noted", payload) == f"About the match: {said}"


def test_a_side_that_has_left_keeps_its_name_in_what_it_said(app: Flask) -> None:
    assert sentence(app, "en", "rules_accepted", {"v": 1, "side": "C", "asked": ID}) == "Cata: yes to other rules"


@pytest.mark.parametrize("reason", get_args(Reason))
def test_every_reason_of_a_line_is_told(reason: str) -> None:
    assert (reason in SENTENCES) != (reason in BY_NUMBERS), f"words/lines.py: has {reason} words, or numbers alone?"


def test_no_words_are_for_a_reason_that_no_line_has() -> None:
    assert set(SENTENCES) <= set(get_args(Reason))
