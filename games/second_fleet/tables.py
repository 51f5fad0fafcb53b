"""Counters and charts as typed records, read once."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from games.second_fleet.board import PACKAGE, Zone
from pbem.kit.tables import Sheet
from pbem.model import Dice

D10 = Dice(1, 10, low=0)
"""1 The only die."""
SHIPS, AIR, TABLES = (Sheet(PACKAGE, f"{name}.toml") for name in ("ships", "air", "tables"))
SCENARIOS = Sheet(PACKAGE, "scenarios.toml")

Nation = Literal["US", "UK", "NO", "NE", "CA", "WG", "SO"]
Type = Literal[
    "CV", "BB", "CG", "CL", "DD", "FF", "PC", "AA", "CR", "CS", "AM", "ST", "TK", "SN", "SS", "SB",
    "DC",
]  # fmt: skip
SUBS = ("SN", "SS", "SB")
AUXILIARIES = ("AA", "CR", "CS", "AM", "ST", "TK")
"""39 They are no combat ships."""
ARRAY: tuple[str, ...] = (
    "CV", "BB", "AA", "CR", "CS", "AM", "ST", "TK", "CG", "CL", "DD", "FF", "PC", "SN", "SS", "SB",
    "DC",
)  # fmt: skip
"""6.14/3 The usual array, from the top, in which types are always listed."""
Role = Literal["INT", "ATK", "RCN", "AEW", "EW"]
INT_ATK = ("INT", "ATK")


class Values(Struct, frozen=True):
    """One side of a ship's counter; 0 for what is printed N."""

    ma: int
    defence: int
    ssm: int = 0
    close: int = 0
    torpedo: int = 0
    asw: int = 0
    close_aa: int = 0
    area_aa: int = 0


class ShipSheet(Struct, frozen=True):
    """The counter of a ship or submarine."""

    id: str
    nation: Nation
    type: Type
    range: int
    """Of its SSM, in hexes."""
    front: Values
    back: Values
    name: str
    noisy: bool = False

    @property
    def sub(self) -> bool:
        """219 A submarine."""
        return self.type in SUBS

    @property
    def combat(self) -> bool:
        """39 A ship that counts for stacking and groups."""
        return not self.sub and self.type not in AUXILIARIES and self.type != "DC"


class _Surface(Struct, frozen=True):
    id: str
    nation: Nation
    type: Type
    ma: int
    defence: int
    ssm: int
    range: int
    close: int
    asw: int
    close_aa: int
    area_aa: int
    ma2: int
    defence2: int
    ssm2: int
    close2: int
    asw2: int
    close_aa2: int
    area_aa2: int
    name: str = ""


class _Submarine(Struct, frozen=True):
    id: str
    nation: Nation
    type: Type
    ma: int
    defence: int
    ssm: int
    range: int
    torpedo: int
    asw: int
    ma2: int
    defence2: int
    ssm2: int
    torpedo2: int
    asw2: int
    noisy: str = ""


@cache
def ships() -> Mapping[str, ShipSheet]:
    """Every ship and submarine by id."""
    found = {}
    columns = (
        "id | nation | type | ma defence | ssm range close asw close_aa area_aa | ma2 defence2 | "
        "ssm2 close2 asw2 close_aa2 area_aa2 | name | source"
    )
    for s in SHIPS.rows("surface", _Surface, columns):
        front = Values(s.ma, s.defence, s.ssm, s.close, 0, s.asw, s.close_aa, s.area_aa)
        back = Values(s.ma2, s.defence2, s.ssm2, s.close2, 0, s.asw2, s.close_aa2, s.area_aa2)
        name = s.name or s.id.title()
        found[s.id] = ShipSheet(s.id, s.nation, s.type, s.range, front, back, name)
    columns = (
        "id | nation | type | ma defence | ssm range torpedo asw | ma2 defence2 | "
        "ssm2 torpedo2 asw2 | noisy | source"
    )
    for u in SHIPS.rows("submarines", _Submarine, columns):
        front = Values(u.ma, u.defence, u.ssm, 0, u.torpedo, u.asw)
        back = Values(u.ma2, u.defence2, u.ssm2, 0, u.torpedo2, u.asw2)
        name, noisy = u.id.title(), u.noisy == "noisy"
        found[u.id] = ShipSheet(u.id, u.nation, u.type, u.range, front, back, name, noisy)
    return found


