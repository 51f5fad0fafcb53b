"""Battles of chance: each one ends, and what is sunk is nowhere any more."""

from __future__ import annotations

from random import Random

import pytest

from games.atlantic_chase import battle
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.events import BattleEnded
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.tables import cards, leaders
from pbem.model import Dice
from tests.atlantic_chase.casebook import CaseTable, position
from tests.casetable import run

HOWS: tuple[battle.How, ...] = ("battle", "skirmish", "surprise")
SHIPS = {
    side: sorted(c for c, card in cards().items() if card.side == side and card.type != "FORT")
    for side in (BRITISH, GERMAN)
}
STANCES = ("", "stance close;", "stance open;", "stance hold;")
SMOKES = ("", "smoke always;", "smoke outgunned;")
EXITS = ("", "exit yes;", "exit no;")


class Chance(CaseTable):
    """A table whose dice come from a seed."""

    chance: Random

    def roll(self, label: str, dice: Dice, to: object = ()) -> tuple[int, ...]:
        return tuple(self.chance.randint(1, 6) for _ in range(dice.count))


def fought(seed: int) -> tuple[War, Chance, str]:
    """A Battle between Task Forces of one to five ships, some of them damaged, drawn at random."""
    chance = Random(seed)
    crews = {s: chance.sample(SHIPS[s], chance.randint(1, 5)) for s in (BRITISH, GERMAN)}
    text = {
        side: f"@{side.upper()}: {chance.choice(STANCES)} {chance.choice(SMOKES)} "
        f"{chance.choice(EXITS)}"
        for side in (BRITISH, GERMAN)
    }
    names = {"british": text[BRITISH], "german": text[GERMAN]}
    how, active = chance.choice(HOWS), chance.choice((BRITISH, GERMAN))
    case = {
        "active": active,
        "options": {"advanced": "on" if seed % 3 == 0 else "off"},
        "forces": {
            "TF1": "at I10 | " + ", ".join(crews[BRITISH]),
            "KG1": "at I10 | " + ", ".join(crews[GERMAN]),
        },
        "leaders": {i: crews[c.side][0] for i, c in leaders().items() if c.power != "all pass"},
        "orders": {side: words for side, words in names.items() if words.strip().endswith(";")},
    }
    war = position(case)
    for ship in war.ships.values():
        ship.damaged = ship.card.back is not None and chance.random() < 0.3
    for force in war.forces.values():
        force.evasive = chance.random() < 0.5
    table = Chance(war, case)
    table.chance = chance
    run(table.orders())
    own, foe = ("TF1", "KG1") if active == BRITISH else ("KG1", "TF1")
    deed = Designated("engage", war.active, own, foe, "I10", chance.choice(("good", "bad")))
    war.deed = deed
    run(battle.fight(table, war, deed, how))
    war.deed = None
    return war, table, how


@pytest.mark.parametrize("seed", range(150))
def test_r205_r206_every_battle_ends_and_ships_sunk_leave_everything(seed: int) -> None:
    war, table, how = fought(seed)
    assert war.fight is None
    assert not any(ship.effects for ship in war.ships.values())
    ended = [e for _, e in table.told if isinstance(e, BattleEnded)]
    assert len(ended) == 1
    assert 1 <= ended[0].rounds <= (1 if how == "skirmish" else 3)
    SYSTEM.audit(war)
    sunk = {s.id for s in war.ships.values() if s.gone}
    for force in war.forces.values():
        assert not sunk & set(force.ships)
        assert (force.at, force.contact) == ("I10", ["I10"])
    for leader in war.leaders.values():
        assert leader.ship not in sunk and war.of_ship(leader.ship)
