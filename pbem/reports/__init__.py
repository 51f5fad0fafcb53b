"""A side's report: its data, and the text and HTML that show it.

Exports `report`, `render`, `headline`, `key_notices` and `ruling_lines`.
"""
