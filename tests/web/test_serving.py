"""The served app, as a machine starts and stops it."""

from __future__ import annotations

import urllib.request
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import writing

from ..helpers.serving import serving

pytestmark = pytest.mark.whole


def test_a_server_that_stops_does_not_wait_for_the_pages_that_follow_it(tmp_path: Path) -> None:
    with ExitStack() as afterwards:
        with serving(tmp_path) as address:
            app = create_app({"INSTANCE": tmp_path})
            with app.app_context(), writing():
                key = commands.open_table("Los jueves", str(uuid4())).play_key
            stream = afterwards.enter_context(urllib.request.urlopen(f"{address}/t/{key}/live", timeout=20))
            assert stream.readline() == b"retry: 1000\n"
        assert stream.read().endswith(b"event: beat\ndata: -\n\n"), "a stream that is cut off has no readable end"
    log = (tmp_path / "server.log").read_text()
    assert "SIGKILL" not in log
    assert key not in log
