"""A game's folder: ledger, what it says now, files, the moderator's secrets.

Exports `game_dir` (where all is committed), `ledger`, `register`, `mail_state`, `runs`, `index`,
`bundle` and `secrets`.
"""
