"""What players do with orders: check them by the report, sign them; joining letters.

Exports `reader`, `sign`, `joining`, `numbering` and `run_word`; the referee uses the same code.
"""
