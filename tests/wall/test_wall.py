"""What version 1.0 left, every later one reads: a table's file, and the queue of a phone that was without signal.

``python -m tools.wall`` has made the files, and after 1.0 nobody makes them anew. If this test falls, it is the code
that has to change.
"""

from __future__ import annotations

import json

from flask import Flask

from ..helpers.table_files import file_of, taken_in
from ..helpers.wall import QUEUE, RESULTS, TABLE, push, results_of


def test_a_table_of_1_0_comes_to_what_it_came_to(app: Flask) -> None:
    file, queue, results = TABLE.read_bytes(), json.loads(QUEUE.read_text()), json.loads(RESULTS.read_text())
    with app.app_context():
        table = taken_in(file)
        assert file_of(table) == file
        key = table.play_key
    assert results_of(app, key) == results["imported"]
    phone = app.test_client(use_cookies=False)
    assert set(push(phone, key, queue)) == {"written"}
    assert results_of(app, key) == results["pushed"]
    assert set(push(phone, key, queue)) == {"known"}, "sent again, nothing is written"
