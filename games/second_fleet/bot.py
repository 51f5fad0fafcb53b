"""Bots of both sides, from a report alone: recon, patrols, strikes, hunts, a way to a goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import convert

from games.second_fleet import advanced_bot, campaign_bot
from games.second_fleet import verbs as v
from games.second_fleet.board import (
    BASES,
    FJORD,
    HEXES,
    NATO,
    PACK,
    ZONE_OF,
    by_water,
    distance,
    line_between,
    near_norway,
    over_water,
    steps,
)
from games.second_fleet.planner import Planner
from games.second_fleet.report import Enemy, OwnUnit, Report
from games.second_fleet.tables import limits, plan
from games.second_fleet.verbs import GRAMMAR, Aim
from pbem.kit import bots
from pbem.model import Side

HUNT = ("ns", "ns", "gs", "ic", "ic")
"""Where NATO looks for submarines that break out."""
RAID = ("ns", "ns", "ic", "bi", "bi")
"""Where the Soviets look for task forces."""
OUT = ("2635", "2535", "2436", "2334")
"""Where submarines of The Gap make for."""
GAP = ("2530", "2429", "2730", "2830", "2627", "2527")
"""Where NATO waits for them."""
REAR = ("3732", "3832", "3731")
"""Where its ships wait when they are careful: behind the patrols of Scotland."""
NARVIK, LOFOTEN = "3412", ("3213", "3112", "3013")
HUNTER, BOLD = 10, 6
"""ASW of a stack that hunts submarines; one side in so many seeks them with its ships."""
HOME, SALLY, HEAVY = ("3605", "3705"), 7, 150
"""Where Soviet ships wait in Lifeline, how near prey must come, and what a heavy raid is."""
EQUAL = 6
"""ASW with which a Soviet submarine seeks others."""
STRONG = 12
"""Points of missiles with which ships seek a fight."""


def orders(side: Side, report: Mapping[str, object], luck: str) -> str:
    """The orders of a side, from its report alone."""
    return bots.written(lines(side, report, luck), GRAMMAR)


def lines(side: Side, report: Mapping[str, object], luck: str) -> bots.Lines:
    """The same as lines."""
    seen = convert(report, Report, from_attributes=True)
    return Bot(seen, bots.Luck(luck), side).lines()


class Bot(Planner):
    """One side in one window."""

    def wishes(self) -> bots.Lines:
        """By the stage of the window."""
        if self.seen.board.stage == "set-up":
            yield from campaign_bot.set_up(self)
            return
        if self.seen.board.stage == "strategic":
            yield from advanced_bot.morning(self)
            yield from self.missions()
            if self.seen.turn == 1:
                yield from self.standing()
            return
        if self.seen.board.segment == 1:
            yield from self.patrols()
        if self.seen.board.stage == "cap":
            return
        strikes = [] if "air" in self.seen.board.used else list(self.strikes())
        yield self.side.upper(), self.plan(bool(strikes))
        yield from self.regroup()
        if self.campaign:
            yield from campaign_bot.companies(self)
        yield from advanced_bot.turn(self)
        yield from strikes
        yield from self.ferry()
        if "surf" not in self.seen.board.used:
            yield from self.groups()
        if "sub" not in self.seen.board.used:
            yield from self.submarines()

    def standing(self) -> bots.Lines:
        """Doctrines for the whole game."""
        yield f"@{self.side.upper()}", v.Losses("damaged")
        yield f"@{self.side.upper()}", v.Array("cv", "cr", "aa")

    # Strategic air

    def missions(self) -> bots.Lines:
        """Most recon aircraft look out, some guide attacks, some stay for ASW."""
        for unit in self.air:
            what = f"mission {self.seen.turn} {unit.id}"
            zones = bots.values(self.seen.menu, unit.id, "recon", "zone")
            if unit.model in ("F15", "M31", "PHN", "M25") and self.luck.of(what, 4) == 0:
                yield from self.intercept(unit, what)
                continue
            laying = list(advanced_bot.mine(self, unit))
            yield from laying
            if laying or not bots.may(self.seen.menu, unit.id, "recon"):
                continue
            if not bots.may(self.seen.menu, unit.id, "coordinate") or unit.base in BASES_OF_SHIPS:
                continue
            wish = [z for z in (HUNT if self.side == NATO else RAID) if z in zones] or zones
            zone = self.luck.choice(what, wish)
            roll = self.luck.of(f"{what} kind", 6)
            if unit.asw and roll < 2:
                continue  # kept to hunt submarines
            if roll == 5 and self.held:
                there = ZONE_OF[self.luck.choice(f"{what} held", self.held).place].lower()
                if there in zones:
                    yield unit.id, v.Coordinate(_zone(there))
                    continue
            yield unit.id, self.recon(zone)

    def recon(self, zone: str) -> v.Recon:
        """What each side looks for."""
        if self.campaign:
            return campaign_bot.recon(self, _zone(zone))
        if self.side == NATO and plan(self.seen.scenario).goal:
            return v.Recon(_zone(zone), "sub")
        if self.side == NATO:
            return v.Recon(_zone(zone), "tf", "tg", "sub", near="3309")
        if plan(self.seen.scenario).goal:
            return v.Recon(_zone(zone), "cv", "tf", "tg")
        row = max(12, 37 - 2 * self.seen.turn)  # about where a convoy for Narvik must be
        return v.Recon(_zone(zone), "tf", "tg", near=f"28{row:02d}")

    def intercept(self, unit: OwnUnit, what: str) -> bots.Lines:
        """Now and then over a zone in reach."""
        zones = bots.values(self.seen.menu, unit.id, "intercept", "zone")
        if zones:
            yield unit.id, v.Intercept(_zone(self.luck.choice(f"{what} zone", zones)))

    # Patrols

    def patrols(self) -> bots.Lines:
        """Interceptors over carriers and airfields; those with bombs may be kept for strikes."""
        by_base: dict[str, list[OwnUnit]] = {}
        for unit in self.air:
            if bots.may(self.seen.menu, unit.id, "cap"):
                by_base.setdefault(unit.base, []).append(unit)
        ferried = self.seen.turn == 1 and plan(self.seen.scenario).goal
        for base, units in sorted(by_base.items()):
            fighters = [u for u in units if not u.asw and u.a2a > 1]
            if ferried and all(u.model == "F15" for u in fighters):
                continue
            warning = [u for u in units if u.a2a <= 1]
            most = 2 if base in BASES_OF_SHIPS or not base.isdigit() else 3
            keep = sorted(fighters, key=lambda u: (u.bomb, -u.a2a, u.id))[:most]
            if not keep:
                continue
            mates = tuple(u.id for u in keep[1:])
            mates += tuple(u.id for u in warning[: 3 - len(keep)])
            self.busy.update((keep[0].id, *mates))
            far = 4 if base.isdigit() else 3  # a carrier's patrol is worth little at four hexes
            yield keep[0].id, v.Cap(mates, range=far)

    # Segments

    def plan(self, flying: bool) -> v.Segment:
        """Aircraft first where there is something to strike; else ships or submarines."""
        left = [x for x in ("air", "surf", "sub") if x not in self.seen.board.used]
        if not flying:
            left = [*(x for x in left if x != "air"), *(x for x in left if x == "air")]
        words = [*left, "pass", "pass", "pass"][:3]
        return v.Segment(*words)  # type: ignore[arg-type]

    def regroup(self) -> bots.Lines:
        """Now and then a ship that is hurt leaves her group."""
        if "surf" in self.seen.board.used:
            return
        for unit in self.seen.units:
            hurt = unit.group and unit.damaged and bots.may(self.seen.menu, unit.id, "leave")
            if hurt and self.luck.of(f"leave {self.seen.turn} {unit.id}", 3) == 0:
                yield unit.id, v.Leave()

    def strikes(self) -> bots.Lines:
        """Missiles and bombs at ships, ASW at submarines."""
        for target in sorted(self.ships, key=lambda c: (-_worth(c), c.id)):
            yield from self.raid(target)
        for target in self.subs:
            for unit in self.air:
                if self.free(unit) and unit.asw and self.in_reach(unit, target.place, 0):
                    self.busy.add(unit.id)
                    yield unit.id, v.Strike("asw", target.id, tac=1)
                    break

    def ferry(self) -> bots.Lines:
        """In The Gap the F-15 helps to guard Scotland."""
        if not plan(self.seen.scenario).goal or self.seen.turn > 1:
            return
        for unit in self.air:
            ready = unit.id not in self.busy and bots.may(self.seen.menu, unit.id, "transfer")
            if unit.model == "F15" and ready:
                yield unit.id, v.Transfer("3733")

    def raid(self, target: Enemy) -> bots.Lines:
        """The heaviest stack of one base that reaches a contact, with EW if there is one."""
        best: list[OwnUnit] = []
        weapon = "ssm"
        for base in sorted({u.base for u in self.air}):
            here = [u for u in self.air if u.base == base and self.free(u)]
            missiles = [u for u in here if u.ssm > 8 and self.in_reach(u, target.place, u.range)]
            bombs = [u for u in here if u.bomb and self.in_reach(u, target.place, 0)]
            for kind, found in (("ssm", missiles), ("bomb", bombs)):
                stack = sorted(found, key=lambda u: (-max(u.ssm, u.bomb), u.id))[: self.most(base)]
                if _points(stack, kind) > _points(best, weapon):
                    best, weapon = stack, kind
        if not best or _points(best, weapon) < 15:
            return
        ma = min(u.ma for u in best)
        met, by = self.round(best[0], target.place, ma, best[0].range if weapon == "ssm" else 0)
        if met > self.bravery(_points(best, weapon)):
            return
        mates = [u.id for u in best[1:]]
        for unit in [u for u in self.air if u.base == best[0].base and u.model in WARFARE][:1]:
            room = len(best) < self.most(best[0].base)
            if room and self.free(unit) and self.in_reach(unit, target.place, 0):
                mates.append(unit.id)
        self.busy.update((best[0].id, *mates))
        kind = "ssm" if weapon == "ssm" else "bomb"
        aims = () if target.kind == "single" else self.aims(target)
        head = advanced_bot.warhead(self, best[0].id, "strike", target.id)
        yield (
            best[0].id,
            v.Strike(kind, target.id, "", "", aims, 2, head, tuple(mates), by=by),  # type: ignore[arg-type]
        )

    def bravery(self, points: int) -> int:
        """How many patrols a raid may meet: bombers of the Soviets do not come back from many."""
        if self.side == NATO or plan(self.seen.scenario).goal:
            return 9
        return 1 if points >= HEAVY else 0

    def round(self, unit: OwnUnit, goal: str, ma: int, short: int) -> tuple[int, tuple[str, ...]]:
        """A hex to fly by, where it keeps clear of patrols and there is fuel for it; and how many
        patrols it meets. short: so many hexes before the goal it turns."""
        fields = [h for h, base in BASES.items() if base.field and base.side != self.side]
        decks = {c.place for c in self.ships if "CV" in " ".join(c.types)}
        threats = {*(self.seen.board.threats or fields), *decks}
        ways: list[tuple[int, int, str]] = []
        for via in ("", *ROUND):
            legs = [unit.place, via, goal] if via else [unit.place, goal]
            flown = [h for a, b in pairwise(legs) for h in line_between(a, b)]
            flown = flown[: len(flown) - short] if short else flown
            if 2 * len(flown) <= ma:
                met = {t for t in threats for h in flown if distance(t, h) <= 4}
                ways.append((len(met), len(flown), via))
        fewest, _, best = min(ways, default=(0, 0, ""))
        return fewest, ((best,) if best else ())

    def most(self, base: str) -> int:
        """92, 128, 167 Squadrons that a base sends at once."""
        if not base.isdigit():
            return limits().carrier_active
        ours = self.side == NATO and BASES[base].nation == "NO"
        return limits().from_norway if ours else limits().stack

    def free(self, unit: OwnUnit) -> bool:
        """Is it ready to fly?"""
        idle = unit.id not in self.busy and not self.dark_deck(unit)
        return idle and bots.may(self.seen.menu, unit.id, "strike")

    def dark_deck(self, unit: OwnUnit) -> bool:
        """187 Carriers' aircraft that cannot take off now."""
        if unit.base.isdigit():
            return False
        return ZONE_OF[unit.place] in self.seen.board.dark and unit.model not in ALL_WEATHER

    def in_reach(self, unit: OwnUnit, place: str, missiles: int) -> bool:
        """6.12/3 Out and home, with a hex to spare."""
        if not unit.base.isdigit() and HEXES[unit.place] == FJORD:
            return False
        if self.dark_deck(unit):
            return False
        away = max(0, distance(unit.place, place) - missiles)
        return 2 * away + 2 <= unit.ma

    def aims(self, target: Enemy) -> tuple[Aim, ...]:
        """The highest type, and another now and then."""
        kinds = [t.split()[-1].lower() for t in target.types]
        if "cr" in kinds:
            return (Aim("cr", 1), Aim("cr", 1))
        if len(kinds) < 2 or self.luck.of(f"aims {self.seen.turn} {target.id}", 2):
            return (Aim("top", 1),)
        return (Aim("top", 2), Aim(kinds[1], 1))  # type: ignore[arg-type]

    # Ships

    def groups(self) -> bots.Lines:
        """Groups and single ships: hunt what is near, else sail for their station."""
        for unit in self.seen.units:
            if unit.kind not in ("group", "ship") or unit.group:
                continue
            if not bots.may(self.seen.menu, unit.id, "move"):
                continue
            yield from self.sail(unit)

    def sail(self, unit: OwnUnit) -> bots.Lines:
        """One stack."""
        if unit.id in self.busy:
            return
        sub = self.nearest(unit, self.subs)
        ship = self.nearest(unit, self.ships)
        can = bots.values(self.seen.menu, unit.id, "attack", "weapon")
        if ship and "ssm" in can and self.over(unit, ship):
            head = advanced_bot.warhead(self, unit.id, "attack", ship.id)
            yield unit.id, v.Attack("ssm", ship.id, aims=self.aims(ship), tac=1, warhead=head)
            yield from advanced_bot.close(self, unit, ship)
            return
        hunts = "asw" in can and not self.cargo(unit) and self.hunts(unit)
        away = distance(unit.place, sub.place) if sub else 99
        sails = sub and away > 1 and self.allowed(unit, sub.place)
        if sub and hunts and away <= unit.ma + 1 and (sails or HEXES[unit.place] != FJORD):
            if sails:
                yield unit.id, v.Go(contact=sub.id)
            yield unit.id, v.Attack("asw", sub.id, tac=1)
            return
        near = ship and distance(unit.place, ship.place) <= unit.ma + unit.range
        if ship and near and self.fights(unit) and self.allowed(unit, ship.place):
            yield unit.id, v.Go(contact=ship.id)
            yield unit.id, v.Attack("ssm", ship.id, aims=self.aims(ship))
            yield from advanced_bot.close(self, unit, ship)
            return
        yield from self.station(unit)

    def hunts(self, unit: OwnUnit) -> bool:
        """Has it the ASW for it? In The Gap a careful side leaves submarines to its aircraft."""
        if plan(self.seen.scenario).goal and self.luck.game.of("bold", BOLD):
            return False
        return unit.asw >= HUNTER

    def cargo(self, unit: OwnUnit) -> bool:
        """A convoy does not hunt."""
        return any(u.model == "CR" for u in self.seen.units if u.group == unit.id or u is unit)

    def fights(self, unit: OwnUnit) -> bool:
        """Does it seek enemy ships?"""
        return unit.ssm >= STRONG and not self.cargo(unit)

    def allowed(self, unit: OwnUnit, goal: str) -> bool:
        """23 Norwegians stay near their coast; nobody goes where there is no way."""
        nation = {u.nation for u in self.seen.units if u.group == unit.id or u is unit}
        if "NO" in nation and not near_norway(goal, limits().norway):
            return False
        return goal in by_water(unit.place)

    def station(self, unit: OwnUnit) -> bots.Lines:
        """Where a stack is to be."""
        goal = self.goal(unit)
        if goal and goal != unit.place and self.allowed(unit, goal):
            yield from self.way(unit, goal)

    def way(self, unit: OwnUnit, goal: str) -> bots.Lines:
        """Towards a goal: the last hexes by name, else by the shortest way."""
        if goal in steps(unit.place) and HEXES[goal] != PACK:
            yield unit.id, v.Move((goal,))
        else:
            yield unit.id, v.Go(goal, speed=advanced_bot.speed(self, unit))

    def goal(self, unit: OwnUnit) -> str:
        """By side and scenario."""
        if self.campaign:
            return campaign_bot.goal(self, unit)
        what = f"station {unit.id}"
        if plan(self.seen.scenario).goal:
            bold = self.luck.game.of("bold", BOLD) == 0
            return self.luck.game.choice(what, GAP if bold else REAR) if self.side == NATO else ""
        if self.side == NATO:
            if self.cargo(unit):
                return "" if self.unloading(unit) else NARVIK
            return self.luck.game.choice(what, LOFOTEN) if unit.kind == "group" else ""
        near = [c for c in self.ships if distance(unit.place, c.place) <= SALLY]
        prey = max(near, key=_worth, default=None)
        return prey.place if prey else self.luck.game.choice(what, HOME)

    def unloading(self, unit: OwnUnit) -> bool:
        """6.17/4 Cargo ships in port stay."""
        return unit.place == NARVIK

    # Submarines

    def submarines(self) -> bots.Lines:
        """Torpedoes and missiles at what is near, ASW at submarines, else on their way."""
        for unit in self.seen.units:
            if unit.kind == "sub" and bots.may(self.seen.menu, unit.id, "move"):
                yield from self.dive(unit)

    def dive(self, unit: OwnUnit) -> bots.Lines:
        """One submarine."""
        if unit.id in self.busy:
            return
        ship, sub = self.nearest(unit, self.ships), self.nearest(unit, self.subs)
        can = bots.values(self.seen.menu, unit.id, "attack", "weapon")
        if ship and "ssm" in can and self.over(unit, ship):
            yield unit.id, v.Attack("ssm", ship.id, aims=self.aims(ship), tac=1)
            return
        for target, weapon in ((ship, "torpedo"), (sub, "asw")):
            if not target or weapon not in can or HEXES[target.place] == PACK:
                continue
            away = by_water(unit.place).get(target.place, 99)
            bold = weapon == "torpedo" or self.side == NATO or away <= 1 or self.equal(unit)
            if away <= unit.ma + 1 and bold and target.place not in BASES:
                place = self.post(unit, target, away)
                if place and place != unit.place:
                    yield unit.id, v.Go(place)
                if place:
                    head = advanced_bot.warhead(self, unit.id, "attack", target.id)
                    yield unit.id, v.Attack(weapon, target.id, warhead=head)  # type: ignore[arg-type]
                    return
        goal = self.lair(unit)
        if goal and goal != unit.place:
            fast = self.luck.of(f"full {self.seen.turn} {unit.id}", 12) == 0
            fast = fast and "full" in bots.values(self.seen.menu, unit.id, "go", "speed")
            yield unit.id, v.Go(goal, speed="full" if fast and HEXES[unit.place] != PACK else "")

    def equal(self, unit: OwnUnit) -> bool:
        """Does a Soviet submarine seek others? Not where it is to break out."""
        return unit.asw >= EQUAL and not plan(self.seen.scenario).goal

    def post(self, unit: OwnUnit, target: Enemy, away: int) -> str:
        """Where a submarine attacks from: beside the target, and not in a fjord (131)."""
        if away <= 1 and HEXES[unit.place] != FJORD:
            return unit.place
        far = by_water(unit.place)
        spots = [h for h in steps(target.place) if HEXES[h] not in (FJORD, PACK)]
        spots = [h for h in spots if far.get(h, 99) <= unit.ma]
        return min(spots, key=lambda h: (far[h], h), default="")

    def over(self, unit: OwnUnit, ship: Enemy) -> bool:
        """138, 262 Missiles from where she is."""
        if HEXES[unit.place] == FJORD or distance(unit.place, ship.place) > unit.range:
            return False
        return over_water(unit.place, ship.place)

    def lair(self, unit: OwnUnit) -> str:
        """Where a submarine is going."""
        if self.campaign:
            return campaign_bot.lair(self, unit)
        what = f"lair {unit.id}"
        if plan(self.seen.scenario).goal:
            if self.side == NATO:
                return self.luck.choice(f"{what} {self.seen.turn // 3}", GAP)
            if ZONE_OF[unit.place] in plan(self.seen.scenario).goal.split():
                return ""
            return self.luck.game.choice(what, OUT)
        if self.side == NATO:
            return self.luck.choice(f"{what} {self.seen.turn // 4}", (*LOFOTEN, "3109", "3208"))
        return self.wolf(unit, what)

    def wolf(self, unit: OwnUnit, what: str) -> str:
        """Soviet submarines of Lifeline to Narvik: away when found, else after the convoy."""
        if unit.level:
            return self.luck.choice(f"{what} {self.seen.turn // 3}", ("3006", "2908", "2610"))
        prey = max(self.ships, key=_worth, default=None)
        return prey.place if prey else self.luck.game.choice(what, ("3116", "3018", "3214", "2920"))

    def nearest(self, unit: OwnUnit, found: Sequence[Enemy]) -> Enemy | None:
        """The contact nearest by water."""
        return min(found, key=lambda c: (distance(unit.place, c.place), c.id), default=None)


ROUND = ("2906", "2810", "2413", "2217", "2430", "3030", "2226")
"""Hexes over the open sea by which aircraft may fly."""
ALL_WEATHER = ("F14", "F18", "A6", "E2", "EA6")
WARFARE = ("EA6", "T16E", "CAN")
BASES_OF_SHIPS: tuple[str, ...] = ("RSVLT", "INPDN", "CRSEA", "INVCL", "ILTRS", "KIEV", "BAKU")
"""Carriers, whose recon aircraft stay at home."""


def _points(units: Sequence[OwnUnit], weapon: str) -> int:
    return sum(u.ssm if weapon == "ssm" else u.bomb for u in units)


def _worth(contact: Enemy) -> int:
    """How much a contact invites attack."""
    ranks = {"CR": 10, "CV": 9, "AA": 7, "BB": 6, "CG": 4, "DD": 3}
    return max((ranks.get(t.split()[-1], 1) for t in contact.types), default=0)


def _zone(text: str) -> v.ZoneWord:
    """A zone's word. Raises StopIteration for what is none."""
    words: tuple[v.ZoneWord, ...] = ("ls", "na", "bi", "ic", "ns", "gs", "sv", "bs")
    return next(word for word in words if word == text)
