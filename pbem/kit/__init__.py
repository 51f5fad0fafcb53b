"""What rule systems are built from: checks, verbs, questions, views, tables, bots and geometry.

Exports `checks` (what is wrong with an order that parses).
"""
