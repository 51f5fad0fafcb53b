"""The tables and numbers of the rules, typed and read once."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct

from games.atlantic_chase.board import PACKAGE
from pbem.kit.edits import id_of
from pbem.kit.tables import Sheet
from pbem.model import Side

SPEEDS = ("stopped", "very slow", "slow", "medium", "fast")
"""R005 Slowest first; a speed is its place in it."""
STOPPED, VERY_SLOW, SLOW, MEDIUM, FAST = range(5)
_CODES = ("st", "vs", "s", "m", "f")

Deed = Literal["search", "engage", "strike", "attack"]
"""The four actions that are rolled for: Naval Search, Engage, Air Strike, Stealth Attack."""
Type = Literal["BB", "BC", "PB", "CA", "CL", "CV", "AC", "AO", "DD", "CONVOY", "LINER", "FORT"]
CAPITAL = ("BB", "BC", "CV")
UNKNOWN = "?"
"""R214 In a set-up the ships of an unidentified Task Force."""


class Face(Struct, frozen=True):
    """One side of a ship's counter."""

    hits: int
    """R181 Hits that turn it over, or sink it; 0: it cannot be sunk (R025, R031)."""
    close: int | None
    """Gunnery value at Short and Point Blank range; None: it cannot fire."""
    far: int | None
    """Gunnery value at Long and Extreme range."""
    speed: int
    """Place in SPEEDS."""
    torpedo: bool


class Card(Struct, frozen=True):
    """A ship as printed."""

    name: str
    type: Type
    side: Side
    nation: str
    front: Face
    back: Face | None
    """Its damaged side; None: R025, R031, and Q11 for raiders and tankers."""
    id: str = ""


def _value(text: str) -> int | None:
    return None if text == "na" else int(text)


def _face(text: str) -> Face | None:
    """`2 4/2 m -`; an empty text is no side at all. Raises ValueError."""
    if not text:
        return None
    hits, guns, speed, torpedo = text.split()
    close, _, far = guns.partition("/")
    return Face(int(hits), _value(close), _value(far or close), _CODES.index(speed), torpedo == "T")


@cache
def cards() -> Mapping[str, Card]:
    """Every ship of the counter mix by id: the printed name in capitals (`KING GEORGE V`)."""
    columns = "name | type side nation | front | back"
    rows = Sheet(PACKAGE, "ships.toml").rows(
        "ships", Card, columns, {"front": _face, "back": _face}
    )
    from msgspec.structs import replace

    return {id_of(row.name): replace(row, id=id_of(row.name)) for row in rows}


# Action tables


class Grid(Struct, frozen=True):
    """A table: columns by the highest Trajectory Total, rows by the highest roll of each."""

    columns: tuple[int, ...]
    rows: tuple[int, ...]
    cells: tuple[tuple[str, ...], ...]

    def cell(self, total: int, roll: int) -> str:
        """The printed result, `C+G`."""
        column = next(i for i, most in enumerate(self.columns) if total <= most)
        row = next(i for i, most in enumerate(self.rows) if roll <= most)
        return self.cells[row][column]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def _row(line: str) -> tuple[int, tuple[str, ...]]:
    most, _, cells = line.partition("|")
    return int(most), tuple(cells.split())


@cache
def grid(deed: Deed) -> Grid:
    """Table 1.1 to 1.4 of an action."""
    sheet = Sheet(PACKAGE, "actions.toml")
    rows = sheet.lines(f"{deed}.rows", _row)
    return Grid(
        _numbers(sheet.value(f"{deed}.columns")),
        tuple(most for most, _ in rows),
        tuple(cells for _, cells in rows),
    )


def results(deed: Deed, total: int, roll: int) -> tuple[str, ...]:
    """R118, R124 The icons of a cell from left to right; rolls below and above the table count as
    its first and last row."""
    return tuple(grid(deed).cell(max(0, total), min(roll, 99)).split("+"))


