"""Runs a rule system: turn scripts, windows, questions, edits by rulings.

Exports `drive`, which records what it runs; `quick`, for playouts; `runner`, what both have in
common; `position`, a stored game between two windows; `edits`.
"""
