"""A new secret: phones, forms and links go on, on one machine and on several hosts; and copies with their secrets."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper import app_secrets, config, limits
from scorekeeper.app import create_app
from scorekeeper.app_secrets import Earlier, Secrets
from scorekeeper.cli.main import main
from scorekeeper.store import commands, links, ownership, queries
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import LINKS, Table

from ..conftest import UNBRAKED, close
from ..helpers.reading import Page

pytestmark = pytest.mark.whole

OLD, NEW = "the secret of all hosts until now, long enough", "the secret of all hosts from now on, long enough"
LONG = "a" * 40
TODAY = date(2026, 11, 27)


@pytest.fixture
def home(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance folder with an empty database."""
    for name in ("DATABASE_URL", "SECRET_KEY", "SECRET_KEY_FALLBACKS"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "instance"
    folder.mkdir(0o700)
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(folder))
    shutil.copy(migrated, folder / "scorekeeper.db")
    return folder


def app_of(home: Path, **settings: Any) -> Flask:
    return create_app({"INSTANCE": home, **UNBRAKED, **settings})


def make_table(app: Flask, name: str = "Los jueves") -> dict[str, str]:
    """Return the keys of a new table."""
    with app.app_context():
        with writing():
            table = commands.open_table(name, str(uuid4()))
        return {link: table.key_of(link) for link in LINKS}


def token_of(phone: FlaskClient) -> str:
    """Return the token of a form that a phone has open."""
    token: str = Page(phone.get("/")).form(action="/language")["csrf_token"]
    return token


def goes_on(phone: FlaskClient, keys: dict[str, str], token: str) -> bool:
    """Return whether a phone has its table, posts the form that it has open, and sees the links of its table."""
    page = phone.get(f"/o/{keys['owner']}")
    return (
        phone.get(f"/t/{keys['play']}/owner").headers.get("Location") == f"/o/{keys['owner']}"
        and phone.post("/language", data={"language": "es", "csrf_token": token}).status_code == 303
        and keys["watch"] in page.text
    )


def secrets_of(home: Path) -> Secrets:
    return app_secrets.read((home / "secret_key").read_text())


def run(*command: str | Path) -> int:
    """Run a command, and let go of the app that it has made."""
    status = main([str(part) for part in command])
    gc.collect()
    return status


