"""The options of a game: optional rules, the level of play, and how it is played."""

from pbem.model import Option

_ON = ("no", "yes")
_READY = ("moderate", "low", "high")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip

ADVANCED = (
    Option(
        "level",
        ("scenario", "basic", "intermediate", "advanced"),
        "which rules: those of the scenario, or of another level",
        "220",
    ),
    Option(
        "par",
        ("yes", "no"),
        "whether victory is counted from the lead that is par in the scenario, or from none",
        "6.18",
    ),
    Option("month", ("scenario", *MONTHS), "the time of year: darkness, weather and ice", "182"),
    Option("repair", ("steps", "die", "no"), "how damaged bases recover at Night", "6.10"),
    Option("initiative", ("segment", "phase"), "initiative for each segment, or one a turn", "223"),
    Option("deep", _ON, "deep mode of submarines", "197"),
    Option("mines", _ON, "mines and minesweeping", "207"),
    Option("sweep", ("one", "all"), "how many markers a sweep removes", "281"),
    Option("logistics", _ON, "fuel and ammunition, replenished in port and at sea", "6.5"),
    Option("nuclear", _ON, "tactical nuclear weapons", "6.6"),
    Option("cruise", _ON, "cruise missiles", "6.7/1"),
    Option("b1", _ON, "the B-1 bomber, in the campaign", "6.7/2"),
    Option("wings", _ON, "other wings for carriers, in the campaign", "6.7/3"),
    Option("future", _ON, "ships and aircraft that came later, in the campaign", "6.7/4"),
    Option("tattletales", _ON, "Soviet ships that shadow NATO groups, in the campaign", "6.7/5"),
    Option("speed", _ON, "high speed of warships", "6.7/6"),
    Option("range", _ON, "aircraft without bombs and missiles fly farther", "6.7/7"),
    Option("spread", _ON, "missiles that take another target", "6.7/8"),
    Option("close", _ON, "close combat", "6.8"),
    Option("decoys", _ON, "decoys", "6.19"),
    Option("nato-ready", _READY, "how well prepared NATO is, in the campaign", "6.4/2"),
    Option("soviet-ready", _READY, "how well prepared the Soviets are, in the campaign", "6.4/2"),
)
ORDERED = (
    "deep",
    "mines",
    "logistics",
    "nuclear",
    "cruise",
    "wings",
    "tattletales",
    "speed",
    "close",
    "decoys",
)
"""Options that have orders or words of their own."""
OPTIONS = (
    *ADVANCED,
    Option(
        "windows",
        ("segments", "turn", "halves"),
        "what has a window: each segment, the whole turn, or each half (so in asked games)",
        "9",
    ),
    Option(
        "fog",
        ("hidden", "open"),
        "whether only detected enemies are seen, or where all of them stand",
        "6.16",
    ),
    Option(
        "command",
        ("shared", "separate"),
        "whether officers see all of their side, or their own units and what lies near them",
    ),
    Option("told", ("yes", "no"), "whether owners see the enemy's markers on their ships", "97"),
)
