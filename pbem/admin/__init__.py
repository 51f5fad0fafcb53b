"""What a moderator does with a game, apart from resolving windows.

Exports `setup`, `commands`, `rulings`, `undo`, `lost_keys`, `key_change` and `press`.
"""
