"""What rule systems are built from: verbs, checks, questions, views, tables, bots and geometry.

Exports one module for each; a game imports what it uses. docs/authors.md shows them in order.
"""
