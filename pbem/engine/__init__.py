"""Runs a rule system: turn scripts, windows, questions, edits of rulings.

Exports `drive` and `edits`.
"""
