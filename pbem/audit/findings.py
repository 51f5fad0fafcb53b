"""The result of an audit: findings, what each proves, and remarks that readers should know."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from pbem.admin import rulings
from pbem.store.ledger import BrokenChain
from pbem.store.records import Ruled
from pbem.store.register import Register
from pbem.turns import links


class Finding(Struct, frozen=True):
    """Something that is wrong in a game."""

    record: int
    """The first record that fails; 0 for the game as a whole."""
    code: str
    """The kind of finding, as in docs/trust.md."""
    text: str
    """What is wrong, in words."""
    proves: str = ""
    """What somebody must have done."""


class Audited(Struct):
    """The result of an audit; the keys of `pbem audit --json`."""

    records: int = 0
    """Number of records that passed."""
    windows: int = 0
    """Number of windows replayed."""
    rolls: int = 0
    """Number of rolls checked."""
    sets: int = 0
    """Number of order sets checked."""
    head: str = ""
    """Hash of the last record that passed."""
    findings: list[Finding] = []
    """Empty if nothing is wrong."""
    flags: list[str] = []
    """What the moderator was entitled to do, but readers should know: rulings, undone windows."""

    @property
    def whole(self) -> bool:
        """Whether there are no findings."""
        return not self.findings


PROVES = {
    "malformed": "a file that no release of this program made",
    "altered-report": "a report was altered after it was sent",
    "forged-report": "a report that the moderator never signed",
    "forged-receipt": "a receipt that the moderator never signed",
    "cut-tail": "the end of the ledger was cut off",
    "fork": "another ledger was shown to one side",
    "bundle": "a bundle whose parts do not belong together",
    "dropped-record": "something that was acknowledged was removed",
    "dice-key": "a dice key with which the moderator could choose results",
    "bad-link": "dice that could be chosen",
    "link-form": "dice that could be chosen",
    "link": "dice that could be chosen",
    "swapped-link": "dice that could be chosen",
    "forged-lock": "a notice that the moderator never signed",
    "two-locks": "two locks for one window",
    "officer": "a key that was not registered for this officer",
    "key-form": "a key with which anybody, or nobody, could sign",
    "bad-keys": "a change of keys that the player did not sign",
    "early-key": "a key replaced although its player objected, or had no time to object",
    "one-sided": "something that some sides were not told",
    "rolled-twice": "a roll that was made again",
    "altered-roll": "a roll with another result than its proof gives",
    "proof": "a roll with another result than its proof gives",
    "proof-length": "a roll with another result than its proof gives",
    "proof-range": "a second proof of one roll",
}
"""Code of a failed proof to what it proves."""

MOVED = ("it does not follow the record before it",)


class Wrong(Exception):  # noqa: N818
    """Ends the audit with a finding."""

    def __init__(self, record: int, code: str, text: str, proves: str) -> None:
        super().__init__(text)
        self.finding = Finding(record, code, text, proves)


def chain_broken(error: BrokenChain) -> Finding:
    """Return the finding for a broken hash chain: a record dropped, moved or altered.

    A line that does not follow the record before it is taken for a gap if its number is too high,
    otherwise for a record that was moved or inserted.
    """
    with error.path.open("rb") as file:
        file.seek(error.offset)
        line = file.readline()
    try:
        said = int(msgspec.json.decode(line)["n"])
    except (msgspec.DecodeError, LookupError, TypeError, ValueError, RecursionError):
        said = 0
    if error.why in MOVED and said > error.n:
        return Finding(
            error.n, "dropped-record", f"record {said} is in its place", "a record was removed"
        )
    if error.why in MOVED:
        return Finding(error.n, "moved-record", error.why, "a record was moved or inserted")
    return Finding(error.n, "altered-record", error.why, "a record was altered")


REROLLED = "by the moderator without the signed consent of "


def undo_flag(register: Register, record: int, window: int, reopen: bool) -> str:
    """Return the remark about an undo of `window`: does it re-roll dice that were already known?

    This may concern the dice of that window, and of the window that was open after it.
    """
    flag, without = f"record {record}: window {window} undone", ", ".join(register.against(window))
    if reopen and without:
        return f"{flag}, re-rolled {REROLLED}{without}"
    if without and register.protocol > 1 and links.known(register):
        return f"{flag}, and window {register.window} re-rolled, {REROLLED}{without}"
    return flag


def ruling_flag(register: Register, record: int, body: Ruled) -> str:
    """Return the remark about a ruling: if it opens a window, that window has other dice than the
    one it replaces."""
    flag, without = rulings.audit_flag(record, body), ", ".join(register.against(register.window))
    if body.opens and without and links.known(register):
        flag += f"; window {register.window} re-rolled {REROLLED}{without}"
    return flag
