"""Attitudes of ships in the advanced Battle (8.3): at set-up, and as each later round begins."""

from __future__ import annotations

from games.atlantic_chase import advanced_moves as moves
from games.atlantic_chase import asks_advanced as aa
from games.atlantic_chase import damage
from games.atlantic_chase import events_advanced as ea
from games.atlantic_chase.advanced import RULE
from games.atlantic_chase.battle_crew import actors, board
from games.atlantic_chase.battle_moves import stance
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import STOPPED
from pbem.model import Side, TableLike

ALL = (aa.CLOSING, aa.ACQUIRING, aa.RUNNING)


async def set_up(table: TableLike, war: War) -> None:
    """Active ships are closing, those of the target closing or running as their owner says, after a
    Surprise as the Active side says. By Snafu Check a side chooses freely: the Active one with an
    open arc, the other at an unexpected bearing."""
    fight = war.fight
    assert fight
    free = {"open arc": war.active, "unexpected bearing": war.idle}.get(fight.snafu)
    asked: dict[Side, list[aa.Takes]] = {side: [] for side in table.sides}
    for ship in board(war, war.active):
        if free == war.active:
            asked[war.active].append(_takes(war, ship, ALL))
    for ship in board(war, war.idle):
        able = ALL if free == war.idle else (aa.CLOSING, aa.RUNNING)
        if fight.how == "surprise" and free != war.idle:
            asked[war.active].append(moves.steers(war, ship, war.active, list(able)))
        else:
            asked[war.idle].append(_takes(war, ship, able))
    fight.attitudes = {s.id: "closing" for s in board(war, war.active)}
    await _take(table, war, asked)


async def step(table: TableLike, war: War) -> None:
    """Each ship takes an attitude, both sides at once; a stopped one keeps its own, and one without
    rudder, or that is confused, may be the enemy's to command. Then ships without communications
    take a Hit."""
    assert war.fight
    asked: dict[Side, list[aa.Takes]] = {side: [] for side in table.sides}
    for side in (war.active, war.idle):
        for ship in board(war, side):
            if ship.speed == STOPPED:
                continue
            chief = await moves.commander(table, war, ship, "attitude")
            own = chief == ship.side
            asked[chief].append(
                _takes(war, ship, ALL) if own else moves.steers(war, ship, chief, list(ALL))
            )
    await _take(table, war, asked)
    for side in (war.active, war.idle):
        for ship in board(war, side):
            if "communications" in ship.effects:
                damage.hits(table, war, ship, 1, RULE)


async def _take(table: TableLike, war: War, asked: dict[Side, list[aa.Takes]]) -> None:
    fight = war.fight
    assert fight
    said = await table.ask_each(asked) if any(asked.values()) else {}
    for side, answers in said.items():
        for question, answer in zip(asked[side], answers, strict=True):
            fight.attitudes[question.about] = str(answer).lower()
    told = {s: fight.attitudes[s] for s in sorted(fight.zones) if s in fight.attitudes}
    table.tell(table.sides, ea.AttitudesTaken(rule=RULE, ways=told))


def _takes(war: War, ship: Ship, able: tuple[str, ...]) -> aa.Takes:
    usual = aa.ATTITUDE[stance(war, ship)]
    return aa.Takes(
        about=ship.id,
        rule=RULE,
        actors=actors(war, ship),
        choices=able,
        default=usual if usual in able else aa.CLOSING,
    )


async def bridges(table: TableLike, war: War) -> None:
    """Ships whose bridge is hit fire in this round, or may move; both sides say so at once."""
    assert war.fight
    asked = {
        side: [
            aa.OnBridge(
                about=ship.id,
                rule=RULE,
                actors=actors(war, ship),
                choices=(aa.GUNS, aa.HELM),
                default=aa.HELM if war.fight.attitudes.get(ship.id) == "running" else aa.GUNS,
            )
            for ship in board(war, side)
            if "bridge" in ship.effects
        ]
        for side in table.sides
    }
    said = await table.ask_each(asked) if any(asked.values()) else {}
    war.fight.helm = [
        question.about
        for side in table.sides
        for question, answer in zip(asked[side], said.get(side, ()), strict=True)
        if answer == aa.HELM
    ]


def nobody_runs(war: War) -> bool:
    """Is no ship running? Then the last round is followed by another, once."""
    assert war.fight
    return not any(war.fight.attitudes.get(s) == "running" for s in war.fight.zones)
