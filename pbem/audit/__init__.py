"""Checks a game by its ledger, and what a player holds of it.

Exports `auditor`, `findings`, `verify_report`, `open_file`, `dice_checks` and `key_checks`.
"""
