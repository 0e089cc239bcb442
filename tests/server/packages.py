"""Find Debian's Redis for the tests of the brakes, install it where that is allowed, or say that it is missing."""

from __future__ import annotations

import shutil
import sys

from ..helpers.debian import ready


def wanted() -> dict[str, object]:
    """Return the Debian packages of these tests, each with what it is found by."""
    return {"redis-server": shutil.which("redis-server")}


if __name__ == "__main__":
    sys.exit(0 if ready("the tests of brakes over several hosts", wanted) else 1)
