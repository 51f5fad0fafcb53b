"""Why something cannot be done, by the rules: raised by rules, told by the referee and checker."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  a player asked for it, the program is well
    """code: a word, `no-route`; rule: its number; text: for the owner of the unit; hint: what he
    could do instead; item: which of the zones or ships named, from 0."""

    def __init__(self, code: str, rule: str, text: str, hint: str = "", item: int = 0) -> None:
        super().__init__(text)
        self.code, self.rule, self.text, self.hint, self.item = code, rule, text, hint, item
