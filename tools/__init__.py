"""What is run by hand: tools that judge nothing, and are no tests."""
