"""From a mail as it arrived to the inputs it holds. Mail is opened by the guarded child alone."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.gate import Input
from pbem.intake import LARGEST
from pbem.joining import is_join
from pbem.mail.letter import Leaf, Letter, Unreadable

MAIL_HEADERS = (b"from:", b"received:", b"return-path:", b"message-id:", b"date:", b"mime-version:",
                b"delivered-to:", b"from ", b"to:", b"subject:", b"x-original-to:",
                b"dkim-signature:", b"authentication-results:", b"arc-seal:",
                b"content-type:", b"reply-to:")  # fmt: skip
SIGNED = ("BEGIN SEAL", "BEGIN SSH SIGNATURE")
SEALED = ("AGE ENCRYPTED FILE", "AGE-ENCRYPTION.ORG/")


def unpack(arrived: Input) -> list[Input]:
    """The order texts in a mail, else the answer to a joining letter; anything that is no mail,
    or cannot be read as one, comes back as it is, to be judged by its bytes."""
    if len(arrived.raw) > 4 * LARGEST or not is_mail(arrived.raw):
        return [arrived]
    from pbem.mail.guard import Guard

    try:
        with Guard() as guard:
            letter = guard.open(arrived.raw)
    except Unreadable:
        return [arrived]
    return orders_of(letter, arrived) or _answers(letter, arrived) or [arrived]


def _answers(letter: Letter, arrived: Input) -> list[Input]:
    """The first answer to a joining letter in a mail."""
    found = (_input(leaf, None, arrived) for leaf in letter.leaves)
    return [one for one in found if is_join(one.raw)][:1]


def is_mail(raw: bytes) -> bool:
    """Whether the file begins with the headers of a mail."""
    return raw.lstrip()[:40].lower().startswith(MAIL_HEADERS)


def orders_of(letter: Letter, arrived: Input) -> list[Input]:
    """The inputs in a letter, each text once: plain text and files, HTML where they hold none.

    A `.sig` belongs to the file of its name, or to the only file. Beside signed texts, unsigned
    ones are quotations, and left out.
    """
    leaves = [leaf for leaf in letter.leaves if leaf.kind != "html" and _speaks(leaf)]
    leaves = leaves or [leaf for leaf in letter.leaves if leaf.kind == "html" and _speaks(leaf)]
    signatures = [x for x in letter.leaves if x.name.lower().endswith((".sig", ".sig.age"))]
    found: list[Input] = []
    for leaf in leaves:
        one = _input(leaf, _signature(leaf, leaves, signatures), arrived)
        if all(one.raw != other.raw for other in found):
            found.append(one)
    return [one for one in found if signed(one)] or [one for one in found if _meant(one)]


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
    mangled, or it is sealed."""
    if leaf.name.lower().endswith((".sig", ".sig.age")):
        return False
    words = leaf.text.upper()
    if is_sealed(leaf):
        return True
    return "BEGIN" in words and any(named in words for named in ("ORDERS", "REVEAL", "KEYS"))


def is_sealed(leaf: Leaf) -> bool:
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
    return one.detached is not None or any(mark in text for mark in (*SIGNED, *SEALED))


def _stem(name: str) -> str:
    """A file's name without the ending that says it is sealed."""
    return name.lower().removesuffix(".age")
