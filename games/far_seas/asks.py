"""The questions that the rules put to a side outside a meeting."""

from __future__ import annotations

from pbem.model import Question


class Dispositions(Question, frozen=True):
    """M4 The Germans have named `about`: Allied orders given with this answer move ships."""

    choices: tuple[str, ...] = ("DONE",)
    default: str = "DONE"
