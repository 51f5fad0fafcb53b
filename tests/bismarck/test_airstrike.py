"""9.1: who may strike, strikes a bomber has, every cell of the bomber tables, disclosure."""

from __future__ import annotations

import pytest

from games.bismarck import airstrike, asks, contacts
from games.bismarck import events_battle as ev
from games.bismarck.battle.charts import MISS, charts, hit
from games.bismarck.board import Zone
from games.bismarck.events import Located
from games.bismarck.state import BRITISH, GERMAN, AirUnit, Hits, War
from pbem.model import Side
from tests.bismarck.deck import Deck
from tests.bismarck.fake_table import books
from tests.bismarck.test_determination import HERE, sea
from tests.casetable import run

STRIKE = f"AIR/STRIKE/{HERE}/"


def aloft(war: War, side: Side, kind: str, mode: str = "attack") -> AirUnit:
    """One of the side's bombers over the zone."""
    unit = next(u for u in war.wing(side) if u.type == kind)
    unit.zone, unit.up = HERE, 1
    unit.mode = "attack" if mode == "attack" else "recon"
    return unit


TABLES = {
    ("british", "torpedo", "BB"): "M1 M1+E20 M1+E5 - - - - - - - -",
    ("british", "torpedo", "CA"): "M1 M1+E20 M1+E5 - - - - - - - -",
    ("british", "level", "BB"): "SEC+M1 SEC BOW - - - - - - STERN+STERN SEC+BOW+M1",
    ("british", "level", "BC"): "SEC+M1 SEC BOW - - - - - - STERN+STERN SEC+BOW+M1",
    ("british", "level", "CA"): "SEC+M2 SEC BOW+BOW - - - - - - STERN+STERN SEC+BOW+M1",
    ("german", "level", "BB"): "SEC+M1 SEC BOW - - - - - STERN BOW+BOW+M2 SEC+STERN+M1",
    ("german", "level", "CL"): "SEC+M1 SEC BOW - - - - - STERN BOW+BOW+M2 SEC+STERN+M1",
}
CELLS = [
    (*key, total, word)
    for key, row in TABLES.items()
    for total, word in zip(range(2, 13), row.split(), strict=True)
]


@pytest.mark.parametrize(("side", "kind", "type_", "total", "word"), CELLS)
def test_9_17_every_cell_of_the_bomber_tables(
    side: str, kind: str, type_: str, total: int, word: str
) -> None:
    found = charts({}).bombs(side, kind, type_).get(total, MISS)
    assert found == (MISS if word == "-" else hit(word))


# 9.11-9.16 Who may strike


def test_9_13_only_in_attack_mode() -> None:
    war = sea(["BISMARCK"])
    unit = aloft(war, BRITISH, "torpedo", "recon")
    assert airstrike.bombers(war, BRITISH) == []
    unit.mode = "attack"
    assert airstrike.bombers(war, BRITISH) == [unit]


def test_9_11_reconnaissance_aircraft_never_attack() -> None:
    war = sea(["BISMARCK"])
    unit = war.air["SCAPA1"]
    unit.zone = HERE
    assert unit.type == "LR recon"
    assert airstrike.bombers(war, BRITISH) == []


@pytest.mark.parametrize(
    ("turn", "level", "fog", "zone", "may"),
    [
        (10, 4, False, "Q17", True),
        (7, 4, False, "Q17", False),  # night everywhere
        (12, 4, False, "Q17", False),  # 2000 south of 55
        (12, 4, False, "G5", True),  # 2000 north of it
        (10, 9, False, "Q17", False),  # visibility X
        (10, 4, True, "B9", False),  # fog zone
        (10, 4, True, "Q17", True),
    ],
)
def test_9_16_7_33_where_the_sky_lets_them(
    turn: int, level: int, fog: bool, zone: str, may: bool
) -> None:
    war = sea(["BISMARCK"])
    war.turn, war.level, war.fog = turn, level, fog
    assert (airstrike.sky(war, Zone(zone)) == "") is may


