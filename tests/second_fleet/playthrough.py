"""The Gap in words, both sides by orders that a player might write.

One mail a turn, and one for strategic air each morning. A difference means that what players read
has changed. Look at it line by line; `GOLDEN=write` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from games.second_fleet.board import NATO, SIDES, SOVIET
from games.second_fleet.game import SYSTEM
from games.second_fleet.state import War
from orders.model import OrderSet
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing
from pbem.model import Side
from pbem.testing.orders import legal, shown, submitted
from tests.playing import told

GOLDEN = Path(__file__).parent / "playthrough.txt"
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"windows": "turn", "play": "plotted"}
AIR: dict[int, dict[Side, str]] = {
    1: {
        NATO: "USP3A: recon ns sub; UKNIMA: recon ns sub; UKNIMB: coordinate ic;"
        "@NATO: losses weakest; @ANVIL: array cv dd ff;",
        SOVIET: "SOT95FA: recon ic tf tg; SOI38A: recon ns tg; SOT16DA: recon ns cv;",
    },
    4: {
        NATO: "USP3A: recon ic sub; USP3B: recon ns sub; UKNIMA: coordinate ic;"
        "USF15A: intercept ic;",
        SOVIET: "SOT95FA: recon bi cv tf; SOT95FB: recon ic tf; SOI38A: coordinate ic;",
    },
    7: {
        NATO: "USP3A: recon ic sub; UKNIMA: recon ic sub; UKNIMB: recon na sub;",
        SOVIET: "SOT95FA: recon ic tf tg; SOT16DA: recon bi;",
    },
}
"""The strategic windows, by turn."""
TURNS: dict[int, dict[Side, str]] = {
    1: {
        NATO: "NATO: segment air sub surf; UKHARA: cap with UKSKGA range 3; USF15A: cap;"
        "BRASS: attack asw 2424; BRASS: go 2526; ANVIL: go 2830; SCYLA: go 3028;"
        "TFLGR: go 2627; GATO: go 2431; OTUS: go 3027; USP3B: strike asw EN1 tac 1;",
        SOVIET: "SOVIET: segment sub air surf; PPSLV: go 2821; MKALN: go 2919; FDZHR: go 2719;"
        "LNSKY: go 3020; DESNA: go 2617; AMUR: go 2517; MTSKY: move 2425;"
        "MTSKY: attack torpedo EN1;"
        "CCHER: go 2326; SOT26A: strike ssm EN1 with SOT26B at top 1;",
    },
    2: {
        NATO: "NATO: segment surf sub air; UKHARA: cap range 2; BRASS: attack asw EN1;"
        "BRASS: attack asw EN2; ANVIL: go 2729; UKTORA: transfer 1831;"
        "USP3A: strike asw EN1; USP3B: strike asw EN2; TFLGR: attack asw EN2; GATO: go 2430;"
        "if held EN3 then GATO: go EN3;",
        SOVIET: "SOVIET: segment air sub; SOT26A: strike ssm EN1 with SOT26B at dd 2 ff 1;"
        "PPSLV: go 2824; MKALN: go 2921; FDZHR: go 2722; LNSKY: go 3023; DESNA: go 2619;"
        "AMUR: attack ssm EN1; AMUR: go 2519; MTSKY: attack torpedo EN1; CCHER: go 2327;",
    },
    3: {
        NATO: "NATO: segment air surf sub; USF15A: cap; UKHARA: cap with UKSKGA;"
        "ANVIL: attack asw EN3; ANVIL: move 2728; BRASS: go 2528; BRASS: attack asw EN2;"
        "UKNIMB: strike asw EN2 tac 1; GATO: go EN2; GATO: attack torpedo EN2; OTUS: go 2928;",
        SOVIET: "SOVIET: segment sub; PPSLV: go 2827 full; MKALN: go 2924; FDZHR: go 2725;"
        "LNSKY: go 3026; DESNA: go 2621; AMUR: go 2521; MTSKY: go 2427; CCHER: go 2328;",
    },
    4: {
        NATO: "NATO: segment air surf sub; UKHARA: cap; USP3B: strike asw EN1;"
        "ANVIL: attack asw EN1; ANVIL: attack asw EN4; BRASS: go 2529; SCYLA: go 2729;"
        "TFLGR: go EN3; TFLGR: attack asw EN3; OTUS: attack torpedo EN2; GATO: go 2531;",
        SOVIET: "SOVIET: segment air sub; SOT26B: strike ssm EN1 tac 1; PPSLV: go 2630;"
        "PPSLV: attack torpedo EN1; MKALN: go 2927; FDZHR: go 2728; LNSKY: attack torpedo EN2;"
        "LNSKY: go 3028; DESNA: go 2623; AMUR: go 2523; MTSKY: go 2428; CCHER: go 2329;",
    },
    5: {
        NATO: "NATO: segment sub air surf; USP3B: strike asw EN4; ANVIL: go 2730;"
        "ANVIL: attack asw EN4; BRASS: form STEEL with HAWES KNOX; GATO: attack asw EN3;"
        "TFLGR: go 2631; OTUS: go 2930;",
        SOVIET: "SOVIET: segment sub air; PPSLV: go 2433; MKALN: go 2830; FDZHR: go 2731;"
        "LNSKY: go 2930; DESNA: attack ssm EN1; DESNA: go 2625; AMUR: attack ssm EN2;"
        "AMUR: go 2525;"
        "MTSKY: go 2430; CCHER: go 2330; SOT26A: strike ssm EN2 at top 1;",
    },
    6: {
        NATO: "NATO: segment air surf; USP3B: strike asw EN5; UKHARA: cap; ANVIL: go 2731;"
        "BRASS: go 2530; BRASS: attack asw EN5; GATO: go 2433; TFLGR: go 2632;"
        "@NATO: losses damaged;",
        SOVIET: "SOVIET: segment sub; PPSLV: go 2236; MKALN: go 2632; FDZHR: go 2633;"
        "LNSKY: go 2832;"
        "DESNA: go 2627; AMUR: go 2527; MTSKY: go 2431; CCHER: go 2331;",
    },
    7: {
        NATO: "NATO: segment air surf sub; USP3B: strike asw EN6; ANVIL: go 2632;"
        "ANVIL: attack asw EN6;"
        "BRASS: go 2531; GATO: go 2334; GATO: attack torpedo EN5; TFLGR: go 2533;",
        SOVIET: "SOVIET: segment sub air; PPSLV: go 2038; MKALN: go 2435; FDZHR: go 2436;"
        "LNSKY: go 2634; DESNA: go 2629; AMUR: go 2529; MTSKY: go 2432; CCHER: go 2332;"
        "SOT26A: strike ssm EN1 tac 1;",
    },
    8: {
        NATO: "NATO: segment air sub surf; USP3A: strike asw EN6; USP3B: strike asw EN7;"
        "ANVIL: attack asw EN7; GATO: go 2235; TFLGR: attack asw EN7; BRASS: go 2532;",
        SOVIET: "SOVIET: segment sub; MKALN: go 2238; FDZHR: go 2239; LNSKY: go 2437;"
        "DESNA: go 2631;"
        "AMUR: go 2531; MTSKY: go 2433; CCHER: go 2333; DESNA: attack ssm EN1;",
    },
    9: {
        NATO: "NATO: segment air surf sub; USP3A: strike asw EN8; UKNIMB: strike asw EN7;"
        "ANVIL: attack asw EN8; GATO: attack asw EN8; TFLGR: go 2434;",
        SOVIET: "SOVIET: segment sub; DESNA: go 2633; AMUR: go 2533; MTSKY: go 2434;"
        "CCHER: go 2334;"
        "AMUR: attack ssm EN2;",
    },
}
"""Patrols and all three segments, by turn. What is not in force by then is left out."""


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
    drive = Drive.start(SYSTEM, SIDES, OPTIONS, SYSTEM.begin("gap", OPTIONS, {}))
    dice = Seeded("The Gap", b"0")
    while drive.over is None:
        war = drive.state
        turn, stage = war.turn, war.stage
        orders = (AIR if stage == "strategic" else TURNS)[turn]
        sets = {side: _sent(war, side, orders[side]) for side in SIDES}
        yield drive, f"turn {turn}, {stage}", drive.close(sets, dice)


def _sent(war: War, side: Side, text: str) -> OrderSet:
    """The orders of a text that the side may send now."""
    report = shown(SYSTEM, war, side, "gap")
    lines = [f"{line.strip()};" for line in text.split(";") if line.strip()]
    return submitted(SYSTEM, report, "\n".join(legal(SYSTEM, report, lines)))