@cache
def decoys() -> Mapping[str, ShipSheet]:
    """6.19 Markers without ships, DECOY1 to DECOY6."""
    values = Values(**SHIPS.value("decoys.values"))
    names: list[str] = SHIPS.value("decoys.names")
    nations: list[Nation] = SHIPS.value("decoys.nations")
    return {
        name: ShipSheet(name, nation, "DC", 0, values, values, name.title())
        for name, nation in zip(names, nations, strict=True)
    }


@cache
def counters() -> Mapping[str, ShipSheet]:
    """Ships and decoys."""
    return {**decoys(), **ships()}


@cache
def type_names() -> Mapping[str, str]:
    """`CG`: missile cruiser; `INT`: interceptor."""
    return {**SHIPS.value("types"), **AIR.value("roles")}


class AirValues(Struct, frozen=True):
    """One side of an air counter."""

    ssm: int
    bomb: int
    asw: int
    a2a: int


class AirSheet(Struct, frozen=True):
    """The counters of one model of aircraft."""

    id: str
    nation: Nation
    aircraft: str
    role: Role
    ma: int
    range: int
    front: AirValues
    back: AirValues
    steps: int
    """5.8/5 One or two."""
    all_weather: bool
    special: bool
    """6.12/11 It may carry special SSM."""


class _Model(Struct, frozen=True):
    id: str
    nation: Nation
    aircraft: str
    role: Role
    count: int
    ma: int
    ssm: int
    range: int
    bomb: int
    asw: int
    a2a: int
    ssm2: int
    bomb2: int
    asw2: int
    a2a2: int
    steps: int
    marks: str = ""


@cache
def aircraft() -> Mapping[str, AirSheet]:
    """Every air counter by id: a model with its letter, `USF14A`."""
    columns = (
        "id | nation aircraft | role | count | ma | ssm range bomb asw a2a | "
        "ssm2 bomb2 asw2 a2a2 | steps | marks | source"
    )
    found = {}
    for m in AIR.rows("models", _Model, columns):
        front = AirValues(m.ssm, m.bomb, m.asw, m.a2a)
        back = AirValues(m.ssm2, m.bomb2, m.asw2, m.a2a2)
        marks = m.marks.split()
        for letter in "ABCDEFGH"[: m.count]:
            found[m.id + letter] = AirSheet(
                m.id, m.nation, m.aircraft, m.role, m.ma, m.range, front, back, m.steps,
                "all-weather" in marks, "special" in marks,
            )  # fmt: skip
    return found


class Load(Struct, frozen=True):
    """6.12/11 A special SSM."""

    id: str
    aircraft: tuple[str, ...]
    value: int
    range: int
    us: int
    uk: int


@cache
def loads() -> Mapping[str, Load]:
    """Harpoon, Maverick, Sea Eagle."""
    columns = "id | aircraft | value range | us uk | source"
    rows = AIR.rows("loads", Load, columns, {"aircraft": lambda text: tuple(text.split())})
    return {load.id.lower(): load for load in rows}


class Combat(Struct, frozen=True):
    """Combat results and their modifiers."""

    columns: tuple[int, ...]
    least_row: int
    most_row: int
    least_defence: int
    most_defence: int
    task_force: int
    no_group: int
    lone: int
    most_tac: int
    fjord: int
    no_friend: int
    base: int
    one_bomber: int
    two_bombers: int
    bases: tuple[int, int, int]
    deep: int
    asw_needed: int


@cache
def combat() -> Combat:
    """The Combat Results Table and what goes with it."""
    return TABLES.record(Combat, "combat")


class _AirChart(Struct, frozen=True):
    interception: tuple[str, ...]
    cap: tuple[str, ...]
    bounce: tuple[str, ...]


class AirCombat(Struct, frozen=True):
    """The air-to-air table."""

    interception: tuple[str, ...]
    """Ratios of its columns, and those of a patrol's attack."""
    cap: tuple[str, ...]
    bounce: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """By die."""


@cache
def air_combat() -> AirCombat:
    """55, 57, 82."""
    chart = TABLES.record(_AirChart, "air")
    rows = tuple(tuple(row) for row in TABLES.lines("air.rows", str.split))
    return AirCombat(chart.interception, chart.cap, chart.bounce, rows)


class CapChart(Struct, frozen=True):
    """75 What a carrier's patrol is worth at a distance."""

    range: int
    aew: tuple[int, ...]
    without: tuple[int, ...]
    helicopter: int
    helicopters: tuple[str, ...]
    most: int
    electronic: int


@cache
def cap_chart() -> CapChart:
    """The chart."""
    return TABLES.record(CapChart, "cap")


