"""Where the other animal may be, from a side's own reports: for `pbem where`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.toy.game import ANIMAL, FOX, HUNTER, near
from pbem.inference import quarry
from pbem.inference.quarry import AnyQuarry, Draws, Quarry, pick
from pbem.model import Plain

START = {"FOX": "A1", "HOUND": "E5"}


class Told(quarry.Told, frozen=True, kw_only=True):
    """One turn. own: 2.1, 3.2 where the own animal was after its step and after its leap; the other
    one was not there, for the game went on. row: 3.1 the row of a twig."""

    own: tuple[str, ...] = ()
    row: str = ""


class Animal(Quarry[tuple[str, str], Told]):
    """The other animal; a guess is its style and its zone."""

    called = ("zone", "zones")
    styles = {"restless": 0.7, "lazy": 0.3}  # noqa: RUF012

    def __init__(self, side: str, told: Sequence[Told]) -> None:
        self.id = ANIMAL[HUNTER if side == FOX else FOX]
        self.name, self.told = f"the {self.id.lower()}", told

    def place(self, style: str, draws: Draws) -> tuple[str, str]:
        """1.1 Where it begins."""
        return style, START[self.id]

    def move(self, guess: tuple[str, str], told: Told, draws: Draws) -> tuple[str, str]:
        """2.1 A step; a lazy one stays every second time. 3.2 The hound may leap after a twig."""
        style, zone = guess
        if style == "restless" or draws.random() < 0.5:
            zone = pick(draws, near(zone))
        if self.id == "HOUND" and told.row == "heard" and draws.random() < 0.5:
            zone = pick(draws, near(zone))
        return style, zone

    def stray(self, guess: tuple[str, str], told: Told, draws: Draws) -> tuple[str, str]:
        """2.1 A step, or none."""
        return guess[0], pick(draws, (guess[1], *near(guess[1])))

    def likelihood(self, guess: tuple[str, str], told: Told) -> float:
        """3.1, 4.1 In the row that was heard, and where the own animal is not."""
        zone = guess[1]
        return float(zone not in told.own and (told.row in ("", "heard") or zone[0] == told.row))

    def cell(self, guess: tuple[str, str]) -> str:
        """Its zone."""
        return guess[1]

    def near(self, cell: str) -> Sequence[str]:
        """2.1 The zones that share a side with it."""
        return near(cell)

    def put(self, guess: tuple[str, str], cell: str) -> tuple[str, str]:
        """In that zone."""
        return guess[0], cell

    def within(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """2.1 One step on, two for a hound that heard a twig."""
        for _ in range(1 + (self.id == "HOUND" and told.row == "heard")):
            cells = cells | {to for cell in sorted(cells) for to in near(cell)}
        return cells

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """3.1, 4.1 The same, as far as it agrees with what was told."""
        able = self.within(cells, told)
        return frozenset(cell for cell in able if self.likelihood(("", cell), told))


def quarries(reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
    """The other animal."""
    side = reports[0]["side"]
    return (Animal(side, turns(reports)),) if side in ANIMAL else ()


def turns(reports: Iterable[Plain]) -> list[Told]:
    """What was told of each turn that was played. A turn may have several windows: 3.2 asks."""
    found: list[Told] = []
    events: list[Plain] = []
    at = ""
    for report in reports:
        events += report["events"]
        if report["turn"] > len(found) + 1:
            lost = [Told(turn=turn) for turn in range(len(found) + 1, report["turn"] - 1)]
            found += lost
            at = "" if lost else at
            found.append(_told(report["turn"] - 1, events, at))
            events = []
        at = next(unit["place"] for unit in report["units"])
    return found


def _told(turn: int, events: Sequence[Plain], at: str) -> Told:
    """One turn, which the own animal began in `at`; empty where that is not known."""
    way = [event["to"] for event in events if event["kind"] == "Moved"]
    own = tuple(way) if any(e["rule"] == "2.1" for e in events) else (at, *way) if at else ()
    twigs = [event["row"] or "heard" for event in events if event["kind"] == "TwigSnapped"]
    return Told(turn=turn, own=own, row=twigs[0] if twigs else "")
