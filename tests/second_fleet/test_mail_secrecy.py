"""Two worlds by mail: in the second the enemy has other ships in other places, other orders, and
writes at other times. Everything that the referee sends to the side that looks on is the same to
the byte, with fog hidden and open. Then each leak of the referee is planted, and must be found.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.second_fleet.board import NATO, OTHER, SIDES
from games.second_fleet.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.model import Side
from pbem.testing.orders import legal
from tests import leaks, mailed
from tests.referee import Referee
from tests.second_fleet import test_secrecy
from tests.second_fleet.test_secrecy import MOVES, SENT, start
from tests.secrecy import Artefacts, differences

SEALED: dict[Side, tuple[str, ...]] = {
    side: (
        f"@{side.upper()}: losses weakest;",
        f"@{side.upper()}: array dd cg cv;",
        "@ALPHA: array ff dd;",
    )
    for side in SIDES
}
"""Standing orders that nothing calls for within the windows played."""
OWN: dict[Side, str] = {
    NATO: "USP3A: recon gs cv; GATO: fly 2020;",
    OTHER[NATO]: "SOT95FA: recon bi cv; LNSKY: fly 2020;",
}
"""The first window's orders of the side that looks on, with a mistake for its receipt."""


class World(mailed.MailedWorld):
    """One side's officer is the same in both worlds; the other's is not."""

    bad = ("MKALN: fly 2020;", "GATO: move 9999;", "Q7: yes;", "USP3A: recon xx;")
    writes = 1.0  # who has missed a window all are told

    def __init__(self, referee: Referee, side: Side, second: bool, fog: str) -> None:
        super().__init__(referee, side, Random(str(second)))
        self.second, self.fog, self.n = second, fog, 0

    def misses(self, n: int) -> bool:
        return False

    def own_orders(self, n: int) -> str:
        self.n = n
        return f"FINAL; {OWN[Side(self.side)]}" if n == 1 else "FINAL;"

    def hidden_orders(self) -> str:
        other, sent = Side(self.other), list(SENT[Side(self.other)][self.second])
        if self.fog == "open":
            sent[1] = MOVES[other][self.second]
        lines = [f"{x};" for x in (sent[self.n - 1] if self.n <= 2 else "").split(";") if x]
        lines += [line for line in SEALED[other] if self.hidden.random() < 0.5]
        report = Report.of(self.referee.report(other))
        return "\n".join(["FINAL;", *legal(SYSTEM, report, lines)])


def two_worlds(
    folder: Path,
    kind: type[Referee] = Referee,
    windows: int = 2,
    side: Side = NATO,
    fog: str = "hidden",
) -> tuple[Artefacts, Artefacts]:
    """What one side gets in either. kind: of referee, which says how mail is encrypted."""

    def make(name: str) -> World:
        choices = Choices(scenario="gap", options={"fog": fog}, seed="a", dice="seeded")
        referee = kind.made(folder / name, SYSTEM, choices)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(SYSTEM), "begin", lambda *given: start(side, name == "two", fog))
            referee.open()
        return World(referee, side, name == "two", fog)

    return mailed.two_worlds(make, windows)


@pytest.mark.some(1)
@pytest.mark.parametrize("fog", ["hidden", "open"])
@pytest.mark.parametrize("side", SIDES)
def test_a_side_cannot_tell_what_it_does_not_see(side: Side, fog: str, tmp_path: Path) -> None:
    one, other = two_worlds(tmp_path, windows=3, side=side, fog=fog)
    assert len(one) > 30
    assert differences(one, other) == []


@pytest.mark.parametrize("kind", leaks.KERNEL)
def test_a_leak_of_the_kernel_is_found(kind: str, tmp_path: Path) -> None:
    assert leaks.found(leaks.KERNEL[kind], lambda: two_worlds(tmp_path))


def test_without_a_leak_the_worlds_are_not_told_apart(tmp_path: Path) -> None:
    assert leaks.apart_with_press(lambda: two_worlds(tmp_path)) == []


def test_every_kind_of_leak_is_planted() -> None:
    assert {*leaks.RULES} <= {*test_secrecy.LEAKS, "question text"}
