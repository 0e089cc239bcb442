"""The application object for a WSGI server: ``gunicorn wsgi:app``."""

import sys

from scorekeeper.app import create_app
from scorekeeper.store.db import OfOthers, refuse_of_others

NOT_LOADED = 4
"""The status with which a worker of gunicorn ends that shall not be begun anew."""

app = create_app()
try:
    refuse_of_others(app)
except OfOthers as refused:
    print(refused, file=sys.stderr, flush=True)
    sys.exit(NOT_LOADED)
