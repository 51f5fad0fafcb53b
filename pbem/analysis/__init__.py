"""After the end of a game: each side's chances in every window, and what moved them, by playouts.

Exports `moments`, `chances` and `report`.
"""
