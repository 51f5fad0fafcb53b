"""The tables of BattleFleet Baltic: facts with source and confidence (`tables`)."""

FILES = ("rules.toml", "scenarios.toml", "ships.toml")
