"""What a report shows. All of the board is public; the sides differ in what is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from games.atlantic_chase import board, initiative, menu, told, victory
from games.atlantic_chase.board import BRITISH, GERMAN, NAMES, SIDES
from games.atlantic_chase.report import MET, Foe, Own, Piece, Sea
from games.atlantic_chase.state import Group, Leader, Ship, TaskForce, War
from games.atlantic_chase.tables import SPEEDS, leaders, rules
from pbem.kit.points import Fact, totals
from pbem.kit.views import filler
from pbem.model import Side, View


def view(war: War, side: Side) -> View:
    """The board as a side sees it, with its menu."""
    return View(
        turn=war.turn,
        label=label(war),
        units=[*pieces(war, side), *spares(war, side)],
        contacts=foes(war, side),
        menu=menu.menu(war, side),
        board=sea(war),
        news=news(war),
        form=menu.form(war, side),
        goes_on=war.rest if side == war.active else (),
    )


def foes(war: War, side: Side) -> list[Foe]:
    """The enemy's pieces."""
    return [_FOE(own, age=0) for other in SIDES if other != side for own in pieces(war, other)]


_FOE = filler(Foe, {Own: "id name type place piece remarks=notes"})


def pieces(war: War, side: Side) -> Iterator[Own]:
    """Every piece of a side: Task Forces by number, then the others by id."""
    for force in war.own(side):
        yield _force(war, force)
    for base, owner in sorted(war.bases.items()):
        if owner == side:
            yield _base(base)
    for stealth in war.stealth_of(side):
        where = within(stealth.at) if stealth.at else "U-Boat Box"
        kind = KINDS[stealth.kind]
        piece = Piece(sort="stealth", at=stealth.at)
        yield Own(id=stealth.id, name=stealth.id, type=kind, place=where, piece=piece)
    for _, group in sorted(war.groups.items()):
        if group.side == side:
            yield _group(war, group)
    homes = {ship: force.id for force in war.own(side) for ship in force.ships}
    for _, ship in sorted(war.ships.items()):
        if ship.side == side and not ship.gone:
            yield _ship(war, ship, homes.get(ship.id, ""))
    for _, leader in sorted(war.leaders.items()):
        if leader.side == side:
            yield _leader(war, leader)


@cache
def _base(base: str) -> Own:
    """An airbase, which is the same in every report."""
    one = board.AIRBASES[base]
    where, piece = within(one.hex), Piece(sort="base", at=one.hex)
    return Own(id=base, name=one.name, type="airbase", place=where, piece=piece, force="ashore")


def spares(war: War, side: Side) -> Iterator[Own]:
    """R024 Task Force pieces that are not in play and may be ordered all the same."""
    for id_ in menu.spares(war, side):
        piece, where = Piece(sort="spare"), "not in play"
        yield Own(id=id_, name=id_, type="task force", place=where, piece=piece, force="reserve")


def within(cell: str) -> str:
    """`in J12`: a place in words, so that charts draw a marker there and no counter."""
    return f"in {cell}"


KINDS: Mapping[str, str] = {"uboat": "U-boat", "submarine": "submarine", "mines": "mines"}


def _group(war: War, group: Group) -> Own:
    """R134 Reinforcements that wait in a port."""
    return Own(
        id=group.id,
        name=", ".join(war.ships[s].card.name for s in group.ships),
        type="reinforcements",
        place=group.port,
        piece=Piece(sort="group", box=group.port, ships=tuple(group.ships)),
    )


def _leader(war: War, leader: Leader) -> Own:
    force = war.of_ship(leader.ship) if leader.ship else None
    where = force.id if force else ""
    name = leaders()[leader.id].name
    place = where or leader.ship or "ashore"
    piece = Piece(sort="leader", force=where)
    left = {1: "once", 2: "twice"}.get(leader.left, "used up")
    can = f"{told.POWERS[leader.power]}, {left}"
    return Own(
        id=leader.id,
        name=name,
        type="leader",
        place=place,
        piece=piece,
        force=place,
        notes=(can,),
    )


def _force(war: War, force: TaskForce) -> Own:
    """R003 A Task Force."""
    crew = war.crew(force)
    piece = Piece(
        line=tuple(force.line),
        at=force.at,
        box=force.box,
        intel=tuple(force.intel),
        contact=tuple(force.contact),
        evasive=force.evasive,
        ships=tuple(force.ships),
        leader=next((x.id for x in war.leaders_aboard(force)), ""),
        speed=SPEEDS[war.speed(force)],
        convoy=war.convoy(force),
        bound=tuple(p for s in crew for p in war.goals.get(s.id, ())),
    )
    return Own(
        id=force.id,
        name=f"{force.id} {', '.join(s.card.name for s in crew) or 'unidentified'}",
        type="convoy" if war.convoy(force) else "task force",
        place=force.box or force.at or f"{force.line[0]}-{force.line[-1]}",
        piece=piece,
        notes=tuple(notes(war, force)),
    )


def notes(war: War, force: TaskForce) -> Iterator[str]:
    """A Task Force's markers in words, and whether a tanker of it has met a warship (special rule
    `rendezvous`)."""
    if force.line:
        word = "segment" if force.length == 1 else "segments"
        yield f"{force.length} {word}: {' '.join(force.line)}"
    if force.intel:
        yield f"Intel {' '.join(force.intel)}"
    if force.contact:
        yield f"Contact {' '.join(force.contact)}"
    if force.evasive:
        yield "Evasive"
    if any(ship in war.met for ship in force.ships):
        yield MET


