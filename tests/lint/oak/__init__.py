"""A guest of the tests: a small hidden-movement game."""
