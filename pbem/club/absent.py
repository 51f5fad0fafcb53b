"""Entrants of a tournament who do not take their seats: they are reminded once, then left out.

Without this a round would wait for ever for a joining letter that nobody answers. The point of such
a game goes to the entrant who has taken his seat in it. The other gets none, and is paired again
only if he says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.base.clock import now, parse, stamp
from pbem.club.mails import note, post, words
from pbem.club.offers import given_back, open_offers
from pbem.club.state import Club, Offer, Tournament
from pbem.inbound.spool import tell
from pbem.store.game_dir import Game, games, reading, writing
from pbem.store.records import Ended
from pbem.store.register import Register


def chase(club: Club, talk: list[str]) -> None:
    """Remind those who have not taken their seat in a game of a tournament, and end the games to
    which somebody has not come after that.

    talk: gains lines for the moderator. Raises Busy, Damaged.
    """
    for name, offer, one in _waiting(club):
        if not offer.absent:
            sides = _missing(club, name, offer, reading(club.home, name).register)
            for side in sides:
                _remind(club, name, offer, one, side)
            if not sides or not all(_is_out(club, offer, one, side) for side in sides):
                continue
        with writing(club.home, name) as game:
            _leave_out(club, game, offer, one, talk)


def moments(club: Club) -> Iterator[str]:
    """When time alone will remind somebody, or leave him out; some may have passed."""
    for _, offer, _ in _waiting(club):
        for side in offer.held:
            yield _until(club, offer, side)


def _waiting(club: Club) -> Iterator[tuple[str, Offer, Tournament]]:
    """The games of tournaments that wait for players."""
    made = set(games(club.home))
    for name in list(open_offers(club.state)):
        offer = club.state.offers[name]
        one = club.state.tournaments.get(offer.tournament)
        if one and name in made:
            yield name, offer, one


def _missing(club: Club, name: str, offer: Offer, register: Register) -> list[str]:
    """The sides whose entrants have not taken their seats; none as long as the club itself has
    something to do for one of them."""
    seated = {str(o.side) for o in register.officers}.difference(given_back(offer, register))
    sides = [side for side in offer.held if side not in seated]
    busy = any(todo.game == name and todo.side in sides for todo in club.state.todo)
    return [] if busy or register.over else sides


def _until(club: Club, offer: Offer, side: str) -> str:
    """Until when the entrant of a side may wait before he is reminded, or after that left out."""
    since = offer.reminded.get(side, offer.at)
    return stamp(parse(since) + timedelta(hours=club.settings.seek))


def _is_out(club: Club, offer: Offer, one: Tournament, side: str) -> bool:
    """Whether nobody need wait for the entrant of a side any more."""
    patient = side not in offer.reminded or stamp(now()) < _until(club, offer, side)
    return offer.held[side] in one.gone or not patient


def _remind(club: Club, name: str, offer: Offer, one: Tournament, side: str) -> None:
    """Write to the entrant of a side once, when it is time, unless he has left the tournament."""
    email = offer.held[side]
    if email in one.gone or side in offer.reminded or stamp(now()) < _until(club, offer, side):
        return
    offer.reminded[side] = stamp(now())
    hours = club.settings.seek
    post(club, email, note("waits", name=offer.tournament, game=name, side=side, hours=hours))


def _leave_out(club: Club, game: Game, offer: Offer, one: Tournament, talk: list[str]) -> None:
    """End a game to which somebody has not come, and tell its players and the moderator.

    game: locked, so that nobody takes a seat meanwhile. What is told is kept first: of a tick that
    was killed after it, the next one does the rest.
    """
    if not offer.absent:
        offer.absent = _missing(club, game.name, offer, game.register)
        for side, email in offer.held.items() if offer.absent else ():
            if side not in offer.absent:
                post(club, email, note("point", name=offer.tournament, game=game.name))
            elif email not in one.gone:
                one.gone.append(email)
                post(club, email, note("out_absent", name=offer.tournament, game=game.name))
        club.commit()
    if not offer.absent:
        return
    came = [side for side in offer.held if side not in offer.absent]
    if not game.register.over:
        game.commit(Ended(result=came[0] if came else "none", reason=words("absent")))
    who = ", ".join(offer.held[side] for side in offer.absent)
    said = note("absent", name=offer.tournament, game=game.name, who=who)
    if tell(club.home, club.config, f"club: {said.subject}", said.text):
        talk.append(f"club: {said.subject}")
    offer.opened = stamp(now())
    club.commit()
