"""What people write to a club instead of to a game: GAMES, JOIN, STANDBY, LEAVE and CONFIRM.

A wish is a whole subject, or the first line of a mail; anything else stays what it was.
"""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.base.hashing import H, canonical_json
from pbem.errors import Usage
from pbem.inbound.attachments import first_words
from pbem.inbound.letter import Letter
from pbem.player.joining import read_wish

CODE = 16
"""Hex digits of a confirmation code."""
_REPLY = re.compile(r"(?i)\s*(?:(?:re|aw|antw|sv|vs|fwd?|wg|tr|rv)\s*:|\[[^\]]{0,40}\])\s*")
"""What mail programs and lists write before a subject."""
_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,31}"
_WISH = re.compile(rf"(?i)(games|join|standby|leave)\b[:\s]*((?:{_NAME}\s*){{0,2}})[\s.!]*")
_CODE = re.compile(rf"\bCONFIRM\s+([0-9a-f]{{{CODE}}})\b")
_OTHER = ("BEGIN JOIN", "BEGIN ORDERS", "BEGIN LETTER", "BEGIN REVEAL", "BEGIN KEYS", "BEGIN PRESS")
"""Blocks that belong to a game: a mail with one of them is none of the club's."""


class Wish(Struct, frozen=True):
    """What somebody asks of the club."""

    word: str
    """`GAMES`, `JOIN`, `STANDBY`, `LEAVE` or `CONFIRM`."""
    what: tuple[str, ...] = ()
    """The words after it, in lower case: a game, system or tournament, and a side."""
    code: str = ""
    """With CONFIRM: the code of the mail that is answered."""
    email: str = ""
    """The address that a signed wish names; empty without a signature."""
    key: str = ""
    """The public key line that signed it; empty without a signature."""
    name: str = ""
    """The name that a signed wish gives."""
    at: str = ""
    """When it was signed."""
    to: str = ""
    """The address of the club that it is for."""
    digest: str = ""
    """Of all that was signed: two wishes with the same are one that came twice."""
    broken: str = ""
    """Why the signature does not count; empty if it does, or without one."""

    @property
    def text(self) -> str:
        """The wish as its sender wrote it."""
        return " ".join([self.word, *self.what])


def wish_of(letter: Letter) -> Wish | None:
    """Return what a letter asks of the club; None for every other letter."""
    texts = [leaf.text for leaf in letter.leaves]
    words = [" ".join(text.upper().split()) for text in texts]
    if letter.bounces or any(mark in one for one in words for mark in _OTHER):
        return None
    for text, upper in zip(texts, words, strict=True):
        if "BEGIN WISH" in upper:
            return _signed(text)
    if found := _CODE.search(letter.subject) or _CODE.search(first_words(letter)):
        return Wish("CONFIRM", code=found[1])
    subject = letter.subject
    while found := _REPLY.match(subject):
        subject = subject[found.end() :]
    return parsed(subject) or parsed(first_words(letter))


def parsed(line: str) -> Wish | None:
    """Return the wish that a line is; None if it is anything else."""
    found = _WISH.fullmatch(line.strip())
    if not found:
        return None
    word, what = found[1].upper(), tuple(found[2].lower().split())
    if (word == "GAMES") != (not what) and word != "LEAVE":
        return None
    return Wish(word, what)


def _signed(text: str) -> Wish:
    """Return a signed wish; one that cannot be read, or does not verify, says why."""
    try:
        facts = read_wish(text.encode("utf-8", "replace"))
    except Usage as error:
        return Wish("JOIN", broken=error.message)
    found = parsed(facts["wish"])
    if found is None:
        return Wish("JOIN", broken=f"{facts['wish'][:60]!r} is not a wish")
    return Wish(
        found.word,
        found.what,
        email=facts["email"].lower(),
        key=facts["key"],
        name=facts["name"],
        at=facts["at"],
        to=facts["to"],
        digest=H("wish", canonical_json(facts)).hex(),
    )
