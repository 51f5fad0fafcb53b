"""9.6, 9.7 A round's fire: attackers, then defenders; all damage counts at its end (9.713)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import asks, calendar, contacts, taskforce, victory
from games.bismarck import events_battle as ev
from games.bismarck.battle import damage, doctrine, gunnery
from games.bismarck.battle.charts import MISS, Charts, Hit, Range, charts
from games.bismarck.battle.damage import Target
from games.bismarck.battle.gunnery import Aim, Battery, Fault
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import OrderFailed
from games.bismarck.state import Hits, Ship, War
from games.bismarck.vessels import Battle, Shot, Vessel
from pbem.kit.views import filler
from pbem.model import Dice, Side, TableLike

Targets = Mapping[str, Target]
SPLIT = " SPLIT"
Said = Mapping[Side, Mapping[str, str]]


class Fire(Struct, frozen=True):
    """9.65 What one ship fires at one target in a round. firer: its name; zone: of the battle;
    guns: the sections that fire."""

    firer: str
    zone: str
    aim: Aim
    shots: int
    target: Target
    guns: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """LOCUS and ROLLER of its rolls."""
        return f"{self.zone}/{self.firer.upper()}"


def guns(war: War, vessel: Vessel, faulty: Fault = "") -> Battery:
    """9.64, 9.98 What a ship in battle can fire."""
    return gunnery.battery(war.ships[vessel.ship], faulty, vessel.withdrawing)


def phase(table: TableLike, war: War, battle: Battle, said: Said) -> None:
    """9.62, 9.713 Everybody fires with the strength at the beginning of the round."""
    targets = {v.ship: damage.target(war.ships[v.ship]) for v in battle.fighting()}
    order = sorted(battle.fighting(), key=lambda v: not v.attacker)
    fired = [_ship(table, war, battle, v, targets, said[v.side]) for v in order]
    battle.silent = 0 if any(fired) else battle.silent + 1
    for vessel in battle.fighting():
        take(table, war, war.ships[vessel.ship], targets[vessel.ship], battle.zone, "9.711")


def _ship(
    table: TableLike,
    war: War,
    battle: Battle,
    vessel: Vessel,
    targets: Targets,
    said: Mapping[str, str],
) -> bool:
    """9.62 One ship's fire, designated and then resolved; whether it fired at all."""
    tables, ship = charts(war.house), war.ships[vessel.ship]
    night = calendar.night(war.turn, battle.zone)
    word = said.get(f"FIRE {ship.id}", "STRONGEST")
    split = word.endswith(SPLIT)
    aims = _aims(war, battle, vessel, targets, word.removesuffix(SPLIT))
    ready = guns(war, vessel)
    if not gunnery.designate(ready, aims, tables, night):
        return False
    ready = guns(war, vessel, _fault(table, battle, ship))
    words = said.get(f"DIVIDE {ship.id}", "").split(";")
    shares = _shares(war, battle, vessel, aims, words)
    volleys = (
        gunnery.divide(ready, aims, shares, tables, night, spread=asks.NEXT in words)
        if shares
        else gunnery.designate(ready, aims, tables, night, split)
    )
    _short(table, war, vessel, shares, volleys)
    halved = gunnery.third_halved(ready, volleys, tables)
    fires = [
        Fire(
            ready.name,
            battle.zone,
            v.aim,
            gunnery.shots(ready, v, halved),
            targets[v.aim.ship],
            v.guns,
        )
        for v in volleys
    ]
    fired = [_noted(table, battle, ship, fire, tables, night) for fire in fires]
    return any(fired)


def _noted(
    table: TableLike, battle: Battle, ship: Ship, fire: Fire, tables: Charts, night: bool
) -> bool:
    """One volley, added to what the battle saw; whether any shot fell."""
    before = replace(fire.target.marked)
    if not _volley(table, fire, tables, night):
        return False
    hits = damage.between(before, fire.target.marked)
    seen = replace(hits, temporary=0)
    aim = fire.aim
    battle.shots.append(
        Shot(battle.round, ship.id, aim.ship, fire.guns, aim.hexes, fire.shots, seen)
    )
    return True


def _aims(war: War, battle: Battle, vessel: Vessel, targets: Targets, word: str) -> Sequence[Aim]:
    """The enemies still afloat, in the order in which they are wanted."""
    there = {v.ship: v for v in battle.against(vessel.side) if not targets[v.ship].gone()}
    wanted = doctrine.aimed(word, [(war.ships[i], v.at) for i, v in there.items()], vessel.at)
    return [
        gunnery.aim(s.id, vessel.at, vessel.facing, there[s.id].at, there[s.id].facing)
        for s in wanted
    ]


def _shares(
    war: War, battle: Battle, vessel: Vessel, aims: Sequence[Aim], words: Sequence[str]
) -> dict[str, int]:
    """9.62 Salvos by target afloat, in the order of the order: `HOOD=9`, `WEAKEST=4`."""
    at = {v.ship: v.at for v in battle.against(vessel.side)}
    there = [(war.ships[a.ship], at[a.ship]) for a in aims]
    shares: dict[str, int] = {}
    for word, _, salvos in (share.partition("=") for share in words):
        for ship in doctrine.aimed(word, there, vessel.at)[:1]:
            if word in (ship.id, contacts.general(ship), *doctrine.WAYS):
                shares[ship.id] = int(salvos)
    return shares


