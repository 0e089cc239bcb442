"""Measure the costs of the app on this machine; each module is one command that prints its tables.

With ``--write`` it puts them into docs/scale.md.
"""
