"""What the story of a game tells: its turning points, losses, beliefs and figures, as plain data.

Pure: from the frames of a replay, which hold the truth beside what each side knew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from pbem.model import Over, Plain, System
from pbem.replay.frames import sorted_frames
from pbem.replay.walk import Frame, Walk, sides_of
from pbem.reports import wording
from pbem.reports.filters import because
from pbem.story.narrator import Narrator

MOMENTS = 6
"""The most turning points of a story."""
LINES = 8
"""The most sentences about one of them."""
RESULTS = {"draw": "A draw", "none": "No result"}
SWING = 8
"""The weight of all points that are ever scored in one window; fewer weigh less."""
WRONG = 3
"""The most contacts whose error a passage names."""


class Line(Struct, frozen=True):
    """One thing that happened."""

    text: str
    weight: int
    event: Plain
    """As JSON data; says where it happened."""
    why: str = ""
    """The reason and the rule, as in a report."""


class Loss(Struct, frozen=True):
    """A ship that a side lost."""

    name: str
    side: str
    """Empty if nobody had it."""
    frame: int
    """The number of the frame, from 0."""


class Belief(Struct, frozen=True):
    """What a side believed of its enemies when a window opened."""

    side: str
    text: str
    right: bool
    """Whether it knew where every enemy was."""


class Moment(Struct, frozen=True):
    """A turning point."""

    number: int
    """From 1, in the order of the game."""
    index: int
    """The number of its frame, from 0."""
    frame: Frame
    lines: tuple[Line, ...]
    """What happened, in its order."""
    beliefs: tuple[Belief, ...]

    @property
    def title(self) -> str:
        """The sentence that weighs most, without its full stop."""
        return self.main.text.rstrip(".")

    @property
    def main(self) -> Line:
        """What weighs most; of several the last."""
        return max(reversed(self.lines), key=lambda line: line.weight)

    @property
    def open(self) -> bool:
        """Whether nothing was hidden: every side knew where every enemy was."""
        return all(belief.right for belief in self.beliefs)


class Figure(Struct, frozen=True):
    """A number of each side from window to window."""

    title: str
    names: tuple[str, ...]
    """Of each line: the name of its side."""
    values: tuple[tuple[float, ...], ...]
    """Of each line: a value for each frame."""


class Plot(Struct, frozen=True):
    """Everything that the pages of a story say."""

    facts: Plain
    """Game, title, scenario, sides, result and dates, for the templates."""
    opening: str
    ending: str
    toll: str
    """The losses in a sentence for each side."""
    moments: tuple[Moment, ...]
    losses: tuple[Loss, ...]
    figures: tuple[Figure, ...]
    frames: tuple[Frame, ...]
    people: dict[str, str]
    """Side -> its name at the beginning of a sentence: `The Germans`."""


def plot(walk: Walk, system: System, game: str) -> Plot:
    """The plot of a finished game."""
    frames = sorted_frames(walk)
    scenario = walk.register.created.scenario
    sides = dict(sides_of(system, scenario, walk.register.sides))
    units = [u for f in frames for report in f.reports.values() for u in report.units]
    called = {unit.id: unit.name for unit in units}
    narrators = {f.templates: Narrator(f.templates, sides, called) for f in frames}
    told = list(_told(frames, narrators))
    losses = [
        loss for i, f in enumerate(frames) for loss in _losses(i, frames, narrators[f.templates])
    ]
    narrator = narrators[frames[-1].templates]
    played = next(s for s in system.scenarios if s.name == scenario)
    people = {side: narrator.people(side) for side in sides}
    over = walk.register.over or Over("none", "")
    facts = {
        "game": game,
        "title": system.title,
        "scenario": played.title,
        "edition": system.edition,
        "sides": [
            {
                "id": side,
                "name": name,
                "the": people[side],
                "losses": [loss.name for loss in losses if loss.side == side],
            }
            for side, name in sides.items()
        ],
        "windows": sum(1 for frame in frames if frame.closed),
        "first": frames[0].label,
        "last": frames[-1].label,
        "result": RESULTS.get(over.result) or f"{people[over.result]} won",
        "why": because({"rule": over.rule, "why": over.why}),
    }
    moments = _moments(frames, told, narrators)
    return Plot(
        facts=facts,
        opening=narrator.say("opening", facts),
        ending=narrator.say("ending", facts),
        toll=narrator.say("toll", facts) if losses else "",
        moments=moments,
        losses=tuple(losses),
        figures=tuple(_figures(frames, losses, sides, not narrator.open)),
        frames=tuple(frames),
        people=people,
    )


def heaviest(walk: Walk, system: System) -> dict[int, str]:
    """Of each window that closed the sentence that weighs most, without its full stop, also one
    that was told of an earlier window; windows in which nothing happened that a story would tell
    are missing."""
    frames = sorted_frames(walk)
    sides = dict(sides_of(system, walk.register.created.scenario, walk.register.sides))
    narrators = {f.templates: Narrator(f.templates, sides) for f in frames}
    told = zip(frames, _told(frames, narrators, again=True), strict=True)
    return {
        frame.closed: max(reversed(lines), key=lambda line: line.weight).text.rstrip(".")
        for frame, lines in told
        if lines and frame.closed
    }


def _told(
    frames: Sequence[Frame], narrators: dict[str, Narrator], again: bool = False
) -> Iterator[list[Line]]:
    """What happened in each window, and how points changed. again: also what was told before."""
    seen: set[str] = set()
    points = [_points(frame) for frame in frames]
    most = max((sum(map(abs, one.values())) for one in points), default=0) or 1
    before: dict[str, float] = {}
    for frame, now in zip(frames, points, strict=True):
        narrator = narrators[frame.templates]
        lines = list(_lines(frame, narrator, set() if again else seen))
        swing = sum(abs(n - before.get(name, 0)) for name, n in now.items())
        if swing and frame.closed:
            facts = {"points": [{"name": n, "points": p} for n, p in now.items()]}
            text = wording.said(narrator.say("score", facts))
            lines.append(Line(text, min(round(SWING * swing / most), SWING), {}))
        before = now
        yield lines


def _lines(frame: Frame, narrator: Narrator, seen: set[str]) -> Iterator[Line]:
    """What happened in a window, each thing once, although each side was told in its own words.

    seen: what was told of earlier windows, to which this adds: what happens again is no news.
    """
    for told in frame.told:
        event: Plain = msgspec.to_builtins(told.event)
        weight = narrator.weights.get(event["kind"], 0)
        if not weight or not (text := narrator.tell(event, told.to)) or text in seen:
            continue
        seen.add(text)
        rule = f"({event['rule']})" if event["rule"] else ""
        yield Line(text, weight, event, f"{event['why']} {rule}".strip())


def _moments(
    frames: Sequence[Frame], told: Sequence[Sequence[Line]], narrators: dict[str, Narrator]
) -> tuple[Moment, ...]:
    """The windows in which most happened, in the order of the game."""
    heavy = {i: sum(line.weight for line in lines) for i, lines in enumerate(told) if lines}
    chosen = sorted(sorted(heavy, key=lambda i: (-heavy[i], i))[:MOMENTS])
    return tuple(
        Moment(
            number=n,
            index=i,
            frame=frames[i],
            lines=_weightiest(told[i]),
            beliefs=tuple(_beliefs(frames[i], narrators[frames[i].templates])),
        )
        for n, i in enumerate(chosen, 1)
    )


def _weightiest(lines: Sequence[Line]) -> tuple[Line, ...]:
    """The sentences to tell, in their order."""
    kept = sorted(range(len(lines)), key=lambda i: (-lines[i].weight, i))[:LINES]
    return tuple(lines[i] for i in sorted(kept))


def _losses(i: int, frames: Sequence[Frame], narrator: Narrator) -> Iterator[Loss]:
    """The ships lost in a frame, each once."""
    seen: set[str] = set()
    for told in frames[i].told:
        event: Plain = msgspec.to_builtins(told.event)
        if (name := narrator.loss(event)) and name not in seen:
            seen.add(name)
            side, printed = _owner(name, frames, i)
            yield Loss(printed, str(event.get("side") or side), i)


def _owner(name: str, frames: Sequence[Frame], before: int) -> tuple[str, str]:
    """The side that had a ship, by the reports until a frame (empty if none had), and her printed
    name."""
    wanted = _bare(name)
    for frame in reversed(frames[: before + 1]):
        for side, report in frame.reports.items():
            for unit in report.units:
                if wanted in (_bare(unit.name), _bare(unit.id)):
                    return side, unit.name
    return "", name


def _bare(name: str) -> str:
    """A name as ids and events may write it, to compare: `goten1` of `Goten 1`."""
    return name.casefold().replace(" ", "")


def _beliefs(frame: Frame, narrator: Narrator) -> Iterator[Belief]:
    """What each side believed, beside the truth."""
    for side, report in frame.reports.items():
        enemies = [u for s, other in frame.reports.items() if s != side for u in other.units]
        places = {u.place for u in enemies}
        truly = {_bare(u.name): u.place for u in enemies} | {_bare(u.id): u.place for u in enemies}
        right = sum(c.place in places for c in report.contacts)
        wrong = [c for c in report.contacts if c.place not in places]
        wrong.sort(key=lambda c: (c.age, c.id))
        named = [
            narrator.say(
                "mark",
                {
                    "id": c.id,
                    "name": getattr(c, "name", ""),
                    "type": c.type,
                    "place": c.place,
                    "age": c.age,
                    "truly": truly.get(_bare(getattr(c, "name", "") or c.id), ""),
                },
            )
            for c in wrong[:WRONG]
        ]
        facts = {
            "the": narrator.people(side),
            "believed": len(report.contacts),
            "right": right,
            "enemies": len(enemies),
            "wrong": named,
        }
        whole = narrator.open or right == len(report.contacts) >= len(enemies)
        yield Belief(side, "" if narrator.open else narrator.say("belief", facts), whole)


def _figures(
    frames: Sequence[Frame], losses: Sequence[Loss], sides: dict[str, str], hidden: bool
) -> Iterator[Figure]:
    """Points, losses and, in a game with hidden forces, contacts: those that ever change."""
    names, points = tuple(sides.values()), [_points(frame) for frame in frames]
    scored = tuple(dict.fromkeys(name for one in points for name in one))
    found = [Figure("Points", scored, _rows(scored, points))]
    lost = [_lost(losses, i, sides) for i in range(len(frames))]
    found.append(Figure("Ships lost", names, _rows(tuple(sides), lost)))
    if hidden:
        seen = [_seen(frame) for frame in frames]
        found.append(Figure("Enemies in sight", names, _rows(tuple(sides), seen)))
    return (f for f in found if any(len(set(line)) > 1 for line in f.values))


def _rows(
    names: Sequence[str], columns: Sequence[dict[str, float]]
) -> tuple[tuple[float, ...], ...]:
    """For each name its values."""
    return tuple(tuple(one.get(name, 0) for one in columns) for name in names)


def _lost(losses: Sequence[Loss], frame: int, sides: dict[str, str]) -> dict[str, float]:
    """How many ships each side has lost so far."""
    return {s: sum(x.side == s and x.frame <= frame for x in losses) for s in sides}


def _seen(frame: Frame) -> dict[str, float]:
    """How many enemies each side sees now."""
    return {side: sum(c.age == 0 for c in r.contacts) for side, r in frame.reports.items()}


def _points(frame: Frame) -> dict[str, float]:
    """Points by name when a window opened. Where only one side knows of points, they count."""
    found: dict[str, float] = {}
    for report in frame.reports.values():
        for row in report.plain["board"].get("points", ()):
            name, points = str(row["name"]), row["points"]
            if isinstance(points, int | float):
                found[name] = max(found.get(name, points), points)
    return found
