"""Checks of a rule system for its author's mistakes: it is read, and bots and wild players play it.

Exports `run`, `finding` and `difference`.
"""
