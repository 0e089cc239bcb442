"""How tall the closing form is, and how many taps it takes on trust: ``python -m bench.closing``.

Names of set-ups, such as ``scopa-scopa-2x1``, choose some; ``--own`` gives the tables a line of their own.

Every game is opened under each of its presets with each of its line-ups, in a real browser on a phone of 360 by 640.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Collection
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import find
from tests.browser.closing import close_on_trust, look
from tests.browser.conftest import PHONE, Phone
from tests.browser.walk.deals import every_setup
from tests.helpers.serving import serving


def main(language: str, wanted: Collection[str], *, own: bool) -> None:
    """Print a Markdown table: a line a game, preset and line-up."""
    print("| game, preset, line-up | screens | rows | whole at once | all that is left in sight | taps | scrolls |")
    print("|-|-:|-:|-:|-|-:|-:|")
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        context = browser.new_context(
            base_url=address, viewport=PHONE, is_mobile=True, has_touch=True, locale=language, service_workers="block"
        )
        phone = Phone(context.new_page())
        for setup in every_setup():
            if wanted and str(setup) not in wanted:
                continue
            seen = look(phone, setup, own=own)
            way = "– | –" if seen.is_rest_in_sight is None else "{} | {}".format(*close_on_trust(phone))
            rest = {None: "–", True: "yes", False: "no"}[seen.is_rest_in_sight]
            print(f"| {setup} | {seen.screens:.2f} | {seen.rows} | {seen.whole} | {rest} | {way} |", flush=True)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("setups", nargs="*", metavar="GAME-PRESET-LINE_UP", help="only these")
    parser.add_argument("--language", default="es-AR")
    parser.add_argument("--own", action="store_true", help="with a line of the table's own that one side takes")
    asked = parser.parse_args()
    main(asked.language, asked.setups, own=asked.own)
