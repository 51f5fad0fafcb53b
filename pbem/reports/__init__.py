"""A side's report: its data, and the text and HTML that show it.

Exports `report`, `render`, `order_form`, `headline`, `key_notices` and `ruling_lines`.
"""
