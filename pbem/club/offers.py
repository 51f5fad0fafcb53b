"""Offered games: made with their seats open, filled by mail, opened by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from msgspec import Struct

from pbem.admin.commands import readdress, replace, schedule
from pbem.admin.letters import invite
from pbem.admin.setup import (
    Newcomer,
    create,
    enlist,
    enlist_bot,
    open_game,
    scenario_of,
)
from pbem.base.clock import now, parse, stamp
from pbem.base.config import require_address
from pbem.club.mails import note, post, words
from pbem.club.members import chosen_name, doubted_keys, is_proof, learn, playing_key
from pbem.club.state import Club, Offer, State, Todo
from pbem.errors import NotFound, PbemError, Usage
from pbem.model import System
from pbem.store import secrets
from pbem.store.game_dir import Game, games, reading, writing
from pbem.store.names import require_name
from pbem.store.register import Register
from pbem.text.layout import ascii_fold
from pbem.turns.schedule import read_rule

Load = Callable[[str, str], System]
"""Finds a rule system by name and edition."""
LONGEST = 400
"""Characters of the moderator's conditions."""


def make(club: Club, system: System, name: str, offer: Offer, paired: bool = False) -> list[str]:
    """Offer a game, which is made if it does not exist; return the names of the games.

    paired: a second game, in which the same people play with sides swapped. Raises Usage, Busy.
    """
    scenario = scenario_of(system, offer.choices.scenario)
    require_sound(scenario.sides, offer)
    if paired and len(scenario.sides) != 2:
        raise Usage("only games of two sides can be paired", "leave out --paired")
    names = [f"{name}a", f"{name}b"] if paired else [name]
    for one in names:
        require_name(one)
        if one in club.state.offers:
            raise Usage(f"{one} is offered already", "`pbem offer` lists what is offered")
        if one in games(club.home):
            _require_fitting(reading(club.home, one).register, system, one)
    if offer.rule:
        read_rule([offer.rule])
    offer.system, offer.edition, offer.at = system.name, system.edition, stamp(now())
    for one, other in zip(names, names[::-1], strict=True):
        copied = Offer(**{f: getattr(offer, f) for f in offer.__struct_fields__})
        copied.pair = other if paired else ""
        club.state.offers[one] = copied
    club.commit()
    for one in names:
        ensure_made(club, system, one)
    return names


def require_sound(sides: tuple[str, ...], offer: Offer) -> None:
    """Check the sides and the words of an offer; without `seats`, all that are free are offered.
    Raises Usage."""
    for side in (*offer.seats, *offer.bots, *offer.held):
        if side not in sides:
            raise Usage(f"there is no side {side!r}", f"sides: {', '.join(sides)}")
    for email in offer.held.values():
        require_address(email)
    taken = {*offer.bots, *offer.held}
    offer.seats = [s for s in sides if s not in taken and s in (offer.seats or sides)]
    if len(offer.words) > LONGEST or not offer.words.isprintable():
        raise Usage(
            f"the conditions have {len(offer.words)} characters",
            f"one line of at most {LONGEST}",
        )


def _require_fitting(register: Register, system: System, name: str) -> None:
    """Raise Usage if an existing game cannot be offered."""
    if register.window:
        raise Usage(f"{name} is open already", "only games that are not open can be offered")
    if register.created.system != system.name:
        raise Usage(f"{name} is a game of {register.created.system}", "choose another name")


def ensure_made(club: Club, system: System, name: str) -> None:
    """Make an offered game with its schedule and bots, or what a killed run left of that."""
    offer = club.state.offers[name]
    if name not in games(club.home):
        create(club.home, system, name, offer.choices)
    with writing(club.home, name) as game:
        if offer.rule and not game.register.mail_state.schedule:
            schedule(game, read_rule([offer.rule]))
        for side in offer.bots:
            if not _holders(game.register, side):
                enlist_bot(game, side)


def _holders(register: Register, side: str) -> list[int]:
    """Return the numbers of the officers of a side."""
    return [o.number for o in register.officers if o.side == side]


def given_back(offer: Offer, register: Register) -> list[str]:
    """Return the sides whose player has given the seat back, and which nobody has taken since."""
    return [side for side, number in offer.left.items() if number in _holders(register, side)]


class Table(Struct):
    """The seats of an offered game, as they are now."""

    name: str
    title: str
    """`Bismarck, the break-out`."""
    sides: dict[str, str]
    """Side to its printed name."""
    free: list[str]
    """The sides that still want a player."""
    people: dict[str, str]
    """Address to the side that it has."""
    asked: dict[str, int] = {}
    """Side to how many joining letters wait for an answer."""


