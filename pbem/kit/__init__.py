"""What rule systems are built from: verbs, checks, views, tables, contacts, bots, grids, charts.

Exports `parts`, `views`, `tables`, `doctrine`, `points`, `sides` and `edits`. A game imports what
it uses.
"""
