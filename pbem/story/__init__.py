"""After the end of a game: its story as a page and as Markdown with pictures.

Exports `write`, `plot` and `narrator`.
"""
