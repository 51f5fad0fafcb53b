"""Dice: where values come from, chains of links, proofs, commitments.

Exports `sources`, `provable`, `chains`, `dicekey` and `commitment`.
"""
