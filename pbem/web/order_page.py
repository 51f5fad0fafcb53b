"""The order page: one HTML file in which a player writes, checks, signs and sends orders.

It contains one side's report and public data of the system, and loads nothing from the network: its
content security policy permits only its own script and style, by their hashes. `blank` is the same
page without a report, in which players open a saved report.json. Format: docs/formats.md, "Order
page".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import msgspec

from pbem.base.hashing import canonical_json
from pbem.base.report_json import Moderator, Report, SetUp
from pbem.charts.basemap import cell_names
from pbem.charts.drawing import apart, drawing, empty, outlines, page_of, variables
from pbem.charts.scenes import drawable, scene_of
from pbem.charts.svg_path import coarser, mesh
from pbem.charts.themes import theme_of
from pbem.charts.viewport import Page
from pbem.data import read
from pbem.errors import Usage
from pbem.model import Scenario, System
from pbem.reports import wording
from pbem.scene import Coast, Scene
from pbem.text import messages
from pbem.web import order_language
from pbem.web.packed import pack, script
from pbem.web.page_data import Data, digest_of, encode

FORMAT = "pbem-desk/1"
"""The format keeps its name of release 0.1.0: docs/formats.md, "Names that stay"."""
FILE = "order-page.html"
"""The name of the attachment."""
MOST = 200_000
"""Bytes of the page of one report at most."""
PLOTTING = "plot"
"""The module that plots courses, which only a sea without cells needs."""
MODULES = (
    *("bytes", "inflate", "packed", "sha", "ed25519", "aes", "bcrypt", "sshkey", "sshsig"),
    *("dom", "book", "vault", "board", "reach", "plan", "news", "composer", PLOTTING, "lists"),
    *("wishes", "send", "page"),
)
"""The page's own modules, each after the modules that it imports."""
ENCRYPTING, OPENING = ("age",), ("unage", "letters", "join", "opener")
"""Modules that are needed only if mail is encrypted, and only if the page has no report yet."""
HOSTED = ("app",)
"""What the page needs in addition at a web address."""
KEPT = (
    *("format", "game", "title", "system", "edition", "scenario", "side", "side_name", "turn"),
    *("label", "turns", "window", "seq", "deadline", "dice_mode", "units", "contacts"),
    *("questions", "standing", "menu", "suggest", "board", "result", "news", "events"),
)
"""The fields of a report that writing orders needs."""
COARSER = 2
"""How many units of the chart's coast make one unit of the page's."""


def page(system: System, report: Report, reply: str = "") -> bytes:
    """The page of one report.

    reply: the address to which orders go, if the report does not say it. Raises Usage for a report
    that does not ask for orders: after the end, or the spectators'.
    """
    if report.result or report.side not in _sides(system, report):
        raise Usage(
            "this report does not ask for orders", "use the report of a side, of an open window"
        )
    scenes = drawable(system, report.plain)
    scene = scenes[0] if scenes else None
    data: dict[str, object] = {
        "format": FORMAT,
        "report": needed_fields(report),
        "language": order_language.data([system], report.setup.text),
        "boards": {system.name: board(scene)} if scene else {},
        "titles": {system.name: system.title},
        "spelled": messages.spelled(),
    }
    if len(scenes) > 1:
        data["sheets"] = _sheets(scenes)
    drawn = {system.name: _chart(_without_frame(scene))} if scene else {}
    more = ENCRYPTING if _agreed(report).mail == "sealed" else ()
    text = f"{order_language.program([system])}\n{program(more, plots(scene))}"
    red = scene is not None and scene.red
    return _page(data, drawn, text, marks(report, reply), red=red)


def _sides(system: System, report: Report) -> Sequence[str]:
    return next(s.sides for s in system.scenarios if s.name == report.scenario)


@lru_cache(8)
def blank_for(system: System, setup: str) -> bytes:
    """The page without a report for one game, with its house rules; the same for every side."""
    return blank((system,), setup)


def blank(systems: Sequence[System], setup: str = "", hosted: str = "") -> bytes:
    """The page without a report, for reports of these systems.

    setup: the set-up text of the one game that it is for; empty: any game. hosted: the name of the
    manifest that lies beside it at a web address (`pbem.web.web_app`); empty: it is a lone file.
    """
    scenes = {s.name: scene for s in systems if (scene := blank_scene(s))}
    data = {
        "format": FORMAT,
        "report": None,
        "language": order_language.data(systems, setup),
        "boards": {name: board(scene) for name, scene in scenes.items()},
        "titles": {s.name: s.title for s in systems},
        "spelled": messages.spelled(),
    }
    drawn = {name: _chart(scene) for name, scene in scenes.items()}
    more = (*ENCRYPTING, *OPENING, *(HOSTED if hosted else ()))
    own = program(more, any(map(plots, scenes.values())))
    return _page(data, drawn, f"{order_language.program(systems)}\n{own}", {}, hosted)


