"""What is deleted for good, renewed or forgotten is in no file of the database any more, and nobody has waited for that."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4
import sqlite3, time
import pytest
from flask import Flask
from scorekeeper.store import commands, ownership, links
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import LINKS, Link, Match, Player, Table
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.journal import kinds
from .conftest import start
from .test_links_and_marks import files, in_files

def test_x(app, files):
    import sqlalchemy as sa
    tables = []
    for n in range(40):
        with writing():
            t = commands.open_table(f"Tischname{n:03}x", str(uuid4()))
        with writing():
            m = start(t, names=(f"Anastasia{n:03}q", f"Bartolomeo{n:03}q"))
        for i in range(20):
            with writing():
                commands.record(m, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "AB"[i % 2]})])
        with writing():
            ownership.rename_player(t, 1, f"Umbenannt{n:03}q", str(uuid4()))
        tables.append(t.id)
    words = {}
    sealed = {}
    for n in (3, 17, 31):
        tid = tables[n]
        ws = [f"Tischname{n:03}x", f"Anastasia{n:03}q", f"Bartolomeo{n:03}q", f"Umbenannt{n:03}q"]
        ws += list(db.session.scalars(sa.select(Link.hash).where(Link.table_id == tid)))
        ws += [s for s in db.session.scalars(sa.select(Link.sealed).where(Link.table_id == tid)) if s]
        words[n] = ws
    db.session.rollback()
    allw = [w for ws in words.values() for w in ws]
    print("before", len(in_files(allw, files)), len(allw))
    for n in words:
        with writing():
            ownership.delete_table(db.session.get_one(Table, tables[n]))
    t0 = time.time()
    print(app.extensions["scorekeeper.cleaner"].wait(100), time.time() - t0)
    left = in_files(allw, files)
    print("after", len(left), left)
