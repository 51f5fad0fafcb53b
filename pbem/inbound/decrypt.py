"""Decrypt mail to the referee with the moderator's age key.

The content is then judged like any other. That it could be decrypted proves nothing, since anybody
can encrypt to a public key.
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
    """Return one input for each age file that can be decrypted; an input without any, unchanged.

    Raises Refusal when there are age files and none can be decrypted: `age-armour`, `not-for-you`,
    and the codes of `age.decrypt`.
    """
    detached = arrived.detached
    if detached is not None and _may_be_encrypted(detached):
        arrived = replace(arrived, detached=(_decrypted(game, detached) or [detached])[0])
    found = _decrypted(game, arrived.raw) if _may_be_encrypted(arrived.raw) else []
    return [replace(arrived, raw=content, encrypted=True) for content in found] or [arrived]


def _may_be_encrypted(content: bytes) -> bool:
    """Whether to look for age files. A cheap test, so that plain orders never load the age module.

    Zero bytes are dropped because the text may be in UTF-16.
    """
    return content[:4] == b"age-" or b"ENCRYPTED" in content.upper().replace(b"\0", b"")


def _decrypted(game: Game, content: bytes) -> list[bytes]:
    """Decrypt every age file in `content` that is for us; others beside them are quotations."""
    return _decrypt_all(secrets.age_identities(game), content)


def readable(game: Game, letter: Letter) -> Letter:
    """Return a letter with its encrypted press decrypted; encrypted orders stay as they came.

    `opened` decrypts orders later, and must see that they came encrypted.
    """
    if not game.register.encrypted:
        return letter
    from pbem.inbound.attachments import is_encrypted

    leaves = tuple(
        _with_press_decrypted(game, leaf) if is_encrypted(leaf) else leaf for leaf in letter.leaves
    )
    return replace(letter, leaves=leaves)


def _with_press_decrypted(game: Game, leaf: Leaf) -> Leaf:
    """Return a part decrypted if it holds press and no orders, else unchanged."""
    try:
        found = b"\n".join(_decrypted(game, leaf.data or leaf.text.encode("utf-8", "replace")))
    except Refusal:
        return leaf
    text = found.decode("utf-8", "replace")
    press = "PRESS" in text.upper() and "BEGIN ORDERS" not in text.upper()
    return replace(leaf, text=text, data=b"") if press else leaf


def keys_in(folder: Path) -> Sequence[Identity]:
    """Return the age keys of the game in `folder`; none if it has no readable key."""
    from pbem.crypto.age import identities

    try:
        return identities((folder / "private" / secrets.AGE_KEY).read_text("ascii"))
    except (OSError, ValueError, Usage):
        return ()


def opens(who: Sequence[Identity], content: bytes) -> bool:
    """Whether one of these keys decrypts an age file."""
    from pbem.crypto.age import BadAge, decrypt

    try:
        return bool(who) and decrypt(content, who) is not None
    except BadAge:
        return False


def _decrypt_all(who: Sequence[Identity], content: bytes) -> list[bytes]:
    """Decrypt the age files in `content`. Raises Refusal with the first fault if none can be."""
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
