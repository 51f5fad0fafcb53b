"""A side's report, as a game declares it."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType, convert, to_builtins

from games.toy.game import HUNTER, SYSTEM
from pbem.bots.bot_orders import Match
from pbem.kit import reports
from pbem.kit.views import filler
from pbem.model import ContactView, UnitView


class Ship(UnitView, kw_only=True):
    speed: int = 0
    wake: tuple[str, ...] | UnsetType = UNSET


class Sea(Struct):
    fog: bool


class Report(reports.Report, frozen=True, kw_only=True):
    units: tuple[Ship, ...]
    board: Sea


class Frigate(Struct):
    id: str
    zone: str
    speed: int


def test_what_a_view_fills_is_what_a_reader_gets() -> None:
    fill = filler(Ship, {Frigate: "id name=id place=zone speed"})
    ship = fill(Frigate("VASA", "B2", 3), type="FF")
    told = {"side": "blue", "turn": 2, "board": {"fog": True}, "secret": 1}
    seen = convert({**told, "units": [to_builtins(ship)]}, Report)
    assert seen.units == (ship,) and seen.board.fog
    assert not seen.units[0].wake and not seen.contacts and not seen.menu


def test_a_game_without_structs_of_its_own_reads_the_fields_of_every_report() -> None:
    report = Match(SYSTEM, "wood", {"play": "plotted"}, "x").report(HUNTER)
    seen = convert(report.plain, reports.Report)
    assert (seen.side, seen.turn, seen.turns, seen.window) == (HUNTER, 1, 8, 1)
    assert [type(unit) for unit in seen.units] == [UnitView]
    assert all(isinstance(contact, ContactView) for contact in seen.contacts)
    assert [item.verb for item in seen.menu["HOUND"]] == ["move", "pounce"]
