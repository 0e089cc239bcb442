"""The Brisca family: card points from tricks, and what a deal is worth (docs/rules.md 5.1).

``reading`` reads what is known of a deal, ``deciders`` say who won it, and ``game`` puts both together at one table.
"""
