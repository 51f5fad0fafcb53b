"""From a mail as it arrived to the inputs it holds. Mail is opened by the guarded child alone."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.inbound.arrival import Input
from pbem.inbound.letter import Leaf, Letter
from pbem.player.joining import is_join

LINE = re.compile(rb"([!-9;-~]{1,76}):|[ \t]|>?From ")
"""How a line of a mail's header begins (RFC 5322, 2.2): with the name of a field, as the rest of
one, or as mailboxes in one file divide their mails."""

FIELDS = frozenset(
    b"""from sender reply-to to cc date subject message-id in-reply-to references received
    return-path delivered-to x-original-to envelope-to dkim-signature arc-seal
    authentication-results mime-version content-type content-transfer-encoding
    content-disposition""".split()
)
"""Fields of which every mail has some. A file of orders may begin with prose that looks like a
field (`note: here they are`), but hardly like one of these."""

LONGEST_HEAD = 64 * 1024
SIGNED = ("BEGIN SEAL", "BEGIN SSH SIGNATURE")
ENCRYPTED = ("AGE ENCRYPTED FILE", "AGE-ENCRYPTION.ORG/")


def unpack(arrived: Input) -> list[Input]:
    """The order texts in a mail, else the answer to a joining letter; anything that is no mail,
    or cannot be read as one, comes back as it is, to be judged by its bytes. So does a file that a
    signature of its own covers, byte by byte."""
    if arrived.detached is not None or not is_mail(arrived.raw):
        return [arrived]
    from pbem.inbound.pool import Readers

    with Readers() as readers:
        (letter,) = readers.read([("", arrived.raw)])
    return orders_of(letter, arrived) or _answers(letter, arrived) or [arrived]


def _answers(letter: Letter, arrived: Input) -> list[Input]:
    """The first answer to a joining letter in a mail."""
    found = (_input(leaf, None, arrived) for leaf in letter.leaves)
    return [one for one in found if is_join(one.raw)][:1]


def is_mail(raw: bytes) -> bool:
    """Whether the file begins with the header of a mail: fields of any name in any order, one at
    least that mails have."""
    for line in raw[:LONGEST_HEAD].removeprefix(BOM_UTF8).lstrip().splitlines():
        found = LINE.match(line)
        if found is None:
            return False
        if found[1] and found[1].lower() in FIELDS:
            return True
    return False


def orders_of(letter: Letter, arrived: Input) -> list[Input]:
    """The inputs in a letter, each text once: plain text and files, HTML where they hold none.

    A `.sig` belongs to the file of its name, or to the only file. Beside signed texts, unsigned
    ones are quotations, and left out; so they are in delivery reports and where a part alone
    could be read.
    """
    leaves = [leaf for leaf in letter.leaves if leaf.kind != "html" and _speaks(leaf)]
    leaves = leaves or [leaf for leaf in letter.leaves if leaf.kind == "html" and _speaks(leaf)]
    signatures = [x for x in letter.leaves if x.name.lower().endswith((".sig", ".sig.age"))]
    found: list[Input] = []
    for leaf in leaves:
        one = _input(leaf, _signature(leaf, leaves, signatures), arrived)
        if all(one.raw != other.raw for other in found):
            found.append(one)
    if told := [one for one in found if signed(one)]:
        return told
    return [] if letter.bounces or letter.unreadable else [one for one in found if _meant(one)]


def _meant(one: Input) -> bool:
    """Whether an unsigned text is more than a quoted form: whoever answers a report quotes one."""
    lines = one.raw.decode("latin-1").upper().splitlines()
    own = " ".join(line for line in lines if not line.lstrip().startswith((">", "|")))
    return "BEGIN ORDERS" in " ".join(own.split())


def first_words(letter: Letter) -> str:
    """What a person wrote first in a mail: its first line that quotes nothing, else its subject."""
    for leaf in letter.leaves:
        for line in leaf.text.splitlines():
            words = line.strip()
            if words and not words.startswith((">", "|", "--")):
                return words[:200]
    return letter.subject


def _speaks(leaf: Leaf) -> bool:
    """Whether the words of an order file, a revealed link or a change of keys stand in it, however
    mangled, or it is encrypted."""
    if leaf.name.lower().endswith((".sig", ".sig.age")):
        return False
    words = leaf.text.upper()
    if is_encrypted(leaf):
        return True
    return "BEGIN" in words and any(named in words for named in ("ORDERS", "REVEAL", "KEYS"))


def is_encrypted(leaf: Leaf) -> bool:
    """Whether it holds an age file."""
    return leaf.data[:4] == b"age-" or "ENCRYPTED" in leaf.text.upper()


def _signature(leaf: Leaf, leaves: Sequence[Leaf], signatures: Sequence[Leaf]) -> bytes | None:
    files = [one for one in leaves if one.kind == "file"]
    for one in signatures if leaf.kind == "file" else ():
        if _stem(one.name) == f"{_stem(leaf.name)}.sig" or len(files) == len(signatures) == 1:
            return one.data
    return None


def _input(leaf: Leaf, signature: bytes | None, arrived: Input) -> Input:
    """A detached signature covers the file's own bytes; else the text alone counts."""
    whole = signature is not None or leaf.data[:4] == b"age-"
    raw = leaf.data if whole else leaf.text.encode("utf-8", "replace")
    return replace(arrived, name=leaf.name or arrived.name, raw=raw, detached=signature)


def signed(one: Input) -> bool:
    """Whether a signature, or a revealed link, is in it or beside it."""
    text = " ".join(one.raw.decode("latin-1").upper().split())
    return one.detached is not None or any(mark in text for mark in (*SIGNED, *ENCRYPTED))


def _stem(name: str) -> str:
    """A file's name without the ending that says it is encrypted."""
    return name.lower().removesuffix(".age")
