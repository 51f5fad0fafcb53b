"""What happened in games between the bots: one record for each game, and counts over many.

python -m tests.bismarck.chronicle [GAMES] [plotted|asked] [SEED]   prints them, with histograms
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from msgspec import Struct

from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.events import AirLost, GeneralSearch, HuffDuff, OrderFailed
from games.bismarck.events_battle import (
    Fired,
    Followed,
    Reinforced,
    ShadowHeld,
    ShipHit,
    ShipSunk,
    ShipWithdrew,
    Struck,
    UnderAttack,
)
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from games.bismarck.victory import entered_port, total
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.model import Event, Side

OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10"}
HISTORY = 12
"""The British margin of May 1941 in points, by section 12 (docs/bismarck.md)."""
ENDINGS = ("12.11", "12.12", "12.13", "12.14", "12.33")
"""The clauses by which a game ends; 12.33 is ruling 18."""
AS_FAR = ("fire", "steer", "carry")
"""Orders that are followed as far as it goes, and those that a rule forbids when their time comes,
as it does to every admiral: a withdrawal from an enemy who is as fast."""
CRIPPLED = 5
"""Evasion lost for good by a strike that may decide a chase."""
NAMED: dict[type[Event], str] = {
    ShadowHeld: "shadowed",
    Followed: "followed at high speed",
    GeneralSearch: "general search",
    HuffDuff: "HUFF-DUFF",
    Reinforced: "reinforced",
    AirLost: "air unit lost",
}
STRIKES = {"torpedo": "torpedoes", "level": "bombs"}


class Chronicle(Struct, frozen=True, kw_only=True):
    """One game."""

    seed: str
    ending: str
    """The clause of 12.1 that ended it."""
    winner: str
    points: dict[str, int]
    lost: str = ""
    """What sank the Bismarck: guns, torpedoes, bombs; empty while she floats."""
    port: str = ""
    """The port that she entered."""
    sunk: tuple[str, ...] = ()
    convoys: int = 0
    turns: int
    windows: int
    mails: int
    """Exchanges of mail: windows for which orders or answers were asked."""
    happened: frozenset[str] = frozenset()
    """What the hunt of 1941 had and not every game has, in the words of `SCENES`."""
    verbs: frozenset[str] = frozenset()
    """Verbs that the bots ordered."""
    refused: tuple[str, ...] = ()
    """Orders that could not be carried out at all, with what stood in the way."""


class Watched(Match):
    """A match that keeps the verbs of all orders."""

    def __init__(self, seed: str, play: str) -> None:
        super().__init__(SYSTEM, "basic", {**OPTIONS, "play": play}, seed)
        self.verbs: set[str] = set()

    def orders(self, side: Side) -> OrderSet:
        """As the bot wrote them."""
        given = super().orders(side)
        for order in given.orders:
            self.verbs |= {a.verb for a in (*order.actions, *order.otherwise)}
        return given


def chronicle(seed: str, play: str = "plotted") -> Chronicle:
    """Play one game and tell of it. Raises AssertionError for an order that a player could not mail
    and for a state that fails its audit."""
    match = Watched(seed, play)
    closings = list(match.play())
    told = [(one.event, one.to) for c in closings for one in c.told]
    war, over = match.drive.state, match.drive.over
    assert isinstance(war, War) and over is not None
    events = [event for event, _ in told]
    sunk = tuple(dict.fromkeys(e.who for e in events if isinstance(e, ShipSunk)))
    return Chronicle(
        seed=seed,
        ending=over.rule,
        winner=over.result,
        points={side: total(war, side) for side in (BRITISH, GERMAN)},
        lost=_how(events) if "Bismarck" in sunk else "",
        port=entered_port(war.ships["BISMARCK"]) if over.rule == "12.12" else "",
        sunk=sunk,
        convoys=len(war.convoys),
        turns=war.turn - 3,
        windows=len(closings),
        mails=match.mails,
        happened=frozenset(_scenes(events, war)),
        verbs=frozenset(match.verbs),
        refused=tuple(
            f"{e.who}: {e.verb}: {e.why}"
            for e in events
            if isinstance(e, OrderFailed) and e.verb.split()[0] not in AS_FAR
        ),
    )


def _how(events: Sequence[Event]) -> str:
    """What hit the Bismarck last before she sank."""
    how = ""
    for event in events:
        if isinstance(event, UnderAttack) and event.who == "Bismarck":
            how = STRIKES[event.by]
        elif isinstance(event, Fired) and event.target == "Bismarck":
            how = "guns"
        elif isinstance(event, ShipSunk) and event.who == "Bismarck":
            break
    return how


def _scenes(events: Sequence[Event], war: War) -> Iterable[str]:
    """What the hunt of 1941 had and not every game has."""
    for event in events:
        if type(event) in NAMED:
            yield NAMED[type(event)]
        elif isinstance(event, ShipWithdrew):
            yield f"{event.who} withdrew"
    for struck, hit in pairwise(events):
        if isinstance(struck, Struck | UnderAttack) and isinstance(hit, ShipHit):
            yield f"{hit.who} hit from the air"
            if hit.evasion >= CRIPPLED:
                yield f"{hit.who} crippled from the air"
    afloat = [ship for ship in war.ships.values() if ship.afloat]
    yield from (f"{ship.name} damaged" for ship in afloat if ship.hits.midships)


def tell(games: Sequence[Chronicle]) -> str:
    """Counts over games, and the histogram of the margin."""
    lines = [f"{len(games)} games"]
    fields = ("winner", "ending", "lost", "port", "convoys", "mails")
    lines += [f"{what}: {_counted(getattr(g, what) for g in games)}" for what in fields]
    lines += [_spread(what, [getattr(g, what) for g in games]) for what in ("turns", "mails")]
    lines.append(f"sunk: {_counted(s for g in games for s in g.sunk)}")
    lines.append(f"happened: {_counted(s for g in games for s in g.happened)}")
    lines.append(f"verbs: {_counted(v for g in games for v in g.verbs)}")
    lines.append(f"refused: {_counted(r for g in games for r in g.refused)}")
    lines += histogram([g.points[BRITISH] - g.points[GERMAN] for g in games])
    return "\n".join(lines)


def _counted(values: Iterable[object]) -> str:
    found = Counter(values).most_common()
    return ", ".join(f"{what or 'none'} {n}" for what, n in found[:40])


def _spread(what: str, values: Sequence[int]) -> str:
    return f"{what}: {min(values)} to {max(values)}, median {median(values)}"


def histogram(margins: Sequence[int], step: int = 4, per_mark: int = 0) -> list[str]:
    """A line for every `step` points of British margin: how many games, and where history was."""
    bins = Counter(margin // step * step for margin in margins)
    per_mark = per_mark or max(1, max(bins.values()) // 50)
    low, high = min(*bins, HISTORY // step * step), max(*bins, HISTORY // step * step)
    return [
        f"{at:+4} to {at + step - 1:+4} {bins[at]:4} {'#' * (-(-bins[at] // per_mark))}"
        + ("  <- May 1941" if at <= HISTORY < at + step else "")
        for at in range(low, high + 1, step)
    ]


def many(count: int, play: str = "plotted", seed: str = "balance") -> list[Chronicle]:
    """The games of `pbem simulate bismarck --option play=PLAY --games COUNT --seed SEED`."""
    return [_one(f"{seed} {i}", play) for i in range(1, count + 1)]


def _one(seed: str, play: str) -> Chronicle:
    try:
        return chronicle(seed, play)
    except Exception as error:
        error.add_note(f"in the game with seed {seed!r}, play={play}")
        raise


def share(games: Sequence[Chronicle]) -> float:
    """The part of the decided games that the British won."""
    wins = Counter(g.winner for g in games)
    return wins[BRITISH] / (wins[BRITISH] + wins[GERMAN])


if __name__ == "__main__":
    said = dict(enumerate(sys.argv[1:]))
    print(tell(many(int(said.get(0, 200)), said.get(1, "plotted"), said.get(2, "balance"))))
