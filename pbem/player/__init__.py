"""A player's side of orders: read by his report, signed; joining a game.

Exports `reader`, `sign`, `joining` and `run_word`; the referee reads orders by the same code.
"""
