"""The tables of 2nd Fleet: facts with source and confidence (`tables`, `board`)."""

FILES = ("air.toml", "map.toml", "scenarios.toml", "ships.toml", "tables.toml")
