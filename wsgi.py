"""The application object for a WSGI server: ``gunicorn wsgi:app``."""

from scorekeeper.app import create_app

app = create_app()
