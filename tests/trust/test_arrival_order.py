"""Two worlds that differ in which side acted first: no mail of the referee shows it.

Everything that sides and spectators get is compared, byte by byte but for what hides by
construction, in plain and in encrypted games.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from pbem.admin.key_change import change
from pbem.admin.lost_keys import lose
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.base.report_json import Report
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.errors import Busy
from pbem.model import ALL, Plain, Side
from pbem.outbound.spectators import enrol
from pbem.player.sign import encrypted
from pbem.store.game_dir import writing
from pbem.turns.strict_dice import notice
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.luck import pinned
from tests.proving import Proven
from tests.referee import key_of
from tests.secrecy import Artefacts, artefacts, differences, opened
from tests.trust.corpus import checked

FOX, HUNTER = SIDES = ("fox", "hunter")
ANCHORED, BARE = True, False


class World(Proven):
    """A game of two sides and a spectator. first: the sides in the order in which they act."""

    first: tuple[str, ...] = SIDES

    def receive(self, raw: bytes | str, *more: Any, **named: Any) -> Any:
        if self.register.window and self.register.encrypted:
            raw = encrypted(
                Report.of(self.report(FOX)), raw if isinstance(raw, str) else raw.decode()
            )
        return super().receive(raw, *more, **named)

    def each(self, act: Callable[[str], Any]) -> None:
        """What each side does, in the order of this world."""
        for side in self.first:
            act(side)

    def sent(self, side: str, lines: str = "", **more: Any) -> None:
        self._seq = 0  # the same number in both worlds
        outcome = self.sends(side, lines or self.suggested(side), **more)
        assert outcome.good, outcome.text

    def notice(self, side: str) -> Plain:
        locked = self.register.locked
        assert locked
        return notice(self.register, Side(side), locked)

    def closes(self) -> None:
        try:
            self.run(force=True)
        except Busy:
            assert self.register.locked


def begun(home: Path, order: tuple[str, ...], dice: str, mail: str, anchored: bool) -> World:
    referee = World(home, SYSTEM)
    referee.first = order
    create(home, SYSTEM, "g1", Choices(dice=dice, mail=mail))
    with writing(home, "g1") as game:
        for side in order:
            key = key_of(side)
            anchor = first_anchor(DiceChains(key), "g1", side) if anchored else ""
            player = Newcomer(public_line(key.wire), f"{side}@example.org", side, anchor=anchor)
            enlist(game, side, player)
        enrol(game, "watcher@example.org")
    referee.open()
    return referee


def anchors(referee: World) -> None:
    """Keys without an anchor announce theirs with their first orders."""
    referee.each(referee.sent)
    referee.closes()
    referee.each(referee.sent)
    referee.closes()
    assert len(referee.register.anchors) == 2


def renewed(referee: World) -> None:
    """Both sides begin a new dice chain."""
    referee.each(lambda side: referee.sent(side, renew=True))
    referee.closes()
    assert len(referee.register.anchors) == 4


def void(referee: World) -> None:
    """No side reveals its link after the lock."""
    referee.each(referee.sent)
    referee.closes()
    referee.run(force=True)
    assert len(referee.register.closed[-1].void or ()) == 2


def revealed(referee: World) -> None:
    """All sides reveal their links."""
    referee.each(referee.sent)
    referee.closes()
    referee.each(referee.reveals)
    referee.closes()
    assert referee.register.closed


def awaited(referee: World, clock: Clock) -> None:
    """Half of the time for links has passed, and all sides are told whose links are awaited."""
    with writing(referee.home, referee.name) as game:
        from pbem.admin.commands import extend

        extend(game, "2026-11-21T12:00:00Z", "")
    referee.each(referee.sent)
    referee.closes()
    clock.advance(hours=30)
    (referee.home / "pbem.toml").write_text("")
    assert pbem("--home", referee.home, "tick").code == 0
    assert any("awaited" in r.body for r in referee.records if r.kind == "noted")


def consented(referee: World) -> None:
    """All sides consent to an undo."""
    referee.each(referee.sent)
    referee.closes()
    referee.each(lambda side: referee.sent(side, "CONSENT UNDO 1;\n" + referee.suggested(side)))
    referee.undo(reopen=True)
    assert not referee.register.against(1)


def found_again(referee: World) -> None:
    """Two keys that were reported lost sign again."""
    with writing(referee.home, referee.name) as game:
        for side in SIDES:
            lose(game, side, Newcomer(public_line(key_of(f"new {side}").wire)))
    referee.each(referee.sent)
    referee.closes()
    assert len(referee.register.withdrawn) == 2


def changed(referee: World) -> None:
    """Both change their keys. What is mailed of it at once is told in its time."""

    def change_key(side: str) -> None:
        new = DiceChains(key_of(f"new {side}"))
        (outcome,) = referee.receive(change(Report.of(referee.report(side)), key_of(side), new))
        assert outcome.good, outcome.text

    referee.each(change_key)
    referee.closes()


def resigned(referee: World) -> None:
    """Both sides resign before the same tick."""
    referee.each(lambda side: referee.sent(side, "RESIGN;\n" + referee.suggested(side)))
    (referee.home / "pbem.toml").write_text("")
    assert pbem("--home", referee.home, "tick").code == 0
    assert referee.register.held


def absent(referee: World) -> None:
    """Both sides are absent for some days."""
    referee.each(
        lambda side: referee.sent(side, "ABSENT UNTIL 2026-12-02;\n" + referee.suggested(side))
    )
    (referee.home / "pbem.toml").write_text("")
    assert pbem("--home", referee.home, "tick").code == 0
    referee.closes()
    assert len(referee.register.mail_state.absent) == 2


Act = Callable[..., None]
ACTS: dict[str, tuple[Act, str, bool]] = {
    "announced an anchor": (anchors, "fast", BARE),
    "renewed an anchor": (renewed, "fast", ANCHORED),
    "did not reveal": (void, "strict", ANCHORED),
    "revealed": (revealed, "strict", ANCHORED),
    "filed, links awaited": (awaited, "strict", ANCHORED),
    "consented": (consented, "fast", ANCHORED),
    "joined, filed": (consented, "seeded", BARE),
    "showed that a key is not lost": (found_again, "fast", ANCHORED),
    "changed a key": (changed, "fast", ANCHORED),
    "resigned": (resigned, "fast", ANCHORED),
    "was absent": (absent, "fast", ANCHORED),
}
LEAKING = {
    "announced an anchor",
    "renewed an anchor",
    "did not reveal",
    "filed, links awaited",
    "showed that a key is not lost",
    "changed a key",
}
"""Cases in which a list in order of arrival would show."""


def told(referee: World, case: str) -> Artefacts:
    """All that sides and spectators got; of changed keys the reports alone."""
    found: Artefacts = {}
    if case == "changed a key":
        for path in sorted((referee.folder / "reports").glob("*/*/report.[jth]*")):
            name = path.relative_to(referee.folder).as_posix()
            found |= opened(name, path.read_bytes())
        return found
    for who in (*SIDES, str(ALL)):
        found |= {f"{who} {name}": value for name, value in artefacts(referee, who).items()}
    for path in sorted((referee.folder / "outbox").glob("spectator*")):
        found[path.name] = b"%d" % path.stat().st_size
    return found


def worlds(case: str, home: Path, mail: str, protocol: int = 2) -> list[str]:
    """What differs between two worlds in which one side or the other was first."""
    act, dice, anchored = ACTS[case]
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        patch.setattr("pbem.admin.setup.PROTOCOL", protocol)
        for name, order in (("one", SIDES), ("two", SIDES[::-1])):
            clock = Clock(patch)
            pinned(patch, "worlds")
            referee = begun(home / name, order, dice, mail, anchored)
            act(referee, clock) if act is awaited else act(referee)
            assert referee.audit().whole
            assert [line for line in checked(referee.folder) if "cannot-verify" not in line] == []
            found.append(told(referee, case))
    assert len(found[0]) > 20
    return differences(*found)


@pytest.mark.some(10)
@pytest.mark.parametrize("mail", ["plain", "sealed"])
@pytest.mark.parametrize("case", ACTS)
def test_nobody_learns_who_was_first(case: str, mail: str, tmp_path: Path) -> None:
    assert worlds(case, tmp_path, mail) == []


@pytest.mark.parametrize("case", sorted(LEAKING))
def test_a_list_in_the_order_of_arrival_is_found(case: str, tmp_path: Path) -> None:
    """A planted leak, that of earlier releases: games of the first protocol still list so."""
    assert worlds(case, tmp_path, "plain", protocol=1)
