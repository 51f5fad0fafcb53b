"""162, 6.9/4 Orders for later of who is gone: told once, as the next turn begins, to his side."""

from __future__ import annotations

from games.second_fleet import turn as script
from games.second_fleet.events import Unable
from games.second_fleet.game import SYSTEM
from orders.book import opened
from pbem.model import Side
from pbem.testing.orders import shown, submitted
from tests.casetable import run
from tests.second_fleet.casebook import CaseTable, position

NATO, SOVIET = Side("nato"), Side("soviet")
LATER = (
    "turn 3 KNOX: attack asw 2930; @KNOX: go 2930; turn 4 KNOX: go 2930; turn 3 HAWES: go 2930;"
    " @USF15A: cap;"
)


Voided = list[tuple[list[str], str, str, str]]


def voided(table: CaseTable) -> Voided:
    """To whom it was told of whose order that it could not be carried out, why, and the order."""
    found = [(list(map(str, to)), event) for to, event in table.told]
    return [(to, e.actor, e.what, e.order) for to, e in found if isinstance(e, Unable)]


def test_orders_of_who_is_gone_are_told_once() -> None:
    ships = {"KNOX": "2931", "HAWES": "2931", "GATO": "2540", "LNSKY": "1040"}
    war = position({"turn": 2, "ships": ships, "air": {"USF15A": "1831", "USP3A": "1831"}})
    table = CaseTable(war, {})
    table.books[NATO].take(submitted(SYSTEM, shown(SYSTEM, war, NATO), LATER), 1)
    kept = table.books[NATO].standing
    war.vessels["KNOX"].sunk = war.squadrons["USF15A"].lost = True
    war.turn = 3
    found: list[Voided] = []
    for turn in (3, 4):
        table = CaseTable(war, {})
        table.books = {side: opened(SYSTEM.grammar, turn) for side in (NATO, SOVIET)}
        table.books[NATO].standing = kept
        run(script.turn(table, war))
        found.append(voided(table))
        kept.expire(turn + 1)
    assert found[0] == [
        (["nato"], "KNOX", "KNOX is gone", "turn 3 attack asw 2930"),
        (["nato"], "KNOX", "KNOX is gone", "turn 4 go 2930"),
        (["nato"], "KNOX", "KNOX is gone", "go 2930"),
        (["nato"], "USF15A", "USF15A is gone", "cap"),
    ]
    assert found[1] == []
    assert war.vessels["HAWES"].hex == "2930"
