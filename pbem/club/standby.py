"""Standby players: who is asked when a seat of a running game falls vacant, oldest entry first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from pbem.admin.commands import resume
from pbem.admin.setup import scenario_of
from pbem.base.clock import now, parse, stamp
from pbem.club.mails import note, post, words
from pbem.club.members import chosen_name, learn
from pbem.club.offers import Load
from pbem.club.state import Club, Standby, Todo, Vacancy
from pbem.club.tournaments import drop_out
from pbem.errors import NotFound
from pbem.inbound.spool import tell
from pbem.store import secrets
from pbem.store.game_dir import Game, games, reading, writing
from pbem.text.layout import ascii_fold
from pbem.text.messages import fill_note, phrase
from pbem.turns.vacant import vacant


def seek(club: Club, load: Load, found: Mapping[str, Mapping[str, str]], talk: list[str]) -> None:
    """Note the seats that are vacant, forget those that no longer are, and ask the next standby
    player.

    found: game to its vacant seats and the reasons, of the games that the tick looked at. talk:
    gains lines for the moderator.
    """
    for name, seats in found.items():
        if seats or name in club.state.vacancies:
            _note(club, name, seats)
    for name in list(club.state.vacancies):
        if name not in found and name in games(club.home):
            here = vacant(reading(club.home, name).register)
            _note(club, name, {str(side): why for side, why in here.items()})
        for side, one in club.state.vacancies.get(name, {}).items():
            _ask(club, load, name, side, one, talk)


def _note(club: Club, name: str, seats: Mapping[str, str]) -> None:
    """Make a game's vacancies those that it has now; whoever took a seat leaves the list."""
    before = club.state.vacancies.pop(name, {})
    if gone := set(before) - set(seats):
        game = reading(club.home, name)
        learn(club.state, game)
        for side in gone:
            _seated(club, game, side)
        if not seats:
            _resume(club, name)
    resigned = phrase("vacant_resigned")
    for side in [s for s, why in seats.items() if s not in before and why == resigned]:
        people = secrets.addresses(reading(club.home, name)).get(side, [])
        for one in people[:1]:
            drop_out(club, name, side, one["email"].lower(), "resigned")
    kept = {side: before.get(side) or Vacancy(why, stamp(now())) for side, why in seats.items()}
    if kept:
        club.state.vacancies[name] = kept


def _resume(club: Club, name: str) -> None:
    """Take a game off hold that waited for another player."""
    with writing(club.home, name) as game:
        left = [fill_note("left", game=name, side=s).subject for s in game.register.sides]
        waited = (phrase("halt_struck"), phrase("halt_sought"), *left)
        if game.register.held and game.register.mail_state.why in waited:
            resume(game)


def _seated(club: Club, game: Game, side: str) -> None:
    """Take whoever has a seat now off the standby list of its system."""
    people = {one["email"].lower() for one in secrets.addresses(game).get(side, [])}
    system = game.register.created.system
    mine = [s for s in club.state.standby if s.system == system and s.email in people]
    club.state.standby = [s for s in club.state.standby if s not in mine[:1]]


def _ask(club: Club, load: Load, name: str, side: str, one: Vacancy, talk: list[str]) -> None:
    """Send a joining letter to the next on the list, unless somebody still has time to answer."""
    patience = timedelta(hours=club.settings.seek)
    if any(now() - parse(at) < patience for at in one.asked.values()):
        return
    game = reading(club.home, name)
    entry = _next(club, game, side, one)
    if entry is not None:
        one.asked[entry.email] = stamp(now())
        mark = f"vacant {name} {side} {game.register.n} {entry.email}"
        known = chosen_name(club.state, entry.email)
        club.state.todo.append(Todo("invite", name, side, entry.email, mark, name=known))
        printed = _printed(load, game, side)
        post(club, entry.email, note("vacant", game=name, side=printed, hours=club.settings.seek))
    elif not one.told:
        one.told = True
        said = note("nobody", game=name, side=side, why=one.why)
        if tell(club.home, club.config, f"club: {said.subject}", said.text):
            talk.append(f"club: {said.subject}")


def _printed(load: Load, game: Game, side: str) -> str:
    """Return the printed name of a side, in ASCII."""
    register = game.register
    system = load(register.created.system, register.pinned.edition)
    return ascii_fold(scenario_of(system, register.created.scenario).side_name(side))


def _next(club: Club, game: Game, side: str, one: Vacancy) -> Standby | None:
    """Return the oldest entry that fits a seat: of its system and side, by nobody who plays or has
    played in the game."""
    system = game.register.created.system
    playing = {p["email"].lower() for some in secrets.addresses(game).values() for p in some}
    for entry in club.state.standby:
        fits = entry.system == system and entry.side in ("", side)
        if fits and entry.email not in playing and entry.email not in one.asked:
            return entry
    return None


def remove(club: Club, email: str) -> list[str]:
    """Take somebody off the standby list, by the moderator's decision, and tell him; return the
    systems for which he stood by. Raises NotFound."""
    mine = [one.system for one in club.state.standby if one.email == email]
    if not mine:
        known = ", ".join(dict.fromkeys(one.email for one in club.state.standby)) or "nobody"
        raise NotFound(f"{email} is not on the standby list", f"on it: {known}")
    club.state.standby = [one for one in club.state.standby if one.email != email]
    post(club, email, note("removed", what=words("the_list")))
    return mine
