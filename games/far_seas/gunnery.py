"""K1-K7 Gunfire and torpedoes of one round: who reaches whom, modifiers, damage. Pure.

Everybody fires in the state in which the round began; damage counts when all have fired (K2).
Numbers: data/combat.toml.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec import Struct, structs

from games.far_seas.board import PACKAGE
from games.far_seas.events_battle import Part
from games.far_seas.state import GERMAN, Ship
from pbem.kit.tables import Sheet
from pbem.model import Side

CLOSE = 3
"""K1, K4 The step from which every gun reaches: C range. Surprise begins there."""
CAPITAL = ("BC", "BB")


class Gunner(Struct):
    """A ship in battle."""

    ship: Ship
    aim: str = ""
    """Whom it fired at last."""
    rounds: int = 0
    """How many rounds running."""
    struck: Collection[str] = ()
    """Who was hit last round, by anybody."""
    tried: bool = False
    """F12 It has tried to run."""
    ran: bool = False
    """It has tried since the last round."""
    before: int = 0
    """Damage with which it came."""

    @property
    def id(self) -> str:
        """The ship's id."""
        return self.ship.id


class Moment(Struct, frozen=True):
    """What a round has in common. step: 1 is A range, 2 AB, from 3 on C range; bonus: the side
    with +2 (S12, G8); ambush: the Germans surprised (K7). crowd, later: by option (F2, F6)."""

    step: int
    bonus: Side | None
    ambush: bool
    crowd: int
    later: int


class Shot(Struct, frozen=True):
    """One ship's fire at one target."""

    who: str
    target: str
    die: int
    """Of the guns."""
    row: int
    """Of the Damage Table."""
    damage: int
    """Done by the guns."""
    parts: tuple[Part, ...]
    aimed: int = 0
    """The torpedo's die, 0 without one."""
    needs: int = 0
    """The highest die with which the torpedo hits."""
    torpedo: int = -1
    """Damage it did, -1 when it missed."""

    @property
    def hurt(self) -> int:
        """All damage done."""
        return self.damage + max(self.torpedo, 0)


FIGURES = Sheet(PACKAGE, "combat.toml")


def column(name: str) -> Sequence[int]:
    """K2 A column of the Damage Table: H, A, B or C, rows 0 to 7."""
    damage: Sequence[int] = FIGURES.value("damage")[name]
    return damage


def moment(step: int, options: Mapping[str, str], bonus: Side | None, ambush: bool) -> Moment:
    """F2, F6 A round under the options `concentration` and `torpedoes`."""
    torpedo = FIGURES.value("torpedo")
    later = torpedo["first"] if options.get("torpedoes") == "one" else torpedo["later"]
    crowd = FIGURES.value("crowd")[options.get("concentration", "two")]
    return Moment(step, bonus, ambush, crowd, later)


# K1, K4 Range


def reaches(ship: Ship, step: int) -> bool:
    """K1 A range, then AB, then ABC."""
    return ship.gun in "ABC"[:step]


def torpedoes(ship: Ship, step: int) -> bool:
    """K6 At C range every ship that may, no battleship (`setup.torpedoes`)."""
    return step >= CLOSE and ship.tubes


def dice(ship: Ship, step: int, held: bool) -> int:
    """Dice that a ship in range throws in a round: one for its guns, two more for a torpedo; held:
    it makes no torpedo attack."""
    return 1 + 2 * (torpedoes(ship, step) and not held)


# K3 Modifiers


def modifiers(firer: Gunner, target: Ship, crowd: int, now: Moment) -> list[Part]:
    """K3 All modifiers of one ship's fire; crowd: ships of its side that fire at the target."""
    of = FIGURES.value("modifiers")
    ship, close = firer.ship, now.step > CLOSE
    weary = ship.fought if ship.side == GERMAN and ship.type != "BC" else 0
    cases = (
        ("printed", ranged(firer, target)),
        ("firer_half", of["firer_half"] * ship.half),
        ("target_half", of["target_half"] * target.half),
        ("closing", of["closing"] * close),
        ("ran", of["ran"] * firer.ran),
        ("crack", of["crack"] * (ship.id in of["ships"] and target.id in firer.struck)),
        ("crowd", of["crowd"] * (crowd >= now.crowd)),
        ("weary", of["weary"] * weary),
        ("surprise", of["surprise"] * (ship.side == now.bonus)),
    )
    return [Part(what, value) for what, value in cases if value]


