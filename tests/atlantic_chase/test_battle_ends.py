"""Battles of chance: each one ends, and what is sunk is nowhere any more."""

from __future__ import annotations

from random import Random

import pytest

from games.atlantic_chase import battle, events_advanced
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.events import BattleEnded, ShipHit
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.tables import cards, leaders
from pbem.model import Dice, Event, Side
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


def doctrine(chance: Random, crews: dict[Side, list[str]], side: Side) -> str:
    """8.3 Some orders for an advanced Battle."""
    own, foe = crews[side], crews[GERMAN if side == BRITISH else BRITISH]
    pair = chance.sample(foe, 2) if len(foe) > 1 else []
    lines = [
        f"attitude {chance.choice(('closing', 'acquiring', 'running'))}",
        f"divide {pair[0]} beside {pair[1]} share {chance.randint(0, 4)}" if pair else "",
        f"pursue {chance.choice(('any', 'nobody', foe[0]))}",
        f"screen {chance.choice(own)}",
        f"repair {chance.choice(('yes', 'no', 'yes first rudder'))}",
        f"bridge {chance.choice(('guns', 'helm'))}",
        f"hinder {chance.choice(foe)}",
        f"steer {chance.choice(foe)} {chance.choice(('close', 'hold', 'open'))} smoke yes",
        f"confuse hit onto {chance.choice(own)}",
        f"confuse {chance.choice(('attitude', 'move'))}",
    ]
    return " ".join(f"{line};" for line in lines if line and chance.random() < 0.6)


def fought(seed: int) -> tuple[War, Chance, str]:
    """A Battle between Task Forces of one to five ships, some of them damaged, drawn at random."""
    chance = Random(seed)
    crews = {s: chance.sample(SHIPS[s], chance.randint(1, 5)) for s in (BRITISH, GERMAN)}
    advanced = seed % 3 == 0
    text = {
        side: f"@{side.upper()}: {chance.choice(STANCES)} {chance.choice(SMOKES)} "
        f"{chance.choice(EXITS)} {doctrine(chance, crews, side) if advanced else ''}"
        for side in (BRITISH, GERMAN)
    }
    names = {"british": text[BRITISH], "german": text[GERMAN]}
    how, active = chance.choice(HOWS), chance.choice((BRITISH, GERMAN))
    case = {
        "active": active,
        "options": {"advanced": "on" if advanced else "off"},
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
    advanced = war.options["advanced"] == "on"
    left = {e for ship in war.ships.values() if not ship.gone for e in ship.effects}
    assert not left or advanced
    assert not [e for e in left if e.endswith("stopped")], "8.3: she would have been scuttled"
    ended = [e for _, e in table.told if isinstance(e, BattleEnded)]
    assert len(ended) == 1
    assert 1 <= ended[0].rounds <= (1 if how == "skirmish" else 3) + 2 * advanced
    SYSTEM.audit(war)
    struck = [e for _, e in table.told if isinstance(e, ShipHit) and e.state == "damaged"]
    assert len({e.ship for e in struck}) == len(struck), "a ship is said to be damaged once"
    sunk = {s.id for s in war.ships.values() if s.gone}
    for force in war.forces.values():
        assert not sunk & set(force.ships)
        assert (force.at, force.contact) == ("I10", ["I10"])
    for leader in war.leaders.values():
        assert leader.ship not in sunk and war.of_ship(leader.ship)


def test_8_3_everything_happens_in_advanced_battles() -> None:
    """Each event of the advanced Battle, each result of the Snafu Check, each fate of an effect."""
    found = [e for seed in range(0, 900, 3) for _, e in fought(seed)[1].told]
    kinds = vars(events_advanced).values()
    names = {k.__name__ for k in kinds if isinstance(k, type) and issubclass(k, Event)} - {"Event"}
    assert names <= {type(e).__name__ for e in found}
    snafus = {e.result for e in found if isinstance(e, events_advanced.SnafuChecked)}
    assert len(snafus) == 9
    fates = {e.result for e in found if isinstance(e, events_advanced.EffectRolled)}
    assert {"sunk", "scuttled", "hit", "stays", "repaired", "oil", "fire vs"} <= fates
