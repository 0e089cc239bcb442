"""The wheel is whole: unpacked far from the checkout it makes its database, and serves pages, scripts and Spanish."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.config import ROOT

from ..helpers.serving import free_port

pytestmark = pytest.mark.whole

# What the script ``scorekeeper`` does that an installer makes; the names are read from the wheel itself.
COMMAND = (
    "import sys; from importlib.metadata import distribution; "
    "(script,) = distribution('scorekeeper').entry_points.select(group='console_scripts', name='scorekeeper'); "
    "sys.exit(script.load()())"
)
WHERE = (
    "import scorekeeper, scorekeeper.config as c; print(scorekeeper.__file__, c.data_folder(), c.default_instance())"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the wheel of this checkout is unpacked, as an installer would."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


@pytest.fixture
def environment(site: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who never saw the checkout: the wheel comes first, a home that is empty."""
    ours = ("SCOREKEEPER_", "DATABASE_URL", "SECRET_KEY", "XDG_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "HOME": str(tmp_path)}


@pytest.fixture
def address(environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address of the app, served by the wheel's own command from a folder that holds nothing of it."""
    port = free_port()
    options = ["serve", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    log = tmp_path / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *options], cwd=tmp_path, env=environment, stdout=output, stderr=output
        )
        try:
            until = time.monotonic() + 60
            while not is_answering(f"http://127.0.0.1:{port}"):
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < until, log.read_text()
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(20)


def is_answering(address: str) -> bool:
    """Return whether a server answers there, whatever it says."""
    try:
        urllib.request.urlopen(address, timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def get(address: str, language: str = "en") -> str:
    """Return the text at an address; one that is not answered with 200 raises ``HTTPError``."""
    wanted = urllib.request.Request(address, headers={"Accept-Language": language})
    with urllib.request.urlopen(wanted, timeout=20) as answer:
        assert answer.status == 200
        return str(answer.read().decode())


def test_what_runs_is_the_wheel_and_not_the_checkout(site: Path, environment: dict[str, str], tmp_path: Path) -> None:
    told = subprocess.check_output([sys.executable, "-c", WHERE], cwd=tmp_path, env=environment, text=True, timeout=60)
    package, data, instance = map(Path, told.split())
    assert package == site / "scorekeeper" / "__init__.py"
    assert data == site / "scorekeeper" / "_data"
    assert instance == tmp_path / ".local" / "share" / "scorekeeper"
    assert ROOT not in site.parents


def test_every_template_script_and_catalogue_is_in_the_wheel(site: Path) -> None:
    for name, ending in (("templates", "*.*"), ("static", "*.*"), ("translations", "*.po")):
        here = {path.relative_to(ROOT / name) for path in (ROOT / name).rglob(ending)}
        packed = site / "scorekeeper" / "_data" / name
        assert here == {path.relative_to(packed) for path in packed.rglob("*.*")}
        assert here


def test_the_words_of_every_language_are_in_the_wheel(site: Path) -> None:
    folder = Path("scorekeeper", "rules", "glossary")
    here = {path.name for path in (ROOT / folder).glob("*.toml")}
    assert here == {path.name for path in (site / folder).glob("*.toml")}
    assert here


def test_the_wheel_serves_pages_and_keeps_its_own_folder_as_it_was(site: Path, address: str, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    assert '<html lang="en"' in get(address)
    assert "New table" in get(f"{address}/tables/new")
    assert "Mesa nueva" in get(f"{address}/tables/new", "es")
    assert "addEventListener" in get(f"{address}/static/js/match.js")
    assert "Escoba" in get(f"{address}/rules")
    assert "openapi" in get(f"{address}/api/v1/openapi.json")
    with sqlite3.connect(tmp_path / ".local" / "share" / "scorekeeper" / "scorekeeper.db") as database:
        assert database.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
