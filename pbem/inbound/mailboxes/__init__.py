"""Where mail waits for us, one file for each kind of mailbox.

Exports `interface` (Mailbox, Fetched) and `registry` (which one the home uses).
"""
