"""What a side may order in this window, and the order form."""

from __future__ import annotations

from games.baltic import hulls, planning
from games.baltic import verbs as v
from games.baltic.courses import inches
from games.baltic.gunnery import GUNS
from games.baltic.state import Card, Vessel, War
from games.baltic.tables import SETTINGS, figures, telegraph
from pbem.kit.menus import item, offer
from pbem.model import MenuItem, Side

Menu = dict[str, list[MenuItem]]


def menu(war: War, side: Side) -> Menu:
    """By the window's stage: deployment, telegraph and bids, or the cards' orders."""
    cards = [
        war.cards[n] for n in war.order if war.cards[n].side == side and war.members(war.cards[n])
    ]
    found: Menu = {side.upper(): _seat(war, side, cards)}
    for card in cards:
        items = _planning(war, card)
        if war.stage in ("orders", "all"):
            items += _acts(war, card)
        if items:
            found[card.id] = items
        if card.id not in card.members and war.stage in ("orders", "all"):
            for vessel in war.members(card):
                found[vessel.id] = _weapons(war, vessel)
    if war.stage in ("orders", "all"):
        for marker in war.markers.values():
            if marker.side == side and marker.at in ("air", "edge", "deck"):
                found[marker.id] = _marker(war, marker.id, side)
    return {actor: items for actor, items in found.items() if items}


def _cards(war: War, side: Side) -> list[Card]:
    """Cards of a side that can still act, in the order of the list."""
    cards = [war.cards[name] for name in war.order]
    return [card for card in cards if card.side == side and war.members(card)]


def _seat(war: War, side: Side, cards: list[Card]) -> list[MenuItem]:
    """Orders to the whole side."""
    found: list[MenuItem | None] = []
    if war.stage in ("planning", "all", "deploy") and not (
        war.stage == "deploy" and war.options.get("play") != "asked"
    ):
        found.append(item(v.Bid))
    if war.stage in ("orders", "all"):
        ids = tuple(card.id for card in cards)
        found.append(item(v.Stack, cards=ids))
        if len(ids) > figures().small_fleet:
            small = tuple(card.id for card in cards if not card.of.capital)
            found += [item(v.Reserve, card=ids), item(v.PlayReserve), item(v.Dash, card=small)]
        if any(marker.side == side for marker in war.markers.values()):
            found += [item(v.ForceBombers), item(v.Lose)]
        found += [item(v.Force), item(v.Evade), item(v.Repair), item(v.Choose)]
    return offer(*found)


def _planning(war: War, card: Card) -> list[MenuItem]:
    """Deployment, or telegraph and hull."""
    if war.stage == "deploy":
        return offer(item(v.Deploy))
    if war.stage not in ("planning", "all") or card.of.trait == "aerial":
        return []
    trim = None
    if card.of.trait == "hull-down":
        trim = item(v.Up) if card.down else item(v.Down)
    return offer(item(v.Speed, setting=tuple(planning.allowed(war, card))), trim)


def _acts(war: War, card: Card) -> list[MenuItem]:
    """What a card does when it activates."""
    lead = war.members(card)[0]
    enemies = tuple(e.id for e in war.enemies(card.side))
    live = tuple(e.id for e in war.enemies(card.side) if e.acts)
    sails = (
        [item(v.Glide)]
        if card.of.trait == "aerial"
        else [item(v.Move), item(v.Steer, contact=enemies)]
    )
    surface = () if card.of.flies else (item(v.Force, contact=enemies), item(v.Evade))
    ship = []
    if card.of.capital:
        ship = [
            item(v.Board, contact=live) if lead.ram and not lead.crippled else None,
            item(v.Repair) if lead.criticals else None,
            item(v.Choose) if card.of.cls == "B" and card.of.trait != "carrier" else None,
            item(v.Launch, markers=_aboard(war, card)),
        ]
    return offer(*sails, *_weapons(war, lead), *surface, *ship)


