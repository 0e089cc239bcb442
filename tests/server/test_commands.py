"""The commands of whoever keeps the app: copies that are whole, a way back, and errors told in a sentence."""

from __future__ import annotations

import argparse
import gc
import io
import json
import os
import secrets
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from secrets import token_urlsafe
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import app_secrets
from scorekeeper.app import create_app
from scorekeeper.cli import server
from scorekeeper.cli.main import build_parser, main
from scorekeeper.store import commands, queries
from scorekeeper.store.db import db, writing

from ..helpers.serving import free_port, serving

SECRET = "the secret that phones prove their tables with"


def names_in(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM tables ORDER BY id")]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class Home:
    """An instance folder, and the commands run on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "scorekeeper.db"

    def run(self, *command: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command in this process: to start one costs a second each time."""
        said, faults = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _stream in range(2))
        with pytest.MonkeyPatch.context() as patched, redirect_stdout(said), redirect_stderr(faults):
            for name, value in {"SCOREKEEPER_INSTANCE": str(self.folder), **environment}.items():
                patched.setenv(name, value)
            try:
                status = main([str(part) for part in command])
            except SystemExit as ended:
                status = int(ended.code or 0)
        # While the app is anywhere in memory it counts as running.
        gc.collect()
        out, err = (stream.buffer.getvalue().decode() for stream in (said, faults))
        return subprocess.CompletedProcess(command, status, out, err)

    def start(self, *command: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command as a person runs it, in a process of its own."""
        return subprocess.run(
            [sys.executable, "-m", "scorekeeper.cli", *map(str, command)],
            env={**os.environ, "SCOREKEEPER_INSTANCE": str(self.folder), **environment},
            capture_output=True,
            text=True,
        )

    def refuses(self, *command: object, **environment: str) -> str:
        """Run what cannot be, and return the one sentence that tells why."""
        done = self.run(*command, **environment)
        assert done.returncode == 1, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        return done.stderr.strip()

    def open_table(self, name: str) -> str:
        """Write a table as the app does, and return its play key."""
        app = create_app({"INSTANCE": self.folder})
        with app.app_context():
            with writing():
                key = commands.open_table(name, str(uuid4())).play_key
            db.session.remove()
            db.engine.dispose()
        # While the app is anywhere in memory it counts as running.
        del app
        gc.collect()
        return key

    def watch_key(self, key: str) -> str:
        """Return the key of the link to watch of the table with this play key."""
        app = create_app({"INSTANCE": self.folder})
        with app.app_context():
            table = queries.table_by_play_key(key)
            assert table is not None
            watch = table.watch_key
            db.session.remove()
            db.engine.dispose()
        return watch

    def crash(self, name: str) -> None:
        """Write a table in a process that is killed at once, so that SQLite's journal stays beside the database."""
        script = (
            "import os, signal\nfrom scorekeeper.app import create_app\nfrom scorekeeper.store import commands\n"
            "from scorekeeper.store.db import writing\nfrom uuid import uuid4\n"
            "with create_app().app_context():\n    with writing():\n"
            f"        commands.open_table({name!r}, str(uuid4()))\n    os.kill(os.getpid(), signal.SIGKILL)\n"
        )
        environment = {**os.environ, "SCOREKEEPER_INSTANCE": str(self.folder)}
        done = subprocess.run([sys.executable, "-c", script], env=environment)
        assert done.returncode == -signal.SIGKILL
        assert (self.folder / "scorekeeper.db-wal").stat().st_size > 0

    def damage(self) -> None:
        """Overwrite the pages of one index in the middle of the file."""
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            size = connection.execute("PRAGMA page_size").fetchone()[0]
            pages = connection.execute("SELECT rootpage FROM sqlite_master WHERE tbl_name = 'tables'").fetchall()
        with self.database.open("r+b") as file:
            for (page,) in pages:
                if page:
                    file.seek((page - 1) * size)
                    file.write(b"\xa5" * size)


@pytest.fixture
def home(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """An instance whose database has one table, Los jueves."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    folder = tmp_path / "instance"
    folder.mkdir(0o700)
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(folder))
    shutil.copy(migrated, folder / "scorekeeper.db")
    home = Home(folder)
    home.open_table("Los jueves")
    return home


def test_a_copy_is_whole_and_holds_all_that_was_written(home: Home, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    done = home.run("backup", copy)
    assert done.returncode == 0, done.stderr
    assert "restore" in done.stdout
    assert names_in(copy) == ["Los jueves"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "copy.db.secret_key", "instance"]
    assert (tmp_path / "copy.db.secret_key").read_text() == (home.folder / "secret_key").read_text()


def test_a_restore_brings_everything_back_after_a_crash(home: Home, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert home.run("backup", copy).returncode == 0
    home.open_table("Los viernes")
    home.crash("Los sábados")
    done = home.run("restore", copy)
    assert done.returncode == 0, done.stderr
    assert names_in(home.database) == ["Los jueves"]
    assert home.run("migrate").returncode == 0
    assert home.open_table("Los domingos")
    with closing(sqlite3.connect(home.database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    [aside] = home.folder.glob("scorekeeper.db.replaced-*")
    assert names_in(aside) == ["Los jueves", "Los viernes", "Los sábados"], "what was replaced is whole, too"
    assert mode_of(home.database) == 0o600
    assert mode_of(aside) == 0o600


@pytest.mark.whole
def test_a_restore_on_another_machine_opens_the_tables_of_the_phones(home: Home, tmp_path: Path) -> None:
    key = home.open_table("Los viernes")
    phone = create_app({"INSTANCE": home.folder, "WTF_CSRF_ENABLED": False}).test_client()
    assert phone.get(f"/t/{key}").status_code == 303, "to its match that begins"
    cookie = phone.get_cookie("scorekeeper")
    assert cookie is not None
    assert home.run("backup", tmp_path / "copy.db").returncode == 0

    other = Home(tmp_path / "another machine")
    assert other.run("restore", tmp_path / "copy.db").returncode == 0
    app = create_app({"INSTANCE": other.folder})
    phone = app.test_client()
    phone.set_cookie("scorekeeper", cookie.value)
    assert "Los viernes" in phone.get("/").text


@pytest.mark.whole
def test_where_the_secret_comes_from_outside_it_is_not_copied(home: Home, tmp_path: Path) -> None:
    done = home.run("backup", tmp_path / "copy.db", SECRET_KEY=SECRET)
    assert done.returncode == 0
    assert "SECRET_KEY" in done.stdout
    assert not (tmp_path / "copy.db.secret_key").exists()
    assert "SECRET_KEY" in home.run("restore", tmp_path / "copy.db").stdout


@pytest.mark.whole
def test_another_secret_is_kept_when_the_copys_takes_its_place(home: Home, tmp_path: Path) -> None:
    assert home.run("backup", tmp_path / "copy.db").returncode == 0
    then = (home.folder / "secret_key").read_text()
    (home.folder / "secret_key").write_text(SECRET)
    assert home.run("restore", tmp_path / "copy.db").returncode == 0
    secrets = app_secrets.read((home.folder / "secret_key").read_text())
    assert (secrets.secret, secrets.fallbacks) == (then, [SECRET]), "phones with cookies of either go on"
    [aside] = home.folder.glob("secret_key.replaced-*")
    assert aside.read_text() == SECRET


@pytest.mark.whole
def test_nothing_is_restored_under_a_running_app(home: Home, tmp_path: Path) -> None:
    assert home.run("backup", tmp_path / "copy.db").returncode == 0
    home.open_table("Los viernes")
    with serving(home.folder):
        assert "is running" in home.refuses("restore", tmp_path / "copy.db")
    assert names_in(home.database) == ["Los jueves", "Los viernes"]
    assert home.run("restore", tmp_path / "copy.db").returncode == 0


@pytest.mark.whole
def test_nor_under_another_program_that_has_the_database_open(home: Home, tmp_path: Path) -> None:
    assert home.run("backup", tmp_path / "copy.db").returncode == 0
    with closing(sqlite3.connect(home.database)) as another:
        another.execute("SELECT count(*) FROM tables").fetchone()
        assert "stop it first" in home.refuses("restore", tmp_path / "copy.db")


@pytest.mark.whole
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda copy: copy.write_bytes(b"nonsense" * 5000), "damaged"),
        (lambda copy: copy.write_bytes(copy.read_bytes()[:-8192]), "damaged"),
        (lambda copy: copy.write_bytes(b""), "no copy of the scorekeeper's database"),
        (lambda copy: copy.unlink(), "There is no file"),
        (lambda copy: _execute(copy, "DROP TABLE entries"), "no copy of the scorekeeper's database"),
    ],
)
def test_what_is_no_whole_copy_takes_nothings_place(
    home: Home, tmp_path: Path, spoil: Callable[[Path], None], why: str
) -> None:
    copy = tmp_path / "copy.db"
    assert home.run("backup", copy).returncode == 0
    spoil(copy)
    before = home.database.read_bytes()
    assert why in home.refuses("restore", copy)
    assert home.database.read_bytes() == before
    assert not list(home.folder.glob(".*"))


def _execute(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(statement)
        connection.commit()


@pytest.mark.whole
def test_a_damaged_database_is_not_called_a_copy(home: Home, tmp_path: Path) -> None:
    home.damage()
    assert "damaged" in home.refuses("backup", tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["instance"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda database: database.write_bytes(b""), "no database of the scorekeeper"),
        (lambda database: database.write_bytes(b"nonsense" * 5000), "not a database"),
    ],
)
def test_what_is_no_notebook_is_not_called_a_copy(
    home: Home, tmp_path: Path, spoil: Callable[[Path], None], why: str
) -> None:
    home.database.unlink()
    spoil(home.database)
    assert why in home.refuses("backup", tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["instance"]
    home.database.rename(tmp_path / "foreign.db")
    home.refuses("restore", tmp_path / "foreign.db")
    assert not home.database.exists()


@pytest.mark.whole
def test_a_copy_is_made_where_the_disk_has_no_room_to_read_the_journal(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.crash("Los viernes")
    (home.folder / "scorekeeper.db-shm").unlink()

    def full(_database: str) -> sqlite3.Connection:
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise fault

    monkeypatch.setattr("scorekeeper.store.backup.open_sqlite", full)
    assert main(["backup", str(tmp_path / "copy.db")]) == 0
    assert names_in(tmp_path / "copy.db") == ["Los jueves", "Los viernes"]


def test_a_full_disk_leaves_no_half_a_copy(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = sqlite3.connect

    def small(*where: object, **how: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*where, **how)  # type: ignore[call-overload]
        if "copy.db" in str(where[0]):
            connection.execute("PRAGMA max_page_count = 3")
        return connection

    monkeypatch.setattr("scorekeeper.store.backup.sqlite3.connect", small)
    assert main(["backup", str(tmp_path / "copy.db")]) == 1
    assert "full" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["instance"]


@pytest.mark.whole
def test_a_copy_needs_a_folder(home: Home, tmp_path: Path) -> None:
    assert "There is no folder" in home.refuses("backup", tmp_path / "missing" / "copy.db")


@pytest.mark.whole
@pytest.mark.parametrize("command", ["rotate-secret", "backup copy.db"])
def test_a_command_on_a_folder_without_data_makes_nothing(tmp_path: Path, command: str) -> None:
    told = Home(tmp_path / "mistyped" / "instance").refuses(*command.split(), DATABASE_URL="", SECRET_KEY="")

    assert "There is no" in told
    assert list(tmp_path.iterdir()) == []
    assert not Path("copy.db").exists()


@pytest.mark.whole
@pytest.mark.parametrize("command", ["rebuild", "restore copy.db"])
def test_a_command_that_signs_nothing_makes_no_secret(home: Home, tmp_path: Path, command: str) -> None:
    copy = tmp_path / "copy.db"
    assert home.run("backup", copy).returncode == 0
    (home.folder / "secret_key").unlink()
    (tmp_path / "copy.db.secret_key").unlink()

    assert home.run(*command.replace("copy.db", str(copy)).split()).returncode == 0
    assert not (home.folder / "secret_key").exists()


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"SCOREKEEPER_POOL": "0"}, "SCOREKEEPER_POOL must be a whole number from 1"),
        ({"SECRET_KEY": "short"}, "at least 32"),
        ({"DATABASE_URL": "mysql://a:swordfish@b/c"}, "DATABASE_URL is no address of PostgreSQL or SQLite"),
        ({"SCOREKEEPER_HTTPS": "yes"}, "SCOREKEEPER_HTTPS must be 1"),
        ({"DATABASE_URL": "postgresql://a:swordfish@127.0.0.1:1/c"}, "The database cannot be reached"),
        ({"DATABASE_URL": "sqlite:////nowhere/at/all.db"}, "No such file or directory"),
        ({"SCOREKEEPER_INSTANCE": "/proc/nowhere"}, "/proc/nowhere"),
    ],
)
def test_a_setting_that_cannot_be_is_told_in_a_sentence(home: Home, environment: dict[str, str], why: str) -> None:
    told = home.refuses("migrate", **environment)
    assert why in told
    assert "swordfish" not in told


def test_a_damaged_database_says_so(home: Home) -> None:
    home.database.write_bytes(b"nonsense" * 5000)
    assert "damaged" in home.refuses("migrate")


def test_every_command_has_an_example_in_its_help_that_it_understands(capsys: pytest.CaptureFixture[str]) -> None:
    parser = build_parser()
    [commands] = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    assert len(commands) == 15
    for name, command in commands.items():
        help = " ".join(command.format_help().split())
        _pipe, found, told = help.partition(f"example: scorekeeper {name}")
        if not found:
            _pipe, found, told = help.partition(f"| scorekeeper {name}")
            assert "example, to be copied as it is: echo" in help, name
        assert found, name
        assert parser.parse_args([name, *told.split()]).run, name


def test_the_help_comes_before_any_library_of_the_app_is_loaded() -> None:
    late = "flask", "sqlalchemy", "alembic", "gunicorn", "segno", "cryptography", "sqlite3", "secrets"
    code = f"from scorekeeper.cli.main import *; build_parser(); print({{*{late}}} & {{*sys.modules}})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


@pytest.mark.whole
def test_a_port_is_waited_for_before_it_is_called_taken(
    home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("scorekeeper.limits.PORT_SECONDS", 0.3)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--host", "127.0.0.1", "--port", str(port)]) == 1
        assert f"Port {port} is taken" in capsys.readouterr().err

        said: list[str] = []

        def let_go(_seconds: float) -> None:
            # Said before anything is waited for: nobody sits in front of a silent terminal.
            said.append(capsys.readouterr().err)
            taken.close()

        monkeypatch.setattr(server.time, "sleep", let_go)
        server._wait_for_port("127.0.0.1", port)
        assert len(said) == 1
        assert f"Port {port} is taken: waiting" in said[0]


@pytest.mark.whole
def test_all_that_is_kept_is_its_owners_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "instance")
    home.folder.mkdir()
    with serving(home.folder) as address:
        # From its first page on the app has the database open, and so its journal stays beside it.
        urllib.request.urlopen(f"{address}/t/{home.open_table('Los jueves')}").close()
        assert home.run("backup", tmp_path / "copy.db").returncode == 0
        files = [path for path in home.folder.rglob("*") if path.name != "server.log"]
        assert {"scorekeeper.db", "scorekeeper.db-wal", "secret_key", "write.lock"} <= {path.name for path in files}
        for path in [*files, *tmp_path.glob("copy.db*")]:
            assert mode_of(path) & 0o077 == 0, path


@pytest.mark.whole
def test_a_folder_that_others_work_in_stays_open_but_not_our_files(home: Home) -> None:
    (home.folder / "letters.txt").write_text("not ours")
    for path in (home.folder, home.database, home.folder / "letters.txt"):
        path.chmod(0o755)
    create_app({"INSTANCE": home.folder})
    assert [mode_of(path) for path in (home.folder, home.folder / "letters.txt")] == [0o755, 0o755]
    assert mode_of(home.database) == 0o700


@pytest.mark.whole
def test_postgresql_is_left_to_its_own_tools(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "postgresql://me@db/scores")
    (tmp_path / "copy.db").touch()
    assert main(["restore", str(tmp_path / "copy.db")]) == 1
    assert "pg_restore" in capsys.readouterr().err


@pytest.mark.whole
class TestExport:
    """A table's file on the command line."""

    @pytest.fixture
    def key(self, home: Home) -> str:
        return home.open_table("Los viernes")

    @pytest.mark.parametrize("link", ["{}", "https://example.org/t/{}/matches/1?as=points"])
    def test_writes_the_table_of_a_link_to_a_file_for_its_owner_alone(
        self, home: Home, tmp_path: Path, key: str, link: str
    ) -> None:
        done = home.run("export", link.format(key), tmp_path / "table.json")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        file = json.loads((tmp_path / "table.json").read_text())
        assert (file["name"], file["matches"]) == ("Los viernes", [])
        assert (tmp_path / "table.json").stat().st_mode & 0o777 == 0o600

    def test_takes_a_key_that_begins_with_a_dash(
        self, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"-{token_urlsafe(size)[1:]}")
        key = home.open_table("Los sábados")
        assert key.startswith("-")
        done = home.run("export", key, tmp_path / "table.json")
        assert done.returncode == 0, done.stderr
        assert json.loads((tmp_path / "table.json").read_text())["name"] == "Los sábados"

    def test_leaves_a_file_that_is_there(self, home: Home, tmp_path: Path, key: str) -> None:
        (tmp_path / "table.json").write_text("mine")
        assert "name another file" in home.refuses("export", key, tmp_path / "table.json")
        assert (tmp_path / "table.json").read_text() == "mine"

    def test_refuses_what_opens_no_table(self, home: Home, tmp_path: Path) -> None:
        for link in ("x" * 22, f"-{'x' * 21}", "", "/t/"):
            assert "opens no table" in home.refuses("export", link, tmp_path / "table.json")
        assert not (tmp_path / "table.json").exists()

    def test_refuses_the_link_to_watch(self, home: Home, tmp_path: Path, key: str) -> None:
        watch = home.watch_key(key)
        for link in (watch, f"/w/{watch}"):
            assert "opens no table" in home.refuses("export", link, tmp_path / "table.json")

    def test_refuses_a_range_that_is_none(self, home: Home, tmp_path: Path, key: str) -> None:
        done = home.run("export", key, tmp_path / "table.json", "--matches", "3-1")
        assert done.returncode == 2
        assert "the first and the last match" in done.stderr

    def test_leaves_no_half_a_file(self, home: Home, tmp_path: Path, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(*_how: object) -> object:
            yield b"{"
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("scorekeeper.store.table_file.export.pieces_of", broken)
        assert main(["export", key, str(tmp_path / "table.json")]) == 1
        assert not (tmp_path / "table.json").exists()


@pytest.mark.whole
class TestDelete:
    """A table deleted on the command line, and those that nobody has opened for long."""

    @pytest.fixture
    def key(self, home: Home) -> str:
        return home.open_table("Los viernes")

    def test_asks_before_it_deletes(self, home: Home, key: str) -> None:
        said = home.refuses("delete", key)
        assert "“Los viernes” with 0 matches of 0 players" in said
        assert "--yes" in said
        assert "Los viernes" in names_in(home.database)

    def test_deletes_the_table_of_a_link_and_no_other(self, home: Home, key: str) -> None:
        others = [name for name in names_in(home.database) if name != "Los viernes"]
        home.open_table("Los sábados")
        done = home.start("delete", f"https://example.org/t/{key}", "--yes")
        assert done.returncode == 0, done.stderr
        assert key not in done.stdout + done.stderr
        assert "event table_deleted by=command" in done.stderr
        assert names_in(home.database) == [*others, "Los sábados"]

    def test_refuses_what_opens_no_table_and_the_link_to_watch(self, home: Home, key: str) -> None:
        for link in ("x" * 22, home.watch_key(key)):
            assert "opens no table" in home.refuses("delete", link, "--yes")

    def left(self, home: Home) -> None:
        """Let nobody have opened any table for long."""
        with closing(sqlite3.connect(home.database)) as connection:
            connection.execute("UPDATE tables SET opened_in = '2020-01-01'")
            connection.commit()

    def test_asks_before_tables_expire_that_no_phone_has_announced(self, home: Home, key: str) -> None:
        assert home.run("expire", "--months", "24").stdout == "0 tables deleted\n"
        self.left(home)
        count = len(names_in(home.database))
        assert f"{count} tables that nobody has opened for 24 months" in home.refuses("expire", "--months", "24")
        assert home.run("expire", "--months", "24", "--yes").stdout == f"{count} tables deleted\n"
        assert names_in(home.database) == []

    def test_does_the_work_of_the_setting_once_a_day_and_only_announces_at_first(self, home: Home, key: str) -> None:
        assert "SCOREKEEPER_EXPIRE_MONTHS" in home.refuses("expire")
        self.left(home)
        count = len(names_in(home.database))
        for said in ("0 tables deleted\n", "This was done today already.\n"):
            assert home.run("expire", SCOREKEEPER_EXPIRE_MONTHS="12").stdout == said
        assert len(names_in(home.database)) == count

    @pytest.mark.parametrize("months", ["2", "many", "1201"])
    def test_too_few_months_to_announce_it_are_refused(self, home: Home, key: str, months: str) -> None:
        assert "SCOREKEEPER_EXPIRE_MONTHS" in home.refuses("expire", SCOREKEEPER_EXPIRE_MONTHS=months)


@pytest.mark.whole
class TestTheServersOwnAddress:
    def test_is_what_serve_prints(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        server._announce("127.0.0.1", 8000)
        assert "Open http://127.0.0.1:8000/ on this machine" in capsys.readouterr().out
        monkeypatch.setenv("SCOREKEEPER_URL", "https://cards.example")
        server._announce("0.0.0.0", 8000)
        told = capsys.readouterr().out
        assert "Open https://cards.example/:" in told
        assert "8000" not in told

    def test_that_is_none_is_refused_at_the_start(self, home: Home) -> None:
        told = home.refuses("serve", "--port", free_port(), SCOREKEEPER_URL="cards.example")
        assert told.startswith("SCOREKEEPER_URL")


@pytest.mark.whole
class TestImport:
    def test_seals_under_no_secret_but_the_app_s(self, home: Home, tmp_path: Path) -> None:
        file = tmp_path / "table.json"
        assert home.run("export", home.open_table("Los sábados"), file).returncode == 0
        (home.folder / "secret_key").unlink()
        assert "SECRET_KEY" in home.refuses("import", file)
        assert not (home.folder / "secret_key").exists()

    def test_makes_a_table_of_what_export_wrote(self, home: Home, tmp_path: Path) -> None:
        key = home.open_table("Los sábados")
        file, again = tmp_path / "table.json", tmp_path / "again.json"
        assert home.run("export", key, file).returncode == 0
        done = home.run("import", file)
        assert done.returncode == 0, done.stderr
        owner, play, watch = [line.split()[0] for line in done.stdout.splitlines()[1:]]
        assert (owner[:3], play[:3], watch[:3]) == ("/o/", "/t/", "/w/")
        assert key not in done.stdout
        assert home.run("export", play, again).returncode == 0
        assert again.read_bytes() == file.read_bytes()
        assert names_in(home.database) == ["Los jueves", "Los sábados", "Los sábados"]

    def test_prints_whole_links_where_the_server_has_its_own_address(self, home: Home, tmp_path: Path) -> None:
        file = tmp_path / "table.json"
        assert home.run("export", home.open_table("Los sábados"), file).returncode == 0
        done = home.run("import", file, SCOREKEEPER_URL="https://cards.example")
        told = [line.rpartition("/")[0] for line in done.stdout.splitlines()[1:]]
        assert told == [f"https://cards.example/{letter}" for letter in "otw"]

    def test_names_the_place_and_the_reason(self, home: Home, tmp_path: Path) -> None:
        key = home.open_table("Los sábados")
        file = tmp_path / "table.json"
        assert home.run("export", key, file).returncode == 0
        file.write_bytes(file.read_bytes().replace(b'"last":0', b'"last":-1'))
        assert "last: A whole number from 0" in home.refuses("import", file)
        assert "table.json was refused." in home.refuses("import", file)
        assert names_in(home.database) == ["Los jueves", "Los sábados"]
        assert "No such file" in home.refuses("import", tmp_path / "none.json")
