"""Two worlds of Far Seas by mail: in the second the Germans have other places, other orders and
other times of writing. Everything that the referee sends to the Allies is the same to the byte.
Then each leak of the referee is planted, and the same test must find it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.turns.close_window import resume
from tests import leaks, mailed
from tests.far_seas import test_secrecy
from tests.far_seas.test_secrecy import OPTIONS, OWN, hidden_orders, start
from tests.referee import Referee
from tests.secrecy import Artefacts, artefacts, differences


class World(mailed.MailedWorld):
    """The Allied officer is the same in both worlds."""

    bad = ("EMDEN: fly 21;", "GLASGOW: move 13;", "Q7: yes;")
    writes = 1.0  # who moves all are told (M4): in both worlds it is everybody

    def misses(self, n: int) -> bool:
        return False

    def own_orders(self, n: int) -> str:
        return OWN[BRITISH][n - 1]

    def hidden_orders(self) -> str:
        return hidden_orders(resume(self.referee.read(), SYSTEM).state, GERMAN, self.hidden, False)


def two_worlds(
    folder: Path, kind: type[Referee] = Referee, windows: int = 2
) -> tuple[Artefacts, Artefacts]:
    """What the Allies get in either. kind: of referee, which says how mail is encrypted."""

    def make(name: str) -> World:
        # a seed by which no search finds anybody: who finds may know more in one world
        choices = Choices(scenario="war", options=OPTIONS, seed="a", dice="seeded")
        referee = kind.made(folder / name, SYSTEM, choices)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(SYSTEM), "begin", lambda *given: start(BRITISH, name == "two"))
            referee.open()
        return World(referee, BRITISH, Random(name))

    return mailed.two_worlds(make, windows)


def test_the_allies_cannot_tell_where_the_germans_are(tmp_path: Path) -> None:
    one, other = two_worlds(tmp_path, windows=len(OWN[BRITISH]))
    assert len(one) > 60
    assert differences(one, other) == []
    theirs = [artefacts(Referee(tmp_path / name, SYSTEM), GERMAN) for name in ("one", "two")]
    assert differences(*theirs), "the worlds do not differ, so nothing was tested"


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", leaks.KERNEL)
def test_a_leak_of_the_kernel_is_found(kind: str, tmp_path: Path) -> None:
    assert leaks.found(leaks.KERNEL[kind], lambda: two_worlds(tmp_path))


def test_press_of_the_germans_is_the_same_in_both_worlds(tmp_path: Path) -> None:
    assert leaks.apart_with_press(lambda: two_worlds(tmp_path)) == []


def test_every_kind_of_leak_is_planted() -> None:
    assert {*leaks.RULES} <= {*test_secrecy.LEAKS, "question text"}
