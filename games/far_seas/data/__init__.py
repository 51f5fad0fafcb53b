"""The tables of Far Seas: facts with source and confidence (`board`, `setup`)."""

FILES = ("areas.toml", "combat.toml", "rules.toml", "scenarios.toml", "ships.toml")
