"""The campaign as it went, 22 to 27 May 1941, played through the orders of both sides.

Ships take the ways they took; dice are laid by label where history needs them (contacts held and
lost, the hits that mattered), the others come from a seed. It has to come to the Denmark Strait and
to the last fight in Q17.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from games.bismarck import events_battle as ev
from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.dice.sources import Rolled, Seeded
from pbem.model import Dice, Event, Over, Side, Window
from pbem.testing.orders import submitted
from tests.bismarck.test_history import TRACK

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10", "play": "plotted"}
SEED = "27 May 1941"
PARTED, STRAIT, FINAL = 19, 14, 33
"""The raiders part; 0400 of 24 May and 0800 of 27 May, the turns of the two battles."""

ORDERS: Mapping[int, str] = {
    4: """HOOD: form PRINCE OF WALES as TF1; NORFOLK: patrol; SUFFOLK: move B7;
          @BRITISH: attack never; @SUFFOLK: reinforce no; @NORFOLK: reinforce no;""",
    5: "TF1: move E7;",
    9: "SUFFOLK: patrol;",
    12: "TF1: move D6; @TF1: attack always bb; @PRINCE OF WALES: withdraw round 3;",
    15: "@PRINCE OF WALES: attack never;",
    13: "KING GEORGE V: move K6; @SUFFOLK: intercept EN1;",
    16: "BRITISH: mobilise RODNEY;",
    17: "RODNEY: move P17; ARK ROYAL: move R17; SHEFFIELD: move R17;",
    23: "KING GEORGE V: move P17;",
    26: "EIRE1: fly P14 mode move;",
    28: "EIRE1: patrol;",
    29: """ARK1: fly Q16 mode attack return; ARK2: fly Q16 mode attack return;
           ARK3: fly Q16 mode attack return; @SHEFFIELD: intercept EN1;""",
    32: "KING GEORGE V: form RODNEY as TF2;",
    33: "TF2: move Q17; @TF2: attack always;",
}
"""What the British order, by turn (3.3 of the sources: positions from reports of 1941)."""


def laid(turn: int, label: str) -> tuple[int, ...] | None:
    """The dice of history, None where a seed may decide."""
    phase, kind, _, roller, ordinal, _ = label.split("/")
    if phase in ("VISIBILITY", "CHANCE"):
        return (3, 4)  # level 4 without fog all the time, and no chance finds
    if phase == "SHADOW":  # contact was lost in the night to the 25th, and held by the Sheffield
        return (6,) if 20 <= turn < 28 else (1,)
    if (phase, kind) == ("AIR", "STRIKE"):
        return (1, 2) if ordinal == "1" else (3, 4)  # one torpedo, in the rudder
    if (turn, phase) == (STRAIT, "BATTLE"):
        return gunfire(kind, roller, ordinal)
    return None


def gunfire(kind: str, ship: str, ordinal: str) -> tuple[int, ...] | None:
    """The Denmark Strait: the Prince of Wales hits once, then the Hood blows up."""
    if kind == "SPECIAL":
        return (6, 6) if ship == "BISMARCK" else (1, 1)
    hits = {("PRINCE OF WALES", "1"): (6, 6), ("BISMARCK", "2"): (6, 6)}
    early = kind == "FIRE" and int(ordinal) <= 12
    return (*hits.get((ship, ordinal), (3, 4)), 3, 4) if early else None


class Fate(Seeded):
    """Dice of history, by turn and label."""

    turn = 0

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        found = laid(self.turn, label)
        if not found:
            return super().roll(window, label, dice)
        return (found + found[-2:] * dice.count)[: dice.count], ""


class Campaign(Struct):
    """The whole game. told: by turn, events with their audience; zones: the Bismarck's way."""

    over: Over
    told: dict[int, list[tuple[tuple[Side, ...], Event]]]
    zones: dict[int, str]
    war: War

    def events(self, turn: int, kind: type[Any]) -> Iterator[Any]:
        return (e for _, e in self.told[turn] if isinstance(e, kind))