@cache
def interruption(rows: str) -> Grid:
    """R070 The Interruption Table; its columns are Intel markers. rows: `rulebook` or `board`."""
    sheet = Sheet(PACKAGE, "actions.toml")
    return Grid(
        _numbers(sheet.value("interruption.columns")),
        _numbers(sheet.value(f"interruption.{rows}")),
        tuple(tuple(line.split()) for line in sheet.lines("interruption.cells", str)),
    )


# Numbers


class Limits(Struct, frozen=True):
    """R024, R036, R109."""

    line: int
    complete: int
    british: int
    german: int
    programme: int


class Lapse(Struct, frozen=True):
    """R047, R052: by speed."""

    good: tuple[int, ...]
    limit: tuple[int, ...]


class Weather(Struct, frozen=True):
    """R093."""

    worse: int
    better: int


class Initiative(Struct, frozen=True):
    """R087, R097."""

    seize: int
    good: int
    bad: int


class Modifiers(Struct, frozen=True):
    """R081, R089, R150, R158, R164."""

    air: tuple[int, ...]
    foe_air: tuple[int, ...]
    contact: tuple[int, ...]
    helper_good: int
    helper_bad: int
    foe_helper: int
    evade_good: int
    evade_bad: int
    zone: int
    scattered: int


class Other(Struct, frozen=True):
    """R134, R188, R191-R202."""

    reinforce: int
    gunnery: int
    gunnery_two: int
    torpedo: int
    break_away: int
    rounds_good: int
    rounds_bad: int
    torpedo_hits: int


class Points(Struct, frozen=True):
    """Common rules of the operations."""

    convoy: int
    scattered: int
    convoy_hit: int
    capital_damaged: int
    capital_sunk: int
    other_damaged: int
    other_sunk: int
    squadron: int
    convoy_limit: int
    squadron_limit: int


class Rules(Struct, frozen=True):
    """rules.toml."""

    limits: Limits
    lapse: Lapse
    weather: Weather
    initiative: Initiative
    modifiers: Modifiers
    other: Other
    points: Points


@cache
def rules() -> Rules:
    """The numbers of the rules that stand in no other table."""
    return Sheet(PACKAGE, "rules.toml").record(Rules)


Power = Literal["total", "seize", "six", "harbour", "all pass", "intel", "coordination", "two"]


ROLLED: tuple[Deed, ...] = ("search", "engage", "strike", "attack")
"""The actions that are rolled for."""
_DICE = (*ROLLED, "seize", "vie", "battle", "weather", "lapse", "reinforce")
USES: Mapping[Power, tuple[str, ...]] = {
    "total": (*ROLLED, "never"),
    "coordination": (*ROLLED, "never"),
    "intel": (*ROLLED, "never"),
    "seize": ("seize", "never"),
    "six": (*_DICE, "interrupt", "never"),
    "two": (*_DICE, "never"),
}
"""R254 What each power is used for; R070 nothing is added to the dice of an Interruption."""


class Chief(Struct, frozen=True):
    """A leader as printed (R212, R254)."""

    id: str
    name: str
    side: Side
    power: Power
    uses: int


@cache
def leaders() -> Mapping[str, Chief]:
    """The leaders by id."""
    columns = "id | name | side | power | uses"
    rows = Sheet(PACKAGE, "rules.toml").rows("leaders.rows", Chief, columns)
    return {row.id: row for row in rows}


class Campaign(Struct, frozen=True):
    """The campaign (our own, but for the Port Check)."""

    operations: tuple[str, ...]
    capital: int
    """The die from which a capital ship is repaired."""
    other: int
    order: tuple[str, ...]
    """German ports from the south-west to the north-east."""
    closed: Mapping[str, int]
    """Port -> the highest die on which it is closed."""
    unchecked: Mapping[str, tuple[str, ...]]
    """Operation -> ports that are not checked in it."""
    levels: tuple[int, ...]
    """As those of an operation."""