def test_9_11_only_located_ships_in_the_zone() -> None:
    war = sea(["BISMARCK", "PRINZ EUGEN"])
    war.ships["PRINZ EUGEN"].zone = Zone("Q18")
    assert [s.id for s in airstrike.targets(war, BRITISH, HERE)] == ["BISMARCK"]
    war.located[BRITISH] = []
    assert airstrike.targets(war, BRITISH, HERE) == []


def test_9_13_12_7_in_port_on_entering_and_once_more() -> None:
    war = sea(["PRINZ EUGEN"])
    brest, ship = Zone("P23"), war.ships["PRINZ EUGEN"]
    ship.zone, ship.path = brest, (brest,)
    assert airstrike.targets(war, BRITISH, brest) == [ship]
    ship.path, ship.raided = (), False
    assert airstrike.targets(war, BRITISH, brest) == [ship]
    ship.raided = True
    assert airstrike.targets(war, BRITISH, brest) == []


@pytest.mark.parametrize(
    ("side", "kind", "strikes"), [(BRITISH, "torpedo", 2), (GERMAN, "level", 1)]
)
def test_9_16_two_british_strikes_and_one_german(side: Side, kind: str, strikes: int) -> None:
    war = sea(["BISMARCK", "HOOD"])
    aloft(war, side, kind)
    table = Deck(war)
    run(airstrike.phase(table, war))
    assert table.labels.count(f"{STRIKE}{side.upper()}") == strikes
    assert [q.about for s, q in table.found if s == side] == [
        f"{airstrike.bombers(war, side)[0].name}, strike {n}" for n in range(1, strikes + 1)
    ]


def test_9_15_the_british_first() -> None:
    war = sea(["BISMARCK", "HOOD"])
    aloft(war, BRITISH, "torpedo")
    aloft(war, GERMAN, "level")
    table = Deck(war)
    run(airstrike.phase(table, war))
    assert table.labels[:3] == [f"{STRIKE}BRITISH"] * 2 + [f"{STRIKE}GERMAN"]


# 9.17, 9.18


def test_9_18_a_hit_is_told_with_the_name_and_takes_force_at_once() -> None:
    war = sea(["BISMARCK"])
    unit = aloft(war, BRITISH, "torpedo")
    table = Deck(war, {f"{STRIKE}BRITISH": [(1, 2), (3, 4)]})
    run(airstrike.phase(table, war))
    ship = war.ships["BISMARCK"]
    assert ship.hits == Hits(midships=1, permanent=20, temporary=1)
    assert ship.evasion_now == 8
    first, second = table.heard(ev.Struck, BRITISH)
    assert (first.who, first.target, first.result) == (
        unit.name,
        "Bismarck",
        "1 midships, evasion -20",
    )
    assert (second.target, second.result, second.why) == ("BB", "miss", "rolled 7")
    (known,) = table.heard(ev.ShipHit, BRITISH)
    assert (known.who, known.midships, known.evasion) == ("Bismarck", 1, 20)


def test_9_18_a_miss_names_nobody_to_the_attacker() -> None:
    war = sea(["HOOD"])
    aloft(war, GERMAN, "level")
    table = Deck(war, {f"{STRIKE}GERMAN": [(3, 4)]})
    run(airstrike.phase(table, war))
    assert table.heard(ev.Struck, GERMAN)[0].target == "BB"
    assert table.heard(ev.UnderAttack, BRITISH)[0].who == "Hood"
    assert not table.heard(ev.UnderAttack, GERMAN)


def test_9_17_of_several_alike_one_is_drawn_unseen() -> None:
    war = sea(["HOOD", "RENOWN"])
    aloft(war, GERMAN, "level")
    draw = f"AIR/COUNTER/{HERE}/GERMAN"
    table = Deck(war, {draw: [(2,)], f"{STRIKE}GERMAN": [(1, 1)]})
    run(airstrike.phase(table, war))
    assert (draw, (2,), ()) in table.dice  # the referee alone
    assert war.ships["RENOWN"].hits.midships == 1


