"""Play an evening with a screen reader and print what it says: ``make by-ear`` runs ``python -m tools.by_ear``."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.engines.packages import firefox
from tests.helpers.debian import ready
from tests.helpers.serving import serving

from .desk import desk
from .evening import Evening, OtherPhone
from .steps import play

LANGUAGE = "es-AR,es"
BUS = "BY_EAR_BUS"
"""Set where the session bus of the run is there: Orca and Firefox find each other by it."""


def wanted() -> dict[str, object]:
    """Return the Debian packages of a run, each with what it is found by."""
    return {
        "orca": shutil.which("orca"),
        "at-spi2-core": next(Path("/usr/libexec").glob("at-spi*bus-launcher"), None),
        "dbus": shutil.which("dbus-run-session"),
        "openbox": shutil.which("openbox"),
        "xdotool": shutil.which("xdotool"),
        "xvfb": shutil.which("Xvfb"),
        "firefox-esr": firefox(),
    }


def main() -> int:
    """Play the evening, and return 0; 1 where a package is missing, or a step did not find what it looked for."""
    if not ready("by ear", wanted):
        return 1
    if BUS not in os.environ:
        command = ["dbus-run-session", "--", sys.executable, "-m", "tools.by_ear"]
        os.execvpe(command[0], command, {**os.environ, BUS: "1"})
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        instance = folder / "instance"
        instance.mkdir()
        with serving(instance) as address, desk(folder, address, LANGUAGE) as at:
            evening = Evening(at, OtherPhone(address), address)
            play(evening)
    print(f"{len(evening.missed)} of the ways were not found", *evening.missed, sep="\n  ")
    return 1 if evening.missed else 0


if __name__ == "__main__":
    sys.exit(main())
