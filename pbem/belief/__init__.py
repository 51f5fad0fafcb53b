"""Where an enemy may be, from a side's own reports: a particle filter, and its chart.

Exports `filter`, the particle filter; `trust`, how far its guesses are trusted; `where`, table and
chart for a player.
"""
