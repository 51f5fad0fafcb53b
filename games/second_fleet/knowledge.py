"""6.16 What a side knows of the enemy: contacts by marker, with their level.

A contact goes by a pseudonym of its observer while a marker lies on it (`fog=open`: all the time),
also through groups that merge and split; lost and found again, it has a new one. What each side was
told is folded from events by `learn`; only `refresh` reads the truth, and tells of it what the
markers show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from games.second_fleet import events as ev
from games.second_fleet.state import Heirs, Kind, Known, War, enemy
from games.second_fleet.tables import ARRAY
from pbem.kit.contacts import by_lot, forget, longer, number
from pbem.model import Event, Side, TableLike

TRAIL, MEMORY = 5, 3
"""Earlier places of a contact that are kept; turns after which one is forgotten."""
SIZES = ((3, "2-3"), (6, "4-6"), (9, "7-9"), (12, "10-12"))


class Look(Struct, frozen=True):
    """6.16/2 What a marker shows of what lies under it."""

    at: str
    what: Kind
    types: tuple[str, ...]
    size: str
    level: int
    hurt: int
    names: tuple[str, ...]


class Marker(Protocol):
    """An event that says what a marker shows."""

    contact: str
    at: str


def look(war: War, side: Side, key: str) -> Look:
    """What `side` sees of the enemy's group, ship or submarine."""
    members = war.members(key)
    types = sorted((v.type for v in members), key=ARRAY.index)
    level = members[0].level
    veiled = war.on("decoys") and level == 1 and war.marker(key) in ("TF", "TG")  # 6.19/2
    if veiled or members[0].decoy:
        types = []
    named = [
        f"{v.id} damaged" if v.damaged else v.id
        for v in sorted(members, key=lambda v: (ARRAY.index(v.type), v.id))
        if level and v.id in war.named[side]
    ]
    return Look(
        at=members[0].hex,
        what=war.marker(key),
        types=_types(types, level),
        size="" if veiled else _size(len(members), level),
        level=level,
        hurt=sum(v.damaged for v in members) if level == 2 else 0,
        names=tuple(named),
    )


def _types(types: list[str], level: int) -> tuple[str, ...]:
    """6.16/2 None without a marker, `DD` at Local, `2 DD` at Strategic."""
    if level < 2:
        return tuple(dict.fromkeys(types)) if level else ()
    counts = {t: types.count(t) for t in types}
    return tuple(t if n == 1 else f"{n} {t}" for t, n in counts.items())


def _size(count: int, level: int) -> str:
    """6.16/4 A range at Local, exact at Strategic; nothing for one, or without a marker."""
    if count == 1 or not level:
        return ""
    if level == 2:
        return str(count)
    return next((text for most, text in SIZES if count <= most), "more than 12")


def refresh(table: TableLike, war: War, side: Side, how: str, without: str = "regrouped") -> None:
    """Tell `side` of each marker that is new, changed or gone. Contacts that it has come by their
    number, new ones by what is seen of them, so that no order is one of the truth. without: what
    became of markers under which there is nobody any more, and was nobody sunk."""
    held = war.held[side]
    seen = [key for key in war.keys(enemy(side)) if shown(war, key)]
    for key in sorted((k for k in held if k not in seen), key=lambda k: number(held[k])):
        _drop(table, war, side, key, without)
    looks = {key: look(war, side, key) for key in seen}
    fresh = [key for key in seen if key not in held]
    for key in _in_order(table, side, fresh, looks):
        held[key] = war.called[side].issue(key)
        table.tell([side], _located(looks[key], held[key], how, True))
    for key in sorted((k for k in seen if k not in fresh), key=lambda k: number(held[k])):
        name, told = held[key], looks[key]
        if (old := war.known[side].get(name)) and _same(old, told):
            continue
        if old and told.level > old.level:
            table.tell([side], _located(told, name, how, False))
        else:
            table.tell([side], _tracked(told, name))


def shown(war: War, key: str) -> bool:
    """6.16/1 Does the enemy see what stands for this group, ship or submarine on the map?"""
    return war.open or war.members(key)[0].level > 0


def lay_open(war: War) -> None:
    """6.16/1 `fog=open`: what both sides see on the map before the first turn. The set-up is
    printed with the scenario, so that the order of the contacts tells nothing."""
    for side in war.known:
        looks = {key: look(war, side, key) for key in war.keys(enemy(side))}
        for key in sorted(looks, key=lambda key: (_plain(looks[key]), key)):
            name = war.held[side][key] = war.called[side].issue(key)
            learn(war, side, _tracked(looks[key], name))


