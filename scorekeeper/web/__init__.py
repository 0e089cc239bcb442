"""The table's face: Flask blueprints, one per noun; forms turn text into facts, the rules judge, the journal holds."""
