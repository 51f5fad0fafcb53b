"""Kronan's Flight in words, both sides by orders that a player might write.

The carrier stands off while her aeroplanes and the Vasa meet the Hanseatic ships. A difference
means that what players read has changed. Look at it line by line; `GOLDEN=write` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.baltic.game import SYSTEM
from games.baltic.state import War
from orders.model import OrderSet
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from pbem.model import Side
from pbem.testing.orders import legal, shown, submitted
from tests.playing import told

GOLDEN = Path(__file__).parent / "playthrough.txt"
KALMAR, HANSA = SIDES = (Side("kalmar"), Side("hansa"))
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
PLANNING: dict[int, dict[Side, str]] = {
    1: {
        KALMAR: "KALMAR: bid 2 first; KRONAN: speed crawl; VASA: speed full; SKARGARD: speed full;",
        HANSA: "HANSA: bid 1 last; ADLER: speed full; HOLSTENTOR: speed full; KRANTOR: speed full;",
    },
    2: {
        KALMAR: "KALMAR: bid 1 last; KRONAN: speed stop; SKARGARD: speed flank;",
        HANSA: "HANSA: bid 3 first; HOLSTENTOR: speed flank;",
    },
    3: {
        KALMAR: "KALMAR: bid 3 first; VASA: speed half; SKARGARD: speed full;",
        HANSA: "HANSA: bid 3 first; HOLSTENTOR: speed full;",
    },
    4: {KALMAR: "KALMAR: bid 4 first;", HANSA: "HANSA: bid 2 last; ADLER: speed half;"},
    5: {KALMAR: "KALMAR: bid 1 last; KRONAN: speed crawl;", HANSA: "HANSA: bid 2 first;"},
    6: {KALMAR: "KALMAR: bid 2 first; KRONAN: speed half;", HANSA: "HANSA: bid 4 first;"},
    7: {KALMAR: "KALMAR: bid 3 last;", HANSA: "HANSA: bid 2 last;"},
}
ACTING: dict[int, dict[Side, str]] = {
    0: {
        KALMAR: "KRONAN: deploy 4 24 heading 90; VASA: deploy 11 26 heading 90;"
        "SKARGARD: deploy 10 16 heading 60;",
        HANSA: "ADLER: deploy 61 25 heading 270; HOLSTENTOR: deploy 62 18 heading 270;"
        "KRANTOR: deploy 61 32.5 heading 262.5;",
    },
    1: {
        KALMAR: "KALMAR: stack KRONAN SKARGARD VASA; KRONAN: launch KT1 KF1 KF2;"
        "VASA: move ahead 7; SKARGARD: move ahead 12; KT1: fly 19 26;"
        "KF1: escort KT1; KF2: cap VASA;",
        HANSA: "ADLER: steer VASA; HOLSTENTOR: steer to 40 20; KRANTOR: move port 10 ahead 8;"
        "HF1: fly 55 25; HF2: fly 54 28; HB1: fly 57 22;",
    },
    2: {
        KALMAR: "KRONAN: launch KB1 KB2; VASA: fire A at ADLER within 30; fire all best;"
        "SKARGARD: steer HOLSTENTOR keep 10; fire all nearest; KT1: attack ADLER;"
        "KB1: fly 20 24 35 25; KB1: group KB2; KF1: escort KT1;",
        HANSA: "ADLER: steer VASA; fire all best; HOLSTENTOR: steer to 30 18; fire all nearest;"
        "KRANTOR: steer VASA; fire all best; HF1: attack KF1; HF2: attack KT1; HB1: attack VASA;",
    },
    3: {
        KALMAR: "VASA: move starboard 22.5 ahead 2; fire all at ADLER together; fire all best;"
        "SKARGARD: steer HOLSTENTOR; torpedo TO; fire all nearest; KB1: attack ADLER all;"
        "KB2: attack KRANTOR; KT1: home; @KALMAR: repair fire rudder engine weapon;"
        "@VASA: choose marines bridge rudder;",
        HANSA: "ADLER: move port 20 ahead 5; fire all best; HOLSTENTOR: torpedo TO;"
        "fire all weakest; KRANTOR: move ahead 6 starboard 15; torpedo TO; fire all best;"
        "HB1: attack VASA all; @ADLER: choose bridge marines; @HANSA: repair rudder weapon;",
    },
    4: {
        KALMAR: "VASA: steer ADLER keep 8; fire all best; SKARGARD: force; fire all nearest;"
        "KALMAR: force bombers; KB1: home;",
        HANSA: "ADLER: steer VASA keep 6;"
        "ADLER: if range to VASA under 6 then board VASA 3 else fire all best;"
        "HOLSTENTOR: steer SKARGARD1; fire all nearest; KRANTOR: steer VASA; torpedo TO;"
        "fire all best; HB1: home;",
    },
    5: {
        KALMAR: "VASA: fire all best; KRONAN: move port 30; launch KT1; KT1: attack KRANTOR;",
        HANSA: "ADLER: steer KRONAN; fire all best; HOLSTENTOR: steer KRONAN; fire all best;"
        "KRANTOR: steer KRONAN; torpedo TO; fire all best;",
    },
    6: {
        KALMAR: "VASA: fire all best; KRONAN: fire all nearest; SKARGARD: torpedo TO;",
        HANSA: "ADLER: steer KRONAN; fire all best; HOLSTENTOR: fire all best;"
        "KRANTOR: fire all best;",
    },
    7: {
        KALMAR: "KRONAN: fire all nearest; VASA: fire all nearest;",
        HANSA: "ADLER: fire all best; KRANTOR: hold fire;",
    },
}
"""By turn; what is not ordered steams straight on and fires at the nearest."""


def transcript() -> str:
    """The game in words: what each side was told in every window, and the end."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    for drive, said, closing in windows():
        yield f"== {said}"
        yield from told(SYSTEM, closing, SIDES)
        if drive.over:
            yield f"== {drive.over.result} {drive.over.rule}: {drive.over.why}"


def windows() -> Iterator[tuple[Drive, str, Closing]]:
    """The game after each of its windows, the window that it closed, and what that brought."""
    drive = Drive.start(SYSTEM, SIDES, OPTIONS, SYSTEM.begin("flight", OPTIONS, {}))
    dice = Seeded("Kronan's flight", b"0")
    while drive.over is None:
        war = drive.state
        turn, stage = war.turn, war.stage
        orders = (PLANNING if stage == "planning" else ACTING).get(turn, {})
        sets = {side: _sent(war, side, orders[side]) for side in SIDES if side in orders}
        yield drive, f"turn {turn}, {stage}", drive.close(sets, dice)


def _sent(war: War, side: Side, text: str) -> OrderSet:
    """The orders of a text that the side may send now: ships may be wrecks by then."""
    report = shown(SYSTEM, war, side, "flight")
    return submitted(SYSTEM, report, "\n".join(legal(SYSTEM, report, lines_of(text))))


def lines_of(text: str) -> list[str]:
    """Orders with their actors, one each."""
    found, actor = [], ""
    for part in (part.strip() for part in text.split(";") if part.strip()):
        head, colon, _ = part.partition(":")
        actor = head if colon else actor
        found.append(f"{part};" if colon else f"{actor}: {part};")
    return found
