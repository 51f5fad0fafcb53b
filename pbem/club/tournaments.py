"""Tournaments: entrants are paired by rounds, and their games are made and offered to them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import structs

from pbem.admin.setup import scenario_of
from pbem.base.clock import now, stamp
from pbem.club.mails import note, post, words
from pbem.club.members import same_person
from pbem.club.offers import Load, ensure_made, seat
from pbem.club.pairing import Meeting, Place, ladder, places, rungs_pairs, swiss
from pbem.club.results import Result, result_in
from pbem.club.state import Club, Offer, Round, Tournament
from pbem.errors import NotFound, PbemError, Usage
from pbem.inbound.spool import tell
from pbem.model import Side, System
from pbem.store.game_dir import games, reading
from pbem.store.names import require_name
from pbem.text.layout import ascii_fold

LONGEST = 9
"""Characters of a tournament's name: its games are called NAME, round, table: `spring2c`."""
MOST = 26 * 2
"""Entrants of a tournament: its tables have letters."""


def found(club: Club, system: System, name: str, one: Tournament) -> None:
    """Announce a tournament; people enter it with JOIN NAME. Raises Usage."""
    require_name(name)
    if len(name) > LONGEST or name[-1:].isdigit():
        raise Usage(
            f"{name!r} cannot name a tournament",
            f"up to {LONGEST} characters, the last one a letter: rounds are numbered behind it",
        )
    if name in club.state.tournaments or name in club.state.offers:
        raise Usage(f"there is a {name} already", "choose another name")
    if len(scenario_of(system, one.choices.scenario).sides) != 2:
        raise Usage("a tournament needs a scenario of two sides", "see `pbem systems`")
    one.system = system.name
    club.state.tournaments[name] = one


def advance(club: Club, load: Load, known: Mapping[str, Result], talk: list[str]) -> None:
    """Begin tournaments that are full, and pair the next round of those whose round has ended.

    known: results that are known already, by game. talk: gains what went wrong.
    """
    for name, one in club.state.tournaments.items():
        if one.ended:
            continue
        try:
            _advance(club, load, name, one, known)
        except PbemError as error:
            talk.append(f"club: {name}: {error.message}")


def _advance(
    club: Club, load: Load, name: str, one: Tournament, known: Mapping[str, Result]
) -> None:
    """Take one tournament further; kills between two steps lose nothing."""
    if one.size and not one.began and len(one.entrants) >= one.size:
        one.began = stamp(now())
    if not one.began and not one.closing:
        return
    _one_entry_each(club, name, one)
    system = load(one.system, "")
    for number, played in enumerate(one.played, 1):
        _make_games(club, system, name, one, number, played)
    met = meetings(club, one, known)
    running = any(not m.points for m in met)
    done = one.closing or (one.rounds and len(one.played) >= one.rounds)
    if done and not running:
        _end(club, name, one, met)
    if one.closing or (running and one.kind != "ladder") or one.ended:
        return
    if one.kind == "ladder":
        pairs = rungs_pairs(one.entrants, met, one.gone)
    else:
        pairs = swiss(one.entrants, met, one.gone)
    if not any(len(pair) == 2 for pair in pairs):
        return
    number = len(one.played) + 1
    one.played.append(Round(pairs, [_names(name, one, number, i, p) for i, p in enumerate(pairs)]))
    club.commit()
    _make_games(club, system, name, one, number, one.played[-1])


def _one_entry_each(club: Club, name: str, one: Tournament) -> None:
    """Pair nobody against himself: of two entries that turn out to be one person's, as he has
    played with the same key from both addresses, the first stays."""
    playing = [email for email in one.entrants if email not in one.gone]
    for number, email in enumerate(playing):
        first = next((e for e in playing[:number] if same_person(club.state, e, email)), "")
        if first:
            one.gone.append(email)
            said = note("entered_twice", name=name, email=email, other=first)
            tell(club.home, club.config, f"club: {said.subject}", said.text)


def _names(name: str, one: Tournament, number: int, table: int, pair: list[str]) -> list[str]:
    """Return the names of a pairing's games; a bye has none."""
    if len(pair) < 2:
        return []
    game = f"{name}{number}{chr(ord('a') + table)}"
    return [f"{game}x", f"{game}y"] if one.kind == "paired" else [game]


def _make_games(
    club: Club, system: System, name: str, one: Tournament, number: int, played: Round
) -> None:
    """Offer the games of a round to those who play them."""
    scenario = scenario_of(system, one.choices.scenario)
    sides = scenario.sides
    for pair, names in zip(played.pairings, played.games, strict=True):
        for second, game in enumerate(names):
            if game in club.state.offers:
                continue
            order = pair[::-1] if second else pair
            held = {str(side): email for side, email in zip(sides, order, strict=True)}
            club.state.offers[game] = Offer(
                system.name,
                system.edition,
                structs.replace(one.choices),
                one.rule,
                held=held,
                at=stamp(now()),
                tournament=name,
                words=one.words,
            )
            club.commit()
            ensure_made(club, system, game)
            for side, email in held.items():
                _invite(club, name, number, game, Side(side), scenario.side_name(side), email)


