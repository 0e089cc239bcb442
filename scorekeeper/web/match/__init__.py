"""A match as its pages see it: the view, what its deals must be asked, the reasons behind its points."""
