"""What the documents say of the app and its tests is so: tables that benches write, lists of files, names of tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench import aims, budgets, document, tables
from scorekeeper import config, events, limits
from scorekeeper.assets import BUNDLES
from scorekeeper.cli.main import build_parser

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SCALE = (DOCS / "scale.md").read_text(encoding="utf-8")
TABLES = ("aims", "pages", "load", "growth", "history", "find", "writes", "live", "taps", "jobs", "captures")
BUDGETS = budgets.read(budgets.FILE.read_text(encoding="utf-8"))


class TestScale:
    def test_every_table_stands_between_its_marks_under_where_it_is_from(self) -> None:
        marked = dict(tables.MARKED.findall(SCALE))
        assert set(marked) >= set(TABLES)
        read = tables.tables_of(SCALE)
        for name in marked.keys() - {"aims"}:
            assert marked[name].startswith("Measured " if read[name] else "Not measured yet."), name

    def test_an_aim_is_called_met_where_the_figures_of_the_tables_meet_it(self) -> None:
        assert document.with_aims(SCALE) == SCALE, "run: make bench-app, or document.with_aims"

    @pytest.mark.parametrize("aim", aims.ALL, ids=lambda aim: aim.said)
    def test_no_aim_is_met_by_a_figure_that_misses_it_or_is_missing(self, aim: aims.Aim) -> None:
        assert {bound.table for bound in aim.bounds} <= set(TABLES)
        good = [bound.most if bound.least is None else bound.least for bound in aim.bounds]
        assert aim.met(with_figures(aim, good)) == "yes"
        for place, bound in enumerate(aim.bounds):
            bad = list(good)
            bad[place] = (good[place] or 0) + (0.01 if bound.least is None else -0.01)
            assert aim.met(with_figures(aim, bad)) == "no"
        assert (aim.measured({}), aim.met({})) == ("not measured", "not measured")
        some = with_figures(aim, good)
        del some[aim.bounds[-1].table][-1]
        assert aim.met(some) == "not measured"

    def test_a_table_is_written_between_its_marks_and_nowhere_else(self) -> None:
        text = tables.replaced(SCALE, "load", "Measured now.\n\n" + tables.drawn(["page"], [["a"], ["b"]]))
        assert tables.tables_of(text)["load"] == [{"page": "a"}, {"page": "b"}]
        assert tables.replaced(text, "load", dict(tables.MARKED.findall(SCALE))["load"]) == SCALE
        with pytest.raises(ValueError, match="0 places"):
            tables.replaced(SCALE, "lode", "")

    def test_how_many_streams_there_are_unless_told_otherwise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SCOREKEEPER_LIVE_STREAMS", raising=False)
        serve = build_parser().parse_args(["serve"])
        each = config.load()["LIVE_STREAMS"]
        assert (each, serve.workers * each) == (4_000, 8_000)
        assert "a process holds 4,000 streams: two workers\nkeep 8,000 pages told at once" in SCALE


def with_figures(aim: aims.Aim, figures: list[float | None]) -> tables.Tables:
    """Return tables with one row for each bound of an aim, and this figure in it."""
    made: tables.Tables = {}
    for bound, figure in zip(aim.bounds, figures, strict=True):
        made.setdefault(bound.table, []).append({**bound.rows, bound.column: f"{figure}"})
    return made


class TestBudgets:
    """bench/budgets.toml holds ratios of the tables in docs/scale.md."""

    def test_every_budget_names_a_table_a_column_and_rows_of_the_page(self) -> None:
        texts, read = dict(tables.MARKED.findall(SCALE)), tables.tables_of(SCALE)
        for budget in BUDGETS:
            assert budget.table in TABLES, budget.said
            head = next(line for line in texts[budget.table].splitlines() if line[:1] == "|")
            assert {budget.column, *budget.row} <= {cell.strip() for cell in head.strip("|").split("|")}, budget.said
            if read[budget.table]:
                budget.worst(read)

    @pytest.mark.parametrize(
        ("bound", "held", "lost"),
        [
            ({"most": 1.3}, "1.56", "1.57"),
            ({"least": 80.0}, "64%", "63%"),
            ({"most": 1.3, "so_far": 2.5}, "3.00", "3.01"),
        ],
    )
    def test_a_budget_is_missed_by_more_than_a_fifth(self, bound: dict[str, float], held: str, lost: str) -> None:
        budget = budgets.Budget("pages", "times", {"page": "a"}, **bound)
        rows = [{"page": "b", "times": "99"}, {"page": "a page", "times": held}]
        assert budgets.missed([budget], {"pages": rows}) == []
        rows[1]["times"] = lost
        assert len(budgets.missed([budget], {"pages": rows})) == 1

    def test_the_budgets_are_written_as_they_stand(self) -> None:
        text = budgets.FILE.read_text(encoding="utf-8")
        assert budgets.written(BUDGETS, budgets.comments(text)) == text

    def test_of_several_runs_the_median_of_each_figure_is_shown(self) -> None:
        runs = [document.Measured("pages", "", ["page", "times"], [["a", times]]) for times in ("1.30", "9.00", "1.20")]
        assert document.medians(runs).rows == [["a", "1.30"]]


class TestArchitecture:
    TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")
    SCRIPTS = TEXT[TEXT.index("## The scripts") : TEXT.index("## The offline queue")]

    def test_every_script_is_in_the_list(self) -> None:
        folder = ROOT / "static" / "js"
        alone = [path.name for path in folder.glob("*.js")]
        bundles = [Path(name).name for name in BUNDLES if name.endswith(".js")]
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


class TestNames:
    def test_a_file_that_a_document_names_is_there(self) -> None:
        for path in (*DOCS.glob("*.md"), *ROOT.glob("*.md")):
            text = path.read_text(encoding="utf-8")
            folders = "scorekeeper|tests|tools|bench|static|templates|typings|docs"
            named = set(re.findall(rf"`((?:{folders})/[\w./]+\.\w+)`", text))
            missing = [name for name in sorted(named) if "NAME" not in name and not (ROOT / name).is_file()]
            assert missing == [], path.name

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
