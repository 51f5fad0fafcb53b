"""The tables of Atlantic Chase: facts with source and confidence (`board`, `tables`)."""

FILES = ("actions.toml", "board.toml", "rules.toml", "scenarios.toml", "ships.toml")