def needed_fields(report: Report) -> Data:
    """The fields of the report that writing orders needs, except those that `marks` contains.

    `news` is what the report itself begins with, and `events` are in its order: what matters
    first, routine last. The charts in characters, what only charts show (`battles`) and the log are
    left out; the page has its own charts.
    """
    kept: dict[str, object] = {key: report.plain[key] for key in KEPT}
    first = {id(event) for event in wording.news(report.plain)}
    told = sorted(report.plain["events"], key=lambda event: id(event) not in first)
    told = wording.gathered(told, wording.folder_of(report.plain))
    kept["events"] = [{"text": event["text"]} for event in told]
    kept["news"] = wording.lead(report.plain).removesuffix(".")
    kept |= {"owed": list(report.owed)} if report.owed else {}
    kept |= {"role": report.role} if report.role else {}
    kept |= {"ordered": report.ordered} if report.ordered else {}
    kept |= {"this_turn": report.this_turn} if report.this_turn else {}
    kept |= {"lost": report.lost} if report.lost else {}
    board = report.plain["board"]
    if isinstance(board, dict):
        kept["board"] = {k: v for k, v in board.items() if k not in ("chart", "battles", "log")}
    return kept


def marks(report: Report, reply: str = "") -> Data:
    """Digests and keys of the report; of the set-up text, its digest, the side's keys, and whether
    mail is encrypted.

    They are not compressed with the other data: they look random, so that the compressed size would
    vary with them and could tell something about what they were made from.
    """
    agreed = _agreed(report)
    keys = agreed.keys.get(report.seat, [])
    return {
        "digest": report.digest,
        "anchors": msgspec.to_builtins(report.anchors),
        "setup": {"digest": report.setup.digest, "keys": keys, "mail": agreed.mail},
        "moderator": {**report.plain["moderator"], "mail": report.moderator.mail or reply},
    }


def _agreed(report: Report) -> SetUp:
    """The set-up text of the game, parsed."""
    return msgspec.json.decode(report.setup.text, type=SetUp)


def board(scene: Scene) -> Data:
    """Where things are on the drawn chart, in pixels, for the page to react to clicks: the frame,
    the middle and outline of each cell, own units, contacts, and the points of the focus."""
    laid = page_of(scene)
    left, top, right, bottom = laid.frame
    nameless = _nameless(scene)
    more: dict[str, object] = {} if nameless is None else {"nameless": nameless}
    more |= {"titles": scene.grid.titles} if scene.grid.titles else {}
    more |= {"plane": _plane(laid)} if plots(scene) else {}
    return (
        _moves(scene)
        | more
        | {
            "frame": [left, top, right - left, bottom - top],
            "pitch": apart(scene),
            "cells": {name: laid.px(at) for name, at in scene.grid.cells.items()},
            "outlines": outlines(scene),
            "units": {u.id: laid.px(u.at) for u in scene.units},
            "contacts": {c.id: laid.px(c.at) for c in scene.contacts if c.at},
            "focus": [laid.px(at) for at in scene.focus],
        }
    )


def _plane(laid: Page) -> list[float]:
    """Where the corner of a sea without cells is drawn, and how long one of its units."""
    (x, y), (further, _) = laid.px((0, 0)), laid.px((1, 0))
    return [x, y, further - x]


def _moves(scene: Scene) -> dict[str, object]:
    """What taps offer, by unit, cell and label; nothing if the chart offers nothing."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for move in scene.moves:
        found.setdefault(move.unit, {}).setdefault(move.cell, {})[move.label] = move.order
    return {"moves": found} if found else {}


def _sheets(scenes: Sequence[Scene]) -> list[Data]:
    """The charts of a report, between which the page switches; of the main chart only its title,
    because the page has it already. What a further chart defines as the main one does, the page
    takes from there."""
    known = {*_chart(_without_frame(scenes[0])).partition(DEFINED)[0].splitlines()}
    scenes = [scenes[0], *map(_no_larger, scenes[1:])]
    found: list[Data] = []
    for i, scene in enumerate(scenes):
        title: dict[str, object] = {"title": scene.caption or scene.title or scene.name}
        if i:
            head, end, body = _chart(_without_frame(scene)).partition(DEFINED)
            own = "\n".join(line for line in head.splitlines() if line not in known)
            title |= {"board": board(scene), "own": own, "drawn": f"{end}{body}"}
        found.append(title)
    return found


def _no_larger(scene: Scene) -> Scene:
    """The scene with cells that are no larger than usual: letters keep their size, so that those of
    a chart with large cells would be small on a phone."""
    return (
        msgspec.structs.replace(scene, pitch=min(scene.pitch, USUAL)) if scene.grid.cells else scene
    )


USUAL = 50
"""Pixels per cell, as by default."""
DEFINED = "</defs>"
"""What ends the definitions at the beginning of a drawing."""


def blank_scene(system: System) -> Scene | None:
    """The system's empty board, from the chart of a new game; None if the system has no chart."""
    from pbem.reports.report import SILENT, Account, Frame, draft

    scenario: Scenario = system.scenarios[0]
    state = system.begin(scenario.name, {}, {})
    frame = Frame(
        game="g",
        setup="{}",
        digest="",
        scenario=scenario.name,
        title="",
        window=1,
        closed=0,
        opened="",
        deadline="",
        head="",
        moderator=Moderator("", ""),
        dice_mode="seeded",
    )
    side = scenario.sides[0]
    report = draft(system, frame, side, system.view(state, side), Account(), SILENT)
    scene = scene_of(system, report.plain)
    return empty(scene) if scene else None


