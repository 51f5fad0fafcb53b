"""What rule systems are built from: verbs, checks, questions, views, tables, bots and geometry.

Exports `menus`, `checks`, `sorts`, `doctrine`, `views`, `points`, `sides`, `edits`, `contacts`,
`tables`, `parts`, `grids`, `hexes`, `plane`, `reports`, `bots`, `charts` and `text_charts`; a game
imports what it uses.
"""
