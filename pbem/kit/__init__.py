"""What rule systems are built from: checks, verbs, questions, views, tables, bots and geometry.

Exports `plane` (exact geometry without cells).
"""
