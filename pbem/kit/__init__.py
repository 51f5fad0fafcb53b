"""What rule systems are built from: verbs, checks, questions, views, tables, contacts, bots, grids.

Exports `menus`. A game imports what it uses.
"""