def ranged(firer: Gunner, target: Ship) -> int:
    """K3 The printed modifier: 1 better for every round before this one at the same target, until
    it is 0."""
    before, printed = firer.rounds if firer.aim == target.id else 0, firer.ship.roll
    better: int = FIGURES.value("modifiers.ranging") * before
    return min(printed + better, max(printed, 0))


# K2, K6, K7 Fire


def row(die: int, parts: Sequence[Part]) -> int:
    """K2 The row of the Damage Table: the die with all modifiers, within the table."""
    return min(max(die + sum(m.value for m in parts), 0), 7)


def damage(ship: Ship, at: int) -> int:
    """K2 Points that a row of the ship's column does."""
    return column("H" if ship.type in CAPITAL else ship.gun)[at]


def needs(ship: Ship, now: Moment) -> int:
    """K6, K7, F6 The highest die with which its torpedo hits."""
    of = FIGURES.value("torpedo")
    needed = now.later if now.step > CLOSE else of["first"]
    return max(needed, of["surprise"]) if now.ambush and ship.side == GERMAN else needed


def shot(firer: Gunner, target: Ship, crowd: int, now: Moment, fallen: Sequence[int]) -> Shot:
    """K2, K6 The fire of one ship in range. fallen: as many dice as `dice` says, guns first."""
    die, *torpedo = fallen
    parts = tuple(modifiers(firer, target, crowd, now))
    at = row(die, parts)
    fired = Shot(firer.id, target.id, die, at, damage(firer.ship, at), parts)
    return structs.replace(fired, **_launched(firer.ship, now, torpedo)) if torpedo else fired


def _launched(ship: Ship, now: Moment, fallen: Sequence[int]) -> dict[str, int]:
    """K6 A torpedo: the die that has to hit, and the damage without modifiers."""
    aimed, force = fallen
    of = FIGURES.value("torpedo")
    wants = needs(ship, now)
    return {
        "aimed": aimed,
        "needs": wants,
        "torpedo": column(of["column"])[force] if aimed <= wants else -1,
    }


def exchange(
    aims: Mapping[str, str],
    gunners: Sequence[Gunner],
    now: Moment,
    throw: Callable[[Ship, int], Sequence[int]],
    held: Collection[str] = (),
) -> list[Shot]:
    """K2 A round's fire of both sides, before any damage counts.

    aims: target by firer, ids, of every ship in range. throw: dice for a ship, by number.
    held: ids that make no torpedo attack.
    """
    ships = {g.id: g.ship for g in gunners}
    firing = [(g, aims[g.id]) for g in gunners if reaches(g.ship, now.step)]
    crowds = Counter(at for _, at in firing)
    return [
        shot(g, ships[at], crowds[at], now, throw(g.ship, dice(g.ship, now.step, g.id in held)))
        for g, at in firing
    ]


def settle(shots: Sequence[Shot], gunners: Sequence[Gunner]) -> dict[str, int]:
    """K2 Damage counts, and every gunner remembers the round. Returns the damage by ship."""
    by = {s.who: s for s in shots}
    hurt: dict[str, int] = {}
    for s in shots:
        hurt[s.target] = hurt.get(s.target, 0) + s.hurt
    for g in gunners:
        g.ship.damage += hurt.get(g.id, 0)
        _remember(g, by.get(g.id), [id_ for id_, points in hurt.items() if points])
    return {id_: points for id_, points in hurt.items() if points}


def _remember(gunner: Gunner, fired: Shot | None, struck: Collection[str]) -> None:
    """K3 What counts next round: who was hit, and of its own fire only rounds in which its guns
    fired."""
    gunner.ran = False
    gunner.struck = struck
    if fired:
        gunner.rounds = gunner.rounds + 1 if gunner.aim == fired.target else 1
        gunner.aim = fired.target


# Doctrine


def spread(
    own: Sequence[Gunner], foes: Sequence[Ship], taken: Iterable[str] = ()
) -> dict[str, str]:
    """K3 Targets that waste least fire: each ship keeps its target while it is afloat, the others
    take enemies without one, and those left over the most damaged. taken: targets of the side's
    other ships."""
    order = {f.id: n for n, f in enumerate(foes)}
    kept = {g.id: g.aim for g in own if g.aim in order}
    load = Counter([*taken, *kept.values()])
    for g in own:
        if g.id not in kept:
            best = min(foes, key=lambda f: (load[f.id], -f.damage, order[f.id]))
            kept[g.id] = best.id
            load[best.id] += 1
    return kept
