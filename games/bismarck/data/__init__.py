"""The tables of the 1979 Basic Game, as facts with source and confidence (`games.bismarck.tables`)."""

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
