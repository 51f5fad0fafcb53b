"""Finished games: each side's chances, turning points, luck and skill, by playouts.

Exports `moments`, `chances`, `report` and `whole`.
"""
