"""The costs of the pages of a match of 40 deals, beside the floor of the stack: ``python -m bench.pages``.

Both are asked as a phone asks, with its cookies and for what is compressed; the brakes are on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import brotli
from flask.testing import FlaskClient

from .document import Measured, arguments, report
from .floor import floor_app
from .stage import browser, phone_of, print_machine, side_by_side, stage

DEALS = 40
SCRIPT = "/sw.js"
PAGES = {
    "board": "/t/{key}",
    "sheets": "/t/{key}/matches/1",
    "sheet": "/t/{key}/matches/1/deals/20",
    "history": "/t/{key}/history",
    "ranking": "/t/{key}/history?game=chorizo",
    "rules": "/t/{key}/matches/1/rules",
    "person": "/t/{key}/players/1",
    "closing": f"/t/{{key}}/matches/1/deals/{DEALS + 1}/close",
    "script": SCRIPT,
}
SAID = {
    "board": "the match being played, `/t/<key>`",
    "sheets": "its 40 sheets, `/t/<key>/matches/1`",
    "sheet": "one sheet, `/t/<key>/matches/1/deals/20`",
    "history": "the table's matches, `/t/<key>/history`",
    "ranking": "the ranking of a game, `/t/<key>/history?game=chorizo`",
    "rules": "its rules, `/t/<key>/matches/1/rules`",
    "person": "a person, `/t/<key>/players/1`",
    "closing": "a closing form just opened, `/t/<key>/matches/1/deals/41/close`",
    "script": "what every request passes, `/sw.js`",
}


def get(client: FlaskClient, path: str) -> Callable[[], bytes]:
    """Return a function that asks for a page on a phone, and returns what is sent."""

    def work() -> bytes:
        answer = client.get(path)
        assert answer.status_code == 200, answer.text
        assert answer.headers.get("Content-Encoding") == "br", f"{path} is not compressed"
        return answer.data

    work()
    return work


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--turns", type=int, default=7, help="turns of each page, of half a second (7)")
    asked = options.parse_args()
    print_machine()
    with stage(DEALS) as table, tempfile.TemporaryDirectory() as folder:
        paths = {name: path.format(key=table.key) for name, path in PAGES.items()}
        ours = {name: get(phone_of(table.app, table.key), path) for name, path in paths.items()}
        sent = {name: ours[name]() for name in paths}
        bodies = {name: brotli.decompress(each) for name, each in sent.items()}
        bare = floor_app({f"/{name}": body for name, body in bodies.items()}, Path(folder), table.app.config, "/script")
        floors = {f"floor of {name}": get(browser(bare), f"/{name}") for name in paths}
        for name in paths:
            same = brotli.decompress(floors[f"floor of {name}"]()) == bodies[name]
            assert same, "the floor must answer with the same bytes"
        taken = side_by_side({**ours, **floors}, asked.turns)
        rows = []
        for name, body in bodies.items():
            app, floor = taken[name], taken[f"floor of {name}"]
            sizes = [f"{len(each) / 1000:.1f}" for each in (body, sent[name])]
            rows.append([SAID[name], *sizes, f"{app * 1e3:.2f}", f"{floor * 1e3:.2f}", f"{app / floor:.2f}"])
    head = ["page", "KB", "sent, KB", "app, ms", "floor, ms", "times the floor"]
    report([Measured("pages", "CPU of a request", head, rows)], asked.write)


if __name__ == "__main__":
    main()
