"""4.2, 5.4 Sets that regroup ships: what may follow, what is refused, what the receipt says."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.bismarck import taskforce
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import OrderFailed
from games.bismarck.game import SYSTEM
from games.bismarck.state import TaskForce, War
from orders.canon import streams
from orders.diagnose import judge
from orders.parse import understand
from orders.reading import Reading
from orders.vocabulary import Vocabulary
from pbem.admin.setup import Choices
from pbem.model import Side
from pbem.testing.orders import judged as as_mailed
from pbem.testing.orders import shown
from tests.bismarck.fake_table import FakeTable, begin, books, report
from tests.conftest import Clock
from tests.referee import Referee

TOGETHER = "BISMARCK: form PRINZ EUGEN as TF1;"


def judged(war: War, side: Side, text: str) -> Reading:
    seen = report(war, side)
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
    reading = understand(unit, SYSTEM.grammar, Vocabulary.of(seen, SYSTEM.grammar))
    return judge(reading, seen, SYSTEM.check, SYSTEM.after)


def at_sea() -> War:
    """Turn 9, both Germans in TF1 at A12."""
    war = begin()
    war.turn = 9
    war.forces[GERMAN]["TF1"] = TaskForce("TF1", ["BISMARCK", "PRINZ EUGEN"])
    for name in ("BISMARCK", "PRINZ EUGEN"):
        war.ships[name].zone, war.ships[name].force = Zone("A12"), "TF1"
    return war


REFUSED = [
    ("BISMARCK: move A14;", "not-now", "it is in TF1", "leave it out, or write 'TF1: move"),
    ("TF1: break; TF1: move A14;", "not-now", "TF1 cannot be given orders now", ""),
    ("TF1: move A14; TF1: break;", "not-now", "TF1 cannot be given orders now", ""),
    ("TF1: detach PRINZ EUGEN as TF2;", "one-ship", "alone makes no task force", "TF1: detach"),
    ("TF1: break; TF1: break;", "not-now", "TF1 cannot be given orders now", ""),
    (
        "TF1: break; BISMARCK: move A14; BISMARCK: form PRINZ EUGEN as TF2;",
        "not-now",
        "it is in TF2",
        "TF2: move",
    ),
    ("TF1: break; BISMARCK: form PRINZ EUGEN as WOLF; TF1: hold;", "bad-name", "WOLF", "TF1 to"),
    (
        "BISMARCK: form PRINZ EUGEN as TF4; TF4: move A14;",
        "not-now",
        "BISMARCK sails in TF1 (5.41)",
        "write before this order: TF1: detach BISMARCK",
    ),
    ("BISMARCK: if night then form PRINZ EUGEN as TF4;", "not-now", "sails in TF1 (5.41)", ""),
    ("BISMARCK: join TF1;", "not-now", "BISMARCK sails in TF1 (5.41)", "leave it out"),
    (
        "TF1: form BISMARCK as TF2;",
        "not-now",
        "TF1 is a task force already (5.41)",
        "BISMARCK: join TF1",
    ),
    ("BISMARCK: fly A14;", "not-now", "BISMARCK does not fly", "TF1: move"),
    (
        "TF1: break; BISMARCK: form BISMARCK as TF2;",
        "not-now",
        "BISMARCK is the ship that forms it: name the others (5.41)",
        "possible now: PRINZ EUGEN",
    ),
]


@pytest.mark.parametrize(("text", "code", "why", "hint"), REFUSED)
def test_5_44_what_a_set_has_undone_is_refused(text: str, code: str, why: str, hint: str) -> None:
    first, *_ = judged(at_sea(), GERMAN, text).diagnostics
    text = f"{first.text} ({first.rule})"
    assert (first.code, why in text, hint in first.hint) == (code, True, True), first


def test_5_41_a_ship_of_a_force_or_a_force_is_no_ship_to_form_another_with() -> None:
    war = begin()
    text = "HOOD: form PRINCE OF WALES as TF1; KENYA: form AURORA as TF2;"
    for ship, why in (("AURORA", "sails in TF2"), ("TF2", "is a task force already")):
        reading = judged(war, BRITISH, f"{text} VICTORIOUS: form {ship} as TF3;")
        (found,) = reading.diagnostics
        assert (found.text, found.rule) == (f"{ship} {why}", "5.41")


def test_5_44_orders_to_a_force_whose_order_is_refused_are_refused() -> None:
    text = "BISMARCK: form PRINZ EUGEN as TF4; TF4: move A14;"
    reading = judged(at_sea(), GERMAN, text)
    assert [d.code for d in reading.diagnostics] == ["not-now", "not-now"]
    assert "no order that can stand makes it" in reading.diagnostics[1].text


def test_5_44_after_the_visibility_phase_nothing_regroups() -> None:
    war = at_sea()
    assert judged(war, GERMAN, "TF1: break;").diagnostics == ()
    taskforce.visibility_phase(FakeTable(), war, books(war))
    (told,) = judged(war, GERMAN, "TF1: break;").diagnostics
    assert told.code == "not-now"
    war.next_turn()
    assert judged(war, GERMAN, "TF1: break;").diagnostics == ()


@pytest.fixture
def bismarck(tmp_path: Path, clock: Clock) -> Referee:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(dice="seeded", seed="x"))
    referee.open()
    return referee


def test_5_44_by_mail_the_receipt_tells_who_sails_with_whom_and_what_it_costs(
    bismarck: Referee,
) -> None:
    formed = bismarck.order("german", f"{TOGETHER} TF1: move E19 B15;")
    notes = {line["order"]: line["note"] for line in formed.receipt["understood"]}
    assert notes["BISMARCK: form PRINZ EUGEN as TF1"] == "TF1: BISMARCK, PRINZ EUGEN"
    assert notes["TF1: move E19 B15"].startswith("5 zones, 1 turn, fuel this turn Bismarck 2: ")
    assert not {"Bismarck", "Prinz Eugen"} & {*formed.receipt["without_orders"]}
    bismarck.order("british", "FINAL;")
    bismarck.run(force=True)
    split = bismarck.order("german", "TF1: break; BISMARCK: move A14; PRINZ EUGEN: move B15;")
    assert split.status == "accepted"
    notes = {line["order"]: line["note"] for line in split.receipt["understood"]}
    assert notes["TF1: break"] == "BISMARCK alone; PRINZ EUGEN alone"
    assert notes["BISMARCK: move A14"].startswith("1 zone")
    assert "TF1" not in split.receipt["without_orders"]


def test_5_42_who_joins_a_force_reads_with_whom_it_sails() -> None:
    war = begin()
    war.forces[BRITISH]["TF2"] = TaskForce("TF2", ["NORFOLK", "SUFFOLK"])
    for name in ("NORFOLK", "SUFFOLK", "HOOD"):
        war.ships[name].zone = Zone("G15")
    for name in ("NORFOLK", "SUFFOLK"):
        war.ships[name].force = "TF2"
    reading = judged(war, BRITISH, "HOOD: join TF2;")
    (order,), (seen,) = reading.orders.orders, reading.seen
    assert not reading.diagnostics
    assert SYSTEM.note(order, seen) == "TF2: NORFOLK, SUFFOLK, HOOD"


def test_2_51_an_escort_leaves_its_convoy_before_it_is_in_a_force() -> None:
    war = begin()
    war.ships["REPULSE"].zone = war.ships["RODNEY"].zone
    seen = report(war, BRITISH)
    (unit,) = streams("BEGIN ORDERS\nREPULSE: form RODNEY as TF1;\nEND ORDERS\n")
    reading = understand(unit, SYSTEM.grammar, Vocabulary.of(seen, SYSTEM.grammar))
    problem = SYSTEM.check(reading.orders.orders[0], seen)
    assert problem and (problem.code, problem.rule) == ("tied", "2.51")
    assert problem.hint.startswith("BRITISH: mobilise RODNEY")


SHIPS = ("NORFOLK", "SUFFOLK", "KENYA", "AURORA", "HERMIONE", "GALATEA")
NAMES = ("TF1", "TF2", "TF3")


def generated(luck: Random) -> str:
    """A set of orders that regroup, most of which cannot stand."""
    lines = []
    for _ in range(luck.randint(1, 8)):
        ship, other = luck.sample(SHIPS, 2)
        force, name = luck.choice(NAMES), luck.choice(NAMES)
        lines.append(
            luck.choice(
                (
                    f"{ship}: form {other} as {name};",
                    f"{ship}: form {other} as {name};",
                    f"{ship}: join {force};",
                    f"{force}: join {name};",
                    f"{force}: break;",
                    f"{force}: detach {ship};",
                    f"{force}: detach {ship}, {other} as {name};",
                )
            )
        )
    return "\n".join(lines)


@pytest.mark.some(3)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_accepted_is_carried_out_as_it_was_judged(seed: int) -> None:
    luck = Random(f"regroup {seed}")
    carried = 0
    for _ in range(40):
        war = begin()
        for ship in war.ships.values():
            ship.zone = Zone("M8" if ship.id in SHIPS else "")
        for ship_id in SHIPS[: luck.choice((0, 2, 3))]:
            war.forces[BRITISH].setdefault("TF1", TaskForce("TF1", [])).ships.append(ship_id)
            war.ships[ship_id].force = "TF1"
        reading = judged(war, BRITISH, generated(luck))
        given = books(war)
        given[BRITISH].take(reading.orders)
        table = FakeTable()
        taskforce.visibility_phase(table, war, given)
        assert table.heard(OrderFailed) == []
        left = {str(u["id"]): u.get("ships") for u in _units(reading)}
        forces = {name: sorted(force.ships) for name, force in war.forces[BRITISH].items()}
        assert {n: sorted(s) for n, s in left.items() if isinstance(s, list)} == forces
        carried += len(reading.orders.orders)
    assert carried > 10


def _units(reading: Reading) -> list[dict[str, object]]:
    units = reading.leaves["units"]
    assert isinstance(units, list)
    return units


def test_lines_of_the_form_that_a_new_force_overtakes_are_no_mistakes() -> None:
    """Who adds an order to the form leaves the lines of the ships as they are."""
    war = at_sea()
    war.forces[GERMAN].clear()
    for ship in ("BISMARCK", "PRINZ EUGEN"):
        war.ships[ship].force = ""
    form = "BISMARCK: hold;\nPRINZ EUGEN: hold;"
    reading = as_mailed(SYSTEM, shown(SYSTEM, war, GERMAN), f"{form}\n{TOGETHER}\nTF1: move A13;")
    assert reading.diagnostics == ()
    assert [order.actor for order in reading.orders.orders] == ["BISMARCK", "TF1"]
    (fault,) = as_mailed(
        SYSTEM, shown(SYSTEM, war, GERMAN), f"PRINZ EUGEN: move A14;\n{TOGETHER}"
    ).diagnostics
    assert fault.code == "not-now", "an order of one's own is not left out in silence"
