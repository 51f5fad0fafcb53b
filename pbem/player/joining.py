"""Joining letters: the moderator's letter, the player's signed answer, and other signed blocks.

A block is canonical JSON in base32, in words of eight letters, followed by a signature over that
JSON. Words of plain letters survive wrapping, quoting and mail programs that prettify text, so that
people can put other text around the block. Bytes: docs/formats.md, "Joining".
"""

from __future__ import annotations

import json
import re
from base64 import b32decode, b32encode
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping

from pbem.base.hashing import H, canonical_json
from pbem.crypto.sshsig import (
    BadSignature,
    PrivateKey,
    bare,
    key_digest,
    public_line,
    sign,
    verify,
    wire_key,
)
from pbem.dice.chains import DiceChains, first_anchor
from pbem.errors import Usage

NAMESPACE = "setup@pbem"
"""The namespace of the signatures (`ssh-keygen -Y -n`)."""
LETTER, JOIN, REVEAL = "pbem-letter/1", "pbem-join/1", "pbem-reveal/1"
KEYS, WISH = "pbem-keys/1", "pbem-wish/1"
LARGEST = 64 * 1024
"""Bytes from the beginning of a mail or file in which a block is looked for."""
WHOLE_MAIL = 1024 * 1024
"""Bytes of the longest mail that is read; invitations have a page attached."""
_MARKS = re.compile(rb"[>|]")
"""What mail programs write before quoted lines; base32 has neither."""
_FIELDS = {
    LETTER: ("dice", "game", "moderator", "salt", "scenario", "side", "system"),
    REVEAL: ("game", "link", "lock", "side", "window"),
    JOIN: ("anchor", "game", "key", "letter", "name", "side"),
    KEYS: ("anchor", "game", "key", "old", "proof", "setup", "side", "window"),
    WISH: ("at", "email", "key", "name", "to", "wish"),
}
"""The fields that a block must have, besides `format`."""
_MORE = {LETTER: {"mail"}, JOIN: {"age", "recovery"}, KEYS: {"age"}}
"""The fields that it may have."""


def invitation(facts: Mapping[str, str], key: PrivateKey) -> str:
    """The block of a joining letter, signed. facts: its fields, without `format`."""
    return _signed("LETTER", {"format": LETTER, **facts}, key)


def answer(
    letter: Mapping[str, str], dice_chains: DiceChains, name: str, recovery: str = "", age: str = ""
) -> str:
    """The block of an answer: the player's key, and the anchor of its dice chain, signed.

    letter: as `read_letter` returns it. name: the player's name. recovery: the public line of the
    recovery key. age: an age recipient, if mail is to be encrypted to that instead of the key.
    """
    facts = {
        "format": JOIN,
        "game": letter["game"],
        "side": letter["side"],
        "letter": digest(letter),
        "key": public_line(dice_chains.key.wire),
        "anchor": first_anchor(
            dice_chains, letter["game"], letter["side"], key_digest(wire_key(letter["moderator"]))
        ),
        "name": name,
        **({"recovery": recovery} if recovery else {}),
        **({"age": age} if age else {}),
    }
    return _signed("JOIN", facts, dice_chains.key)


def wish(facts: Mapping[str, str], key: PrivateKey) -> str:
    """The block of a wish to a club, signed. facts: its fields, without `format` and `key`."""
    return _signed("WISH", {"format": WISH, "key": public_line(key.wire), **facts}, key)


def read_wish(raw: bytes) -> dict[str, str]:
    """The fields of the wish in a mail or file. Raises Usage if it is missing or damaged, or if
    its signature is not by the key that it names."""
    facts, signature = _read(raw, "WISH", WISH)
    _check(facts, signature, facts["key"], "wish")
    return facts


def read_letter(raw: bytes) -> dict[str, str]:
    """The fields of the letter in a mail or file. Raises Usage if it is missing or damaged, or if
    its signature is not by the moderator that it names."""
    facts, signature = _read(raw, "LETTER", LETTER)
    _check(facts, signature, facts["moderator"], "letter")
    return facts


def is_join(raw: bytes) -> bool:
    """Whether the text seems to contain an answer to a joining letter, damaged or not."""
    return b"BEGIN JOIN" in b" ".join(_as_utf8(raw).upper().split())


def read_join(raw: bytes) -> dict[str, str]:
    """The fields of the answer in a mail or file. Raises Usage if it is missing or damaged, or if
    its signature is not by the key that it names."""
    facts, signature = _read(raw, "JOIN", JOIN)
    _check(facts, signature, facts["key"], "answer")
    return facts


