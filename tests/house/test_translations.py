"""Every word of the pages is there in Spanish."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from scorekeeper.config import ROOT

from .trees import tree_of


def in_pages() -> set[str]:
    """Collect the messages of the code and the templates."""
    found = set()
    for folder in ("scorekeeper", "templates"):
        methods = [("**.py", "python"), ("**.html", "jinja2"), ("**.txt", "jinja2"), ("**.svg", "jinja2")]
        for _file, _line, message, _comments, _context in extract_from_dir(ROOT / folder, methods):
            found.add(message[0] if isinstance(message, tuple) else message)
    return found


def test_every_message_is_translated_with_its_numbers_and_names() -> None:
    with (ROOT / "translations" / "es" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        catalogue = read_po(file, locale="es")
    translated = {}
    for message in catalogue:
        if message.id:
            key = message.id[0] if isinstance(message.id, tuple) else message.id
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(texts), f"not translated: {key}"
            assert not message.fuzzy, key
            translated[key] = texts
            wanted = set(re.findall(r"%\((\w+)\)", message.id[-1] if isinstance(message.id, tuple) else message.id))
            for text in texts:
                assert set(re.findall(r"%\((\w+)\)", text)) <= wanted | {"num"}, key

    assert in_pages() <= set(translated), "run: make messages, and translate what is new"


def test_a_territory_has_only_what_it_says_otherwise() -> None:
    with (ROOT / "translations" / "es_AR" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        of_vos = [message for message in read_po(file, locale="es_AR") if message.id]
    with (ROOT / "translations" / "es" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        spanish = {message.id: message.string for message in read_po(file, locale="es") if message.id}
    assert of_vos
    for message in of_vos:
        assert message.id in spanish, message.id
        assert message.string != spanish[message.id], message.id
        wanted = set(re.findall(r"%\((\w+)\)", str(message.id)))
        assert set(re.findall(r"%\((\w+)\)", str(message.string))) <= wanted | {"num"}, message.id


@pytest.mark.whole
def test_collecting_messages_changes_no_catalogue_that_has_them_all(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "translations", tmp_path / "translations")
    # Nothing is to be installed on the way.
    tools = [f"VENV={tmp_path}", f"BIN={Path(sys.executable).parent}", "-o", f"{tmp_path}/.installed"]
    command = ["make", "messages", *tools, f"TRANSLATIONS={tmp_path / 'translations'}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)

    for path in (ROOT / "translations").rglob("*.po"):
        assert (tmp_path / path.relative_to(ROOT)).read_text() == path.read_text(), path


def run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is run as a module is imported: of a function only its decorators and default values."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        parts = [*getattr(node, "decorator_list", []), *node.args.defaults, *filter(None, node.args.kw_defaults)]
    else:
        parts = [*ast.iter_child_nodes(node)]
    for part in parts:
        yield from run_at_import(part)


def translated_at_import(module: ast.Module) -> list[int]:
    """Return the lines that translate something while their module is imported; ``lazy_gettext`` does so later."""
    names = {
        alias.asname or alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module == "flask_babel"
        for alias in node.names
        if alias.name.endswith("gettext") and not alias.name.startswith("lazy_")
    }
    return [
        node.lineno
        for node in run_at_import(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names
    ]


@pytest.mark.parametrize(
    "run",
    [
        'class Form:\n    label = _("Deal")',
        'def title(*, name=_("Deal")): pass',
        '@app.route(_("Deal"))\ndef title(): pass',
    ],
)
def test_a_translation_at_import_is_found(run: str) -> None:
    assert translated_at_import(ast.parse(f"from flask_babel import gettext as _\n{run}"))


@pytest.mark.parametrize(
    "run",
    [
        'from flask_babel import lazy_gettext as _\nNAME = _("Deal")',
        'from flask_babel import gettext as _\nclass Words:\n    def title(self): return _("Deal")',
    ],
)
def test_a_translation_when_it_is_shown_is_allowed(run: str) -> None:
    assert not translated_at_import(ast.parse(run))


def test_no_sentence_is_translated_at_import() -> None:
    """There is no reader yet, so it would be in English for everybody."""
    sources = sorted((ROOT / "scorekeeper").rglob("*.py"))
    found = {str(path): translated_at_import(tree_of(path)) for path in sources}
    assert not {path: lines for path, lines in found.items() if lines}, "mark it with N_, or use lazy_gettext"
