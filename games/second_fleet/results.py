"""3 The charts as arithmetic: combat results, damage, air combat, darkness. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from games.second_fleet.tables import air_combat, cap_chart, combat, season

Outcome = Literal["none", "damaged", "destroyed"]
PARTS = ("AM", "PM", "Night")


def column(total: int) -> int:
    """3.1 The column of a total of 1 or more, from 0."""
    return sum(total > most for most in combat().columns)


def entry(row: int, total: int) -> int:
    """3.1 The result in a row of the table; 0 without points."""
    if total <= 0:
        return 0
    chart = combat()
    at = min(max(row, chart.least_row), chart.most_row)
    if at == chart.most_row and column(total) == len(chart.columns):
        return len(chart.columns)  # the one entry that the formula does not give
    return max(0, (at + column(total) - 2) // 2)


def defence(die: int, total: int) -> int:
    """6.14/7 What a defence takes off each attack: its row is one below its die."""
    chart = combat()
    return entry(min(max(die, chart.least_defence), chart.most_defence) + 1, total)


def outcome(result: int, strength: int, damaged: bool) -> Outcome:
    """162-164 What a result does to a ship; a second damage destroys."""
    if result >= strength:
        return "destroyed"
    if 2 * result >= strength:
        return "destroyed" if damaged else "damaged"
    return "none"


def base_damage(result: int) -> int:
    """181 Levels of damage that a result gives a base: 1, 2, or 3 for destroyed."""
    return sum(result >= least for least in combat().bases)


def bombers_hurt(result: int) -> int:
    """153 How many bombers the defence damages."""
    chart = combat()
    return (result >= chart.one_bomber) + (result >= chart.two_bombers)


class AirResult(Struct, frozen=True):
    """Steps that each side loses, and whether it returns to base."""

    attacker: int
    attacker_back: bool
    defender: int
    defender_back: bool


def air_result(printed: str) -> AirResult:
    """`2r/0`: the attacker loses two steps and returns."""
    first, _, second = printed.partition("/")
    return AirResult(
        int(first.rstrip("r")), first.endswith("r"), int(second.rstrip("r")), second.endswith("r")
    )


def ratio_column(attacker: int, defender: int, cap: bool) -> int:
    """6.14/14 The largest printed ratio that is not above the real one; the edges beyond."""
    chart = air_combat()
    printed = [tuple(map(int, r.split("-"))) for r in (chart.cap if cap else chart.interception)]
    if defender <= 0:
        return len(printed) - 1
    fits = [at for at, (a, d) in enumerate(printed) if attacker * d >= a * defender]
    return max(fits, default=0)


def air_fight(die: int, attacker: int, defender: int, cap: bool) -> AirResult:
    """55, 82 Interception, or a patrol's attack."""
    return air_result(air_combat().rows[die][ratio_column(attacker, defender, cap)])


def bounce(die: int) -> AirResult:
    """57 Its own column, without a ratio."""
    return air_result(air_combat().bounce[die])


def cap_value(total: int, away: int, early_warning: str, electronic: bool) -> int:
    """75, 247 A carrier's patrol at a distance: fractions up, at least 1.

    early_warning: the model of its AEW aircraft, empty without one. electronic: the stack that it
    attacks has an EW aircraft, which counts before the distance.
    """
    chart = cap_chart()
    if electronic:
        total = max(1, total - chart.electronic)
    by = (chart.aew if early_warning else chart.without)[max(0, away - 1)]
    if early_warning in chart.helicopters and away == chart.range:
        by = chart.helicopter
    return max(1, -(-total // by))


def part_of_day(turn: int) -> str:
    """2 AM, PM or Night."""
    return PARTS[(turn - 1) % 3]


def dark(turn: int, period: int, zone: str) -> bool:
    """183-186 Is it dark in a zone?"""
    part, printed = part_of_day(turn), season()
    if part not in printed.dark[period - 1].split():
        return False
    return not (period == 1 and part == "AM" and zone in printed.light)
