"""S1-S10, G6: who searches, who is found, and what holding back costs.

Places of Germans are their own secret, so every searching group throws its die, whether somebody
is there or not (ruling): which dice fall tells nothing. Of several groups that seek the same
German the first by name throws the die that counts, and each other makes it one less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from games.far_seas import board
from games.far_seas import events as ev
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.doctrine import said
from games.far_seas.movement import Books
from games.far_seas.state import Fight, Ship, War
from games.far_seas.tables import rules
from pbem.model import D6, TableLike


class Hunt(Struct):
    """One Allied ship or squadron that searches an area. seeks: a German's id, empty for any; die:
    its roll; after: the leader of the Germans it searches for, empty when there are none."""

    lead: str
    ids: list[str]
    seeks: str
    die: int = 0
    after: str = ""


def phase(table: TableLike, war: War, books: Books) -> list[Fight]:
    """S1-S10 All areas in order of their numbers. Returns the fights that follow."""
    fights: list[Fight] = []
    blank: list[str] = []
    parties = {area: searchers(war, books, area) for area in board.SEA}
    _drop_gone(table, war, [hunt for hunts, _ in parties.values() for hunt in hunts])
    _announce(table, parties)
    for area, (hunts, held) in parties.items():
        _throw(table, area, hunts)
        found = list(_guarded(table, war, area))
        quarry = quarries(war, area)
        allot(war, hunts, quarry)
        cowardice(table, war, area, hunts, held, quarry)
        found += [f for lead in quarry if (f := _find(table, war, area, lead, hunts))]
        if hunts and not found:
            blank.append(area)
        fights += found
    if blank:
        table.tell(table.sides, ev.SearchBlank(rule="S8", areas=tuple(blank)))
    return fights


def able(war: War, area: str) -> list[Ship]:
    """S1, S2, S30, 5.3 Allied ships of an area that may search: in the Moved box, not busy."""
    return [
        s for s in war.fleet(BRITISH) if s.area == area and s.moved and not s.duty and not s.busy
    ]


def searchers(war: War, books: Books, area: str) -> tuple[list[Hunt], list[Ship]]:
    """S3, S4 The groups that search, and the ships held back. A squadron searches as one, by the
    order of its leader, else of the first of its other ships that has one (ruling)."""
    ships = able(war, area)
    here = {s.id for s in ships}
    leads = [s for s in ships if not s.leader or s.leader not in here]
    hunts, held = [], []
    for lead in leads:
        ids = [s.id for s in war.group(lead.id) if s.id in here] if not lead.leader else [lead.id]
        order = said(war, books, lead, v.Seek, [war.ships[i] for i in ids])
        if order and order.what == "none":
            held += [war.ships[i] for i in ids]
            continue
        hunts.append(Hunt(lead.id, ids, order.ship if order else ""))
    return hunts, held


def _drop_gone(table: TableLike, war: War, hunts: Iterable[Hunt]) -> None:
    """S3, ruling 4 Who is to search for a German that is known to be no more at sea searches for
    any. The Allies hear why, once of each such German: a side's order is one for all its ships."""
    told = set()
    for hunt in hunts:
        sought = hunt.seeks
        if not sought or sought in war.known.ships:
            continue
        hunt.seeks = ""
        if sought not in told:
            told.add(sought)
            gone = {"sunk": "is sunk", "interned": "is interned"}
            why = f"{sought} {gone.get(war.ships[sought].gone, 'is not at sea')}"
            verb, instead = f"seek {sought}", "seek any"
            failed = ev.OrderFailed(rule="S3", why=why, who=hunt.lead, verb=verb, instead=instead)
            table.tell([BRITISH], failed)


def _announce(table: TableLike, parties: Mapping[str, tuple[list[Hunt], list[Ship]]]) -> None:
    """S3 Who searches, and for whom, before a die is thrown: told to both sides."""
    told = tuple(
        ev.Sought(hunt.lead, area, hunt.seeks)
        for area, (hunts, _) in parties.items()
        for hunt in hunts
    )
    if told:
        table.tell(table.sides, ev.SearchNamed(rule="S3", parties=told))


def _throw(table: TableLike, area: str, hunts: list[Hunt]) -> None:
    """S8 The die of each group that searches an area."""
    for hunt in hunts:
        (hunt.die,) = table.roll(f"SEARCH/FIND/{area}/{hunt.lead}", D6, to=[BRITISH])


def quarries(war: War, area: str) -> list[str]:
    """S1, S9 Leaders of Germans that may be searched for, the most valuable first: those that
    moved in this segment, are not found, and raid no station that has ships of its own."""
    able = [
        s
        for s in war.fleet(GERMAN)
        if s.area == area and s.segment == war.segment and not s.found and s.duty != "river"
    ]
    leads = [s.id for s in able if not s.leader]
    return sorted(leads, key=lambda i: (-_worth(war, i), i))


def _worth(war: War, lead: str) -> int:
    return sum(s.points for s in war.group(lead))


def guards(war: War, station: str) -> list[Ship]:
    """M7, S9, found c The Allied ships that cover a station; those of a landing count as on every
    station of its area."""
    area = board.STATIONS[station]
    return [
        s
        for s in war.fleet(BRITISH)
        if s.area == area and (s.post == station or s.duty == "expedition")
    ]


