"""Finds the Debian packages of a run, installs them where it may, or says which are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping


def ready(purpose: str, wanted: Callable[[], Mapping[str, object]]) -> bool:
    """Return whether all packages are there, after root has installed them; say which are missing.

    ``wanted`` gives each package with what it is found by, which is nothing where it is missing.
    """
    missing = [package for package, found in wanted().items() if not found]
    if missing and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing {', '.join(missing)} for {purpose} …", flush=True)
        try:
            _install(missing)
        except subprocess.CalledProcessError as error:
            print(f"'{' '.join(error.cmd)}' failed with status {error.returncode}.", file=sys.stderr)
        missing = [package for package, found in wanted().items() if not found]
    if missing:
        print(
            f"What is missing for {purpose}: {', '.join(missing)}.\n"
            f"Install them (Debian, Ubuntu: sudo apt-get install {' '.join(missing)}).",
            file=sys.stderr,
        )
    return not missing


def _install(packages: list[str]) -> None:
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *packages]):
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )
