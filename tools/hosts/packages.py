"""Find the proxy and the database that fails over, install Debian's where that is allowed, or say what is missing."""

from __future__ import annotations

import shutil
from pathlib import Path

POSTGRESQL = Path("/usr/lib/postgresql/15/bin")


def wanted() -> dict[str, object]:
    """Return the Debian packages of the drills, each with what it is found by."""
    return {
        "haproxy": shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin"),
        "patroni": shutil.which("patroni"),
        "etcd-server": shutil.which("etcd"),
        "postgresql-15": (POSTGRESQL / "postgres").is_file(),
    }