def allot(war: War, hunts: list[Hunt], quarry: list[str]) -> None:
    """S3, S7 Whom each group searches for: the ship it names, if that is there. Groups that seek
    any ship take those that nobody seeks yet, the most valuable first; the rest help with the most
    valuable. S7: where anybody is searched for, nobody is left out for whom there is a group."""
    for hunt in hunts:
        named = [q for q in quarry if hunt.seeks in _ids(war, q)]
        hunt.after = named[0] if named else ""
    for hunt in (h for h in hunts if not h.seeks):
        left = _left_out(hunts, quarry)
        hunt.after = (left or quarry or [""])[0]
    if any(h.after for h in hunts):
        for lead in _left_out(hunts, quarry):
            if spare := _spare(hunts):
                spare[-1].after = lead


def _left_out(hunts: list[Hunt], quarry: list[str]) -> list[str]:
    sought = {h.after for h in hunts}
    return [q for q in quarry if q not in sought]


def _spare(hunts: list[Hunt]) -> list[Hunt]:
    """S7 Groups that others can do without: after a ship that several seek, last those that named
    one which is not there."""
    several = [h for h in hunts if h.after and sum(o.after == h.after for o in hunts) > 1]
    return several + [h for h in hunts if not h.after]


def _ids(war: War, lead: str) -> list[str]:
    return [s.id for s in war.group(lead)]


def _find(table: TableLike, war: War, area: str, lead: str, hunts: list[Hunt]) -> Fight | None:
    """S8, S10, G6 One German group and those that search for it."""
    after = [h for h in hunts if h.after == lead]
    if not after:
        return None
    germans = _ids(war, lead)
    less = len(after) - 1 + len(germans) - 1
    need, red = rules().search.success, war.ships[lead].raids in board.RED_SEA
    if not red and after[0].die - less > need:
        return None
    finder = table.pick(f"SEARCH/FINDER/{area}/{lead}", after, to=table.sides)
    rolled = f"rolled {after[0].die}" + (f" less {less}" if less else "") + f", finds on {need}"
    why = "searched for in the Red Sea" if red else rolled
    return found(table, war, Fight(area, germans, finder.ids, "search"), "G6" if red else "S8", why)


def found(table: TableLike, war: War, fight: Fight, rule: str, why: str = "") -> Fight:
    """S10 Mark and tell a find."""
    for id_ in fight.german:
        war.ships[id_].found = True
    germans, by = tuple(fight.german), tuple(fight.british)
    table.tell(table.sides, ev.Found(rule=rule, why=why, area=fight.area, germans=germans, by=by))
    return fight


def _guarded(table: TableLike, war: War, area: str) -> Iterator[Fight]:
    """S9 Ships on a station that is raided find the raiders without a roll, also those that made a
    surprise search before."""
    raiders = [
        s for s in war.fleet(GERMAN) if s.area == area and s.raids and s.segment == war.segment
    ]
    for ship in (s for s in raiders if not s.leader):
        if post := [s.id for s in guards(war, ship.raids)]:
            fight = Fight(area, _ids(war, ship.id), post, "station", station=ship.raids)
            yield found(table, war, fight, "S9", f"ships on station at {ship.raids}")


def cowardice(
    table: TableLike, war: War, area: str, hunts: list[Hunt], held: list[Ship], quarry: list[str]
) -> None:
    """S5-S7 What ships that did not search cost, once in an area and segment. Who named a German
    that is not there searched for none that is (ruling)."""
    seeking = [h for h in hunts if h.after]
    idle = [*held, *(war.ships[i] for h in hunts if not h.after for i in h.ids)]
    if not quarry:
        return
    points, rule, ships = _unsought(war, seeking, idle, quarry)
    if not points or war.options.get("cowardice") == "both":
        more = idle if seeking and not _any_british(war, seeking) else []
        points += sum(s.points for s in more)
        rule, ships = rule or "S5", sorted({*ships, *(s.id for s in more)})
    if points:
        war.score(GERMAN, points, "cowardice", rule, board.name(area))
        table.tell(
            table.sides, ev.CowardicePaid(rule=rule, area=area, points=points, ships=tuple(ships))
        )


def _unsought(
    war: War, seeking: list[Hunt], idle: list[Ship], quarry: list[str]
) -> tuple[int, str, list[str]]:
    """S6 A squadron for which nobody searched, though somebody was free to: the points of all ships
    that could have, when half of them are British and they are as many as the Germans less one."""
    ships = [*idle, *(war.ships[i] for h in seeking for i in h.ids)]
    british = 2 * sum(s.nation == "UK" for s in ships) >= len(ships)
    sought = {h.after for h in seeking}
    free = bool(idle) or any(len(_ids(war, h.after)) == 1 for h in seeking)
    for lead in quarry:
        size = len(_ids(war, lead))
        if free and size > 1 and lead not in sought and british and len(ships) >= size - 1:
            return sum(s.points for s in ships), "S6", sorted(s.id for s in ships)
    return 0, "", []


def _any_british(war: War, hunts: list[Hunt]) -> bool:
    return any(war.ships[i].nation == "UK" for h in hunts for i in h.ids)
