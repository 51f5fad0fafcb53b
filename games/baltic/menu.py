"""What a side may order in this window, and the order form."""

from __future__ import annotations

from games.baltic import hulls, planning
from games.baltic import verbs as v
from games.baltic.courses import degrees, inches
from games.baltic.decks import deck
from games.baltic.gunnery import GUNS, in_arc
from games.baltic.markers import FIGHTER, flying
from games.baltic.setup import market
from games.baltic.state import Card, Marker, Vessel, War
from games.baltic.tables import SETTINGS, Weapon, distances, figures, plan, telegraph
from pbem.kit import plane
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]


ACTS = ("orders", "all")
"""Stages of windows in which cards get their orders."""
PLANS = ("planning", "all")
REMARKS = {
    "place": "[ a side chooses its place now; cards get their orders in a later window ]",
    "between": "[ all cards are played; orders here are for repairs and critical hits ]",
}
"""What the form of a window says that has questions alone, and no orders for cards."""
SETTING_UP = "[ a side chooses its place now; ships are set up in later windows ]"


def menu(war: War, side: Side) -> Menu:
    """By the window's stage: fleets, deployment, telegraph and bids, or the cards' orders."""
    cards = _cards(war, side)
    found: Menu = {side.upper(): _seat(war, side, cards)}
    for card in cards:
        found[card.id] = _planning(war, card)
        if war.stage in ACTS and not (war.round and card.used):
            found[card.id] += _acts(war, card)
            if card.id not in card.members:
                rams = offer(*_rams(_level(war, card)))
                found |= {one.id: _weapons(war, one) + rams for one in war.members(card)}
        if war.stage == "between":
            found[card.id] += offer(*_crew(card, war.members(card)[0]))
    if war.stage in (*ACTS, "air"):
        for marker in war.markers.values():
            if marker.side == side and marker.at in ("air", "edge", "deck"):
                found[marker.id] = _marker(war, marker)
    return {actor: items for actor, items in found.items() if items or actor == side.upper()}


def _cards(war: War, side: Side) -> list[Card]:
    """Cards of a side that can still act, in the order of the list."""
    cards = [war.cards[name] for name in war.order]
    return [card for card in cards if card.side == side and war.members(card)]


def _seat(war: War, side: Side, cards: list[Card]) -> list[MenuItem]:
    """Orders to the whole side."""
    found: list[MenuItem | None] = []
    if war.stage == "buy":
        found.append(item(v.Buy, ships=tuple(market(side))))
    if war.stage in (*PLANS, "bid"):
        found.append(item(v.Bid))
    if war.stage in PLANS:
        found.append(item(v.Resign))
    if war.stage in (*ACTS, "stack"):
        found += _hand(war, cards)
    if war.stage == "between":
        found += [item(v.Repair), item(v.Choose)]
    if war.stage in (*ACTS, "stack", "air"):
        own = tuple(m.id for m in war.markers.values() if m.side == side and m.at != "lost")
        if own:
            found += [item(v.ForceBombers), item(v.Lose, markers=own)]
        found += [item(v.Force), item(v.Evade), item(v.Repair), item(v.Choose)]
    if war.stage in (*ACTS, "stack"):
        found.append(_ack_ack(war, side))
    return offer(*found)


def _hand(war: War, cards: list[Card]) -> list[MenuItem | None]:
    """31-35 The stack is laid before the first round; then its squadrons may dash, once a turn, and
    a reserve may be played that has not been. In a small battle there is neither."""
    ids = tuple(card.id for card in cards)
    small = tuple(card.id for card in cards if not card.of.capital)
    if not war.round:
        laid = [item(v.Stack, cards=ids) if ids else None]
        if war.small:
            return laid
        return [*laid, item(v.Reserve, card=ids), item(v.PlayReserve), item(v.Dash, card=small)]
    if war.small or not cards:
        return []
    side = cards[0].side
    left = tuple(n for n in small if n in war.stacks.get(side, ()) and side not in war.dashed)
    return [item(v.PlayReserve) if side in war.reserves else None, item(v.Dash, card=left)]


