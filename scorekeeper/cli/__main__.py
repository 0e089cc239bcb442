"""Run the command line: ``python -m scorekeeper.cli``."""

import sys

from .main import main

sys.exit(main())
