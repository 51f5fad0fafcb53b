"""`pbem story`: a finished game as a page and as Markdown with pictures, from its ledger alone.

The page is one file that loads nothing and needs no script. The Markdown file names pictures that
lie beside it. The same game gives the same bytes. Nothing in them comes from the moderator's
secrets: no names of players, no addresses, no mail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import write_named
from pbem.charts.chart import svg
from pbem.charts.drawing import drawings, page_of, variables
from pbem.charts.themes import LIGHT, THEMES, theme_of
from pbem.data import read
from pbem.model import Plain, System
from pbem.replay.walk import Frame, Walk, sides_of, walk
from pbem.scene import Scene
from pbem.store.game_dir import Game
from pbem.story import scenes
from pbem.story.curves import NAMED, Curves, curves
from pbem.story.plot import Moment, Plot, plot
from pbem.web.page_data import digest_of

PAGE, TEXT = "story.html", "story.md"
SPECIAL = re.compile(r"([\\`*_\[\]<>|#])")
"""What Markdown would take for markup."""


class Written(Struct):
    """What `story` wrote."""

    page: Path
    text: Path
    pictures: list[Path]
    moments: int
    """How many turning points it tells."""


class Picture(Struct, frozen=True):
    """One chart of the story."""

    file: str
    title: str
    caption: str
    scene: Scene
    whole: bool = False
    """Whether it shows the whole board."""

    @property
    def said(self) -> str:
        """What it shows, for screen readers."""
        return f"{self.title}: {self.caption}" if self.title else self.caption


class Told(Struct, frozen=True):
    """A turning point with its pictures."""

    moment: Moment
    pictures: tuple[Picture, ...]


class Story(Struct, frozen=True):
    """Everything that the pages need."""

    plot: Plot
    journey: Picture | None
    told: tuple[Told, ...]
    curves: tuple[Curves, ...]
    inks: dict[str, str]
    """Side -> the colour of its name: `red` or `blue`."""
    names: dict[str, str]
    """Side -> its printed name."""
    head: str
    """The hash of the last record."""


def story(game: Game, system: System, folder: Path) -> Written:
    """Write the story into a folder. Raises Busy before the end of the game, Damaged if its audit
    fails."""
    found = compose(game, system)
    pictures = dict(_pictures(found))
    page, text = html(found), markdown(found)
    folder.mkdir(parents=True, exist_ok=True)
    files = {folder / name: content for name, content in pictures.items()}
    write_named({**files, folder / PAGE: page, folder / TEXT: text})
    return Written(folder / PAGE, folder / TEXT, list(files), len(found.told))


def compose(game: Game, system: System, along: Walk | None = None) -> Story:
    """The story of a finished game. along: the game as `walk` played it again, if that was done
    before. Raises what `story` raises."""
    along = along or walk(game, system)
    register = game.register
    scenario = register.created.scenario
    names = dict(sides_of(system, scenario, register.sides))
    made = plot(along, system, game.name)
    red = system.red_side(scenario)
    return Story(
        plot=made,
        journey=_journey(made),
        told=tuple(Told(m, tuple(_charts(m, made))) for m in made.moments),
        curves=tuple(curves(f, made.moments, _line_inks(names, red or "")) for f in made.figures),
        inks={side: "red" if side == red else "blue" for side in names},
        names=names,
        head=register.head,
    )


def _line_inks(names: dict[str, str], red: str) -> list[str]:
    """The colours of the lines of a chart: the red side's, and those of the others."""
    others = iter(("own", "beads", "route"))
    return ["foe" if side == red else next(others, "ink2") for side in names]


def _journey(made: Plot) -> Picture | None:
    """The chart of the whole game."""
    scene = scenes.journey(made.frames, made.moments)
    if scene is None:
        return None
    named = [track.name for track in scene.tracks if track.name] or ["the forces"]
    listed = ", ".join(named[:-1]) + (" and " if named[1:] else "") + named[-1]
    return Picture("journey.png", "", f"The ways of {listed}, as they really were.", scene, True)


def _charts(moment: Moment, made: Plot) -> Iterator[Picture]:
    """What really was at a turning point and, where forces were hidden, what each side believed."""
    before = made.frames[max(moment.index - 1, 0)]
    at, real = scenes.place(moment, before), scenes.truth(moment.frame)
    if at is None or real is None:
        return
    name, key = f"{moment.number:02}", _key(moment.frame, made.people)
    if moment.open:
        yield Picture(f"{name}-truth.png", "", key, scenes.cut(real, at))
        return
    yield Picture(f"{name}-truth.png", "What really was", key, scenes.cut(real, at))
    for belief in moment.beliefs:
        if scene := moment.frame.scenes[belief.side]:
            title = f"What {_mid(made.people[belief.side])} believed"
            part = scenes.cut(replace(scene, earlier=()), at)
            yield Picture(f"{name}-{belief.side}.png", title, belief.text, part)


def _mid(name: str) -> str:
    """A side's name in a sentence: `the Germans`."""
    return f"the {name[4:]}" if name.startswith("The ") else name


