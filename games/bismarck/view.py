"""What a side's reports may show: own units, own knowledge, the public board. Secrecy lives here.

Nothing in this module but `truth` reads an enemy unit, and nothing is ordered by what is hidden.
Enemy counters on a battle board are read by `battle_view`.
"""

from __future__ import annotations

from games.bismarck import (
    air,
    battle_text,
    battle_view,
    board,
    calendar,
    chart_text,
    menu,
    taskforce,
)
from games.bismarck.battle.gunnery import GUNS, left
from games.bismarck.board import BRITISH, GERMAN, SIDES, Zone
from games.bismarck.chart_text import Marks
from games.bismarck.knowledge import Contact, Knowledge
from games.bismarck.report import (
    AirView,
    BotBoard,
    Chart,
    Damage,
    Enemy,
    ForceView,
    SearchBoard,
    ShipView,
)
from games.bismarck.state import AirUnit, Engine, Hits, Plan, Ship, TaskForce, War
from pbem.kit.points import Fact, totals
from pbem.kit.views import filler
from pbem.model import Side, UnitView, View

NAMES = {BRITISH: "British", GERMAN: "German"}


def view(war: War, side: Side) -> View:
    """All that `side` may see now."""
    contacts = enemies(war.known[side], war.turn)
    return View(
        turn=war.turn,
        label=calendar.label(war.turn),
        units=own_units(war, side),
        lost=lost(war, side),
        contacts=contacts,
        menu=menu.menu(war, side),
        board=search_board(war, side),
        news=news(war, contacts),
        form=menu.form(war, side),
    )


def lost(war: War, side: Side) -> dict[str, str]:
    """9.714 Own ships that were sunk, each with when."""
    sunk = (s for s in war.ships.values() if s.side == side and s.sunk and s.sunk_in)
    return {s.id: f"was sunk in turn {s.sunk_in}, {calendar.label(s.sunk_in)}" for s in sunk}


def bot_view(war: War, side: Side) -> View:
    """The same without what bots do not read: chart, battles, facts in words, form."""
    return View(
        turn=war.turn,
        label=calendar.label(war.turn),
        units=own_units(war, side),
        contacts=enemies(war.known[side], war.turn),
        menu=menu.menu(war, side),
        board=BotBoard(
            level=calendar.level_name(war.level),
            fog=war.fog,
            night=light(war.turn),
            points=totals(war.scores, NAMES),
            searched=list(war.known[side].searched),
            convoys=len(war.convoys),
            damage=damage(war, side),
        ),
    )


def own_units(war: War, side: Side) -> list[UnitView]:
    """Task forces, ships and air units."""
    return [
        *(force_view(war, f) for f in own_forces(war, side)),
        *(ship_view(war, s) for s in war.fleet(side)),
        *(air_view(war, u) for u in war.wing(side)),
    ]


def own_forces(war: War, side: Side) -> list[TaskForce]:
    """The side's task forces, in order of their names."""
    return [f for _, f in sorted(war.forces[side].items())]


_SHIP = filler(
    ShipView,
    {
        Ship: "id name type place=zone factors=fuel top=speed two mode force wake hold",
        Engine: "tied launched",
    },
)


def ship_view(war: War, ship: Ship) -> ShipView:
    """5 An own ship."""
    fuel = "-" if ship.fuel is None else f"{ship.fuel}/{ship.tank}"
    return _SHIP(
        ship,
        taskforce.engine(war, ship),
        fuel=fuel,
        evasion=ship.evasion_now,
        regain=regain(war, ship),
        path=rest(ship.plan),
        salvos=sum(left(ship.sections, ship.hits, gun) for gun in GUNS),
    )


def regain(war: War, ship: Ship) -> int:
    """9.728 The evasion that a ship may regain before the battles of this turn, at most."""
    if war.sailing or not ship.hits.temporary:
        return 0
    from games.bismarck.battle.charts import charts  # most turns have no damaged ship

    return min(ship.hits.temporary, max(charts(war.house).repair))


def rest(plan: Plan | None) -> tuple[Zone, ...]:
    """The zones still to enter by orders given."""
    return tuple(plan.rest) if plan else ()


