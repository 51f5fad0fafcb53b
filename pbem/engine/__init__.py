"""Runs a rule system: turn scripts, windows, questions, edits by rulings.

Exports `drive` and `edits`.
"""
