"""Battles of bots, reckoned a second time from their dice and from what both sides were told.

The tables stand here once more, as a player reads them, and nothing of the rules' code is used:
what a round does to every ship (9.66 to 9.717, 9.81, 9.84) has to come out the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import atan2, degrees, sqrt

from games.bismarck import events_battle as ev
from games.bismarck.game import SYSTEM
from games.bismarck.state import Ship
from pbem.admin.setup import options_of
from pbem.bots.bot_orders import Match
from pbem.engine.runner import Closing

GAMES = 5
LEAST = 30
"""Volleys that so many games have at least."""
Boxes = Counter[str]
BOXES = ("bow", "stern", "port", "starboard", "midships", "evasion")

END_ON_A = {3: "secondary", 4: "end", 5: "end", 6: "end", 10: "m1", 11: "special", 12: "m2"}
END_ON_B = {2: "secondary", 6: "end", 11: "m1", 12: "special"}
BEAM_A = {2: "secondary", 3: "m2", 4: "secondary", 5: "stern", 6: "bow", 8: "bow", 9: "stern"}
BEAM_A |= {10: "m1", 11: "special", 12: "special"}
BEAM_B = {2: "m1", 3: "secondary", 6: "bow", 8: "stern", 11: "special", 12: "m1"}
SPECIAL_A = {7: (1, 1), 8: (2, 3), 9: (2, 5), 10: (3, 7), 11: (3, 10), 12: (99, 0)}
HEAVY_A = {**SPECIAL_A, 10: (2, 7), 11: (2, 10), 12: (3, 10)}
SPECIAL_B = {9: (2, 1), 10: (2, 3), 11: (2, 5), 12: (2, 7)}
"""Midships boxes and evasion lost for good; one box where nothing is listed."""
HEAVY = ("Bismarck", "King George V", "Prince of Wales")
ALWAYS_A = ("Hood", "Repulse", "Renown")
HEADINGS = ("E", "SE", "SW", "W", "NW", "NE")


class Rolled:
    """The dice of a window, taken in the order in which they fell."""

    def __init__(self, closing: Closing) -> None:
        kinds = ("FIRE", "SPECIAL", "THIRD", "BEAM")
        self.left = [
            (kind, roll.dice)
            for roll in closing.rolls
            for phase, kind, *_ in [roll.label.split("/")]
            if phase == "BATTLE" and kind in kinds
        ]

    def take(self, kind: str) -> tuple[int, ...]:
        found, dice = self.left.pop(0)
        assert found == kind
        return dice


def sums(dice: tuple[int, ...]) -> list[int]:
    return [a + b for a, b in zip(dice[::2], dice[1::2], strict=True)]


def entry(total: int, tables: str, field: str) -> str:
    """9.66, 9.67 What the table says, `end` for the end that the target shows."""
    end_on, beam = (END_ON_A, BEAM_A) if tables == "A" else (END_ON_B, BEAM_B)
    word = (beam if field == "broadside" else end_on).get(total, "")
    return field if word == "end" else word


def special(ship: Ship, tables: str, total: int) -> tuple[int, int]:
    """9.712, 9.84 Midships boxes and evasion."""
    cruiser = ship.type in ("CA", "CL")
    if tables == "A" or cruiser or ship.name in ALWAYS_A:
        return (HEAVY_A if ship.name in HEAVY else SPECIAL_A).get(total, (1, 0))
    return SPECIAL_B.get(total, (1, 0))


def whole(ship: Ship, gun: str) -> int:
    boxes: int = getattr(ship.sections, gun)
    return boxes


def cross_out(ship: Ship, lost: Boxes, gun: str) -> None:
    """9.717 One box of a section, or of midships where none is left."""
    if gun == "bow" and ship.name == "Rodney" and lost["bow"] >= whole(ship, "bow"):
        gun = "stern"  # ruling 60: her third turret
    gun = gun if lost[gun] < whole(ship, gun) else "midships"
    lost[gun] += lost["midships"] < whole(ship, "midships") or gun != "midships"


def secondary(ship: Ship, lost: Boxes, rolled: Rolled, beam: str) -> str:
    """9.716 The section that faces the firer; end on the one that has a box, else by a die."""
    if beam:
        return beam
    both = ("port", "starboard")
    live = [gun for gun in both if lost[gun] < whole(ship, gun)]
    return live[0] if len(live) == 1 else both[rolled.take("BEAM")[0] - 1]


def hit(ship: Ship, lost: Boxes, rolled: Rolled, word: str, tables: str, beam: str) -> None:
    """9.711 One hit, as the table names it. beam: the side that the target shows, empty end on."""
    boxes, evasion = (int(word[1]), 0) if word in ("m1", "m2") else (0, 0)
    if word == "special":
        boxes, evasion = special(ship, tables, sums(rolled.take("SPECIAL"))[0])
    if word == "stern" and ship.name == "Rodney":  # 9.81
        word = ("bow" if rolled.take("THIRD")[0] <= 2 else word) if beam else "secondary"
    lost["evasion"] += evasion
    for _ in range(boxes):
        cross_out(ship, lost, "midships")
    if word in ("bow", "stern", "secondary"):
        gun = secondary(ship, lost, rolled, beam) if word == "secondary" else word
        cross_out(ship, lost, gun)


def volley(
    ship: Ship, lost: Boxes, rolled: Rolled, fired: ev.Fired, tables: str, beam: str
) -> None:
    """9.62, 9.66 The shots of one ship at one target; those left when she is sunk are lost."""
    totals = sums(rolled.take("FIRE"))
    assert len(totals) == fired.shots
    assert (fired.field == "broadside") == bool(beam)
    hits = 0
    for total in totals:
        if lost["midships"] >= whole(ship, "midships"):
            break
        if word := entry(total, tables, fired.field):
            hit(ship, lost, rolled, word, tables, beam)
            hits += 1
    assert hits == len(fired.results)


def beam_of(places: Sequence[str], target: str, firer: str) -> str:
    """9.716 On which side of the target the firer lies; empty ahead and astern. Odd rows lie half a
    hex to the east; within 30 degrees of the bow or stern is end on."""
    at: dict[str, tuple[float, float, int]] = {}
    for place in places:
        name, where, heading = place.rsplit(" ", 2)
        half = len(where) // 2
        column, row = int(where[:half]), int(where[half:])
        at[name] = column + row % 2 / 2, row * sqrt(3) / 2, HEADINGS.index(heading) * 60
    (x, y, bow), (east, south, _) = at[target], at[firer]
    bearing = (degrees(atan2(south - y, east - x)) - bow) % 360
    if 29.9 < bearing < 150.1:
        return "starboard"
    return "port" if 209.9 < bearing < 330.1 else ""


def reckoned(match: Match, ships: Mapping[str, Ship], lost: dict[str, Boxes]) -> int:
    """Play a window; every round does what its dice say. Returns the volleys fired."""
    turn, closing = match.drive.state.turn, match.window()
    rolled, volleys = Rolled(closing), 0
    now: dict[str, Boxes] = {}
    begun = ev.RoundBegun(rule="9.31", zone="", round=0, ranges=())
    for event in (told.event for told in closing.told):
        if isinstance(event, ev.RoundBegun):
            assert not now, "hits that nobody was told of"
            begun = event
        elif isinstance(event, ev.Fired):
            volleys += 1
            night = turn % 6 == 1 or (turn % 6 == 0 and begun.zone >= "L")  # 11.11
            tables = "B" if night or event.hexes > 3 else "A"  # 9.61, 11.12
            boxes = now.setdefault(event.target, Counter(lost[event.target]))
            side = beam_of(begun.places, event.target, event.who)
            volley(ships[event.target], boxes, rolled, event, tables, side)
            if boxes == lost[event.target]:
                del now[event.target]
        elif isinstance(event, ev.ShipHit):
            told = Counter({gun: getattr(event, gun) for gun in BOXES})
            before = lost[event.who]
            lost[event.who] = before + told
            assert lost[event.who] == now.pop(event.who, lost[event.who]) + Counter()
    assert not now
    return volleys


def test_a_round_of_battle_does_what_its_dice_say() -> None:
    """9.66-9.717, 9.81, 9.84 Boxes and evasion lost, of every ship in every round."""
    volleys = 0
    for number in range(GAMES):
        match = Match(SYSTEM, "basic", options_of(SYSTEM, {}), f"reckoned {number}")
        ships = {ship.name: ship for ship in match.drive.state.ships.values()}
        lost = {name: Counter[str]() for name in ships}
        while not match.drive.over:
            volleys += reckoned(match, ships, lost)
    assert volleys >= LEAST
