"""Two worlds by mail that differ in one side's sealed orders, in when and how often it writes, and
in what of it is refused. Everything that leaves for the other side, and for spectators, is the same
to the byte. Then each leak of the referee is planted, and must be found.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.baltic.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.outbound.spectators import enrol
from pbem.store.game_dir import writing
from pbem.testing.orders import legal
from tests import leaks, mailed
from tests.baltic import test_secrecy
from tests.referee import Referee
from tests.secrecy import Artefacts, artefacts, differences

SEALED: dict[str, tuple[str, ...]] = {
    "teutonic": (
        "HOCHMEISTER: fire all nearest;",
        "HOCHMEISTER: if range to VASA under 20 then board VASA 3;",
        "LOHENGRIN: force;",
        "PARZIVAL: if wrecked VASA then steer to 40 24;",
        "TEUTONIC: stack HOCHMEISTER LOHENGRIN;",
        "GOTEN: evade;",
        "@TEUTONIC: repair fire rudder;",
        "@HOCHMEISTER: choose bridge;",
    ),
    "kalmar": (
        "VASA: fire all nearest;",
        "VASA: if range to HOCHMEISTER under 20 then board HOCHMEISTER 3;",
        "ROVFAGEL: force;",
        "HAVSORN: if wrecked HOCHMEISTER then steer to 40 24;",
        "KALMAR: stack VASA ROVFAGEL;",
        "SKARGARD: evade;",
        "@KALMAR: repair rudder fire;",
        "@VASA: choose marines;",
    ),
}
"""Nothing of it is seen within the windows played, in which no gun can reach."""


class World(mailed.MailedWorld):
    """One side's officer is the same in both worlds; the other's seals something else."""

    bad = ("VASA: fly 20 20;", "GOTEN: move port 300;", "Q7: yes;", "WASA: hold fire;")
    writes = 1.0  # whose orders are due, and whether one missed, all are told

    def own_orders(self, n: int) -> str:
        return "FINAL; VASSA: fly 3 3;"  # a mistake, for its receipt

    def hidden_orders(self) -> str:
        drawn = [line for line in SEALED[self.other] if self.hidden.random() < 0.5]
        report = Report.of(self.referee.report(self.other))
        return "\n".join(["FINAL;", *legal(SYSTEM, report, drawn)])


def two_worlds(
    folder: Path, kind: type[Referee] = Referee, windows: int = 2, side: str = "kalmar"
) -> tuple[Artefacts, Artefacts]:
    """What one side and spectators get in either. kind: of referee, which says how mail is
    encrypted."""

    def make(name: str) -> World:
        choices = Choices(scenario="rig", options={"windows": "turn"}, seed="x", dice="seeded")
        referee = kind.made(folder / name, SYSTEM, choices)
        with writing(referee.home, referee.name) as game:
            enrol(game, "w@example.org", "Wendy")
        referee.open()
        return World(referee, side, Random(name))

    return mailed.two_worlds(make, windows)


def of(folder: Path, seat: str) -> list[Artefacts]:
    """Everything that left for a seat in either world."""
    return [artefacts(Referee(folder / name, SYSTEM), seat) for name in ("one", "two")]


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SEALED)
def test_sealed_orders_do_not_reach_the_enemy(side: str, tmp_path: Path) -> None:
    one, other = two_worlds(tmp_path, windows=3, side=side)
    assert len(one) > 30
    assert differences(one, other) == []
    public = of(tmp_path, "spectators")
    assert public[0] and not differences(*public)
    (enemy,) = {*SEALED} - {side}
    assert differences(*of(tmp_path, enemy)), "the worlds do not differ, so nothing was tested"


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", leaks.KERNEL)
def test_a_leak_of_the_kernel_is_found(kind: str, tmp_path: Path) -> None:
    assert leaks.found(leaks.KERNEL[kind], lambda: two_worlds(tmp_path))


def test_without_a_leak_the_worlds_are_not_told_apart(tmp_path: Path) -> None:
    assert leaks.apart_with_press(lambda: two_worlds(tmp_path)) == []


def test_every_kind_of_leak_is_planted() -> None:
    assert {*leaks.RULES} <= {*test_secrecy.LEAKS, "question text"}
