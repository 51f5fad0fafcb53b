"""A game's folder: the ledger, the state that is folded from it, files, the moderator's secrets.

Exports `game_dir` (through which everything is committed), `ledger`, `records`, `register`,
`holders`, `mail_state`, `names`, `ordering`, `runs`, `index`, `bundle` and `secrets`.
"""
