"""Judging orders by their sender's report and the public board.

Lines of a programme depend on those before them, so that most are judged when their turn comes;
here is what can never be right.
"""

from __future__ import annotations

from games.atlantic_chase import told
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.told import Seen, ways
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.checks import Checks, Refused

CHECKS = Checks(GRAMMAR, Seen)
CHECKS.note(v.Course)(told.course)
CHECKS.note(v.Search, v.Engage)(told.hunt)
CHECKS.note(v.Signals)(told.signals)
CHECKS.note(v.Complete)(told.complete)
CHECKS.note(v.Pass)(told.passes)
CHECKS.note(v.End)(told.ends)
CHECKS.note(v.Recon)(told.recon)
CHECKS.note(v.Reinforce)(told.reinforce)
CHECKS.note(v.Seize)(told.seize)
CHECKS.note(vb.Use)(told.use)


@CHECKS.on(v.Course, arg="path")
def course(seen: Seen, order: v.Course) -> None:
    """R037, R039 From hex to hex, none twice."""
    near = ways()
    here = order.start
    for at, cell in enumerate(order.path):
        if here and cell != here and cell not in near[here]:
            text = f"{cell} does not touch {here}"
            raise Refused("no-way", "R039", text, "name every hex on the way", item=at)
        if cell in order.path[:at]:
            raise Refused("twice", "R037", f"{cell} stands twice in the course", item=at)
        here = cell


@CHECKS.on(v.Seize)
def seize(seen: Seen, order: v.Seize) -> None:
    """R097 A word or a chance."""
    if order.what and seen.said("least"):
        text = "'seize' takes a word or a chance, not both"
        raise Refused("extra-words", "R097", text, arg="least")
