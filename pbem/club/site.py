"""The club's site: static pages in a folder that any web server can serve. Ticks write it.

    index.html  running-1.html  finished-1.html  standings.html  standings-SYSTEM.html  style.css
    club.ics  feed.xml  members.json
    g/GAME.html  g/GAME.ics      every game; g/GAME.svg the chart of a running one
    r/GAME.html  r/GAME.zip      the replay and the bundle of a finished game; r/GAME.svg its chart
    s/GAME.html                  its story

A file is written only if its content changes; a page depends on public facts alone, never on the
time at which it is written. What is known of it is in HOME/.pbem/club/site.json, which can be lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem import __version__
from pbem.base.files import read_plain, write_plain
from pbem.base.hashing import canonical_json
from pbem.club import feeds, pages
from pbem.club.facts import Chart, Facts, facts_of, mark_of
from pbem.club.members import names_of
from pbem.club.offers import Load, Table, open_offers, table_of
from pbem.club.quiet import CACHE
from pbem.club.ratings import Table as Ratings
from pbem.club.ratings import sides_won, tables
from pbem.club.results import Result
from pbem.club.state import Club, folder
from pbem.errors import PbemError
from pbem.model import ALL
from pbem.rulecode import described
from pbem.store.game_dir import games, reading, unread
from pbem.store.names import natural

REPLAYS = 3
"""Replays that one tick makes at most: an audit of a whole game each."""
CHARTS = 250
"""Charts of running games that one tick draws at most."""


class Site(Struct):
    """What is known of the site's files."""

    under: str = ""
    """Digest of the settings, the release and what the club remembers, as of the last time."""
    facts: dict[str, Facts] = {}
    files: dict[str, str] = {}
    """File to the digest of its content."""
    rated: str = ""
    """Digest of the results and names that the ratings below are of."""
    ratings: list[Ratings] = []
    replays: dict[str, str] = {}
    """Finished game to its head, of which the replay was made; or why it could not be made."""
    charts: dict[str, Chart] = {}
    """Running game to its chart."""

    def undrawn(self) -> list[str]:
        """Return the running games whose chart is not that of their newest report."""
        shown = {name: f.shown for name, f in self.facts.items() if f.shown}
        return [n for n, of in shown.items() if n not in self.charts or self.charts[n].of != of]

    def unplayed(self) -> bool:
        """Tell whether the replay of a finished game is still to be made."""
        return any(f.result and name not in self.replays for name, f in self.facts.items())


def results_of(club: Club) -> dict[str, Result]:
    """Return the results that the site knows, by game."""
    return {name: f.result for name, f in _load(club).facts.items() if f.result is not None}


def _load(club: Club) -> Site:
    try:
        return msgspec.json.decode(read_plain(folder(club.home) / CACHE) or b"{}", type=Site)
    except msgspec.DecodeError:
        return Site()


def update(
    club: Club, found: Mapping[str, Facts], load: Load, talk: list[str], whole: bool = False
) -> int:
    """Write what has changed; return how many files were written or removed.

    found: the facts of the games that a tick looked at. whole: look at every game and every file
    anew. talk: gains what went wrong. Raises OSError if the folder cannot be written.
    """
    if not club.settings.site:
        return 0
    site = Site() if whole else _load(club)
    before = msgspec.json.encode(site)
    names = [name for name in games(club.home) if name not in club.settings.hide]
    dirty = _gather(club, site, names, found, load, talk)
    under = _under(club)
    if not (dirty or site.undrawn() or site.unplayed()) and under == site.under:
        return 0
    root = club.home / club.settings.site
    _require_folder(root)
    dirty |= _replays(club, site, root, load, talk)
    count = _charts(club, site, root, load, dirty)
    all_anew = under != site.under
    contents = dict(_contents(club, site, load, names if all_anew else sorted(dirty)))
    kept = {f"g/{name}.html" for name in names}
    kept |= {f"g/{name}.ics" for name in names if name in site.facts and site.facts[name].deadline}
    kept |= {f"g/{name}.svg" for name, one in site.charts.items() if one.drawn}
    count += _write(site, root, contents) + _remove(site, root, contents.keys() | kept)
    site.under = under
    if (content := msgspec.json.encode(site)) != before:
        _save(club, content)
    return count


