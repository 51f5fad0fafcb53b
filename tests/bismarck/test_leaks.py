"""Two worlds of Bismarck by mail, and the leaks of the kernel that they find."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.testing.orders import legal
from tests import leaks, mailed
from tests.bismarck import test_mail_secrecy as mail
from tests.bismarck import test_secrecy, test_secrecy_shadow
from tests.referee import Referee
from tests.secrecy import Artefacts


class World(mailed.MailedWorld):
    """The German officer is the same in both worlds."""

    bad = ("HOOD: fly A1;", "BISMARCK: move B7;", "Q7: yes;")

    def own_orders(self, n: int) -> str:
        return mail.GERMAN[n - 1]

    def hidden_orders(self) -> str:
        report = Report.of(self.referee.report(self.other))
        return "\n".join(legal(SYSTEM, report, mail.british(self.hidden).splitlines()))


def two_worlds(
    folder: Path, kind: type[Referee] = Referee, windows: int = 2
) -> tuple[Artefacts, Artefacts]:
    """What the German gets in either. kind: of referee, which says how mail is encrypted."""

    def make(name: str) -> World:
        referee = kind.made(folder / name, SYSTEM, Choices(options={}, seed="x", dice="seeded"))
        referee.open()
        return World(referee, "german", Random(name))

    return mailed.two_worlds(make, windows)


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", leaks.KERNEL)
def test_a_leak_of_the_kernel_is_found(kind: str, tmp_path: Path) -> None:
    assert leaks.found(leaks.KERNEL[kind], lambda: two_worlds(tmp_path))


def test_without_a_leak_the_worlds_are_not_told_apart(tmp_path: Path) -> None:
    assert leaks.apart_with_press(lambda: two_worlds(tmp_path)) == []


def test_every_kind_of_leak_is_planted() -> None:
    planted = {*test_secrecy.LEAKS, *(leak.__name__ for _, _, leak in test_secrecy_shadow.LEAKS)}
    assert {*leaks.RULES} <= {name.replace("_", " ") for name in planted}