class TestOnOneMachine:
    def test_the_running_app_goes_on_with_the_new_secret_by_itself(self, home: Path) -> None:
        """Two processes: each reads the file with the first request after it has changed."""
        one, other = app_of(home), app_of(home)
        keys = make_table(one)
        phone = one.test_client()
        phone.get(f"/o/{keys['owner']}")
        token = token_of(phone)
        before = secrets_of(home).secret

        assert run("rotate-secret") == 0
        after = secrets_of(home)
        assert after.secret != before
        assert after.fallbacks == [before]
        assert after.earlier[0].until == app_secrets.today() + timedelta(days=limits.COOKIE_DAYS + 1)
        assert goes_on(phone, keys, token)
        assert one.config["SECRET_KEY"] == after.secret

        new = one.test_client()
        new.get(f"/o/{keys['owner']}")
        cookie = new.get_cookie("scorekeeper")
        assert cookie is not None
        at_the_other = other.test_client()
        at_the_other.set_cookie("scorekeeper", cookie.value)
        assert goes_on(at_the_other, keys, token_of(at_the_other)), "what one has signed the other reads"
        for app in (one, other):
            close(app)

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to others")
    def test_the_file_stays_the_apps_where_root_rotates(self, home: Path) -> None:
        """An app of another user could not read it: it would not start again, and could show no link."""
        close(app_of(home))
        file = home / "secret_key"
        os.chown(file, 65534, 65534)
        assert run("rotate-secret") == 0
        found = file.stat()
        assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (65534, 65534, 0o600)

    def test_a_cookie_is_signed_anew_when_it_is_set_next(self, home: Path) -> None:
        app = app_of(home)
        keys = make_table(app)
        phone = app.test_client()
        phone.get(f"/o/{keys['owner']}")
        with phone.session_transaction() as held:
            held["month"] = "2001-01"
        assert run("rotate-secret") == 0
        phone.get(f"/t/{keys['play']}")
        (home / "secret_key").write_text(secrets_of(home).secret)
        assert phone.get(f"/t/{keys['play']}/owner").status_code == 303, "without the secret of before"
        close(app)

    def test_killed_before_all_is_sealed_anew_it_goes_on(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        app = app_of(home)
        keys = make_table(app)

        def killed(*_given: object) -> int:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(links, "_replaced", killed)
            with pytest.raises(KeyboardInterrupt):
                main(["rotate-secret"])
        phone = app.test_client()
        assert keys["watch"] in phone.get(f"/o/{keys['owner']}").text
        assert run("rotate-secret", "--seal") == 0
        assert "3 links were sealed anew" in capsys.readouterr().out
        assert len(secrets_of(home).earlier) == 1
        close(app)

    def test_drops_a_secret_once_nobody_needs_it_and_never_sooner(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keys = make_table(app := app_of(home))
        close(app)
        assert run("rotate-secret") == 0
        until = secrets_of(home).earlier[0].until
        for day, left in ((until - timedelta(days=1), 1), (until, 0)):
            monkeypatch.setattr(app_secrets, "today", lambda day=day: day)
            assert run("rotate-secret", "--seal") == 0
            assert len(secrets_of(home).earlier) == left
        with app_of(home).app_context():
            assert queries.table_by_play_key(keys["play"]).watch_key == keys["watch"]  # type: ignore[union-attr]

    def test_keeps_no_more_secrets_than_are_tried_in_time(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        many = tuple(Earlier(f"{number:064}", TODAY + timedelta(days=3650)) for number in range(limits.SECRETS))
        (home / "secret_key").write_text(Secrets(OLD, many).written())
        assert run("rotate-secret") == 1
        assert "earlier secrets already" in capsys.readouterr().err
        assert secrets_of(home).secret == OLD

    def test_changes_nothing_where_there_is_no_secret(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        before = sorted(path.name for path in home.iterdir())
        assert run("rotate-secret") == 1
        assert "no secret to rotate" in capsys.readouterr().err
        assert sorted(path.name for path in home.iterdir()) == before

    def test_a_file_that_is_gone_or_broken_meanwhile_changes_nothing(self, home: Path) -> None:
        app = app_of(home)
        keys = make_table(app)
        phone = app.test_client()
        phone.get(f"/o/{keys['owner']}")
        for text in (b"", b"short", b"\xff\xfe" * 40, None):
            (home / "secret_key").unlink()
            if text is not None:
                (home / "secret_key").write_bytes(text)
            assert goes_on(phone, keys, token_of(phone))
        close(app)


class TestOnSeveralHosts:
    def test_the_steps_hold_while_some_hosts_have_taken_them_and_others_not(self, home: Path) -> None:
        """Each pair of neighbouring steps reads what the other signs and seals."""
        steps = [(OLD, []), (OLD, [NEW]), (NEW, [OLD])]
        for (secret, earlier), (next_secret, next_earlier) in pairwise(steps):
            one = app_of(home, SECRET_KEY=secret, SECRET_KEY_FALLBACKS=earlier)
            other = app_of(home, SECRET_KEY=next_secret, SECRET_KEY_FALLBACKS=next_earlier)
            for here, there in ((one, other), (other, one)):
                keys = make_table(here)
                phone, token = here.test_client(), ""
                phone.get(f"/o/{keys['owner']}")
                token = token_of(phone)
                cookie = phone.get_cookie("scorekeeper")
                assert cookie is not None
                phone = there.test_client()
                phone.set_cookie("scorekeeper", cookie.value)
                assert goes_on(phone, keys, token)
            for app in (one, other):
                close(app)

    def test_the_command_prints_the_steps_and_changes_nothing(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("SECRET_KEY", OLD)
        assert run("rotate-secret") == 0
        told = capsys.readouterr().out
        assert OLD not in told
        assert all(f"\n{step}. " in told for step in (1, 2, 3, 4))
        assert not (home / "secret_key").exists()

    def test_the_last_step_seals_anew(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keys = make_table(app := app_of(home, SECRET_KEY=OLD))
        close(app)
        monkeypatch.setenv("SECRET_KEY", NEW)
        monkeypatch.setenv("SECRET_KEY_FALLBACKS", OLD.replace(" ", "-") + " " + NEW.replace(" ", "-"))
        assert run("rotate-secret", "--seal") == 0
        assert "3 links were sealed under a secret that the app does not have" in capsys.readouterr().out
        monkeypatch.setenv("SECRET_KEY_FALLBACKS", f'["{OLD}"]')
        assert run("rotate-secret", "--seal") == 0
        assert "3 links were sealed anew" in capsys.readouterr().out
        monkeypatch.delenv("SECRET_KEY_FALLBACKS")
        with app_of(home).app_context():
            assert queries.table_by_play_key(keys["play"]).watch_key == keys["watch"]  # type: ignore[union-attr]

    @pytest.mark.parametrize("text", [f"{LONG} short", '["a", 3]', "[", f"{LONG} " * 30])
    def test_secrets_that_cannot_be_are_refused_unquoted(self, text: str) -> None:
        with pytest.raises(config.UnsafeConfiguration, match="SECRET_KEY_FALLBACKS") as refused:
            config.load({}, {"SECRET_KEY": OLD, "SECRET_KEY_FALLBACKS": text})
        assert LONG not in str(refused.value)

    def test_a_host_that_goes_over_to_the_file_takes_the_secret_of_before_along(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SECRET_KEY_FALLBACKS", OLD.replace(" ", "-"))
        app = app_of(home)
        (home / "secret_key").write_text(Secrets(NEW, (Earlier("x" * 64, TODAY),)).written())
        app.test_client().get("/")
        assert app.config["SECRET_KEY"] == NEW
        assert app.config["SECRET_KEY_FALLBACKS"] == [OLD.replace(" ", "-"), "x" * 64]
        close(app)


ANY_SECRET = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1).filter(
    lambda text: text.strip() == text
)


class TestTheFile:
    @given(
        st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1),
        st.lists(st.tuples(ANY_SECRET, st.dates(date(1000, 1, 1)))),
    )
    def test_is_read_as_it_was_written(self, secret: str, earlier: list[tuple[str, date]]) -> None:
        secrets = Secrets(secret, tuple(Earlier(*each) for each in earlier))
        assert app_secrets.read(secrets.written()) == secrets

    def test_of_before_is_one_secret_whatever_is_in_it(self) -> None:
        for text in ("a secret", "two\nlines", "2026-13-40 no day\n2026-99-99 x", "one\n2026-13-40 no day"):
            assert app_secrets.read(f"{text}\n") == Secrets(text)
            again = Secrets(text).followed_by("new", TODAY)
            assert app_secrets.read(again.written()) == again

    def test_puts_all_secrets_of_a_copy_among_the_earlier_ones(self) -> None:
        own = Secrets("a", (Earlier("b", TODAY),))
        copy = Secrets("b", (Earlier("c", TODAY),))
        later = TODAY + app_secrets.NEEDED
        assert own.with_those_of(copy, TODAY) == Secrets("a", (Earlier("b", later), Earlier("c", TODAY)))


class TestACopy:
    def test_without_the_secret_says_so(self, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        make_table(app := app_of(home))
        close(app)
        assert run("backup", "--no-secret", tmp_path / "copy.db") == 0
        assert "the copy alone opens no table" in capsys.readouterr().out
        assert not (tmp_path / "copy.db.secret_key").exists()
        (home / "secret_key").unlink()
        assert run("backup", tmp_path / "other.db") == 0
        assert "because there is none" in capsys.readouterr().out
        assert not (home / "secret_key").exists(), "none is made for it"

    def test_of_before_a_rotation_leaves_phones_the_secret_of_now(self, home: Path, tmp_path: Path) -> None:
        app = app_of(home)
        keys = make_table(app)
        close(app)
        assert run("backup", tmp_path / "copy.db") == 0
        assert run("rotate-secret") == 0
        app = app_of(home)
        phone = app.test_client()
        phone.get(f"/o/{keys['owner']}")
        cookie = phone.get_cookie("scorekeeper")
        assert cookie is not None
        close(app)
        del app, phone
        gc.collect()
        before = secrets_of(home)
        assert run("restore", tmp_path / "copy.db") == 0
        assert secrets_of(home).secret == before.secret
        phone = app_of(home).test_client()
        phone.set_cookie("scorekeeper", cookie.value)
        assert goes_on(phone, keys, token_of(phone)), "its links are sealed under the secret of before"

    def revive(self, home: Path, tmp_path: Path) -> tuple[dict[str, str], dict[str, str]]:
        """Make a copy, renew two links and delete a table; return the keys of before and of now."""
        app = app_of(home)
        keys, gone = make_table(app), make_table(app, "Los viernes")
        make_table(app, "Los sábados")
        close(app)
        assert run("backup", tmp_path / "copy.db") == 0
        with app.app_context():
            table = queries.table_by_play_key(keys["play"])
            assert table is not None
            for link in ("owner", "play"):
                with writing():
                    ownership.renew_key(table, link, keys[link])
            now = {link: table.key_of(link) for link in LINKS}
            with writing():
                deleted = queries.table_by_play_key(gone["play"])
                assert deleted is not None
                ownership.delete_table(deleted)
            with writing():
                commands.open_table("Los domingos", str(uuid4()))
        close(app)
        del app, table, deleted
        gc.collect()
        return keys, now

    def test_that_revives_links_says_of_which_tables_and_how_to_go_on(
        self, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        keys, now = self.revive(home, tmp_path)
        copy = tmp_path / "copy.db"
        assert run("restore", copy) == 0
        told = capsys.readouterr().out
        assert "Los jueves: owner, play" in told
        assert "Los sábados" not in told
        assert "deleted since are here again: 1." in told
        assert "\n  Los viernes\n" in told
        [aside] = home.glob("scorekeeper.db.replaced-*")
        assert f"scorekeeper restore {copy} --links-of {aside}" in told

        assert run("restore", copy, "--links-of", aside) == 0
        told = capsys.readouterr().out
        assert "renewed" not in told, "no dead link has come to life, so nobody is told to change links"
        assert "\n  Los viernes\n" in told
        with app_of(home).app_context():
            assert queries.table_by_play_key(keys["play"]) is None
            table = queries.table_by_key("owner", now["owner"])
            assert table is not None
            assert {link: table.key_of(link) for link in LINKS} == now
            assert len(db.session.query(Table).all()) == 3

    def test_over_a_database_that_cannot_be_read_says_that(
        self, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make_table(app := app_of(home))
        close(app)
        del app
        gc.collect()
        assert run("backup", tmp_path / "copy.db") == 0
        with closing(sqlite3.connect(home / "scorekeeper.db")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (home / "scorekeeper.db").write_bytes(b"nonsense" * 5000)
        assert run("restore", tmp_path / "copy.db") == 0
        assert "nobody knows which links" in capsys.readouterr().out
