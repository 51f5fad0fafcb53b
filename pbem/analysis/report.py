"""The analysis of a game: chances, turning points, luck and skill, as data and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.analysis.chances import Chances
from pbem.analysis.margins import Margins, margins
from pbem.analysis.moments import Moments
from pbem.analysis.precision import Shares
from pbem.analysis.rounds import Aim
from pbem.analysis.turning import turning
from pbem.base.analysis_json import UNCLEAR, Analysis, Believed, Row, Turning
from pbem.model import Over, System
from pbem.replay.walk import sides_of
from pbem.text.layout import within, wrap

Thought = Mapping[str, Mapping[int, Shares]]
"""Side -> window -> results of playouts from what the side could think."""


def rows(
    found: Sequence[Chances], sides: Sequence[str], over: Over, thought: Thought | None = None
) -> list[Row]:
    """A row for each window, the last of which leads to the result."""
    about = sides[0]
    end = 1.0 if over.result == about else 0.0 if over.result in sides else 1 / len(sides)
    after = [*(one.shares.value(about) for one in found[1:]), end]
    sure, _ = margins(found, sides)
    return [
        _row(one, sides, then, thought or {}, margin)
        for one, then, margin in zip(found, after, sure, strict=True)
    ]


def _row(one: Chances, sides: Sequence[str], then: float, thought: Thought, margin: Margins) -> Row:
    about = sides[0]
    ends = {side: one.shares.interval(side) for side in sides}
    return Row(
        window=one.window,
        turn=one.turn,
        label=one.label,
        playouts=one.shares.games,
        chance={side: one.shares.value(side) for side in sides},
        low={side: low for side, (low, _) in ends.items()},
        high={side: high for side, (_, high) in ends.items()},
        change=then - one.shares.value(about),
        luck=one.luck(sides, then),
        skill=dict(zip(sides, one.skill(sides), strict=True)),
        luck_margin=margin.luck,
        skill_margin=margin.skill,
        thought={
            side: seen[one.window].value(about)
            for side, seen in thought.items()
            if one.window in seen
        },
    )


def analysis(
    game: str,
    system: System,
    along: Moments,
    found: Sequence[Chances],
    told: Mapping[int, str],
    believed: Believed,
    thought: Thought,
    aim: Aim,
    seed: str,
) -> Analysis:
    """The analysis of a finished game from what the playouts of its windows say."""
    register = along.register
    sides = [str(side) for side in register.sides]
    over = register.over or Over("none", "")
    table = rows(found, sides, over, thought)
    _, margin = margins(found, sides)
    about = sides[0]
    return Analysis(
        game=game,
        system=system.name,
        head=register.head,
        sides=sides,
        names=dict(sides_of(system, register.created.scenario, register.sides)),
        result=over.result,
        seed=seed,
        within=aim.within,
        playouts=aim.most,
        apart=max((len(one.each) for one in found), default=0),
        thought=max((s.games for seen in thought.values() for s in seen.values()), default=0),
        start=found[0].shares.value(about),
        rows=table,
        turning=turning(table, told),
        luck=sum(row.luck for row in table),
        skill={side: sum(row.skill[side] for row in table) for side in sides},
        luck_margin=margin.luck,
        skill_margin=margin.skill,
        believed=believed,
    )


def text(a: Analysis) -> str:
    """The analysis in 72 columns; luck and orders only if they were told apart."""
    name = within(a.names[a.sides[0]])
    thinking = [side for side in a.sides if any(side in row.thought for row in a.rows)]
    names = ", ".join(f"{side[:3]}: {a.names[side]}" for side in thinking)
    lines = [
        f"{a.game}: the chance of {name} in each window, by {a.counts} playouts",
        *([f"as it was, and as sides could think ({names})"] if thinking else []),
        "",
        f"{'window':>6}  {'':<20} {'chance':>6}  {'95 %':>9}"
        + (f"  {'luck':>5}  {'orders':>6}" if a.apart else "")
        + "".join(f"  {side[:3]:>4}" for side in thinking),
        *(_line(a, row, thinking) for row in a.rows),
        *(["", "Where the game turned:"] if a.turning else []),
        *(_turned(a, t) for t in a.turning),
    ]
    if a.apart:
        lines += ["", f"From {_percent(a.start)} at the start, in points of {name}'s chance:"]
        made = ["the dice", *(f"the orders of {within(a.names[s])}" for s in a.sides)]
        sure = [a.luck_margin, *(a.skill_margin.get(s, 0) for s in a.sides)]
        lines += [
            f"  {_signed(part):>4} ± {_percent(margin, ''):<3} by {what}"
            for part, margin, what in zip(a.whole_parts, sure, made, strict=True)
        ]
        lines += [_sure(a)]
    return "\n".join(lines)


def _sure(a: Analysis) -> str:
    """What the figures behind ± are, and how sure those of single windows are."""
    most = max((max(r.luck_margin, *r.skill_margin.values()) for r in a.rows), default=0.0)
    return f"  ± are 95 % intervals; in a single window they reach ± {_percent(most, '')}"


def _line(a: Analysis, row: Row, thinking: Sequence[str]) -> str:
    """A window."""
    about = a.sides[0]
    chance, low, high = (found[about] for found in (row.chance, row.low, row.high))
    number = next((f" ({t.number})" for t in a.turning if t.window == row.window), "")
    orders = sum(row.skill.values())
    parts = f" {_points(row.luck):>5}  {_points(orders):>6}" if a.apart else ""
    return (
        f"{row.window:>6}  {_bar(chance)} {_percent(chance):>6}  "
        f"{_percent(low, ''):>3} to {_percent(high, ''):<3}{parts}{_thought(row, thinking)}{number}"
    ).rstrip()


def _turned(a: Analysis, t: Turning) -> str:
    """A turning point: what happened, what made it, and below it orders and dice."""
    indent = " " * 6
    names = {side: within(name) for side, name in a.names.items()}
    made = ", ".join(f"{_points(part)} by {what}" for part, what in t.parts(names)) or UNCLEAR
    for_whom = f"points for {names[a.sides[0]]}"
    moved = f"{_points(t.change)} {for_whom}{f': {made}' if a.apart else ''}"
    told = f"{t.told}; " if t.told else ""
    lines = [wrap(f"({t.number}) {t.label}: {told}{moved}", "  ", indent)]
    lines += [wrap(f"{a.names[side]}: {t.ordered(side)}", indent) for side in t.orders]
    lines += [wrap(f"dice: {'; '.join(t.dice)}", indent)] if t.dice else []
    return "\n".join(lines)


def _thought(row: Row, sides: Sequence[str]) -> str:
    """A column for each side, empty within a turn."""
    found = (row.thought.get(side) for side in sides)
    return "".join(f"  {'' if part is None else _percent(part, ''):>4}" for part in found)


def _bar(part: float) -> str:
    return f"{'#' * round(20 * part):<20}"


def _percent(part: float, sign: str = " %") -> str:
    return f"{round(100 * part)}{sign}"


def _points(part: float) -> str:
    """A change in points of a hundred, with its sign; a nought has none."""
    return _signed(round(100 * part))


def _signed(points: int) -> str:
    return f"{points:+d}" if points else "0"
