"""The costs of the pages of a match of 40 deals, beside the floor of the stack: ``python -m bench.pages``."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from .document import Measured, arguments, report
from .floor import floor_app
from .stage import phone_of, print_machine, side_by_side, stage

SPANISH = {"Accept-Language": "es"}
PAGES = {
    "board": "/t/{key}",
    "sheets": "/t/{key}/matches/1",
    "history": "/t/{key}/history",
    "rules": "/t/{key}/matches/1/rules",
}
SAID = {
    "board": "the match being played, `/t/<key>`",
    "sheets": "its 40 sheets, `/t/<key>/matches/1`",
    "history": "the table's matches, `/t/<key>/history`",
    "rules": "its rules, `/t/<key>/matches/1/rules`",
}


def get(client: FlaskClient, path: str) -> Callable[[], Any]:
    """Return a function that requests a page with a phone that knows the table."""

    def work() -> Any:
        answer = client.get(path, headers=SPANISH)
        assert answer.status_code == 200, answer.text
        return answer.data

    work()
    return work


def main() -> None:
    """Measure and print."""
    asked = arguments(__doc__).parse_args()
    print_machine()
    with stage(40) as table, tempfile.TemporaryDirectory() as folder:
        paths = {name: path.format(key=table.key) for name, path in PAGES.items()}
        ours = {name: get(phone_of(table.app, table.key), path) for name, path in paths.items()}
        bodies = {path: ours[name]() for name, path in paths.items()}
        bare = floor_app(bodies, Path(folder))
        floors = {f"floor of {name}": get(bare.test_client(), path) for name, path in paths.items()}
        for name, path in paths.items():
            assert floors[f"floor of {name}"]() == bodies[path], "the floor must answer with the same bytes"
        taken = side_by_side({**ours, **floors})
        rows = []
        for name, path in paths.items():
            app, floor = taken[name], taken[f"floor of {name}"]
            kilobytes = len(bodies[path]) / 1000
            figures = [f"{kilobytes:.1f}", f"{app * 1e3:.2f}", f"{floor * 1e3:.2f}", f"{app / floor:.2f}"]
            rows.append([SAID[name], *figures])
    head = ["page", "KB", "app, ms", "floor, ms", "times the floor"]
    report([Measured("pages", "CPU of a request", head, rows)], asked.write)


if __name__ == "__main__":
    main()
