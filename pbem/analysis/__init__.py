"""Chances of the sides in finished games, by playouts; beliefs of where an enemy may be.

Exports `moments`, `chances`, `report`, `belief` and `where`.
"""
