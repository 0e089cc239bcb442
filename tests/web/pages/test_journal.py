"""Who noted what: every act of a match in one sentence, by the names of those who held the phones."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.web.pages import journal

from ...helpers.reading import Page
from ..conftest import Player, join, open_table, with_fields
from ..deal_entry.test_closing import TRUST

OTHERWISE = {**TRUST, "award__prime": "A"}
"""Ana 7, Beto 1."""
PAIRS = {"game": "chorizo", "shape": "2x2", "player__2": "Leo", "player__3": "Cata"}
"""Ana and Leo against Beto and Cata."""
ANA, BETO, LEO, CATA = 1, 2, 3, 4


def both(ana: Player, beto: Player) -> None:
    """Both draw the form, Ana saves first, and Beto another version of the deal."""
    form = with_fields(beto.closing(**OTHERWISE), {"step": "save"})
    assert ana.close(**TRUST).status == 303
    assert beto.post(beto.deal() + "/close", form).status == 303


def told(table: Player, match: int = 1) -> list[str]:
    """Return what the journal says, newest first: of each line who wrote it, and the sentence."""
    html = table.get(f"/matches/{match}/journal").html
    lines = ["<li" + line for line in html.split("</ol>")[0].split("<li value=")[1:]]
    return [re.sub(r"^[\d-]{10} ?, \d\d:\d\d ?(· )?", "", " ".join(_words(line).split())) for line in lines]


def _words(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<details.*</details>", "", html, flags=re.DOTALL)))


class TestTheJournal:
    def test_tells_every_entry_newest_first(self, ana: Player, beto: Player) -> None:
        ana.sweep("A")
        beto.declare("B", "1B", "2B", "3B")
        ana.close(**TRUST)
        words = ana.get("/matches/1/journal").words
        expected = ["Deal 1 was closed (said) 0–0 → 7–10", "Beto: flush", "Sweep of Ana", "The match began: Chorizo"]
        assert [words.index(one) for one in expected] == sorted(words.index(one) for one in expected)
        assert "the table's phone" in words
        assert "this phone" in words
        assert ana.key in ana.get().html
        assert "/matches/1/journal" in ana.get("/table").html

    def test_shows_names_as_text_and_so_does_the_sheet(self, app: Flask) -> None:
        hostile = "<b>Ana</b> & %(name)s"
        table = open_table(app, player__0=hostile, player__1='"Beto"<i>')
        table.sweep("A")
        table.declare("B", "1B", "2B", "3B")
        table.close(**OTHERWISE)
        for page in (table.get("/matches/1/journal"), table.get(table.deal())):
            assert hostile in page.words
            assert "<b>Ana" not in page.html
            assert "<i>" not in page.html
        assert f"Sweep of {hostile}" in table.get("/matches/1/journal").words
        assert f"Prime: {hostile}" in table.get(table.deal()).words

    def test_comes_in_pages(self, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(journal, "PAGE", 3)
        for _turn in range(4):
            ana.sweep("A")
        first = ana.get("/matches/1/journal")
        assert first.html.count("journal-when") == 3
        before = re.search(r"before=(\d+)", first.html)
        assert before
        second = ana.get(f"/matches/1/journal?before={before[1]}")
        assert second.html.count("journal-when") == 2
        assert "The match began" in second.words
        assert "Earlier entries" not in second.words

    def test_those_who_watch_may_read_it_and_change_nothing(self, ana: Player, beto: Player) -> None:
        both(ana, beto)
        with ana.app.app_context():
            table = queries.table_by_key("play", ana.key)
            assert table is not None
            watch = f"/w/{table.watch_key}/matches/1"
        for path in ("/journal", "/deals/1", "/deals/1/versions"):
            page = Page(ana.app.test_client().get(watch + path))
            assert page.status == 200
            assert ana.key not in page.html
            assert 'method="post" action="/w' not in page.html
            assert not page.buttons("take")
            assert not page.buttons("side")
            assert "/phone" not in page.html
        assert ana.app.test_client().post(f"{watch}/deals/1/versions", data={"take": "x"}).status_code == 403

    def test_is_not_for_strangers(self, ana: Player, stranger: Player) -> None:
        assert stranger.get("/matches/1/journal").status == 404
        assert ana.get("/matches/9/journal").status == 404


class TestNames:
    def test_are_those_of_the_players_who_held_the_phones(self, app: Flask) -> None:
        ana = open_table(app, **PAIRS)
        beto = join(app, ana, BETO)
        ana.hold(LEO)
        beto.sweep("A")
        ana.sweep("A")
        assert told(ana)[:2] == ["Leo · this phone Sweep of Ana and Leo", "Beto Sweep of Ana and Leo"]
        assert told(beto)[:2] == ["Leo Sweep of Ana and Leo", "Beto · this phone Sweep of Ana and Leo"]

    def test_of_phones_of_nobody_are_numbers_where_there_are_several(self, app: Flask, ana: Player) -> None:
        in_the_middle, *others = [join(app, ana) for _phone in range(3)]
        others[0].sweep("A")
        in_the_middle.sweep("A")
        assert [line.split(" Sweep")[0] for line in told(ana)[:2]] == ["the table's phone", "phone 3"]
        others[1].sweep("A")
        assert told(ana)[0].startswith("phone 4")
        named = join(app, ana, BETO)
        named.sweep("A")
        assert [line.split(" Sweep")[0] for line in told(ana)[:3:2]] == ["Beto", "phone 4"]


class TestOneActIsOneSentence:
    def test_of_what_was_undone(self, ana: Player, beto: Player) -> None:
        ana.sweep("A")
        entry = ana.entries()[-1].id
        beto.post(f"/matches/1/undo/{entry}", beto.get().form(action=f"/undo/{entry}"))
        page = ana.get("/matches/1/journal")
        assert "<s>Sweep of Ana</s>" in page.html
        assert re.search(r"Undone: [\d:]+ · the table's phone", page.words)
        assert told(ana)[0] == "the table's phone Undone: Sweep of Ana"

    def test_of_a_correction_with_what_it_did_to_the_totals(self, ana: Player) -> None:
        ana.close(**TRUST)
        ana.close(2, **TRUST)
        ana.close(1, award__prime="A")
        first, *others = told(ana)
        assert first == "this phone Deal 1 corrected (said) 12–4 → 13–3"
        assert len(others) == 3
        assert re.search(r"Corrected: \d\d:\d\d · this phone$", others[1])

    def test_of_a_version_that_the_table_took_and_the_others_stay_to_be_read(self, ana: Player, beto: Player) -> None:
        ana.hold(ANA)
        beto.hold(BETO)
        both(ana, beto)
        page = ana.get(ana.deal() + "/versions")
        choice = with_fields(page.form("choose"), {"take": page.buttons("take")[1]})
        assert ana.post(ana.deal() + "/versions", choice).status == 303
        assert ana.totals() == {"A": 7, "B": 1}
        lines = told(beto)
        assert lines[0] == "Ana Deal 1: Ana took the version of Beto 6–2 → 7–1"
        assert [line for line in lines if "Undone" in line] == []
        words = ana.get("/matches/1/journal").words
        assert "Another version of deal 1 (said) What it said" in words
        assert re.search(r"Taken: \d\d:\d\d · Ana$", lines[1])
        assert re.search(r"Another version was taken: \d\d:\d\d · Ana$", lines[2])
        assert ana.get("/matches/1/journal").html.count("<s>") == 1
