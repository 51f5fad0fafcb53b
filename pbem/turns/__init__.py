"""The life of a window: opened by reports, closed by the rules, in time.

`open_window` makes reports and mails, `close_window` resolves orders, `links` finds the links that
enter the dice, `run_on` handles runs of agreed turns, `schedule` sets deadlines, `strict_dice`
locks orders.
"""
