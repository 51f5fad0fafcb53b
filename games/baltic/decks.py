"""3.5 Launching and landing: flight decks, and squadrons whose carrier is gone."""

from __future__ import annotations

from collections.abc import Sequence

from games.baltic import events as ev
from games.baltic.markers import BOXES, flying, over
from games.baltic.state import Card, Reason, Vessel, War
from pbem.kit import plane
from pbem.kit.plane import Pose
from pbem.model import TableLike


def launch(
    table: TableLike, war: War, carrier: Vessel, markers: Sequence[str], side: str
) -> list[Reason]:
    """106, 108, 109, 201 Squadrons leave the deck and stand beside the carrier until phase 3; why
    those that stay cannot."""
    left, stay = deck(carrier) - _processed(war, carrier), list[Reason]()
    for name in dict.fromkeys(markers):
        reason = grounded(war, carrier, name)
        if reason is None and left <= 0:
            handles = f"her flight deck handles {deck(carrier)} a turn"
            reason = Reason("108", f"{name} stays on deck: {handles}")
        if reason:
            stay.append(reason)
            continue
        left -= 1
        marker = war.markers[name]
        marker.at, marker.acted = "air", False
        turn = 1440 if side == "starboard" else -1440
        spot = plane.ahead(
            Pose(carrier.x, carrier.y, (carrier.heading + turn) % plane.CIRCLE), 1500
        )
        marker.x, marker.y, marker.intercepted, marker.flight = spot.x, spot.y, 0, ""
        marker.ready = war.turn
        table.tell(table.sides, ev.Launched(rule="106", marker=name, carrier=carrier.id))
    return stay


def grounded(war: War, carrier: Vessel, name: str) -> Reason | None:
    """106, 107 Why a squadron is not to be launched; None if it stands on her deck, armed."""
    marker = war.markers.get(name)
    if marker is None or marker.base != carrier.id or marker.at != "deck":
        return Reason("106", f"{name} is not on her deck")
    return Reason("107", f"{name} is being armed this turn") if marker.ready > war.turn else None


def deck(carrier: Vessel) -> int:
    """108, 202 Squadrons that she can launch and take aboard in a turn."""
    return carrier.of.deck // 2 if carrier.crippled else carrier.of.deck


def _processed(war: War, carrier: Vessel) -> int:
    return sum(
        m.base == carrier.id and m.ready == war.turn and m.at == "air" for m in war.markers.values()
    ) + sum(
        m.base == carrier.id and m.ready == war.turn + 1 and m.at == "deck"
        for m in war.markers.values()
    )


def recover(table: TableLike, war: War, card: Card, launches: int) -> None:
    """107, 201 Squadrons that came home are taken aboard when the carrier activates, as many as her
    deck handles besides those that she launches; they are ready a turn later."""
    for carrier in war.members(card):
        if not carrier.of.deck:
            continue
        for marker in flying(war, carrier.side):
            waits = marker.base == carrier.id and marker.guards == "" and marker.acted
            full = _processed(war, carrier) + launches >= deck(carrier)
            if marker.group == "home" and waits and over(marker, carrier) and not full:
                marker.at, marker.group, marker.boxes = "deck", "", BOXES[marker.type]
                marker.ready = war.turn + 1
                table.tell(table.sides, ev.Landed(rule="107", marker=marker.id, where=carrier.id))


def strand(table: TableLike, war: War) -> None:
    """202 Squadrons whose carrier is a wreck or has left the table are lost with her, those in the
    air too: no scenario of ours names them another base."""
    for marker in war.markers.values():
        carrier = war.vessels.get(marker.base)
        if marker.at != "lost" and carrier is not None and not carrier.acts:
            marker.at, marker.guards = "lost", ""
            table.tell(table.sides, ev.MarkerLost(rule="202", marker=marker.id))
