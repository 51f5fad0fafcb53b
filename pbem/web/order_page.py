"""The order page: one HTML file in which a player writes, checks, signs and sends his orders.

It holds one side's report and public data of the system, and asks the network for nothing; its
script and style stand in its policy by their hashes. `blank` is the same page without a report,
for a place where players open their saved report.json. Format: docs/formats.md, "Order page".
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256

import msgspec

from pbem.base.hashing import canonical_json
from pbem.base.report_json import Moderator, Report, SetUp
from pbem.charts.drawing import drawing, empty, outlines, page_of, variables
from pbem.charts.picture_cache import scene_of
from pbem.charts.svg_path import coarser
from pbem.charts.themes import DARK, LIGHT
from pbem.data import read
from pbem.errors import Usage
from pbem.model import Scenario, System
from pbem.scene import Coast, Scene
from pbem.web import order_language
from pbem.web.minify import minified
from pbem.web.page_data import Data, encode

FORMAT = "pbem-desk/1"
FILE = "order-page.html"
MOST = 200_000
"""Bytes of the page of one report at most."""
MODULES = (
    *("bytes", "inflate", "sha", "ed25519", "aes", "bcrypt", "sshkey", "sshsig", "dom", "book"),
    *("board", "composer", "lists", "send", "page"),
)
ENCRYPTING, OPENING = ("age",), ("unage", "letters", "join", "opener")
"""Modules that are called where mail is encrypted, and where there is no report yet."""
KEPT = (
    *("format", "game", "title", "system", "edition", "scenario", "side", "side_name", "turn"),
    *("label", "turns", "window", "seq", "deadline", "dice_mode", "units", "contacts"),
    *("questions", "standing", "menu", "suggest", "board", "result"),
)
"""What orders need of a report."""
MARKS = ("digest", "anchors", "setup", "moderator")
COARSER = 2
"""How many units of a coast are one of the page's."""


def page(system: System, report: Report, reply: str = "") -> bytes:
    """The page of one report; its size depends on the report alone. reply: the address that
    orders go to, where the report does not say it. Raises Usage for what nobody answers."""
    if report.result or report.side not in _sides(system, report):
        raise Usage("nobody answers this report", "take a side's report of an open window")
    scene = scene_of(system, report.plain)
    data = {
        "format": FORMAT,
        "report": lean(report),
        "language": order_language.data([system], report.setup.text),
        "boards": {system.name: board(scene)} if scene else {},
        "titles": {system.name: system.title},
    }
    drawn = {system.name: _chart(_quiet(scene))} if scene else {}
    more = ENCRYPTING if _agreed(report).mail == "sealed" else ()
    text = f"{order_language.program([system])}\n{program(more)}"
    return _page(data, drawn, text, marks(report, reply))


def _sides(system: System, report: Report) -> Sequence[str]:
    return next(s.sides for s in system.scenarios if s.name == report.scenario)


@lru_cache(8)
def blank_for(system: System, setup: str) -> bytes:
    """The page without a report for one game, whose set-up text may hold the moderator's own
    tables; the same for every side."""
    return blank((system,), setup)


def blank(systems: Sequence[System], setup: str = "") -> bytes:
    """The page without a report, for reports of these systems. setup: the set-up text of the one
    game that it is for."""
    scenes = {s.name: scene for s in systems if (scene := blank_scene(s))}
    data = {
        "format": FORMAT,
        "report": None,
        "language": order_language.data(systems, setup),
        "boards": {name: board(scene) for name, scene in scenes.items()},
        "titles": {s.name: s.title for s in systems},
    }
    drawn = {name: _chart(scene) for name, scene in scenes.items()}
    more = (*ENCRYPTING, *OPENING)
    return _page(data, drawn, f"{order_language.program(systems)}\n{program(more)}", {})


def lean(report: Report) -> Data:
    """What orders need of the report, without what `marks` holds."""
    kept: dict[str, object] = {key: report.plain[key] for key in KEPT}
    board = report.plain["board"]
    if isinstance(board, dict):
        kept["board"] = {k: v for k, v in board.items() if k not in ("chart", "log")}
    return kept


