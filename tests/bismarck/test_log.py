"""Whole games held against their own log, event by event: boxes, points, aircraft, the sunk."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from games.bismarck import events as ev
from games.bismarck import events_battle as battle
from games.bismarck.game import SYSTEM
from games.bismarck.state import SIDES, Ship, War
from pbem.bots.bot_orders import Match
from pbem.engine.drive import Drive
from pbem.model import Event, Side

BOXES = ("bow", "stern", "port", "starboard", "midships")


class Log:
    """What the events of one game say so far, and what must then be true."""

    def __init__(self) -> None:
        self.hits: dict[str, Counter[str]] = defaultdict(Counter)
        self.points: Counter[str] = Counter()
        self.sunk: set[str] = set()
        self.lost: set[str] = set()
        self.kinds: Counter[str] = Counter()

    def take(self, war: War, event: Event) -> None:
        """Fold one event in and hold the state against it."""
        self.kinds[type(event).__name__] += 1
        acting = self.actors(war, event)
        assert not acting & self.sunk, f"9.714 a sunk ship acts: {event}"
        if isinstance(event, battle.ShipHit):
            self.hits[event.who].update({box: getattr(event, box) for box in BOXES})
        elif isinstance(event, battle.ShipSunk):
            self.sunk.add(event.who)
        elif isinstance(event, ev.Scored):
            self.points[event.side] += event.points
        self.hold(war)

    def actors(self, war: War, event: Event) -> set[str]:
        """The ships that an event says did something."""
        if isinstance(event, battle.Reinforced | battle.Followed):
            return set(event.who)
        active = (
            battle.Fired,
            battle.Misfire,
            battle.ShipWithdrew,
            battle.Repaired,
            ev.ShipMoved,
            ev.PatrolBegun,
            ev.PatrolEnded,
            ev.ShipEntered,
        )
        if not isinstance(event, active):
            return set()
        forces = [f.ships for side in SIDES for n, f in war.forces[side].items() if n == event.who]
        return {event.who, *(war.ships[i].name for ids in forces for i in ids)}

    def hold(self, war: War) -> None:
        """9.711, 9.714, 12.2, 6.2 The state against the log."""
        for ship in war.ships.values():
            self.damage(ship)
        assert {s.name for s in war.ships.values() if s.sunk} >= self.sunk
        written: Counter[str] = Counter()
        for score in war.scores:
            written[score.side] += score.points
        assert written == self.points, "12.2 points that were not told, or told and not written"
        gone = {u.id for u in war.air.values() if u.lost}
        assert gone >= self.lost, "an air unit came back"
        self.lost = gone
        assert not any(u.lost and u.zone for u in war.air.values())

    def damage(self, ship: Ship) -> None:
        """Every box crossed out was told; no gun has less than nothing; nothing is mended."""
        told = self.hits[ship.name]
        for box in BOXES:
            left = getattr(ship.sections, box) - getattr(ship.hits, box)
            assert left >= 0, f"{ship.name} has {left} {box} boxes"
            assert getattr(ship.hits, box) >= told[box], f"{ship.name} regained {box} boxes"
        assert 0 <= ship.evasion_now <= ship.evasion


def watched(mode: str, seed: str, patch: pytest.MonkeyPatch) -> tuple[Log, War, str]:
    """A bot game with its log, held against each other after every event, and why it ended."""
    log, real = Log(), Drive.tell

    def tell(self: Drive, to: tuple[Side, ...], event: Event) -> None:
        real(self, to, event)
        log.take(self.state, event)

    with patch.context() as watching:
        watching.setattr(Drive, "tell", tell)
        match = Match(SYSTEM, "basic", {"play": mode}, seed)
        for _ in match.play():
            pass
    assert match.drive.over is not None
    return log, match.drive.state, match.drive.over.why


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", ["plotted", "asked"])
def test_the_state_is_what_the_log_says(
    mode: str, nightly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: Counter[str] = Counter()
    for n in range(100 if nightly else 6):
        log, war, why = watched(mode, f"log {n}", monkeypatch)
        for ship in war.ships.values():
            told = {box: log.hits[ship.name][box] for box in BOXES}
            assert told == {box: getattr(ship.hits, box) for box in BOXES}, ship.name
        assert {s.name for s in war.ships.values() if s.sunk} == log.sunk
        assert {side: log.points[side] for side in SIDES} == {
            side: sum(s.points for s in war.scores if s.side == side) for side in SIDES
        }
        assert f"British {log.points['british']} points, German {log.points['german']}" in why
        met += log.kinds
    assert met["ShipHit"] > 10
    assert met["Scored"] > 10
    assert met["Struck"] > 1


def box_too_many(log: Log, war: War) -> Event:
    war.ships["HOOD"].hits.bow = war.ships["HOOD"].sections.bow + 1
    return ev.EscortLeft(rule="12.42")


def points_never_written_down(log: Log, war: War) -> Event:
    return ev.Scored(rule="12.44", side="german", points=6, what="convoy 1 destroyed")


def the_dead_shoot(log: Log, war: War) -> Event:
    log.sunk.add("Hood")
    return battle.Misfire(rule="9.83", who="Hood", gun="bow")


def a_sunk_ship_moves_in_its_force(log: Log, war: War) -> Event:
    from games.bismarck.state import TaskForce

    log.sunk.add("Hood")
    war.forces[SIDES[0]]["TF1"] = TaskForce("TF1", ["HOOD", "PRINCE OF WALES"])
    return ev.ShipMoved(rule="5.1", who="TF1", origin="A1", path=("A2",))


def mended(log: Log, war: War) -> Event:
    log.hits["Hood"]["midships"] = 1
    return ev.EscortLeft(rule="12.42")


@pytest.mark.parametrize(
    "wrong",
    [
        box_too_many,
        points_never_written_down,
        the_dead_shoot,
        a_sunk_ship_moves_in_its_force,
        mended,
    ],
)
def test_the_watch_is_watched(wrong: Any) -> None:
    log, war = Log(), SYSTEM.begin("basic", {}, {})
    with pytest.raises(AssertionError):
        log.take(war, wrong(log, war))
