"""Ratings of players for each system, and for each side of it.

A rating means what Elo's does: of two players 200 points apart the better one wins three games of
four. It comes with a range that contains the true strength 19 times out of 20 (docs/club.md says
how that was measured). Games count in the order in which they ended, so that the same ledgers give
the same ratings everywhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.club.results import People, Result
from pbem.errors import Usage

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull, BradleyTerryFullRating

START, SPREAD = 1500.0, 200.0
"""Where everybody begins, and the standard deviation of strength among players."""
BETA = 122.8
"""Elo's scale: 400 / ln 10 / sqrt 2."""
DRIFT = 5.0
"""How much a player's strength changes from game to game."""
LISTED = 3
"""Games from which on a player is listed."""
FORM = 10
"""Games that the form shows."""


class Standing(Struct):
    """A player's place in a table."""

    name: str
    rating: int
    likely: int
    """Half the width of the range."""
    won: int = 0
    lost: int = 0
    drawn: int = 0
    form: list[int] = []
    """1 for each game won, -1 lost, 0 drawn, of the last FORM games."""
    first: int = 0
    """The best place that the player may hold: ranges that overlap leave it open."""
    last: int = 0

    @property
    def games(self) -> int:
        """How many games count."""
        return self.won + self.lost + self.drawn


class Table(Struct):
    """The players of a system or of one side of it, the best first."""

    system: str
    side: str
    """Empty for the whole system."""
    listed: list[Standing]
    waiting: int
    """Players with too few games to be listed."""


def tables(
    results: Iterable[Result], names: Mapping[str, str], listed: int = LISTED
) -> list[Table]:
    """Return the table of each system, followed by those of its sides.

    names: fingerprint of a key to a member's name. listed: the fewest games of a listed player.
    """
    known = sorted((r for r in results if r.counts), key=lambda r: (r.at, r.game))
    people = People(known, names)
    found: list[Table] = []
    for system in sorted({r.system for r in known}):
        played = [r for r in known if r.system == system]
        sides = list(dict.fromkeys(side for r in played for side in r.players))
        found += [_table(system, side, played, people, listed) for side in ("", *sides)]
    return found


def _table(system: str, side: str, played: Sequence[Result], people: People, listed: int) -> Table:
    """Return one table. With a side, every player has a rating for each side that he played."""
    book = _Book(bool(side))
    for result in played:
        book.count(result, people)
    rows = [s for (_, at), s in book.standings().items() if at == side]
    kept = sorted((s for s in rows if s.games >= listed), key=lambda s: (-s.rating, s.name))
    for one in kept:
        one.first = 1 + sum(o.rating - o.likely > one.rating + one.likely for o in kept)
        one.last = len(kept) - sum(o.rating + o.likely < one.rating - one.likely for o in kept)
    return Table(system, side, kept, len(rows) - len(kept))


Who = tuple[str, str]
"""A person and a side; without a side where all sides count together."""


class _Book:
    """Ratings while the games are counted. by_side: a player has one for each side."""

    def __init__(self, by_side: bool) -> None:
        self._by_side, self._model = by_side, _model()
        self._ratings: dict[Who, BradleyTerryFullRating] = {}
        self._games: dict[Who, list[int]] = defaultdict(list)

    def count(self, result: Result, people: People) -> None:
        """Count a game, unless somebody played against himself."""
        teams = [
            [(people.name(key), side if self._by_side else "") for key in keys]
            for side, keys in result.players.items()
        ]
        persons = [{name for name, _ in team} for team in teams]
        if sum(map(len, persons)) > len(set().union(*persons)):
            return
        drawn = result.result == "draw"
        ranks = [1.0 if drawn or side == result.result else 2.0 for side in result.players]
        before = [[self._rating(who) for who in team] for team in teams]
        after = self._model.rate(before, ranks=ranks)
        for team, ratings, rank in zip(teams, after, ranks, strict=True):
            for who, rating in zip(team, ratings, strict=True):
                self._ratings[who] = rating
                self._games[who].append(0 if drawn else 1 if rank == 1.0 else -1)

    def _rating(self, who: Who) -> BradleyTerryFullRating:
        if who not in self._ratings:
            self._ratings[who] = self._model.rating()
        return self._ratings[who]

    def standings(self) -> dict[Who, Standing]:
        """Return everybody's rating and results, without places."""
        return {
            who: Standing(
                name=who[0],
                rating=round(rating.mu),
                likely=round(1.96 * rating.sigma),
                won=self._games[who].count(1),
                lost=self._games[who].count(-1),
                drawn=self._games[who].count(0),
                form=self._games[who][-FORM:],
            )
            for who, rating in self._ratings.items()
        }


def _model() -> BradleyTerryFull:
    """Return the rating model: Bradley and Terry's, by Weng and Lin's approximation, which knows
    draws and games of several sides. `gamma` is 1 so that ranges shrink as fast as they may.

    Raises Usage if its library is not installed: the file for players does without.
    """
    try:
        from openskill.models import BradleyTerryFull
    except ImportError as missing:
        raise Usage(
            "standings need a package that is not installed here", "run: pip install openskill"
        ) from missing

    return BradleyTerryFull(mu=START, sigma=SPREAD, beta=BETA, tau=DRIFT, gamma=lambda *given: 1.0)


def sides_won(results: Iterable[Result]) -> dict[str, dict[str, int]]:
    """Return system to side, or `draw`, to how many games it won."""
    found: dict[str, dict[str, int]] = {}
    for one in sorted((r for r in results if r.counts), key=lambda r: (r.system, r.at)):
        row = found.setdefault(one.system, dict.fromkeys(one.players, 0) | {"draw": 0})
        row[one.result] = row.get(one.result, 0) + 1
    return found
