"""What rule systems are built from: checks, verbs, questions, views, tables, bots and geometry.

Exports `parts`, `views`, `tables`, `doctrine`, `points`, `sides` and `edits`. A game imports what
it uses.
"""
