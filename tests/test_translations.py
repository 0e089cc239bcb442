"""Every word of the pages is there in Spanish."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from scorekeeper.config import ROOT


def in_pages() -> set[str]:
    """Collect the messages of the code and the templates."""
    found = set()
    for folder in ("scorekeeper", "templates"):
        methods = [("**.py", "python"), ("**.html", "jinja2"), ("**.txt", "jinja2"), ("**.svg", "jinja2")]
        for _file, _line, message, _comments, _context in extract_from_dir(ROOT / folder, methods):
            found.add(message[0] if isinstance(message, tuple) else message)
    return found


@pytest.mark.parametrize("language", ["es"])
def test_every_message_is_translated_with_its_numbers_and_names(language: str) -> None:
    path = ROOT / "translations" / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        catalogue = read_po(file, locale=language)
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


@pytest.mark.slow
def test_collecting_messages_changes_no_catalogue_that_has_them_all(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "translations", tmp_path / "translations")
    # Nothing is to be installed on the way.
    tools = [f"VENV={tmp_path}", f"BIN={Path(sys.executable).parent}", "-o", f"{tmp_path}/.installed"]
    command = ["make", "messages", *tools, f"TRANSLATIONS={tmp_path / 'translations'}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)

    for path in (ROOT / "translations").rglob("*.po"):
        assert (tmp_path / path.relative_to(ROOT)).read_text() == path.read_text(), path
