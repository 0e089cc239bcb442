"""Find WebKitGTK and Firefox for the tests of the engines, install Debian's where it may, or say what is missing."""

from __future__ import annotations

import shutil
import sys
from glob import glob

from ..helpers.debian import ready

MINI_BROWSERS = ("/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser")


def mini_browser() -> str | None:
    """Return the path of WebKitGTK's MiniBrowser, which no PATH has; None where there is none."""
    return next((path for pattern in MINI_BROWSERS for path in sorted(glob(pattern), reverse=True)), None)


def firefox() -> str | None:
    """Return the path of a Firefox, the extended support release before others; None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def wanted() -> dict[str, object]:
    """Return the Debian packages of the engines, each with what it is found by."""
    return {
        "webkit2gtk-driver": shutil.which("WebKitWebDriver") and mini_browser(),
        "xvfb": shutil.which("Xvfb"),
        "firefox-esr": firefox(),
    }


def main() -> int:
    """Leave the engines in place and return 0, or say which packages are missing and return 1."""
    if not ready("the tests of the engines", wanted):
        return 1
    print(f"Tests of the engines use {mini_browser()} and {firefox()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
