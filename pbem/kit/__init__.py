"""What rule systems are built from: verbs, checks, views, tables, contacts, bots, grids, charts.

Exports `grids` and `hexes`. A game imports what it uses.
"""
