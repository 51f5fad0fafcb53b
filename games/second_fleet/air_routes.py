"""Own flights on the chart: strategic missions and strikes of the window, from the report's events.

Only their owner is told of them, so that they show nothing that the report does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from games.second_fleet.board import HEXES, ZONE_OF, Zone
from games.second_fleet.report import OwnUnit
from pbem.kit import reports
from pbem.scene import Point, Track

At = Callable[[str], Point]


class Told(reports.Told, frozen=True):
    """The events that tell of own flights: MissionsSent and Flew."""

    zone: Zone | str = ""
    units: tuple[str, ...] = ()
    start: str = ""
    to: str = ""


def routes(told: Iterable[Told], units: Iterable[OwnUnit], at: At) -> Iterator[Track]:
    """42, 93 A thin line for each base and goal: out, and from a strike to where they landed."""
    bases = {u.id: u.place for u in units if u.kind == "air"}
    ways = dict.fromkeys(way for event in told for way in _ways(event, bases))
    for start, goal in ways:
        aim = _middle(goal, at) if goal in ZONE_OF.values() else at(goal)
        if at(start) != aim:
            yield Track(points=(at(start), aim), dashed=True, arrow=True)


def _ways(event: Told, bases: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """From where to where, a hex or a zone. Squadrons that were lost have no base any more."""
    homes = [bases[name] for name in event.units if name in bases]
    if event.kind == "MissionsSent":
        yield from ((home, event.zone) for home in homes)
    elif event.kind == "Flew" and event.to in HEXES:
        yield from ((event.start, event.to) for _ in event.units[:1] if event.start in HEXES)
        yield from ((event.to, home) for home in homes if home != event.start)


@cache
def _middle(zone: str, at: At) -> Point:
    """The middle of a zone."""
    spots = [at(hex_) for hex_, one in ZONE_OF.items() if one == zone]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)
