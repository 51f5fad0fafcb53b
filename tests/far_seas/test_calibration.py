"""Fights of history on our own ratings: their calibration, within the error of the samples.

The figures (4,000 fights a row, rounded to 1 in 100) are shares of fights in which the second side
alone, the first alone, or both were sunk, and the mean damage of the first side's ships. Fights go
to the end; nobody runs. The error allowed is three standard deviations of the difference of both
samples, and the rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from games.far_seas import gunnery
from games.far_seas.gunnery import Gunner
from games.far_seas.state import Ship
from tests.far_seas.ratings import roster

PUBLISHED = 4000


class Row(Struct, frozen=True):
    """hurt: mean over the ships of the first side of damage in per cent of capacity, None where it
    is not published; spread: of one fight's damage, in the same."""

    first: str
    second: str
    won: int
    lost: int
    both: int
    hurt: int | None
    spread: float = 30.0


ROWS = [
    Row("SCHARNHORST GNEISENAU", "GOOD HOPE,MONMOUTH", 100, 0, 0, 29),
    Row("SCHARNHORST GNEISENAU", "INVINCIBLE,INFLEXIBLE", 2, 95, 3, 100),
    Row("SCHARNHORST GNEISENAU", "INVINCIBLE,INFLEXIBLE,CARNARVON", 0, 99, 0, 100),
    Row("SCHARNHORST", "AUSTRALIA", 6, 84, 10, 98),
    Row("SCHARNHORST GNEISENAU", "AUSTRALIA", 73, 14, 13, 69),
    Row("SCHARNHORST GNEISENAU", "CANOPUS,GOOD HOPE,MONMOUTH", 76, 17, 6, 72),
    Row("SCHARNHORST GNEISENAU", "MINOTAUR,HAMPSHIRE", 82, 10, 8, 68),
    Row("EMDEN", "SYDNEY", 6, 82, 11, 97),
    Row("KONIGSBERG", "PEGASUS", 70, 13, 17, 51),
    Row("KAISER WILHELM DER GROSSE", "HIGHFLYER", 2, 93, 4, 99),
    Row("CAP TRAFALGAR", "CARMANIA", 32, 55, 13, 80),
    Row("LEIPZIG NURNBERG", "KENT,CORNWALL,GLASGOW", 0, 100, 0, None),
    Row("SCHARNHORST GNEISENAU LEIPZIG DRESDEN", "GOOD HOPE,MONMOUTH,GLASGOW", 99, 0, 0, 43),
]


class Found(Struct):
    """What a sample showed: shares and mean damage in per cent, mean length in rounds."""

    won: float = 0.0
    lost: float = 0.0
    both: float = 0.0
    hurt: float = 0.0
    rounds: float = 0.0


def fleet(names: str, ships: dict[str, Ship]) -> list[Ship]:
    ids = [names] if names in ships else names.split("," if "," in names else " ")
    return [ships[i] for i in ids]


def afloat(gunners: Sequence[Gunner]) -> list[Gunner]:
    """Those that are not sunk."""
    return [g for g in gunners if not g.ship.sunk]


def fight(rng: Random, ours: Sequence[Ship], theirs: Sequence[Ship]) -> int:
    """To the end; how many rounds it took."""
    sides = [[Gunner(replace(s)) for s in fleet] for fleet in (ours, theirs)]
    step = 0
    while all(afloat(side) for side in sides):
        step += 1
        live = [afloat(side) for side in sides]
        aims = gunnery.spread(live[0], [g.ship for g in live[1]])
        aims |= gunnery.spread(live[1], [g.ship for g in live[0]])
        shots = gunnery.exchange(
            aims,
            [*live[0], *live[1]],
            gunnery.moment(step, {}, None, False),
            lambda _, n: [rng.randint(1, 6) for _ in range(n)],
        )
        gunnery.settle(shots, [*live[0], *live[1]])
    for fleet, side in zip((ours, theirs), sides, strict=True):
        for ship, gunner in zip(fleet, side, strict=True):
            ship.damage = gunner.ship.damage
    return step


def sample(row: Row, fights: int) -> Found:
    rng, found, ships = Random(1914), Found(), roster()
    ours, theirs = fleet(row.first, ships), fleet(row.second, ships)
    part = 100 / fights
    for _ in range(fights):
        for ship in (*ours, *theirs):
            ship.damage = 0
        found.rounds += fight(rng, ours, theirs) / fights
        gone = all(s.sunk for s in ours), all(s.sunk for s in theirs)
        found.both += part * (gone == (True, True))
        found.won += part * (gone == (False, True))
        found.lost += part * (gone == (True, False))
        found.hurt += part * sum(min(1, s.damage / s.capacity) for s in ours) / len(ours)
    return found


def agree(row: Row, fights: int) -> None:
    found = sample(row, fights)
    samples = 1 / fights + 1 / PUBLISHED
    for name in ("won", "lost", "both"):
        share, said = getattr(found, name), getattr(row, name)
        pooled = (share * fights + said * PUBLISHED) / (fights + PUBLISHED)
        error = 3 * (max(pooled, 1) * max(100 - pooled, 1) * samples) ** 0.5 + 0.5
        assert abs(share - said) <= error, f"{name}: {share:.1f}, published {said}"
    if row.hurt is not None:
        error = 3 * row.spread * samples**0.5 + 0.5
        assert abs(found.hurt - row.hurt) <= error, f"{found.hurt:.1f}, published {row.hurt}"
    assert 3.2 <= found.rounds <= 6.0  # published: 3.4 to 5.8


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.first} v {row.second}")
def test_a_fight_of_history_by_a_sample_of_500(row: Row) -> None:
    agree(row, 500)


@pytest.mark.nightly
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.first} v {row.second}")
def test_a_fight_of_history_4000_times(row: Row) -> None:
    agree(row, PUBLISHED)
