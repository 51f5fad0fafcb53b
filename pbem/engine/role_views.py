"""What a role sees and hears: a part of what its side does, which the kernel checks.

A system says which part (`System.role_view`, `role_hears`, `role_sees`). Whatever it says, a role
never gets more than its side: events and rolls are chosen from the side's own, and a view that
contains anything else is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.model import Plain, Roll, Side, State, System, Told, View
from pbem.roles import role_of, side_of


class RoleLeakError(ValueError):
    """A role's view contains something that its side's view does not contain."""


def role_view(system: System, state: State, seat: str) -> View:
    """The view of a role, `british.air`. Raises RoleLeakError unless it is a part of its side's."""
    side, role = Side(side_of(seat)), role_of(seat)
    part, whole = system.role_view(state, side, role), system.view(state, side)
    for where in beyond(part, whole):
        raise RoleLeakError(
            f"{system.name}: role_view of {seat}: {where} is not in the view of {side}, and a role "
            "may see only what its side sees"
        )
    return part


def beyond(part: View, whole: View) -> Iterator[str]:
    """Where a view contains what another does not: `unit HOOD`, `board.points`."""
    small, large = _plain(part), _plain(whole)
    for name in ("turn", "label"):
        if small[name] != large[name]:
            yield name
    if small["news"] not in ("", large["news"]):
        yield "news"
    for kind in ("units", "contacts"):
        known = list(large[kind])
        yield from (f"{kind[:-1]} {x['id']}" for x in small[kind] if x not in known)
    for actor, items in small["menu"].items():
        offered = large["menu"].get(actor, ())
        yield from (
            f"menu item {item['verb']} of {actor}"
            for item in items
            if not any(_offered(item, other) for other in offered)
        )
    suggested = list(large["form"])
    yield from (f"form line {line!r}" for line in small["form"] if line not in suggested)
    left = list(large["goes_on"])
    yield from (f"line {line!r} that goes on" for line in small["goes_on"] if line not in left)
    yield from _outside(small["board"], large["board"], "board")


def _plain(view: View) -> Plain:
    found: Plain = msgspec.to_builtins(view)
    return found


def _offered(item: Plain, other: Plain) -> bool:
    """Whether a menu item is the other, or the same verb with fewer of the listed values."""
    mine, theirs = item["args"], other["args"]
    if item["verb"] != other["verb"] or len(mine) != len(theirs):
        return False
    return all(
        (a["name"], a["kind"]) == (b["name"], b["kind"])
        and (not b["values"] or (bool(a["values"]) and {*a["values"]} <= {*b["values"]}))
        for a, b in zip(mine, theirs, strict=True)
    )


def _outside(part: object, whole: object, where: str) -> Iterator[str]:
    """Where JSON data is not a part of other data: fields and items may be missing, not new."""
    if isinstance(part, dict) and isinstance(whole, dict):
        for key, value in part.items():
            if key in whole:
                yield from _outside(value, whole[key], f"{where}.{key}")
            else:
                yield f"{where}.{key}"
    elif isinstance(part, list | tuple) and isinstance(whole, list | tuple):
        for item in part:
            if not any(next(_outside(item, other, where), None) is None for other in whole):
                yield where
    elif part != whole:
        yield where


def heard(
    system: System, state: State, seat: str, told: Sequence[Told], rolls: Sequence[Roll]
) -> tuple[list[Told], list[Roll]]:
    """Of the events and rolls of a window, those that a role hears and sees."""
    side, role = Side(side_of(seat)), role_of(seat)
    events = [t for t in told if side in t.to and system.role_hears(state, side, role, t.event)]
    shown = [r for r in rolls if side in r.to and system.role_sees(state, side, role, r.label)]
    return events, shown