def _ship(war: War, ship: Ship, home: str) -> Own:
    """A ship as its counter shows it. home: its Task Force."""
    face = ship.face
    piece = Piece(
        sort="ship",
        force=home,
        speed=SPEEDS[ship.speed],
        hits=ship.hits,
        bears=bears(ship),
        damaged=ship.damaged,
        scattered=ship.scattered,
        guns="/".join("na" if v is None else str(v) for v in (face.close, face.far)),
        torpedo=face.torpedo,
        zone=war.fight.zones.get(ship.id, "") if war.fight else "",
        smoke=_smoke(war, ship.id),
    )
    pooled = any(ship.id in pool for pool in war.pools)  # R214
    place = home or ("unidentified" if pooled else "in reserve")
    return Own(
        id=ship.id,
        name=ship.card.name,
        type=ship.card.type,
        place=place,
        piece=piece,
        force=place,
        notes=tuple(ship.effects),
    )


def bears(ship: Ship) -> str:
    """R181, R220 The Hits that damage a ship and then sink it, of the sides of its counter that are
    left; of Convoys and squadrons those that destroy them."""
    points, card = rules().points, ship.card
    if ship.convoy or card.type == "DD":
        return str(points.convoy_limit if ship.convoy else points.squadron_limit)
    sides = [card.back] if ship.damaged else [card.front, card.back]
    return "/".join(str(side.hits) for side in sides if side and side.hits)


def _smoke(war: War, ship: str) -> str:
    """R199 What smoke does to a ship of a Battle under way."""
    if war.fight is None:
        return ""
    hidden = "in smoke" if ship in war.fight.hidden else ""
    return "making smoke" if ship in war.fight.smoke else hidden


def sea(war: War) -> Sea:
    """The public board."""
    return Sea(
        active=war.active,
        holder=war.holder if war.holder != war.active else "",
        weather=war.weather,
        tally=war.tally,
        operation=war.scenario,
        spell=war.spell,
        closed=tuple(war.closed),
        length=war.table.length,
        actions=war.actions,
        facts=facts(war),
        points=totals(war.scores, NAMES),
        ports={port: str(side) for port, side in sorted(war.ports.items())},
        harbours={port: war.hexes_of(port) for port in sorted(war.ports)},
        bases={base: str(side) for base, side in sorted(war.bases.items())},
        rules=tuple(victory.forbidding(war)),
        opened=war.table.open,
    )


def battle(war: War) -> Iterator[Fact]:
    """The Battle Board of a Battle under way: its round, and who is in which zone."""
    fight = war.fight
    if fight is None:
        return
    yield Fact("Battle", f"{fight.active} and {fight.target} in {fight.at}")
    yield Fact("Round", f"{max(1, fight.round)} of {fight.rounds}")
    if fight.snafu:
        yield Fact("Snafu Check", fight.snafu)
    if fight.confused:
        yield Fact("Confusion marker", NAMES[Side(fight.confused)])
    for side in (war.active, war.idle):
        for zone in ("far", "near", "close"):
            there = [s for s, z in sorted(fight.zones.items()) if z == zone]
            names = [_on_board(war, s) for s in there if war.ships[s].side == side]
            if names:
                yield Fact(f"{NAMES[side]} in {zone.title()}", ", ".join(names))


def _on_board(war: War, ship: str) -> str:
    """A ship of the Battle Board with its attitude, smoke and effects."""
    assert war.fight
    fight, one = war.fight, war.ships[ship]
    said = [fight.attitudes[ship]] if ship in fight.attitudes else []
    said += [smoke] if (smoke := _smoke(war, ship)) else []
    said += one.effects
    said += ["screened"] if ship in fight.screened else []
    return f"{one.card.name} ({', '.join(said)})" if said else one.card.name


def facts(war: War) -> list[Fact]:
    """Lines of the head; in a single Battle nobody seizes Initiative."""
    found = [Fact("Initiative", NAMES[war.active]), Fact("Weather", war.weather)]
    if not war.special("battle_board"):
        seize = f"{initiative.chance(war, 0)} %"
        found += [Fact("Tally", str(war.tally)), Fact("Seize", seize)]
    if war.inset:
        found.append(Fact("Inset", board.INSETS[war.inset].says))
    found += unidentified(war)
    if war.closed:
        found.append(Fact("Closed", ", ".join(port.title() for port in war.closed)))
    return [*found, *battle(war)]


def unidentified(war: War) -> Iterator[Fact]:
    """R214 Which Task Forces are unidentified, and of what each of them may consist."""
    for side in SIDES:
        ids = [f.id for f in war.own(side) if f.unknown]
        crews = [[war.ships[s] for s in pool] for pool in war.pools]
        told = [" and ".join(s.card.name for s in crew) for crew in crews if crew[0].side == side]
        if ids:
            yield Fact("Unidentified", f"{', '.join(ids)}: {' or '.join(told) or 'nothing'}")


def label(war: War) -> str:
    """`spell 3 of 30, German Initiative`"""
    told = f"spell {war.spell} of {war.table.length}, {NAMES[war.active]} Initiative"
    return f"{war.table.title}: {told}" if war.season else told


def news(war: War) -> str:
    """The report in a few words, for the subject of its mail."""
    return f"{war.total(GERMAN)} German to {war.total(BRITISH)} British points"


def watched(war: War) -> View:
    """What spectators see: everything, as all positions are public."""
    found = [_FOE(own, age=0) for side in SIDES for own in pieces(war, side)]
    return View(turn=war.turn, label="", units=(), contacts=found, board=sea(war))


def truth(war: War) -> View:
    """The whole state, for the referee."""
    return View(
        turn=war.turn,
        label=label(war),
        units=[own for side in SIDES for own in pieces(war, side)],
        board=sea(war),
        news=news(war),
    )