def table_of(club: Club, load: Load, name: str) -> Table:
    """Return the seats of an offered game. Raises NotFound."""
    offer = club.state.offers[name]
    system = load(offer.system, offer.edition)
    scenario = scenario_of(system, offer.choices.scenario)
    game = reading(club.home, name)
    left = given_back(offer, game.register)
    taken = {o.side for o in game.register.officers}.difference(left)
    people = {
        one["email"].lower(): side
        for side, some in secrets.addresses(game).items()
        for one in some
        if side not in left and one["email"]
    }
    return Table(
        name=name,
        title=f"{ascii_fold(system.title)}, {ascii_fold(scenario.title)}",
        sides={side: ascii_fold(scenario.side_name(side)) for side in scenario.sides},
        free=[s for s in scenario.sides if s not in taken and s in (*offer.seats, *offer.held)],
        people=people,
        asked=Counter(one["side"] for one in secrets.letters(game).values()),
    )


def open_offers(state: State) -> Iterator[str]:
    """Yield the games that wait for players, the first offered first."""
    waiting = [(o.at, name) for name, o in state.offers.items() if not o.opened]
    yield from (name for _, name in sorted(waiting))


def fill(club: Club, load: Load, talk: list[str]) -> list[str]:
    """Take offered games further: the second seat of a pair, bots, opening. Return the names of
    the games that were changed.

    talk: gains what went wrong with a game, which does not keep the others waiting.
    """
    changed: list[str] = []
    for name in list(open_offers(club.state)):
        try:
            offer = club.state.offers[name]
            system = load(offer.system, offer.edition)
            if name not in games(club.home):
                ensure_made(club, system, name)
            if offer.pair:
                _seat_pair(club, name, offer)
            if _open_if_full(club, system, name, offer):
                changed.append(name)
        except PbemError as error:
            talk.append(f"club: {name}: {error.message}")
    return changed


def ask_again(club: Club) -> None:
    """Send another letter to people who asked for any seat of a game, and whose letter is for one
    that somebody else has taken."""
    for name in list(open_offers(club.state)):
        offer = club.state.offers[name]
        if not offer.anyone or name not in games(club.home):
            continue
        game = reading(club.home, name)
        left = given_back(offer, game.register)
        taken = {str(o.side) for o in game.register.officers}.difference(left)
        free = [side for side in offer.seats if side not in taken]
        here = {one["email"].lower() for some in secrets.addresses(game).values() for one in some}
        offer.anyone = {a: side for a, side in offer.anyone.items() if a not in here}
        for email, side in list(offer.anyone.items()):
            if side in taken and free:
                offer.anyone[email] = free[0]
                mark = f"again {name} {free[0]} {email} {game.register.n}"
                called = chosen_name(club.state, email)
                club.state.todo.append(Todo("invite", name, free[0], email, mark, name=called))
                post(club, email, note("again", game=name, side=side, other=free[0]))


def _seat_pair(club: Club, name: str, offer: Offer) -> None:
    """Register who plays in one game of a pair for the other side of the other game, with the same
    key: he was told so when he joined."""
    if offer.pair not in games(club.home):
        return
    game, other = reading(club.home, name), reading(club.home, offer.pair)
    sides = list(game.register.sides)
    for officer in game.register.officers:
        swapped = sides[1 - sides.index(officer.side)]
        if officer.bot or _holders(other.register, swapped):
            continue
        if officer.side in given_back(offer, game.register):
            continue
        one = secrets.addresses(game)[officer.side][0]
        newcomer = Newcomer(
            officer.key, one["email"], one["name"], one["tz"], recovery=officer.recovery
        )
        with writing(club.home, offer.pair) as second:
            enlist(second, swapped, newcomer)


def _open_if_full(club: Club, system: System, name: str, offer: Offer) -> bool:
    """Open a game whose seats are all taken; return whether it was changed."""
    before = reading(club.home, name).register
    if offer.absent:
        return False
    full = all(_holders(before, side) for side in before.sides)
    full = full and not given_back(offer, before)
    if full and any(o.key in doubted_keys(club.state) for o in before.officers):
        full = False  # a game that opens with a key that may be stolen cannot be closed again
    bots = bool(offer.bots_at) and now() >= parse(offer.bots_at)
    if not (before.window or full or bots):
        return False  # so that ticks take no lock of a game that only waits
    with writing(club.home, name) as game:
        register, changed = game.register, False
        if register.window:  # a killed run, or the moderator, opened it
            _opened(club, game, offer)
            return False
        for side in register.sides if bots else ():
            if not _holders(register, side):
                enlist_bot(game, side)
                changed = True
        held = all(_holders(register, side) for side in register.sides)
        if given_back(offer, register) or not held:
            return changed
        if club.settings.site and not register.spectators:
            from pbem.outbound.spectators import enrol_site

            enrol_site(game)
        open_game(game, system)
        _opened(club, game, offer)
    return True


