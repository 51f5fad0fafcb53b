"""Fox and Hound in two worlds: nothing that one side gets tells them apart; planted leaks do."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.toy import game as toy
from pbem.model import D6, MenuArg, MenuItem, Side, TableLike
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.house import House, key_of, seal
from tests.secrecy import Artefacts, artefacts, differences, masked

Moves = list[str]
WINDOWS = 12
BAD = ("BEAR: move A1;", "FOX: fly A2;", "HOUND: move A1;", "Q7: yes;")


class World:
    """One side plays its own way in both worlds; `hidden` is how the other side plays."""

    def __init__(self, home: Path, side: str, hidden: Random, play: str) -> None:
        self.side, self.hidden = side, hidden
        self.other = "hunter" if side == "fox" else "fox"
        self.house = self.make(home, play)
        self.receipts: list[str] = []

    def make(self, home: Path, play: str) -> House:
        return House.toy(home, play=play)

    def window(self, n: int, own: str, clock: Clock) -> None:
        """Both sides' mail at hours of their own; the window closes at noon in both worlds."""
        self.other_mail(n, clock, early=True)
        clock.set(f"2026-11-{n:02}T10:00:00Z")
        for text in (own, "BEGIN ORDERS nothing END ORDERS"):
            content = text if text.startswith("BEGIN") else self.signed(text)
            for outcome in self.house.receive(content):
                self.receipts += [outcome.text + str(outcome.receipt)]
        self.other_mail(n, clock, early=False)
        clock.set(f"2026-11-{n:02}T12:00:00Z")
        self.house.run(force=True)

    def signed(self, lines: str) -> str:
        report = self.house.report(self.side)
        block = self.house.block(self.side, lines, report, seq=2_000_000_000 + report["window"])
        return seal(block, key_of(self.side))

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        """What the other side does: orders, refused sets, late sets, or nothing."""
        hour, minute = self.hidden.randint(1, 8) if early else 11, self.hidden.randint(0, 59)
        clock.set(f"2026-11-{n:02}T{hour:02}:{minute:02}:00Z")
        for _ in range(self.hidden.randint(0, 2)):
            self.house.receive(self.house.orders(self.other, self.hidden.choice(BAD)))
        if n > 1 and self.hidden.random() < 0.3:
            old = self.house.report(self.other, n - 1)
            self.house.receive(self.house.orders(self.other, "FINAL;", old))
        if self.hidden.random() < 0.8:
            self.house.receive(self.house.orders(self.other, self.hidden_orders()))

    def hidden_orders(self) -> str:
        """Moves that keep the two apart, and the fox in its row."""
        place = self.house.report(self.other)["units"][0]["place"]
        rows = "A" if self.other == "fox" else "DE"
        steps = [z for z in toy.near(place) if z[0] in rows]
        who = toy.ANIMAL[Side(self.other)]
        text = f"{who}: move {self.hidden.choice(steps)};"
        if self.hidden.random() < 0.5:
            text += f"\n@{who}: if turn over 3 then move {self.hidden.choice(steps)};"
        if self.house.report(self.other)["questions"]:
            text += f"\nQ1: {self.hidden.choice(steps)};"
        return text


def own_orders(side: str, random: Random, house: House) -> str:
    """The side's own orders, the same in both worlds; now and then a bad one."""
    report = house.report(side)
    rows = "A" if side == "fox" else "DE"
    steps = [z for z in toy.near(report["units"][0]["place"]) if z[0] in rows]
    text = f"{toy.ANIMAL[Side(side)]}: move {random.choice(steps)};"
    if report["questions"]:
        text += f"\nQ1: {report['questions'][0]['default']};"
    return text + (f"\n{random.choice(BAD)}" if random.random() < 0.3 else "")


