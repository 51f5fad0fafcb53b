"""An edit: one change of the truth that a ruling makes. Games derive a class for each kind.

Games import both names from `pbem.model`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Unfit(Exception):  # noqa: N818
    """An edit that cannot be made, in words for the moderator.

    text: what is wrong. key: the field of the edit at fault, empty for the whole edit. hint: what
    to do instead. at: which edit of its ruling, counted from 0; the kernel fills it in.
    """

    def __init__(self, text: str, key: str = "", hint: str = "") -> None:
        super().__init__(text)
        self.text, self.key, self.hint, self.at = text, key, hint, 0


class Edit(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """One change of the truth that a ruling makes; games derive a class for each kind.

    A ruling's file writes it as `[[edit]]`: `do` is the name of the class in lower case, the other
    keys are the fields. `pbem rules` shows the first line of the class's docstring as its help.
    """

    def amend(self, state: Any) -> None:
        """Change `state` in place: deterministic, without dice, because replays repeat it.

        Raises Unfit if the edit cannot be made.
        """
        raise NotImplementedError
