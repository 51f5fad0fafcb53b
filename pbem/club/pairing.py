"""Pairings and places of tournaments, from entrants and results alone.

Swiss: entrants with equal scores play each other, and nobody meets the same opponent twice while
that can be avoided; of an odd number, the lowest who has had no bye gets one. Ladder: neighbours
play; a winner takes the place of whoever he beat above him.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

Score = dict[str, float]
"""Entrant to points."""


class Meeting(Struct, frozen=True):
    """A pairing that was played, or a bye."""

    players: tuple[str, ...]
    """One for a bye, else two."""
    points: tuple[float, ...]
    """The points of each, of `of`; empty while games of it go on."""
    of: float = 1.0


class Place(Struct):
    """An entrant's place."""

    name: str
    points: float
    buchholz: float
    """The points of his opponents together: the first tie-break."""
    berger: float
    """The points of those he beat, and half of those he drew with: the second."""
    wins: int
    """Pairings won: the third."""
    played: int
    place: int = 0
    """Those that no tie-break separates share it."""


def places(entrants: Sequence[str], meetings: Sequence[Meeting]) -> list[Place]:
    """Return the table of a Swiss or paired tournament, the first first."""
    score = scores(entrants, meetings)
    found = []
    for name in entrants:
        mine = [m for m in meetings if name in m.players and m.points]
        real = [(m, m.players.index(name)) for m in mine if len(m.players) == 2]
        met = [(m.players[1 - i], m.points[i] / m.of) for m, i in real]
        found.append(
            Place(
                name,
                points=score[name],
                buchholz=sum(score[other] for other, _ in met),
                berger=sum(score[other] * share for other, share in met),
                wins=sum(share > 0.5 for _, share in met),
                played=len(mine),
            )
        )
    found.sort(key=_rank)
    for number, one in enumerate(found, 1):
        above = found[number - 2] if number > 1 else None
        one.place = above.place if above and _rank(above) == _rank(one) else number
    return found


def _rank(one: Place) -> tuple[float, ...]:
    return (-one.points, -one.buchholz, -one.berger, -one.wins)


def scores(entrants: Sequence[str], meetings: Sequence[Meeting]) -> Score:
    """Return the points of every entrant."""
    found = dict.fromkeys(entrants, 0.0)
    for one in meetings:
        for name, points in zip(one.players, one.points, strict=bool(one.points)):
            found[name] = found.get(name, 0.0) + points
    return found


def swiss(
    entrants: Sequence[str], meetings: Sequence[Meeting], gone: Sequence[str] = ()
) -> list[list[str]]:
    """Return the pairings of the next round; the first of a pair takes the scenario's first side.

    Each is of two; of an odd number, one has a bye. gone: those who left.
    """
    table = [one.name for one in places(entrants, meetings) if one.name not in gone]
    met = {frozenset(m.players) for m in meetings if len(m.players) == 2}
    byes = {m.players[0] for m in meetings if len(m.players) == 1}
    bye: list[list[str]] = []
    if len(table) % 2:
        free = [name for name in table if name not in byes] or table
        bye = [[free[-1]]]
        table.remove(free[-1])
    budget = [20_000]
    pairs = _matched(table, met, budget) or _matched(table, set(), [len(table)])
    firsts = _firsts(entrants, meetings)
    return [_seated(pair, firsts) for pair in pairs or []] + bye


def _matched(
    table: Sequence[str], met: set[frozenset[str]], budget: list[int]
) -> list[tuple[str, str]] | None:
    """Pair the first with the nearest whom he has not met, and the rest likewise; None if that is
    impossible. budget: steps that are left, so that large fields end, too."""
    if not table:
        return []
    first, *rest = table
    for other in rest:
        if frozenset((first, other)) in met:
            continue
        budget[0] -= 1
        if budget[0] < 0:
            return None
        left = _matched([name for name in rest if name != other], met, budget)
        if left is not None:
            return [(first, other), *left]
    return None


def _firsts(entrants: Sequence[str], meetings: Sequence[Meeting]) -> Mapping[str, int]:
    """Return how much oftener each had the first side than the second."""
    found = dict.fromkeys(entrants, 0)
    for one in meetings:
        if len(one.players) == 2:
            found[one.players[0]] = found.get(one.players[0], 0) + 1
            found[one.players[1]] = found.get(one.players[1], 0) - 1
    return found


def _seated(pair: tuple[str, str], firsts: Mapping[str, int]) -> list[str]:
    """Give the first side to whoever had it less often, of equals to the one placed higher."""
    one, other = pair
    return [one, other] if firsts[one] <= firsts[other] else [other, one]


def ladder(entrants: Sequence[str], meetings: Sequence[Meeting]) -> list[str]:
    """Return the rungs of a ladder, the first on top. Entrants begin in the order of entry;
    meetings are in the order in which they ended."""
    rungs = list(entrants)
    for one in meetings:
        if len(one.players) != 2 or not one.points or one.points[0] == one.points[1]:
            continue
        winner = one.players[0 if one.points[0] > one.points[1] else 1]
        loser = one.players[1 if one.points[0] > one.points[1] else 0]
        if winner in rungs and loser in rungs and rungs.index(winner) > rungs.index(loser):
            rungs.remove(winner)
            rungs.insert(rungs.index(loser), winner)
    return rungs


def rungs_pairs(
    entrants: Sequence[str], meetings: Sequence[Meeting], gone: Sequence[str] = ()
) -> list[list[str]]:
    """Return who plays next on a ladder: neighbours without a game, from below; nobody plays the
    same neighbour twice in a row if there is another."""
    busy = {name for m in meetings if not m.points for name in m.players}
    free = [n for n in ladder(entrants, meetings) if n not in busy and n not in gone]
    last: dict[str, str] = {}
    for one in (m for m in meetings if len(m.players) == 2):
        last[one.players[0]], last[one.players[1]] = one.players[1], one.players[0]
    firsts = _firsts(entrants, meetings)
    found: list[list[str]] = []
    while len(free) > 1:
        lower = free.pop()
        near = next((n for n in reversed(free) if last.get(lower) != n), free[-1])
        free.remove(near)
        found.append(_seated((near, lower), firsts))
    return found[::-1]
