"""The words of a story: what happened, told to readers who know everything.

A system says in `story.j2` of its folder of templates which events turn a game and how it tells
them; `templates/base/story.j2` has the rest. A system without that file is told by the headlines
and sentences of its reports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.model import Plain
from pbem.reports import wording
from pbem.text import layout

BASE, OWN = "base/story.j2", "story.j2"
ORDINARY = 3
"""The weight of the first half of a system's headlines, where it has no weights of its own."""


class Narrator:
    """Tells the events of one edition of a system.

    folder: its folder of templates; sides: the id of each side and its printed name; called: the
    ids of units and their printed names, which macros find as `called` of an event.
    """

    def __init__(
        self, folder: str, sides: Mapping[str, str], called: Mapping[str, str] | None = None
    ) -> None:
        self.sides, self._called = sides, dict(called or {})
        own = f"{folder}/{OWN}"
        self._neutral = frozenset(wording.macros(own))
        self._said = {
            **wording.macros(f"{folder}/events.j2"),
            **wording.macros(BASE),
            **wording.macros(own),
        }
        self.weights = _weights(folder)
        self.open = bool(wording.setting(own, "open"))
        self.losses = frozenset(map(str, wording.setting(own, "losses")))

    def tell(self, event: Plain, to: Sequence[str]) -> str:
        """An event as a sentence; empty if it is not worth telling. to: the sides that were told
        it.

        The words of a report speak to its side, so that they are quoted as what this side learned.
        """
        facts = {**event, "audience": list(to), "called": self._called}
        if not (text := self._words(event["kind"], facts)):
            return ""
        if event["kind"] not in self._neutral and to and len(to) < len(self.sides):
            told = " and ".join(self.people(side) for side in to)
            return wording.said(f"{told} learned: {text}")
        return wording.said(text[:1].upper() + text[1:])

    def loss(self, event: Plain) -> str:
        """The name of the ship that is lost by an event; empty if none is."""
        return self._words("loss", event) if event["kind"] in self.losses else ""

    def people(self, side: str) -> str:
        """A side at the beginning of a sentence: `The Germans`."""
        if "people" in self._said and (name := self._words("people", side)):
            return name
        name = self.sides[side]
        return name if name.startswith("The ") else f"The {name}"

    def say(self, macro: str, facts: Plain) -> str:
        """A passage of the story by the macro of that name: `opening`, `ending`, `belief`."""
        return self._words(macro, facts)

    def _words(self, macro: str, facts: object) -> str:
        """The text of a macro, as one line."""
        return " ".join(self._said[macro](layout.clean(facts, layout.printable)).split())


def _weights(folder: str) -> dict[str, int]:
    """How much each kind of event turns a game: as the system says, else by its headlines, and
    without these every kind that its reports tell counts alike."""
    own = wording.setting(f"{folder}/{OWN}", "weights")
    if own:
        return {str(kind): int(weight) for kind, weight in own}
    ranked = wording.setting(f"{folder}/headlines.j2", "rank")
    if ranked:
        half = len(ranked) // 2
        kinds = [str(entry).partition(".")[0] for entry in ranked]  # `ShipHit.Sunk` is one ShipHit
        return {kind: ORDINARY if kinds.index(kind) <= half else 1 for kind in kinds}
    aside = {*wording.setting(f"{folder}/events.j2", "routine")}
    aside |= {*wording.setting(f"{folder}/events.j2", "quiet")}
    found: dict[str, Callable[..., str]] = wording.macros(f"{folder}/events.j2")
    return {kind: 1 for kind in found if kind[:1].isupper() and kind not in aside}