def _planning(war: War, card: Card) -> list[MenuItem]:
    """Deployment, or telegraph and hull."""
    if war.stage == "deploy":
        placed = card.id in war.deployed or (war.band and card.of.cls != war.band)
        return offer(
            None if placed else item(v.Deploy),
            item(v.Stock) if card.of.squadrons and not placed else None,
        )
    if war.stage not in PLANS or card.of.trait == "aerial":
        return []
    trim = None
    if card.of.trait == "hull-down":
        trim = item(v.Up) if card.down else item(v.Down)
    return offer(item(v.Speed, setting=tuple(planning.allowed(war, card))), trim)


def _acts(war: War, card: Card) -> list[MenuItem]:
    """What a card does when it activates."""
    lead = war.members(card)[0]
    squadrons = war.squadrons(card.side)
    enemies = (*(e.id for e in war.enemies(card.side)), *squadrons)
    live = (*(e.id for e in war.enemies(card.side) if e.acts), *squadrons)
    sails = (
        [item(v.Glide)]
        if card.of.trait == "aerial"
        else [item(v.Move), item(v.Steer, contact=enemies)]
    )
    ship = []
    if card.of.capital:
        ship = [
            item(v.Board, contact=live) if lead.ram and not lead.crippled else None,
            *_crew(card, lead),
            item(v.Launch, markers=_aboard(war, card)) if deck(lead) else None,
        ]
    return offer(*sails, *_weapons(war, lead), *_rams(_level(war, card)), *ship)


def _crew(card: Card, lead: Vessel) -> list[MenuItem | None]:
    """138, 152 What a ship of the line says of repairs and critical hits."""
    if not card.of.capital:
        return []
    return [
        item(v.Repair) if lead.criticals else None,
        item(v.Choose) if card.of.cls == "B" and card.of.trait != "carrier" else None,
    ]


def _level(war: War, card: Card) -> tuple[str, ...]:
    """Enemies that fly as the card's vessels do, or lie on the water with them."""
    flies = card.of.flies
    squadrons = (n for n in war.squadrons(card.side) if war.cards[n].of.flies == flies)
    return (*(e.id for e in war.enemies(card.side) if e.aloft == flies), *squadrons)


def _rams(level: tuple[str, ...]) -> list[MenuItem | None]:
    """49, 57 What flies and what does not never collide."""
    return [item(v.Force, contact=level), item(v.Evade)] if level else []


def _aboard(war: War, card: Card) -> tuple[str, ...]:
    return tuple(
        m.id
        for m in war.markers.values()
        if m.base == card.id and m.at == "deck" and m.ready <= war.turn
    )


def _weapons(war: War, vessel: Vessel) -> list[MenuItem]:
    """Her weapons that are left."""
    enemies = (*(e.id for e in war.enemies(vessel.side)), *war.squadrons(vessel.side))
    left = [w for w in vessel.weapons if w.id not in vessel.lost]
    guns = tuple(w.id for w in left if w.kind in GUNS)
    tubes = [w for w in left if w.kind == "torp"]
    return offer(
        item(v.Fire, weapon=("ALL", *guns), at=enemies) if guns else None,
        item(v.Torpedo, weapon=tuple(w.id for w in tubes), side=_broadsides(tubes)),
        item(v.Beam, weapon=tuple(w.id for w in left if w.kind == "beam"), at=enemies),
        item(v.Bomb, contact=enemies) if any(w.kind == "bomb" for w in left) else None,
        item(v.HoldFire),
        _ack_ack(war, vessel.side) if vessel.of.aa else None,
    )


def _ack_ack(war: War, side: Side) -> MenuItem | None:
    """136 Where an enemy has what flies, as all know from the fleets and the scenario."""
    corvettes = [e.id for e in war.enemies(side) if e.of.trait == "aerial" and e.acts]
    carriers = [c.id for c in war.cards.values() if c.side != side and c.of.squadrons]
    given = [f.side for f in plan(war.scenario).forces if f.planes and f.side != side]
    if not (corvettes or carriers or given):
        return None
    return item(v.Aa, at=(*corvettes, *(m.id for m in flying(war, side, enemy=True))))


