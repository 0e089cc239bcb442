"""The journal of a match: ``kinds`` of entries, ``entries`` that are written and read, ``replay`` into a standing."""
