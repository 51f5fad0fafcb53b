"""9.31, 9.94 What a side decides in a round, in secret, and in which rounds it is asked by mail."""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck import asks, calendar, contacts, naming
from games.bismarck.answers import Answers
from games.bismarck.battle import determination, doctrine, reinforce, setup, withdraw
from games.bismarck.state import SIDES, Ship, War
from games.bismarck.vessels import Battle, Reserve, Vessel
from pbem.kit.doctrine import actors, yes_no
from pbem.model import Question, Side

MAILED = (1, 5, 15, 45)
"""9.3, ruling 57 (ours): the rounds of a battle that are asked about by mail."""
DAY = 6
"""9.3, ruling 57 (ours): turns after a battle's first round was asked about in which that of no
other is. Both sides were in that battle and know of it, so the window tells nothing."""
POSTURES = ("CLOSE", "A", "B", "OPEN", "CLOSE BOW", "A BOW", "B BOW")


async def ask(war: War, battle: Battle, answers: Answers) -> dict[Side, dict[str, str]]:
    """9.31, 9.94 What each side wants to do in the round: in secret, both at once."""
    if battle.round in MAILED:
        battle.window = battle.round
        if battle.round > 1 or _opens(war):
            await answers.mail({side: questions(war, battle, side) for side in SIDES})
    return await answers.find({side: questions(war, battle, side) for side in SIDES})


def _opens(war: War) -> bool:
    """9.3, ruling 57 Is a battle's first round asked about? Once in `DAY` turns; in that turn, of
    every battle. What an answer could say, the turn's orders may say."""
    if war.fighting and 0 < war.turn - war.fighting <= DAY:
        return False
    war.fighting = war.turn
    return True


def questions(war: War, battle: Battle, side: Side) -> dict[str, Question]:
    """Everything that a side decides in the round, by `HANDLE HOOD`, `ENTER TF1`, `AGREE` ..."""
    own = [war.ships[v.ship] for v in battle.fighting(side)]
    enemies = [war.ships[v.ship] for v in battle.against(side)]
    mood = _mood(war, battle, own, enemies)
    asked: dict[str, Question] = {}
    for vessel in battle.fighting(side):
        ship = war.ships[vessel.ship]
        if not vessel.withdrawing:  # 9.99
            asked[f"HANDLE {ship.id}"] = _handle(war, battle, vessel, mood)
        asked[f"STEER {ship.id}"] = _steer(battle, ship)
        if len(enemies) > 1:
            asked[f"FIRE {ship.id}"] = _fire_at(war, side, ship, enemies)
            asked[f"DIVIDE {ship.id}"] = _divide(war, side, ship, enemies)
    for reserve in battle.reserves:
        if reserve.side == side and reinforce.open_to(war, battle, reserve):
            asked[f"ENTER {reserve.id}"] = _enter(war, battle, reserve)
            asked |= setup.questions(reinforce.coming(war, reserve), side)
    return {**asked, "AGREE": _agree(battle, side, mood == "WITHDRAW")}


def _mood(war: War, battle: Battle, own: Sequence[Ship], enemies: Sequence[Ship]) -> str:
    """How ships without orders are handled; by night they close until they can fire (11.12)."""
    mood = doctrine.posture(own, enemies)
    return "A" if mood == "B" and calendar.night(war.turn, battle.zone) else mood


def _agree(battle: Battle, side: Side, tired: bool) -> Question:
    """9.92 Whether both let the battle end."""
    return asks.Agree(
        about=f"the battle in {battle.zone}",
        choices=("YES", "NO"),
        default=yes_no(tired),
        pace="battle",
        rule="9.92",
        side=side.upper(),
    )


def binding(ship: Ship) -> tuple[str, ...]:
    """Whose orders bind a ship, strongest first."""
    return actors(ship.id, ship.force, ship.side)


def _handle(war: War, battle: Battle, vessel: Vessel, mood: str) -> Question:
    ship = war.ships[vessel.ship]
    may = withdraw.able(war, battle, vessel)
    mood = "OPEN" if mood == "WITHDRAW" and not may else mood
    return asks.Handle(
        about=ship.name,
        choices=(*POSTURES, *(("WITHDRAW",) if may else ())),
        default=mood,
        mood=mood,
        rule="9.94",
        actors=binding(ship),
        hits=ship.hits.midships,
        evasion=ship.evasion_now,
        round=battle.round,
    )


def _steer(battle: Battle, ship: Ship) -> Question:
    """9.5 The course that was ordered for the round. Never mailed: it is written as an order."""
    return asks.Steer(
        about=ship.name,
        source="orders",
        rule="9.52",
        actors=binding(ship),
        round=battle.round,
        first=battle.window,
    )


def _fire_at(war: War, side: Side, ship: Ship, enemies: Sequence[Ship]) -> Question:
    named = sorted(enemies, key=lambda s: s.id)
    words = (*(s.id for s in named), "NEAREST", "WEAKEST", "STRONGEST")
    return asks.FireAt(
        about=ship.name,
        choices=(*words, *(f"{word} SPLIT" for word in words)),
        default="STRONGEST",
        rule="9.62",
        actors=binding(ship),
        types=tuple(contacts.general(s) for s in named),
        called=tuple(naming.contact_of(war, side, s) for s in named),
    )


def _divide(war: War, side: Side, ship: Ship, enemies: Sequence[Ship]) -> Question:
    """9.62 The salvos that were designated to each target. Never mailed: it is an order."""
    return asks.Divide(
        about=ship.name,
        source="orders",
        rule="9.62",
        actors=binding(ship),
        ships={naming.contact_of(war, side, s): s.id for s in enemies},
    )


def _enter(war: War, battle: Battle, reserve: Reserve) -> Question:
    """9.41, 9.44 Whether a reserve rolls for entry, and whether it enters when it may. Mailed while
    it qualifies (9.43); hits of the round may yet make it, so orders are looked up in any case."""
    ships = [war.ships[i] for i in reserve.ships]
    own = [war.ships[v.ship] for v in battle.fighting(reserve.side)]
    enemies = [war.ships[v.ship] for v in battle.against(reserve.side)]
    help_ = doctrine.posture([*own, *ships], enemies) != "WITHDRAW" and not reserve.free
    return asks.Enter(
        about=reserve.id,
        choices=("YES", "HOLD", "NO"),
        source="any" if reinforce.qualified(war, battle, reserve) else "orders",
        default=yes_no(help_),
        rule="9.272" if reserve.free else "9.41",
        actors=(reserve.id, *binding(ships[0])),
        round=battle.round,
        action=battle.number,
        enemies=tuple(sorted({contacts.general(s) for s in enemies})),
        own=determination.kind(ships),
    )
