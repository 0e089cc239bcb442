"""Find WebKitGTK and Firefox for the tests of the engines, install Debian's where it may, or say what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from glob import glob

MINI_BROWSERS = ("/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser")


def mini_browser() -> str | None:
    """Return the path of WebKitGTK's MiniBrowser, which no PATH has; None where there is none."""
    return next((path for pattern in MINI_BROWSERS for path in sorted(glob(pattern), reverse=True)), None)


def firefox() -> str | None:
    """Return the path of a Firefox, the extended support release before others; None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def missing() -> list[str]:
    """Return the Debian packages that are missing here."""
    wanted = {
        "webkit2gtk-driver": shutil.which("WebKitWebDriver") and mini_browser(),
        "xvfb": shutil.which("Xvfb"),
        "firefox-esr": firefox(),
    }
    return [package for package, found in wanted.items() if not found]


def _install(packages: list[str]) -> None:
    for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", *packages]):
        subprocess.run(
            command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        )


def main() -> int:
    """Leave the engines in place and return 0, or say which packages are missing and return 1."""
    packages = missing()
    if packages and shutil.which("apt-get") and os.geteuid() == 0:
        print(f"Installing {', '.join(packages)} for the tests of the engines …", flush=True)
        try:
            _install(packages)
        except subprocess.CalledProcessError as error:
            print(f"'{' '.join(error.cmd)}' failed with status {error.returncode}.", file=sys.stderr)
        packages = missing()
    if not packages:
        print(f"Tests of the engines use {mini_browser()} and {firefox()}")
        return 0
    print(
        f"The tests of the engines need {', '.join(packages)}.\n"
        f"Install them (Debian, Ubuntu: sudo apt-get install {' '.join(packages)}).",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
