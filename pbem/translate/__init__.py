"""The translator: checks of orders, written in Python, as JavaScript for the order page.

Exports `program.translate` (the checks of a system), `program.NotTranslatable` (what stands outside
the subset of Python, with file and line) and `compiled.checks` (the same, made when the wheel was
built if it was). The subset: docs/formats.md, "Checks".
"""
