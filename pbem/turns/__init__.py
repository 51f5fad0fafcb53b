"""The life of a window: opened by reports, closed by the rules, in time.

Exports `open_window`, `close_window`, `run_on`, `schedule` and `strict_dice`.
"""
