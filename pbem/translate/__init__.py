"""The translator: checks of orders, written in Python, as JavaScript for the order page.

Exports `program` (translates a system's checks, or names the lines outside the subset of Python)
and `compiled` (the same from the wheel). The subset: docs/formats.md, "Checks".
"""
