"""After the end of a game: its replay as a page, and the public bundle.

Exports `walk`, `frames` and `publish`.
"""
