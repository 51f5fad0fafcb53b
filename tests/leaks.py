"""Deliberate leaks of the referee. The secrecy test of every system plants them one at a time and
must find each. Leaks in views, rules and dice are next to the tests of their systems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.admin import press
from pbem.dice import commitment
from pbem.inbound import judge
from pbem.reports import render
from pbem.store import secrets
from pbem.store.game_dir import Game, writing
from pbem.store.ledger import Record
from pbem.store.register import Register
from pbem.turns import close_window, open_window
from pbem.turns.open_window import NewWindow
from tests.mailed import MailedWorld, until_they_differ
from tests.secrecy import Artefacts, differences

Plant = Callable[[pytest.MonkeyPatch], None]
Worlds = Callable[[], tuple[Artefacts, Artefacts]]
RULES = ("unit count", "hidden ids", "order of listing", "roll counter", "question text")
"""Kinds of leaks in views and rules. The tests of every system plant one of each."""

HERE: list[Game] = []
"""The game that was read last, for leaks that need to look at it."""


def watched(patch: pytest.MonkeyPatch) -> None:
    """Keep the game that was read last in HERE."""
    real = Game.__init__

    def init(self: Game, *args: Any) -> None:
        real(self, *args)
        HERE[:] = [self]

    patch.setattr(Game, "__init__", init)


def found(plant: Plant, worlds: Worlds) -> bool:
    """Whether two worlds differ when they are played with this leak."""
    with pytest.MonkeyPatch.context() as patch, until_they_differ():
        watched(patch)
        plant(patch)
        return bool(differences(*worlds()))


def apart_with_press(worlds: Worlds) -> list[str]:
    """The artefacts that differ between two worlds in which the other side writes press."""
    with pytest.MonkeyPatch.context() as patch:
        with_press(patch)
        one, other = worlds()
    assert [name for name in one if "press" in name], "no press came"
    return differences(one, other)


def wrapped(where: Any, name: str, change: Callable[..., Any]) -> Plant:
    """A leak that replaces a function of the referee by `change(real, *arguments)`."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = getattr(where, name)
        patch.setattr(where, name, lambda *a, **k: change(real, *a, **k))

    return plant


def mails() -> int:
    """The number of mails received from all sides. One side sends the same number in both worlds,
    so that a difference comes from the other side."""
    return sum(HERE[0].register.receipts.values())


def late_notice(real: Any, register: Any, *windows: int) -> list[str]:
    """A line of the report that counts all receipts."""
    return [*real(register, *windows), f"There were {sum(register.receipts.values())} receipts."]


def message_id(real: Any, game: Any, side: str, number: int) -> str:
    """A Message-ID with the number of the last record."""
    return f"<{game.register.n}@g1.pbem.invalid>"


def file_name(patch: pytest.MonkeyPatch) -> None:
    """File names and Message-IDs that count the mail of all sides."""
    real = Register.apply

    def apply(self: Register, record: Record) -> None:
        real(self, record)
        for side in self.mails:
            self.mails[side] = self.n

    patch.setattr(Register, "apply", apply)


def date(real: Any, *moment: Any) -> Any:
    """The Date of a mail is the time of the last mail received, not of the closing."""
    return HERE[0].register.mail_state.last or real(*moment)


def deadline(real: Any, game: Any, new: NewWindow, *rest: Any) -> Any:
    """A deadline whose day is the number of mails."""
    return real(game, replace(new, deadline=f"2026-12-{mails() + 1:02}T00:00:00Z"), *rest)


def error_hint(real: Any, *args: Any) -> Any:
    """A hint that counts the mails received."""
    found = real(*args)
    return replace(found, hint=f"{found.hint} ({mails()} are in)")


def receipt_wording(real: Any, receipt: Any) -> str:
    """A receipt that counts the mails received."""
    return str(real(receipt)) + f"Mails so far: {mails()}.\n"


def length(real: Any, *report: Any) -> Any:
    """A page as many bytes longer as mails were received."""
    pages = real(*report)
    return replace(pages, html=pages.html + " " * mails())


def unpadded(real: Any, g0: str, window: int, position: str, rolls: Sequence[Any]) -> Any:
    """A commitment whose length depends on the hidden position."""
    made = real(g0, window, position, rolls)
    return commitment.Commitment(made.commit[: 48 + int(position[0], 16)], made.blind)


def press_count(patch: pytest.MonkeyPatch) -> None:
    """Press from the other side, the same in both worlds, quoted with the number of records."""
    with_press(patch)
    patch.setattr(press, "quoted", lambda text: f"| {text} ({HERE[0].register.n})")


def with_press(patch: pytest.MonkeyPatch) -> None:
    """The other side sends one line of press to this one in every window."""
    real = MailedWorld.other_mail

    def other_mail(self: MailedWorld, n: int, clock: Any, early: bool) -> None:
        real(self, n, clock, early)
        if early:
            clock.set(f"2026-11-{n:02}T09:30:00Z")
            with writing(self.referee.home, self.referee.name) as game:
                press.send(game, press.Message(self.other, self.side, "Peace?"))

    patch.setattr(MailedWorld, "other_mail", other_mail)
    patch.setattr(press, "policy", lambda game: "open")


KERNEL: dict[str, Plant] = {
    "late notice": wrapped(open_window, "flags", late_notice),
    "Message-ID": wrapped(secrets, "message_id", message_id),
    "Date": wrapped(close_window, "stamp", date),
    "file name": file_name,
    "length": wrapped(render, "pages", length),
    "error hint": wrapped(judge, "problem", error_hint),
    "receipt wording": wrapped(render, "receipt", receipt_wording),
    "deadline": wrapped(close_window, "issue", deadline),
    "press": press_count,
    "dice commitment": wrapped(open_window, "new_commitment", unpadded),
}
