"""Encrypted orders: what comes in age files is opened with the moderator's age key, and then judged
as anything else is. That it could be opened proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pbem.errors import Usage
from pbem.inbound.arrival import Input, Refusal
from pbem.store import secrets
from pbem.store.game_dir import Game

if TYPE_CHECKING:
    from pbem.crypto.age import Identity
    from pbem.inbound.letter import Leaf, Letter


def opened(game: Game, arrived: Input) -> list[Input]:
    """An input with what is encrypted in it opened, one for each age file that we can open; what
    holds none comes back as it is.

    Raises Refusal when none can be opened: `age-armour`, `not-for-you`, and as `age.decrypt`.
    """
    detached = arrived.detached
    if detached is not None and _may_be_encrypted(detached):
        arrived = replace(arrived, detached=(_all(game, detached) or [detached])[0])
    found = _all(game, arrived.raw) if _may_be_encrypted(arrived.raw) else []
    return [replace(arrived, raw=content, encrypted=True) for content in found] or [arrived]


def _may_be_encrypted(content: bytes) -> bool:
    """Plain orders, which are most, never load what opens age files."""
    return content[:4] == b"age-" or b"ENCRYPTED" in content.upper().replace(b"\0", b"")


def _all(game: Game, content: bytes) -> list[bytes]:
    """Every age file in `content` that can be opened; others beside them are quotations."""
    return _openable(secrets.age_identities(game), content)


def readable(game: Game, letter: Letter) -> Letter:
    """A letter whose encrypted leaves are opened where they hold press; orders stay as they
    came."""
    if not game.register.encrypted:
        return letter
    from pbem.inbound.attachments import is_encrypted

    leaves = tuple(_words_of(game, leaf) if is_encrypted(leaf) else leaf for leaf in letter.leaves)
    return replace(letter, leaves=leaves)


def _words_of(game: Game, leaf: Leaf) -> Leaf:
    try:
        found = b"\n".join(_all(game, leaf.data or leaf.text.encode("utf-8", "replace")))
    except Refusal:
        return leaf
    text = found.decode("utf-8", "replace")
    press = "PRESS" in text.upper() and "BEGIN ORDERS" not in text.upper()
    return replace(leaf, text=text, data=b"") if press else leaf


def keys_in(folder: Path) -> Sequence[Identity]:
    """What opens encrypted mail of the game in `folder`, none in plain games."""
    from pbem.crypto.age import identities

    try:
        return identities((folder / "private" / secrets.AGE_KEY).read_text("ascii"))
    except (OSError, ValueError, Usage):
        return ()


def opens(who: Sequence[Identity], content: bytes) -> bool:
    """Whether one of these keys opens an age file."""
    from pbem.crypto.age import BadAge, decrypt

    try:
        return bool(who) and decrypt(content, who) is not None
    except BadAge:
        return False


def _openable(who: Sequence[Identity], content: bytes) -> list[bytes]:
    from pbem.crypto.age import BadAge, decrypt
    from pbem.crypto.age_armour import files_in

    found: list[bytes] = []
    first: BadAge | None = None
    for one in files_in(content):
        try:
            if isinstance(one, BadAge):
                raise one
            found.append(decrypt(one, who))
        except BadAge as error:
            first = first or error
    if first and not found:
        raise Refusal(first.code, first.message, "send what `pbem sign` writes, unchanged")
    return found
