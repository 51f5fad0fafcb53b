"""9 The combat tables, typed and read once: the edition's own, or those of the house rules."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct, convert

from games.bismarck import tables
from games.bismarck.tables import Pair
from pbem.kit.tables import numbered, pair

FILE = "combat.toml"
Range = Literal["A", "B"]
Field = Literal["broadside", "bow", "stern"]
FIELDS: tuple[Field, ...] = ("broadside", "bow", "stern")
BATTLESHIPS = ("BB", "BC")
CRUISER = ("CA", "CL")


class Hit(Struct, frozen=True):
    """What one entry of a table does: boxes lost by section, evasion lost for good, or the end."""

    bow: int = 0
    stern: int = 0
    secondary: int = 0
    midships: int = 0
    evasion: int = 0
    sunk: bool = False
    special: bool = False
    """9.712 The special damage table has to be asked."""


MISS = Hit()
Column = Mapping[int, Hit]


class Special(Struct, frozen=True):
    """9.712, 9.84 The special damage tables and who uses which."""

    a: Column
    heavy_a: Column
    b: Column
    heavy: frozenset[str]
    always_a: frozenset[str]

    def column(self, name: str, type_: str, reach: Range) -> Column:
        """9.712, 9.84 The column for a target; reach: A or B, as the fire table said."""
        if reach == "B" and name not in self.always_a and type_ not in CRUISER:
            return self.b
        return self.heavy_a if name in self.heavy else self.a


class Charts(Struct, frozen=True):
    """Every combat table."""

    fire: Mapping[Range, Mapping[Field, Column]]
    worth: Mapping[Range, Mapping[Field, int]]
    """What a shot of a fire table is expected to do (`worth`)."""
    special: Special
    bomber: Mapping[str, Column]
    strikes: Mapping[str, int]
    """Air strikes in a day turn, by side (9.16)."""
    movement: tuple[tuple[int, tuple[Pair, ...]], ...]
    """By highest evasion: (hexes, direction changes)."""
    loss: Mapping[str, int]
    """9.724 Evasion lost for each midships hit, by name of a ship, `cruiser` or `capital`."""
    repair: tuple[int, ...]
    """By face of the die (9.728)."""
    a_range: int
    """Hexes up to which table A is used."""
    b_range: int
    """Hexes up to which table B is used."""
    radius: int
    """Hexes from the centre to the edge of the board."""
    silent: int
    """Rounds in a row without a shot that end a battle."""

    def options(self, evasion: int) -> tuple[Pair, ...]:
        """9.53 Pairs of hexes and direction changes that an evasion level allows."""
        return next(pairs for top, pairs in self.movement if evasion <= top)

    def bombs(self, side: str, kind: str, type_: str) -> Column:
        """9.17 The Bomber Table of a side's torpedo or level bombers against a type of ship."""
        name = f"{side}_{kind}"
        heavy = self.bomber.get(f"{name}_battleships")
        return heavy if heavy is not None and type_ in BATTLESHIPS else self.bomber[name]

    def evasion_loss(self, name: str, type_: str) -> int:
        """9.724-9.726 Evasion lost for a time with each midships hit."""
        return self.loss.get(name) or self.loss["cruiser" if type_ in CRUISER else "capital"]


def charts(house: Mapping[str, str]) -> Charts:
    """The tables in force. Raises ValueError naming what is wrong in a moderator's text."""
    return _charts(house.get(FILE, ""))


def manoeuvres(house: Mapping[str, str]) -> tuple[tuple[int, tuple[Pair, ...]], ...]:
    """9.53 By highest evasion, the pairs of hexes and direction changes to choose from."""
    return charts(house).movement


@lru_cache(maxsize=8)
def _charts(text: str) -> Charts:
    file = tables.table(FILE, {FILE: text} if text else {})
    special, board = file["special"], file["board"]
    a = column(special["A"])
    fire = _fire(file["fire"])
    return Charts(
        fire=fire,
        worth={r: {f: worth(c, r) for f, c in by_field.items()} for r, by_field in fire.items()},
        special=Special(
            a,
            {**a, **column(special["A_heavy"])},
            column(special["B"]),
            frozenset(special["heavy"].split("|")),
            frozenset(special["always_A"].split("|")),
        ),
        bomber={name: column(row) for name, row in file["bomber"].items()},
        strikes=file["strikes"],
        movement=_movement(file["movement"]),
        loss=file["loss"],
        repair=tuple(int(n) for n in file["repair"]["die"].split()),
        a_range=file["range"]["A"],
        b_range=file["range"]["B"],
        radius=board["radius"],
        silent=board["silent"],
    )


def _fire(rows: Mapping[str, Mapping[str, str]]) -> dict[Range, dict[Field, Column]]:
    ranges: tuple[Range, Range] = ("A", "B")
    return {r: {f: column(rows[r][f]) for f in FIELDS} for r in ranges}


def worth(hits: Column, table: Range) -> int:
    """Expected damage of one shot, in 36ths of a tenth of a midships box: not a rule, but what
    `doctrine` weighs. Special damage counts two boxes on table B, three on A."""
    special = 20 if table == "B" else 30
    return sum((6 - abs(7 - total)) * _harm(hit, special) for total, hit in hits.items())


def _harm(hit: Hit, special: int) -> int:
    guns = hit.bow + hit.stern + hit.secondary
    return 10 * hit.midships + 4 * guns + hit.evasion + special * hit.special


def column(text: str) -> Column:
    """`2:SEC 3:M2+E5` as hits by dice total. Raises ValueError on an entry it does not know."""
    return numbered(text, hit)


def hit(entry: str) -> Hit:
    """`SEC+M1`, `M2+E5`, `SUNK`, `SP` as a hit. Raises ValueError."""
    found: dict[str, int] = {}
    for word in entry.split("+"):
        name, boxes = _WORDS.get(word, ("", 1))
        if not name and word[:1] in _COUNTED and word[1:].isdigit():
            name, boxes = _COUNTED[word[0]], int(word[1:])
        if not name:
            raise ValueError(f"{FILE}: '{entry}' is not a result of a combat table")
        found[name] = found.get(name, 0) + boxes
    flags = {name: name in found for name in ("sunk", "special")}
    return convert(found | flags, Hit)


_WORDS = {
    "BOW": ("bow", 1),
    "STERN": ("stern", 1),
    "SEC": ("secondary", 1),
    "SP": ("special", 1),
    "SUNK": ("sunk", 1),
}
_COUNTED = {"M": "midships", "E": "evasion"}


def _movement(rows: Mapping[str, str]) -> tuple[tuple[int, tuple[Pair, ...]], ...]:
    return tuple((int(top), tuple(map(pair, text.split()))) for top, text in rows.items())
