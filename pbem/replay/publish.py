"""`pbem publish`: after the end of a game, a replay to look at and a bundle to audit.

The page is one file that loads nothing: its content security policy permits only its own script and
style, by their hashes. The bundle contains the ledger and the keys that the end makes public, never
addresses, names or mail. Formats: docs/formats.md, "Replay" and "Public
bundle".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from pbem.audit import publication
from pbem.base.analysis_json import Analysis
from pbem.base.files import write_named
from pbem.charts.drawing import drawings, variables
from pbem.charts.heat import SHADES, STEPS
from pbem.charts.themes import THEMES, theme_of
from pbem.data import read
from pbem.model import System
from pbem.replay.frames import Encoder
from pbem.replay.graph import Graph, graph
from pbem.replay.walk import Walk, walk
from pbem.store import secrets
from pbem.store.game_dir import LEDGER, Game
from pbem.text.layout import within
from pbem.text.messages import part
from pbem.web.minify import minified
from pbem.web.page_data import Data, digest_of, encode

MOST = 400_000
"""Bytes of a page at most; a longer page is made without proofs."""
SCRIPTS = ("data", "draw", "under", "board", "shapes", "hulls", "charts", "chances", "heat", "page")
"""The modules of the page's script, each after the modules that it uses."""
RICH = ("shapes", "hulls", "charts")
"""Those that only pages with shapes, hulls or several charts need."""
CHANCES, HEAT = "chances", "heat"
"""Those that only pages with an analysis need, the second where sides looked for enemies."""
EDGE = 7
"""The room around the board, in its pixels, as in the script."""
SHOWN, ROLE = 4, 6
"""Where the name of a unit and its role stand in its row of the page's data."""
STAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the bundle, the first that zip knows: the bundle depends only on the
game."""


class Published(Struct):
    """What `publish` wrote."""

    page: Path
    bundle: Path
    windows: int
    """How many windows the replay shows."""


def publish(
    game: Game,
    system: System,
    page: Path,
    along: Walk | None = None,
    analysed: Analysis | None = None,
) -> Published:
    """Write the replay to `page`, and the bundle beside it with the suffix .zip.

    along: the game as `walk` played it again, if that was done before. analysed: its analysis, for
    a graph of the chances. Raises Busy before the end of the game, Damaged if its audit fails.
    """
    along = along or walk(game, system)
    content, packed = replay_page(game, system, along, analysed), bundle(game, system)
    beside = page.with_suffix(".zip")
    page.parent.mkdir(parents=True, exist_ok=True)
    write_named({page: content, beside: packed})
    return Published(page, beside, len(along.frames))


def replay_page(game: Game, system: System, along: Walk, analysed: Analysis | None = None) -> bytes:
    """The replay as one HTML file. In a long game it leaves out the proofs of rolls, which are in
    the bundle too."""
    drawn = graph(analysed, sorted(along.frames)) if analysed else None
    believed = analysed.believed if analysed else {}
    page = _page(game, system, Encoder(along, True, believed), drawn)
    if len(page) < MOST:
        return page
    return _page(game, system, Encoder(along, False, believed), drawn)


def _page(game: Game, system: System, encoder: Encoder, drawn: Graph | None) -> bytes:
    """The replay page with the data of `encoder`."""
    from markupsafe import Markup

    from pbem.reports.render import templates

    data = encoder.data(game, system)
    red_first = data["sides"][0]["id"] == system.red_side(game.register.created.scenario)
    style = Markup(style_sheet(red_first))
    script = Markup(minified(program(encoder.rich(), drawn is not None, bool(encoder.believed))))
    if drawn:
        points = [[float(x), float(y), *said] for x, y, said in drawn.places]
        data = {**data, "chances": points}
    text = (
        templates()
        .get_template("base/replay.html.j2")
        .render(
            data=data,
            g=drawn,
            heat=_key() if encoder.believed else (),
            json=Markup(encode(data)),
            boards=[Markup(drawn) for drawn in _boards(encoder)],
            style=style,
            script=script,
            style_hash=digest_of(style),
            script_hash=digest_of(script),
            result=outcome(data),
            view=_whole(data["board"]["frame"]),
            still=tuple(_still(data)),
        )
    )
    return text.encode()


def _whole(frame: Sequence[float]) -> str:
    """The view box of a whole board, as the script begins with."""
    left, top, wide, high = frame
    return f"{left - EDGE:g} {top - EDGE:g} {wide + 2 * EDGE:g} {high + 2 * EDGE:g}"


def _still(data: Data) -> Iterator[tuple[float, float, int, str]]:
    """Where ships stood at the end, for viewers that run no script: x, y, side and name, one mark
    for all of a side in a place. data: of the replay page."""
    found = dict[tuple[float, float, int], list[str]]()
    for unit, _, at, *_ in data["frames"][-1]["u"][0]:
        known = data["units"][unit]
        if at >= 0 and known[ROLE] == "counter":
            x, y = data["points"][at]
            found.setdefault((x, y, known[0]), []).append(known[SHOWN])
    for (x, y, side), names in found.items():
        yield x, y, side, names[0] + (f" +{len(names) - 1}" if names[1:] else "")


def outcome(data: Data) -> str:
    """The result of the game in words. data: of the replay page."""
    result = data["result"]["result"]
    names = {side["id"]: side["name"] for side in data["sides"]}
    words = {"draw": "A draw", "none": "No result"}
    return words.get(result) or f"Winner: {within(names.get(result, result))}"


def _key() -> list[tuple[str, float]]:
    """The shades of heat: from how many per cent on, and how strong the colour is."""
    least = [f"{max(100 * one, 1):g}" for one in STEPS]
    return list(zip([*least[:-1], f"{least[-1]} % and more"], SHADES, strict=True))


def _boards(encoder: Encoder) -> list[str]:
    """The board of each chart, drawn."""
    return drawings((board.scene for board in encoder.boards), encoder.symbols())


@cache
def program(rich: bool = True, chances: bool = True, heat: bool = True) -> str:
    """The page's script: its modules, joined into one scope. rich: with the modules RICH; chances,
    heat: with the modules CHANCES and HEAT."""
    left_out = {
        *(() if rich else RICH),
        *(() if chances else (CHANCES,)),
        *(() if heat else (HEAT,)),
    }
    names = [name for name in SCRIPTS if name not in left_out]
    parts = [read("templates", f"base/replay_{name}.js").decode() for name in names]
    return "\n".join(['"use strict";', *parts])


@cache
def style_sheet(red_first: bool = False) -> str:
    """The page's style sheet; the chart's light and dark colours are its variables. red_first:
    whether the first side is the red one."""
    sheet = read("templates", "base/replay.css").decode()
    for name in THEMES:
        sheet = sheet.replace(f"/*{name}*/", variables(theme_of(name, red_first)))
    return sheet


def bundle(game: Game, system: System) -> bytes:
    """The public bundle as a zip with one folder; the same game gives the same bytes."""
    from io import BytesIO
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    out = BytesIO()
    with ZipFile(out, "w") as packed:
        for name, content in sorted(_files(game, system).items()):
            info = ZipInfo(f"{game.name}/{name}", STAMP)
            info.compress_type, info.external_attr = ZIP_DEFLATED, 0o644 << 16
            packed.writestr(info, content)
    return out.getvalue()


def _files(game: Game, system: System) -> dict[str, bytes]:
    """The files of the bundle: name -> bytes."""
    register = game.register
    facts = {
        "game": game.name,
        "title": system.title,
        "system": system.name,
        "edition": system.edition,
    }
    digests = publication.valid_reports(game.ledger.records())
    files = {
        publication.LEDGER: _whole_lines(game.read(LEDGER)),
        publication.SETUP: register.setup.encode("ascii"),
        publication.MODERATOR: (register.created.moderator.strip() + "\n").encode("ascii"),
        publication.REPORTS: json.dumps(digests, indent=1).encode("ascii") + b"\n",
        publication.README: part("bundle", **facts).encode("ascii", "replace"),
    }
    if register.created.modulus:
        files[publication.DICE] = game.read("private", secrets.DICE_KEY)
    return files


def _whole_lines(ledger: bytes) -> bytes:
    """The ledger without a last line that a kill cut short."""
    return ledger[: ledger.rindex(b"\n") + 1]
