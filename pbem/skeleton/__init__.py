"""The package that `pbem new-system` writes: a small whole game to begin a rule system from.

Exports `write`. The files of the package lie here as they are written, with `@NAME@`, `@TITLE@` and
`@VERSION@` for what differs; `.in` at the end of a name is dropped.
"""
