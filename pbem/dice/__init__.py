"""Dice: sources of values, chains of links, proofs, commitments.

Exports `sources`, `provable`, `chains`, `dicekey` and `commitment`.
"""
