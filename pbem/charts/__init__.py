"""Charts of a report as SVG and PNG.

Exports `chart`, `drawing` (a chart inside a page), `png`, `picture_cache` and `themes`; the rest
lays out one part of a chart each.
"""
