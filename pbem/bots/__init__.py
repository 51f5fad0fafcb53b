"""Games with bots: demo, practice, simulation, a bot's orders in any game.

Exports `bot_orders`, `demo`, `practice` and `simulate`.
"""
