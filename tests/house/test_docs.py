"""docs/rules.md names everything that the engine knows, and has every number that code and tests cite."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import rules

ROOT = Path(__file__).parents[2]
RULES = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").replace("−", "-")
LINES = RULES.splitlines()
GAMES: list[dict[str, Any]] = rules.games()["games"]
ENGINE = ROOT / "scorekeeper" / "rules"

NUMBER = r"\d+(?:\.\d+)?"
CITED = re.compile(rf"(?:§|\bsections? |rules\.md )({NUMBER}(?:(?:, | and | to )§?{NUMBER})*)")
DECISION = re.compile(r"(?:\bdecisions? |rules\.md )(A\d+)")
EXAMPLE = re.compile(r"\bworked examples? (\d+)", re.IGNORECASE)
LINK = re.compile(r"\]\(((?:[\w./-]*\.md)?)#([^)\s]+)\)")

SECTIONS = set(re.findall(rf"^#+ ({NUMBER})\.? ", RULES, re.MULTILINE))
DECISIONS = set(re.findall(r"^\| <a id=\"a\d+\"></a>(A\d+) \|", RULES, re.MULTILINE))
EXAMPLES = {
    int(number): re.findall(r"`([\w.]+)`", files)
    for number, files in re.findall(r"^\| <a id=\"example-\d+\"></a>(\d+) \|.*\|(.*)\|$", RULES, re.MULTILINE)
}
READ_BY_NOBODY = "A note for the table; it changes no point"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def rows(id: str, lines: list[str] = LINES) -> list[list[str]]:
    """Return the rows of tables whose first cell names an id."""
    return [cells(line) for line in lines if line.startswith("|") and f"`{id}`" in cells(line)[0]]


def lines_of_section(number: str) -> list[str]:
    """Return the lines from a section's heading to the next heading with a number."""
    start = next(place for place, line in enumerate(LINES) if re.match(rf"#+ {re.escape(number)}\.? ", line))
    ends = (place for place, line in enumerate(LINES) if place > start and re.match(rf"#+ {NUMBER}", line))
    return LINES[start : next(ends, len(LINES))]


def section_of(game: str) -> list[str]:
    """Return the lines of the section that the list of games names for a game."""
    found = re.search(rf"\[({NUMBER})\]", rows(game, lines_of_section("0.1"))[0][-1])
    assert found is not None
    return lines_of_section(found[1])


def in_words(value: object) -> str:
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def stands_in(value: object, text: str) -> bool:
    """Whether a value stands in a text: a word as code, a number or true, false, null on its own."""
    word = in_words(value)
    if isinstance(value, str) and value != "":
        return f"`{word}`" in text
    return re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w.])", text) is not None


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            is_text = path.suffix in (".py", ".toml", ".html", ".js", ".md")
            if is_text and path != Path(__file__):
                yield path


def problem_codes() -> set[str]:
    """Return every code in a call of the engine that reports a problem."""
    found = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                code = node.args[0] if name in ("error", "warn") else node.args[1] if name == "Problem" else None
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found.add(code.value)
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TOO_MANY":
                found.add(str(ast.literal_eval(node.value)))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["id"])
def test_a_game_is_described(game: dict[str, Any]) -> None:
    """With its presets, its items, and every value of its options."""
    ids = [game["id"], *game["presets"], *(item["id"] for item in game["items"])]
    assert [id for id in ids if f"`{id}`" not in RULES] == []
    assert rows(game["id"], lines_of_section("0.1")), "the list of games in 0.1 has no row for it"
    for option in game["options"]:
        named = "\n".join(line for line in LINES if f"`{option['id']}`" in line)
        missing = [value for value in (*option["values"], option["default"]) if not stands_in(value, named)]
        assert missing == [], option["id"]
    for preset, settings in game["presets"].items():
        described = " ".join(" ".join(row) for row in rows(preset))
        for name, value in settings.items():
            said = rf"`{name}` (?:set to )?`?{re.escape(in_words(value))}(?![\w.])"
            assert re.search(said, described), f"{preset}: {name} {value}"


def test_a_table_of_options_has_them_all_with_their_defaults() -> None:
    # The section of a variant has no table of its own: its options are those of another game.
    tables = {game["id"]: "\n".join(section_of(game["id"])).partition("| Option |")[2] for game in GAMES}

    assert sum(bool(table) for table in tables.values()) > 8
    for game in GAMES:
        table = tables[game["id"]].splitlines()
        for option in game["options"] if table else ():
            found = rows(option["id"], table)
            assert found, f"{game['id']}: {option['id']}"
            assert stands_in(option["default"], found[0][2]), f"{game['id']}: {option['id']}"


def test_every_problem_code_is_described() -> None:
    codes = problem_codes()

    assert len(codes) > 50
    assert sorted(code for code in codes if not rows(code, lines_of_section("6"))) == []


def test_an_option_is_marked_as_a_note_when_no_code_reads_it() -> None:
    # tests/rules/test_options.py holds that the notes are just the options that no code reads.
    options = [option for game in GAMES for option in game["options"]]
    notes = {option["id"] for option in options if option["note"]}
    marked = {option["id"] for option in options if any(READ_BY_NOBODY in " ".join(row) for row in rows(option["id"]))}

    assert marked == notes
    assert all(f"`{id}`" in "\n".join(lines_of_section("0.2")) for id in notes | {"call_ultimas"})


def test_every_number_that_code_and_tests_cite_is_there() -> None:
    missing = []
    for path in sources("scorekeeper", "tests", "templates", "static"):
        text = path.read_text(encoding="utf-8")
        cited = {number for found in CITED.findall(text) for number in re.findall(NUMBER, found)} - SECTIONS
        cited |= set(DECISION.findall(text)) - DECISIONS
        cited |= {f"example {number}" for number in EXAMPLE.findall(text) if int(number) not in EXAMPLES}
        missing += [f"{path.relative_to(ROOT)}: {number}" for number in sorted(cited)]

    assert missing == []


def test_decisions_and_examples_have_no_gaps() -> None:
    assert sorted(DECISIONS, key=lambda id: int(id[1:])) == [f"A{number}" for number in range(1, len(DECISIONS) + 1)]
    assert sorted(EXAMPLES) == list(range(1, len(EXAMPLES) + 1))


def test_a_worked_example_names_the_files_that_hold_its_cases() -> None:
    held: dict[int, set[str]] = {}
    for path in ROOT.joinpath("tests").rglob("cases/*.toml"):
        for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]:
            if "number" in case:
                held.setdefault(case["number"], set()).add(path.name)

    for number, files in EXAMPLES.items():
        assert {file for file in files if file.endswith(".toml")} == held.pop(number, set()), number
        assert files, number
        assert all(list(ROOT.joinpath("tests").rglob(file)) for file in files), number
    assert held == {}


def anchors(text: str) -> set[str]:
    """Return the anchors of a page: those of its headings, as GitHub makes them, and those that are set by hand."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r"<a id=\"([^\"]+)\">", text))


def test_links_to_headings_lead_somewhere() -> None:
    for path in (*(ROOT / "docs").glob("*.md"), ROOT / "README.md"):
        for page, anchor in LINK.findall(path.read_text(encoding="utf-8")):
            target = path.parent / page if page else path
            assert target.is_file(), f"{path.name}: {page}"
            assert anchor in anchors(target.read_text(encoding="utf-8")), f"{path.name}: {page}#{anchor}"
