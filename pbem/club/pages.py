"""The pages of the site: data for the templates in `templates/club`, which see nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from urllib.parse import quote

from pbem.admin.invitation import in_words
from pbem.base.config import address_of
from pbem.club.facts import Chart, Facts, Seat
from pbem.club.mails import words
from pbem.club.offers import Table
from pbem.club.pairing import Place
from pbem.club.ratings import SPREAD, START, Standing
from pbem.club.ratings import Table as Ratings
from pbem.club.state import Club
from pbem.data import read
from pbem.model import Plain
from pbem.text.layout import day_of, within
from pbem.turns.schedule import read_rule
from pbem.web.page_data import digest_of

LEAF = 100
"""Games on a page of the lists."""
FIRST = 30
"""Running games on the first page."""
BEST = 6
"""Players of a system on the page of all standings; its own page has the others."""
GALLERY = 3
"""Finished games that the first page shows with their charts."""
FILES = {
    "replay": "r/{}.html",
    "bundle": "r/{}.zip",
    "story": "s/{}.html",
    "chart": "r/{}.svg",
}
"""The files of a finished game, by what pages call them."""
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def leaves(games: Sequence[Facts]) -> Iterable[Sequence[Facts]]:
    """Yield the games of each page of a list; one empty page of an empty list."""
    rest = iter(games)
    yield list(islice(rest, LEAF))
    while some := list(islice(rest, LEAF)):
        yield some


@cache
def style() -> bytes:
    """Return the style sheet."""
    return read("templates", "club/club.css")


@cache
def script() -> str:
    """Return the only script: it shows times in the reader's zone. Pages are whole without it."""
    return read("templates", "club/club.js").decode().strip()


@cache
def _policy() -> str:
    """Return the content security policy: this script, pictures and the style of the site."""
    return (
        f"default-src 'none'; script-src 'sha256-{digest_of(script())}'; style-src 'self';"
        " img-src 'self'; base-uri 'none'; form-action 'none'"
    )


