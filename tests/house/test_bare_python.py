"""The engine and its commands need nothing but Python: they run where no package is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.config import ROOT

SCRIPT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["scorekeeper"]
SIDES = {"sides": ["A", "B"]}
REQUESTS: dict[str, dict[str, Any]] = {
    "score": {"game": "scopa", **SIDES, "deal": {"awards": {"cards": "A"}}},
    "captures": {"game": "chorizo", "layout": ["7E"], "card": "10O"},
}


def run(code: str, folder: Path, told: str = "") -> str:
    """Run ``code`` in a Python that sees the checkout and its own library alone, and return what it prints."""
    done = subprocess.run(
        # -I: neither PYTHONPATH nor the current folder is searched; -S: no site-packages.
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"],
        cwd=folder,
        input=told,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def command(name: str) -> str:
    """Return code that does what the script ``scorekeeper`` does when it is given a command."""
    module, function = SCRIPT.split(":")
    return f"from {module} import {function}; sys.exit({function}([{name!r}]))"


def test_no_package_is_in_sight_here(tmp_path: Path) -> None:
    assert run("from importlib.util import find_spec; print(find_spec('flask'))", tmp_path) == "None\n"


def test_no_word_is_read_before_it_is_asked_for(tmp_path: Path) -> None:
    code = (
        "import scorekeeper.rules as r; print('tomllib' in sys.modules, r.suit_name(r.speech_of('carioca'), 'O')['en'])"
    )
    assert run(code, tmp_path) == "False diamonds\n"


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_answered(name: str, tmp_path: Path) -> None:
    # An exit status of 0 says that the request is possible.
    assert json.loads(run(command(name), tmp_path, json.dumps(REQUESTS[name])))
