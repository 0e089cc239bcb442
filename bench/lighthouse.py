"""What Lighthouse says of eight pages: ``make lighthouse``, or ``python -m bench.lighthouse``.

It needs Node 20 or newer, a Chromium as the browser tests do, and Lighthouse: ``LIGHTHOUSE`` in the environment names
its command (else ``lighthouse``; ``npm install lighthouse@12`` makes ``node_modules/.bin/lighthouse``). Each page is
looked at three times and the median is shown. It fails where a page has less than 100. Pages behind a key are found by
no search engine, on purpose: their figure for that is left out.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import find
from tests.helpers.serving import serving

from .stage import print_machine, print_table
from .taps import Thumb, open_table, play

TIMES = 3
WHOLE = 100
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
WITHOUT_A_KEY = {"start": "/", "new table": "/tables/new", "captures": "/captures", "prime": "/prime"}
OF_A_TABLE = {
    "the match being played": "",
    "closing form": "/matches/1/deals/2/close",
    "sheet of a deal": "/matches/1/deals/1",
    "matches and players": "/history",
}
"""Pages by what follows the address of a table in which one deal is closed."""


def played(app: str, executable: str) -> str:
    """Return the address of a table at which one deal was played."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable)
        thumb = Thumb(browser, app)
        table = open_table(thumb, "Ana", "Beto")
        play(thumb, table)
        browser.close()
    return table


def scores(command: str, address: str, folder: Path, executable: str) -> dict[str, float]:
    """Return the scores of a page from 0 to 100, by category: the median of several looks."""
    looks: list[dict[str, float]] = []
    written = folder / "report.json"
    options = ["--quiet", "--output=json", f"--output-path={written}", "--chrome-flags=--headless --no-sandbox"]
    while len(looks) < TIMES:
        run = [command, address, *options, f"--only-categories={','.join(CATEGORIES)}"]
        subprocess.run(run, env={**os.environ, "CHROME_PATH": executable}, check=True)
        categories = json.loads(written.read_text())["categories"]
        # Now and then it records no trace, and says of the page's speed nothing at all.
        if all(categories[name]["score"] is not None for name in CATEGORIES):
            looks.append({name: WHOLE * categories[name]["score"] for name in CATEGORIES})
    return {name: statistics.median(look[name] for look in looks) for name in CATEGORIES}


def main() -> int:
    """Print the scores; return 1 where one is less than 100."""
    print_machine()
    command, executable = shutil.which(os.environ.get("LIGHTHOUSE", "lighthouse")), find()
    if command is None or executable is None:
        print(__doc__, file=sys.stderr)
        return 2
    rows, is_whole = [], True
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder), SCOREKEEPER_BRAKES="off") as app:
        table = played(app, executable)
        pages = {**{name: app + path for name, path in WITHOUT_A_KEY.items()}}
        pages |= {name: table + path for name, path in OF_A_TABLE.items()}
        for name, address in pages.items():
            found = scores(command, address, Path(folder), executable)
            if name in OF_A_TABLE:
                del found["seo"]
            is_whole = is_whole and min(found.values()) == WHOLE
            rows.append([name, *(f"{found[each]:.0f}" if each in found else "" for each in CATEGORIES)])
            print(" ".join(rows[-1]), flush=True)
    print_table("Lighthouse", ["page", *CATEGORIES], rows)
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main())
