"""What the documents say of the app and its tests is so: tables that benches write, lists of files, names of tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import document
from scorekeeper import config, events, limits
from scorekeeper.assets import BUNDLES
from scorekeeper.cli.main import build_parser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SCALE = (DOCS / "scale.md").read_text(encoding="utf-8")
TABLES = ("aims", "pages", "load", "growth", "history", "find", "writes", "live")


class TestScale:
    def test_every_table_stands_between_its_marks_under_where_it_is_from(self) -> None:
        marked = dict(document.MARKED.findall(SCALE))
        assert set(marked) >= set(TABLES)
        assert all(rows for rows in document.tables_of(SCALE).values())
        assert all(content.startswith("Measured ") for name, content in marked.items() if name != "aims")

    def test_an_aim_is_called_met_where_the_figures_of_the_tables_meet_it(self) -> None:
        assert document.with_aims(SCALE) == SCALE, "run: make bench-docs, or document.with_aims"

    @pytest.mark.parametrize(
        ("table", "column", "begins", "good", "bad"),
        [
            ("pages", "times the floor", {"page": "its 40 sheets"}, "1.30", "1.31"),
            ("pages", "times the floor", {"page": "the match being played"}, "1.30", "1.31"),
            ("load", "requests a second", {}, "800", "799"),
            ("writes", "app of stack", {}, "80%", "79%"),
            ("history", "median, ms", {}, "49.9", "50.0"),
            ("growth", "times the smallest", {"entries": "1,000,000"}, "1.30", "1.31"),
            ("find", "PostgreSQL, 5,000, times that", {}, "1.30", "1.31"),
            ("live", "p95 ms", {"phones": "1,000"}, "150", "151"),
        ],
    )
    def test_no_aim_is_met_by_a_figure_that_misses_it(
        self, table: str, column: str, begins: dict[str, str], good: str, bad: str
    ) -> None:
        told = {}
        for figure in (good, bad):
            tables = document.tables_of(SCALE)
            for row in tables[table]:
                if all(row[key].startswith(value) for key, value in begins.items()):
                    row[column] = figure
            told[figure] = [aim.met(tables) for aim in document.ALL]
        changed = [(was, now) for was, now in zip(told[good], told[bad], strict=True) if was != now]
        assert changed == [("yes", "no")]

    def test_a_bench_that_leaves_out_what_an_aim_asks_for_writes_nothing(self) -> None:
        text = document.replaced(
            SCALE, "live", "Measured never.\n\n" + document.drawn(["database", "phones", "p95 ms"], [])
        )
        with pytest.raises(ValueError, match="live has no row"):
            document.with_aims(text)

    def test_a_table_is_written_between_its_marks_and_nowhere_else(self) -> None:
        text = document.replaced(SCALE, "load", "Measured now.\n\n" + document.drawn(["page"], [["a"], ["b"]]))
        assert document.tables_of(text)["load"] == [{"page": "a"}, {"page": "b"}]
        assert document.replaced(text, "load", dict(document.MARKED.findall(SCALE))["load"]) == SCALE
        with pytest.raises(ValueError, match="0 places"):
            document.replaced(SCALE, "lode", "")

    def test_how_many_streams_there_are_unless_told_otherwise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SCOREKEEPER_LIVE_STREAMS", raising=False)
        serve = build_parser().parse_args(["serve"])
        each = config.load()["LIVE_STREAMS"]
        assert (each, serve.workers * each) == (4_000, 8_000)
        assert "a process holds 4,000 streams: two workers\nkeep 8,000 pages told at once" in SCALE


class TestArchitecture:
    TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")
    SCRIPTS = TEXT[TEXT.index("## The scripts") : TEXT.index("## The offline queue")]

    def test_every_script_is_in_the_list(self) -> None:
        folder = ROOT / "static" / "js"
        alone = [path.name for path in folder.glob("*.js")]
        bundles = [Path(name).name for name in BUNDLES if name.endswith(".js") and name not in EARLIER]
        assert [name for name in (*alone, *bundles) if name not in self.SCRIPTS] == []
        assert {f"{path.name}/" for path in folder.iterdir() if path.is_dir()} <= set(re.findall(r"\w+/", self.SCRIPTS))
        queue = self.SCRIPTS.partition("waiting/")[2].partition("→")[0]
        assert set(re.findall(r"\w+", queue.partition(":")[2])) == {path.stem for path in folder.glob("waiting/*.js")}

    def test_every_script_of_the_list_is_there(self) -> None:
        there = {path.name for path in (ROOT / "static" / "js").rglob("*.js")} | {Path(name).name for name in BUNDLES}
        assert set(re.findall(r"\b\w+\.js\b", self.SCRIPTS)) <= there


class TestOperations:
    """docs/operations.md names every setting that config.py reads, and none besides."""

    TEXT = (DOCS / "operations.md").read_text(encoding="utf-8")
    READ = (ROOT / "scorekeeper" / "config.py").read_text(encoding="utf-8")

    def test_every_setting_is_in_a_table_of_the_page_and_no_other(self) -> None:
        rows = set(re.findall(r"^\| `([A-Z][A-Z0-9_]+)(?:=\w+)?`", self.TEXT, re.MULTILINE))
        named = set(re.findall(r'"(SCOREKEEPER_[A-Z0-9_]+)"', self.READ))
        named |= set(re.findall(r'environ\.get\("([A-Z][A-Z_]+)"', self.READ)) - {"XDG_DATA_HOME"}
        assert rows == named | {f"SCOREKEEPER_{name}" for name in config.brakes()}

    def test_every_event_of_the_log_is_in_its_table_and_no_other(self) -> None:
        sources = [path.read_text(encoding="utf-8") for path in (ROOT / "scorekeeper").rglob("*.py")]
        noted = {kind for text in sources for kind in re.findall(r'\bnote[(,] ?"(\w+)"', text)}
        assert set(re.findall(r"^\| `(\w+) \w+=", self.TEXT, re.MULTILINE)) == noted
        assert set(re.findall(r"``(\w+)``", str(events.__doc__))) == noted

    def test_the_bounds_of_a_setting_are_those_of_the_code(self) -> None:
        fewest, most = limits.EXPIRE_MONTHS
        assert f"{fewest} to {most:,}" in self.TEXT


EARLIER = ("js/table.js", "js/referee.js")
"""Names that only pages of an earlier version ask for."""


class TestNames:
    @pytest.mark.parametrize(
        "path", [*sorted(DOCS.glob("*.md")), *sorted(ROOT.glob("*.md"))], ids=lambda path: path.name
    )
    def test_a_file_that_a_document_names_is_there(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        named = set(re.findall(r"`((?:scorekeeper|tests|bench|static|templates|typings|docs)/[\w./]+\.\w+)`", text))
        assert [name for name in sorted(named) if "NAME" not in name and not (ROOT / name).is_file()] == []

    def test_a_test_that_is_named_anywhere_is_there(self) -> None:
        files = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
        texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
        defined = {name for text in texts.values() for name in re.findall(r"def (test_\w+)", text)}
        for path in (*DOCS.glob("*.md"), *ROOT.glob("*.md")):
            texts[path] = path.read_text(encoding="utf-8")
            named = set(re.findall(r"`(test_\w+)`", texts[path]))
            assert named <= defined | {file.removesuffix(".py") for file in files}, path.name
        wrong = [(path.name, name) for path, text in texts.items() for name in FILE.findall(text) if name not in files]
        assert wrong == []


FILE = re.compile(r"\btest_\w+\.py\b")


def test_the_taps_of_a_closing_are_those_that_are_counted() -> None:
    text = (DOCS / "accessibility.md").read_text(encoding="utf-8")
    counted = re.findall(
        r"== \((\d), (\d)\)", (ROOT / "tests" / "browser" / "test_taps.py").read_text(encoding="utf-8")
    )
    said = re.search(r"takes (\d) taps from the board .*?, (\d) where .*?, (\d) with", text)
    assert said is not None
    assert {from_board for from_board, _on_page in counted} == set(said.groups())
    assert all(int(from_board) - int(on_page) == 1 for from_board, on_page in counted), "one fewer on the page itself"
