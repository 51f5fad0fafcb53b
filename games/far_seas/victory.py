"""The end of the war: points, landings, levels of victory."""

from __future__ import annotations

from games.far_seas import events as ev
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import War
from games.far_seas.tables import rules, scenario
from pbem.model import Over, TableLike


def landings(table: TableLike, war: War) -> None:
    """Found c: ships that supported each landing this turn; those that are lacking when it is due
    cost points."""
    if not scenario(war.scenario).landings:
        return
    for name, rule in rules().landings.items():
        here = [s for s in war.fleet(BRITISH) if s.post == name]
        if rule.first <= war.turn <= rule.last:
            war.committed.setdefault(name, {})[str(war.turn)] = len(here)
            if short := lacking(war, name):
                points = short * rules().points.short
                table.tell(
                    table.sides,
                    ev.LandingShort(rule="found c", landing=rule.name, short=short, points=points),
                )
                war.score(GERMAN, points, "expedition", "found c", rule.name)


def lacking(war: War, name: str) -> int:
    """Found c: ships that a landing lacks, counted in the turn in which it is due, once that turn's
    ships are written down."""
    rule, sent = rules().landings[name], war.committed[name]
    ships = rule.ships
    if rule.kind == "each":
        return max(0, ships - sent[str(war.turn)])
    if war.turn < rule.last:
        return 0
    return max(0, ships - (sum(sent.values()) if rule.kind == "sum" else max(sent.values())))


def due(war: War) -> dict[str, tuple[int, int, int, int, int]]:
    """Found c: landings that still count, by name: area, ships a turn or in all, sent so far, first
    and last turn."""
    if not scenario(war.scenario).landings:
        return {}
    return {
        name: (int(rule.area), rule.ships, _sent(war, name, rule.kind), rule.first, rule.last)
        for name, rule in rules().landings.items()
        if war.turn <= rule.last
    }


def _sent(war: War, name: str, kind: str) -> int:
    sent = war.committed.get(name, {})
    if kind == "each":
        return sent.get(str(war.turn), 0)
    return sum(sent.values()) if kind == "sum" else max(sent.values(), default=0)


def balance(war: War) -> int:
    """Points of the Germans less those of the Allies."""
    return war.total(GERMAN) - war.total(BRITISH)


def ending(war: War) -> Over | None:
    """The end: after the last turn, or when no German is left; None while the war goes on."""
    left = [s for s in war.ships.values() if s.side == GERMAN and not s.gone]
    if war.turn < war.last and left:
        return None
    rule = "victory" if left else "no raider left"
    points, (decisive, german, british, crushing) = balance(war), war.levels
    why = f"{war.total(GERMAN)} points to {war.total(BRITISH)}, {points} in all"
    if points >= german:
        level = _level(points >= decisive, decisive, german)
        return Over(str(GERMAN), rule, f"{why}; {level} or more")
    if points <= british:
        level = _level(points <= crushing, crushing, british)
        return Over(str(BRITISH), rule, f"{why}; {level} or less")
    return Over("draw", rule, f"{why}; a draw from {british + 1} to {german - 1}")


def _level(decisive: bool, more: int, less: int) -> str:
    return f"a decisive victory at {more}" if decisive else f"a narrow victory at {less}"
