"""How a deal gets into the journal: the forms of its parts, and one class for each kind of entry."""
