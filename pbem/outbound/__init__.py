"""Mail that leaves: built, encrypted, put into the outbox, delivered.

Exports `mime`, `encrypt`, `notices`, `announcements`, `forward`, `pending_reports`, `spectators`,
`addresses`, `deliver` and `transports`.
"""
