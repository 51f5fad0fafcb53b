"""Mailboxes, one module for each kind.

Exports `interface` (Mailbox, Fetched) and `registry` (which one the home uses).
"""
