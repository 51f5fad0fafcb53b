"""What rule systems are built from: verbs, checks, views, tables, contacts, bots, grids, charts.

Exports `bots`, `charts`, `contacts`, `grids`, `hexes` and `text_charts`. A game imports
what it uses.
"""
