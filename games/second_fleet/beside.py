"""Orders of one set that cannot both be carried out, as far as the set alone shows it: squadrons
that fly twice, and an attack that is ordered twice."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.seen import Seen
from pbem.kit.checks import Other, Refused


def crew(actor: str, order: Struct) -> list[str]:
    """92 The squadrons that an order sends, its actor first; none of another verb."""
    if isinstance(order, v.Strike):
        return [actor, *order.mates, *order.escort]
    if isinstance(order, v.Transfer | v.Cap):
        return [actor, *order.mates]
    return []


def one_flight(seen: Seen, order: v.Strike | v.Transfer | v.Cap, others: Sequence[Other]) -> None:
    """6.13/5, 230 A squadron takes off once a turn, by itself or with another. Of two of its own
    orders the verbs say it; standing orders of others come into their own when one is lost."""
    if seen.order.standing:
        return
    flies = crew(seen.actor, order)
    for other in others:
        for name in crew(other.actor, other.given):
            if name in flies and other.actor != seen.actor:
                by = f"{other.actor}: {other.action.verb}"
                text = f"{name} flies by another order of this set, {by}"
                arg = "" if name == seen.actor else "mates" if name in order.mates else "escort"
                raise Refused("twice", "6.13/5", text, f"leave {name} out of one of them", arg)


def once(seen: Seen, order: v.Attack | av.Cruise, others: Sequence[Other]) -> None:
    """87, 88 The same attack once more; after a move it may reach what it did not before, and so it
    may after one of the same order, which may have a condition."""
    before = [other.given for other in others if other.actor == seen.actor]
    with_it = [one for one in seen.order.actions if one.verb in ("move", "go")]
    if len(with_it) > 0 or order not in before:
        return
    if not any(isinstance(one, v.Move | v.Go) for one in before):
        text = f"{seen.actor} is ordered this attack in this set already"
        again = f"with its move if that has a condition: if ... then go ... also {seen.verb} ..."
        hint = f"leave one out, or order it {again}"
        raise Refused("twice", "88", text, hint)