# Groups that merge and split


Ships = Mapping[str, frozenset[str]]
"""Ids of the ships of each group or single ship."""


def companies(war: War, side: Side) -> dict[str, frozenset[str]]:
    """A side's groups and single ships, with their ships."""
    surface = [ship for ship in war.afloat(side) if not ship.sub]
    keys = sorted({ship.key for ship in surface})
    return {key: frozenset(s.id for s in surface if s.key == key) for key in keys}


def regrouped(table: TableLike, war: War, side: Side, before: Ships) -> None:
    """6.16/3 The enemy's groups have changed from `before`, in view of `side`.

    A contact whose ships all go on together keeps its name, under whatever group. Contacts that
    merge go on under the one that was named first. Of one that splits, the part goes on under it
    that alone has the marker that it had.
    """
    held = war.held[side]
    after = companies(war, enemy(side))
    for old, new in _families(before, after):
        known = sorted((k for k in old if k in held), key=lambda k: number(held[k]))
        if not known or set(old) == set(new):
            continue
        names = [held.pop(key) for key in known]
        heir = new[0] if len(new) == 1 else _alike(war, side, names, old, new)
        if heir:
            held[heir] = names[0]
            war.called[side].stands_for[names[0]] = heir
        for name in names[1:] if heir else names:
            at = war.known[side][name].place
            into = names[0] if heir else ""
            told = ev.Faded(rule="83", contact=name, at=at, gone="regrouped", into=into)
            table.tell([side], told)


def _alike(
    war: War, side: Side, names: Sequence[str], old: Sequence[str], new: Sequence[str]
) -> str:
    """The part that alone has the marker of the contact that split; empty if none has or several,
    or if several contacts changed ships."""
    if len(old) > 1:
        return ""
    kind = war.known[side][names[0]].kind
    fits = [key for key in new if war.marker(key) == kind]
    return fits[0] if len(fits) == 1 else ""


def _families(before: Ships, after: Ships) -> Iterator[tuple[list[str], list[str]]]:
    """Groups that exchanged ships: all that were, and all that are."""
    left = dict(before)
    while left:
        key = next(iter(left))
        old, ships = [key], set(left.pop(key))
        new: list[str] = []
        grown = True
        while grown:
            fresh = [k for k, ids in after.items() if k not in new and ids & ships]
            ships.update(*(after[k] for k in fresh))
            more = [k for k, ids in left.items() if ids & ships]
            ships.update(*(left.pop(k) for k in more))
            new, old, grown = [*new, *fresh], [*old, *more], bool(fresh or more)
        yield old, new


def _in_order(
    table: TableLike, side: Side, keys: Sequence[str], looks: Mapping[str, Look]
) -> list[str]:
    """New contacts by what is seen of them; those that look alike by lot."""
    label = f"CONTACTS/ORDER/-/{side.upper()}"
    return by_lot(table, label, keys, lambda key: _plain(looks[key]))


def _plain(seen: Look) -> tuple[str, ...]:
    return (seen.at, seen.what, *seen.types, seen.size, str(seen.hurt))


def _same(old: Known, seen: Look) -> bool:
    """Is there nothing new to tell? Without a marker the types that are remembered stay."""
    if old.lost or (old.place, old.kind, old.level) != (seen.at, seen.what, seen.level):
        return False
    if not seen.level:
        return True
    return (old.types, old.size, old.hurt, old.names) == (
        seen.types, seen.size, seen.hurt, seen.names,
    )  # fmt: skip


def _located(seen: Look, name: str, how: str, fresh: bool) -> ev.Located:
    return ev.Located(
        rule="97", contact=name, at=seen.at, what=seen.what, types=seen.types, size=seen.size,
        level=seen.level, hurt=seen.hurt, how=how, fresh=fresh, names=seen.names,
    )  # fmt: skip


def _tracked(seen: Look, name: str) -> ev.Tracked:
    return ev.Tracked(
        rule="97", contact=name, at=seen.at, what=seen.what, types=seen.types, size=seen.size,
        level=seen.level, hurt=seen.hurt, names=seen.names,
    )  # fmt: skip


def _drop(table: TableLike, war: War, side: Side, key: str, without: str) -> None:
    """A marker is no longer there: it was removed, sunk, has left, or its ships sail under
    another."""
    name = war.held[side].pop(key)
    kept = {v.id for v in war.vessels.values() if v.level and not v.sunk}
    war.named[side] = [n for n in war.named[side] if n in kept]
    known = war.known[side].get(name)
    at = known.place if known else ""
    table.tell([side], ev.Faded(rule="254", contact=name, at=at, gone=_gone(war, key, without)))