def _opened(club: Club, game: Game, offer: Offer) -> None:
    """Remember that a game has opened, and who its players are."""
    offer.opened = stamp(now())
    learn(club.state, game)
    club.commit()


def seat(club: Club, game: str, side: str, email: str, mark: str) -> str:
    """Let a member have a seat: at once if a key of his is known, otherwise by a joining letter.
    Return which: `seat` or `invite`."""
    key = playing_key(club.state, email)
    todo = Todo("seat" if key else "invite", game, side, email, mark, key)
    todo.name = chosen_name(club.state, email)
    club.state.todo.append(todo)
    return todo.kind


def work(club: Club, load: Load) -> Iterator[tuple[str, str]]:
    """Do what is left to do in games; yield each game with what went wrong there, else empty."""
    for todo in list(club.state.todo):
        wrong = ""
        try:
            _do(club, load, todo)
        except PbemError as error:
            if error.exit_code == 4:  # busy: the next tick does it
                yield todo.game, error.message
                continue
            wrong = error.message
            if todo.kind == "seat":
                post(club, todo.email, note("not_seated", game=todo.game, side=todo.side))
        club.state.todo.remove(todo)
        yield todo.game, wrong
    club.commit()


def _do(club: Club, load: Load, todo: Todo) -> None:
    """Send a joining letter, register a player, or send his mail elsewhere, unless that was done
    before a kill. Raises PbemError."""
    with writing(club.home, todo.game) as game:
        register, known = game.register, secrets.addresses(game).get(todo.side, [])
        if todo.former:
            secrets.drop_letters(game, todo.former)
        if todo.kind == "move":
            if [one["email"].lower() for one in known] == [todo.former]:
                readdress(game, todo.side, todo.email)
        elif todo.kind == "seat" and is_proof(club.state, todo.email, todo.key):
            _seat(club, game, todo.side, Newcomer(todo.key, todo.email, todo.name))
        elif not any(one.get("offer") == todo.mark for one in secrets.letters(game).values()):
            offer = club.state.offers.get(todo.game, Offer(register.created.system))
            system = load(register.created.system, register.pinned.edition)
            invite(game, system, todo.side, todo.email, "", todo.mark, _terms(club, todo, offer))


def _seat(club: Club, game: Game, side: str, newcomer: Newcomer) -> None:
    """Register a player whose key is known, for a seat that is free, given back or vacant. Raises
    Usage if he cannot have it."""
    known = " ".join(newcomer.key.split()[:2])
    mine = next((o for o in game.register.officers if o.key == known), None)
    if mine and mine.side == side:
        return
    offer = club.state.offers.get(game.name)
    vacant = club.state.vacancies.get(game.name, {})
    open_ = side in vacant or (offer and side in given_back(offer, game.register))
    if mine or (_holders(game.register, side) and not open_):
        why = f"his key plays {mine.side}" if mine else "somebody else has it"
        raise Usage(f"{newcomer.email} has no seat for {side}: {why}", "put the game right by hand")
    if open_:
        replace(game, side, newcomer)
    else:
        enlist(game, side, newcomer)


def _terms(club: Club, todo: Todo, offer: Offer) -> list[str]:
    """Return what a joining letter of the club says besides."""
    found = [words("first_wins")] if todo.game in club.state.offers else []
    if todo.side in club.state.vacancies.get(todo.game, {}):
        found = [words("substitute")]
    if offer.pair:
        found.append(words("pair_terms", other=offer.pair))
    if offer.words:
        found.append(words("conditions", words=offer.words))
    shown = "names_shown" if club.settings.names == "shown" else "names_end"
    return [*found, words(shown)] if club.settings.site else found


def withdraw(club: Club, name: str) -> None:
    """Withdraw an offer; the game stays, for the moderator to fill. Raises NotFound, Usage."""
    offer = club.state.offers.get(name)
    if offer is None:
        raise NotFound(f"{name} is not offered", "`pbem offer` lists what is offered")
    if offer.opened:
        raise Usage(f"{name} has opened", f"see `pbem end {name} --help`")
    del club.state.offers[name]
    club.commit()