def test_9_17_a_strike_may_be_aimed_at_one_counter() -> None:
    """Which of two face-down counters of a type, by the contact that the side has of it."""
    war = sea(["HOOD", "RENOWN"])
    aloft(war, GERMAN, "level")
    table = Deck(war)
    seen = contacts.sightings(war, GERMAN, [war.ships["HOOD"], war.ships["RENOWN"]])
    table.tell([GERMAN], Located(rule="7.23", zone=HERE, seen=seen))
    table = Deck(
        war,
        {f"{STRIKE}GERMAN": [(1, 1)]},
        books=books(war, german="GERMAN: strike EN2;"),
    )
    run(airstrike.phase(table, war))
    assert war.tracks[GERMAN]["EN2"] == "RENOWN"
    assert war.ships["RENOWN"].hits.midships == 1
    ((side, question),) = [f for f in table.found if isinstance(f[1], asks.StrikeAt)]
    assert (side, question.choices) == (GERMAN, ("BB", "EN1", "EN2", "NONE"))
    assert not any("/COUNTER/" in label for label in table.labels)


@pytest.mark.parametrize(
    ("carrier", "other"), [("ARK1", "SCAPA BOMBERS"), ("VIC1", "EIRE BOMBERS")]
)
def test_9_17_the_order_of_strikes_does_not_tell_from_which_carrier_they_come(
    carrier: str, other: str
) -> None:
    """Zone by zone, bombers of a kind together, whatever they are called."""
    war = sea(["BISMARCK", "PRINZ EUGEN"])
    war.ships["PRINZ EUGEN"].zone = north = Zone("P17")
    for id_, zone in ((carrier, HERE), (other, HERE), ("PLYMOUTH BOMBERS", north)):
        unit = war.air[id_]
        unit.zone, unit.up, unit.mode = zone, 1, "attack"
    table = Deck(war, {f"AIR/STRIKE/{at}/BRITISH": [(3, 4)] * 4 for at in (HERE, north)})
    run(airstrike.phase(table, war))
    heard = [(e.zone, e.by) for e in table.heard(ev.UnderAttack, GERMAN)]
    assert heard == [(north, "level")] * 2 + [(HERE, "level")] * 2 + [(HERE, "torpedo")] * 2


@pytest.mark.parametrize(
    ("order", "number", "answer"),
    [
        ("strike any", 1, "BB"),
        ("strike ca", 1, "CA"),
        ("strike none", 1, "NONE"),
        ("strike bb split", 2, "CA"),
        ("strike any split", 1, "BB"),
        ("strike any split", 2, "CA"),
        ("strike cv", 1, None),
    ],
)
def test_orders_choose_what_is_struck(order: str, number: int, answer: str | None) -> None:
    war = sea(["BISMARCK", "PRINZ EUGEN", "HOOD"])
    asked = asks.StrikeAt(
        about="x", choices=("BB", "CA", "NONE"), default="BB", actors=("BRITISH",), number=number
    )
    both = books(war, f"BRITISH: {order};")
    assert asked.answer(both[BRITISH], lambda term, actor: None) == answer


@pytest.mark.parametrize("total", range(2, 13))
@pytest.mark.parametrize("kind", ["torpedo", "level"])
def test_every_strike_on_the_bismarck_is_carried_out(kind: str, total: int) -> None:
    war = sea(["BISMARCK"])
    unit = aloft(war, BRITISH, kind)
    first = min(6, total - 1)
    table = Deck(war, {f"{STRIKE}BRITISH": [(first, total - first)]})
    found = airstrike.strike(table, war, unit, war.ships["BISMARCK"])
    boxes = found.bow + found.stern + found.secondary + found.midships
    marked = war.ships["BISMARCK"].hits
    assert marked.bow + marked.stern + marked.port + marked.starboard + marked.midships == boxes
