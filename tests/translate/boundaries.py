"""Boundary cases of Bismarck that seldom occur at random: one unit in a report of its own, with the
figures at which rules change."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from games.bismarck import board
from orders.model import Action, Order

SPEEDS: tuple[dict[str, Any], ...] = ({}, {"speed": "full"}, {"speed": "economical"})
BRITAIN = sorted(board.GREAT_BRITAIN)
STARTS = ("D12", "G13", "H17", "B16", "F19", "K20", "C17", "M22")


def bismarck(luck: Random, count: int) -> Iterator[tuple[dict[str, Any], list[Order]]]:
    """Reports, each with the orders that answer it."""
    for _ in range(count):
        yield luck.choice((_ship, _ship, _aircraft, _aircraft, _britain, _entry))(luck)


def _report(side: str, turn: int, *units: dict[str, Any]) -> dict[str, Any]:
    return {"side": side, "turn": turn, "units": list(units), "menu": {}}


def _path(luck: Random, start: str, most: int) -> list[str]:
    """One zone or two at most so far from a start."""
    zones = [z for z in sorted(board.SEA | board.LAND) if board.distance(start, z) <= most]
    return [luck.choice(zones) for _ in range(luck.choice((1, 1, 2)))]


def _ship(luck: Random) -> tuple[dict[str, Any], list[Order]]:
    """5.1, 5.2 Speed and fuel."""
    turn = luck.choice((4, 4, 5, 6, 28, 33, 34))
    unit: dict[str, Any] = {
        "id": "HOOD",
        "name": "Hood",
        "type": luck.choice(("BB", "BB", "CV")),
        "place": luck.choice(STARTS),
        "factors": luck.choice((None, 0, 1, 1, 2, 3)),
        "top": luck.choice((1, 2)),
        "two": turn - luck.choice((0, 1, 1, 2)),
        "evasion": luck.choice((6, 7, 8, 15, 16, 17, 24, 25, 26, 30)),
        "tied": luck.choice(("", "", "", "she waits")),
    }
    report = _report(luck.choice(("british", "german")), turn, unit)
    args: dict[str, Any] = {"path": _path(luck, unit["place"], luck.choice((1, 2, 4, 12)))}
    moves = [Order("HOOD", (Action("move", {**args, **speed}),)) for speed in SPEEDS]
    patrol = Order("HOOD", (Action("patrol", args),))
    return report, [*moves, patrol, Order("TF9", moves[0].actions)]


def _aircraft(luck: Random) -> tuple[dict[str, Any], list[Order]]:
    """6.1-6.3 Endurance, modes, and the way home to a base that may come to meet it."""
    turn, home = luck.choice((8, 9)), luck.choice(STARTS)
    modes = luck.choice((("attack", "recon"), ("move", "patrol"), ("attack",)))
    near = [z for z in sorted(board.SEA) if board.distance(home, z) <= 4]
    up = luck.choice((0, 0, 1, 2, 3))
    unit: dict[str, Any] = {
        "id": "VIC1",
        "name": "Swordfish",
        "kind": "air",
        "base": "CV",
        "home": home,
        "type": "LR recon" if modes[0] == "move" else "bomber",
        "mode": luck.choice(modes),
        "place": luck.choice(near) if up else home,
        "up": up,
        "reach": {m: luck.choice((1, 2, 3, 4)) for m in modes},
        "endurance": {m: luck.choice((1, 2, 3, 4)) for m in modes},
        "ready": turn + luck.choice((-1, 0, 0, 0, 1)),
    }
    carrier = {
        "id": "CV",
        "name": "Victorious",
        "type": "CV",
        "place": home,
        "top": 2,
        "tied": luck.choice(("", "", "she waits")),
    }
    bases = luck.choice(([carrier], []))
    path: dict[str, Any] = {"path": _path(luck, unit["place"], luck.choice((1, 2, 4, 8)))}
    wanted = [{}, {"mode": luck.choice(("attack", "recon", "patrol", "move"))}]
    flights = [Action("fly", {**path, **w, **b}) for w in wanted for b in ({}, {"back": "return"})]
    given = [*flights, Action("fly", {"path": [home]}), Action("patrol", path), Action("return")]
    side = luck.choice(("british", "german"))
    return _report(side, turn, unit, *bases), [Order("VIC1", (action,)) for action in given]


def _britain(luck: Random) -> tuple[dict[str, Any], list[Order]]:
    """6.12 A German does not fly from one zone of Great Britain to another."""
    at = luck.choice(BRITAIN)
    unit: dict[str, Any] = {
        "id": "FW1",
        "name": "Condor",
        "type": "bomber",
        "mode": "attack",
        "base": "X",
        "up": 1,
        "place": at,
        "home": luck.choice(BRITAIN),
        "reach": {"attack": 6},
        "endurance": {"attack": 8},
    }
    ways = [*BRITAIN, *board.around(at), *_path(luck, at, 3)]
    paths = [[zone] for zone in ways] + [[luck.choice(ways), luck.choice(ways)] for _ in range(5)]
    side = luck.choice(("german", "german", "british"))
    given = [Order("FW1", (Action("fly", {"path": path}),)) for path in paths]
    return _report(side, 9, unit), given


def _entry(luck: Random) -> tuple[dict[str, Any], list[Order]]:
    """Note 13, 12.42 Ships that enter when their owner wants, and escorts."""
    listed = [
        {"verb": "mobilise", "args": [{"name": "ship", "kind": "unit", "values": ["RODNEY"]}]}
    ]
    report = _report("british", luck.choice((4, 15, 16, 17, 18, 22, 23, 24)))
    report["menu"] = {"BRITISH": [*listed, {**listed[0], "verb": "enter"}]}
    ships = ("REVENGE", "DORSETSHIRE", "RODNEY", "HOOD")
    turns = (1, 16, 17, 18, 19, 22, 23, 24, 25)
    enter = [Action("enter", {"ship": s, "turn": n}) for s in ships for n in turns]
    mobilise = [Action("mobilise", {"ship": s}) for s in ships]
    return report, [Order("BRITISH", (action,)) for action in enter + mobilise]
