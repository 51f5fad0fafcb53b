"""The program that cron calls: one tick over all games of a home.

Exports `tick`, `parallel`, `idle` and `dry_run`.
"""
