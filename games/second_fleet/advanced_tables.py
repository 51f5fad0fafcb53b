"""Charts of the advanced level and of the options, as typed records."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from games.second_fleet.advanced_state import Sky
from games.second_fleet.board import PACKAGE, Zone
from pbem.kit.tables import Sheet

ADVANCED = Sheet(PACKAGE, "advanced.toml")


class _Weather(Struct, frozen=True):
    states: tuple[str, ...]
    zones: tuple[str, ...]
    cap: int
    ma: int
    ssm: int
    finding: int


class WeatherChart(Struct, frozen=True):
    """3.10 Weather by die."""

    states: tuple[tuple[Sky, ...], ...]
    """By die, then by period."""
    zones: tuple[tuple[Zone, ...], ...]
    cap: int
    """6.2/4-5 On each aircraft of a patrol, on the MA of ships, on the die of missiles, and on the
    die of those who seek submarines."""
    ma: int
    ssm: int
    finding: int


@cache
def weather_chart() -> WeatherChart:
    """The chart."""
    chart = ADVANCED.record(_Weather, "weather")
    words: tuple[Sky, ...] = ("clear", "squall", "storm")
    names: tuple[Zone, ...] = ("SV", "BS", "GS", "NS", "IC", "LS", "NA", "BI")
    states = tuple(tuple(words[words.index(w)] for w in row.split()) for row in chart.states)
    zones = tuple(tuple(names[names.index(z)] for z in row.split()) for row in chart.zones)
    return WeatherChart(states, zones, chart.cap, chart.ma, chart.ssm, chart.finding)


class PoliticsChart(Struct, frozen=True):
    """3.11 Armistice and events."""

    event: int
    nothing: int
    short: int
    long: int
    talks: int
    nuclear: int
    most_nuclear: int
    random: tuple[str, ...]
    special: tuple[str, ...]
    nations: tuple[str, ...]
    fallen: int


@cache
def politics_chart() -> PoliticsChart:
    """The chart."""
    return ADVANCED.record(PoliticsChart, "politics")


class ReinforcementChart(Struct, frozen=True):
    """3.12 Boxes by die, and where the tracks begin and end."""

    nato: tuple[int, ...]
    soviet: tuple[int, ...]
    last: Mapping[str, int]
    enhanced: int
    start: Mapping[str, Mapping[str, int]]


@cache
def reinforcement_chart() -> ReinforcementChart:
    """The chart."""
    return ADVANCED.record(ReinforcementChart, "reinforcement")


class InvasionChart(Struct, frozen=True):
    """6.3 Landings."""

    odds: tuple[str, ...]
    needs: tuple[int, ...]
    automatic: str
    damage_1: int
    damage_2: int
    softened: int
    dark: int
    squall: int
    battalion: int
    drop_range: int
    most_battalions: int
    most_commandos: int
    a2a: int
    kill: int
    works: int
    lost: int
    commando: int
    weaker: int
    silent: int
    targets: Mapping[str, str]
    battalions: Mapping[str, int]
    commandos: Mapping[str, int]


@cache
def invasion_chart() -> InvasionChart:
    """The chart."""
    return ADVANCED.record(InvasionChart, "invasion")


@cache
def lift() -> Mapping[str, int]:
    """5.8/7 Marine points by ship."""
    rows = ADVANCED.lines("invasion.lift", str.split)
    return {name: int(points) for name, points in rows}


class DeepChart(Struct, frozen=True):
    """22 Deep mode."""

    least_ma: int
    ma: int


@cache
def deep_chart() -> DeepChart:
    """The numbers."""
    return ADVANCED.record(DeepChart, "deep")


class MineChart(Struct, frozen=True):
    """23 Mines."""

    markers: int
    most: int
    torpedoes: int
    owner: int
    sweep: Mapping[str, int]
    others: int
    helicopters: int
    helicopter_range: int


@cache
def mine_chart() -> MineChart:
    """The numbers."""
    return ADVANCED.record(MineChart, "mines")


class NuclearChart(Struct, frozen=True):
    """21 Nuclear weapons."""

    nato: Mapping[str, int]
    soviet: Mapping[str, int]
    times: int
    defence: int
    base: int
    around: int
    depth: int
    first: Mapping[str, int]


@cache
def nuclear_chart() -> NuclearChart:
    """The numbers."""
    return ADVANCED.record(NuclearChart, "nuclear")


class OptionalChart(Struct, frozen=True):
    """24 The optional rules."""

    cruise: Mapping[str, int]
    cruise_range: int
    cruise_units: tuple[str, ...]
    salvos: Mapping[str, int]
    tattletales: int
    fast: tuple[str, ...]
    farther: tuple[int, int]
    strays: int
    close_detected: int
    close_dark: int
    decoys: int


@cache
def optional_chart() -> OptionalChart:
    """The numbers."""
    return ADVANCED.record(OptionalChart, "optional")


@cache
def repair_die() -> int:
    """6.10/2 The least die that repairs."""
    found: int = ADVANCED.value("repair.die")
    return found
