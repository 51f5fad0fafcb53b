"""The reason why an order cannot be carried out."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  the player made a mistake, not the program
    """A rule does not permit an order.

    The checker of orders raises it for orders that arrive, the rules when they carry orders out. In
    the second case `text` becomes part of an event and so of reports: the text of a rule must not
    change, or audits of earlier games could not reproduce their reports.
    """

    def __init__(self, code: str, rule: str, text: str, hint: str = "", arg: str = "") -> None:
        """code: a word, `not-adjacent`; rule: its clause; text: what is wrong, for the owner;
        hint: what the owner could do; arg: the argument that it is about, empty for the order."""
        super().__init__(text)
        self.code, self.rule, self.text, self.hint, self.arg = code, rule, text, hint, arg
