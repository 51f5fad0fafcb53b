"""A side's report: its data, and its text, HTML and order form.

Exports `report`, `render`, `order_form`, `headline`, `key_notices` and `ruling_lines`.
"""
