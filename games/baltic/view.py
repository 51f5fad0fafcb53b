"""What a side may see: everything on the table, and of the enemy's sheets and cards nothing.

Hidden are bids, stacks and reserves, orders, the firepower left in a salvo, troopers, hull boxes
and ammunition; the option `sheets=open` shows hull boxes.
"""

from __future__ import annotations

from msgspec import structs

from games.baltic import gunnery, hulls, planning
from games.baltic.courses import degrees, inches, sailing
from games.baltic.menu import form, menu
from games.baltic.report import Board, Enemy, Mount, OwnVessel, Price, Span, Spread
from games.baltic.setup import market, shuns
from games.baltic.sketch import sketch
from games.baltic.state import Card, Marker, Vessel, War
from games.baltic.tables import SETTINGS, distances, plan
from pbem.kit.points import Fact
from pbem.model import Side, View

_KINDS = {"B": "battleship", "C": "cruiser", "D": "destroyer"}
_TRAITS = {"flying": "flying ", "aerial": "aerial ", "skimmer": "skimming ", "carrier": ""}


def view(state: War, side: Side) -> View:
    """One side's table."""
    shown = _shown(state, [side])
    shown.menu = menu(state, side)
    shown.form = form(state, side)
    return shown


def truth(state: War) -> View:
    """Every sheet, for the referee and the replay."""
    return _shown(state, state.sides)


def watched(state: War) -> View:
    """What lies open for all."""
    return _shown(state, [])


WINDOWS = {
    "planning": "planning",
    "place": "places",
    "stack": "stacks",
    "orders": "orders",
    "air": "aeroplanes",
    "between": "critical hits and repairs",
}
"""What the window of a stage is for, behind the turn."""


def _shown(war: War, sides: list[Side]) -> View:
    label = f"turn {war.turn} of {plan(war.scenario).turns}" if war.turn else "Set-up"
    said = f"round {war.round}" if war.round else WINDOWS.get(war.stage, "")
    if war.turn and said:
        label += f", {said}"
    own = [own_vessel(war, v) for v in war.listed() if v.side in sides and v.here]
    squads = [_squadron(war, c) for c in _cards(war) if c.side in sides and c.id not in c.members]
    air = [_own_marker(m) for m in war.markers.values() if m.side in sides and m.at != "lost"]
    contacts = [enemy(war, v) for v in war.listed() if v.side not in sides and _stands(war, v)]
    squadrons = [
        _enemy_squadron(war, c)
        for c in _cards(war)
        if c.side not in sides and c.id not in c.members and _stands(war, war.members(c)[0])
    ]
    foreign = [m for m in war.markers.values() if m.side not in sides and m.at == "air"]
    board = _board(war, sides)
    board.chart = sketch(board.map, own, contacts)
    return View(
        turn=war.turn,
        label=label,
        units=[*own, *squads, *air],
        contacts=[*contacts, *squadrons, *(_enemy_marker(m) for m in foreign)],
        board=board,
    )


def _stands(war: War, vessel: Vessel) -> bool:
    """Is she on the table, and set up already?"""
    return vessel.here and (war.turn > 0 or vessel.card in war.deployed)


def _cards(war: War) -> list[Card]:
    return [war.cards[name] for name in war.order if war.members(war.cards[name])]


def type_of(vessel: Vessel) -> str:
    """`skimming battleship`."""
    sheet = vessel.of
    if sheet.trait == "carrier":
        return "carrier"
    if sheet.trait == "aerial":
        return "aerial corvette"
    return _TRAITS.get(sheet.trait, "") + _KINDS[sheet.cls]


def condition(vessel: Vessel) -> str:
    """What lies open of her state."""
    if vessel.wreck:
        return "wreck"
    if vessel.aground:
        return "aground"
    return "crippled" if vessel.crippled else ""


def place(x: int, y: int) -> str:
    """`49.00 17.50`: inches east and north."""
    return f"{inches(x)} {inches(y)}"


