"""What arrived, and why it may be refused: the two records that the steps of intake hand on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from orders.canon import Unit
from orders.reading import Diagnostic
from pbem.store.holders import Officer

LARGEST = 256 * 1024
"""Bytes of the longest text that is read for orders."""

ARMOUR = ("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----")
"""The first and the last line of a signature that `ssh-keygen -Y sign` writes."""


class Input(Struct, frozen=True):
    """A file, a mail's part, or a text that the moderator enters."""

    name: str
    """What messages call it."""
    raw: bytes
    detached: bytes | None = None
    """The signature file that came with it."""
    side: str = ""
    """Entered by the moderator for that side."""
    bot: bool = False
    """Entered by the referee's bot, for a side that sent nothing."""
    mail: str = ""
    """The name of its mail in the ledger, so that no mail is received twice."""
    arrival: str = ""
    """When the mailbox got it, UTC."""
    claims: str = ""
    """The side whose registered address it came from, which proves nothing."""
    reply: str = ""
    """That address."""
    machine: bool = False
    """Whether a program sent it: only a new valid set, dice link or change of keys is answered (RFC
    3834)."""
    mute: bool = False
    """Whether, apart from what a key has signed, it is answered no more than a program would be:
    its address, which anybody can write, has had the daily limit of replies."""
    flood: bool = False
    """Whether only what a key has signed is judged, because so much else came from its address
    today."""
    answers: int = 0
    """How many replies a side gets a day besides receipts of new valid sets; 0: any number."""
    encrypted: bool = False
    """It came in an age file, which has been decrypted."""
    aside: tuple[bytes, ...] = ()
    """Texts without a signature that came in the same mail and are left out."""
    passed: tuple[Unit, ...] = ()
    """Unsigned blocks that are left out and that the sender wrote: neither quotations nor forms."""


class Refusal(Exception):  # noqa: N818
    """Why a whole set is refused. code: one word; hint: what to do next; by: the officer who
    signed it, as far as that is known; problems: where in the text; guessed: nothing proves `by`,
    a damaged signature only names his key."""

    def __init__(
        self,
        code: str,
        reason: str,
        hint: str,
        by: Officer | None = None,
        problems: Sequence[Diagnostic] = (),
        guessed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.code, self.reason, self.hint, self.by = code, reason, hint, by
        self.problems, self.guessed = list(problems), guessed
