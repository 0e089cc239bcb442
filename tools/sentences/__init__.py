"""Every sentence of the pages, filled in with examples, for a reader to go through."""