def spans(war: War, vessel: Vessel) -> tuple[Span, ...]:
    """The settings by which she may sail: while they are set, those that planning allows; over what
    she can still do her own is not among them (25)."""
    card = war.cards[vessel.card]
    if war.stage in ("place", "stack", "orders", "air", "between"):
        deep = {card.setting: card.setting}
    else:
        deep = {s: planning.flooded(war, card, s) for s in planning.allowed(war, card)}
    base = vessel.of.template or "S"  # aerial corvettes turn freely and have none (44)
    wider = 1 if vessel.of.trait == "flying" and vessel.crippled else 0
    found = []
    for setting in SETTINGS:
        if setting in {*deep, *deep.values()}:
            how = sailing(hulls.column(vessel.of), setting, base, wider, vessel.hit_by("rudder"))
            down = deep.get(setting, setting)
            found.append(Span(setting, how.low, how.high, how.eighth, how.radius, down))
    return tuple(found)


def own_vessel(war: War, vessel: Vessel) -> OwnVessel:
    """Her sheet and her place."""
    card = war.cards[vessel.card]
    acts = vessel.acts
    setup = not war.turn and vessel.of.capital
    return OwnVessel(
        id=vessel.id,
        name=vessel.name,
        type=type_of(vessel),
        place=place(vessel.x, vessel.y),
        card=vessel.card,
        leader="" if vessel.of.capital else vessel.card,
        x=vessel.x,
        y=vessel.y,
        heading=vessel.heading,
        setting=vessel.coast if vessel.wreck else card.setting,
        spans=spans(war, vessel) if acts else (),
        hull=vessel.hull,
        boxes=vessel.of.hull,
        ram=vessel.ram,
        down=war.down(vessel),
        state=condition(vessel),
        lost=tuple(sorted(vessel.lost)),
        damage=tuple(c.effect for c in vessel.criticals if c.effect != "weapon"),
        coherent=vessel.coherent,
        sheet=vessel.sheet,
        hull_size=hulls.footprint_of(vessel.of),
        mounts=_mounts(vessel) if vessel.of.capital and acts else (),
        squadrons=war.carries(card),
        trail=tuple(vessel.trail[-4:]),
        splash=vessel.splash,
        shuns=shuns(war, card) if setup else (),
        placed=setup and card.id in war.deployed,
        aside=acts and war.reserves.get(vessel.side) == card.id,
        notes=tuple(_notes(war, vessel)),
    )


def _notes(war: War, vessel: Vessel) -> list[str]:
    """Her state in words, for the list of own ships."""
    if vessel.wreck:
        return ["wreck"]
    card = war.cards[vessel.card]
    found = [f"{_steams(card.setting)}, heading {degrees(vessel.heading)}"]
    if condition(vessel):
        found.append(condition(vessel))
    if vessel.lost:
        found.append(f"lost: {', '.join(sorted(vessel.lost))}")
    words = [c.effect for c in vessel.criticals if c.effect != "weapon"]
    if words:
        found.append(", ".join(words))
    if not vessel.coherent:
        found.append("out of coherency")
    if war.down(vessel):
        found.append("hull down")
    return ["; ".join(found)]


def _mounts(vessel: Vessel) -> tuple[Mount, ...]:
    """Her weapons that are left and have an arc."""
    left = [w for w in vessel.weapons if w.id not in vessel.lost and w.arc != "none"]
    run = (0, distances().torpedo)
    return tuple(
        Mount(w.id, w.kind, w.fp, w.arc, *(run if w.kind == "torp" else gunnery.reach(w)))
        for w in left
    )


def _steams(setting: str) -> str:
    """`full ahead`."""
    return setting if setting in ("reverse", "stop") else f"{setting} ahead"


def _squadron(war: War, card: Card) -> OwnVessel:
    """A squadron as one actor: its flagship's place and telegraph."""
    lead = war.members(card)[0]
    return OwnVessel(
        id=card.id,
        name=card.name,
        type="squadron",
        place=place(lead.x, lead.y),
        card=card.id,
        kind="squadron",
        x=lead.x,
        y=lead.y,
        heading=lead.heading,
        setting=card.setting,
        spans=spans(war, lead),
        sheet=card.sheet,
        hull_size=hulls.footprint_of(card.of),
        mounts=_mounts(lead),
        vessels=len(card.members),
        shuns=() if war.turn else shuns(war, card),
        placed=not war.turn and card.id in war.deployed,
        aside=war.reserves.get(card.side) == card.id,
        notes=(
            f"{len(war.members(card))} of {len(card.members)} afloat",
            f"{_steams(card.setting)}, heading {degrees(lead.heading)}",
        ),
    )


