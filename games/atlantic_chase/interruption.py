"""R069-R075, R228, R229 Interruption: what enemy Intel does to an action before it is rolled."""

from __future__ import annotations

from games.atlantic_chase import asks, initiative, leaders, signals, solitaire
from games.atlantic_chase import events as ev
from games.atlantic_chase.designations import intel
from games.atlantic_chase.evasive import give_evasive
from games.atlantic_chase.state import Designated, War
from games.atlantic_chase.tables import interruption
from pbem.model import TWO_D6, Side, TableLike


async def interrupted(table: TableLike, war: War, deed: Designated) -> bool:
    """R069 The check, mandatory where the Active side's designated forces carry Intel. Returns
    whether the action is over; the deed gets the modifier otherwise."""
    markers = intel(war, deed)
    if not markers:
        return False
    label = f"INTERRUPT/CHECK/{deed.at}/{war.idle.upper()}"
    dice = await leaders.roll(table, war, label, TWO_D6, war.idle)
    rows = war.options.get("interruption_rows", "rulebook")
    result = interruption(rows).cell(markers, sum(dice))
    told = ev.Interrupted(
        rule="R070",
        why=f"{markers} Intel, rolled {sum(dice)}",
        side=war.idle,
        roll=sum(dice),
        markers=markers,
        result=result,
    )
    table.tell(table.sides, told)
    if result.startswith("-"):  # R071
        deed.interruption = int(result)
        return False
    if result == "IC":  # R074
        _cancel(table, war, deed)
        await initiative.change(table, war, "R074")
        return True
    if result == "S":  # R072
        _give_back(table, war, deed)
        await _slip(table, war, deed)
        _cancel(table, war, deed)
        await initiative.vie(table, war)
        return True
    changed = await initiative.vie(table, war)  # R073
    if changed or war.options.get("interruption_vie", "resume") == "cancel":
        _cancel(table, war, deed)
        return True
    return False


def _cancel(table: TableLike, war: War, deed: Designated) -> None:
    """R229, Q2, Q41 No result, no Time Lapse; what was spent against it comes back."""
    told = ev.Cancelled(rule="R229", deed=deed.deed, force=deed.force, name=war.called(deed.force))
    table.tell(table.sides, told)
    _give_back(table, war, deed)


def _give_back(table: TableLike, war: War, deed: Designated) -> None:
    """R229 The target has the marker again that it spent against the action, if it has none."""
    if deed.evades and deed.target in war.forces:
        give_evasive(table, war, war.forces[deed.target], "R229")


async def _slip(table: TableLike, war: War, deed: Designated) -> None:
    """R072, Q20 Signals against the acting force or its coordinator, or an Evasive marker for the
    target, if it has none."""
    side, target = war.idle, war.forces[deed.target]
    named = [war.forces[id_] for id_ in (deed.force, deed.helper) if id_ in war.forces]
    shots = [f"{f.id} {cell}" for f in named if f.line for cell in f.intel]
    marker = [asks.EVASIVE] if war.may_evade(target) else []
    choices = (*shots, *marker)
    if not choices:
        table.tell(table.sides, ev.Slipped(rule="R072", side=side, how="nothing"))
        return
    lengths = {f.id: f.length for f in named}
    question = asks.SlipBy(
        about=f"{deed.deed.upper()} {deed.force} {deed.target}",
        rule="R072",
        actors=asks.of(target),
        choices=choices,
        default=_usual(shots, marker, lengths),
        lengths=lengths,
    )
    if solitaire.imaginary(war, side):
        said: object = solitaire.slips(table, side, shots, marker)
    else:
        (said,) = await table.ask(side, [question], owed=[side])
    if said == asks.EVASIVE:
        told = ev.Slipped(
            rule="R072", side=side, how="evasive", force=target.id, name=target.called
        )
        table.tell(table.sides, told)
        give_evasive(table, war, target, "R072")
        return
    id_, _, cell = str(said).partition(" ")
    told = ev.Slipped(rule="R072", side=side, how="signals", force=id_, name=war.called(id_))
    table.tell(table.sides, told)
    lapsing = await _lapsing(table, war, side, deed, cell)
    await signals.effect(table, war, side, war.forces[id_], cell, lapsing)


async def _lapsing(table: TableLike, war: War, side: Side, deed: Designated, cell: str) -> str:
    """Q22 The Idle side's Trajectory in that hex that performs Time Lapse, by order alone."""
    there = [f.id for f in war.own(side) if cell in f.line]
    if not there:
        return asks.NONE
    question = asks.SlipLapse(
        about=f"{deed.deed.upper()} {deed.force} {deed.target}",
        rule="R141",
        actors=asks.of(war.forces[deed.target]),
        choices=(asks.NONE, *there),
        default=asks.NONE,
    )
    (said,) = await table.ask(side, [question], owed=[side])
    return str(said)


def _usual(shots: list[str], marker: list[str], lengths: dict[str, int]) -> str:
    """C4 Signals against a line of four or more, or where there is no other choice."""
    best = max(shots, key=lambda c: lengths[c.partition(" ")[0]], default="")
    if best and (not marker or lengths[best.partition(" ")[0]] >= 4):
        return best
    return asks.EVASIVE
