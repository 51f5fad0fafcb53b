"""What an audit comes to: findings, what each proves, and flags that a reader must know."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from pbem.admin import rulings
from pbem.store.ledger import BrokenChain
from pbem.store.records import Ruled
from pbem.store.register import Register
from pbem.turns import links


class Finding(Struct, frozen=True):
    """What is wrong. record: the first that fails, 0 for the game; proves: what that shows."""

    record: int
    code: str
    text: str
    proves: str = ""


class Audited(Struct):
    """The result. findings: empty when the game is whole; flags: what a reader must know."""

    records: int = 0
    windows: int = 0
    rolls: int = 0
    sets: int = 0
    head: str = ""
    findings: list[Finding] = []
    flags: list[str] = []

    @property
    def whole(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


PROVES = {
    "malformed": "a paper that no release of this program made",
    "altered-report": "a report was altered after it was sent",
    "forged-report": "a report that the moderator never signed",
    "forged-receipt": "a receipt that the moderator never gave",
    "cut-tail": "the end of the ledger was cut off",
    "fork": "another ledger was shown to one side",
    "bundle": "a bundle whose parts do not belong together",
    "dropped-record": "what was acknowledged was taken out",
    "dice-key": "a dice key whose maker could choose results",
    "bad-link": "dice that could be chosen",
    "link-form": "dice that could be chosen",
    "link": "dice that could be chosen",
    "swapped-link": "dice that could be chosen",
    "forged-lock": "a notice that the moderator never signed",
    "two-locks": "two locks for one window",
    "officer": "a key that nobody was enlisted with",
    "key-form": "a key with which anybody could sign, or nobody",
    "bad-keys": "a key that its player did not change",
    "early-key": "a key that its player did not lose, or had no time to object",
    "one-sided": "something that some were not told of",
    "rolled-twice": "a roll that was made again",
    "altered-roll": "a die that did not fall so",
    "proof": "a die that did not fall so",
    "proof-length": "a die that did not fall so",
    "proof-range": "a second proof of one roll",
}


MOVED = ("it does not follow the record before it",)


class Wrong(Exception):  # noqa: N818
    """The audit ends here, with this finding."""

    def __init__(self, record: int, code: str, text: str, proves: str) -> None:
        super().__init__(text)
        self.finding = Finding(record, code, text, proves)


def chain_broken(error: BrokenChain) -> Finding:
    """What a broken chain is to an audit."""
    with error.path.open("rb") as file:
        file.seek(error.offset)
        line = file.readline()
    try:
        said = int(msgspec.json.decode(line)["n"])
    except (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, ValueError):
        said = 0
    if error.why in MOVED and said > error.n:
        return Finding(
            error.n, "dropped-record", f"record {said} stands in its place", "a record was dropped"
        )
    if error.why in MOVED:
        return Finding(error.n, "moved-record", error.why, "a record was moved or put in")
    return Finding(error.n, "altered-record", error.why, "a record was altered")


REROLLED = "by the moderator without the signed consent of "


def undo_flag(register: Register, record: int, window: int, reopen: bool) -> str:
    """What a reader must know of an undo of `window`: whether it makes dice again that were known,
    of that window or of the one that was open behind it."""
    flag, without = f"record {record}: window {window} undone", ", ".join(register.against(window))
    if reopen and without:
        return f"{flag}, re-rolled {REROLLED}{without}"
    if without and register.protocol > 1 and links.known(register):
        return f"{flag}, and window {register.window} re-rolled, {REROLLED}{without}"
    return flag


def ruling_flag(register: Register, record: int, body: Ruled) -> str:
    """The same of a ruling; one that opens a window gives the open one other dice."""
    flag, without = rulings.audit_flag(record, body), ", ".join(register.against(register.window))
    if body.opens and without and links.known(register):
        flag += f"; window {register.window} re-rolled {REROLLED}{without}"
    return flag