@cache
def campaign() -> Campaign:
    """The tables of the campaign."""
    sheet = Sheet(PACKAGE, "rules.toml")
    return Campaign(
        operations=tuple(sheet.value("campaign.operations").split()),
        capital=int(sheet.value("campaign.capital")),
        other=int(sheet.value("campaign.other")),
        order=tuple(sheet.lines("campaign.order", str)),
        closed=dict(sheet.lines("campaign.closed", _closed)),
        unchecked=dict(sheet.lines("campaign.unchecked", _unchecked)),
        levels=tuple(int(n) for n in sheet.value("campaign.levels").split()),
    )


def _closed(line: str) -> tuple[str, int]:
    port, _, most = line.partition("|")
    return port.strip(), int(most)


def _unchecked(line: str) -> tuple[str, tuple[str, ...]]:
    name, _, ports = line.partition("|")
    return name.strip(), tuple(port.strip() for port in ports.split(","))


# Operations


class Force(Struct, frozen=True):
    """A Task Force of a set-up. place: `box PORT`, `at HEX` or `path HEX HEX ...`; ships: none for
    one that is unidentified (R214)."""

    id: str
    ships: tuple[str, ...]
    place: str
    leader: str


class Reserve(Struct, frozen=True):
    """R134 A reinforcement group."""

    side: Side
    letter: str
    port: str
    ships: tuple[str, ...]


class Hidden(Struct, frozen=True):
    """R002 A Stealth force of a set-up. place: `box` or `at HEX`."""

    id: str
    side: Side
    place: str


class Goal(Struct, frozen=True):
    """R114 Where a Convoy is bound."""

    ship: str
    ports: tuple[str, ...]


class Scenario(Struct, frozen=True):
    """One operation of scenarios.toml."""

    title: str
    initiative: Side
    weather: Literal["good", "bad"]
    tally: int
    length: int
    """Spells of Initiative."""
    levels: tuple[int, int, int, int]
    """German less British points of a decisive and a narrow German victory, then of a narrow and a
    decisive British one."""
    british_ports: str
    german_ports: str
    british_airbases: str
    german_airbases: str
    open: str
    """R017 Hexsides that are open here, as pairs of hexes."""
    staff: str
    """Leaders ashore."""
    special: str
    """Words of the special rules."""
    inset: str = ""
    """R019 The inset that it is played on; empty: the whole map."""
    pools: str = ""
    """R214 Of what its unidentified Task Forces may consist, a line each."""


@cache
def scenario(name: str) -> Scenario:
    """The table of an operation."""
    return Sheet(PACKAGE, "scenarios.toml").record(Scenario, name)


@cache
def openable() -> str:
    """R017 Closed hexsides that some operation opens, as pairs of hexes."""
    rows = Sheet(PACKAGE, "scenarios.toml").table().values()
    return " ".join(row["open"] for row in rows if isinstance(row, dict) and row.get("open"))


def _names(text: str) -> tuple[str, ...]:
    return tuple(id_of(name.strip()) for name in text.split(",")) if text != UNKNOWN else ()


def _ports(text: str) -> tuple[str, ...]:
    return tuple(port.strip() for port in text.split(" or "))


def forces(name: str) -> Sequence[Force]:
    """The Task Forces of a set-up, British first."""
    columns = "id | ships | place | leader"
    return _sheet().rows(f"{name}.forces", Force, columns, {"ships": _names, "leader": id_of})


def pools(name: str) -> list[tuple[str, ...]]:
    """R214 Of what unidentified Task Forces of an operation may consist."""
    return [_names(line) for line in scenario(name).pools.splitlines() if line.strip()]


def reserves(name: str) -> Sequence[Reserve]:
    """The reinforcement groups of an operation."""
    columns = "side letter | port | ships"
    return _sheet().rows(f"{name}.reinforcements", Reserve, columns, {"ships": _names})


def hidden(name: str) -> Sequence[Hidden]:
    """The Stealth forces of an operation."""
    return _sheet().rows(f"{name}.stealth", Hidden, "id | side | place")


def goals(name: str) -> Sequence[Goal]:
    """Where Convoys are bound."""
    columns = "ship | ports"
    return _sheet().rows(f"{name}.destinations", Goal, columns, {"ship": id_of, "ports": _ports})


def _sheet() -> Sheet:
    return Sheet(PACKAGE, "scenarios.toml")
