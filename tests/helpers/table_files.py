"""A table's file as a test saves it and takes it in, and its pages as they are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from flask import Flask

from scorekeeper.store.db import read_at_once
from scorekeeper.store.models import Table
from scorekeeper.store.table_file import jobs
from scorekeeper.store.table_file.export import ALL, Part, pieces_of
from scorekeeper.store.table_file.values import Refused


def file_of(table: Table, asked: Part = ALL) -> bytes:
    with read_at_once():
        return b"".join(pieces_of(table, asked))


def taken_in(file: bytes, into: Table | None = None, form_id: str = "") -> Table:
    """Take in a file to its end, and return its table. Raises ``Refused``."""
    form_id = form_id or str(uuid4())
    jobs.begin(form_id, file, "", into)
    far = jobs.go_on(form_id)
    while far is not None and not far.is_over:
        far = jobs.go_on(form_id)
    assert far is not None
    if far.problem is not None:
        raise Refused(**far.problem)
    assert far.table is not None
    assert far.done == far.matches
    return far.table


UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OF_THE_FORM = re.compile(r'value="[\w-]+\.[\w-]+\.[\w-]+"|table-id="\d+"')
"""What proves that a form is of this app, and the number of the table in this database."""
DELETIONS = re.compile(r' data-deletions="\d+"')
"""How many matches the table has deleted, for phones that may have pages of them. A new table has none yet."""
MARK = re.compile(r'<p class="panel">The entries up to [^<]* came from a file\.[^<]*</p>')
"""What says that a table came from a file, which is not in the file."""
OF_ONE_SERVER = re.compile("|".join(each.pattern for each in (OF_THE_FORM, DELETIONS, MARK)))


def links_of(table: Table) -> dict[str, str]:
    """Return the keys of a table by the names of its links."""
    return {name: getattr(table, f"{name}_key") for name in ("owner", "play", "watch")}


def generic(links: Mapping[str, str], path: str) -> str:
    """Return an address with the names of the links for their keys: ``/t/{play}/history``."""
    for name, key in links.items():
        path = path.replace(key, f"{{{name}}}")
    return path


def drawn(app: Flask, links: Mapping[str, str], path: str, **how: Any) -> tuple[int, str]:
    """Return the status and the text of a page as somebody gets it who has just followed a link.

    The address has the names of the links. The text is without their keys, the ids of its forms, and what is of one
    server alone.
    """
    answer = app.test_client().get(path.format(**links), **how)
    text = generic(links, answer.get_data().decode("latin-1"))
    return answer.status_code, re.sub(OF_ONE_SERVER, "", UUID.sub("id", text))
