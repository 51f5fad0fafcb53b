"""2 The whole turn: planning, activations, aeroplanes and torpedoes, between turns."""

from __future__ import annotations

from games.baltic import activation, aeroplanes, between, decks, planning, setup, torpedoes, victory
from games.baltic.between import Books, Knows
from games.baltic.state import War
from games.baltic.tables import plan
from games.baltic.verbs import GRAMMAR
from pbem.model import Over, Side, TableLike


async def turn(table: TableLike, war: War) -> War | Over:
    """21 One turn in four phases; turn 0 is the set-up."""
    knows = {side: GRAMMAR.knows(war, side) for side in table.sides}
    if war.turn == 0:
        return await setup.phase(table, war, knows)
    windows = table.options.get("windows", "phases")
    war.stage = "all" if windows == "turn" else "planning"
    for vessel in war.listed():
        vessel.trail = [*vessel.trail, (vessel.x, vessel.y)][-5:] if vessel.here else []
    aeroplanes.returned(war)
    books = await table.orders(owed=_owed(war))
    if planning.resigned(table, war, books, knows) and victory.finished(war):
        return victory.count(table, war)
    planning.telegraph_set(table, war, books, knows)
    bids = await table.ask_each(planning.stakes(war, victory.afloat(war)))
    war.stage = "orders" if windows == "turn" else "place"
    await planning.places(table, war, bids)
    if windows != "turn":
        war.stage = "stack" if windows == "rounds" else "orders"
        books = await table.orders(owed=_owed(war))
    planning.stacks(table, war, books, knows)
    await _activations(table, war, books, knows)
    war.stage = "air"
    if windows == "rounds" and any(m.at in ("air", "edge") for m in war.markers.values()):
        books = await table.orders(owed=_owed(war))
    await aeroplanes.phase(table, war, books, knows)
    torpedoes.phase(table, war, war.places)
    if victory.finished(war):
        return victory.count(table, war)
    war.stage = "between"
    await _between(table, war, books, knows)
    if war.turn == plan(war.scenario).turns or victory.finished(war):
        return victory.count(table, war)
    war.turn += 1
    war.stage = "all" if windows == "turn" else "planning"
    return war


def _owed(war: War) -> tuple[Side, ...]:
    """213 Who must send orders: all, but for sides that are out of the battle."""
    left = victory.afloat(war)
    return tuple(left) if len(left) < len(war.sides) else ()


async def _activations(table: TableLike, war: War, books: Books, knows: Knows) -> None:
    """37, 163 Rounds of cards; with windows=rounds each has a window of its own."""
    due = {side: activation.dealt(war, side) for side in war.sides}
    for number in range(1, activation.rounds(war) + 1):
        war.round = number
        if table.options.get("windows", "phases") == "rounds":
            war.stage = "orders"
            books = await table.orders(owed=_owed(war))
        for side in war.places:
            for _ in range(due[side][number - 1]):
                if card := activation.next_card(war, side, books[side], knows[side]):
                    await activation.play(table, war, *card, books[side], knows[side])
    war.round = 0


async def _between(table: TableLike, war: War, books: Books, knows: Knows) -> None:
    """206 Splash markers off, repairs, fires, critical hits; then wrecks drift."""
    between.splash(war)
    await between.repairs(table, war, books, knows)
    between.fires(table, war)
    await between.criticals(table, war)
    between.drift(table, war)
    decks.strand(table, war)
