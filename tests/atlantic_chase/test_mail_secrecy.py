"""Two worlds by mail that differ in one side's sealed orders, in when and how often it writes, and
in what of it is refused. Everything that leaves for the other side, and for spectators, is the same
to the byte, plotted and asked. Then each leak of the referee is planted, and must be found.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.model import Side
from pbem.outbound.spectators import enrol
from pbem.store.game_dir import writing
from pbem.testing.orders import legal
from tests import leaks, mailed
from tests.atlantic_chase import test_secrecy
from tests.referee import Referee
from tests.secrecy import Artefacts, artefacts, differences

SEALED: dict[Side, tuple[str, ...]] = {
    GERMAN: (
        "@GERMAN: seize at least 25;",
        "@GERMAN: evade KG1;",
        "@GERMAN: spend engage total 7;",
        "@GERMAN: slip signals length 3;",
        "@GERMAN: support none;",
        "@GERMAN: if guns over 80 then skirmish fight else skirmish decline;",
        "@BISMARCK: target HOOD;",
        "@KG1: keep J12;",
        "@LUETJENS: use seize at most 50;",
        "turn 9 KG3: course E11;",
        "turn 11 GERMAN: finish hold;",
        "KG1: engage TF1;",
        "KG2: search TF6 times 3;",
        "GERMAN: signals TF3 at K08;",
    ),
    BRITISH: (
        "@BRITISH: seize at least 60;",
        "@BRITISH: evade TF6 TF7;",
        "@BRITISH: spend strike total 9;",
        "@BRITISH: slip evasive;",
        "@BRITISH: support free;",
        "@BRITISH: if tally over 2 then seize always;",
        "@HOOD: stance close;",
        "@TF6: keep H13;",
        "@TOVEY: use search at most 9;",
        "turn 8 TF6: complete;",
        "turn 10 BRITISH: finish hold;",
        "TF1: engage KG1;",
        "TF2: search KG1 at K08 times 2;",
        "BRITISH: signals KG1;",
    ),
}
"""Nothing of it is called for within the windows played: standing reactions, doctrine, what leaders
are to do, spells prepared, and lines that are left out."""
PLAYS = {
    "plotted": {"play": "plotted"},
    "asked, mail=action": {"play": "asked", "mail": "action"},
    "asked, mail=full": {"play": "asked", "mail": "full"},
}


class World(mailed.MailedWorld):
    """One side's officer is the same in both worlds; the other's seals something else."""

    bad = ("HOOD: fly A1;", "KG9: move B7;", "Q7: yes;", "TF1: course Z99;")
    writes = 1.0  # whose orders are due, and whether he passed, all are told

    def own_orders(self, n: int) -> str:
        return self.shown(self.side, "FINAL;", "KG9: fly A1;")  # a mistake, for its receipt

    def hidden_orders(self) -> str:
        sealed = SEALED[Side(self.other)]
        drawn = [line for line in sealed if self.hidden.random() < 0.5]
        report = Report.of(self.referee.report(self.other))
        return self.shown(self.other, *legal(SYSTEM, report, drawn))

    def shown(self, side: str, *lines: str) -> str:
        """What both worlds see: a Pass, and to questions the usual answers."""
        report = self.referee.report(side)
        asked = report["questions"]
        answers = [f"{q['id']}: {q['default']};" for q in asked]
        active = report["board"]["active"] == side and not asked
        return "\n".join([*lines, *answers, *([f"{side.upper()}: pass;"] if active else [])])


def two_worlds(
    folder: Path,
    kind: type[Referee] = Referee,
    windows: int = 2,
    side: str = GERMAN,
    play: str = "plotted",
) -> tuple[Artefacts, Artefacts]:
    """What one side and spectators get in either. kind: of referee, which says how mail is
    encrypted."""

    def make(name: str) -> World:
        choices = Choices(options=PLAYS[play], seed="x", dice="seeded")
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
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("play", PLAYS)
def test_sealed_orders_do_not_reach_the_enemy(side: str, play: str, tmp_path: Path) -> None:
    one, other = two_worlds(tmp_path, windows=4, side=side, play=play)
    assert len(one) > 30
    assert differences(one, other) == []
    public = of(tmp_path, "spectators")
    assert public[0] and not differences(*public)
    (enemy,) = {*SIDES} - {side}
    assert differences(*of(tmp_path, enemy)), "the worlds do not differ, so nothing was tested"


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", leaks.KERNEL)
def test_a_leak_of_the_kernel_is_found(kind: str, tmp_path: Path) -> None:
    assert leaks.found(leaks.KERNEL[kind], lambda: two_worlds(tmp_path))


def test_without_a_leak_the_worlds_are_not_told_apart(tmp_path: Path) -> None:
    assert leaks.apart_with_press(lambda: two_worlds(tmp_path)) == []


def test_every_kind_of_leak_is_planted() -> None:
    assert {*leaks.RULES} <= {*test_secrecy.LEAKS, "question text"}
