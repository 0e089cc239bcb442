"""Every bench of docs/scale.md, one after the other, each in a process of its own: ``python -m bench [--write]``."""

from __future__ import annotations

import subprocess
import sys

BENCHES = ("pages", "load", "growth", "writes", "live")

for bench in BENCHES:
    print(f"\n{bench}:", flush=True)
    subprocess.run([sys.executable, "-m", f"bench.{bench}", *sys.argv[1:]], check=True)
