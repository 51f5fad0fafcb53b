"""The referee: mail, keys, dice, time, the ledger, the command line. Knows no game."""

__version__ = "1.0.0"
