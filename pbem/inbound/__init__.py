"""Mail that arrives: fetched, parsed in a sandbox, authenticated, answered.

Exports `fetch`, `spool`, `dispatch`, `intake`, `mailboxes`, and a module for each step between.
"""