def _own_marker(marker: Marker) -> OwnVessel:
    flies = marker.at == "air"
    note = f"{marker.planes} planes, {marker.boxes} loads{_in_group(marker)}"
    if marker.guards:
        note += f", guards {marker.guards}"
    return OwnVessel(
        id=marker.id,
        name=marker.id,
        type=f"{marker.type} squadron" if marker.type != "torpedo" else "torpedo bombers",
        place=place(marker.x, marker.y) if flies else f"{marker.at} {marker.base}",
        kind="marker",
        x=marker.x,
        y=marker.y,
        planes=marker.planes,
        loads=marker.boxes,
        at=marker.at,
        notes=(note,),
    )


def enemy(war: War, vessel: Vessel) -> Enemy:
    """What lies open of a vessel."""
    card = war.cards[vessel.card]
    remarks = []
    setting = vessel.coast if vessel.wreck else card.setting
    remarks.append(f"{setting}, heading {degrees(vessel.heading)}")
    if condition(vessel):
        remarks.append(condition(vessel))
    if war.options.get("sheets") == "open" and vessel.of.capital:
        remarks.append(f"hull {vessel.hull} of {vessel.of.hull}")
    return Enemy(
        id=vessel.id,
        type=type_of(vessel),
        place=place(vessel.x, vessel.y),
        age=0,
        name=vessel.name,
        side=vessel.side,
        card=vessel.card,
        x=vessel.x,
        y=vessel.y,
        heading=vessel.heading,
        setting=setting,
        state=condition(vessel),
        down=war.down(vessel),
        sheet=vessel.sheet,
        splash=vessel.splash,
        trail=tuple(vessel.trail[-4:]),
        remarks="; ".join(remarks),
    )


def _enemy_squadron(war: War, card: Card) -> Enemy:
    """A squadron, by whose name orders mean its nearest vessel."""
    lead = war.members(card)[0]
    return structs.replace(enemy(war, lead), id=card.id, name=card.name, kind="squadron", trail=())


def _enemy_marker(marker: Marker) -> Enemy:
    return Enemy(
        id=marker.id,
        type=f"{marker.type}s" if marker.type != "torpedo" else "torpedo bombers",
        place=place(marker.x, marker.y),
        age=0,
        name=marker.id,
        side=marker.side,
        kind="marker",
        x=marker.x,
        y=marker.y,
        planes=marker.planes,
        remarks=f"{marker.planes} planes{_in_group(marker)}",
    )


def _in_group(marker: Marker) -> str:
    """137 With whom it flies: groups are declared openly."""
    return f", with {marker.flight}" if marker.flight and marker.at == "air" else ""


def _board(war: War, sides: list[Side]) -> Board:
    facts = []
    if war.places and war.turn:
        facts.append(Fact("Order", ", ".join(side.title() for side in war.places)))
    one = sides[0] if len(sides) == 1 else None
    pools = (f"{side.title()} {war.pools[side]}" for side in war.sides)
    facts.append(Fact("Strategy points", ", ".join(pools)))
    force = next((f for f in plan(war.scenario).forces if f.side == one), None)
    zone = (force.x[0], force.y[0], force.x[1], force.y[1]) if force else ()
    if zone and not war.turn:
        west, south, east, north = (mils // 1000 for mils in zone)
        facts.append(Fact("Your area", f"{west} to {east} east, {south} to {north} north"))
    return Board(
        facts=facts,
        map=plan(war.scenario).terrain,
        stage=war.stage,
        turns=plan(war.scenario).turns,
        pool=war.pools[one] if one else 0,
        places=len(war.sides),
        stack=tuple(war.stacks.get(one, ())) if one else (),
        reserve=war.reserves.get(one, "") if one else "",
        small=war.small and war.stage != "buy",
        salvoes=tuple(
            Spread(
                s.id,
                s.side,
                s.x,
                s.y,
                s.heading,
                s.fp if s.side in sides else 0,
                place(s.x, s.y),
                degrees(s.heading),
            )
            for s in war.salvoes.values()
        ),
        zone=zone,
        purse=plan(war.scenario).purse if war.stage == "buy" else 0,
        least=plan(war.scenario).least if war.stage == "buy" else 0,
        market=_market(war, one),
    )


def _market(war: War, side: Side | None) -> tuple[Price, ...]:
    """What a side can buy in this window."""
    if war.stage != "buy" or side is None:
        return ()
    return tuple(Price(n, sheet.points, sheet.capital) for n, sheet in market(side).items())
