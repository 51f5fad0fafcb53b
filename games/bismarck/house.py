"""The moderator's own table files: what the rules text fixes, no table may change.

Each breach is a ValueError that names the file, the key and the rule, for the moderator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.bismarck import board, tables
from games.bismarck.battle.charts import charts
from games.bismarck.data import FILES
from games.bismarck.state import AirUnit, Ship

Tables = Mapping[str, str]


def check(house: Tables) -> None:
    """Read every table as this game would use it. Raises ValueError on the first breach."""
    for name, text in house.items():
        if name not in FILES:
            raise ValueError(f"{name}: unknown table; the tables are {', '.join(FILES)}")
        if name == "board.toml":
            raise ValueError(f"{name}: the map belongs to the edition and cannot be replaced (2.2)")
        _readable(name, text)
    for name, judge in _CHECKS.items():
        try:
            judge(house)
        except KeyError as missing:
            raise ValueError(f"{name}: the key {missing} is missing") from None
        except (TypeError, AttributeError, IndexError) as wrong:
            raise ValueError(f"{name}: a value has the wrong type: {wrong}") from None


def _readable(name: str, text: str) -> None:
    from tomllib import TOMLDecodeError, loads

    try:
        loads(text)
    except TOMLDecodeError as wrong:
        raise ValueError(f"{name}: {wrong}") from None


def _need(holds: bool, file: str, key: str, text: str, rule: str) -> None:
    if not holds:
        raise ValueError(f"{file}: {key}: {text} (rule {rule})")


# 2.42 Ships


def _ships(house: Tables) -> None:
    """2.42 Rows and figures of ships.toml."""
    own = tables.ships({})
    found = tables.ships(house)
    names = [row.name for row in found]
    _need(
        sorted(names) == sorted(r.name for r in own),
        "ships.toml",
        "ships",
        "these are not the ships of the order of appearance, each once",
        "3.0",
    )
    given = {row.name: row for row in own}
    for row in found:
        for holds, text, rule in _ship_rules(row, given[row.name]):
            _need(holds, "ships.toml", f"ships: {row.name}", text, rule)
    _fixed_ships({row.name: row for row in found})
    bonus = tables.breakout(house)
    free = (bonus.free, bonus.cost) == (3, (1, 2))
    _need(free, "ships.toml", "breakout", "three zones free, four for 1, five for 2", "5.28")
    escorts = sorted(row.name for row in found if row.hold == "escort")
    text = "exactly two battleships begin as convoy escorts"
    _need(len(escorts) == 2, "ships.toml", "ships", text, "2.51")


_SLOW = ("Rodney", "Ramillies", "Revenge")


def _ship_rules(row: Ship, own: Ship) -> list[tuple[bool, str, str]]:
    capital = row.type in ("BB", "BC", "CV")
    at_sea = not row.zone or (row.zone in board.SEA and not board.closed(row.zone, row.side))
    return [
        (
            (row.side, row.type, row.hold) == (own.side, own.type, own.hold),
            f"it is a {own.side} {own.type}, {own.hold or 'free'} at first",
            "3.0",
        ),
        (row.speed in (1, 2), f"speed {row.speed}: no ship moves more than two zones", "2.427"),
        (
            (row.speed == 1) == (row.name in _SLOW),
            "only Rodney, Ramillies and Revenge have speed 1",
            "5.14",
        ),
        (
            16 <= row.evasion <= 24 if row.speed == 1 else row.evasion >= 25,
            f"evasion {row.evasion} does not go with speed {row.speed}",
            "9.729",
        ),
        ((row.fuel is None) != capital, "capital ships have fuel, cruisers none", "5.21"),
        (row.fuel is None or row.fuel > 0, "fuel must be 1 or more", "5.22"),
        ((row.patrol is None) == (row.type == "CV"), "all but carriers can patrol", "5.31"),
        (row.sections.midships >= 1, "midships boxes must be 1 or more", "9.714"),
        (at_sea, f"it cannot start in zone {row.zone}", "2.2"),
    ]


def _fixed_ships(row: Mapping[str, Ship]) -> None:
    """9.64, 9.714, 9.717, 9.27: figures that the text of the rules states."""
    bismarck = row["Bismarck"]
    guns = bismarck.sections
    for holds, key, text, rule in (
        (guns.midships == 10, "Bismarck", "midships boxes are 10", "9.714"),
        (
            (guns.bow, guns.stern, guns.port) == (7, 7, 3),
            "Bismarck",
            "bow 7, stern 7, secondary 3",
            "9.64",
        ),
        (bismarck.evasion == 29, "Bismarck", "evasion is 29", "9.711"),
        (row["Rodney"].sections.midships == 6, "Rodney", "midships boxes are 6", "9.714"),
        (row["Hood"].sections.port == 1, "Hood", "the secondary section has 1 box", "9.717"),
        (row["Hood"].evasion == 29, "Hood", "evasion is 29, as the Bismarck's", "9.27"),
        (row["King George V"].evasion >= 29, "King George V", "evasion is 29 at least", "9.27"),
        (row["Suffolk"].evasion >= 29, "Suffolk", "evasion is 29 at least", "8.14"),
    ):
        _need(holds, "ships.toml", f"ships: {key}", text, rule)


# 2.43 Air units


def _air(house: Tables) -> None:
    """2.43 Rows of air.toml."""
    own, found = tables.aircraft({}), tables.aircraft(house)
    same = sorted((r.id, r.side, r.type, r.base) for r in own)
    _need(
        sorted((r.id, r.side, r.type, r.base) for r in found) == same,
        "air.toml",
        "units",
        "these are not the air units of the order of appearance, each once",
        "3.0",
    )
    for row in found:
        for holds, text, rule in _air_rules(row):
            _need(holds, "air.toml", f"kinds: {row.id}", text, rule)
    _need(tables.rest(house) == 2, "air.toml", "rest", "one whole turn: 2", "6.42")


def _air_rules(row: AirUnit) -> list[tuple[bool, str, str]]:
    front, back = row.front, row.back
    if row.type == "LR recon":
        patrol = back is not None and (back.search, back.speed) == ((6, 3), 2)
        return [
            (patrol, "on patrol it searches with 6 by day, 3 by night, at speed 2", "8.14, 6.33"),
            (
                back is not None and back.endurance == front.endurance,
                "its endurance is the same in both modes",
                "6.32",
            ),
        ]
    if row.side == "german":
        return [(back is None, "German level bombers have no reconnaissance mode", "2.434")]
    if back is None:
        return [(False, "British bombers have a reconnaissance mode", "6.31")]
    better = (
        back.search > front.search and back.endurance > front.endurance and back.speed > front.speed
    )
    rules = [(better, "reconnaissance mode searches, lasts and flies better", "6.31, 2.434")]
    if row.type == "torpedo":
        short = (front.endurance, front.speed) == (1, 5)
        rules.append((short, "in attack mode endurance 1, speed 5", "6.23"))
    return rules


# 7.1, 8.15, 10.2, 12 The other tables


def _visibility(house: Tables) -> None:
    """7.1, 7.3 The track."""
    signs = tables.table("visibility.toml", house)["modifier"]
    weather = tables.weather(house)
    for holds, key, text, rule in (
        (weather.levels == 9, "levels", "the track has nine boxes", "7.12"),
        (weather.start == 4, "start", "the game starts at level 4", "7.13"),
        (weather.modifier.get(7) == -1, "modifier", "a 7 at level 7 becomes 6: -1", "7.16"),
        (set(signs) >= {"errata", "printed"}, "modifier", "errata and printed are needed", "7.16"),
        (weather.fog <= set(range(0, 15)), "fog", "rolls are 0 to 14", "7.31"),
    ):
        _need(holds, "visibility.toml", key, text, rule)


def _shadow(house: Tables) -> None:
    """8.15, 8.18 The shadow table."""
    file = tables.table("shadow.toml", house)
    day = [int(n) for n in file["day"].split()]
    night = [int(n) for n in file["night"].split()]
    stairs = day == sorted(day) and [n - 1 for n in day] == night and len(day) == 3
    text = "three classes, each no worse than the one before, by night one less"
    _need(stairs, "shadow.toml", "day, night", text, "8.15")
    _need(file["modifier"]["two_zones"] == 1, "shadow.toml", "modifier", "two zones: 1", "8.18")


def _chance(house: Tables) -> None:
    """10.2 Every total of two dice once; numbers rise from A to C."""
    file = tables.table("chance.toml", house)
    general, convoy = file["general"], file["convoy"]
    for roll, row in general.items():
        rising = len(row) == 3 and row == sorted(row) and all(0 <= n <= 9 for n in row)
        text = "three numbers, A <= B <= C"
        _need(rising, "chance.toml", f"general: {roll}", text, "10.214")
    three = sorted(convoy.values()) == ["near", "patrol", "route"]
    _need(three, "chance.toml", "convoy", "each of route, patrol, near once", "10.24")
    rolls = sorted([*map(int, general), *map(int, convoy), *file["huffduff"]])
    _need(rolls == list(range(2, 13)), "chance.toml", "rolls", "2 to 12, each once", "10.2")


def _victory(house: Tables) -> None:
    _same(tables.table("victory.toml", house), tables.table("victory.toml", {}), "")


def _combat(house: Tables) -> None:
    """9 What the rules text fixes of the combat tables."""
    found, own = charts(house), charts({})
    for holds, key, text, rule in (
        ((found.a_range, found.b_range) == (3, 6), "range", "A to 3 hexes, B to 6", "9.61"),
        (found.radius == 6, "board", "the edge lies six hexes from the centre", "9.28"),
        (found.strikes == own.strikes, "strikes", "2 British, 1 German", "9.16"),
        (found.movement == own.movement, "movement", "the chart stands in the rules", "9.53"),
        (found.loss == own.loss, "loss", "1, 3, 2 and 5 for each midships hit", "9.724"),
        (len(found.repair) == 6, "repair", "one number for each face of a die", "9.728"),
        (
            found.special.always_a == own.special.always_a,
            "special",
            "Hood, Repulse, Renown",
            "9.84",
        ),
    ):
        _need(holds, "combat.toml", key, text, rule)
    totals = range(2, 13)
    whole = all(set(c) == set(totals) for c in (found.special.a, found.special.b))
    _need(whole, "combat.toml", "special", "an entry for every total of two dice", "9.712")
    columns = [c for fields in found.fire.values() for c in fields.values()]
    fit = all(set(c) <= set(totals) for c in (*columns, *found.bomber.values()))
    _need(fit, "combat.toml", "fire, bomber", "totals are those of two dice", "9.66")


def _same(found: object, own: object, key: str) -> None:
    """12.3-12.5 The text of the rules states the whole schedule."""
    if isinstance(own, dict) and isinstance(found, dict):
        for name, value in own.items():
            _same(found[name], value, f"{key}.{name}".lstrip("."))
    else:
        _need(found == own, "victory.toml", key, f"{found}, not {own}", "12.3-12.5")


_CHECKS: Mapping[str, Callable[[Tables], None]] = {
    "ships.toml": _ships,
    "air.toml": _air,
    "visibility.toml": _visibility,
    "shadow.toml": _shadow,
    "chance.toml": _chance,
    "victory.toml": _victory,
    "combat.toml": _combat,
}
