"""What tests of a rule system use: a referee with players, two worlds, golden and frozen games.

Exports `referee`, `worlds`, `wild`, `texts`, `frozen` and `examples`. Nothing here needs pytest.
"""
