"""A club around the games of a home: seats offered by mail, standings, and a site.

Exported: `steps` (what a tick does for the club), `offers`, `state`.
"""
