"""Take pictures of every page and state: ``python -m tools.pictures [FOLDER] [NAME ...]``.

A picture that cannot be taken is named, and the others are taken all the same; then the exit code is 1.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.chromium import find
from tests.helpers.pictures import pages, walks
from tests.helpers.pictures.studio import LARGE, PICTURES, Studio
from tests.helpers.serving import serving


def main(folder: Path, names: list[str]) -> int:
    """Take the pictures of these names, else all; return how the program ends."""
    folder.mkdir(parents=True, exist_ok=True)
    unknown = set(names) - PICTURES.keys()
    if unknown:
        print(f"There is no picture {', '.join(sorted(unknown))}; there are: {', '.join(PICTURES)}", file=sys.stderr)
        return 2
    missing = []
    with tempfile.TemporaryDirectory() as instance, serving(Path(instance)) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find())
        large = playwright.chromium.launch(executable_path=find(), args=LARGE)
        studio = Studio(browser, large, address, folder)
        for name in names or PICTURES:
            try:
                PICTURES[name](studio)
            except Exception as error:  # whatever is wrong with one page, the others are taken
                missing.append(f"{name}: {str(error).splitlines()[0]}")
                studio.failed(name)
            studio.put_away()
        browser.close()
        large.close()
    print(f"{len(studio.taken)} pictures of {pages.__name__} and {walks.__name__} in {folder}")
    for line in missing:
        print(f"missing: {line}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "pictures"), sys.argv[2:]))
