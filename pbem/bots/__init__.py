"""Games with bots: demo, practice, simulation, playouts, a bot's orders in any game.

Exports `bot_orders`, `demo`, `playouts`, `practice` and `simulate`.
"""
