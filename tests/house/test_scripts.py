"""The scripts: every file is on a page, and uses only names that files before it in its bundle share."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scorekeeper.assets import BUNDLES, Assets
from scorekeeper.config import data_folder

STATIC = data_folder() / "static"
TEMPLATES = data_folder() / "templates"
SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.glob("js/**/*.js"))
SHARED = re.compile(r"^  scorekeeper\.(\w+) = \{(.*?)\};$", re.MULTILINE | re.DOTALL)
USED_BY_NAME = re.compile(r"const \{([^}]*)\} = scorekeeper\.(\w+);")
USED = re.compile(r"\bscorekeeper\.(\w+)\b(?! = |\?\.)")
"""What a script relies on. With ``?.`` it asks whether a bundle of other pages has brought it."""


def linked() -> set[str]:
    """Return the scripts that templates link."""
    pages = [path.read_text() for path in TEMPLATES.rglob("*.html")]
    return {name for page in pages for name in re.findall(r"""(?:filename='|inline_script\(")(js/[^'"]+)""", page)}


def code(script: str) -> str:
    """Return a script without its comments."""
    return re.sub(r"(?m)^[ \t]*(//.*|/\*\*.*\*/)\n|/\*.*?\*/", "", (STATIC / script).read_text())


def texts(script: str) -> list[str]:
    """Return what stands between quotes in a script."""
    return re.findall(r"""\"[^"\n]*\"|`[^`\n]*`""", script)


def loaded() -> set[str]:
    """Return the scripts that other scripts load."""
    return {name for script in SCRIPTS for name in re.findall(r'"/static/(js/[^"]+)"', code(script))}


def test_every_script_is_on_a_page_or_loaded_by_one() -> None:
    on_pages = {part for name in linked() | loaded() for part in BUNDLES.get(name, (name,))}
    assert on_pages == set(SCRIPTS)


@pytest.mark.parametrize(
    "bundles",
    [
        ["js/page.js"],
        ["js/match.js", "js/closing.js"],
        ["js/match.js", "js/later.js"],
        ["js/match.js", "js/notes.js"],
        ["js/start.js"],
    ],
)
def test_a_script_uses_only_what_those_before_it_share(bundles: list[str]) -> None:
    shared: dict[str, set[str]] = {}
    for script in [script for bundle in bundles for script in BUNDLES[bundle]][1:]:
        text = code(script)
        # A file of two bundles asks whether the other has brought it already.
        own = {file for file, _names in SHARED.findall(text)}
        assert set(USED.findall(text)) <= shared.keys() | own, script
        for names, file in USED_BY_NAME.findall(text):
            assert {name.strip() for name in names.split(",")} <= shared[file], f"{script} uses {file}"
        for file, names in SHARED.findall(text):
            assert file == Path(script).stem, "a file shares under its own name"
            shared[file] = set(re.findall(r"(?:^|[,{\s])(\w+)(?=\s*[,:]|\s*$)", names))


def test_a_script_of_its_own_shares_nothing() -> None:
    assert [name for name in SCRIPTS if name.count("/") == 1 and "scorekeeper." in code(name)] == []


def test_a_script_begins_with_what_it_is_for() -> None:
    assert [name for name in SCRIPTS if not (STATIC / name).read_text().startswith("// ")] == []


def test_a_script_is_served_without_its_comments_and_spaces() -> None:
    for script in SCRIPTS:
        written = code(script)
        assert all(line.count("`") % 2 == 0 for line in written.splitlines()), "a line of a text may begin with //"
        served = Assets(STATIC, {}).read([STATIC / script]).decode()
        assert len(served) < len(written), script
        assert "".join(served.split()) == "".join(written.split()), script
        assert texts(served) == texts(written), script
