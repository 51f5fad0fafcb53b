"""Two worlds that one officer cannot tell apart: his commander, his fellow officer and the enemy
act differently, write or not, and all that he gets is the same. Planted leaks are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from pbem.admin.setup import Choices
from pbem.engine import role_views
from pbem.engine.role_views import RoleLeakError
from pbem.model import View
from tests import mailed
from tests.conftest import Clock
from tests.encryption import EncryptedReferee
from tests.mailed import MailedWorld, until_they_differ
from tests.officers.game import SYSTEM, Officers
from tests.referee import Referee, key_of
from tests.secrecy import Artefacts, differences

AIR, SUBS = "hunters.air", "hunters.subs"
WINDOWS = 4
SEEDS = (7, *(n for n in range(10) if n != 7))
"""The first shows both planted leaks of `test_an_event_or_roll_too_many_is_found`."""
PAGE = 'address = "referee@example.org"\norder_page = "on"\n'


class World(MailedWorld):
    """The air officer keeps to row C; the raider and, at first, the submarine are in row A."""

    bad = ("WALRUS: fly A1;", "PINGUIN: go Z9;", "Q9: yes;", "SHEFFIELD: if turn over 1 then go")

    def __init__(
        self, home: Path, side: str, hidden: Random, known: Random, kind: type[Referee]
    ) -> None:
        home.mkdir()
        (home / "pbem.toml").write_text(PAGE)
        referee = kind.made(home, SYSTEM, Choices(dice="seeded", seed="x"))
        for seat in (AIR, SUBS):
            referee.enlist(seat, key_of(seat))
        referee.open()
        super().__init__(referee, side, hidden)
        self.known, self.n = known, 0
        self.others = [d for d in referee.register.seats if d != side]

    def own_orders(self, n: int) -> str:
        unit, row = ("WALRUS", "C") if self.side == AIR else ("PINGUIN", "A")
        self.n = n
        return f"{'@' if self.known.random() < 0.3 else ''}{unit}: go {row}{self.roll(self.known)};"

    def hidden_orders(self) -> str:
        """A commander who orders all but the aircraft; units that may meet the raider twice."""
        look = "A" if self.n < 3 and self.side == AIR else "B"
        lines = {
            "hunters": f"SHEFFIELD: go B{self.roll()}; @TRIAD: go B{self.roll()};",
            "raider": f"PINGUIN: go A{self.roll()};",
            AIR: f"WALRUS: go C{self.roll()};",
            SUBS: f"TRIAD: go {look}{self.roll()};",
        }
        return lines[self.other]

    def misses(self, n: int) -> bool:
        """At first the commander leaves the submarine to its officer, whose orders then count."""
        return n == 1 if self.other == "hunters" else super().misses(n)

    def roll(self, random: Random | None = None) -> int:
        return (random or self.hidden).randint(1, 3)


def two_worlds(
    tmp_path: Path, side: str, seed: int, kind: type[Referee] = Referee
) -> tuple[Artefacts, Artefacts]:
    def make(name: str) -> World:
        home = tmp_path / f"{name}{seed}{side}"
        return World(home, side, Random(f"{name}{seed}"), Random(seed), kind)

    return mailed.two_worlds(make, WINDOWS)


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", [Referee, EncryptedReferee])
@pytest.mark.parametrize("seat", [AIR, "raider"])
def test_nothing_tells_what_the_others_do(
    seat: str,
    kind: type[Referee],
    tmp_path: Path,
    clock: Clock,
    drawn: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    for seed in drawn(SEEDS, 1):
        one, two = two_worlds(tmp_path, seat, seed, kind)
        assert len(one) > 60
        assert any("Pinguin" in str(x) or "Walrus" in str(x) for x in one.values())
        assert any(b"order-page.html" in content for content in one.values())
        assert differences(one, two) == []


# Planted leaks


@pytest.mark.parametrize("name", ["role_hears", "role_sees"])
def test_an_event_or_roll_too_many_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(Officers, name, lambda *args: True)
    with until_they_differ():
        pairs = (two_worlds(tmp_path, AIR, seed) for seed in SEEDS)
        assert any("report.json" in name for pair in pairs for name in differences(*pair))


def test_standing_orders_of_the_commander_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    from pbem.turns import open_window
    from pbem.turns.own_lines import standing_lines

    real = open_window.account_of

    def leak(register: Any, new: Any, side: Any) -> Any:
        from msgspec.structs import replace

        lines = standing_lines(new.drive, "hunters")  # type: ignore[arg-type]
        return replace(real(register, new, side), standing=lines)

    monkeypatch.setattr(open_window, "account_of", leak)
    with until_they_differ():
        one, two = two_worlds(tmp_path, AIR, 0)
    assert differences(one, two)


def leaky(change: Any) -> Any:
    """A `role_view` whose view is changed before it is given."""
    real = Officers.role_view

    def role_view(self: Any, sea: Any, side: Any, role: str) -> View:
        seen = real(self, sea, side, role)
        change(seen, sea)
        return seen

    return role_view


def wider(seen: View, sea: Any) -> None:
    """A verb for a unit that its side cannot order."""
    seen.menu["PINGUIN"] = seen.menu["WALRUS"]


def nearer(seen: View, sea: Any) -> None:
    seen.contacts = [SYSTEM.view(sea, "raider").units[0]]  # type: ignore[arg-type,list-item]


def renamed(seen: View, sea: Any) -> None:
    seen.units[0].place = sea.place["PINGUIN"]


def scored(seen: View, sea: Any) -> None:
    seen.board = {"points": [{"name": "Raider", "points": 9}]}


def added(seen: View, sea: Any) -> None:
    seen.board = {"raider": sea.place["PINGUIN"]}


def told(seen: View, sea: Any) -> None:
    seen.news = "the raider is near"


def later(seen: View, sea: Any) -> None:
    seen.turn += 1


def formed(seen: View, sea: Any) -> None:
    seen.form = ["WALRUS: go A1;"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (wider, "menu item go of PINGUIN"),
        (nearer, "contact PINGUIN"),
        (renamed, "unit WALRUS"),
        (scored, "board.points"),
        (added, "board.raider"),
        (told, "news"),
        (later, "turn"),
        (formed, "form line 'WALRUS: go A1;'"),
    ],
)
def test_a_view_beyond_that_of_the_side_is_refused(
    change: Any, where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(Officers, "role_view", leaky(change))
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x"))
    with pytest.raises(RoleLeakError) as error:
        referee.open()
    assert str(error.value) == (
        f"officers: role_view of hunters.air: {where} is not in the view of hunters, and a role "
        "may see only what its side sees"
    )


def test_fewer_values_and_fields_are_a_part(tmp_path: Path) -> None:
    from pbem.model import MenuArg, MenuItem

    whole = View(turn=1, label="", units=(), board={"a": [{"b": 1, "c": 2}], "d": 3}, news="x")
    item = MenuItem("go", (MenuArg("to", "place", ("A1", "A2")),))
    whole.menu = {"WALRUS": [item]}
    part = View(turn=1, label="", units=(), board={"a": [{"b": 1}]})
    part.menu = {"WALRUS": [MenuItem("go", (MenuArg("to", "place", ("A2",)),))]}
    assert list(role_views.beyond(part, whole)) == []
    part.menu = {"WALRUS": [MenuItem("go", (MenuArg("to", "place"),))]}  # any value
    assert list(role_views.beyond(part, whole)) == ["menu item go of WALRUS"]


class Board(Struct):
    """A board of structs, whose lists are tuples."""

    places: tuple[str, ...]


def test_a_shorter_tuple_of_a_board_is_a_part() -> None:
    whole = View(turn=1, label="", units=(), board=Board(("A1", "A2")))
    part = View(turn=1, label="", units=(), board=Board(("A2",)))
    assert list(role_views.beyond(part, whole)) == []
    assert list(role_views.beyond(whole, part)) == ["board.places"]