def _key(frame: Frame, people: dict[str, str]) -> str:
    """Whose counters and marks the chart of the truth shows."""
    first, *others = sorted(frame.scenes, key=lambda s: bool((c := frame.scenes[s]) and c.red))
    foes = " and ".join(_mid(people[side]) for side in others)
    return f"Blue: {_mid(people[first])}. Red: {foes}."


def html(found: Story) -> bytes:
    """The story as one HTML page."""
    from markupsafe import Markup

    shown = [*([found.journey] if found.journey else ())]
    shown += [picture for told in found.told for picture in told.pictures]
    drawn = drawings(picture.scene for picture in shown)
    boxes = {
        picture.file: {
            "box": _box(picture.scene),
            "red": picture.scene.red,
            "svg": Markup(inside),
            "said": picture.said,
            "title": picture.title,
            "caption": picture.caption,
        }
        for picture, inside in zip(shown, drawn, strict=True)
    }
    style = Markup(_style())
    data = _data(found, str)
    drawn_curves = [(c.title, Markup(_curve(c, NAMED))) for c in found.curves]
    text = _render(
        "base/story.html.j2",
        {
            **data,
            "journey": boxes[found.journey.file] if found.journey else None,
            "curves": drawn_curves,
            "style": style,
            "style_hash": digest_of(style),
            "moments": [
                {**one, "pictures": [boxes[p.file] for p in told.pictures]}
                for one, told in zip(data["moments"], found.told, strict=True)
            ],
        },
    )
    return text.encode()


def markdown(found: Story) -> bytes:
    """The story as Markdown, which names the pictures beside it."""

    def plain(text: str) -> str:
        return SPECIAL.sub(r"\\\1", text)

    def named(picture: Picture) -> Plain:
        said = {"said": plain(picture.said), "file": picture.file}
        return {**said, "title": plain(picture.title), "caption": plain(picture.caption)}

    data = _data(found, plain)
    text = _render(
        "base/story.markdown.j2",
        {
            **data,
            "journey": named(found.journey) if found.journey else None,
            "curves": [(plain(c.said), _file(c)) for c in found.curves],
            "moments": [
                {**one, "pictures": [named(p) for p in told.pictures]}
                for one, told in zip(data["moments"], found.told, strict=True)
            ],
        },
    )
    return re.sub(r"\n{3,}", "\n\n", text.strip()).encode() + b"\n"


def _data(found: Story, said: Callable[[str], str]) -> Plain:
    """What both pages say. said: makes a text fit for the page."""
    made = found.plot
    words = ("game", "title", "scenario", "edition", "result", "why")
    return {
        "facts": {key: said(made.facts[key]) for key in words},
        "opening": said(made.opening),
        "toll": said(made.toll),
        "head": found.head,
        "moments": [
            {
                "number": m.number,
                "label": said(_upper(m.frame.label)),
                "title": said(m.title),
                "why": said(_upper(m.main.why)),
                "lines": [
                    {"text": said(line.text), "why": said(_upper(line.why))}
                    for line in m.lines
                    if line is not m.main
                ],
                "beliefs": [said(b.text) for b in m.beliefs if b.text],
            }
            for m in made.moments
        ],
        "losses": [
            {
                "name": said(loss.name),
                "side": said(found.names.get(loss.side, "")),
                "ink": found.inks.get(loss.side, ""),
                "label": said(made.frames[loss.frame].label),
            }
            for loss in made.losses
        ],
    }


def _upper(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def _pictures(found: Story) -> Iterator[tuple[str, bytes]]:
    """The pictures that the Markdown file names: file name and PNG."""
    from pbem.charts.png import png

    if found.journey:
        yield found.journey.file, png(svg(found.journey.scene, lenient=True))
    for told in found.told:
        for picture in told.pictures:
            drawn = svg(picture.scene, detail=True, lenient=True)
            yield picture.file, png(drawn, red=picture.scene.red)
    for one in found.curves:
        yield _file(one), png(_curve(one, LIGHT, alone=True))


def _file(one: Curves) -> str:
    """The file of a small chart."""
    return one.title.lower().replace(" ", "-") + ".png"


def _curve(one: Curves, colours: dict[str, str], alone: bool = False) -> str:
    """A small chart as SVG. alone: it is a file of its own."""
    return _render("base/curve.svg.j2", {"c": one, "t": colours, "alone": alone})


def _box(scene: Scene) -> str:
    """The view box of a chart."""
    left, top, right, bottom = page_of(scene).frame
    return f"{left:g} {top:g} {right - left:g} {bottom - top:g}"


def _render(template: str, data: Plain) -> str:
    from pbem.reports.render import templates

    return templates().get_template(template).render(**data)


@cache
def _style() -> str:
    """The page's style sheet with the colours of its charts, light and dark."""
    sheet = read("templates", "base/story.css").decode()
    for name in THEMES:
        for red, mark in ((False, f"/*{name}*/"), (True, f"/*{name} red*/")):
            sheet = sheet.replace(mark, variables(theme_of(name, red)))
    return sheet
