"""The members of a club: their names, keys and addresses, and how these change.

A person is known by his keys, of which each belongs to one person. He may write from several
addresses, and has the same name at each. This module is the only place where any of it changes.
"""

from __future__ import annotations

from pbem.base.clock import now, stamp
from pbem.club.mails import words
from pbem.club.names import cleaned, distinct
from pbem.club.results import name_of
from pbem.club.state import Member, State
from pbem.store import secrets
from pbem.store.game_dir import Game


def names_of(state: State) -> dict[str, str]:
    """Return the fingerprint of every member's key to his name."""
    found: dict[str, str] = {}
    for member in state.members.values():
        found |= {name_of(key): member.name for key in (*member.ended, *member.keys)}
    return found


def ended_keys(state: State) -> set[str]:
    """Return the keys that their owners have changed or lost."""
    return {key for member in state.members.values() for key in member.ended}


def doubted_keys(state: State) -> set[str]:
    """Return the keys that are reported lost in a game, and may still sign there."""
    return {key for one in state.followed.values() for key in one.doubted}


def is_proof(state: State, email: str, key: str) -> bool:
    """Whether what the key signs is proved to be of the member with that address."""
    member = state.members.get(email)
    return member is not None and key in member.keys and key not in doubted_keys(state)


def playing_key(state: State, email: str) -> str:
    """Return the key with which a member can be seated; empty if he has to be asked for one."""
    member = state.members.get(email)
    key = member.keys[-1] if member and member.keys else ""
    return key if key and is_proof(state, email, key) else ""


def same_person(state: State, one: str, other: str) -> bool:
    """Whether two addresses are known to belong to the same person."""
    known = [state.members[email].name for email in (one, other) if email in state.members]
    return one == other or (len(known) == 2 and known[0] == known[1])


def chosen_name(state: State, email: str) -> str:
    """Return the name that a member has given himself; empty if he has given none."""
    member = state.members.get(email)
    return member.name if member and member.named else ""


def learn(state: State, game: Game) -> None:
    """Make the players of a game members: they have answered letters sent to their addresses."""
    for side in game.register.sides:
        officers = [o for o in game.register.officers if o.side == side]
        people = secrets.addresses(game).get(side, [])
        for officer, person in zip(officers, people, strict=False):
            if not officer.bot and person["email"]:
                admit(state, person["email"].lower(), person["name"], officer.key)


def admit(state: State, email: str, name: str, key: str = "") -> Member:
    """Return the member with that address, who is made one if he is not yet.

    name: counts if he has given none before. key: one of his keys; one that has ended makes nobody
    anything. Who has it at another address is the same person, and gets the same name.
    """
    key = "" if key in ended_keys(state) else key
    same = next((m for m in state.members.values() if key and key in m.keys), None)
    member = state.members.get(email)
    if member is None:
        given = (same.name, same.named) if same else (_default(state), False)
        member = state.members[email] = Member(given[0], since=stamp(now()), named=given[1])
    elif same and same.name != member.name:  # one person, who has been taken for two
        kept, other = (member, same) if member.named and not same.named else (same, member)
        _call(state, other.name, kept.name, kept.named)
    if not member.named and cleaned(name):
        rename(state, email, name)
    if key and key not in member.keys:
        member.keys.append(key)
    return member


def rename(state: State, email: str, name: str) -> None:
    """Give a member, at all of his addresses, the name that he has chosen; one that looks like
    another member's gets a number. A name of which nothing is left changes nothing."""
    member = state.members[email]
    if cleaned(name):
        others = [one.name for one in state.members.values() if one.name != member.name]
        _call(state, member.name, distinct(name, others, member.name), named=True)


def _default(state: State) -> str:
    """Return the name of somebody who has given none."""
    number = len(state.members) + 1
    return distinct("", [m.name for m in state.members.values()], words("member", number=number))


def _call(state: State, before: str, name: str, named: bool) -> None:
    """Change a name at all addresses that it has."""
    for one in state.members.values():
        if one.name == before:
            one.name, one.named = name, named


def end_key(state: State, old: str, new: str, email: str) -> None:
    """End a key, which proves nothing from now on; another one takes its place for the member who
    has it at that address. new: empty if none does.

    At other addresses nothing takes its place: who has stolen the key may have made one of them
    known with it.
    """
    gone = ended_keys(state) | {old}
    for address, member in state.members.items():
        if old in member.keys or address == email:
            member.keys = [key for key in member.keys if key != old]
            member.ended += [old] * (old not in member.ended)
    mine = state.members.get(email)
    if mine and new and new not in gone and not _is_of_another(state, new, mine):
        mine.keys = [*(key for key in mine.keys if key != new), new]


def _is_of_another(state: State, key: str, member: Member) -> bool:
    """Whether a key is known to be another person's."""
    return any(key in m.keys and m.name != member.name for m in state.members.values())


def move(state: State, before: str, email: str) -> list[str]:
    """Let a member have another address in all that the club remembers.

    Return the tournaments that the person at the new address has entered, too: there the former
    entry stays as it is, and is not paired again.
    """
    twice = [n for n, t in state.tournaments.items() if {before, email} <= {*t.entrants}]
    _merge(state, before, email, bool(twice))
    for entry in state.standby:
        entry.email = email if entry.email == before else entry.email
    for vacancy in (v for seats in state.vacancies.values() for v in seats.values()):
        vacancy.asked = {email if a == before else a: at for a, at in vacancy.asked.items()}
    for mail in state.outbox:
        mail.to = email if mail.to == before else mail.to
    for todo in state.todo:
        todo.email = email if todo.email == before else todo.email
    state.pending = {c: one for c, one in state.pending.items() if one.email != before}
    for name, one in state.tournaments.items():
        if name in twice:
            one.gone += [before] * (before not in one.gone)
            continue
        for some in (one.entrants, one.gone, *(p for r in one.played for p in r.pairings)):
            some[:] = [email if address == before else address for address in some]
    for offer in state.offers.values():
        if offer.tournament not in twice:
            offer.held = {s: email if a == before else a for s, a in offer.held.items()}
        offer.anyone = {email if a == before else a: s for a, s in offer.anyone.items()}
    return twice


def _merge(state: State, before: str, email: str, stays: bool) -> None:
    """Make the member at an address the one at another. stays: the former keeps his name, too."""
    member = state.members.pop(before, None)
    if member is None:
        return
    there = state.members.setdefault(email, member)
    if there is not member:
        kept, other = (member, there) if member.named and not there.named else (there, member)
        _call(state, other.name, kept.name, kept.named)
        there.keys += [key for key in member.keys if key not in there.keys]
        there.ended += [key for key in member.ended if key not in there.ended]
    if stays:
        state.members[before] = Member(there.name, since=there.since, named=there.named)
