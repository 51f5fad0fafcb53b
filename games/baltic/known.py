"""What a side knows of the table, as a state: its own report, and what it was told before.

Every model lies open. Of the enemy the boxes left are reckoned from the hits that all were told;
which of his weapons a hit put out, what is left in a salvo of his and what stands on his decks are
for chance to say. The rules are cited where their results are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

from msgspec import Struct

from games.baltic import markers, movement, setup
from games.baltic.report import Enemy, OwnVessel, Report
from games.baltic.state import Critical, Marker, Salvo, Vessel, War
from games.baltic.tables import SETTINGS, Setting, weapons
from pbem.inference.quarry import Draws, pick
from pbem.model import Plain, Side

_KINDS = {"fighter": markers.FIGHTER, "bomber": markers.BOMBER, "torpedo": markers.TORPEDO}
_UNTOLD_SALVO = 4
"""Firepower of a salvo whose launch was not told."""


class Blow(Struct):
    """146, 148 A critical hit on a weapon that was not named."""

    vessel: str
    effect: str
    """`weapon` or `ammo`."""
    turn: int


class Known:
    """The table as a side knows it. Its own boxes, loads and weapons are as its report says."""

    def __init__(self, side: Side, scenario: str, options: Mapping[str, str]) -> None:
        self.side = side
        self.war = setup.begin(scenario, options, {})
        self.blows: list[Blow] = []
        self.fired: dict[tuple[str, str], int] = {}
        """Vessel and weapon -> the turn in which it was seen to fire last."""
        self.power: dict[str, int] = {}
        """Salvo -> its firepower, as far as it was told."""
        self._turn = 0
        """Of the window whose events the next report tells."""

    def learn(self, seen: Report, events: Sequence[Plain]) -> None:
        """Read a report and its events: what happened, then how things stand."""
        for event in events:
            fold = _FOLDS.get(event["kind"])
            if fold:
                fold(self, event)
        war, board = self.war, seen.board
        war.turn, war.stage, self._turn = seen.turn, board.stage, seen.turn
        if not seen.turn:
            return
        war.deployed = list(war.cards)
        self._vessels(seen)
        self._markers(seen)
        known = {s.id: s for s in board.salvoes}
        war.salvoes = {
            s.id: Salvo(s.id, Side(s.side), s.x, s.y, s.heading, max(1, s.fp or self._left(s.id)))
            for s in known.values()
        }
        self.settle(war, seen)
        for card in war.cards.values():
            movement.cohere(war, card)

    def _left(self, salvo: str) -> int:
        return self.power.get(salvo, _UNTOLD_SALVO)

    def settle(self, war: War, seen: Report) -> None:
        """23-30 Telegraphs, hulls that are down, the order of activation and the pools, as they are
        told."""
        rows: Sequence[OwnVessel | Enemy] = [*seen.units, *seen.contacts]
        for row in rows:
            if row.kind == "vessel" and row.card in war.cards and row.state != "wreck":
                card = war.cards[row.card]
                card.setting, card.down = _setting(row.setting), row.down
        facts = {fact.name: fact.value for fact in seen.board.facts}
        if facts.get("Order"):
            war.places = [Side(name.lower()) for name in facts["Order"].split(", ")]
        for word in facts.get("Strategy points", "").split(", "):
            name, _, points = word.rpartition(" ")
            if name:
                war.pools[Side(name.lower())] = int(points)

    # Vessels

    def _vessels(self, seen: Report) -> None:
        own = {u.id: u for u in seen.units if u.kind == "vessel"}
        foes = {c.id: c for c in seen.contacts if c.kind == "vessel"}
        for vessel in self.war.vessels.values():
            row = own.get(vessel.id) or foes.get(vessel.id)
            if row is None:
                vessel.out = vessel.out or "edge"
                continue
            vessel.x, vessel.y, vessel.heading = row.x, row.y, row.heading
            vessel.splash, vessel.trail = row.splash, list(row.trail)
            vessel.aground = (vessel.aground or "shallow") if row.state == "aground" else ""
            if row.state == "wreck":
                vessel.coast, vessel.hull = _setting(row.setting), 0
            elif isinstance(row, OwnVessel):
                vessel.hull, vessel.ram = row.hull, row.ram
                self._own_harm(vessel, row)
            else:
                vessel.hull = _within(vessel, row.state == "crippled")

    def _own_harm(self, vessel: Vessel, row: OwnVessel) -> None:
        """140, 146 Own criticals as the sheet shows them; turns and magazines as they were told."""
        kept = [c for c in vessel.criticals if c.effect == "weapon" and c.weapon in row.lost]
        held = {*vessel.gone, *(c.weapon for c in kept)}
        for weapon in row.lost:
            if weapon not in held:
                blow = next((b for b in self.blows if b.vessel == vessel.id), None)
                if blow and blow.effect == "ammo":
                    vessel.gone.append(weapon)
                else:
                    kept.append(Critical("weapon", weapon, blow.turn if blow else self._turn - 1))
                if blow:
                    self.blows.remove(blow)
        self.blows = [b for b in self.blows if b.vessel != vessel.id]
        for effect in dict.fromkeys(row.damage):
            told = [c for c in vessel.criticals if c.effect == effect]
            count = row.damage.count(effect)
            told += [Critical(effect, "", self._turn - 1)] * max(0, count - len(told))
            kept += told[-count:]
        vessel.criticals = kept

    # Aeroplanes

    def _markers(self, seen: Report) -> None:
        war = self.war
        own = {u.id: u for u in seen.units if u.kind == "marker"}
        foes = {c.id: c for c in seen.contacts if c.kind == "marker"}
        for name, unit in own.items():
            if name not in war.markers:
                kind = _KINDS[unit.type.split()[0]]
                base = unit.place.split()[-1]
                war.markers[name] = Marker(name, self.side, kind, 0, 0, unit.at, base)
            marker = war.markers[name]
            marker.at, marker.planes, marker.boxes = unit.at, unit.planes, unit.loads
            marker.x, marker.y = unit.x, unit.y
            note, _, marker.guards = unit.notes[0].partition(", guards ")
            marker.flight = note.partition(", with ")[2]
        for name, foe in foes.items():
            if name not in war.markers:
                kind = _KINDS[foe.type.split()[0].removesuffix("s")]
                carrier = next((c for c in war.cards.values() if c.of.squadrons), None)
                base = carrier.id if carrier and carrier.side == foe.side else "east"
                boxes = markers.BOXES[kind]
                war.markers[name] = Marker(name, Side(foe.side), kind, 0, boxes, "air", base)
            marker = war.markers[name]
            marker.at, marker.planes, marker.x, marker.y = "air", foe.planes, foe.x, foe.y
            marker.flight = foe.remarks.partition(", with ")[2]
        for name, marker in war.markers.items():
            if marker.side == self.side and name not in own:
                marker.at = "lost"
            elif marker.side != self.side and name not in foes and marker.at == "air":
                marker.at, marker.ready = (
                    ("deck", war.turn)
                    if marker.base in war.cards
                    else (
                        "away",
                        war.turn + 1,
                    )
                )

    # A world

    def drawn(self, draws: Draws) -> War:
        """One way in which things may stand: the weapons that were put out, by chance."""
        war = deepcopy(self.war)
        for blow in self.blows:
            vessel = war.vessels.get(blow.vessel)
            if vessel is None or vessel.side == self.side or not vessel.acts:
                continue
            ids = [w.id for w in weapons(vessel.sheet) if w.id not in vessel.lost]
            quiet = [i for i in ids if self.fired.get((vessel.id, i), 0) <= blow.turn]
            if not quiet:
                continue
            weapon = pick(draws, quiet)
            if blow.effect == "ammo":
                vessel.gone.append(weapon)
            else:
                vessel.criticals.append(Critical("weapon", weapon, blow.turn))
        return war

    # What is told

    def _hurt(self, name: str, hits: int) -> None:
        vessel = self.war.vessels.get(name)
        if vessel:
            vessel.hull = max(0, vessel.hull - max(0, hits))

    def _bought(self, event: Plain) -> None:
        """2.6."""
        side, cards = Side(event["side"]), event["cards"].split()
        if cards != [name for name in self.war.order if self.war.cards[name].side == side]:
            setup.equip(self.war, side, cards)

    def _sailed(self, event: Plain) -> None:
        """10 of 2.1."""
        self.war.vessels[event["vessel"]].moved = round(float(event["inches"]) * 1000)

    def _ground(self, event: Plain) -> None:
        """62."""
        if event["aground"]:
            self.war.vessels[event["vessel"]].aground = event["depth"]

    def _left_table(self, event: Plain) -> None:
        """14 of 2.1."""
        self.war.vessels[event["vessel"]].out = "exit" if event["exit"] else "edge"

    def _shot(self, event: Plain) -> None:
        """83, 89."""
        self._hurt(event["target"], event["hits"] - event.get("splash", 0))
        for weapon in event["weapon"].split():
            self.fired[event["vessel"], weapon] = self._turn

    def _collided(self, event: Plain) -> None:
        """54."""
        self._hurt(event["vessel"], event.get("hits", 0) - event.get("splash", 0))
        self._hurt(event["other"], event.get("taken", 0) - event.get("spray", 0))

    def _onto(self, event: Plain) -> None:
        """65, 151."""
        self._hurt(event["vessel"], event["hits"] - event.get("splash", 0))

    def _boarded(self, event: Plain) -> None:
        """102, 194."""
        vessels, hits = self.war.vessels, event["hits"]
        sender, target = vessels[event["vessel"]], vessels[event["target"]]
        sender.ram = max(0, sender.ram - event["troopers"])
        if target.of.capital:
            target.ram = max(0, target.ram - hits)
        else:
            self._hurt(target.id, hits)

    def _bombed(self, event: Plain) -> None:
        """126-130."""
        self._hurt(event["target"], event["hits"] - event.get("splash", 0))
        marker = self.war.markers.get(event["marker"])
        if marker and event["what"] == "bombs":
            marker.boxes = max(0, marker.boxes - 1)

    def _launched(self, event: Plain) -> None:
        """101."""
        vessel, self.war.launched = self.war.vessels.get(event["vessel"]), self.war.launched + 1
        if vessel:
            tubes = [w.fp for w in weapons(vessel.sheet) if w.kind == "torp"]
            power = max(tubes, default=_UNTOLD_SALVO)
            self.power[event["salvo"]] = power // 2 if vessel.crippled else power

    def _struck(self, event: Plain) -> None:
        """116, 117."""
        self._hurt(event["target"], event["hits"] - event.get("splash", 0))
        left = self._left(event["salvo"]) - event["stopped"] - event["hits"]
        self.power[event["salvo"]] = max(1, left)

    def _took_off(self, event: Plain) -> None:
        """106."""
        marker = self.war.markers.get(event["marker"])
        if marker:
            marker.at, marker.boxes = "air", markers.BOXES[marker.type]

    def _landed(self, event: Plain) -> None:
        """107, 110."""
        marker = self.war.markers.get(event["marker"])
        if marker:
            marker.at = "deck" if marker.base in self.war.cards else "away"
            marker.boxes, marker.ready = markers.BOXES[marker.type], self._turn + 1

    def _lost(self, event: Plain) -> None:
        """136, 202."""
        marker = self.war.markers.get(event["marker"])
        if marker:
            marker.at, marker.guards = "lost", ""

    def _mended(self, event: Plain) -> None:
        """138."""
        vessel = self.war.vessels[event["vessel"]]
        effect, _, weapon = event["what"].partition(" ")
        for one in vessel.criticals:
            if one.effect == effect and one.weapon in ("", weapon):
                vessel.criticals.remove(one)
                return
        for blow in self.blows:
            if blow.vessel == vessel.id and blow.effect == effect:
                self.blows.remove(blow)
                return

    def _critical(self, event: Plain) -> None:
        """144-151."""
        vessel = self.war.vessels[event["vessel"]]
        for effect in event["effects"].split():
            if effect == "marines":
                vessel.ram = max(0, vessel.ram - 1)
            elif effect in ("weapon", "ammo"):
                self.blows.append(Blow(vessel.id, effect, self._turn))
                self._hurt(vessel.id, effect == "ammo")
            elif effect in ("engine", "rudder", "fire"):
                vessel.criticals.append(Critical(effect, "", self._turn))

    def _wrecked(self, event: Plain) -> None:
        """87."""
        vessel = self.war.vessels[event["vessel"]]
        vessel.hull, vessel.sunk = 0, self._turn

    def _resigned(self, event: Plain) -> None:
        """213."""
        self.war.resigned.append(Side(event["side"]))


_FOLDS: Mapping[str, Callable[[Known, Plain], None]] = {
    "FleetBought": Known._bought,
    "Sailed": Known._sailed,
    "GroundTested": Known._ground,
    "LeftTable": Known._left_table,
    "Fired": Known._shot,
    "CollisionTried": Known._collided,
    "RanOnto": Known._onto,
    "Burned": Known._onto,
    "Boarded": Known._boarded,
    "AirAttack": Known._bombed,
    "SalvoLaunched": Known._launched,
    "SalvoStruck": Known._struck,
    "Launched": Known._took_off,
    "Landed": Known._landed,
    "MarkerLost": Known._lost,
    "Repaired": Known._mended,
    "CriticalHit": Known._critical,
    "Wrecked": Known._wrecked,
    "Resigned": Known._resigned,
}


def _within(vessel: Vessel, crippled: bool) -> int:
    """85 The boxes that were reckoned, within what her state allows."""
    edge = vessel.of.hull - vessel.of.black
    if crippled:
        return min(max(1, vessel.hull), max(1, edge))
    return max(vessel.hull, min(vessel.of.hull, edge + 1))


def _setting(word: str) -> Setting:
    return next((one for one in SETTINGS if one == word), "stop")