def marks(report: Report, reply: str = "") -> Data:
    """Digests and keys, which hide what they are made of. They stand apart from the packed data,
    whose size would tell of them: of the set-up its digest, the side's keys, the kind of mail."""
    agreed = _agreed(report)
    keys = agreed.keys.get(report.side, [])
    return {
        "digest": report.digest,
        "anchors": msgspec.to_builtins(report.anchors),
        "setup": {"digest": report.setup.digest, "keys": keys, "mail": agreed.mail},
        "moderator": {**report.plain["moderator"], "mail": report.moderator.mail or reply},
    }


def _agreed(report: Report) -> SetUp:
    """What the set-up text of the game says."""
    return msgspec.json.decode(report.setup.text, type=SetUp)


def board(scene: Scene) -> Data:
    """Where things are on the drawn chart, in its pixels: the frame, the middle and outline of
    each cell, own units and contacts."""
    laid = page_of(scene)
    left, top, right, bottom = laid.frame
    return {
        "frame": [left, top, right - left, bottom - top],
        "pitch": laid.pitch,
        "cells": {name: laid.px(at) for name, at in scene.grid.cells.items()},
        "outlines": outlines(scene),
        "units": {u.id: laid.px(u.at) for u in scene.units},
        "contacts": {c.id: laid.px(c.at) for c in scene.contacts if c.at},
        "focus": [laid.px(at) for at in scene.focus],
    }


def blank_scene(system: System) -> Scene | None:
    """The system's empty board, taken from the chart of a game that nobody has begun."""
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
    scene = system.chart(report.plain)
    return empty(scene) if scene else None


def _chart(scene: Scene) -> str:
    """The chart as the page holds it, with one coast: its shallows lie along the fine line, and
    the coarse one, which is there for speed, need not travel."""
    coast = _light(scene.coast) if scene.coast else None
    drawn = drawing(msgspec.structs.replace(scene, coast=coast))
    return drawn.replace('<path id="S" d=""/>', "").replace('href="#S"', 'href="#L"')


def _quiet(scene: Scene) -> Scene:
    """The chart without head and legend, which the page has itself or the mail shows."""
    return msgspec.structs.replace(scene, title="", boxes=(), legend=(), notes=(), deadline="")


def _light(coast: Coast) -> Coast:
    """The coast by half a pixel, as near as anybody comes, and without the coarse one."""
    land, graticule = (coarser(way, COARSER) for way in (coast.land, coast.graticule))
    unit = coast.unit // COARSER
    return msgspec.structs.replace(coast, unit=unit, land=land, graticule=graticule, shoal="")


def _page(data: Data, drawn: Mapping[str, str], modules: str, marked: Data) -> bytes:
    from markupsafe import Markup

    from pbem.reports.render import templates

    style, script = Markup(look()), Markup(minified(modules))
    packed, size = pack({**data, "drawn": drawn})
    text = (
        templates()
        .get_template("order_page/order_page.html.j2")
        .render(
            report=data["report"],
            titles=list(data["titles"].values()),
            packed=packed,
            size=size,
            marks=Markup(encode(marked)),
            style=style,
            script=script,
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )
    return text.encode()


def pack(data: Data) -> tuple[str, int]:
    """The data as the page holds it: canonical JSON in raw DEFLATE (RFC 1951), in base64; and
    how many bytes it unpacks to."""
    from zlib import DEFLATED, compressobj

    plain = canonical_json(data)
    packer = compressobj(9, DEFLATED, -15)
    return b64encode(packer.compress(plain) + packer.flush()).decode("ascii"), len(plain)


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode("ascii")


@cache
def program(more: tuple[str, ...] = ()) -> str:
    """The page's own modules in one scope. more: those that not every page calls."""
    return order_language.joined([f"order_page/js/{name}.js" for name in (*more, *MODULES)])


@cache
def look() -> str:
    """The page's style; the chart's colours in light and dark are variables of it."""
    sheet = read("templates", "order_page/order_page.css").decode()
    return sheet.replace("/*light*/", variables(LIGHT)).replace("/*dark*/", variables(DARK))
