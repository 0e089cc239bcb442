"""What the app costs, measured on the machine it runs on; each module is one command that prints its tables.

With ``--write`` it puts them into docs/scale.md.
"""