def raiders(turn: int) -> str:
    """The orders of the Bismarck and the Prinz Eugen: her real track, and where they parted."""
    lines = ["GERMAN: search none; attack never; convoy spare; break off no;"]
    if turn == 5:
        lines.append("BISMARCK: form PRINZ EUGEN as TF1;")
    if way := TRACK.get(turn):
        both = 5 <= turn < PARTED
        lines.append(f"{'TF1' if both else 'BISMARCK'}: move {way};")
        lines += [f"PRINZ EUGEN: move {way};"] if turn < 5 else []
    if turn == STRAIT:
        lines += ["PRINZ EUGEN: avoid no; range open;", "BISMARCK: target strongest; range b;"]
    if turn == PARTED:
        lines.append("TF1: detach PRINZ EUGEN;")
    if turn == PARTED + 1:
        lines.append("PRINZ EUGEN: move T7;")
    return "\n".join(lines)


def read(match: Match, side: Side, text: str) -> OrderSet:
    """Orders that the side's own checker lets pass, every one of them."""
    return submitted(SYSTEM, match.report(side), text)


@cache
def campaign() -> Campaign:
    """Play it: one window a turn."""
    match, dice = Match(SYSTEM, "basic", OPTIONS, SEED), Fate(SEED, b"")
    told: dict[int, list[tuple[tuple[Side, ...], Event]]] = {}
    zones = {}
    while not match.drive.over:
        turn = dice.turn = match.drive.state.turn
        sets = {
            BRITISH: read(match, BRITISH, ORDERS.get(turn, "")),
            GERMAN: read(match, GERMAN, raiders(turn)),
        }
        match.closing = match.drive.close(sets, dice)
        SYSTEM.audit(match.drive.state)
        told[turn] = [(t.to, t.event) for t in match.closing.told]
        zones[turn] = match.drive.state.ships["BISMARCK"].zone
    return Campaign(match.drive.over, told, zones, match.drive.state)


def fought(turn: int) -> tuple[str, set[str], set[str]]:
    """Where the battle of a turn was, and the British and German ships in it."""
    joined = next(
        e for to, e in campaign().told[turn] if isinstance(e, ev.BattleJoined) and BRITISH in to
    )
    return joined.zone, set(joined.own), set(joined.enemies)


def test_the_denmark_strait() -> None:
    """24 May, 0552: shadowed by the Suffolk, met by the Hood and the Prince of Wales."""
    zone, own, enemies = fought(STRAIT)
    assert zone == "D6"
    assert own == {"Hood", "Prince of Wales"}
    assert enemies == {"Bismarck", "Prinz Eugen"}
    sunk = campaign().events(STRAIT, ev.ShipSunk)
    assert {(e.who, e.points) for e in sunk} == {("Hood", 14)}
    assert {e.who for e in campaign().events(STRAIT, ev.ShipWithdrew)} == {"Prince of Wales"}


def test_the_shadow_and_the_torpedo() -> None:
    """Held from the 23rd, lost in the night to the 25th, found on the 26th, hit in the rudder."""
    held = {
        t: e.by for t in campaign().told for e in campaign().events(t, ev.ShadowHeld)
    }  # the last of each turn
    assert all(held[t] == "Suffolk" for t in range(13, 20))
    assert not any(20 <= t < 29 for t in held)
    assert [e.by for e in campaign().events(20, ev.ShadowLost)] == ["Suffolk"]
    struck = [e.result for e in campaign().events(29, ev.Struck)]
    assert "1 midships, evasion -20" in struck
    assert campaign().zones[28] == "P14" and campaign().zones[29] == "Q16"


def test_the_last_fight() -> None:
    """27 May, 0847: the King George V and the Rodney, in Q17; the game ends by 12.11."""
    zone, own, enemies = fought(FINAL)
    assert zone == "Q17"
    assert {"King George V", "Rodney"} <= own
    assert enemies == {"Bismarck"}
    assert (campaign().over.rule, campaign().over.result) == ("12.11", BRITISH)
    assert campaign().war.turn == FINAL
    assert campaign().zones[FINAL] == "Q17"
