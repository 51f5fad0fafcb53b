"""Checks of a rule system for its author's mistakes: it is read, and bots play it under watch.

Exports `run`, `finding` and `difference`.
"""