class Finding(Struct, frozen=True):
    """101 Chances to find submarines, and zones of detection."""

    nato: Mapping[str, int]
    soviet: Mapping[str, int]
    noisy: int
    sosus: int
    sosus_range: int
    deep: int
    mountain: int
    blind: tuple[str, ...]
    limited: int
    extended: int


@cache
def finding() -> Finding:
    """The chart."""
    return TABLES.record(Finding, "detection")


class Limits(Struct, frozen=True):
    """Numbers of stacking, activation, and what aircraft are worth."""

    surface: int
    airfield: int
    asw_ships: int
    asw_air: int
    close_ships: int
    carrier_active: int
    stack: int
    from_norway: int
    norway: int
    attacker: int
    cover_f14: int
    cover: int


@cache
def limits() -> Limits:
    """The numbers."""
    return TABLES.record(Limits, "limits")


class Season(Struct, frozen=True):
    """183-186 Darkness."""

    dark: tuple[str, ...]
    light: tuple[str, ...]


@cache
def season() -> Season:
    """By period."""
    return TABLES.record(Season, "season")


@cache
def period_of(month: str) -> int:
    """182 The period of a month."""
    found: int = TABLES.value("season.months")[month]
    return found


class Worth(Struct, frozen=True):
    """3.14 Victory points."""

    nato: Mapping[str, int]
    soviet: Mapping[str, int]
    uk_carrier: int
    landed: int
    """6.3/14 An amphibious ship whose troops are ashore."""
    denial: Mapping[str, int]
    """3.14 A submarine or task force of the Soviets in a zone."""
    factors: tuple[int, ...]
    """3.14 Of bases, by the box of the armistice track."""
    missile_subs: Mapping[str, int]
    """3.14 Each that survives, by the strategy."""
    sub_attack: int
    cargo_home: int
    cargo_away: int
    cargo_ships: tuple[str, ...]
    """6.17/5"""
    squadron: int
    base_attack: int
    cargo: Mapping[str, int]


@cache
def worth() -> Worth:
    """The points."""
    return TABLES.record(Worth, "victory")


def reach(ma: int) -> int:
    """58 How many zones away a mission may be."""
    return sum(ma >= least for least in TABLES.value("strategic.zones"))


class Plan(Struct, frozen=True):
    """A scenario: its length, level and victory."""

    title: str
    level: Literal["basic", "intermediate", "advanced"]
    turns: int
    month: str
    strategy: str
    leader: str
    decisive: int
    marginal: int
    goal: str = ""
    """Zones into which submarines are to break through."""
    through: int = 0
    crippled: int = 0
    row: int = 0
    behind: int = 0
    roster: bool = False
    """6.4 Reinforcements come by the roster of the campaign, which both sides set up."""
    par: int = 0
    """6.18 How far the leader must be ahead for the game to be even: about as far as our bots are,
    because the scenarios and their points are our own."""
    convoy: int = 0
    """6.18 Points for a cargo ship of NATO that is lost."""
    levels: tuple[int, ...] = ()
    """6.17/2 Leads for a marginal, substantive and decisive victory; empty: the two above."""


@cache
def plan(scenario: str) -> Plan:
    """A scenario by name."""
    return SCENARIOS.record(Plan, scenario)


class Post(Struct, frozen=True):
    """A group or the aircraft of a base, where a scenario puts them."""

    hex: str
    units: tuple[str, ...]
    name: str = ""


class Force(Struct, frozen=True):
    """What a side begins with."""

    groups: tuple[Post, ...]
    singles: tuple[Post, ...]
    air: tuple[Post, ...]


@cache
def force(scenario: str, side: str) -> Force:
    """By scenario and side."""
    units = {"units": lambda text: tuple(text.split())}
    key = f"{scenario}.{side}"
    singles = (entry.split(":") for entry in SCENARIOS.value(f"{key}.singles").split())
    return Force(
        tuple(SCENARIOS.rows(f"{key}.groups", Post, "name | hex | units", units)),
        tuple(Post(hex_, (name,)) for name, hex_ in singles),
        tuple(SCENARIOS.rows(f"{key}.air", Post, "hex | units", units)),
    )


@cache
def wings() -> Mapping[str, tuple[str, ...]]:
    """Carrier to its aircraft."""
    lines = (line.split("|") for line in SCENARIOS.value("wings").strip().splitlines())
    return {name.strip(): tuple(units.split()) for name, units in lines}


def zone_order() -> tuple[Zone, ...]:
    """233 In which missions are resolved."""
    found: tuple[Zone, ...] = tuple(TABLES.value("strategic.order"))
    return found