def _gone(war: War, key: str, without: str) -> str:
    """Why a marker is no longer there: empty if it was only removed. without: for `refresh`."""
    here = [v for v in war.vessels.values() if v.key == key]
    if any(not v.sunk for v in here):
        return ""
    if here and here[0].decoy:
        return "decoy"
    return "sunk" if here else without


def name_of(war: War, side: Side, key: str) -> str:
    """What `side` calls an enemy that it holds; empty for others."""
    return war.held[side].get(key, "")


def learn(war: War, side: Side, event: Event) -> None:
    """Fold one event into what a side knows."""
    book = war.known[side]
    if isinstance(event, ev.Located | ev.Tracked):
        if isinstance(event, ev.Located) and event.fresh and event.how == "regrouped":
            _parted(war, side, event)
        _placed(war, book, event)
    elif isinstance(event, ev.Faded) and event.contact in book:
        _inherited(war, side, event)
        if event.gone:
            del book[event.contact]
        else:
            seen = book[event.contact]
            seen.level, seen.turn, seen.lost = 0, war.turn, True


def _inherited(war: War, side: Side, event: ev.Faded) -> None:
    """6.16/3 Whom orders for a contact mean that is gone: the one with which it merged, or the
    parts that are told next."""
    heirs = war.heirs.setdefault(side, {})
    heirs.pop(event.contact, None)
    if event.gone == "regrouped":
        heirs[event.contact] = Heirs(at=event.at, turn=war.turn, into=event.into)


def _parted(war: War, side: Side, event: ev.Located) -> None:
    """6.16/3 A contact that is new as groups change is a part of each that went in its hex by
    that, and of one that goes on there and had its types. By what was told alone: it may be none
    of theirs."""
    heirs, types = war.heirs.setdefault(side, {}), _kinds(event.types)
    for name, old in heirs.items():
        gone = name not in war.known[side] and not old.into
        if gone and (old.at, old.turn) == (event.at, war.turn):
            old.parts = [*old.parts, event.contact]
    for seen in war.known[side].values():
        if not seen.lost and seen.place == event.at and types & _kinds(seen.types):
            old = heirs.get(seen.id, Heirs(at=event.at, turn=war.turn))
            same = (old.at, old.turn) == (event.at, war.turn)
            heirs[seen.id] = old if same else Heirs(at=event.at, turn=war.turn)
            if event.contact not in heirs[seen.id].parts:
                heirs[seen.id].parts = [*heirs[seen.id].parts, event.contact]


def _kinds(types: Sequence[str]) -> set[str]:
    """Types without their numbers: `DD` of `2 DD`."""
    return {text.split()[-1] for text in types}


def _placed(war: War, book: dict[str, Known], event: ev.Located | ev.Tracked) -> None:
    """A contact as it is now; without a marker what was seen of it is remembered."""
    old = book.get(event.contact)
    trail = old.trail if old else ()
    if old and old.place != event.at:
        trail = longer(trail, old.place, old.turn, TRAIL)
    found = Known(
        id=event.contact, kind=event.what, types=event.types, size=event.size,  # type: ignore[arg-type]
        place=event.at, turn=war.turn, level=event.level, hurt=event.hurt, names=event.names,
        trail=trail,
    )  # fmt: skip
    if old and not event.level:
        found.types, found.size, found.hurt = old.types, old.size, old.hurt
        found.names = old.names
    book[event.contact] = found
    _same_ship(book, event.contact, event.names)


def _same_ship(book: dict[str, Known], contact: str, names: tuple[str, ...]) -> None:
    """Contacts that were lost, and whose ships are met again under another name, are forgotten."""
    met = {name.partition(" ")[0] for name in names}
    for old in [k for k in book.values() if k.lost and k.id != contact]:
        if any(name.partition(" ")[0] in met for name in old.names):
            del book[old.id]


def fade(war: War) -> None:
    """Contacts without a marker are forgotten after some turns; those with one are of now."""
    for side in war.known:
        heirs = war.heirs.get(side, {})
        war.heirs[side] = {k: h for k, h in heirs.items() if war.turn - h.turn <= MEMORY}
        for seen in war.known[side].values():
            if not seen.lost:
                seen.turn = war.turn
        forget(war.known[side], war.turn, MEMORY, lambda seen: not seen.lost)