def _short(
    table: TableLike,
    war: War,
    vessel: Vessel,
    shares: Mapping[str, int],
    volleys: Sequence[gunnery.Volley],
) -> None:
    """9.63 Tell the owner where fewer guns bear than he designated, once for each target."""
    ship = war.ships[vessel.ship]
    fired = {v.aim.ship: sum(v.salvos) for v in volleys}
    for target, wanted in shares.items():
        able = fired.get(target, 0)
        if able < wanted and target not in vessel.short:
            vessel.short.append(target)
            verb = f"fire {wanted} salvos at the {war.ships[target].name}"
            why = f"{able} bear" if able else "none bears"
            failed = OrderFailed(rule="9.63", why=why, who=ship.name, verb=verb)
            table.tell([ship.side], failed)


def _fault(table: TableLike, battle: Battle, ship: Ship) -> Fault:
    """9.83 King George V and Prince of Wales may find a turret silent."""
    if ship.name not in gunnery.UNRELIABLE:
        return ""
    label = f"BATTLE/TURRET/{battle.zone}/{ship.id}"
    first, second = table.roll(label, Dice(2, 6), table.sides)
    gun = gunnery.fault(first, second)
    if gun:
        why = f"rolled {first}, fails on 4-6; {second}, bow on 1-3"
        table.tell(table.sides, ev.Misfire(rule="9.83", why=why, who=ship.name, gun=gun))
    return gun


def _volley(table: TableLike, fire: Fire, tables: Charts, night: bool) -> bool:
    """9.65-9.67 Shots at one target, each with two dice, all in one roll; whether any fell."""
    if not fire.shots:
        return False
    distant = gunnery.reach(fire.aim.hexes, tables, night) or "B"
    totals = pairs(table.roll(f"BATTLE/FIRE/{fire.where}", Dice(2 * fire.shots, 6), table.sides))
    results = []
    for total in totals:
        hit, chart = gunnery.result(total, distant, fire.aim.field, tables, night)
        if fire.target.gone():  # 9.62: the rest is lost
            break
        if hit != MISS:
            results.append(_hit(table, fire, hit, chart, tables))
    table.tell(table.sides, _told(fire, distant, totals, results))
    return True


def _told(fire: Fire, distant: Range, totals: Sequence[int], results: Sequence[str]) -> ev.Fired:
    """9.66 What both sides see of a volley."""
    return ev.Fired(
        rule="9.66",
        why=f"range {distant}, rolled {' '.join(map(str, totals))}",
        who=fire.firer,
        target=fire.target.name,
        hexes=fire.aim.hexes,
        field=fire.aim.field,
        shots=fire.shots,
        results=tuple(results),
    )


def pairs(dice: Sequence[int]) -> list[int]:
    """Sums of two dice each."""
    return [dice[i] + dice[i + 1] for i in range(0, len(dice), 2)]


def _hit(table: TableLike, fire: Fire, hit: Hit, chart: Range, tables: Charts) -> str:
    """9.711, 9.712, 9.716, 9.81 Mark one hit; what it did, in words."""
    where, target, field = fire.where, fire.target, fire.aim.field
    if hit.special:
        (total,) = pairs(table.roll(f"BATTLE/SPECIAL/{where}", Dice(2, 6), table.sides))
        hit = gunnery.special(total, target.name, target.type, chart, tables)
    if target.name == gunnery.RODNEY and hit.stern and field == "broadside":
        (die,) = table.roll(f"BATTLE/THIRD/{where}", Dice(1, 6), table.sides)
        hit = damage.convert(hit, target.name, field, die)
    else:
        hit = damage.convert(hit, target.name, field, 6)
    beam = damage.beam_choice(target, fire.aim.beam)
    side = table.pick(f"BATTLE/BEAM/{where}", beam, table.sides) if hit.secondary else beam[0]
    damage.mark(target, hit, side, tables)
    return words(hit)


def words(hit: Hit) -> str:
    """A result as the table prints it."""
    if hit.sunk:
        return "sunk"
    guns = [("bow", hit.bow), ("stern", hit.stern), ("secondary", hit.secondary)]
    said = [f"{boxes} {name}" if boxes > 1 else name for name, boxes in guns if boxes]
    said += [f"{hit.midships} midships"] if hit.midships else []
    said += [f"evasion -{hit.evasion}"] if hit.evasion else []
    return ", ".join(said) or "no effect"


# 9.713, 9.714 Damage takes force


_LOST = "bow stern port starboard midships evasion=permanent"
_HIT = filler(ev.ShipHit, {Ship: "who=name side", Hits: _LOST})


def take(table: TableLike, war: War, ship: Ship, under_fire: Target, zone: str, rule: str) -> None:
    """9.713, 9.18 Cross the boxes out; both sides note what was hit; a sunk ship is gone."""
    new = damage.settle(ship, under_fire)
    if new != Hits():
        table.tell(table.sides, _HIT(ship, new, rule=rule, zone=zone))
    if ship.sunk:
        sink(table, war, ship, zone)


def sink(table: TableLike, war: War, ship: Ship, zone: str) -> None:
    """9.714, 12.31, 12.41 Both sides see it; the points are written down."""
    gainer = GERMAN if ship.side == BRITISH else BRITISH
    rule = "12.41" if ship.side == BRITISH else "12.31"
    sunk = victory.numbers(war).sunk
    ship.sunk_in = war.turn
    points = sunk[ship.name] if ship.name in sunk else sunk[ship.type]
    who, side = ship.name, ship.side
    table.tell(table.sides, ev.ShipSunk(rule="9.714", who=who, side=side, zone=zone, points=points))
    victory.award(table, war, gainer, points, rule, f"the {ship.name} sunk")
    taskforce.remove_sunk(war)
