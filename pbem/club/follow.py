"""Players who change their keys and addresses in games, followed by the club.

The club knows its members by what they play with. So each change in a game, by whatever command or
mail it was made, is one here, too: the next round goes on with the new key and the new address. A
tick follows the games that it looked at, and before it reads the club's mail all others whose
ledger has grown; `followed.json`, which can be lost, says how large they were.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from pbem.base.files import read_plain, write_plain
from pbem.club.facts import Seats, mark_of, seats_of
from pbem.club.mails import note, post
from pbem.club.members import chosen_name, end_key, move
from pbem.club.offers import given_back, open_offers, seat
from pbem.club.state import Club, Followed, Todo, folder
from pbem.club.tournaments import drop_out
from pbem.errors import PbemError
from pbem.inbound.spool import tell
from pbem.store.game_dir import Game, games, reading
from pbem.store.records import Replaced
from pbem.text.messages import Note

CACHE = "followed.json"


def follow(club: Club, looked: Mapping[str, Seats], talk: list[str]) -> None:
    """Bring what the club knows of its members up to date with their games, and commit it.

    looked: the seats of the games that a tick looked at. talk: gains lines for the moderator.
    """
    known, marks = _marks(club), dict[str, tuple[int, int]]()
    names = games(club.home)
    for name in names:
        mark = mark_of(club.home, name)
        seats = looked.get(name)
        if known.get(name) == mark and name in club.state.followed:
            marks[name] = mark
            continue
        try:
            if seats is None or seats.mark != mark:
                seats = seats_of(reading(club.home, name), mark)
            _follow(club, name, seats)
            marks[name] = seats.mark
        except PbemError as error:
            talk.append(f"club: {name}: {error.message}")
    for name in set(club.state.followed).difference(names):
        del club.state.followed[name]
    club.commit()
    if marks != known:
        path = folder(club.home) / CACHE
        beside = path.with_name(f".{CACHE}.{os.getpid()}")
        write_plain(beside, json.dumps(marks).encode())
        beside.replace(path)


def _marks(club: Club) -> dict[str, tuple[int, int]]:
    """Return the marks of the ledgers as they were followed last; none if that is not known."""
    try:
        found = json.loads(read_plain(folder(club.home) / CACHE) or b"{}")
        return {name: (size, at) for name, (size, at) in found.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _follow(club: Club, name: str, seats: Seats) -> None:
    """Do for the club what has changed in a game."""
    before = club.state.followed.get(name, Followed())
    was = dict(before.people)
    lost = [] if seats.over else seats.lost
    club.state.followed[name] = Followed(dict(seats.people), seats.ended, lost, seats.over)
    if seats.ended > before.ended:
        _follow_keys(club, reading(club.home, name), before.ended, was, seats.people)
    for officer, email in seats.people.items():
        if email and was.get(officer, email) not in ("", email):
            _moved(club, name, was[officer], email)
    for key in seats.lost if seats.over else ():  # nothing can show any more that it is not
        _ended(club, key, "", "")


def _follow_keys(
    club: Club, game: Game, since: int, was: dict[str, str], people: Mapping[str, str]
) -> None:
    """Follow the changes of a game's keys.

    since: how many had ended. was: the address of each officer; that of one whose key changes
    becomes that of his new number. people: the addresses now.
    """
    register, ended = game.register, 0
    keys = {(o.side, o.number): o.key for o in (*register.former, *register.officers)}
    for body in (record.body for record in game.ledger.records()):
        if not isinstance(body, Replaced):
            continue
        there = {email for officer, email in people.items() if officer.split()[0] == body.side}
        for number in body.ends:
            ended += 1
            if ended <= since:
                continue
            officer, old = f"{body.side} {body.number}", keys[body.side, number]
            email = was.pop(f"{body.side} {number}", "")
            if body.right == "replacement" and email not in there:
                drop_out(club, game.name, body.side, email, "replaced")
                continue
            if email:
                was[officer] = email
            mine = email or people.get(officer, "")
            if body.right != "replacement" or email:
                _ended(club, old, body.key, mine)
                if body.right == "reset":
                    _tell_where_it_signs(club, game.name, old, mine)


def _ended(club: Club, old: str, new: str, email: str) -> None:
    """End a key of a member, and take it out of games that have not opened yet. new: what takes its
    place; empty if nothing does."""
    state = club.state
    end_key(state, old, new, email)
    made = set(games(club.home))
    for game in [game for game in open_offers(state) if game in made]:
        offer, register = state.offers[game], reading(club.home, game).register
        for officer in register.officers:
            if officer.key != old or officer.side in given_back(offer, register):
                continue
            side = officer.side
            owner = state.followed.get(game, Followed()).people.get(f"{side} {officer.number}", "")
            if not owner:
                continue
            offer.left[side], offer.held[side] = officer.number, owner
            offer.seats = [one for one in offer.seats if one != side]
            seat(club, game, side, owner, f"new key {game} {side} {officer.number}")
            post(club, owner, note("key_asked", game=game, side=side))


def _moved(club: Club, name: str, before: str, email: str) -> None:
    """Let a member have another address, after he got it in a game."""
    state, elsewhere = club.state, list[str]()
    for title in move(state, before, email):
        _tell(club, note("entered_twice", name=title, email=before, other=email))
    waiting = set(open_offers(state))
    for game, one in state.followed.items():
        for officer in [o for o, address in one.people.items() if address == before]:
            side, number = officer.split()
            if game in waiting:
                mark = f"moved {game} {officer} {email}"
                state.todo.append(Todo("move", game, side, email, mark, former=before))
            elif not one.over:
                elsewhere.append(f"pbem replace {game} {side} --email {email} --officer {number}")
    for game in waiting:
        held = state.offers[game].held.items()
        taken = {o.split()[0] for o in state.followed.get(game, Followed()).people}
        for side in [s for s, address in held if address == email and s not in taken]:
            _invite_again(club, game, side, before, email)
    for game, seats in state.vacancies.items():
        for side in [s for s, one in seats.items() if email in one.asked]:
            _invite_again(club, game, side, before, email)
    if elsewhere:
        said = note("moved_elsewhere", game=name, email=email, lines=_lines(elsewhere))
        _tell(club, said, f"club: {before} is {email}")


def _invite_again(club: Club, game: str, side: str, before: str, email: str) -> None:
    """Send a joining letter to the new address; those that went to the former one end with it."""
    called = chosen_name(club.state, email)
    mark = f"moved {game} {side} {email}"
    todo = Todo("invite", game, side, email, mark, name=called, former=before)
    if not any((one.game, one.side, one.email) == (game, side, email) for one in club.state.todo):
        club.state.todo.append(todo)


def _tell_where_it_signs(club: Club, name: str, old: str, email: str) -> None:
    """Tell the moderator of the other games of a player in which his lost key still signs."""
    lines = list[str]()
    for game, one in club.state.followed.items():
        if game == name or one.over or email not in one.people.values():
            continue
        register = reading(club.home, game).register
        if not register.window or old in one.doubted:
            continue  # before it opens the club itself asks for another key
        for officer in (o for o in register.officers if o.key == old):
            whose = f"{officer.side} --officer {officer.number}"
            lines.append(f"pbem replace {game} {whose} --lost --key FILE.pub")
    if lines:
        _tell(club, note("lost_elsewhere", game=name, lines=_lines(lines)))


def _lines(commands: list[str]) -> str:
    return "\n".join(f"  {one}" for one in commands)


def _tell(club: Club, said: Note, once: str = "") -> None:
    """Tell the moderator. once: what identifies the alert, if it is not its text."""
    tell(club.home, club.config, f"club: {said.subject}", said.text, once=once)