def _aboard(war: War, card: Card) -> tuple[str, ...]:
    return tuple(
        m.id
        for m in war.markers.values()
        if m.base == card.id and m.at == "deck" and m.ready <= war.turn
    )


def _weapons(war: War, vessel: Vessel) -> list[MenuItem]:
    """Her weapons that are left."""
    enemies = tuple(e.id for e in war.enemies(vessel.side))
    left = [w for w in vessel.weapons if w.id not in vessel.lost]
    guns = tuple(w.id for w in left if w.kind in GUNS)
    return offer(
        item(v.Fire, weapon=("ALL", *guns), at=enemies) if guns else None,
        item(v.Torpedo, weapon=tuple(w.id for w in left if w.kind == "torp")),
        item(v.Beam, weapon=tuple(w.id for w in left if w.kind == "beam"), at=enemies),
        item(v.Bomb, contact=enemies) if any(w.kind == "bomb" for w in left) else None,
        item(v.HoldFire),
    )


def _marker(war: War, name: str, side: Side) -> list[MenuItem]:
    marker = war.markers[name]
    enemies = tuple(e.id for e in war.enemies(side) if e.acts)
    foes = tuple(m.id for m in war.markers.values() if m.side != side and m.at == "air")
    others = tuple(
        m.id
        for m in war.markers.values()
        if m.side == side and m.id != name and m.at in ("air", "edge", "deck")
    )
    targets = (*enemies, *foes) if marker.type == "fighter" else enemies
    guards = tuple(m for m in others if war.markers[m].type != "fighter")
    ships = tuple(x.id for x in war.listed() if x.side == side and x.acts and x.of.capital)
    fighter = marker.type == "fighter"
    return offer(
        item(v.Fly, attack=targets),
        item(v.Attack, contact=targets),
        item(v.Escort, marker=guards) if fighter else None,
        item(v.Cap, ship=ships) if fighter else None,
        item(v.Break) if marker.guards else None,
        item(v.Home),
        item(v.Group, markers=others),
    )


def form(war: War, side: Side) -> list[str]:
    """A legal line for every card; the unedited form steams on and fires at the nearest enemy."""
    cards = [
        war.cards[n] for n in war.order if war.cards[n].side == side and war.members(war.cards[n])
    ]
    seat = side.upper()
    if war.stage == "deploy":
        return [_deployed(war, card) for card in cards]
    found = []
    if war.stage in ("planning", "all"):
        found.append(f"{seat}: bid {min(figures().least_bid, war.pools[side])} first;")
        found += [f"{c.id}: speed {_kept(war, c)};" for c in cards if c.of.trait != "aerial"]
    if war.stage in ("orders", "all"):
        found.append(f"{seat}: stack {' '.join(card.id for card in cards)};")
        for card in cards:
            found += _sails(war, card)
    return found


def _kept(war: War, card: Card) -> str:
    options = planning.allowed(war, card)
    return card.setting if card.setting in options else options[0]


def _deployed(war: War, card: Card) -> str:
    lead = war.vessels[card.members[0]]
    from games.baltic.courses import degrees

    return f"{card.id}: deploy {inches(lead.x)} {inches(lead.y)} heading {degrees(lead.heading)};"


def _sails(war: War, card: Card) -> list[str]:
    lead = war.members(card)[0]
    if card.of.trait == "aerial":
        from games.baltic.courses import degrees
        from pbem.kit import plane

        end = plane.ahead(lead.pose, 10010)
        heading = degrees(lead.heading)
        return [f"{card.id}: glide {inches(end.x)} {inches(end.y)} heading {heading};"]
    setting = _kept(war, card) if war.stage == "all" else card.setting
    low, _ = telegraph(hulls.column(card.of))[SETTINGS.index(setting)]
    if lead.aground or not low:
        return []
    return [f"{card.id}: move ahead {inches(low)};"]
