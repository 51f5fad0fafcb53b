"""The tables of the oak."""

FILES = ("noise.toml",)
