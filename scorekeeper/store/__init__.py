"""The notebook: tables, players, matches and the append-only journal of what happened."""
