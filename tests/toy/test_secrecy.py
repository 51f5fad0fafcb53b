"""Fox and Hound in two worlds: nothing that one side gets tells them apart; planted leaks do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.toy import game as toy
from pbem.model import D6, MenuArg, MenuItem, Side, TableLike
from tests import mailed
from tests.mailed import MailedWorld
from tests.referee import Referee
from tests.secrecy import Artefacts, artefacts, differences

Moves = list[str]
WINDOWS = 12
BAD = ("BEAR: move A1;", "FOX: fly A2;", "HOUND: move A1;", "Q7: yes;")


class World(MailedWorld):
    """One side plays its own way in both worlds."""

    bad = BAD

    def __init__(self, home: Path, side: str, hidden: Random, known: Random, play: str) -> None:
        super().__init__(self.make(home, play), side, hidden)
        self.known = known

    def make(self, home: Path, play: str) -> Referee:
        return Referee.toy(home, play=play)

    def own_orders(self, n: int) -> str:
        return own_orders(self.side, self.known, self.referee)

    def hidden_orders(self) -> str:
        """Moves that keep the two apart, and the fox in its row."""
        place = self.referee.report(self.other)["units"][0]["place"]
        rows = "A" if self.other == "fox" else "DE"
        steps = [z for z in toy.near(place) if z[0] in rows]
        who = toy.ANIMAL[Side(self.other)]
        text = f"{who}: move {self.hidden.choice(steps)};"
        if self.hidden.random() < 0.5:
            text += f"\n@{who}: if turn over 3 then move {self.hidden.choice(steps)};"
        if self.referee.report(self.other)["questions"]:
            text += f"\nQ1: {self.hidden.choice(steps)};"
        return text


def own_orders(side: str, random: Random, referee: Referee) -> str:
    """The side's own orders, the same in both worlds; now and then a bad one."""
    report = referee.report(side)
    rows = "A" if side == "fox" else "DE"
    steps = [z for z in toy.near(report["units"][0]["place"]) if z[0] in rows]
    text = f"{toy.ANIMAL[Side(side)]}: move {random.choice(steps)};"
    if report["questions"]:
        text += f"\nQ1: {report['questions'][0]['default']};"
    return text + (f"\n{random.choice(BAD)}" if random.random() < 0.3 else "")


def two_worlds(
    tmp_path: Path,
    side: str,
    seed: int,
    play: str = "asked",
    windows: int = WINDOWS,
    kind: type[World] = World,
) -> tuple[Artefacts, Artefacts]:
    """The side's artefacts in both worlds, its receipts among them. kind: of the worlds."""

    def make(name: str) -> World:
        home = tmp_path / f"{name}{seed}{side}"
        return kind(home, side, Random(f"{name}{seed}"), Random(seed), play)

    return mailed.two_worlds(make, windows)


@pytest.mark.some(1)
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
    others = [Referee(home.parent, toy.SYSTEM) for home in homes]
    assert differences(*(artefacts(referee, "hunter") for referee in others))
    assert [r.kind for r in others[0].records] != [r.kind for r in others[1].records]
    assert differences(one, two) == []


def test_a_side_without_animals_sees_none() -> None:
    hide = toy.SYSTEM.begin("wood", {}, {})
    assert toy.SYSTEM.showing(hide, []).units == []
    assert [u.id for u in toy.SYSTEM.truth(hide).units] == ["FOX", "HOUND"]


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
    view.form = [
        f"FOX: move {max(toy.near('A2'), key=lambda z: z < hide.place['HOUND'][::-1])};",
        f"[{hide.place['HOUND']}]",
    ]


VIEW_LEAKS = [
    news_of_the_other,
    board_with_the_truth,
    menu_that_avoids,
    contact_of_the_other,
    length_of_a_name,
    form_by_the_truth,
]


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
    with mailed.until_they_differ():
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
    with mailed.until_they_differ():
        assert differences(*two_worlds(tmp_path, "fox", 1, windows=5))
