"""Sorts of actors: which verbs are for sides, ships, squadrons ..., as one table of a system.

    SORTS = Sorts(
        {"side": "the side as a whole", "ship": "ships", "air": "squadrons"},
        {"losses": "side", "array": "side ship", "move": "ship", "cap": "air"},
    )

    @CHECKS.on()
    def by_sort(seen: Seen, order: Struct) -> None:
        meant = SORTS.meant(seen.verb, sort_of(seen, seen.actor))
        if len(meant) > 0:
            raise SORTS.refusal(seen, meant)

The menu says who may be given a verb now. It does not judge standing and later orders, and nothing
would ever carry out one to an actor of another sort. Part of checks, this keeps to their subset of
Python.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.kit.checks import Refused, Seen, useless

_SIDE = "side"
"""The sort of a side as a whole, which orders call by its name in capitals."""


class Sorts(Struct, frozen=True):
    """The sorts of a system, and the verbs of each."""

    called: Mapping[str, str]
    """Sort -> its actors in a message, `ships of the line`; messages leave out others."""
    verbs: Mapping[str, str]
    """Verb -> the sorts that it is for, `ship squadron`. One that is not here is for all."""

    def meant(self, verb: str, sort: str) -> Sequence[str]:
        """The sorts that a verb is for, if an actor's sort is none of them; else nothing.

        sort: empty if the report does not tell it, as of a unit that the same set may make.
        """
        sorts = self.verbs.get(verb, "").split()
        return [] if sort == "" or sort in sorts else sorts

    def refusal(self, seen: Seen, meant: Sequence[str], hint: str = "") -> Refused:
        """The refusal of an order that is for these sorts. hint: what to do instead; without one,
        or if only sides decide it, the same order of the side, where it is for sides."""
        alone = len(meant) == 1
        if _SIDE in meant and (alone or hint == ""):
            hint = addressed(seen, seen.side.upper())
        if _SIDE in meant and alone:
            return useless(seen, "it is an order of the side", hint)
        names = [self.called[sort] for sort in meant if sort in self.called]
        return useless(seen, f"it is for {', '.join(names)}", hint)


def addressed(seen: Seen, name: str) -> str:
    """The order that is judged as one to somebody else, for the same time: `@TF1: move ...`."""
    order = seen.order
    when = "@" if order.standing else "" if order.turn is None else f"turn {order.turn} "
    return f"{when}{name}: {seen.verb} ..."