def two_worlds(
    tmp_path: Path, side: str, seed: int, play: str = "asked", windows: int = WINDOWS,
    kind: type[World] = World,
) -> tuple[Artefacts, Artefacts]:  # fmt: skip
    """The side's artefacts in both worlds, its receipts among them. kind: of the worlds."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        clock = Clock(patch)
        for name in ("one", "two"):
            clock.set("2026-11-01T00:00:00Z")
            world = kind(tmp_path / f"{name}{seed}{side}", side, Random(f"{name}{seed}"), play)
            own = Random(seed)
            for n in range(1, windows + 1):
                if world.house.register.over:
                    break
                world.window(n, own_orders(side, own, world.house), clock)
            receipts = {f"receipt {i}": masked(r.encode()) for i, r in enumerate(world.receipts)}
            found.append(artefacts(world.house, side) | receipts)
    return found[0], found[1]


@pytest.mark.parametrize("play", ["asked", "plotted"])
@pytest.mark.parametrize("side", ["fox", "hunter"])
def test_nothing_that_a_side_gets_tells_the_worlds_apart(
    side: str, play: str, tmp_path: Path, nightly: bool
) -> None:
    for seed in range(40 if nightly else 1):
        one, two = two_worlds(tmp_path, side, seed, play)
        assert len(one) > 60
        assert differences(one, two) == []


def test_the_worlds_are_different(tmp_path: Path) -> None:
    """Else the test above would prove nothing."""
    one, two = two_worlds(tmp_path, "fox", 1)
    homes = [tmp_path / f"{name}1fox" / "g1" for name in ("one", "two")]
    others = [House(home.parent, toy.SYSTEM) for home in homes]
    assert differences(*(artefacts(house, "hunter") for house in others))
    assert [r.kind for r in others[0].records] != [r.kind for r in others[1].records]
    assert differences(one, two) == []


# Leaks that the test has to find


def news_of_the_other(view: Any, hide: toy.Hide, side: str) -> None:
    view.news = f"The hound is in {hide.place['HOUND']}."


def board_with_the_truth(view: Any, hide: toy.Hide, side: str) -> None:
    view.board = {"places": dict(hide.place)}


def menu_that_avoids(view: Any, hide: toy.Hide, side: str) -> None:
    steps = tuple(z for z in toy.near("D4") if z not in toy.near(hide.place["HOUND"]))
    view.menu["FOX"].append(MenuItem("pounce", (MenuArg("to", "place", steps),)))


def contact_of_the_other(view: Any, hide: toy.Hide, side: str) -> None:
    from pbem.model import ContactView

    view.contacts = [ContactView(id="X", type="hound", place=hide.place["HOUND"], age=0)]


def length_of_a_name(view: Any, hide: toy.Hide, side: str) -> None:
    view.label += "." * (ord(hide.place["HOUND"][0]) + int(hide.place["HOUND"][1]) - 65)


def form_by_the_truth(view: Any, hide: toy.Hide, side: str) -> None:
    view.form = [f"FOX: move {max(toy.near('A2'), key=lambda z: z < hide.place['HOUND'][::-1])};",
                 f"[{hide.place['HOUND']}]"]  # fmt: skip


VIEW_LEAKS = [
    news_of_the_other, board_with_the_truth, menu_that_avoids, contact_of_the_other,
    length_of_a_name, form_by_the_truth,
]  # fmt: skip


@pytest.mark.parametrize("leak", VIEW_LEAKS, ids=lambda f: f.__name__)
def test_a_leak_in_the_view_is_found(
    leak: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = toy.Toy.view

    def leaking(self: toy.Toy, hide: toy.Hide, side: Side) -> Any:
        view = real(self, hide, side)
        if side == "fox":
            leak(view, hide, side)
        return view

    monkeypatch.setattr(toy.Toy, "view", leaking)
    assert differences(*two_worlds(tmp_path, "fox", 1, windows=5))


def turn_leaks(how: str) -> Callable[[toy.Toy, TableLike, toy.Hide], Any]:
    """The turn script with one of the classic mistakes."""
    real = toy.Toy.turn

    async def turn(self: toy.Toy, table: TableLike, hide: toy.Hide) -> Any:
        start = dict(hide.place)
        after = await real(self, table, hide)
        if not isinstance(after, toy.Hide):
            return after
        where = hide.place["HOUND"]
        if how == "event":
            table.tell([toy.FOX], toy.Moved(rule="2.1", who="HOUND", origin="", to=where))
        elif how == "why":
            table.tell([toy.FOX], toy.TwigSnapped(rule="3.1", why=f"heard from {where}"))
        elif how == "whether" and where != start["HOUND"]:
            table.tell([toy.FOX], toy.TwigSnapped(rule="3.1", why="something moved"))
        elif how == "label":
            table.roll(f"NOISE/TRACK/{where}/-", D6, to=[toy.FOX])
        elif how == "number of rolls" and where != start["HOUND"]:
            table.roll("NOISE/WIND/-/-", D6, to=[toy.FOX])
        elif how == "ordinals":
            for _ in range(1 + (where != start["HOUND"])):
                table.roll("NOISE/WIND/-/-", D6, to=[toy.FOX])
        return after

    return turn


@pytest.mark.parametrize("how", ["event", "why", "whether", "label", "number of rolls", "ordinals"])
def test_a_leak_in_the_turn_is_found(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy.Toy, "turn", turn_leaks(how))
    assert differences(*two_worlds(tmp_path, "fox", 1, windows=5))


def leaking_flags(register: Any, opens: int) -> list[str]:
    return [f"{len(register.seen)} sets so far"]


def leaking_address(game: Any, side: str, number: int) -> str:
    return f"<{game.register.n}@g1.pbem.invalid>"


def test_leaks_of_the_kernel_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n, (name, leak) in enumerate((
        ("pbem.issue.flags", leaking_flags),
        ("pbem.private.message_id", leaking_address),
    )):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(name, leak)
            assert differences(*two_worlds(tmp_path / str(n), "fox", 1, windows=4)), name


def test_a_leak_through_numbers_of_mails_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File names and Message-IDs that count everybody's mail."""
    from pbem.ledger import Record
    from pbem.register import Register

    real = Register.take

    def take(self: Register, record: Record) -> None:
        real(self, record)
        for side in self.mails:
            self.mails[side] = self.n

    monkeypatch.setattr(Register, "take", take)
    assert differences(*two_worlds(tmp_path, "fox", 1, windows=4))
