"""Where a game turned: which windows, by which orders and dice, and how it is told."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

import games
from orders.model import OrderSet
from pbem.analysis import turning
from pbem.analysis.moments import Moments, moments
from pbem.analysis.report import text
from pbem.analysis.turning import explained, gathered, said, unusual
from pbem.analysis.units import Played, begun
from pbem.base.analysis_json import ORDERS, Analysis, Row, Turning, adding_up
from pbem.bots.demo import demo
from pbem.model import Roll, Side, Window
from pbem.store.game_dir import reading
from pbem.story.plot import heaviest
from tests.conftest import Clock
from tests.luck import pinned
from tests.systems import OURS

TOY = games.load("toy")
FOX, HUNTER = Side("fox"), Side("hunter")
PLAYED = Played("toy", TOY.edition, TOY.scenarios[0].name, (FOX, HUNTER), {}, "turned")


@pytest.fixture(scope="module")
def along(tmp_path_factory: pytest.TempPathFactory) -> Moments:
    """A finished toy game."""
    folder = tmp_path_factory.mktemp("turned")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "turned")
        list(demo(folder, TOY, "a"))
    return moments(reading(folder, "demo"), TOY)


def row(window: int, change: float, wide: float) -> Row:
    return Row(
        window=window,
        turn=window,
        label=f"turn {window}",
        playouts=100,
        chance={"fox": 0.5, "hunter": 0.5},
        low={"fox": 0.5 - wide / 2, "hunter": 0.5 - wide / 2},
        high={"fox": 0.5 + wide / 2, "hunter": 0.5 + wide / 2},
        change=change,
        luck=change,
        skill={"fox": 0.0, "hunter": 0.0},
    )


def test_windows_that_moved_the_chance_for_certain_and_most() -> None:
    rows = [row(n, change, 0.1) for n, change in enumerate([0.05, 0.2, -0.3, 0.09, 0.4], 1)]
    found = turning.turning(rows, {3: "the hound heard a twig"})
    assert [(one.number, one.window, one.told) for one in found] == [
        (1, 2, ""),
        (2, 3, "the hound heard a twig"),
        (3, 5, ""),
    ]
    assert len(turning.turning([row(n, 0.2, 0.1) for n in range(9)], {})) == turning.MOST
    assert turning.turning([row(1, 0.07, 0.01)], {}) == turning.turning([], {}) == []


def test_who_was_told_the_same_stands_in_one_line() -> None:
    given = [("HOOD", "move H3"), ("TF1", "patrol"), ("KENYA", "move H3")]
    assert gathered(given) == ["HOOD, KENYA: move H3", "TF1: patrol"]


def test_only_orders_that_bots_seldom_give_are_told(
    along: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turning, "BOTS", 1)
    monkeypatch.setattr(turning, "SELDOM", (0,))
    for moment in along.moments.values():
        game, _ = begun(TOY, PLAYED, moment, 0)
        if not (orders := game.orders(FOX)).orders:
            continue
        usual = msgspec.structs.replace(moment, orders={FOX: orders})
        assert unusual(TOY, PLAYED, usual, FOX) == []
        (order,) = (*orders.orders[:1],)
        other = msgspec.structs.replace(order, actor="VIXEN")
        own = msgspec.structs.replace(moment, orders={FOX: OrderSet((*orders.orders, other))})
        assert unusual(TOY, PLAYED, own, FOX) == said(OrderSet((other,)), TOY.grammar)
        monkeypatch.setattr(turning, "SELDOM", (0, 1))
        assert unusual(TOY, PLAYED, own, FOX) == said(OrderSet((other,)), TOY.grammar)
        assert unusual(TOY, PLAYED, usual, FOX) == said(orders, TOY.grammar)
        in_a_run = msgspec.structs.replace(own, until=moment.window + 1)
        assert unusual(TOY, PLAYED, in_a_run, FOX) == []
        return
    raise AssertionError("no bot ordered anything")


def test_orders_and_dice_are_told_where_they_counted(
    along: Moments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turning, "SELDOM", (turning.BOTS,))  # all that was ordered
    window = next(w for w, moment in along.moments.items() if moment.orders.get(FOX))
    frame = next(f for f in along.frames.values() if f.closed == window)
    roll = Roll("NOISE/TWIG/A1/FOX/1/1D6", (3,), (FOX,), Window(window))
    monkeypatch.setattr(frame, "rolls", [roll])
    one = Turning(1, window, "turn 2", 0.3, 0.1, "", {"fox": 0.2, "hunter": 0.01})
    (full,) = explained([one], TOY, PLAYED, along)
    assert list(full.orders) == ["fox"]
    assert full.orders["fox"]
    assert full.dice == ["NOISE/TWIG  A1/FOX/1/1D6: 3"]
    unsure = msgspec.structs.replace(one, luck_margin=0.11, skill_margin={"fox": 0.19})
    (told,) = explained([unsure], TOY, PLAYED, along)
    assert (told.orders, told.dice) == (full.orders, [])
    unclear = msgspec.structs.replace(unsure, skill_margin={"fox": 0.21})
    (told,) = explained([unclear], TOY, PLAYED, along)
    assert (told.orders["fox"], told.dice) == (full.orders["fox"], full.dice)
    monkeypatch.setattr(frame, "rolls", [roll] * (turning.ROLLS + 1))
    assert explained([one], TOY, PLAYED, along)[0].dice == [f"{turning.ROLLS + 1} rolls"]


def test_what_happened_is_told_again_where_it_happens_again(along: Moments) -> None:
    told, frames = heaviest(along, TOY), dict(along.frames)
    assert set(told) <= set(along.moments)
    later = len(frames)
    for window, frame in frames.items():
        twice = msgspec.structs.replace(frame, window=window + later, closed=frame.closed + later)
        along.frames[twice.window] = twice
    try:
        both = heaviest(along, TOY)
    finally:
        along.frames = frames
    assert any(both.get(window + later) == text for window, text in told.items())


def test_a_turning_point_as_text() -> None:
    skill, orders = {"fox": 0.2, "hunter": -0.01}, {"fox": ["FOX: run A3"]}
    one = Turning(
        1, 4, "turn 4", 0.3, 0.1, "The hound barked", skill, orders=orders, dice=["5 rolls"]
    )
    found = Analysis(
        game="g1",
        system="toy",
        head="",
        sides=["fox", "hunter"],
        names={"fox": "The fox", "hunter": "The hunter"},
        result="fox",
        seed="",
        playouts=100,
        apart=20,
        start=0.7,
        rows=[],
        turning=[one],
        luck=0.1,
        skill={"fox": 0.2, "hunter": 0.0},
    )
    assert (
        "  (1) turn 4: The hound barked; +30 points for the fox: +10 by the dice,\n"
        "      +20 by the orders of the fox\n"
        "      The fox: FOX: run A3\n"
        "      dice: 5 rolls"
    ) in text(found)
    unclear = msgspec.structs.replace(one, luck_margin=0.2, skill_margin={"fox": 0.3})
    whole = " ".join(text(msgspec.structs.replace(found, turning=[unclear])).split())
    assert "+30 points for the fox: dice and orders are not told apart The fox:" in whole
    assert "  +10 ± 4   by the dice\n" in text(msgspec.structs.replace(found, luck_margin=0.04))
    blind = msgspec.structs.replace(one, told="", orders={}, dice=[])
    assert (
        "  (1) turn 4: +30 points for the fox\n"
        in text(msgspec.structs.replace(found, apart=0, turning=[blind])) + "\n"
    )


def test_many_orders_are_cut_short_in_words_not_in_data() -> None:
    orders = [f"SHIP{n}: move A{n}" for n in range(ORDERS + 3)]
    one = Turning(1, 4, "turn 4", 0.3, 0.1, "", {"fox": 0.2}, orders={"fox": orders})
    assert one.ordered("fox") == "; ".join(orders[:ORDERS]) + "; and 3 more"
    few = msgspec.structs.replace(one, orders={"fox": orders[:2]})
    assert few.ordered("fox") == "SHIP0: move A0; SHIP1: move A1"


def test_a_publication_keeps_an_analysis_until_the_game_changes(tmp_path: Path) -> None:
    from tests.cli.commands import pbem

    assert pbem("demo", "toy", "--seed", "a", "--dir", tmp_path).code == 0
    few = ["--playouts", "20", "--apart", "0", "--thought", "0", "--jobs", "1"]
    assert pbem("--home", tmp_path, "analyse", "demo", *few).code == 0
    assert pbem("--home", tmp_path, "report", "demo", "referee").code == 0  # a record of its own
    said = pbem("--home", tmp_path, "publish", "demo")
    page = tmp_path / "demo" / "demo.html"
    assert (said.code, said.err) == (0, "")
    assert '<svg id="graph"' in page.read_text("utf-8")
    file = tmp_path / "demo" / "analysis.json"
    old = msgspec.json.decode(file.read_bytes(), type=Analysis)
    old.head = msgspec.json.decode(
        (tmp_path / "demo" / "ledger.jsonl").read_bytes().split(b"\n")[3]
    )["hash"]
    file.write_bytes(msgspec.json.encode(old))
    said = pbem("--home", tmp_path, "publish", "demo")
    assert "is of another state of the game" in said.err
    assert '<svg id="graph"' not in page.read_text("utf-8")


@pytest.mark.some(1)
@pytest.mark.parametrize("name", OURS)
def test_unusual_orders_are_found_in_every_system(name: str, tmp_path: Path) -> None:
    """Of what was ordered, and never what most bots order too."""
    system = games.load(name)
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "unusual")
        list(demo(tmp_path, system, "a"))
    along = moments(reading(tmp_path, "demo"), system)
    register = along.register
    played = Played(
        system=name,
        edition=system.edition,
        scenario=register.created.scenario,
        sides=register.sides,
        options=register.options,
        seed="unusual",
    )
    some, first = False, min(along.moments)
    for window in range(first, first + 8):
        moment = along.moments[window]
        for side, orders in moment.orders.items():
            found = unusual(system, played, moment, side)
            some = some or bool(found)
            assert set(found) <= {*said(orders, system.grammar)}
            games_ = (begun(system, played, moment, n)[0] for n in range(turning.BOTS))
            usual = [{*said(game.orders(side), system.grammar)} for game in games_]
            assert all(sum(one in of for of in usual) <= turning.BOTS / 2 for one in found)
    assert some


@pytest.mark.parametrize(
    ("parts", "total", "whole"),
    [
        ([0.114, -0.324, -0.2], -41, [11, -32, -20]),
        ([0.004, 0.004, 0.004], 1, [1, 0, 0]),
        ([0.106, 0.106, 0.107], 32, [10, 11, 11]),
        ([-0.126, 0.025, 0.001], -11, [-13, 2, 0]),
        ([], 0, []),
    ],
)
def test_shown_parts_add_up_to_what_is_shown(
    parts: list[float], total: int, whole: list[int]
) -> None:
    """And each is less than a point from what it was."""
    assert adding_up(parts, total) == whole
    assert all(abs(100 * one - shown) < 1 for one, shown in zip(parts, whole, strict=True))
