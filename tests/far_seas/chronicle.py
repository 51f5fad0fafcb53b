"""What happened in games between the bots: one record for each game, and counts over many.

python -m tests.far_seas.chronicle [SCENARIO] [GAMES] [plotted|asked] [SEED]   prints them
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean, median

from msgspec import Struct

from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.events import OrderFailed
from games.far_seas.events_battle import ShipSunk
from games.far_seas.game import SYSTEM
from games.far_seas.state import War
from games.far_seas.victory import balance
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.engine.runner import Closing
from pbem.model import Side

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options}
ASKED = OPTIONS | {"play": "asked"}
HISTORY = {"war": 62, "coronel": -7, "emden": 26, "konigsberg": 4}
"""German points less Allied ones as it happened, by the rules (docs/far_seas.md)."""
SPEE = ("Scharnhorst", "Gneisenau")
CRADOCK = ("Good Hope", "Monmouth")


class Chronicle(Struct, frozen=True, kw_only=True):
    """One game."""

    seed: str
    rule: str
    """What ended it: `victory` after the last turn, or `no raider left`."""
    winner: str
    margin: int
    """German points less Allied ones."""
    points: dict[str, int]
    """By side and kind: `german captures`."""
    fates: dict[str, tuple[str, int]]
    """Of ships that are gone, by printed name: how, and in which turn."""
    windows: int
    turns: tuple[int, ...] = ()
    """Mails of each side in each turn: windows that the side owes."""
    games: tuple[int, ...] = ()
    """Mails of either side in the game."""
    verbs: frozenset[str] = frozenset()
    """Verbs that the bots ordered."""
    refused: tuple[str, ...] = ()
    """Orders that could not be carried out."""

    def sunk(self, *names: str) -> bool:
        """Were all these ships sunk?"""
        return all(self.fates.get(name, ("", 0))[0] == "sunk" for name in names)

    @property
    def coronel(self) -> bool:
        """Good Hope and Monmouth lost in one turn."""
        return self.sunk(*CRADOCK) and len({self.fates[n][1] for n in CRADOCK}) == 1

    @property
    def falklands(self) -> bool:
        """Coronel, and both armoured cruisers of Spee sunk later."""
        after = self.fates.get("Good Hope", ("", 99))[1]
        return self.coronel and self.sunk(*SPEE) and self.fates[SPEE[0]][1] >= after


class Watched(Match):
    """A match that keeps the verbs of all orders, and counts who owed mails in which turn."""

    def __init__(self, scenario: str, seed: str, play: str) -> None:
        super().__init__(SYSTEM, scenario, {**OPTIONS, "play": play}, seed)
        self.verbs: set[str] = set()
        self.owed = Counter[tuple[int, Side]]()

    def window(self) -> Closing:
        """As ever; a window of a run that the bots agreed to takes no mail."""
        turn, owed = self.drive.state.turn, self.drive.pause.owed or self.drive.sides
        before = self.mails
        closing = super().window()
        if self.mails > before:
            self.owed.update((turn, side) for side in owed)
        return closing

    def orders(self, side: Side) -> OrderSet:
        """As the bot wrote them."""
        given = super().orders(side)
        for order in given.orders:
            self.verbs |= {a.verb for a in (*order.actions, *order.otherwise)}
        return given


def chronicle(scenario: str, seed: str, play: str = "plotted") -> Chronicle:
    """Play one game and tell of it. Raises AssertionError for an order that a player could not mail
    and for a state that fails its audit."""
    match = Watched(scenario, seed, play)
    events, windows, fates = [], 0, dict[str, tuple[str, int]]()
    turn = match.drive.state.turn
    for closing in match.play():
        windows += 1
        events += [one.event for one in closing.told]
        fates |= _gone(match.drive.state, fates, turn, closing.told)
        turn = match.drive.state.turn
    war, over = match.drive.state, match.drive.over
    assert isinstance(war, War) and over is not None
    points = Counter[str]()
    for score in war.scores:
        points[f"{score.side} {score.kind}"] += score.points
    return Chronicle(
        seed=seed,
        rule=over.rule,
        winner=over.result,
        margin=balance(war),
        points=dict(points),
        fates=fates,
        windows=windows,
        turns=tuple(match.owed[turn, side] for turn in _turns(match) for side in SIDES),
        games=tuple(sum(n for (_, s), n in match.owed.items() if s == side) for side in SIDES),
        verbs=frozenset(match.verbs),
        refused=tuple(f"{e.who}: {e.verb}: {e.why}" for e in events if isinstance(e, OrderFailed)),
    )


def _turns(match: Watched) -> list[int]:
    return sorted({turn for turn, _ in match.owed})


def _gone(
    war: War, before: dict[str, tuple[str, int]], turn: int, told: Iterable[object]
) -> dict[str, tuple[str, int]]:
    """Ships that are gone since a window, by name."""
    sunk = {e.event.name for e in told if isinstance(e.event, ShipSunk)}  # type: ignore[attr-defined]
    gone = (s for s in war.ships.values() if (s.gone or s.name in sunk) and s.name not in before)
    return {s.name: (s.gone or "sunk", turn) for s in gone}


# Many


def many(
    scenario: str, count: int, play: str = "plotted", seed: str = "balance"
) -> list[Chronicle]:
    """The games of `pbem simulate far_seas --scenario SCENARIO --option play=PLAY --games COUNT
    --seed SEED`."""
    return [_one(scenario, f"{seed} {i}", play) for i in range(1, count + 1)]


def _one(scenario: str, seed: str, play: str) -> Chronicle:
    try:
        return chronicle(scenario, seed, play)
    except Exception as error:
        error.add_note(f"in the game of {scenario} with seed {seed!r}, play={play}")
        raise


def share(games: Sequence[Chronicle]) -> float:
    """The part of the decided games that the German won."""
    wins = Counter(g.winner for g in games)
    return wins[GERMAN] / max(1, wins[BRITISH] + wins[GERMAN])


def tell(scenario: str, games: Sequence[Chronicle]) -> str:
    """Counts over games, and the histogram of the margin."""
    count, margins = len(games), [g.margin for g in games]
    lines = [f"{scenario}: {count} games, German share of those decided {share(games):.0%}"]
    lines.append(f"winner: {_counted(g.winner for g in games)}")
    lines.append(f"ending: {_counted(g.rule for g in games)}")
    spread = sorted(margins)
    at = " ".join(f"{spread[len(spread) * p // 100]}" for p in (5, 20, 35, 50, 65, 80, 95))
    lines.append(f"margin: mean {mean(margins):.1f}; at 5, 20, 35, 50, 65, 80, 95 %: {at}")
    kinds = Counter[str]()
    for game in games:
        kinds.update(game.points)
    lines.append("points: " + ", ".join(f"{k} {n / count:.1f}" for k, n in sorted(kinds.items())))
    windows = sorted(g.windows for g in games)
    lines.append(f"windows: {windows[0]} {median(windows):.0f} {windows[-1]}")
    lines.append(
        "mails, a turn and side: mean, median of the games' means, most; "
        f"a game and side: least, median, most: {mails(games)}"
    )
    lost = Counter(f"{name} {how}" for g in games for name, (how, _) in g.fates.items())
    lines.append("gone: " + ", ".join(f"{k} {n}" for k, n in lost.most_common(60)))
    lines.append(f"Good Hope and Monmouth lost together: {sum(g.coronel for g in games)}")
    lines.append(f"and Scharnhorst and Gneisenau sunk then: {sum(g.falklands for g in games)}")
    lines.append(f"verbs: {_counted(v for g in games for v in g.verbs)}")
    lines.append(f"refused: {_counted(r for g in games for r in g.refused)}")
    return "\n".join([*lines, *histogram(scenario, margins)])


def mails(games: Sequence[Chronicle]) -> str:
    """A row of the table in docs/far_seas.md."""
    turns = [n for game in games for n in game.turns]
    means = median(mean(game.turns) for game in games)
    whole = sorted(n for game in games for n in game.games)
    per_turn = f"{mean(turns):.2f} | {means:.2f} | {max(turns)}"
    return f"{per_turn} | {whole[0]} | {median(whole):.0f} | {whole[-1]}"


def _counted(values: Iterable[object]) -> str:
    return ", ".join(f"{what} {n}" for what, n in Counter(values).most_common(40)) or "none"


def histogram(scenario: str, margins: Sequence[int], marks: int = 50) -> list[str]:
    """A line for every few points of the German margin: how many games, and where history was."""
    history = HISTORY[scenario]
    step = 6 if scenario == "war" else 3
    bins = Counter(margin // step * step for margin in margins)
    mark = max(1, -(-max(bins.values()) // marks))
    low, high = min(*bins, history // step * step), max(*bins, history // step * step)
    return [
        f"{at:+4} to {at + step - 1:+4} {bins[at]:4} {'#' * -(-bins[at] // mark)}"
        + ("  <- history" if at <= history < at + step else "")
        for at in range(low, high + 1, step)
    ]


if __name__ == "__main__":
    said = dict(enumerate(sys.argv[1:]))
    which = said.get(0, "war")
    played = many(which, int(said.get(1, 100)), said.get(2, "plotted"), said.get(3, "balance"))
    print(tell(which, played))
