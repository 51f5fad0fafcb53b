"""The reason why an order cannot be carried out."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  the player made a mistake, not the program
    """A rule does not permit an order.

    The checker of orders raises it for orders that arrive, the rules when they carry orders out. In
    the second case `text` becomes part of an event and so of reports: the text of a rule must not
    change, or audits of earlier games could not reproduce their reports.
    """

    def __init__(self, code: str, rule: str, text: str, hint: str = "", item: int = 0) -> None:
        """code: a word, `no-route`; rule: its number; text: what is wrong, for the unit's owner;
        hint: what the owner could do; item: the index of the zone or ship that it is about."""
        super().__init__(text)
        self.code, self.rule, self.text, self.hint, self.item = code, rule, text, hint, item
