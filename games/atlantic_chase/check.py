"""Judging orders by their sender's report and the public board.

Lines of a programme depend on those before them, so that most are judged when their turn comes;
here is what can never be right.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from games.atlantic_chase import told, told_hunt
from games.atlantic_chase import verbs as v
from games.atlantic_chase import verbs_advanced as va
from games.atlantic_chase import verbs_battle as vb
from games.atlantic_chase.told import Seen, adjacent, ways
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.checks import Checks, Other, Refused, contrary
from pbem.kit.sorts import Sorts

CHECKS = Checks(GRAMMAR, Seen)
CHECKS.note(*told.PROGRAMME)(told.waits)
CHECKS.note(v.Course)(told.course)
CHECKS.note(v.Strike)(told_hunt.strike)
CHECKS.note(v.Attack)(told_hunt.attack)
CHECKS.note(v.Search, v.Engage)(told_hunt.hunt)
CHECKS.note(v.Signals)(told.signals)
CHECKS.note(v.Complete)(told.complete)
CHECKS.note(v.Pass)(told.passes)
CHECKS.note(v.End)(told.ends)
CHECKS.note(v.Split)(told.split)
CHECKS.note(v.LeavePort)(told.leaves)
CHECKS.note(v.Recon)(told.recon)
CHECKS.note(v.Reinforce)(told_hunt.reinforce)
CHECKS.note(v.Seize)(told.seize)
CHECKS.note(v.Spend)(told.spend)
CHECKS.note(v.Evade)(told.evade)
CHECKS.note(vb.Use)(told.use)


@CHECKS.on()
def in_time(seen: Seen, order: Struct) -> None:
    """R091 The game has so many spells at most."""
    last = int(seen.report["turns"])
    if seen.order.turn is not None and seen.order.turn > last:
        text = f"there is no spell {seen.order.turn}: the game has {last} at most"
        raise Refused("no-spell", "R091", text, told.own_spells(seen))


@CHECKS.on(*told.PROGRAMME)
def own_spell(seen: Seen, order: Struct) -> None:
    """R091, R100 Spells alternate, so that it is known whose a later one is; in the campaign until
    the next operation begins, and there a receipt says so."""
    if told.foreign(seen) and not told.campaign(seen):
        text = f"spell {seen.order.turn} will be the enemy's: a line of a programme is lost in it"
        raise Refused("not-yours", "R091", text, told.own_spells(seen))


FLEETING = {
    "total": "an action that is under way",
    "guns": "a Battle, or an action that is under way",
    "round": "a Battle",
    "enemy near": "a Battle",
}
"""Terms that are known only while something goes on, and in what."""


@CHECKS.on(*told.PROGRAMME, v.Seize, v.Evade)
def knowable(seen: Seen, order: Struct) -> None:
    """R091 What is judged between two actions knows nothing of an action, so that such a condition
    would never hold."""
    when = seen.order.when
    for test in when.tests if when is not None else ():
        for term in (test.left, str(test.right) if test.term else ""):
            if term in FLEETING:
                text = f"'{term}' is known only in {FLEETING[term]}: this never holds"
                hint = "conditions between actions: length of, intel of, station, last result"
                raise Refused("never-known", "R091", text, hint)


def _of_now(seen: Seen) -> bool:
    """Is the order for this operation, whose map is known?"""
    return seen.due or not told.campaign(seen)


@CHECKS.on(v.Course, arg="path")
def course(seen: Seen, order: v.Course) -> None:
    """R037, R039, R017 From hex to hex by open sea, none twice."""
    near = ways()
    here = order.start
    for at, cell in enumerate(order.path):
        if here and cell != here and cell not in near[here]:
            text = f"{cell} does not touch {here}"
            raise Refused("no-way", "R039", text, "name every hex on the way", item=at)
        if here and cell != here and _of_now(seen) and not adjacent(seen, here, cell):
            text = f"the hexside between {here} and {cell} is closed to you in this operation"
            raise Refused("no-way", "R017", text, "go round it", item=at)
        if cell in order.path[:at]:
            raise Refused("twice", "R037", f"{cell} stands twice in the course", item=at)
        here = cell


@CHECKS.on(v.Seize)
def seize(seen: Seen, order: v.Seize) -> None:
    """R097 A word or a chance."""
    if order.what and seen.said("least"):
        text = "'seize' takes a word or a chance, not both"
        raise Refused("extra-words", "R097", text, arg="least")


@CHECKS.on(v.End)
def finish(seen: Seen, order: v.End) -> None:
    """R091 Nobody passes where the side asks for a further set."""
    if order.how == "hold" and order.force:
        raise Refused("extra-words", "R091", "'finish hold' takes no Task Force", arg="force")


WHOM = {
    "signals": "side", "reinforce": "side", "finish": "side", "seize": "side", "evade": "side",
    "spend": "force side", "slip": "force side", "support": "force side", "keep": "force side",
    "lapse": "force side", "skirmish": "force side", "hit": "force side",
    "surprise": "force side", "sequence": "force side", "hinder": "force side",
    "steer": "force side", "confuse": "force side",
    "target": "ship force side", "torpedo": "ship force side", "stance": "ship force side",
    "smoke": "ship force side", "exit": "ship force side", "attitude": "ship force side",
    "divide": "ship force side", "pursue": "ship force side", "screen": "ship force side",
    "repair": "ship force side", "bridge": "ship force side",
    "use": "leader", "transfer": "leader force side",
}  # fmt: skip
"""Verbs of doctrine and of the side as a whole (R134, R138), and the sorts of actors in whose
orders the rules look for them. Other lines of a programme have no row: of one that its actor cannot
carry out the side is told in its turn."""
SORTS = Sorts(
    {
        "side": "the side as a whole",
        "force": "Task Forces",
        "ship": "ships",
        "leader": "leaders",
    },
    WHOM,
)


def sort_of(seen: Seen, name: str) -> str:
    """`side`, or the sort of an own piece; empty for one that is not in play."""
    if name == seen.side.upper():
        return "side"
    piece = seen.piece(name)
    return piece.sort if piece is not None else ""


@CHECKS.on()
def by_sort(seen: Seen, order: Struct) -> None:
    """R086, R097, R099, R134, R138, R186, R254 What sides, forces, ships and leaders decide."""
    meant = SORTS.meant(seen.verb, sort_of(seen, seen.actor))
    if len(meant) > 0:
        raise SORTS.refusal(seen, meant)


@CHECKS.on(vb.Sequence, arg="units")
def in_turn(seen: Seen, order: vb.Sequence) -> None:
    """R197, R223 In which order ships move, and Task Forces of a side perform Time Lapse."""
    whole = seen.actor == seen.side.upper()
    for at, name in enumerate(order.units):
        piece = seen.piece(name)
        sort = piece.sort if piece else "force"
        if sort not in ("ship", "force") or (sort == "force" and not whole):
            text = f"'sequence' to {seen.actor} has no effect on {name}"
            ships = "name ships, or Task Forces in an order to your side"
            raise Refused("no-effect", seen.rule, text, ships, item=at)


@CHECKS.on(vb.Use)
def of_leader(seen: Seen, order: vb.Use) -> None:
    """R254 Powers of leaders, each at what it is for."""
    able = seen.listed(seen.actor, "use", "what")
    if seen.piece(seen.actor) is not None and order.what not in able:
        text = f"{seen.actor} has no power at '{order.what}'"
        hint = f"use {', '.join(able)}" if able else "he is named with 'pass all' or 'recon'"
        raise Refused("no-effect", "R254", text, hint, arg="what")


@CHECKS.on(vb.Exit)
def leaves(seen: Seen, order: vb.Exit) -> None:
    """R202 A side breaks away as a whole; in the advanced Battle ship by ship."""
    piece = seen.piece(seen.actor)
    if piece is None or piece.sort != "ship":
        return
    if "exit" not in [one.verb for one in seen.offers(seen.actor)]:
        text = f"{seen.actor} does not break away alone, but with its Task Force"
        raise Refused("not-alone", "R202", text, f"@{piece.force or seen.side.upper()}: exit")


@CHECKS.on(v.Support)
def support(seen: Seen, order: v.Support) -> None:
    """R163 A word, or forces."""
    if order.what and (order.helper or order.air):
        text = "'support' takes a word or forces, not both"
        raise Refused("extra-words", "R163", text, arg="helper" if order.helper else "air")
    if order.launch and not order.air:
        text = "a Launch hex goes with its source"
        raise Refused("extra-words", "R157", text, "air HATSTON launch I12", arg="launch")


@CHECKS.on(v.Search, v.Engage, v.Strike, v.Attack, v.Support, arg="helper")
def alone(seen: Seen, order: v.Search | v.Engage | v.Strike | v.Attack | v.Support) -> None:
    """R245 Nobody coordinates the own action, or one against itself."""
    if order.helper == seen.actor:
        text = f"{seen.actor} does not coordinate where it acts, or is the target, itself"
        raise Refused("no-helper", "R245", text, "name another with 'with', or leave it out")


@CHECKS.on(v.Reinforce)
def reinforce(seen: Seen, order: v.Reinforce) -> None:
    """R134 A Station that is joined is where it is."""
    if order.into and order.at:
        text = "'reinforce' takes a Task Force or a hex, not both"
        raise Refused("extra-words", "R134", text, arg="at")


@CHECKS.on(v.Spend)
def spend(seen: Seen, order: v.Spend) -> None:
    """R086 Each word with the use that it belongs to."""
    rolled = order.use in ("search", "engage", "strike", "attack")
    whole = order.use in ("seize", "vie") and seen.actor == seen.side.upper()
    if seen.said("total") and not rolled:
        text = f"'spend {order.use}' knows no Trajectory Total"
        raise Refused("extra-words", "R089", text, arg="total")
    if order.force and not whole:
        text = "whose marker is a word for initiative rolls of the side"
        hint = f"@{seen.side.upper()}: spend seize of, spend vie of"
        raise Refused("extra-words", "R086", text, hint, arg="force")
    if order.ship and order.use != "exit":
        text = f"'spend {order.use}' names no ship"
        raise Refused("extra-words", "R204", text, "spend exit ship", arg="ship")


@CHECKS.on(vb.Torpedo)
def torpedo(seen: Seen, order: vb.Torpedo) -> None:
    """R195 A target goes with an attack."""
    if order.what == "hold" and order.ship:
        raise Refused("extra-words", "R195", "'torpedo hold' takes no target", arg="ship")


# Verbs of which an actor may have several lines


@CHECKS.beside(v.Spend, vb.Target, vb.Torpedo, vb.Surprise, vb.Use, va.Pursue, va.Steer, va.Confuse)
def read_at_all(seen: Seen, order: Struct, others: Sequence[Other]) -> None:
    """R091 A line is never read if one above it says all that it could say."""
    for other in others:
        mine = other.actor == seen.actor and other.action.verb == seen.verb
        if mine and other.given != order and (says_all(other.given) or at_odds(order, other.given)):
            raise contrary(seen, other, seen.rule)


def says_all(line: Struct) -> bool:
    """R254, R086, R190 Does a line leave no case to those of its verb below it?"""
    if isinstance(line, vb.Target | va.Pursue):
        return line.what != ""  # there is always somebody whom the word means
    if isinstance(line, vb.Use | va.Confuse):
        return line.what == "never"
    return isinstance(line, v.Spend) and line.use == "never"


def at_odds(line: Struct, above: Struct) -> bool:
    """R195, R171, R254, R086 Do two lines of one verb speak of the same case?"""
    if isinstance(line, vb.Torpedo) and isinstance(above, vb.Torpedo):
        return line.what != above.what
    if isinstance(line, vb.Surprise) and isinstance(above, vb.Surprise):
        return line.ship == above.ship
    if isinstance(line, vb.Use) and isinstance(above, vb.Use):
        return line.what == above.what
    if isinstance(line, v.Spend) and isinstance(above, v.Spend):
        return line.use == above.use and line.force == above.force
    if isinstance(line, va.Steer) and isinstance(above, va.Steer):
        both = line.smoke != "" and above.smoke != ""
        return line.ship == above.ship and (line.way != above.way or both)
    return False
