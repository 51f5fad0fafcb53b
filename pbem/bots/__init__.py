"""Games with bots: plain, of other styles, searching, wild; demo, practice, playouts.

Exports `bot_orders`, `demo`, `kinds`, `playouts`, `practice`, `random_orders`, `seats`,
`simulate`, `strong` and `wild`.
"""
