"""Charts of a report as SVG and PNG.

Exports `chart`, `drawing` (a chart inside a page), `png`, `picture_cache` and `themes`. Each of the
other modules lays out one part of a chart.
"""