def _chart(scene: Scene) -> str:
    """The chart as the page contains it, with one coast instead of two.

    The coarse outline makes PNGs faster to draw; a browser does not need it, so the shallows are
    drawn along the fine line.
    """
    coast = _page_coast(scene.coast) if scene.coast else None
    drawn = drawing(msgspec.structs.replace(scene, coast=coast))
    drawn = drawn.replace('<path id="S" d=""/>', "").replace('href="#S"', 'href="#L"')
    if not scene.grid.cells or scene.grid.shape == "area":
        return drawn
    # the page knows where its cells are, so it draws what all of them have alike
    drawn = drawn.replace(f' d="{_edges(scene)}"', ' class="cells"', 1)
    if _nameless(scene) is None:
        return drawn
    names = "".join(f'<text x="{x}" y="{y}">{n}</text>' for x, y, n in shown_names(scene))
    return drawn.replace(f">{names}</g>", ' class="names"></g>', 1)


def _edges(scene: Scene) -> str:
    """The edges of the cells, as the chart draws them."""
    laid = page_of(scene)
    return mesh(laid.line(scene.grid.outline(name)) for name in scene.grid.cells)


def _nameless(scene: Scene) -> list[str] | None:
    """The cells whose names the chart does not show; None where it leaves out most, so that the
    drawing itself has the names."""
    named = {name for _, _, name in shown_names(scene)}
    if scene.grid.shape == "area" or len(named) * 2 < len(scene.grid.cells):
        return None
    return sorted(set(scene.grid.cells) - named)


def shown_names(scene: Scene) -> list[tuple[str, str, str]]:
    """(x, y, name) of the cells whose names the chart shows, in pixels."""
    return cell_names(scene, page_of(scene))


def _without_frame(scene: Scene) -> Scene:
    """The chart without head and legend: the page has a head, and the mail shows the legend."""
    return msgspec.structs.replace(
        scene,
        title="",
        boxes=(),
        legend=(),
        notes=(),
        deadline="",
        insets=(),
        roster=None,
        earlier=(),
    )


def _page_coast(coast: Coast) -> Coast:
    """The coast rounded to half a pixel, and without the coarse outline."""
    land, graticule = (coarser(way, COARSER) for way in (coast.land, coast.graticule))
    unit = coast.unit // COARSER
    return msgspec.structs.replace(coast, unit=unit, land=land, graticule=graticule, shoal="")


def _page(
    data: Data,
    drawn: Mapping[str, str],
    modules: str,
    marked: Data,
    manifest: str = "",
    red: bool = False,
) -> bytes:
    from markupsafe import Markup

    from pbem.reports.render import templates

    style = Markup(style_sheet(red))
    text = (
        templates()
        .get_template("order_page/order_page.html.j2")
        .render(
            report=data["report"],
            titles=list(data["titles"].values()),
            data=pack(canonical_json({**data, "drawn": drawn})),
            marks=Markup(encode(marked)),
            style=style,
            style_hash=digest_of(style),
            script=script(modules),
            manifest=manifest,
        )
    )
    return text.encode()


def plots(scene: Scene | None) -> bool:
    """Are courses plotted on this chart? On those of a sea without cells."""
    return scene is not None and scene.mesh is not None and not scene.grid.cells


@cache
def program(more: tuple[str, ...] = (), plotting: bool = False) -> str:
    """The page's own modules in one scope. more: modules that not every page needs; plotting: with
    that of courses."""
    names = [name for name in MODULES if plotting or name != PLOTTING]
    return order_language.joined([f"order_page/js/{name}.js" for name in (*more, *names)])


@cache
def style_sheet(red: bool = False) -> str:
    """The page's style sheet; the chart's light and dark colours are its variables. red: the
    reader's side is the red one, see `themes.theme_of`."""
    sheet = read("templates", "order_page/order_page.css").decode()
    return sheet.replace("/*light*/", variables(theme_of("light", red))).replace(
        "/*dark*/", variables(theme_of("dark", red))
    )