def _gather(
    club: Club,
    site: Site,
    names: list[str],
    found: Mapping[str, Facts],
    load: Load,
    talk: list[str],
) -> set[str]:
    """Bring the facts of all games up to date; return the games whose facts have changed."""
    dirty = set(site.facts) - set(names)
    for name in names:
        known, new = site.facts.get(name), found.get(name)
        if new is None and (known is None or known.mark != mark_of(club.home, name)):
            try:
                game = reading(club.home, name)
                created = game.register.created
                system = load(created.system, game.register.pinned.edition)
                new = facts_of(game, system, mark_of(club.home, name))
            except PbemError as error:
                talk.append(f"club: {name}: {error.message}")
        if new is not None and new != known:
            if known is None or msgspec.structs.replace(known, mark=new.mark) != new:
                dirty.add(name)
            site.facts[name] = new
    for name in set(site.facts) - set(names):
        del site.facts[name]
    return dirty


def _under(club: Club) -> str:
    """Return the digest of all that pages depend on besides the facts of games."""
    state = club.state
    seen = [
        club.settings,
        club.config.address,
        __version__,
        state.members,
        state.offers,
        state.tournaments,
    ]
    return sha256(canonical_json(seen)).hexdigest()


def _require_folder(root: Path) -> None:
    """Make the folder of the site, which everybody may read. Raises OSError."""
    for part in (root, root / "g", root / "r", root / "s"):
        part.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not os.access(part, os.W_OK):
            raise PermissionError(13, "the site cannot be written", str(part))


def _contents(
    club: Club, site: Site, load: Load, names: Iterable[str]
) -> Iterable[tuple[str, bytes]]:
    """Yield the site's files, of games only those that are named."""
    facts = site.facts
    view = pages.Shown(club, facts, names_of(club.state), site.files, site.charts)
    for name in names:
        if name in facts:
            yield f"g/{name}.html", view.game(facts[name])
            if facts[name].deadline:
                yield f"g/{name}.ics", feeds.calendar(club, [facts[name]])
    running = sorted(
        (f for f in facts.values() if f.running),
        key=lambda f: (f.held, f.deadline or "~", natural(f.game)),
    )
    ended = [(f.result.at, f.game) for f in facts.values() if f.result]
    finished = [facts[name] for _, name in sorted(ended, reverse=True)]
    yield "index.html", view.index(_open_tables(club, load), running, finished)
    for number, some in enumerate(pages.leaves(running), 1):
        yield f"running-{number}.html", view.listing("running", number, some, len(running))
    for number, some in enumerate(pages.leaves(finished), 1):
        yield f"finished-{number}.html", view.listing("finished", number, some, len(finished))
    yield "standings.html", _standings(club, site, view)
    for system in {table.system for table in site.ratings}:
        yield pages.page_of(system), view.ratings(system, site.ratings)
    yield "style.css", pages.style()
    yield "club.ics", feeds.calendar(club, running)
    yield "feed.xml", feeds.atom(club, [*running, *finished])
    yield "members.json", feeds.members(club, [f.result for f in finished if f.result])


def _open_tables(club: Club, load: Load) -> list[Table]:
    """Return the offered games with seats for everybody."""
    found = []
    for name in open_offers(club.state):
        offer = club.state.offers[name]
        if name in club.settings.hide or (offer.pair and name > offer.pair):
            continue
        table = table_of(club, load, name)
        table.free = [side for side in table.free if side in offer.seats]
        if table.free:
            found.append(table)
    return found


def _standings(club: Club, site: Site, view: pages.Shown) -> bytes:
    """Return the page of standings; ratings are computed only when a result or a name is new."""
    from pbem.club.tournaments import standing

    results = {f.game: f.result for f in site.facts.values() if f.result is not None}
    names = names_of(club.state)
    rated = sha256(canonical_json([list(results.values()), names])).hexdigest()
    if rated != site.rated:
        site.rated, site.ratings = rated, tables(results.values(), names)
    cups = {
        name: standing(club, one, results)
        for name, one in club.state.tournaments.items()
        if one.began
    }
    return view.standings(site.ratings, sides_won(results.values()), cups, len(results))


