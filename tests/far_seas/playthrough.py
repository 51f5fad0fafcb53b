"""From Coronel to the Falklands in words.

The orders follow history as far as the board lets them. A difference means that what players read
has changed. Look at it line by line; `GOLDEN=write` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.far_seas import calendar
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.game import SYSTEM
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from tests.far_seas.casebook import OPTIONS, read
from tests.playing import told

GOLDEN = Path(__file__).parent / "playthrough.txt"
ORDERS = {
    (6, 1): {
        GERMAN: "@GERMAN: if odds over 2.5 then run else stand; @GERMAN: target best concentrate;"
        "@GERMAN: capture all;"
        "SCHARNHORST: move 19; GNEISENAU: join SCHARNHORST; Nürnberg: join SCHARNHORST;"
        "LEIPZIG: join SCHARNHORST;",
        BRITISH: "@BRITISH: seek any; @BRITISH: stand; @BRITISH: target best concentrate;"
        "GOOD HOPE: move 32; MONMOUTH: join GOOD HOPE;"
        "CANOPUS: station port stanley; CORNWALL: cruise; CARNARVON: move 11;",
    },
    (6, 2): {GERMAN: "DRESDEN: move 19;", BRITISH: ""},
    (7, 1): {
        GERMAN: "SCHARNHORST: move 17; SCHARNHORST: surprise any; DRESDEN: move 17;",
        BRITISH: "GOOD HOPE: move 17; OTRANTO: move 32; DEFENCE: cruise; KENT: join DEFENCE;",
    },
    (8, 1): {
        GERMAN: "SCHARNHORST: cruise; DRESDEN: join SCHARNHORST;",
        BRITISH: "INVINCIBLE: station port stanley; INFLEXIBLE: station port stanley;"
        "DEFENCE: move 13; GLASGOW: cruise;",
    },
    (9, 1): {
        GERMAN: "SCHARNHORST: move 32;",
        BRITISH: "CARNARVON: move 13; CORNWALL: join CARNARVON;",
    },
    (10, 1): {
        GERMAN: "SCHARNHORST: raid port stanley; DRESDEN: move 17;",
        BRITISH: "CARNARVON: cruise;",
    },
}
"""By turn and segment; what is not ordered goes on."""


def transcript() -> str:
    """The game in words: what each side was told in every segment, and the end."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for drive, (turn, segment), closing in windows():
        yield f"== turn {turn}, segment {segment}, {calendar.label(turn)}"
        yield from told(SYSTEM, closing, (GERMAN, BRITISH))
        if drive.over:
            yield f"== {drive.over.result} {drive.over.rule}: {drive.over.why}"


def windows() -> Iterator[tuple[Drive, tuple[int, int], Closing]]:
    """The game after each of its windows, the turn and segment that it closed, and what that
    brought."""
    drive = Drive.start(SYSTEM, (GERMAN, BRITISH), OPTIONS, SYSTEM.begin("coronel", OPTIONS, {}))
    dice = Seeded("from Coronel to the Falklands", b"0")
    while drive.over is None:
        war = drive.state
        orders = ORDERS.get((war.turn, war.segment), {})
        sets = {side: read(war, side, text) for side, text in orders.items() if text}
        yield drive, (war.turn, war.segment), drive.close(sets, dice)
