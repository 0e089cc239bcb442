"""The scorekeeper for the phone in the middle of a card table: rules → store → web.

Importing this package imports nothing else, so that the engine (``scorekeeper.rules``) needs only Python.
The web app is made by ``scorekeeper.app.create_app``.
"""
