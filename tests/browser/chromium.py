"""Find a Chromium for the browser tests, install Debian's where that is possible, or say exactly what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""The shell first: it draws the same pages without the window of a desktop around each, which costs a third more."""


def find() -> str | None:
    """Return the path of a Chromium: ``CHROMIUM`` in the environment, else the first of the usual names."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    return next((path for path in map(shutil.which, NAMES) if path), None)


def _install() -> None:
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", NAMES[0]]):
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )


def main() -> int:
    """Leave a Chromium in place and return 0, or say what is missing and return 1."""
    if not find() and shutil.which("apt-get") and os.geteuid() == 0:
        print("No Chromium found; installing Debian's for the browser tests …", flush=True)
        try:
            _install()
        except subprocess.CalledProcessError as error:
            print(f"'{' '.join(error.cmd)}' failed with status {error.returncode}.", file=sys.stderr)
    found = find()
    if found:
        print(f"Browser tests use {found}")
        return 0
    print(
        "The browser tests need Chromium, and none was found.\n"
        "Install it (Debian: sudo apt-get install chromium-headless-shell; elsewhere chromium),\n"
        "or name one: CHROMIUM=/path/to/chrome make test\n"
        "The tests without a browser run alone with: make t T=tests/web",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
