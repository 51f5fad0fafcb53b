"""Find the order texts in a mail. Only the sandboxed child parses mail."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.inbound.arrival import ARMOUR, Input
from pbem.inbound.letter import Leaf, Letter
from pbem.player.joining import is_join

LINE = re.compile(rb"([!-9;-~]{1,76}):|[ \t]|>?From ")
"""How a line of a mail's header begins (RFC 5322, 2.2): with a field name, with a blank where it
continues a field, or with `From ` as in mbox files."""

FIELDS = frozenset(
    b"""from sender reply-to to cc date subject message-id in-reply-to references received
    return-path delivered-to x-original-to envelope-to dkim-signature arc-seal
    authentication-results mime-version content-type content-transfer-encoding
    content-disposition""".split()
)
"""Header fields; every mail has some of them. A file of orders may begin with prose that looks like
a field (`note: here they are`), but hardly like one of these."""

LONGEST_HEAD = 64 * 1024
SIGNED = ("BEGIN SEAL", "BEGIN SSH SIGNATURE")
ENCRYPTED = ("AGE ENCRYPTED FILE", "AGE-ENCRYPTION.ORG/")


def unpack(arrived: Input) -> list[Input]:
    """Return the order texts in a mail, else the first answer to an invitation.

    Anything that is not a mail, or cannot be parsed as one, is returned unchanged and judged by its
    bytes. So is a file with a detached signature, which covers exactly those bytes. Raises Busy.
    """
    if arrived.detached is not None or not is_mail(arrived.raw):
        return [arrived]
    from pbem.inbound.pool import Readers

    with Readers() as readers:
        (letter,) = readers.read([("", arrived.raw)])
    return orders_of(letter, arrived) or _answers(letter, arrived) or [arrived]


def _answers(letter: Letter, arrived: Input) -> list[Input]:
    """Return the first answer to an invitation in a mail, or nothing."""
    found = (_input(leaf, None, arrived) for leaf in letter.leaves)
    return [one for one in found if is_join(one.raw)][:1]


def is_mail(raw: bytes) -> bool:
    """Whether the file begins with the header of a mail: fields in any order, at least one of them
    in FIELDS."""
    for line in raw[:LONGEST_HEAD].removeprefix(BOM_UTF8).lstrip().splitlines():
        found = LINE.match(line)
        if found is None:
            return False
        if found[1] and found[1].lower() in FIELDS:
            return True
    return False


def orders_of(letter: Letter, arrived: Input, quoted: bool = False) -> list[Input]:
    """Return the inputs in a letter, each text once: plain text and files, else HTML.

    A signature file belongs to the file of its name, or to the only file. Beside signed texts,
    unsigned ones are left out (`Input.aside`), as most are quotations. They are also left out of
    delivery reports, and of letters of which only the beginning was read. quoted: with unsigned
    ones that stand in quotations alone.
    """
    candidates = [leaf for leaf in letter.leaves if _may_hold_orders(leaf)]
    leaves = [leaf for leaf in candidates if leaf.kind != "html"] or candidates
    signatures = [leaf for leaf in letter.leaves if is_signature(leaf)]
    found: list[Input] = []
    for leaf in leaves:
        one = _input(leaf, _signature(leaf, leaves, signatures), arrived)
        if all(one.raw != other.raw for other in found):
            found.append(one)
    if signed_inputs := [one for one in found if signed(one)]:
        aside = tuple(one.raw for one in found if not signed(one))
        return [replace(one, aside=aside) for one in signed_inputs]
    if letter.bounces or letter.unreadable:
        return []
    return [one for one in found if quoted or _has_own_orders(one)]


def _has_own_orders(one: Input) -> bool:
    """Whether an unsigned text has orders that its sender wrote.

    An answer to a report usually quotes the report's form, which is not meant as orders. It is
    meant if orders were written into the quotation, or above it in a block of their own.
    """
    own, quoted = "", False
    for line in _said(one).splitlines():
        words = line.lstrip()
        if not words.startswith((">", "|")):
            if quoted and words and "END ORDERS" not in " ".join(words.split()):
                return True  # a line of his own inside a quoted block
            own += f" {words}"
        elif "BEGIN ORDERS" in (marks := " ".join(words.split())) or "END ORDERS" in marks:
            quoted = "BEGIN ORDERS" in marks
    return "BEGIN ORDERS" in " ".join(own.split())


def first_words(letter: Letter) -> str:
    """Return the first line of a mail that is not a quotation, else its subject."""
    for leaf in letter.leaves:
        for line in leaf.text.splitlines():
            words = line.strip()
            if words and not words.startswith((">", "|", "--")):
                return words[:200]
    return letter.subject


def _may_hold_orders(leaf: Leaf) -> bool:
    """Whether a part may hold orders, a revealed link or a change of keys, or is encrypted.

    Only single words are looked for, since mail programs rewrap and quote lines.
    """
    if is_signature(leaf):
        return False
    words = leaf.text.upper()
    if is_encrypted(leaf):
        return True
    return "BEGIN" in words and any(named in words for named in ("ORDERS", "REVEAL", "KEYS"))


def is_signature(leaf: Leaf) -> bool:
    """Whether a file is a detached signature and nothing else, by its name or by what is in it:
    phones and mail programs put `.txt` or `.asc` behind names that they do not know."""
    name, text = leaf.name.lower(), leaf.text.strip()
    if not name or name.endswith((".sig", ".sig.age")):
        return bool(name)
    whole = text.startswith(ARMOUR[0]) and text.endswith(ARMOUR[1])
    return whole and text.count(ARMOUR[0]) == 1


def is_encrypted(leaf: Leaf) -> bool:
    """Whether a part holds an age file, binary or in armour."""
    return leaf.data[:4] == b"age-" or "ENCRYPTED" in leaf.text.upper()


def _signature(leaf: Leaf, leaves: Sequence[Leaf], signatures: Sequence[Leaf]) -> bytes | None:
    """Return the detached signature of a file, None where it has none."""
    files = [one for one in leaves if one.kind == "file"]
    for one in signatures if leaf.kind == "file" else ():
        own = _stem(one.name).removesuffix(".txt") == f"{_stem(leaf.name)}.sig"
        if own or len(files) == len(signatures) == 1:
            return one.data
    return None


def _input(leaf: Leaf, signature: bytes | None, arrived: Input) -> Input:
    """Make the input of a part: the bytes of a file with a detached signature, which covers them,
    and of a binary age file; otherwise the decoded text."""
    whole = signature is not None or leaf.data[:4] == b"age-"
    raw = leaf.data if whole else leaf.text.encode("utf-8", "replace")
    return replace(arrived, name=leaf.name or arrived.name, raw=raw, detached=signature)


def signed(one: Input) -> bool:
    """Whether an input holds a signature or is encrypted, or a signature file came with it."""
    text = " ".join(_said(one).split())
    return one.detached is not None or any(mark in text for mark in (*SIGNED, *ENCRYPTED))


def _said(one: Input) -> str:
    """Return the text of an input in upper case, with the blanks that its sender's program wrote,
    which `split` knows: a no-break space is no other sign."""
    return one.raw.decode("utf-8", "replace").upper()


def _stem(name: str) -> str:
    """Return a file's name in lower case without `.age`, which marks it as encrypted."""
    return name.lower().removesuffix(".age")
