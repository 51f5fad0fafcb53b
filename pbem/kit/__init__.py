"""What rule systems are built from: verbs, checks, questions, views, tables, bots and geometry.

Exports `menus`, `doctrine`, `views`, `points`, `sides`, `edits`, `tables`, `parts` and `plane`; a
game imports what it uses.
"""