def _invite(
    club: Club, name: str, number: int, game: str, side: Side, printed: str, email: str
) -> None:
    """Register an entrant who signed his entry; send a joining letter to any other. printed: the
    printed name of the side."""
    kind = seat(club, game, side, email, f"tournament {game} {side} {email}")
    said = note("paired_" + kind, name=name, round=number, game=game, side=ascii_fold(printed))
    post(club, email, said)


def drop_out(club: Club, game: str, side: str, email: str, why: str) -> None:
    """Stop pairing an entrant who does not play his game to its end, until he enters again.

    email: of whoever had the seat. why: `resigned` or `replaced`.
    """
    offer = club.state.offers.get(game)
    one = club.state.tournaments.get(offer.tournament) if offer else None
    if offer is None or one is None or one.ended or email not in one.entrants:
        return
    if offer.held.get(side) == email and email not in one.gone:
        one.gone.append(email)
        post(club, email, note(f"out_{why}", name=offer.tournament, game=game))


def remove(club: Club, name: str, email: str) -> None:
    """Take an entrant out of a tournament, by the moderator's decision, and tell him. Raises
    NotFound."""
    one = club.state.tournaments[name]
    if email not in one.entrants or email in one.gone:
        known = ", ".join(e for e in one.entrants if e not in one.gone) or "nobody"
        raise NotFound(f"{email} is not in {name}", f"in it: {known}")
    (one.gone.append if one.played else one.entrants.remove)(email)
    post(club, email, note("removed", what=name))


def meetings(club: Club, one: Tournament, known: Mapping[str, Result]) -> list[Meeting]:
    """Return the pairings of all rounds with their points; on a ladder those that ended first come
    first."""
    found: list[tuple[str, Meeting]] = []
    for played in one.played:
        for pair, names in zip(played.pairings, played.games, strict=True):
            if len(pair) == 1:
                full = 2.0 if one.kind == "paired" else 1.0
                found.append(("", Meeting((pair[0],), (full,), full)))
                continue
            results = [known.get(game) or _result(club, game) for game in names]
            done = [r for r in results if r is not None]
            whole = len(done) == len(names)
            points = _points(club, pair, done) if whole else ()
            at = max((r.at for r in done), default="") if whole else "~"
            found.append((at, Meeting((pair[0], pair[1]), points, float(len(names)))))
    if one.kind == "ladder":
        found.sort(key=lambda pair: pair[0])
    return [meeting for _, meeting in found]


def _result(club: Club, game: str) -> Result | None:
    """Return the result of a game; None while it goes on, or before it is made."""
    if game not in games(club.home) or not reading(club.home, game).register.over:
        return None
    return result_in(club.home, game)


def _points(club: Club, pair: list[str], results: list[Result]) -> tuple[float, ...]:
    """Return the points of a pairing: 1 for a game won, half for a draw or no result.

    They are those of the seat to which the entrant was paired, whoever sat there in the end. Who
    has not come to a game gets nothing for it.
    """
    points = [0.0, 0.0]
    for one in results:
        offer = club.state.offers[one.game]
        for side, email in offer.held.items():
            if side in offer.absent:
                continue
            drawn = one.result not in offer.held
            points[pair.index(email)] += 0.5 if drawn else float(one.result == side)
    return tuple(points)


def _end(club: Club, name: str, one: Tournament, met: list[Meeting]) -> None:
    """End a tournament: everybody who is still in it gets the table."""
    one.ended = stamp(now())
    text = "\n".join(table_lines(club, one, places(one.entrants, met)))
    for email in one.entrants:
        if email not in one.gone:
            post(club, email, note("ended", name=name, table=text))


def standing(club: Club, one: Tournament, known: Mapping[str, Result]) -> list[Place]:
    """Return the table of a tournament; on a ladder, the rungs."""
    met = meetings(club, one, known)
    table = {place.name: place for place in places(one.entrants, met)}
    if one.kind != "ladder":
        return list(table.values())
    rungs = ladder(one.entrants, met)
    for number, name in enumerate(rungs, 1):
        table[name].place = number
    return [table[name] for name in rungs]


def table_lines(club: Club, one: Tournament, table: list[Place]) -> list[str]:
    """Return a table as lines of text, with the names of the members."""
    from pbem.text.layout import table as laid_out

    rows = [
        [
            str(p.place),
            ascii_fold(called(club, p.name)),
            f"{p.points:g}",
            f"{p.buchholz:g}",
            f"{p.berger:g}",
            str(p.wins),
            str(p.played),
        ]
        for p in table
    ]
    return laid_out(rows, words("table_head").split("|")).splitlines()


def called(club: Club, email: str) -> str:
    """Return the name of a member, which may be shown."""
    member = club.state.members.get(email)
    return member.name if member else words("somebody")
