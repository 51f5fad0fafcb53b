"""Bots that search, by what they are told: worlds with the other animal where it may be, and every
step compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from games.toy.game import ANIMAL, FOX, HUNTER, LAST, WOOD, Hide, near
from pbem.inference import mind
from pbem.inference.mind import Candidate, Line, Report, World
from pbem.inference.quarry import Draws, pick
from pbem.kit.bots import Luck
from pbem.model import Side


class Steps(Struct, frozen=True):
    """A policy: those orders now; without any, a step like the bot's."""

    animal: str
    to: str = ""
    pounce: str = ""

    def __call__(self, report: Report, luck: str) -> Iterator[Line]:
        """See `pbem.inference.mind.Policy`."""
        (unit,) = report["units"]
        at = unit["place"] if isinstance(unit, dict) else unit.place
        yield self.animal, f"move {self.to or Luck(luck).choice('step', near(at))}"
        if self.pounce:
            yield self.animal, f"pounce {self.pounce}"


class Mind(mind.Mind):
    """What the fox or the hunter thinks."""

    def __init__(self, side: Side) -> None:
        self.animal = ANIMAL[side]
        self.other = ANIMAL[HUNTER if side == FOX else FOX]
        self.hunted = (self.other,)

    def learn(self, report: Report, guesses: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        self.turn, self.contacts = report["turn"], report["contacts"]
        self.at = report["units"][0]["place"]
        self.zones = [zone for _, zone in guesses[self.other] if zone != self.at]
        self.asked = bool(report["questions"])

    def world(self, before: Hide, draws: Draws) -> World:
        """1.1 The own animal where it is, the other where it may be."""
        hide = before
        hide.turn = self.turn
        other = pick(draws, self.zones) if self.zones else hide.place[self.other]
        hide.place = {self.animal: self.at, self.other: other}
        for twig in self.contacts:
            hide.trail, hide.heard = twig["place"].removeprefix("row "), self.turn - twig["age"]
        return World(hide)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """2.1 Every step; for the hound with the leap to each zone that a twig may betray."""
        goes_on = Steps(self.animal)
        if self.asked:
            return [Candidate("waits", Steps(self.animal, near(self.at)[0]), goes_on)]
        found = []
        for to in near(self.at):
            leaps = ["", *near(to)] if self.animal == ANIMAL[HUNTER] else [""]
            for leap in leaps:
                name = f"goes to {to}" + (f", leaps to {leap}" if leap else "")
                found.append(Candidate(name, Steps(self.animal, to, leap), goes_on))
        return found

    def worth(self, state: Hide) -> float:
        """4.2 The fox is safer the later it is and the farther off the hound."""
        far = WOOD.distance(state.place["FOX"], state.place["HOUND"])
        safe = min(0.95, 0.3 + 0.06 * far + 0.3 * state.turn / LAST)
        return safe if self.animal == ANIMAL[FOX] else 1 - safe


def mind_of(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind:
    """See `pbem.model.System.mind`."""
    return Mind(side)
