"""The translator: checks of orders, written in Python, as JavaScript for the order page.

Exports `program` (translates a system's checks), `translation` (what comes of it: code and
constants, or the lines outside the subset of Python) and `compiled` (translations in the wheel).
The subset: docs/formats.md, "Checks".
"""
