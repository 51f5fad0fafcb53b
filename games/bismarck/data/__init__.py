"""The tables of the 1979 Basic Game: facts with source and confidence (`bismarck.tables`)."""

FILES = (
    "air.toml",
    "board.toml",
    "chance.toml",
    "combat.toml",
    "shadow.toml",
    "ships.toml",
    "victory.toml",
    "visibility.toml",
)
