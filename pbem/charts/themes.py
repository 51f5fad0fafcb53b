"""The colours of charts, and the colours that the palette of a PNG must contain."""

from __future__ import annotations

Theme = dict[str, str]
"""Name of a colour -> the colour as `#rrggbb`. All themes have the same names."""

LIGHT: Theme = {
    "paper": "#fbf7ec",
    "sea": "#c9dde6",
    "sea2": "#dcebf0",
    "shoal": "#f4fbfb",
    "land": "#eddfb9",
    "coast": "#7d6a42",
    "grid": "#8fb0be",
    "gridl": "#b49c66",
    "grat": "#b3cbd4",
    "gratlab": "#5d7f8d",
    "celllab": "#6f93a3",
    "seaname": "#5d8598",
    "landname": "#8a7548",
    "route": "#2f7d5b",
    "beads": "#8a5a9e",
    "border": "#54707c",
    "own": "#173f73",
    "ownink": "#ffffff",
    "ownlab": "#12345f",
    "foe": "#b3261e",
    "area": "#c26a00",
    "air": "#2f6fb3",
    "none": "#2f9c86",
    "halo": "#fbfaf3",
    "rose": "#54707c",
    "frame": "#3b3a34",
    "ink": "#22282c",
    "ink2": "#5b666c",
    "badge": "#ffffff",
    "badgeline": "#d9d0b8",
    "enemyport": "#8c1d18",
    "neutral": "#7c7560",
    "fog": "#8b979d",
    "night": "#2b3f63",
    "closed": "#a8481c",
}
DARK: Theme = {
    "paper": "#0f1519",
    "sea": "#0e2230",
    "sea2": "#14303f",
    "shoal": "#2b5266",
    "land": "#454a3c",
    "coast": "#a3ab98",
    "grid": "#2c4f61",
    "gridl": "#626b58",
    "grat": "#1f4152",
    "gratlab": "#6f97a8",
    "celllab": "#5d8598",
    "seaname": "#6f9db2",
    "landname": "#cfc9ab",
    "route": "#56c596",
    "beads": "#c79be0",
    "border": "#7fa3b3",
    "own": "#7db8ff",
    "ownink": "#06182b",
    "ownlab": "#b9d8ff",
    "foe": "#ff6b5e",
    "area": "#ffb04d",
    "air": "#8cc7ff",
    "none": "#3fbfa6",
    "halo": "#0c1a23",
    "rose": "#7fa3b3",
    "frame": "#6d7c83",
    "ink": "#eef2f3",
    "ink2": "#9fb0b8",
    "badge": "#182127",
    "badgeline": "#2c3a42",
    "enemyport": "#ff8b80",
    "neutral": "#b3ab92",
    "fog": "#93a4ac",
    "night": "#000000",
    "closed": "#f0935a",
}
THEMES = {"light": LIGHT, "dark": DARK}

RED = {
    "light": {
        "own": "#9c231c",
        "ownlab": "#7d1712",
        "air": "#b5533c",
        "foe": "#1f5a9e",
        "enemyport": "#173f73",
    },
    "dark": {
        "own": "#ff8b80",
        "ownink": "#2b0806",
        "ownlab": "#ffc4bd",
        "air": "#ffb3a3",
        "foe": "#5ea6ff",
        "enemyport": "#7db8ff",
    },
}
"""Theme -> the colours that are others for the side that is red: its own forces and its enemy's."""


def theme_of(name: str, red: bool = False) -> Theme:
    """A theme as a side sees it. red: its own forces are red and the enemy's blue, so that each
    side has its colour in every picture, whoever looks at it."""
    return THEMES[name] | RED[name] if red else THEMES[name]


TONES = {
    "own": "own",
    "own2": "air",
    "enemy": "foe",
    "enemy2": "area",
    "neutral": "neutral",
    "convoy": "route",
    "zone": "beads",
    "closed": "closed",
    "calm": "none",
    "fog": "fog",
    "land": "land",
    "shallow": "shoal",
    "line": "border",
}
"""Tone of a shape -> name of its colour in a theme."""
OWNERS = {"board": "line", "own": "own", "enemy": "enemy", "neutral": "neutral"}
"""Owner -> the tone of what says none."""
EDGES = {"land": "coast", "shoal": "seaname"}
"""Colours whose lines have another colour."""
WORDS = {"land": "landname", "shoal": "seaname", "own": "ownlab"}
"""Colours whose words have another colour."""


def ink_of(owner: str, tone: str | None) -> str:
    """The name of the colour of a thing in a theme. For a tone that there is not, that of its
    owner: `pbem.charts.check` names it, and a mail must go out."""
    return TONES.get(tone or "") or TONES[OWNERS.get(owner, "line")]


FADED = ("own", "foe", "area", "route", "beads", "none", "air", "enemyport", "fog")
"""Colours that are drawn half transparent over the sea."""

ON_PAPER = ("foe", "area", "none", "fog")
"""Colours that are drawn half transparent over the paper, in the legend."""


def rgb(colour: str) -> tuple[int, int, int]:
    """`#173f73` as red, green and blue from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(over: str, under: str, share: float) -> str:
    """The colour of `over`, drawn on `under` with an opacity of `share` (0 to 1)."""
    pairs = zip(rgb(over), rgb(under), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def flat_sea(theme: Theme) -> str:
    """The colour of a sea without shades."""
    return mix(theme["sea"], theme["sea2"], 0.5)


def seeds(theme: Theme) -> list[str]:
    """The colours that the palette of a PNG must contain, without repeats."""
    mixed = (mix(theme[k], theme["sea2"], f) for k in FADED for f in (0.75, 0.5, 0.25))
    printed = (mix(theme[k], theme["paper"], f) for k in ON_PAPER for f in (0.5, 0.16))
    return list(dict.fromkeys([*theme.values(), flat_sea(theme), *mixed, *printed]))