_FORCE = filler(ForceView, {TaskForce: "id=name name mode"})


def force_view(war: War, force: TaskForce) -> ForceView:
    """5.4 An own task force."""
    ships = [war.ships[s] for s in force.ships]
    slowest = min(ship.evasion_now for ship in ships)
    least = min((s.fuel for s in ships if s.fuel is not None), default=None)
    return _FORCE(
        force,
        type="TF",
        place=ships[0].zone,
        fuel="-" if least is None else str(least),
        evasion=slowest,
        regain=min(s.evasion_now + regain(war, s) for s in ships) - slowest,
        ships=list(force.ships),
        path=rest(force.plan),
    )


_AIR = filler(AirView, {AirUnit: "id name type base flying mode up ready"})


def air_view(war: War, unit: AirUnit) -> AirView:
    """6 An own air unit; at base it stands where the base is."""
    home, faces = air.base_zone(war, unit), menu.faces(unit)
    return _AIR(
        unit,
        place=unit.zone or home,
        home=home,
        reach={mode: face.speed for mode, face in faces.items()},
        endurance={mode: face.endurance for mode, face in faces.items()},
        path=rest(unit.plan),
    )


_ENEMY = filler(Enemy, {Contact: "id type place=zone source force name"})


def enemies(known: Knowledge, turn: int) -> list[Enemy]:
    """7.23 The contacts, by their numbers, which this side's own knowledge gave."""
    return [
        _ENEMY(
            c,
            age=turn - c.turn,
            seen=calendar.label(c.turn),
            trail=tuple((zone, turn - then) for zone, then in c.trail),
        )
        for c in sorted(known.contacts.values(), key=_number)
    ]


def _number(contact: Contact) -> int:
    return int(contact.id[2:])


def search_board(war: War, side: Side) -> SearchBoard:
    """Weather, light, points and the chart."""
    known = war.known[side]
    fought, drawn = battle_view.boards(war, side), chart(war, side)
    drawn.battles = [battle_text.draw(battle) for battle in fought]
    return SearchBoard(
        level=calendar.level_name(war.level),
        fog=war.fog,
        c_turn=calendar.c_turn(war.turn),
        night=light(war.turn),
        facts=facts(war),
        points=totals(war.scores, NAMES),
        searched=list(known.searched),
        blank=list(known.blank),
        convoys=len(war.convoys),
        damage=damage(war, side),
        chart=drawn,
        battles=fought,
    )


def damage(war: War, side: Side) -> list[Damage]:
    """What the side knows of damage: its own ships, then the enemy's."""
    return [*own_damage(war, side), *seen_damage(war, side)]


BOXES = ("bow", "stern", "port", "starboard", "midships")


def own_damage(war: War, side: Side) -> list[Damage]:
    """9.711, 9.727 The hit record of the side's own ships afloat that were hit."""
    return [
        Damage(ship.name, f"{_record(ship)}; evasion {ship.evasion_now} of {ship.evasion}")
        for ship in war.fleet(side)
        if ship.hits != Hits()
    ]


def _record(ship: Ship) -> str:
    lost = [(box, getattr(ship.hits, box), getattr(ship.sections, box)) for box in BOXES]
    return ", ".join(f"{box} {hit} of {all_}" for box, hit, all_ in lost if hit) or "no boxes lost"


def seen_damage(war: War, side: Side) -> list[Damage]:
    """9.18 Boxes that this side saw hit on enemy ships; it does not know what was repaired."""
    own = {ship.name for ship in war.ships.values() if ship.side == side}
    return [
        Damage(f"enemy {name}", _seen(hits))
        for name, hits in sorted(war.known[side].damage.items())
        if name not in own
    ]


def _seen(hits: Hits) -> str:
    boxes = [f"{box} {getattr(hits, box)}" for box in BOXES if getattr(hits, box)]
    lasting = [f"evasion -{hits.permanent} for good"] if hits.permanent else []
    return ", ".join([*boxes, *lasting]) + " seen hit"


def light(turn: int) -> str:
    """11.11 Where it is night: `none`, `south` of 55 degrees, `all`."""
    return {"2000": "south", "2400": "all"}.get(calendar.clock(turn), "none")


