"""Every kind of entry has a class that writes it, and the phone's queue knows the same kinds."""

from __future__ import annotations

import re

from flask import Flask

from scorekeeper.config import ROOT
from scorekeeper.store.journal.kinds import KINDS, NOTED, OF_A_DEAL, STATEMENTS, VOIDED
from scorekeeper.web.deal_entry.closing_statements import STATEMENT_CLASSES
from scorekeeper.web.deal_entry.entry_classes import ENTRY_CLASSES
from scorekeeper.web.deal_entry.notes import NoteEntry, ToldApartEntry
from scorekeeper.web.deal_entry.rules_proposals import RulesAnswerEntry, RulesProposalEntry, RulesRefusalEntry

OF_THE_STORE = {
    "match_started",
    "result_typed",
    "rules_changed",
    "deal_contested",
    "player_renamed",
    "table_renamed",
    "phone_held",
}
"""Kinds without a form of a match: written when one starts, for a result from paper, beside another closing, by the
owner's page, and by a phone that says who holds it."""
OF_RULES = {entry.kind for entry in (RulesProposalEntry, RulesAnswerEntry, RulesRefusalEntry)}
WITH_SIGNAL = {ToldApartEntry.kind: ToldApartEntry}
"""Those that answer a question of the server, and never wait on a phone."""
QUEUE = "\n".join(path.read_text() for path in sorted((ROOT / "static" / "js" / "waiting").glob("*.js")))
"""The scripts that keep entries on the phone until they are sent."""


def test_every_kind_is_written_by_one_class() -> None:
    rooms = (ENTRY_CLASSES, WITH_SIGNAL, STATEMENT_CLASSES, OF_RULES, OF_THE_STORE)
    assert sorted(kind for room in rooms for kind in room) == sorted(KINDS)


def test_notes_and_statements_are_told_apart() -> None:
    classes = {**ENTRY_CLASSES, **WITH_SIGNAL}
    assert {kind for kind, entry in classes.items() if issubclass(entry, NoteEntry)} == NOTED
    assert set(STATEMENT_CLASSES) == STATEMENTS


def in_queue(pattern: str) -> str:
    found = re.search(pattern, QUEUE, re.DOTALL)
    assert found is not None, f"static/js/waiting has no {pattern}"
    return found[1]


def pages_of_queue() -> dict[str, str]:
    """Return the kinds that the queue makes of a form, by the end of the form's address."""
    return dict(re.findall(r'(\w+): "(\w+)"', in_queue(r"const KINDS = \{(.*?)\};")))


def kinds_in(function: str) -> set[str]:
    """Return the kinds of entries that a function of the queue compares with."""
    body = in_queue(rf"function {function}\((.*?)\n  \}}")
    compared = re.findall(r'kind === ("\w+")|(\[[^\]]*\])\.includes\(entry\.kind\)', body)
    return {kind for pair in compared for text in pair for kind in re.findall(r'"(\w+)"', text)}


def test_the_queue_keeps_what_the_api_takes() -> None:
    assert {*pages_of_queue().values(), VOIDED} == set(ENTRY_CLASSES)


def test_the_queue_knows_the_address_of_each_form(app: Flask) -> None:
    known = set(re.findall(r"\w+", in_queue(r"const ADDRESS = /(.*?)/;\n")))
    routes = app.url_map.bind("localhost")
    addresses = {
        end: f"/t/key/matches/1/deals/1/{end}" if kind in OF_A_DEAL else f"/t/key/matches/1/{end}"
        for end, kind in pages_of_queue().items()
    }
    assert addresses.keys() <= known
    assert [path for path in addresses.values() if not routes.test(path, method="POST")] == []


def test_the_queue_counts_every_note_in_a_closing_that_waits_behind_it() -> None:
    # What was dealt again is not the deal that the closing is about: whoever closes it is shown both.
    # And that two notes are two changes nothing in it.
    assert kinds_in("countOne") == NOTED - {"dealt_again", "told_apart"}


def test_the_queue_names_only_kinds_that_can_wait() -> None:
    assert kinds_in("nameOf") <= set(ENTRY_CLASSES)