class Shown:
    """What pages show: of the club, its games, and who plays.

    names: fingerprint of a key to a member's name. files: those that the site has, to link to.
    charts: those of running games.
    """

    def __init__(
        self,
        club: Club,
        facts: Mapping[str, Facts],
        names: Mapping[str, str],
        files: Mapping[str, str],
        charts: Mapping[str, Chart],
    ) -> None:
        self._club, self._facts, self._names, self._files = club, facts, names, files
        self._charts = charts

    def _render(self, page: str, up: str, at: str, data: Plain) -> bytes:
        """Render a page. up: the way to the site's first page; at: the link that is current."""
        from markupsafe import Markup

        from pbem.reports.render import templates

        club = self._club
        shared: Plain = {
            "club": club.settings.name,
            "mail": address_of(club.config, "club") if club.config.address else "",
            "up": up,
            "at": at,
            "url": club.settings.url,
            "policy": Markup(_policy()),
            "script": Markup(script()),
        }
        found = templates().get_template(f"club/{page}.html.j2").render(**shared, **data)
        return found.encode()

    def game(self, one: Facts) -> bytes:
        """Return the page of a game."""
        return self._render("game", "../", "", {"game": self._game(one)})

    def index(
        self, tables: Sequence[Table], running: Sequence[Facts], finished: Sequence[Facts]
    ) -> bytes:
        """Return the first page."""
        seats = sum(len(table.free) for table in tables)
        data: Plain = {
            "title": _title(seats, len(running), len(finished)),
            "seats": [self._open(table) for table in tables],
            "cups": [
                {
                    "name": name,
                    "kind": words(f"kind_{one.kind}"),
                    "system": self._system(one.system),
                }
                for name, one in self._club.state.tournaments.items()
                if not one.began and one.open
            ],
            "running": [self._row(one) for one in running[:FIRST]],
            "more_running": max(0, len(running) - FIRST),
            "finished": [self._row(one) for one in self._gallery(finished)],
            "count": len(finished),
        }
        return self._render("index", "", "index", data)

    def _gallery(self, finished: Sequence[Facts]) -> Sequence[Facts]:
        """Return the newest games with a replay; where there are too few, the newest of all."""
        shown = [one for one in finished if f"r/{one.game}.html" in self._files]
        rest = [one for one in finished if one not in shown[:GALLERY]]
        return [*shown, *rest][:GALLERY]

    def listing(self, kind: str, number: int, some: Sequence[Facts], count: int) -> bytes:
        """Return a page of all running or all finished games."""
        data: Plain = {
            "kind": kind,
            "number": number,
            "of": max(1, -(-count // LEAF)),
            "count": count,
            "games": [self._row(one) for one in some],
        }
        return self._render("listing", "", "", data)

    def standings(
        self,
        ratings: Sequence[Ratings],
        won: Mapping[str, Mapping[str, int]],
        cups: Mapping[str, Sequence[Place]],
        count: int,
    ) -> bytes:
        """Return the page of standings."""
        whole = [t for t in ratings if not t.side]
        data: Plain = {
            "title": self._leads(whole),
            "count": count,
            "tables": [{**self._table(t), "page": page_of(t.system)} for t in whole],
            "won": [
                {
                    "name": self._system(system),
                    "sides": [
                        {
                            "name": within(self._side(system, side)),
                            "count": n,
                            "colour": self._colour(system, side),
                        }
                        for side, n in row.items()
                        if side != "draw"
                    ],
                    "drawn": row.get("draw", 0),
                }
                for system, row in won.items()
            ],
            "cups": [self._cup(name, table) for name, table in cups.items()],
        }
        return self._render("standings", "", "standings", data)

    def ratings(self, system: str, ratings: Sequence[Ratings]) -> bytes:
        """Return the page of the players of a system: all of them, and by side."""
        mine = [t for t in ratings if t.system == system and (t.listed or not t.side)]
        data: Plain = {
            "title": f"{self._system(system)}: standings",
            "tables": [
                {
                    **self._table(t, len(t.listed)),
                    "name": f"As {within(self._side(system, t.side))}" if t.side else words("all"),
                }
                for t in mine
            ],
        }
        return self._render("ratings", "", "standings", data)

    def _table(self, table: Ratings, most: int = BEST) -> Plain:
        """Return a table of ratings with its best players."""
        return {
            "name": self._system(table.system),
            "rows": [_standing(one) for one in table.listed[:most]],
            "more": max(0, len(table.listed) - most),
            "waiting": table.waiting,
        }

    def _cup(self, name: str, table: Sequence[Place]) -> Plain:
        """Return the table of a tournament."""
        one, members = self._club.state.tournaments[name], self._club.state.members
        return {
            "name": name,
            "kind": words(f"kind_{one.kind}"),
            "system": self._system(one.system),
            "round": len(one.played),
            "rounds": one.rounds,
            "ended": bool(one.ended),
            "ladder": one.kind == "ladder",
            "rows": [
                {
                    "place": p.place,
                    "name": members[p.name].name if p.name in members else words("somebody"),
                    "points": f"{p.points:g}",
                    "buchholz": f"{p.buchholz:g}",
                    "berger": f"{p.berger:g}",
                    "wins": p.wins,
                    "played": p.played,
                }
                for p in table
            ],
        }

    def _leads(self, tables: Sequence[Ratings]) -> str:
        """Return who leads, for the title: where somebody is better than the others beyond what
        chance explains."""
        first = [(t.listed[0], self._system(t.system)) for t in tables if t.listed]
        best = [(one.name, where) for one, where in first if one.first == one.last]
        if not best:
            return words("no_clear_leader" if first else "no_leader")
        (name, where), *rest = best
        others = [f"{other} in {there}" for other, there in rest]
        return f"{', '.join([f'{name} leads in {where}', *others])}."

    def _system(self, name: str) -> str:
        """Return the printed name of a system, as its games give it."""
        return next((f.title for f in self._facts.values() if f.system == name), name)

    def _side(self, system: str, side: str) -> str:
        """Return the printed name of a side."""
        seats = (s for f in self._facts.values() if f.system == system for s in f.seats)
        return next((s.name for s in seats if s.side == side), side)

    def _colour(self, system: str, side: str) -> str:
        """Return the colour of a side, as its pages write it."""
        seats = (s for f in self._facts.values() if f.system == system for s in f.seats)
        return next((s.colour for s in seats if s.side == side), "")

    def _open(self, table: Table) -> Plain:
        """Return an offered game with open seats."""
        offer = self._club.state.offers[table.name]
        facts = self._facts.get(table.name)
        colours = {s.side: s.colour for s in facts.seats} if facts else {}
        free = [
            {
                "name": table.sides[side],
                "said": within(table.sides[side]) if number else table.sides[side],
                "colour": colours.get(side, ""),
                "link": self._mailto(f"JOIN {table.name} {side}"),
                "join": f"JOIN {table.name} {side}",
            }
            for number, side in enumerate(table.free)
        ]
        return {
            "game": table.name,
            "title": f"{facts.title} · {facts.scenario}" if facts else table.title,
            "free": free,
            "pair": offer.pair,
            "pace": _pace(offer.rule),
            "words": offer.words,
            "taken": len(table.people),
        }

    def _mailto(self, subject: str) -> str:
        """Return a link that opens a ready mail; empty if the club has no address."""
        config = self._club.config
        to = address_of(config, "club") if config.address else ""
        body = quote("I take this seat.\n")
        return f"mailto:{to}?subject={quote(subject)}&body={body}" if to else ""

    def _row(self, one: Facts) -> Plain:
        """Return a game as lists show it."""
        found = self._game(one)
        who = " ".join(f"{seat['name']}: {seat['player']}." for seat in found["seats"])
        if one.running and all(seat["player"] == words("hidden") for seat in found["seats"]):
            who = words("names_hidden")
        return {**found, "who": who}

    def _game(self, one: Facts) -> Plain:
        """Return all that pages say of a game."""
        result = one.result
        files = self._files
        return {
            "name": one.game,
            "title": one.title,
            "scenario": one.scenario,
            "turn": one.turn,
            "turns": one.turns,
            "share": min(100, round(100 * one.turn / one.turns)) if one.turns else 0,
            "label": "" if one.label == f"turn {one.turn} of {one.turns}" else one.label,
            "deadline": _time(one.deadline),
            "held": one.held,
            "waits": not one.window,
            "opened": _time(one.opened),
            "pace": _pace(one.rule),
            "headline": self._headline(one),
            "news": [{"label": n.label, "turn": n.turn, "lines": n.lines} for n in one.news],
            "seats": [self._seat(one, seat) for seat in one.seats],
            "result": self._outcome(one),
            "why": one.why,
            "ended": _dated(result.at) if result else None,
            **{
                key: name if (name := form.format(one.game)) in files else ""
                for key, form in FILES.items()
            },
            **self._board(one),
            "setup": _grouped(one.setup),
            "lock": _grouped(one.lock),
            "dice": words(f"dice_{one.dice}"),
        }

    def _board(self, one: Facts) -> Plain:
        """Return the chart of a running game, if it is that of the open window, and what it
        shows."""
        chart = self._charts.get(one.game)
        if chart is None or not chart.drawn or chart.of != one.shown:
            return {"board": "", "places": ""}
        return {"board": f"g/{one.game}.svg", "places": ", ".join(chart.places)}

    def _headline(self, one: Facts) -> str:
        """Return the first line of a game's page."""
        if one.result:
            return self._outcome(one)
        if not one.window:
            return words("not_open", game=one.game)
        said = one.headline or words("in_turn", game=one.game, turn=one.turn)
        return said if said.endswith((".", "!", "?")) else f"{said}."

    def _outcome(self, one: Facts) -> str:
        """Return the result of a game in words; empty while it goes on."""
        if one.result is None:
            return ""
        if one.result.result in ("draw", "none"):
            return words(f"result_{one.result.result}")
        names = {seat.side: seat.people or seat.name for seat in one.seats}
        return words("result_won", side=names.get(one.result.result, one.result.result))

    def _seat(self, one: Facts, seat: Seat) -> Plain:
        """Return a seat: names are shown as the club has decided, after the end always."""
        shown = self._club.settings.names == "shown" or one.result is not None
        known = [self._names.get(key, words("somebody")) for key in seat.keys]
        if seat.bot:
            known.append(words("bot"))
        nobody = words("nobody_played" if one.result else "nobody_yet")
        player = " and ".join(dict.fromkeys(known)) or nobody
        return {
            "side": seat.side,
            "name": seat.name,
            "colour": seat.colour,
            "player": player if shown or not seat.keys else words("hidden"),
            "missed": seat.missed,
        }


def _pace(rule: str) -> str:
    """Return a schedule as a sentence, without the heading that it has in invitations."""
    if not rule:
        return words("no_deadlines")
    said = in_words(read_rule([rule])).partition(": ")[2]
    return f"{said[:1].upper()}{said[1:]}"


def page_of(system: str) -> str:
    """Return the file with the standings of a system."""
    return f"standings-{system}.html"


def _time(iso: str) -> Plain | None:
    """Return a time as pages show it; None without one."""
    return {"iso": iso, "text": day_of(iso), "year": False} if iso else None


def _dated(iso: str) -> Plain:
    """Return a time with its year: a club has more than one season."""
    day, _, time = day_of(iso).partition(",")
    return {"iso": iso, "text": f"{day} {iso[:4]},{time}", "year": True}


def _grouped(digest: str) -> str:
    """Return the first half of a digest in words of eight digits."""
    return " ".join(digest[i : i + 8] for i in range(0, min(32, len(digest)), 8))


def _title(seats: int, running: int, finished: int) -> str:
    """Return the title of the first page: what there is, the open seats first."""

    def count(number: int) -> str:
        return NUMBERS[number] if number < len(NUMBERS) else str(number)

    found = []
    if seats:
        found.append(f"{count(seats)} {'seat is' if seats == 1 else 'seats are'} open.")
    if running:
        found.append(f"{count(running)} {'game is' if running == 1 else 'games are'} running.")
    if not found and finished:
        found.append(f"{count(finished)} {'game is' if finished == 1 else 'games are'} finished.")
    return " ".join(found) or "No game is running."


def _standing(one: Standing) -> Plain:
    """Return a row of a table of ratings, with the points of its drawings."""
    low, high = START - 2.5 * SPREAD, START + 2.5 * SPREAD

    def across(rating: float) -> float:
        return round(220 * min(1.0, max(0.0, (rating - low) / (high - low))), 1)

    level, height = 0, [0]
    for result in one.form:
        level += result
        height.append(level)
    top = max(4, *map(abs, height))
    step = 82 / max(1, len(one.form))
    points = [f"{2 + i * step:.0f} {13 - 10 * h / top:.0f}" for i, h in enumerate(height)]
    won, lost, drawn = one.form.count(1), one.form.count(-1), one.form.count(0)
    parts = [f"{won} won", f"{lost} lost", f"{drawn} drawn" if drawn else ""]
    return {
        "place": str(one.first) if one.first == one.last else f"{one.first}–{one.last}",
        "name": one.name,
        "rating": one.rating,
        "likely": one.likely,
        "low": one.rating - one.likely,
        "high": one.rating + one.likely,
        "games": one.games,
        "record": f"{one.won}–{one.lost}–{one.drawn}",
        "from": across(one.rating - one.likely),
        "to": across(one.rating + one.likely),
        "middle": across(one.rating),
        "form": f"M{'L'.join(points)}",
        "end": points[-1].split(" "),
        "good": bool(one.form) and one.form[-1] >= 0,
        "said": f"Last {len(one.form)} games: {', '.join(filter(None, parts))}",
    }
