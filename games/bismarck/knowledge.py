"""What one side has been told and nothing else: folded from events, read by its view."""

from msgspec import Struct

from games.bismarck import events as ev
from games.bismarck import events_battle as eb
from games.bismarck.vessels import Hits
from pbem.kit import contacts as kit
from pbem.kit.contacts import Trail
from pbem.model import Event

FORGET = 6  # turns after which an old contact that nothing identifies leaves the report: a day

VAGUE = ("passed", "HUFF-DUFF")  # where it was, or near


class Contact(Struct):
    """An enemy ship as this side knows it."""

    id: str
    type: str
    """7.23 BB, CA or CV."""
    zone: str
    turn: int
    """When it was last placed."""
    source: str
    """search, passed, general search, HUFF-DUFF or convoy."""
    force: tuple[str, ...] = ()
    """Pseudonyms in one task force with it."""
    name: str = ""
    """Where the rules identify it."""
    trail: Trail = ()


class Knowledge(Struct):
    """One side's memory. issued: pseudonyms given so far. searched, blank: the last calls.
    damage: boxes hit so far, by ship's name, own and enemy."""

    contacts: dict[str, Contact] = {}
    issued: int = 0
    searched: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()
    damage: dict[str, Hits] = {}


BOXES = ("bow", "stern", "port", "starboard", "midships", "permanent")
"""What the other side can see of a hit (9.18); what is lost for a time is its owner's secret."""


def learn(known: Knowledge, turn: int, event: Event) -> None:
    """Fold one event of `turn` into what its side knows."""
    if type(event) not in LEARNT:
        return
    if isinstance(event, ev.Searched):
        known.searched, known.blank = known.searched + event.zones, known.blank + event.blank
    elif isinstance(event, ev.Located):
        _place(known, turn, event.zone, "search", event.seen)
    elif isinstance(event, ev.PassedThrough):
        _place(known, turn, event.zone, "passed", event.seen)
    elif isinstance(event, ev.GeneralSearch):
        _place(known, turn, event.zone, "general search", event.seen, event.ship)
    elif isinstance(event, ev.ConvoySunk):
        for sighting, ship in zip(event.seen, event.ships, strict=False):
            _place(known, turn, event.zone, "convoy", (sighting,), ship)
    elif isinstance(event, ev.HuffDuff):
        heard = (ev.Sighting(event.id, event.type),)
        _place(known, turn, event.zone, "HUFF-DUFF", heard, event.ship)
    else:
        _learn_battle(known, turn, event)


LEARNT = frozenset(
    (
        ev.Searched,
        ev.Located,
        ev.PassedThrough,
        ev.GeneralSearch,
        ev.ConvoySunk,
        ev.HuffDuff,
        eb.ShadowHeld,
        eb.Struck,
        eb.BattleJoined,
        eb.Recognised,
        eb.ShipHit,
        eb.ShipSunk,
    )
)
"""The events that change what a side knows; most do not."""


def _learn_battle(known: Knowledge, turn: int, event: Event) -> None:
    """8.15, 9.18, 9.28 Shadows held, names read on counters, hits seen, ships sunk."""
    if isinstance(event, eb.ShadowHeld):
        _place(known, turn, event.zone, "shadow", event.seen)
    elif isinstance(event, eb.BattleJoined | eb.Recognised):
        for sighting, name in zip(event.seen, event.enemies, strict=True):
            _place(known, turn, event.zone, "battle", (sighting,), name)
    elif isinstance(event, eb.Struck):
        if event.contact in known.contacts:
            known.contacts[event.contact].name = event.target
    elif isinstance(event, eb.ShipHit):
        old = known.damage.get(event.who, Hits())
        new = (getattr(event, "evasion" if box == "permanent" else box, 0) for box in BOXES)
        known.damage[event.who] = Hits(
            *(getattr(old, box) + hits for box, hits in zip(BOXES, new, strict=True))
        )
    elif isinstance(event, eb.ShipSunk):
        for id_ in [i for i, c in known.contacts.items() if c.name == event.who]:
            del known.contacts[id_]
        known.damage.pop(event.who, None)


def forget(known: Knowledge, turn: int) -> None:
    """A new search: the last calls are forgotten, and old unidentified contacts expire."""
    known.searched = known.blank = ()
    kit.forget(known.contacts, turn, FORGET, lambda contact: contact.name)


def _place(
    known: Knowledge,
    turn: int,
    zone: str,
    source: str,
    seen: tuple[ev.Sighting, ...],
    name: str = "",
) -> None:
    for s in seen:
        old = known.contacts.get(s.id)
        if old and old.turn == turn and source in VAGUE and old.source not in VAGUE:
            old.name = old.name or name  # where it is is known better already
            continue
        known.contacts[s.id] = Contact(
            s.id,
            s.type,
            zone,
            turn,
            source,
            s.force,
            name or (old.name if old else ""),
            _trail(old, turn) if old else (),
        )


def _trail(old: Contact, turn: int) -> tuple[tuple[str, int], ...]:
    """The sightings before this one; HUFF-DUFF places do not count."""
    seen = old.turn != turn and old.source != "HUFF-DUFF"
    return kit.longer(old.trail, old.zone, old.turn, FORGET) if seen else old.trail
