"""One whole game along the real track in words.

A difference means that what players read has changed. Look at it line by line; `GOLDEN=write`
writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.bismarck import calendar
from games.bismarck.game import SYSTEM
from games.bismarck.state import BRITISH, GERMAN
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from tests.bismarck.fake_table import read
from tests.bismarck.test_history import TRACK
from tests.playing import told

GOLDEN = Path(__file__).parent / "playthrough.txt"
OPTIONS = {"visibility": "errata", "fuel": "standard", "dorsetshire": "Z10"}
HUNT = {
    4: "SUFFOLK: move C7; HOOD: form PRINCE OF WALES as TF1; SCAPA1: fly F20; EIRE1: fly M14;",
    5: "SUFFOLK: patrol; NORFOLK: patrol; TF1: move E8; SCAPA1: patrol; EIRE1: patrol;",
    6: "SCAPA1: return; EIRE1: return; ARETHUSA: patrol; MANCHESTER: patrol; BIRMINGHAM: patrol;",
    10: "TF1: patrol; HVAL1: fly C7; SCAPA2: fly E13;",
    11: "HVAL1: patrol B8; SCAPA2: return;",
    12: "HVAL1: patrol B7;",
    13: "KING GEORGE V: form VICTORIOUS as TF2; REPULSE: move I9; NORFOLK: move C6; SUFFOLK: hold;",
    14: "TF2: move H12 J8; TF1: move D6; BRITISH: mobilise RODNEY;",
    15: "BRITISH: mobilise RAMILLIES; RODNEY: move K12; RAMILLIES: move N8; NORFOLK: move E5;",
    16: "BRITISH: enter REVENGE turn 20; TF1: move F5; SUFFOLK: move F5; NORFOLK: patrol F5;",
    18: "RENOWN: form ARK ROYAL, SHEFFIELD as TF3;",
    19: "TF3: move V19 Q17; PLYM1: fly Q18;",
    20: "PLYM1: patrol; PLYM2: fly S20;",
    26: "EIRE2: fly M14; PLYM1: fly P18;",
    27: "EIRE2: patrol O14; PLYM1: patrol P16;",
    28: "EIRE2: patrol P15; PLYM1: return; TF3: patrol;",
    29: "TF2: move Q17; RODNEY: move Q17; DORSETSHIRE: move X12 W12 W13 V13 U14 T15 S15;",
    30: "BRITISH: search all; NORFOLK: move L11 N13 P15; TF3: patrol;",
}
"""British orders by turn; what is not ordered goes on."""


def transcript() -> str:
    """The game in words: what each side was told in every turn, and the end."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for drive, turn, closing in windows():
        yield f"== turn {turn}, {calendar.label(turn)}"
        yield from told(SYSTEM, closing, (BRITISH, GERMAN))
        if drive.over:
            yield f"== {drive.over.result} {drive.over.rule}: {drive.over.why}"


def windows() -> Iterator[tuple[Drive, int, Closing]]:
    """The game after each of its windows, the turn that it closed, and what that brought."""
    drive = Drive.start(SYSTEM, (BRITISH, GERMAN), OPTIONS, SYSTEM.begin("basic", OPTIONS, {}))
    dice = Seeded("the real track", b"0")
    while drive.over is None:
        war = drive.state
        german = f"BISMARCK: move {TRACK[war.turn]};" if war.turn in TRACK else "BISMARCK: hold;"
        if war.turn == 4:
            german += f"PRINZ EUGEN: move {TRACK[4]};"
        elif war.turn == 5:
            german += "PRINZ EUGEN: move A15;"
        orders = {BRITISH: HUNT.get(war.turn, "BRITISH: search all;"), GERMAN: german}
        sets = {side: read(war, side, text) for side, text in orders.items()}
        yield drive, war.turn, drive.close(sets, dice)
