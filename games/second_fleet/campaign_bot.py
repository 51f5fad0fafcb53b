"""The bots' plans for the campaign: set-up, where forces go, which base the Soviets want."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import advanced_verbs as av
from games.second_fleet import landings
from games.second_fleet import verbs as v
from games.second_fleet.board import BASES, HEXES, NATO, PACK, SOVIET, ZONE_OF, by_water, distance
from games.second_fleet.planner import Planner
from games.second_fleet.report import OwnUnit
from games.second_fleet.tables import AUXILIARIES
from pbem.kit import bots

WOLVES = ("3012", "3115", "2914", "3017", "2812", "3210", "2909", "2716")
"""Where Soviet submarines begin and wait."""
ATLANTIC = ("2634", "2433", "2735", "2332")
BARRIER = ("3014", "2916", "3112", "2818", "3116", "2720")
"""Where submarines of NATO wait."""
OFF_NORWAY = ("3213", "3015", "3116", "3217")
BASTION = ("3605", "3705", "3404")
"""Where Soviet ships wait: two of three under the guns of their ports."""
NORTH = ("3006", "2908", "2610")
"""Where submarines go that are found."""
PRIZES = ("3308", "3311", "3313", "3411", "3412", "3516")
"""What the Soviets land at, from the north."""
CARGO = ("3412", "3311", "3721", "3926")


def set_up(bot: Planner) -> bots.Lines:
    """Submarines forward, ships in groups off their ports."""
    units = bot.seen.units
    if bot.side == SOVIET:
        subs = [u for u in units if u.kind == "sub"]
        forward = [u for u in subs if u.model != "SB" and not _kept(bot, u)]
        half = len(subs) // 2
        for at, unit in enumerate(forward[:half]):
            yield unit.id, av.Station(WOLVES[at % len(WOLVES)])
    shadows = [u for u in units if bots.may(bot.seen.menu, u.id, "shadow")][:3]
    for unit in shadows:
        yield unit.id, av.Shadow()
    yield from _tasks(bot, [u for u in units if u.kind == "ship" and u not in shadows])
    for unit in units:
        if bots.may(bot.seen.menu, unit.id, "wing") and bot.luck.game.of("wing", 2):
            yield unit.id, av.Wing("strike")


def _tasks(bot: Planner, ships: Sequence[OwnUnit]) -> bots.Lines:
    """A Task Force of the big ships, another that escorts the rest; Norwegians stay where they
    are."""
    ours = [u for u in ships if u.nation != "NO"]
    war = sorted((u for u in ours if u.model not in AUXILIARIES), key=lambda u: -u.ssm)
    rest = [u for u in ours if u.model in AUXILIARIES]
    name, place = ("ALPHA", "2934") if bot.side == NATO else ("KRASNY", "3404")
    escort, haven = ("BRAVO", "2736") if bot.side == NATO else ("DESANT", "3504")
    first, second = war[: len(war) // 2], [*war[len(war) // 2 :], *rest]
    for group, hex_, members in ((name, place, first[:10]), (escort, haven, second[:14])):
        if len(members) > 3:
            for unit in members:
                yield unit.id, av.Station(hex_)
            yield bot.side.upper(), v.Form(group, tuple(u.id for u in members))


# Where they go


def goal(bot: Planner, unit: OwnUnit) -> str:
    """Of a group or a ship."""
    what = f"station {unit.id}"
    troops = [u for u in _members(bot, unit) if u.model == "AA" and _loaded(u)]
    if bot.side == SOVIET:
        if troops:
            return beach(bot, unit)
        return bot.luck.game.choice(what, BASTION)
    kinds = [u.model for u in _members(bot, unit)]
    if "CR" in kinds:
        return "" if unit.place in CARGO else bot.luck.game.choice(what, CARGO)
    if troops and bot.seen.board.lost:
        return beach(bot, unit)
    if unit.nation == "NO" or unit.kind == "ship":
        return ""
    return bot.luck.game.choice(what, OFF_NORWAY if "CV" in kinds else ATLANTIC)


def _members(bot: Planner, unit: OwnUnit) -> list[OwnUnit]:
    return [u for u in bot.seen.units if u.group == unit.id or u is unit]


def _loaded(unit: OwnUnit) -> bool:
    return any("troops" in note for note in unit.notes)


def beach(bot: Planner, unit: OwnUnit) -> str:
    """The nearest invasion hex of a base that the enemy holds and the strategy allows."""
    far = by_water(unit.place)
    found = [
        (far[h], h)
        for base in _prizes(bot)
        for h in landings.beaches(base)
        if h in far and h not in BASES and HEXES[h] != PACK
    ]
    return min(found)[1] if found else ""


def _prizes(bot: Planner) -> Iterator[str]:
    if bot.side == NATO:
        yield from (h for h in bot.seen.board.lost if BASES[h].side == NATO)
    elif bot.seen.board.strategy in ("Unrestricted", "World War 3"):
        yield from (h for h in PRIZES if h not in bot.seen.board.lost)


def lair(bot: Planner, unit: OwnUnit) -> str:
    """Of a submarine."""
    what = f"lair {unit.id} {bot.seen.turn // 4}"
    if bot.side == NATO:
        return bot.luck.choice(what, BARRIER)
    if unit.model == "SB" or (ZONE_OF[unit.place] == "BS" and _kept(bot, unit)):
        return ""
    if unit.level:
        return bot.luck.choice(what, NORTH)
    prey = [c for c in bot.ships if distance(unit.place, c.place) < 7]
    if prey:
        return min(prey, key=lambda c: (distance(unit.place, c.place), c.id)).place
    return bot.luck.choice(what, (*WOLVES, *ATLANTIC))


def _kept(bot: Planner, unit: OwnUnit) -> bool:
    """Two Soviet submarines of three guard their coast: those at sea are found one by one."""
    return bot.luck.game.of(f"kept {unit.id}", 3) != 0


def recon(bot: Planner, zone: v.ZoneWord) -> v.Recon:
    """What each side looks for."""
    if bot.side == NATO:
        return v.Recon(zone, "tf", "tg", "sub")
    return v.Recon(zone, "cv", "tf", "tg")


def companies(bot: Planner) -> bots.Lines:
    """Ships that lie alone together form a group."""
    if not bots.may(bot.seen.menu, bot.side.upper(), "form") or "surf" in bot.seen.board.used:
        return
    by_hex: dict[str, list[OwnUnit]] = {}
    for unit in bot.seen.units:
        if unit.kind == "ship" and not unit.group and unit.nation != "NO" and unit.model != "DC":
            by_hex.setdefault(unit.place, []).append(unit)
    taken = {u.id for u in bot.seen.units}
    for hex_, ships in sorted(by_hex.items()):
        combat = [u for u in ships if u.model not in AUXILIARIES]
        name = f"FORCE{hex_}"
        if len(combat) > 3 and len(ships) > 3 and name not in taken:
            yield bot.side.upper(), v.Form(name, tuple(u.id for u in ships[:12]))
            bot.busy.update(u.id for u in ships[:12])