LIGHT = {"none": "day", "south": "night south of 55 N", "all": "night"}


def facts(war: War) -> list[Fact]:
    """7, 11 What both know of the turn that is to be ordered."""
    at, c_turn = calendar.label(war.turn), ", C turn" if calendar.c_turn(war.turn) else ""
    return [
        Fact("Visibility", calendar.level_name(war.level)),
        Fact("", "Fog" if war.fog else "No fog"),
        Fact("", f"{at}: {LIGHT[light(war.turn)]}{c_turn}"),
    ]


def news(war: War, contacts: list[Enemy]) -> str:
    """The report in a few words, for the subject of its mail."""
    fresh = [c for c in contacts if c.age <= 1]
    if fresh:
        return ", ".join(f"{c.id} {c.type} {c.place}" for c in fresh[:3])
    return f"visibility {calendar.level_name(war.level)}, {'fog' if war.fog else 'no fog'}"


def chart(war: War, side: Side) -> Chart:
    """The chart: own units, contacts, what was searched, fog."""
    known = war.known[side]
    placed = [c for c in known.contacts.values() if c.source != "HUFF-DUFF"]
    heard = [c for c in known.contacts.values() if c.source == "HUFF-DUFF"]
    placed.sort(key=lambda c: -_number(c))  # of several in a zone the first number is drawn
    now = {c.zone: f"X{c.id[2:]}" for c in placed if war.turn - c.turn <= 1}
    old = {c.zone: f"x{c.id[2:]}" for c in placed if war.turn - c.turn > 1}
    return chart_text.draw(
        Marks(
            fog=sorted(board.FOG) if war.fog else (),
            searched=known.searched,
            heard=[z for c in heard for z in (c.zone, *board.around(c.zone)) if z in board.SEA],
            air=[u.zone for u in war.airborne(side)],
            old=old,
            own=own_marks(war, side),
            now=now,
        ),
        side,
    )


def own_marks(war: War, side: Side) -> dict[str, str]:
    """Task forces `T1`, single ships by two letters of their names; `+` where several lie."""
    marks: dict[str, str] = {}
    there = [(war.ships[f.ships[0]].zone, f"T{f.name[2:]}"[:2]) for f in own_forces(war, side)]
    there += [(s.zone, abbreviation(s.name)) for s in war.fleet(side) if not s.force]
    for zone, mark in there:
        marks[zone] = f"{marks[zone][:2]}+" if zone in marks else mark
    return marks


ALIKE = {"Repulse": "RP", "Arethusa": "AT"}  # else as Revenge and Aurora


def abbreviation(name: str) -> str:
    """Two letters of a ship: initials of two words, else its first and last letter."""
    if name in ALIKE:
        return ALIKE[name]
    words = [w for w in name.split() if w[0].isupper()]
    return (words[0][0] + (words[1][0] if len(words) > 1 else words[0][-1])).upper()


def watched(war: War) -> View:
    """What both know: weather, light, points, convoys lost; of ships, what events tell."""
    public = search_board(war, BRITISH)
    public.searched, public.blank, public.damage, public.battles = [], [], [], []
    public.chart = chart_text.draw(Marks(fog=sorted(board.FOG) if war.fog else ()), BRITISH)
    return View(turn=war.turn, label="", units=(), board=public)


def truth(war: War) -> View:
    """Both sides' units, contacts and ships on one chart, for the referee alone."""
    views = [view(war, side) for side in SIDES]
    both = search_board(war, BRITISH)
    both.chart = chart_text.draw(
        Marks(
            fog=sorted(board.FOG) if war.fog else (),
            air=[u.zone for side in SIDES for u in war.airborne(side)],
            own=own_marks(war, BRITISH),
            now=own_marks(war, GERMAN),
        ),
        BRITISH,
    )
    both.chart.legend = ["ships by two letters, Germans over British (!)   ^ aircraft"]
    both.damage = [item for side in SIDES for item in own_damage(war, side)]
    return View(
        turn=war.turn,
        label=calendar.label(war.turn),
        units=[u for v in views for u in v.units],
        contacts=[c for v in views for c in v.contacts],
        board=both,
        news=news(war, []),
    )