def _broadsides(tubes: list[Weapon]) -> tuple[str, ...]:
    """11 of 2.1 The sides off which torpedoes can be launched; most go ahead alone."""
    ways = {"port": -1440, "starboard": 1440}
    return tuple(w for w, turn in ways.items() if any(in_arc(t.arc, turn) for t in tubes))


def _marker(war: War, marker: Marker) -> list[MenuItem]:
    """A fighter on patrol may only break it off (133), and one without a carrier has no home
    (110)."""
    fighter, side = marker.type == FIGHTER, marker.side
    if marker.guards in war.vessels:
        return offer(item(v.Break))
    foes = [m.id for m in flying(war, side, enemy=True)] if fighter else []
    ships = (e.id for e in war.enemies(side) if e.of.flies or not fighter)  # 126
    squadrons = (n for n in war.squadrons(side) if war.cards[n].of.flies or not fighter)
    targets = (*ships, *squadrons, *foes)
    mates = [
        m
        for m in war.markers.values()
        if m.side == side and m is not marker and m.at in ("air", "edge", "deck")
    ]
    guards = tuple(m.id for m in mates if m.type != FIGHTER)
    own = tuple(x.id for x in war.listed() if x.side == side and x.acts and x.of.capital)
    return offer(
        item(v.Fly, attack=targets),
        item(v.Attack, contact=targets),
        item(v.Escort, marker=guards) if fighter else None,
        item(v.Cap, ship=own) if fighter else None,
        None if fighter and marker.base not in war.vessels else item(v.Home),
        item(v.Group, markers=tuple(m.id for m in mates)),
    )


def form(war: War, side: Side) -> list[str]:
    """A legal line for every card; the unedited form steams on and fires at the nearest enemy."""
    cards, seat = _cards(war, side), side.upper()
    if war.stage in REMARKS:
        return [REMARKS[war.stage] if war.turn else SETTING_UP]
    if war.stage == "buy":
        return [f"{seat}: buy {' '.join(card.id for card in cards)};"]
    if war.stage == "bid":
        return [f"{seat}: bid 0 first;"]
    if war.stage == "deploy":
        left = [card for card in cards if card.id not in war.deployed]
        return [_deployed(war, c) for c in left if war.band in ("", c.of.cls)]
    found = []
    if war.stage in PLANS:
        found.append(f"{seat}: bid {min(figures().least_bid, war.pools[side])} first;")
        found += [f"{c.id}: speed {_kept(war, c)};" for c in cards if c.of.trait != "aerial"]
    if cards and war.stage in (*ACTS, "stack") and not war.round:
        found.append(f"{seat}: stack {' '.join(card.id for card in cards)};")
    if war.stage in ACTS:
        for card in cards:
            if not (war.round and card.used):
                found += _sails(war, card)
    return found


def _kept(war: War, card: Card) -> str:
    options = planning.allowed(war, card)
    return card.setting if card.setting in options else options[0]


def _deployed(war: War, card: Card) -> str:
    lead = war.vessels[card.members[0]]
    return f"{card.id}: deploy {inches(lead.x)} {inches(lead.y)} heading {degrees(lead.heading)};"


def _sails(war: War, card: Card) -> list[str]:
    lead = war.members(card)[0]
    if card.of.trait == "aerial":
        end = plane.ahead(lead.pose, distances().aerial_least + 10)
        heading = degrees(lead.heading)
        return [f"{card.id}: glide {inches(end.x)} {inches(end.y)} heading {heading};"]
    setting = _kept(war, card) if war.stage == "all" else card.setting
    low, _ = telegraph(hulls.column(card.of))[SETTINGS.index(setting)]
    if lead.aground or not low:
        return []
    return [f"{card.id}: move ahead {inches(low)};"]
