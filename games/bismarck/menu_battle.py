"""Orders for shadow, strikes and battle: the menu offers every ship the same, whatever happens."""

from __future__ import annotations

from games.bismarck.verbs_battle import VERBS
from pbem.model import MenuArg, MenuItem


def _item(name: str, *without: str) -> MenuItem:
    """A verb with all that the grammar allows."""
    verb = next(v for v in VERBS if v.name == name)
    args = (MenuArg(a.name, a.kind, a.choices) for a in verb.args if a.name not in without)
    return MenuItem(name, tuple(args))


_BATTLE = tuple(
    map(_item, ("attack", "accept", "reinforce", "withdraw", "range", "aspect", "target"))
)
STRIKE = _item("strike")
INTERCEPT = _item("intercept")
SHIP = (INTERCEPT, *_BATTLE)
"""For a ship that sails alone, and for a task force."""
MEMBER = (_item("avoid"), *_BATTLE)
"""For a ship in a task force."""
SIDE = (STRIKE, *_BATTLE, _item("avoid"), _item("break off"))
"""For a side as a whole."""
BRITISH = (_item("shadow"), _item("high speed shadow"))
"""What only the British may do (8.11)."""
