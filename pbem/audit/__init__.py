"""Audits: check a game by its ledger, and the reports and receipts that a player kept.

Exports `auditor`, `archive`, `rerun`, `findings`, `publication`, `verify_report`, `open_file`,
`dice_checks` and `key_checks`.
"""
