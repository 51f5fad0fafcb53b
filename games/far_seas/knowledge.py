"""What the Allies have been told of German ships: folded from events, read by their view.

The Germans need none: Allied ships are open on the board.
"""

from msgspec import Struct

from games.far_seas import events as ev
from games.far_seas import events_battle as eb
from orders.fold import fold
from pbem.kit.contacts import Trail, longer
from pbem.model import Event

FORGET = 4
"""How many earlier sightings of a German are kept."""


class Sighting(Struct):
    """A German ship as the Allies know it."""

    ship: str
    area: str
    """Where it was last placed."""
    turn: int
    """When it was placed."""
    moves: int = 0
    """How often it was named since."""
    source: str = "set-up"
    """The kind of event that placed it."""
    named: int = 0
    """The turn in which it was last named."""
    damage: int = 0
    """As seen in a fight."""
    fought: int = 0
    """K3 Its combats so far: both sides saw them."""
    surprised: bool = False
    """S11 It has made its surprise search, which both sides saw."""
    held: bool = False
    """G7 It was found in the river and must remain there: Allied ships have watched since."""
    trail: Trail = ()
    """Earlier sightings elsewhere."""


class Missing(Struct):
    """E1 Merchants taken in an area, by a raider that nobody saw."""

    area: str
    count: int
    turn: int


class Knowledge(Struct):
    """What the Allies know. ships: by id, without those that are gone; missing: newest last."""

    ships: dict[str, Sighting] = {}
    canal: int = 0
    """G1 The turn in which a German was last named for the Panama Canal."""
    missing: list[Missing] = []


def learn(known: Knowledge, turn: int, event: Event) -> None:
    """Fold one event that the Allies are told into what they know."""
    if isinstance(event, ev.MoversNamed):
        known.canal = turn if event.canal else known.canal
        for id_ in event.who:
            if seen := known.ships.get(id_):
                seen.named = turn
                if seen.held:  # G7
                    seen.turn = turn
                else:
                    seen.moves += 1
    elif isinstance(event, ev.MerchantsTaken):
        known.missing.append(Missing(event.area, event.count, turn))
    elif isinstance(event, ev.LinerInterned | ev.HomeMissed | eb.ShipSunk):
        known.ships.pop(event.who, None)
    elif isinstance(event, ev.HomeReached):
        for id_ in event.who:
            known.ships.pop(id_, None)
    else:
        _learn_meeting(known, turn, event)


def _learn_meeting(known: Knowledge, turn: int, event: Event) -> None:
    """Where Germans were met or seen, how they were hurt, that they got away."""
    if isinstance(event, (eb.Damaged, eb.Mended)):
        if seen := known.ships.get(fold(event.who)[0].upper()):
            seen.damage = event.damage
    elif isinstance(event, eb.Escaped):
        for id_ in (fold(name)[0].upper() for name in event.who):
            if id_ in known.ships:
                known.ships[id_].moves += 1
    elif isinstance(event, eb.RoundBegun):
        for id_ in (fold(name)[0].upper() for name in event.german if event.round == 1):
            if id_ in known.ships:
                known.ships[id_].fought += 1
    elif (area := getattr(event, "area", "")) and (ids := getattr(event, "germans", ())):
        for id_ in ids:
            held = isinstance(event, ev.FoundInRiver)
            place(known, Sighting(id_, area, turn, source=type(event).__name__, held=held))
            known.ships[id_].surprised |= isinstance(event, ev.Surprised)


def place(known: Knowledge, seen: Sighting) -> None:
    """A German is placed anew; its naming, damage and earlier places stay known."""
    if old := known.ships.get(seen.ship):
        seen.named, seen.damage = old.named, old.damage
        seen.fought, seen.surprised = old.fought, old.surprised
        seen.trail = old.trail
        if old.area != seen.area:
            seen.trail = longer(old.trail, old.area, old.turn, FORGET)
    known.ships[seen.ship] = seen
