"""What both players are told of: the one thing that stops turns which they agreed to run.

Most facts are told to both in the same words. Those below are told to each side in its own words,
by one step of the rules and so always together; they bear one name on both sides, made of nothing
but what both are told. The sky and the chance table are told turn after turn and stop nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.bismarck import events as ev
from games.bismarck import events_battle as battle
from pbem.model import Event

ROUTINE = (ev.VisibilitySet, ev.ChanceRolled)


def _call(e: ev.CallHeard) -> str:
    """7.23 A call that was answered; of ships unseen in port (7.29) the caller hears nothing."""
    return f"found in {e.zone}" if e.who or e.passed else ""


TOGETHER: dict[type[Event], Callable[[Any], str]] = {
    ev.Located: lambda e: f"found in {e.zone}",  # 7.23, with CallHeard
    ev.PassedThrough: lambda e: f"found in {e.zone}",
    ev.CallHeard: _call,
    ev.EnemyAirLost: lambda e: "an air unit is lost",  # 6.21
    ev.AirLost: lambda e: "an air unit is lost",
    ev.Mobilised: lambda e: "an escort is free",  # 12.42
    ev.EscortLeft: lambda e: "an escort is free",
    ev.GeneralSearch: lambda e: f"{e.ship} given away",  # 10.21
    ev.GeneralSearchHeard: lambda e: f"{e.ship} given away",
    ev.HuffDuff: lambda e: f"{e.ship} heard",  # 10.22
    ev.HuffDuffHeard: lambda e: f"{e.ship} heard",
    ev.ConvoySunk: lambda e: f"convoy {e.number}",  # 12.44
    battle.ShadowHeld: lambda e: f"shadow held in {e.zone}",  # 8.15
    battle.ShadowLost: lambda e: "shadow shaken off",
    battle.Shadowed: lambda e: f"shadow held in {e.zone}" if e.held else "shadow shaken off",
    battle.Struck: lambda e: f"air strike in {e.zone}",  # 9.16
    battle.UnderAttack: lambda e: f"air strike in {e.zone}",
    battle.BattleJoined: lambda e: f"battle {e.number} in {e.zone}",  # 9.28
}


def public(event: Event) -> str:
    """The name of the fact that an event tells, empty for what happens every turn."""
    if isinstance(event, ROUTINE):
        return ""
    name = TOGETHER.get(type(event))
    return name(event) if name else repr(event)