def read_reveal(raw: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a revealed link, and its signature, which the caller must verify. Raises
    Usage."""
    return _read(raw, "REVEAL", REVEAL)


def read_keys(raw: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a change of keys, and its signature, which the caller must verify. Raises
    Usage."""
    return _read(raw, "KEYS", KEYS)


def digest(facts: Mapping[str, str]) -> str:
    """The digest (hex) of a letter, by which an answer names it."""
    return H("letter", canonical_json(dict(facts))).hex()


def require_anchor(anchor: str) -> str:
    """An anchor as 64 hex digits without spaces, or empty if it is empty. Raises Usage."""
    packed = "".join(anchor.split()).lower()
    if packed and not re.fullmatch(r"[0-9a-f]{64}", packed):
        raise Usage("a dice anchor has 64 hex digits", "`pbem join` writes it into the answer")
    return packed


def _check(facts: Mapping[str, str], signature: bytes, line: str, what: str) -> None:
    """Verify a block's signature by the public key in `line`. Raises Usage."""
    try:
        verify(canonical_json(dict(facts)), signature, NAMESPACE, {wire_key(line): what})
    except BadSignature as error:
        raise Usage(
            f"the signature of this {what} does not verify: {error.message}",
            f"ask the sender for the {what} again",
        ) from None


def _signed(name: str, facts: Mapping[str, str], key: PrivateKey) -> str:
    return block(name, facts, bare(sign(canonical_json(dict(facts)), key, NAMESPACE)))


def block(name: str, facts: Mapping[str, str], signature: bytes) -> str:
    """A block as text: `BEGIN name`, the fields as words, `END name`, and the signature."""
    from orders.canon import signature_text

    payload = canonical_json(dict(facts))
    words = b32encode(payload).decode("ascii").rstrip("=").lower()
    groups = [words[i : i + 8] for i in range(0, len(words), 8)]
    lines = [" ".join(groups[i : i + 7]) for i in range(0, len(groups), 7)]
    text = signature_text(signature)
    return "\n".join([f"BEGIN {name}", *lines, f"END {name}", text])


def _read(raw: bytes, name: str, form: str) -> tuple[dict[str, str], bytes]:
    """The fields of the block called `name`, and the signature that follows it. Raises Usage.

    form: the `format` that it must have. The text may be in UTF-16 or have a byte order mark, as
    some editors save it. Line breaks, quote marks and the soft breaks of quoted-printable are
    ignored. The fields must be exactly the bytes that were signed: JSON that
    says the same in another way is refused, so that a signed text has only one form.
    """
    if len(raw) > WHOLE_MAIL:
        raise Usage(
            f"this letter has {len(raw)} bytes, more than {WHOLE_MAIL}",
            "leave out whatever stands around the block",
        )
    raw = _as_utf8(raw[:LARGEST])  # the text of a mail stands before its files
    words = _MARKS.sub(b" ", raw.replace(b"=\r\n", b"").replace(b"=\n", b"")).upper().split()
    body, rest = _between(words, name.encode())
    signature, _ = _between(rest, b"SEAL")
    payload = _unpack(body)
    try:
        facts = json.loads(payload)
        sound = isinstance(facts, dict) and all(isinstance(v, str) for v in facts.values())
    except (ValueError, RecursionError):
        sound = False
    if not sound or facts.get("format") != form or not _whole(facts, form):
        raise _unreadable(name)
    if canonical_json(facts) != payload:
        raise _unreadable(name)
    return facts, _unpack(signature)


def _as_utf8(raw: bytes) -> bytes:
    """A text as UTF-8 without a byte order mark."""
    if raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return raw.decode("utf-16", "replace").encode("utf-8", "replace")
    return raw.removeprefix(BOM_UTF8)


def _whole(facts: Mapping[str, str], form: str) -> bool:
    """Whether the block has all fields that it must have, and only fields that it may have."""
    needed = {"format", *_FIELDS[form]}
    return needed <= set(facts) <= needed | _MORE.get(form, set())


def _between(words: list[bytes], name: bytes) -> tuple[bytes, list[bytes]]:
    """The words between BEGIN name and END name, joined, and the list of words after that."""
    begin = _after(words, [b"BEGIN", name], 0)
    end = _after(words, [b"END", name], begin)
    return b"".join(words[begin : end - 2]), words[end:]


def _after(words: list[bytes], mark: list[bytes], start: int) -> int:
    """The index of the word after the first `mark` from `start` on. Raises Usage."""
    for i in range(start, len(words) - 1):
        if words[i : i + 2] == mark:
            return i + 2
    raise _unreadable(mark[1].decode())


def _unpack(packed: bytes) -> bytes:
    """The bytes of base32 without padding. Raises Usage."""
    try:
        raw = b32decode(packed + b"=" * (-len(packed) % 8))
    except ValueError:
        raise _unreadable("SEAL") from None
    if b32encode(raw).rstrip(b"=") != packed:  # unused bits must be 0, so that there is one form
        raise _unreadable("SEAL")
    return raw


def _unreadable(name: str) -> Usage:
    return Usage(
        f"no complete block BEGIN {name} ... END {name} with its signature found",
        "use the mail or file exactly as it came",
    )
