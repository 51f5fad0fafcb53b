"""Plays a finished game again from its ledger, window by window, and keeps all that happened.

It is an audit that keeps what it sees, so that a replay shows nothing that was not checked. Only a
game that is over may be replayed: a frame contains the truth beside what each side knew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from orders.model import OrderSet
from orders.show import show
from pbem.audit.auditor import Auditor, records_of
from pbem.audit.findings import Audited, Wrong
from pbem.audit.rerun import Rerun
from pbem.base.report_json import Report
from pbem.charts.scenes import drawable
from pbem.errors import Busy, Damaged, PbemError
from pbem.model import Roll, Side, System, Told, UnitView
from pbem.reports import ruling_lines
from pbem.scene import Scene
from pbem.store.game_dir import Game
from pbem.store.holders import Ruling
from pbem.store.ledger import Record
from pbem.store.records import Body, Closed, Opening, Ruled, Undone
from pbem.text.messages import phrase
from pbem.turns.open_window import NewWindow
from pbem.turns.role_sets import merged


class Act(Struct, frozen=True):
    """What the moderator did, as some of the sides were told."""

    to: Sequence[str]
    """The sides that were told this."""
    text: str
    rule: str = ""
    why: str = ""


class Frame(Struct, kw_only=True):
    """The game when a window opened, and what happened as the window before it closed."""

    window: int
    """The window that opened."""
    closed: int
    """The window that closed; 0 if none did."""
    turn: int
    label: str
    """The turn's name in the rulebook."""
    truth: Sequence[UnitView]
    """Every unit as the referee sees it."""
    templates: str
    """The folder of templates of the edition that it was played by."""
    reports: dict[str, Report]
    """Side -> its report."""
    charts: dict[str, tuple[Scene, ...]]
    """Side -> the charts of its report, the main one first; empty if the system has none."""
    told: Sequence[Told] = ()
    """All events, hidden ones too."""
    rolls: Sequence[Roll] = ()
    """All rolls, hidden ones too."""
    orders: dict[str, list[str] | None] = {}
    """Side -> the lines of its orders as they were understood; None if no orders came."""
    acts: Sequence[Act] = ()
    """What the moderator did since the frame before."""

    @property
    def scenes(self) -> dict[str, Scene | None]:
        """Side -> its main chart; None if the system has no chart."""
        return {side: next(iter(charts), None) for side, charts in self.charts.items()}


class Walk(Rerun):
    """The audit's re-run of a game, which also keeps a frame of every window."""

    def __init__(self, system: System) -> None:
        super().__init__(system, Audited())
        self.frames: dict[int, Frame] = {}
        self._acts: list[Act] = []

    def note(self, body: Body) -> None:
        """Note what the moderator does in a record; call it before the record is audited."""
        if isinstance(body, Undone):
            self._note_undo(body)
        if isinstance(body, Ruled):
            self._note_ruling(body)

    def _note_undo(self, body: Undone) -> None:
        """Drop the frames of windows that were taken back; the next frame says that they were."""
        for window in body.windows:
            opened = next(c.opens for c in self.register.closed if c.window == window)
            self.frames.pop(opened, None)
            self._acts.append(Act(self.register.sides, f"The moderator took back window {window}"))

    def _note_ruling(self, body: Ruled) -> None:
        """Note a ruling for the frame in which it takes effect: in full for the sides that were
        told, for the others only that there was one."""
        sides = self.register.sides
        told = list(sides) if body.to is None else body.to
        ruling = Ruling.of(body, "", 0)
        why = f"{body.reason}{ruling_lines.late(ruling, ruling.opens or ruling.window)}"
        said = f"The moderator ruled: {body.text.strip()}"
        self._acts.append(Act(told, said, body.rule, why))
        if others := [side for side in sides if side not in told]:
            self._acts.append(Act(others, f"The moderator ruled. {phrase('ruling_hidden')}"))

    def compare(self, record: Record, body: Opening, new: NewWindow) -> None:
        """Compare the window with its record, as in every audit, then keep it as a frame."""
        super().compare(record, body, new)
        drive, closing = new.drive, new.closing
        window = int(drive.opens)
        reports = {str(s): self.reports[s, window] for s in drive.sides}
        truth = self.system.truth(drive.state)
        self.frames[window] = Frame(
            window=window,
            closed=body.window if isinstance(body, Closed) else 0,
            turn=truth.turn,
            label=truth.label,
            truth=truth.units,
            templates=self.system.templates,
            reports=reports,
            charts={side: _charts(self.system, r) for side, r in reports.items()},
            told=closing.told if closing else (),
            rolls=closing.rolls if closing else (),
            orders=self._orders(body) if isinstance(body, Closed) else {},
            acts=tuple(self._acts),
        )
        self._acts = []

    def _orders(self, body: Closed) -> dict[str, list[str] | None]:
        """Side -> the lines of its set in force, with those of its roles; None if it has none."""
        taken = {side: self.sets.get(one.record) for side, one in body.sets.items()}
        given = {side: one[1] for side, one in taken.items() if one}
        sets, sides = merged(self.register, given), self.register.sides
        return {side: self._lines(sets[side]) if side in sets else None for side in sides}

    def _lines(self, orders: OrderSet) -> list[str]:
        return show(orders, self.system.grammar).splitlines()


Along = TypeVar("Along", bound=Walk)


def walk(game: Game, system: System) -> Walk:
    """Play a finished game again. Raises Busy before its end, Damaged if its audit fails."""
    return followed(game, Walk(system))


def followed(game: Game, along: Along) -> Along:
    """Lead `along` through the records of a finished game. Raises as `walk` does."""
    require_over(game, along.system)
    auditor = Auditor(game.ledger, along)
    try:
        for record in records_of(game):
            along.note(record.body)
            auditor.check(record)
    except (Wrong, PbemError, LookupError, TypeError, ValueError, AssertionError) as error:
        raise Damaged(
            f"{game.name} cannot be replayed: record {along.result.records + 1}: {error}",
            f"`pbem audit {game.name}` says what is wrong",
        ) from None
    return along


def require_over(game: Game, system: System) -> None:
    """Raise Busy while the game goes on: a replay shows what is hidden until then."""
    if game.register.over:
        return
    played = next(s for s in system.scenarios if s.name == game.register.created.scenario)
    turns = played.turns or system.turns
    last = f"after turn {turns} or " if turns else ""
    raise Busy(
        f"{game.name} is not over: a replay shows what is hidden until the end",
        f"the game ends {last}by its victory rules; `pbem end` ends it now",
    )


def _charts(system: System, report: Report) -> tuple[Scene, ...]:
    """The charts of a report, without those that only enlarge a part of the main one."""
    return tuple(scene for scene in drawable(system, report.plain) if not scene.part)


def sides_of(system: System, scenario: str, sides: Sequence[Side]) -> list[tuple[str, str]]:
    """Each side with its printed name."""
    played = next(s for s in system.scenarios if s.name == scenario)
    return [(str(side), played.side_name(side)) for side in sides]
