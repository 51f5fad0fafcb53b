"""Outgoing mail: build it, encrypt it, put it into the outbox, deliver it.

Exports `mime`, `encrypt`, `notices`, `announcements`, `forward`, `pending_reports`, `report_files`,
`spectators`, `addresses`, `deliver` and `transports`.
"""
