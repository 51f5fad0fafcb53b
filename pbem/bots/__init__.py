"""Games with bots: plain bots, other styles, bots that search; demo, practice, playouts.

Exports `bot_orders`, `demo`, `kinds`, `playouts`, `practice`, `seats`, `simulate` and `strong`.
"""
