"""The tables of 2nd Fleet: facts with source and confidence (`tables`, `board`)."""

FILES = (
    "advanced.toml", "air.toml", "logistics.toml", "map.toml", "roster.toml", "scenarios.toml",
    "ships.toml", "tables.toml",
)  # fmt: skip
