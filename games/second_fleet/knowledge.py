"""6.16 What a side knows of the enemy: contacts by marker, with their level.

A contact goes by a pseudonym of its observer while a marker lies on it; lost and found again, it
has a new one. What each side was told is folded from events by `learn`; only `refresh` reads the
truth, and tells of it what the markers show.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from games.second_fleet import events as ev
from games.second_fleet.state import Kind, Known, War, enemy
from games.second_fleet.tables import ARRAY
from pbem.kit.contacts import forget, longer
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
    veiled = war.on("decoys") and level == 1 and war.kind(key) in ("TF", "TG")  # 6.19/2
    if veiled:
        types = []
    named = [
        f"{v.id} damaged" if v.damaged else v.id
        for v in sorted(members, key=lambda v: (ARRAY.index(v.type), v.id))
        if v.id in war.named[side]
    ]
    return Look(
        at=members[0].hex,
        what=war.kind(key),
        types=_counted(types) if level == 2 else tuple(dict.fromkeys(types)),
        size="" if veiled else _size(len(members), level),
        level=level,
        hurt=sum(v.damaged for v in members) if level == 2 else 0,
        names=tuple(named),
    )


def _counted(types: list[str]) -> tuple[str, ...]:
    """`2 DD`."""
    counts = {t: types.count(t) for t in types}
    return tuple(t if n == 1 else f"{n} {t}" for t, n in counts.items())


def _size(count: int, level: int) -> str:
    """6.16/4 A range at Local, exact at Strategic; nothing for one."""
    if count == 1:
        return ""
    if level == 2:
        return str(count)
    return next((text for most, text in SIZES if count <= most), "more than 12")


def refresh(table: TableLike, war: War, side: Side, how: str) -> None:
    """Tell `side` of each marker that is new, changed or gone."""
    seen = [key for key in war.keys(enemy(side)) if war.members(key)[0].level]
    for key in [k for k in war.held[side] if k not in seen]:
        _drop(table, war, side, key)
    looks = {key: look(war, side, key) for key in seen}
    fresh = [key for key in seen if key not in war.held[side]]
    for key in _in_order(table, war, side, fresh, looks):
        war.held[side] = [*war.held[side], key]
        told = looks[key]
        name = war.called[side].issue(key)
        table.tell([side], _located(told, name, how, True))
    for key in sorted(k for k in seen if k not in fresh):
        name, told = war.called[side].of(key), looks[key]
        if (old := war.known[side].get(name)) and _same(old, told):
            continue
        if old and told.level > old.level:
            table.tell([side], _located(told, name, how, False))
        else:
            table.tell([side], _tracked(told, name))


def _in_order(
    table: TableLike, war: War, side: Side, keys: list[str], looks: dict[str, Look]
) -> list[str]:
    """New contacts by what is seen of them; those that look alike by lot."""
    if len({_plain(looks[key]) for key in keys}) < len(keys):
        keys = table.shuffle(f"CONTACTS/ORDER/-/{side.upper()}", keys, to=())
    return sorted(keys, key=lambda key: _plain(looks[key]))


def _plain(seen: Look) -> tuple[str, ...]:
    return (seen.at, seen.what, *seen.types, seen.size, str(seen.hurt))


def _same(old: Known, seen: Look) -> bool:
    return (old.place, old.kind, old.types, old.size, old.level, old.hurt, old.names) == (
        seen.at, seen.what, seen.types, seen.size, seen.level, seen.hurt, seen.names,
    ) and old.level > 0  # fmt: skip


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


def _drop(table: TableLike, war: War, side: Side, key: str) -> None:
    """A marker is no longer there: it was removed, sunk, or its ships sail under another."""
    name = war.called[side].of(key)
    war.held[side] = [k for k in war.held[side] if k != key]
    kept = {v.id for v in war.vessels.values() if v.level and not v.sunk}
    war.named[side] = [n for n in war.named[side] if n in kept]
    known = war.known[side].get(name)
    at = known.place if known else ""
    table.tell([side], ev.Faded(rule="254", contact=name, at=at, gone=_gone(war, key)))


def _gone(war: War, key: str) -> str:
    """Why a marker is no longer there: empty if it was only removed."""
    here = [v for v in war.vessels.values() if v.key == key]
    if any(not v.sunk for v in here):
        return ""
    if here and here[0].decoy:
        return "decoy"
    return "sunk" if here else "regrouped"


def name_of(war: War, side: Side, key: str) -> str:
    """What `side` calls an enemy that it holds."""
    return war.called[side].of(key)


def learn(war: War, side: Side, event: Event) -> None:
    """Fold one event into what a side knows."""
    book = war.known[side]
    if isinstance(event, ev.Located | ev.Tracked):
        old = book.get(event.contact)
        trail = old.trail if old else ()
        if old and old.place != event.at:
            trail = longer(trail, old.place, old.turn, TRAIL)
        book[event.contact] = Known(
            id=event.contact, kind=event.what, types=event.types, size=event.size,  # type: ignore[arg-type]
            place=event.at, turn=war.turn, level=event.level, hurt=event.hurt, names=event.names,
            trail=trail,
        )  # fmt: skip
        _same_ship(book, event.contact, event.names)
    elif isinstance(event, ev.Faded) and event.contact in book:
        if event.gone:
            del book[event.contact]
        else:
            book[event.contact].level = 0
            book[event.contact].turn = war.turn


def _same_ship(book: dict[str, Known], contact: str, names: tuple[str, ...]) -> None:
    """Contacts that were lost, and whose ships are met again under another name, are forgotten."""
    met = {name.partition(" ")[0] for name in names}
    for old in [k for k in book.values() if not k.level and k.id != contact]:
        if any(name.partition(" ")[0] in met for name in old.names):
            del book[old.id]


def fade(war: War) -> None:
    """Contacts without a marker are forgotten after some turns; those with one are of now."""
    for side in war.known:
        for seen in war.known[side].values():
            if seen.level:
                seen.turn = war.turn
        forget(war.known[side], war.turn, MEMORY, lambda seen: seen.level)
