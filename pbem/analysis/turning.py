"""Where a game turned: the windows that moved the chance most, and the orders and dice that did it.

Orders are told that bots in the place of their side would seldom have given: of thirty ships that
sail on as any bot would let them, nobody wants to read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from orders.model import OrderSet
from orders.show import show_content
from orders.verbs import Grammar
from pbem.analysis.moments import Moment, Moments
from pbem.analysis.units import Played, begun
from pbem.base.analysis_json import Row, Turning
from pbem.model import Side, System
from pbem.reports import wording

MOST = 5
"""How many turning points are named."""
LEAST = 0.08
"""By how much a chance must move in a window for a turning point."""
BOTS, SELDOM = 20, (2, 10)
"""Sets that bots write in the window, and the most of them with an order that is told; the second
where there are no orders by the first."""
ROLLS = 8
"""The most rolls that are told one by one."""

Said = tuple[str, str]
"""Who is ordered, and what."""


def turning(found: Sequence[Row], told: Mapping[int, str]) -> list[Turning]:
    """The windows that moved the chance most, in the order of the game.

    told: what happened in each window, in a sentence. A window moves the chance for certain if the
    change is larger than its interval is wide; others are not named.
    """
    about = next(iter(found[0].chance)) if found else ""
    moved = [r for r in found if abs(r.change) >= max(LEAST, (r.high[about] - r.low[about]))]
    chosen = sorted(moved, key=lambda row: -abs(row.change))[:MOST]
    chosen.sort(key=lambda row: row.window)
    return [
        Turning(
            number=n,
            window=r.window,
            label=r.label,
            change=r.change,
            luck=r.luck,
            told=told.get(r.window, ""),
            skill=r.skill,
            luck_margin=r.luck_margin,
            skill_margin=r.skill_margin,
        )
        for n, r in enumerate(chosen, 1)
    ]


def explained(
    found: Sequence[Turning], system: System, played: Played, along: Moments
) -> list[Turning]:
    """Turning points with the orders and dice that made them. If it is not certain for either that
    they counted, with all of them."""
    rolls = {frame.closed: frame.rolls for frame in along.frames.values()}
    told = []
    for one in found:
        moment = along.moments[one.window]
        dice = _dice(msgspec.to_builtins(rolls.get(one.window, ())))
        sides = [*one.skill] if one.unclear else one.counted
        given = {side: gathered(unusual(system, played, moment, Side(side))) for side in sides}
        told.append(
            msgspec.structs.replace(
                one,
                orders={side: lines for side, lines in given.items() if lines},
                dice=dice if one.by_luck or one.unclear else [],
            )
        )
    return told


def unusual(system: System, played: Played, moment: Moment, side: Side) -> list[Said]:
    """The orders and answers of a side in that window that its bot would seldom have given, or if
    there are none, that it would not mostly have given."""
    own = said(moment.orders.get(side, OrderSet()), system.grammar)
    if not own or moment.until:
        return []
    usual = Counter[Said]()
    for number in range(BOTS):
        game, _ = begun(system, played, moment, number)
        usual.update({*said(game.orders(side), system.grammar)})
    told = ([one for one in own if usual[one] <= most] for most in SELDOM)
    return next(filter(None, told), [])


def said(orders: OrderSet, grammar: Grammar) -> list[Said]:
    """Orders and answers, each as who and what."""
    given = [(order.actor, show_content(order, grammar)) for order in orders.orders]
    return given + [(name, str(value)) for name, value in orders.answers.items()]


def gathered(orders: Sequence[Said]) -> list[str]:
    """Orders as lines, one for all who were told the same: `HOOD, KENYA: move H3`."""
    who: dict[str, list[str]] = {}
    for actor, what in orders:
        who.setdefault(what, []).append(actor)
    return [f"{', '.join(actors)}: {what}" for what, actors in who.items()]


def _dice(rolls: Sequence[Mapping[str, object]]) -> list[str]:
    """Rolls as lines, or how many there were."""
    if len(rolls) > ROLLS:
        return [f"{len(rolls)} rolls"]
    return wording.grouped([dict(roll) for roll in rolls])
