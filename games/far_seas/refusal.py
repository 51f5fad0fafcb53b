"""Why something cannot be done, by the rules: raised by rules, told by the referee and checker."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818  a player asked for it, the program is well
    """code: a word, `not-adjacent`; rule: its clause; text: for the owner of the ship; hint: what
    he could do instead; arg: the argument it is about, empty for the whole order."""

    def __init__(self, code: str, rule: str, text: str, hint: str = "", arg: str = "") -> None:
        super().__init__(text)
        self.code, self.rule, self.text, self.hint, self.arg = code, rule, text, hint, arg
