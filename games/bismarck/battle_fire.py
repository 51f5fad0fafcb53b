"""9.6 Fire and hits on the picture of a battle: on the board, and round by round below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import cos, radians, sin

from games.bismarck.battle.coordinates import hex_of
from games.bismarck.battle_places import (
    around,
    bearing,
    first_shown,
    hull_at,
    last_fired_at,
    middle,
    owner,
    place,
    stood,
    way,
)
from games.bismarck.battle_report import BattleBoard, BoardShip, Salvo, Spot
from pbem.kit.hexes import distance
from pbem.scene import Inset, Mark, Polyline, Track

MOST_ROUNDS = 10
"""Small boards at most: the last rounds."""


def marked_round(battle: BattleBoard) -> int:
    """The round whose fire the board shows: the last with fire, of a battle that is over the one
    with most hits."""
    score: dict[int, int] = {}
    for shot in [s for s in battle.fire if s.round >= first_shown(battle)]:
        score[shot.round] = score.get(shot.round, 0) + (shot.boxes if battle.over else 0)
    return max(score, key=lambda n: (score[n], n), default=0)


def fire(battle: BattleBoard, round_: int) -> Iterator[Polyline]:
    """The fire of a round: curved lines, thicker for more shots, dashed without a hit."""
    for shot in battle.fire:
        if shot.round == round_:
            yield _line(battle, shot)


def _line(battle: BattleBoard, shot: Salvo, scale: float = 1.0) -> Polyline:
    ship, start = stood(battle, shot.ship, shot.round)
    target, end = stood(battle, shot.target, shot.round)
    (x, y), (u, v) = place(battle, ship, start), place(battle, target, end)
    long = max(((u - x) ** 2 + (v - y) ** 2) ** 0.5, 0.01)
    back = min(0.36 / long, 0.3)  # the line ends at the hull's side, clear of the middle
    bend = 0.09
    start_, end_ = back / 2, 1 - back
    shares = [start_ + (end_ - start_) * i / 6 for i in range(7)]
    return Polyline(
        owner=owner(ship),
        points=tuple(
            (
                x + (u - x) * t + 4 * bend * t * (1 - t) * (v - y),
                y + (v - y) * t - 4 * bend * t * (1 - t) * (u - x),
            )
            for t in shares
        ),
        round=True,
        over=True,
        dashed=not shot.boxes,
        width=round(scale * (1.2 + 0.4 * shot.shots), 1),
    )


def hits(battle: BattleBoard, round_: int, beside: float = 0.46) -> Iterator[Mark]:
    """A star at every ship that was hit in a round, with the boxes it lost. beside: hexes from the
    middle of the hull."""
    for ship in battle.ships:
        struck = [s for s in battle.fire if (s.target, s.round) == (ship.name, round_) and s.boxes]
        if struck:
            _, spot = stood(battle, ship.name, round_)
            x, y = place(battle, ship, spot)
            turn, (u, v) = radians(bearing(spot)), middle(spot.hex)
            out = -beside if (x - u) * cos(turn) + (y - v) * sin(turn) < 0 else beside
            boxes = sum(s.boxes for s in struck)
            yield Mark(
                at=(x + out * cos(turn), y + out * sin(turn)),
                label=str(boxes),
                owner=owner(ship),
                burst=True,
                said=f"{ship.name} lost {boxes} boxes in round {round_}",
            )


def insets(battle: BattleBoard) -> Iterator[Inset]:
    """A small board for each round; the round of the large one is marked."""
    marked = marked_round(battle)
    first = max(1, battle.round - MOST_ROUNDS + 1)
    for number in range(first, battle.round + 1):
        ships = [s for s in battle.ships if s.track[0].round <= number and _there(s, number)]
        here = [stood(battle, s.name, number) for s in ships]
        if not here:
            continue
        yield Inset(
            title=f"Round {number}",
            note=apart(here),
            said=story(battle, number),
            alarm=number == marked,
            window=around([*(spot for _, spot in here), *_starts(ships, number)], 5.2, 3.6),
            shapes=(
                *(hull_at(battle, ship, spot, 1.0, ship.name) for ship, spot in here),
                *(_line(battle, s, 0.7) for s in battle.fire if s.round == number),
            ),
            tracks=tuple(_steps(battle, ships, number)),
            marks=tuple(hits(battle, number, 0.8)),
        )


def _starts(ships: Iterable[BoardShip], number: int) -> Iterator[Spot]:
    """Where the ships stood when a round began."""
    for ship in ships:
        yield from [s for s in ship.track if s.round < number][-1:]


def _there(ship: BoardShip, number: int) -> bool:
    return not (ship.fate in ("sunk", "withdrew") and ship.at.round < number)


def _steps(battle: BattleBoard, ships: Iterable[BoardShip], number: int) -> Iterator[Track]:
    """The way of each ship in one round."""
    for ship in ships:
        before = [s for s in ship.track if s.round < number][-1:]
        now = [s for s in ship.track if s.round == number][:1]
        steps = way(battle, ship, [*before, *now])
        if len(steps) > 1:
            yield Track(points=steps, owner=owner(ship))


def apart(here: Sequence[tuple[BoardShip, Spot]]) -> str:
    """How far the nearest enemies were from each other."""
    gaps = [
        distance(hex_of(a.hex), hex_of(b.hex))
        for one, a in here
        for other, b in here
        if one.own and not other.own
    ]
    return f"{min(gaps)} hex{'' if min(gaps) == 1 else 'es'} apart" if gaps else ""


def story(battle: BattleBoard, number: int) -> str:
    """What happened in a round, in a few words."""
    hurt: dict[str, int] = {}
    for shot in battle.fire:
        if shot.round == number and shot.boxes:
            hurt[shot.target] = hurt.get(shot.target, 0) + shot.boxes
    sunk = [s.name for s in battle.ships if s.fate == "sunk" and last_fired_at(battle, s) == number]
    said = [f"{n} sunk" for n in sunk]
    said += [f"{n} loses {k}" for n, k in hurt.items() if n not in sunk]
    if said:
        return ", ".join(said)
    fired = any(s.round == number for s in battle.fire)
    return "no hit" if fired else "no fire"
