"""After the end: a game played again, as a page and as a bundle to check.

Exports `walk`, `frames` and `publish`.
"""