def _charts(club: Club, site: Site, root: Path, load: Load, dirty: set[str]) -> int:
    """Draw running games whose public report is new, a few hundred at a time; return how many files
    were written. dirty: gains the games whose pages that changes."""
    for name in [n for n in site.charts if n not in site.facts or not site.facts[n].shown]:
        del site.charts[name]
    count = 0
    for name in site.undrawn()[:CHARTS]:
        from pbem.club.charts import public

        facts = site.facts[name]
        content = unread(club.home, name).read("reports", ALL, str(facts.reported), "report.json")
        system = load(facts.system, facts.edition)
        site.charts[name], drawn = public(system, content, facts.shown)
        count += _write(site, root, {f"g/{name}.svg": drawn} if drawn else {})
        dirty.add(name)
    return count


def _replays(club: Club, site: Site, root: Path, load: Load, talk: list[str]) -> set[str]:
    """Publish finished games, a few at a time; return the games whose pages that changes."""
    made: set[str] = set()
    for name, facts in sorted(site.facts.items()):
        if facts.result is None:
            if site.replays.pop(name, None):
                made.add(name)
            continue
        if name in site.replays or len(made) >= REPLAYS:
            continue
        site.replays[name] = facts.lock
        if not facts.lock:
            continue  # it ended before a window was played
        try:
            _replay(club, site, root, name, load)
        except PbemError as error:
            talk.append(f"club: the replay of {name} cannot be made: {error.message}")
        except (ValueError, LookupError, TypeError, AttributeError) as error:  # of its rules
            talk.append(f"club: the replay of {name} cannot be made: {described(error)}")
        made.add(name)
    return made


def _replay(club: Club, site: Site, root: Path, name: str, load: Load) -> None:
    """Write the replay, the bundle, the story and the chart of a finished game. Raises
    PbemError."""
    from pbem.club.charts import journey
    from pbem.replay.publish import publish
    from pbem.replay.walk import walk
    from pbem.story.write import compose, html

    game = reading(club.home, name)
    register = game.register
    system = load(register.created.system, register.pinned.edition)
    along = walk(game, system)
    done = publish(game, system, root / "r" / f"{name}.html", along)
    for path in (done.page, done.bundle):
        path.chmod(0o644)
        site.files[f"r/{path.name}"] = sha256(path.read_bytes()).hexdigest()[:16]
    told = compose(game, system, along)
    drawn = journey(told)
    contents = {f"s/{name}.html": html(told), **({f"r/{name}.svg": drawn} if drawn else {})}
    _write(site, root, contents)


def _write(site: Site, root: Path, contents: Mapping[str, bytes]) -> int:
    """Write the files whose content has changed; return how many. A reader sees the former file or
    the new one, never half of it."""
    count = 0
    for name, content in contents.items():
        digest = sha256(content).hexdigest()[:16]
        if site.files.get(name) == digest:
            continue
        path = root / name
        beside = path.with_name(f".{path.name}.new")
        write_plain(beside, content)
        beside.chmod(0o644)
        beside.replace(path)
        site.files[name] = digest
        count += 1
    return count


def _remove(site: Site, root: Path, wanted: set[str]) -> int:
    """Remove the files that no longer belong to the site; return how many."""
    gone = [name for name in site.files if name not in wanted and not _lasts(site, name)]
    for name in gone:
        (root / name).unlink(missing_ok=True)
        del site.files[name]
    return len(gone)


def _lasts(site: Site, name: str) -> bool:
    """Tell whether a file is one of a finished game, which is made once."""
    return name.startswith(("r/", "s/")) and Path(name).stem in site.replays


def _save(club: Club, content: bytes) -> None:
    """Write what is known of the site. It is not synced: it can be made again."""
    path = folder(club.home) / CACHE
    beside = path.with_name(f".{CACHE}.{os.getpid()}")
    write_plain(beside, content)
    beside.replace(path)
