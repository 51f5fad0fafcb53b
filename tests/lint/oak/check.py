"""What is wrong with an order that parses."""

from pbem.kit.checks import Checks, Refused, Seen
from tests.lint.oak.game import GRAMMAR, ZONES, Pounce

CHECKS = Checks(GRAMMAR, Seen)


@CHECKS.on(Pounce, arg="to")
def leap(seen: Seen, order: Pounce) -> None:
    """3.2 Into the wood."""
    if order.to.upper() not in ZONES:
        raise Refused("no-zone", "3.2", f"{order.to} is not in the wood")
