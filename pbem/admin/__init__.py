"""What a moderator does with a game besides its windows.

Exports `setup`, `commands`, `rulings`, `undo`, `officers`, `key_change` and `press`.
"""
