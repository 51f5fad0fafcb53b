"""4 Flights: how far and where aeroplanes fly, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import courses
from games.baltic import events as ev
from games.baltic.markers import FIGHTER, flying, meet
from games.baltic.state import Marker, War
from games.baltic.tables import distances, size
from pbem.kit import plane
from pbem.kit.plane import Point, Pose
from pbem.model import TableLike


def _speed(group: Sequence[Marker]) -> int:
    """120, 122 The range of the slowest that is left in this phase."""
    return min(_range_of(marker) - marker.flown for marker in group)


def _range_of(marker: Marker) -> int:
    return distances().fighter if marker.type == FIGHTER else distances().bomber


def fly(table: TableLike, war: War, group: Sequence[Marker], way: Sequence[Point]) -> list[Marker]:
    """122, 125, 132 Along these points, as far as the range goes, and escorts with them as far as
    their own range in this phase allows; one that cannot is left behind. Who of the group did not
    have to stop on the way while others flew on."""
    lead, names = group[0], [marker.id for marker in group]
    escorts = [
        m
        for m in flying(war, lead.side)
        if m.guards in names and m not in group and any(meet(m, one) for one in group)
    ]
    foes = flying(war, lead.side, enemy=True)
    if lead.at == "air":
        foes = [m for m in foes if not meet(lead, m)]  # 123 fought already
    elif way:
        enter(lead, way[0])
    path = _path((lead.x, lead.y), way, _speed(group))
    arrived: list[Marker] = []
    for marker in group:
        held = _along(marker, path, foes)
        if held and any(one.type != FIGHTER for one in group):
            marker.flight = ""
            told(table, [marker], f"stops at {held}")
        else:
            arrived.append(marker)
    flown = path[-1][1]
    for escort in escorts:
        if escort.flown + flown > distances().fighter:
            escort.guards = ""
            far = f"{courses.inches(flown)} inches, and it had "
            far += f"{courses.inches(distances().fighter - escort.flown)} left"
            unable(table, escort, "132", f"it is left behind: {lead.id} flies {far}")
        elif (held := _along(escort, path, foes)) and not meet(escort, lead):
            escort.guards = ""
            told(table, [escort], f"stops at {held}")
    return arrived


def _path(start: Point, way: Sequence[Point], left: int) -> list[tuple[Point, int]]:
    """From point to point as far as the range goes: places close together, and mils flown."""
    found, here, flown = [(start, 0)], start, 0
    for there in way:
        while flown < left and here != there:
            part = min(left - flown, distances().sampling)
            apart = plane.root(plane.square(here, there))
            if apart <= part:
                here, part = there, apart
            else:
                spot = plane.ahead(Pose(*here, plane.bearing(here, there)), part)
                here = (spot.x, spot.y)
            flown += part
            found.append((here, flown))
    return found


def _along(marker: Marker, path: Sequence[tuple[Point, int]], foes: Sequence[Marker]) -> str:
    """125 A marker flies along a path, a fighter to the first hostile marker that it touches, also
    where the bombers with which it flies go on; the name of that one."""
    start = marker.flown
    marker.at = "air"
    for (marker.x, marker.y), flown in path:
        marker.flown = start + flown
        met = [foe for foe in foes if meet(marker, foe)] if marker.type == FIGHTER else []
        if met:
            return met[0].id
    return ""


def enter(marker: Marker, towards: Point) -> None:
    """110 It comes over its edge at the place nearest to where it flies."""
    table = size()
    x, y = towards
    marker.x = {"west": 0, "east": table.width}.get(marker.base, x)
    marker.y = {"south": 0, "north": table.height}.get(marker.base, y)


def unable(table: TableLike, marker: Marker, rule: str, what: str) -> None:
    """Tell a marker's owner what it could not do, and by which rule."""
    table.tell([marker.side], ev.Unable(rule=rule, actor=marker.id, what=what))


def told(table: TableLike, group: Sequence[Marker], doing: str) -> None:
    """122 Tell all where markers are now, in whose group, and what they do there."""
    for marker in group:
        place = f"{courses.inches(marker.x)} {courses.inches(marker.y)}"
        at = place if marker.at == "air" else ""
        flew = ev.Flew(rule="122", marker=marker.id, lead=marker.flight, at=at, doing=doing)
        table.tell(table.sides, flew)
