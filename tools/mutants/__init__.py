"""Change a module in many ways, one at a time, and see whether the tests near it notice (``make mutants``)."""
