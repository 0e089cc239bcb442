"""Change modules and run the tests near them: ``python -m tools.mutants COSMIC-RAY-FOLDER PATH… [--tests FILE…]``.

What cosmic-ray takes, and which tests are near a module, is in ``pyproject.toml``. It works on a copy of the checkout,
so a run that is stopped leaves nothing behind. Each module is told of as soon as it is done: how many changes were
noticed, and those that were not.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SETTINGS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["cosmic-ray"]
NEAR: Mapping[str, list[str]] = SETTINGS["near"]
PYTEST = (sys.executable, "-m", "pytest", "-x", "-q", "-m", "not whole", "-k", "not postgresql")
NEEDLESS = ("playwright", "schemathesis", "anyio", "xdist")


def near(module: str) -> list[str]:
    """Return the tests near a module; ends the run where none are named."""
    of = [path for path in NEAR if f"{module}/".startswith(f"{path}/")]
    return NEAR[max(of, key=len)] if of else sys.exit(f"No tests are near {module}: name some with T=")


def modules_of(paths: Sequence[str]) -> list[str]:
    """Return the modules that these files and folders are or hold, those of migrations left out."""
    found = [
        file for path in paths for file in ([ROOT / path] if path.endswith(".py") else (ROOT / path).rglob("*.py"))
    ]
    return sorted({file.relative_to(ROOT).as_posix() for file in found if "migrations" not in file.parts})


def copy_to(folder: Path) -> None:
    """Copy the files of the checkout as they are now, also those that are new to git."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in filter(None, subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def settings_for(module: str, tests: Sequence[str]) -> str:
    """Return the settings as cosmic-ray reads them: TOML, whose plain values look like JSON."""
    command = " ".join(f'"{word}"' for word in (*PYTEST, *(f"-pno:{name}" for name in NEEDLESS), *tests))
    filters = SETTINGS["filters"]["operators-filter"]["exclude-operators"]
    return "\n".join(
        (
            "[cosmic-ray]",
            f"module-path = {json.dumps([module])}",
            f"timeout = {SETTINGS['timeout']}",
            f"excluded-modules = {json.dumps(SETTINGS['excluded-modules'])}",
            f"test-command = {json.dumps(command)}",
            f"distributor = {{ name = {json.dumps(SETTINGS['distributor']['name'])} }}",
            f"filters = {{ operators-filter = {{ exclude-operators = {json.dumps(filters)} }} }}",
            "",
        )
    )


def survivors(tool: Path, copy: Path, module: str, tests: Sequence[str]) -> str:
    """Change a module and run the tests; return the changes that they did not notice. The tests must pass without."""
    (copy / "mutants.toml").write_text(settings_for(module, tests), encoding="utf-8")

    def run(command: str, *words: str) -> str:
        return subprocess.run((tool / command, *words), cwd=copy, check=True, capture_output=True, text=True).stdout

    run("cosmic-ray", "init", "--force", "mutants.toml", "mutants.sqlite")
    run("cr-filter-operators", "mutants.sqlite", "mutants.toml")
    run("cosmic-ray", "baseline", "mutants.toml")
    run("cosmic-ray", "exec", "mutants.toml", "mutants.sqlite")
    return run("cr-report", "--surviving-only", "--show-diff", "mutants.sqlite")


def main() -> None:
    """Tell of each module in turn which changes nobody noticed."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    parser.add_argument("tool", type=Path, help="the folder with cosmic-ray's commands")
    parser.add_argument("paths", nargs="+", help="modules, or folders with modules")
    parser.add_argument("--tests", nargs="+", help="the tests to run instead of those near each module")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy_to(Path(folder))
        for module in modules_of(told.paths):
            tests = told.tests or near(module)
            print(f"== {module}, by {' '.join(tests)}", flush=True)
            print(survivors(told.tool.absolute(), Path(folder), module, tests), flush=True)


if __name__ == "__main__":
    main()
