"""Rheinuebung in words, both sides by programmes that a player might write.

The orders follow history as far as the dice let them. A difference means that what players read has
changed. Look at it line by line; `GOLDEN=write` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.atlantic_chase.board import BRITISH, GERMAN, SIDES
from games.atlantic_chase.game import SYSTEM
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from tests.atlantic_chase.casebook import OPTIONS
from tests.casetable import read
from tests.playing import told

GOLDEN = Path(__file__).parent / "playthrough.txt"
ORDERS = {
    1: {
        GERMAN: "@GERMAN: seize at least 40; evade KG1; spend engage total 4; slip evasive;"
        "@KG1: lapse toward H09; KG1: leave port; KG1: course K12 K11 K10 K09 K08 J08 I08;"
        "UB1: recon G12; GERMAN: finish pass KG1;",
        BRITISH: "@BRITISH: seize at least 40; evade TF6 TF7 TF8; support auto; slip signals;"
        "@TF6: lapse toward H13; @TF7: lapse toward H13; @TF8: lapse toward H13;"
        "@BRITISH: if guns over 60 then skirmish fight else skirmish decline;"
        "@BRITISH: hit BISMARCK;",
    },
    2: {
        BRITISH: "TF2: leave port; TF2: course I11 I10 I09 J08; TF3: search KG1 at K08;"
        "TF3: if last result is sighted then engage KG1; BRITISH: finish pass TF6;",
    },
    3: {GERMAN: "KG1: course I08 H08 H09; KG1: engage TF3; GERMAN: finish pass KG1;"},
    4: {
        BRITISH: "TF3: course I08 H08; TF3: search KG1; TF2: search KG1; TF2: engage KG1;"
        "BRITISH: if station KG1 then stop; BRITISH: finish pass TF7;"
    },
    5: {GERMAN: "KG1: course G09 F10 E11; GERMAN: finish pass KG1;"},
    6: {
        BRITISH: "TF6: complete; TF5: leave port; TF5: course C16 D15 E14 E13; TF1: leave port;"
        "TF1: course H12 G12 F12; TF3: course H09; TF2: course I08 H09;"
        "TF2: search KG1 at H09 times 3; TF2: if station KG1 then engage KG1 with TF3;"
        "BRITISH: finish pass TF8;"
    },
    7: {GERMAN: "KG1: course E11 E12 E13 F13; UB2: recon E13; GERMAN: finish pass KG1;"},
    8: {
        BRITISH: "TF2: if station KG1 then engage KG1 else search KG1 times 3; TF2: engage KG1;"
        "TF5: strike KG1; TF5: search KG1; TF1: course F13 E13; BRITISH: finish pass TF7;"
    },
    9: {
        GERMAN: "@GERMAN: target strongest; KG1: engage TF2 times 3; KG1: course H10 G11 F12;"
        "GERMAN: finish pass KG1;",
        BRITISH: "@BRITISH: stance close; @BRITISH: target strongest;",
    },
    10: {
        BRITISH: "TF2: engage KG1 times 2; TF3: search KG1; TF1: search KG1 times 2;"
        "TF1: if station KG1 then engage KG1; TF7: course H11 H12 H13; BRITISH: finish pass TF7;"
    },
    11: {GERMAN: "KG1: course H10 G11 F12 F13 F14; GERMAN: finish pass KG1;"},
    12: {
        BRITISH: "TF3: search KG1 times 2; TF1: search KG1 times 2; TF5: search KG1;"
        "TF5: if station KG1 then strike KG1; TF1: if station KG1 then engage KG1;"
        "TF8: course E13 F13; BRITISH: finish pass TF7;"
    },
    13: {GERMAN: "KG1: course F12 F13 F14 from G11; GERMAN: finish pass KG1;"},
    14: {
        BRITISH: "TF1: course H11 H10 from H12; TF1: search KG1 times 2; TF1: engage KG1;"
        "TF2: course H10; TF2: search KG1; TF6: course H13; BRITISH: finish pass TF8;"
    },
    15: {GERMAN: "KG1: engage TF2; GERMAN: finish pass KG1;"},
    16: {
        BRITISH: "TF5: course E12 F12 F13; TF5: strike KG1; TF6: course H13;"
        "TF7: course H11 H12 H13; BRITISH: finish pass TF6;"
    },
    18: {
        BRITISH: "TF6: complete; TF5: if station KG1 then strike KG1 else search KG1;"
        "TF1: engage KG1; BRITISH: finish pass TF8;"
    },
    19: {GERMAN: "KG1: course G11 F12 F13 F14; GERMAN: finish pass KG1;"},
    20: {
        BRITISH: "@BRITISH: exit no; TF1: search KG1 at H10 times 2;"
        "TF1: if station KG1 then engage KG1; TF6: complete; BRITISH: finish pass TF7;"
    },
    21: {GERMAN: "KG1: course F13 F14; GERMAN: finish pass KG1;"},
    22: {
        BRITISH: "TF5: if station KG1 then strike KG1 else search KG1 times 3;"
        "TF1: if station KG1 then engage KG1 else search KG1 times 3; TF6: complete;"
        "TF7: complete; BRITISH: finish pass TF8;"
    },
    23: {GERMAN: "KG1: complete; GERMAN: finish pass KG1;"},
    24: {
        BRITISH: "TF1: if station KG1 then engage KG1 times 3 else search KG1 times 2;"
        "TF6: complete; TF7: complete; BRITISH: finish pass TF7;"
    },
    26: {
        BRITISH: "TF1: if station KG1 then engage KG1 times 3 else search KG1 times 2;"
        "TF7: complete; TF8: course G13 G14; BRITISH: finish pass TF8;"
    },
    28: {BRITISH: "TF1: engage KG1 times 3; TF8: complete; BRITISH: finish pass TF8;"},
}
"""By spell and side; what is not ordered passes."""


def transcript() -> str:
    """The game in words: what each side was told in every spell, and the end."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for drive, said, closing in windows():
        yield f"== {said}"
        yield from told(SYSTEM, closing, SIDES)
        if drive.over:
            yield f"== {drive.over.result} {drive.over.rule}: {drive.over.why}"


def windows() -> Iterator[tuple[Drive, int, Closing]]:
    """The game after each of its windows, the spell that it closed, and what that brought."""
    drive = Drive.start(SYSTEM, SIDES, OPTIONS, SYSTEM.begin("rheinuebung", OPTIONS, {}))
    dice = Seeded("the hunt for the Bismarck", b"0")
    while drive.over is None:
        war = drive.state
        orders = ORDERS.get(war.turn, {})
        sets = {side: read(SYSTEM, war, side, orders[side]) for side in SIDES if side in orders}
        yield drive, war.turn, drive.close(sets, dice)
