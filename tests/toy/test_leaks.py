"""Leaks of the kernel, planted one by one: the two-world test of the toy finds each.

Those of views, rules and dice stand beside the test itself; tests/trust/README.md lists them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from games.toy import game as toy
from pbem import commitment, intake, issue, press, render, resolve
from pbem.game import Game, writing
from pbem.model import TableLike
from tests.secrecy import differences
from tests.toy import test_secrecy as two

Plant = Callable[[pytest.MonkeyPatch], None]
HERE: list[Game] = []
"""The game that was read last: what a leak can look into."""


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.__init__

    def init(self: Game, *args: Any) -> None:
        real(self, *args)
        HERE[:] = [self]

    monkeypatch.setattr(Game, "__init__", init)


def wrapped(where: Any, name: str, change: Callable[..., Any]) -> Plant:
    """A function of the kernel, and `change(real, *its arguments)` in its place."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = getattr(where, name)
        patch.setattr(where, name, lambda *a, **k: change(real, *a, **k))

    return plant


def hidden_mail() -> int:
    """How often the hunter wrote."""
    return HERE[0].register.receipts.get("hunter", 0)


def late_notice(real: Any, register: Any, opens: int) -> list[str]:
    said = f"The hunter had {register.receipts.get('hunter', 0)} receipts."
    return [*real(register, opens), said]


def date(real: Any, *moment: Any) -> Any:
    """The mail bears the time of the last mail that came, not of the closing."""
    return HERE[0].register.affairs.last or real(*moment)


def deadline(real: Any, game: Any, system: Any, drive: Any, closing: Any, when: str,
             *rest: Any) -> Any:  # fmt: skip
    return real(game, system, drive, closing, f"2026-12-{hidden_mail() + 1:02}T00:00:00Z", *rest)


def error_hint(real: Any, *args: Any) -> Any:
    found = real(*args)
    return found | {"hint": f"{found['hint']} ({hidden_mail()} are in)"}


def receipt_wording(real: Any, receipt: Any) -> str:
    return str(real(receipt)) + ("The other side is in.\n" if hidden_mail() % 2 else "")


def length(real: Any, report: Any, data: bytes) -> Any:
    pages = real(report, data)
    return pages._replace(html=pages.html + " " * hidden_mail())


def unpadded(real: Any, g0: str, window: int, position: str, rolls: Sequence[Any]) -> Any:
    """A commitment whose length follows what it hides."""
    made = real(g0, window, position, rolls)
    return commitment.Pledge(made.commit[: 48 + int(position[0], 16)], made.blind)


def question_text(patch: pytest.MonkeyPatch) -> None:
    """What the hound is asked names the fox's place."""
    place, leap, turn = [""], toy.Leap, toy.Toy.turn

    async def watching(self: toy.Toy, table: TableLike, hide: toy.Hide) -> Any:
        place[:] = [hide.place["FOX"]]
        return await turn(self, table, hide)

    def asked(**said: Any) -> toy.Leap:
        return leap(**said | {"about": f"HOUND{place[0]}"})

    patch.setattr(toy.Toy, "turn", watching)
    patch.setattr(toy, "Leap", asked)


def press_count(patch: pytest.MonkeyPatch) -> None:
    """Press of the hidden side, the same in both worlds, whose page counts the ledger's records."""
    with_press(patch)
    patch.setattr(press, "quoted", lambda text: f"| {text} ({HERE[0].register.n})")


def with_press(patch: pytest.MonkeyPatch) -> None:
    real = two.World.other_mail

    def other_mail(self: two.World, n: int, clock: Any, early: bool) -> None:
        real(self, n, clock, early)
        if early:
            clock.set(f"2026-11-{n:02}T09:30:00Z")
            with writing(self.house.home, self.house.name) as game:
                press.send(game, press.Message(self.other, self.side, "Peace?"))

    patch.setattr(two.World, "other_mail", other_mail)
    patch.setattr(press, "policy", lambda game: "open")


PLANTS: dict[str, tuple[str, Plant]] = {
    "late notice": ("fox", wrapped(issue, "flags", late_notice)),
    "Date": ("fox", wrapped(resolve, "stamp", date)),
    "deadline": ("fox", wrapped(resolve, "issue", deadline)),
    "error hint": ("fox", wrapped(intake, "problem", error_hint)),
    "receipt wording": ("fox", wrapped(render, "receipt", receipt_wording)),
    "length": ("fox", wrapped(render, "pages", length)),
    "question text": ("hunter", question_text),
    "press": ("fox", press_count),
    "dice commitment": ("fox", wrapped(issue, "pledge", unpadded)),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_leak_of_the_kernel_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side, plant = PLANTS[name]
    plant(monkeypatch)
    assert differences(*two.two_worlds(tmp_path, side, 4, windows=8 if side == "hunter" else 4))


def test_press_of_the_other_side_is_the_same_in_both_worlds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the leak above would prove nothing."""
    with_press(monkeypatch)
    one, other = two.two_worlds(tmp_path, "fox", 4, windows=4)
    assert differences(one, other) == []
    assert [name for name in one if "press" in name]
