"""9.28 The battle board in text reports: hexes as characters, and a line for each ship.

A hex is four characters wide, and every odd row is shifted by two, as the hexes lie. A ship is two
letters and its bow: `>` east, `<` west, `/` north-east or south-west, `\\` the other two; the table
names the heading.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck.battle.coordinates import hex_of, name
from games.bismarck.battle_report import BattleBoard, BoardShip
from pbem.kit.hexes import Hex

PITCH, MOST = 4, 16
"""Characters of a hex, and hexes in a row at most."""
TALL = 22
"""Rows at most."""
BOWS = {"E": ">", "W": "<", "NE": "/", "SW": "/", "SE": "\\", "NW": "\\"}
WIDTH = 72
"""Columns of a line at most, as text reports have."""


def draw(battle: BattleBoard) -> list[str]:
    """The head, the board, the ships and the last round's fire, in at most 72 columns."""
    return [*head(battle), "", *rows(battle), "", *table(battle), *fired(battle)]


def head(battle: BattleBoard) -> list[str]:
    """Which battle, and how it stands."""
    at = f"after round {battle.round}" if battle.round else "set-up"
    facts = f"{battle.attacker} attack, edge {battle.edge}; {'night' if battle.night else 'day'}"
    said = [f"Battle {battle.number} in {battle.zone}, {at}; {facts}"]
    return [*said, f"It is over: {battle.over}"[:WIDTH]] if battle.over else said


def rows(battle: BattleBoard) -> list[str]:
    """The hexes around the ships that are on the board; each row begins with its westmost hex."""
    there = [s for s in battle.ships if s.fate in ("", "broke off")] or list(battle.ships)
    marks: dict[tuple[int, int], list[BoardShip]] = {}
    for ship in there:
        marks.setdefault(_grid(hex_of(ship.at.hex)), []).append(ship)
    columns, lines = zip(*marks, strict=True)
    west, north = _first(columns, MOST), _first(lines, TALL)
    wide = min(max(columns) - west + 3, MOST)
    high = min(max(lines) - north + 2, TALL)
    out = []
    for row in range(north, north + high):
        cells = "".join(
            f"{_mark(marks.get((column, row), ())):<{PITCH}}" for column in range(west, west + wide)
        )
        label = name(Hex(west - (row - row % 2) // 2, row))
        out.append(f"{label} {'  ' if row % 2 else ''}{cells}".rstrip())
    return out


def _first(numbers: Sequence[int], most: int) -> int:
    """Where the board begins: one before the first ship; before the middle if they are too far
    apart for it."""
    low, high = min(numbers) - 1, max(numbers) + 1
    return low if high - low < most else (low + high - most) // 2


def _grid(at: Hex) -> tuple[int, int]:
    """Column and row of a hex."""
    return at.q + (at.r - at.r % 2) // 2, at.r


def _mark(ships: Sequence[BoardShip]) -> str:
    if not ships:
        return "."
    if len(ships) == 1:
        return _letters(ships[0]) + BOWS[ships[0].at.heading]
    return f"{_letters(ships[0])[0]}{_letters(ships[1])[0]}{len(ships)}"


def _letters(ship: BoardShip) -> str:
    """Two letters: initials, else the first two; small ones for an enemy."""
    words = ship.name.split()
    two = (words[0][0] + words[-1][0] if len(words) > 1 else ship.name[:2]).upper()
    return two if ship.own else two.lower()


HEADS = ("", "Ship", "Hex", "Bow", "Range", "B/S/P/S/M", "Evasion", "State")


def table(battle: BattleBoard) -> list[str]:
    """A line for each ship: its boxes left by section (bow, stern, port, starboard, midships)."""
    lines = [HEADS, *(_row(s) for s in battle.ships)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADS))]
    return [
        "  ".join(f"{cell:<{wide}}" for cell, wide in zip(line, widths, strict=True)).rstrip()[
            :WIDTH
        ]
        for line in lines
    ]


def _row(ship: BoardShip) -> tuple[str, ...]:
    near = min((b.hexes for b in ship.bearings), default=None)
    left = {s.name: s.boxes - s.hit for s in ship.sections}
    boxes = "/".join(
        str(left.get(box, "-")) for box in ("bow", "stern", "port", "starboard", "midships")
    )
    gone = ship.fate in ("sunk", "withdrew")
    return (
        _letters(ship),
        ship.name,
        "" if gone else ship.at.hex,
        "" if gone else ship.at.heading,
        "" if near is None else str(near),
        boxes,
        f"{ship.evasion} of {ship.printed}" if ship.own else f"max {ship.evasion}",
        ship.fate or ("withdrawing" if ship.withdrawing else "fights"),
    )


def fired(battle: BattleBoard) -> list[str]:
    """The fire of the last round."""
    last = max((s.round for s in battle.fire), default=0)
    lines = [
        f"{s.ship} at {s.target}, range {s.hexes}: {s.shots} shot{'' if s.shots == 1 else 's'}, "
        + (", ".join(s.hits) or "no hit")
        for s in battle.fire
        if s.round == last
    ]
    return ["", f"Fire in round {last}", *(line[:WIDTH] for line in lines)] if lines else []
