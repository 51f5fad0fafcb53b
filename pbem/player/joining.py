"""Joining by mail: a letter of the moderator, and the player's signed answer.

Each is text for people around one block that mail cannot hurt: canonical JSON in base32 words
of eight, and behind it the signature over that JSON. Bytes: docs/formats.md, "Joining".
"""

from __future__ import annotations

import json
import re
from base64 import b32decode, b32encode
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
from pbem.dice.chains import Purse, first_anchor
from pbem.errors import Usage

NAMESPACE = "setup@pbem"
LETTER, JOIN, REVEAL = "pbem-letter/1", "pbem-join/1", "pbem-reveal/1"
KEYS = "pbem-keys/1"
LARGEST = 64 * 1024
_MARKS = re.compile(rb"[>|]")
_FIELDS = {
    LETTER: ("dice", "game", "moderator", "salt", "scenario", "side", "system"),
    REVEAL: ("game", "link", "lock", "side", "window"),
    JOIN: ("anchor", "game", "key", "letter", "name", "side"),
    KEYS: ("anchor", "game", "key", "old", "proof", "setup", "side", "window"),
}
_MORE = {LETTER: {"mail"}, JOIN: {"age", "recovery"}, KEYS: {"age"}}
"""Fields that may be left out."""


def invitation(facts: Mapping[str, str], key: PrivateKey) -> str:
    """The block of a letter. facts: the fields of a letter but `format`."""
    return _signed("LETTER", {"format": LETTER, **facts}, key)


def answer(
    letter: Mapping[str, str], purse: Purse, name: str, recovery: str = "", age: str = ""
) -> str:
    """The block of an answer: the player's key, and the dice anchor of its chain. recovery: the
    public line of his recovery key; age: what his mail is to be encrypted to instead of his key."""
    facts = {
        "format": JOIN,
        "game": letter["game"],
        "side": letter["side"],
        "letter": digest(letter),
        "key": public_line(purse.key.wire),
        "anchor": first_anchor(
            purse, letter["game"], letter["side"], key_digest(wire_key(letter["moderator"]))
        ),
        "name": name,
        **({"recovery": recovery} if recovery else {}),
        **({"age": age} if age else {}),
    }
    return _signed("JOIN", facts, purse.key)


def read_letter(raw: bytes) -> dict[str, str]:
    """The letter in a mail or file, signed by the moderator it names. Raises Usage."""
    facts, signature = _read(raw, "LETTER", LETTER)
    _check(facts, signature, facts["moderator"], "letter")
    return facts


def is_join(raw: bytes) -> bool:
    """Whether the text holds an answer to a joining letter, however mangled."""
    return b"BEGIN JOIN" in b" ".join(raw.upper().split())


def read_join(raw: bytes) -> dict[str, str]:
    """The answer in a mail or file, signed by the key it names. Raises Usage."""
    facts, signature = _read(raw, "JOIN", JOIN)
    _check(facts, signature, facts["key"], "answer")
    return facts


def read_reveal(raw: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a revealed link and their signature, not verified here. Raises Usage."""
    return _read(raw, "REVEAL", REVEAL)


def read_keys(raw: bytes) -> tuple[dict[str, str], bytes]:
    """The fields of a change of keys and its signature, not verified here. Raises Usage."""
    return _read(raw, "KEYS", KEYS)


def digest(facts: Mapping[str, str]) -> str:
    """What names a letter, in hex."""
    return H("letter", canonical_json(dict(facts))).hex()


def require_anchor(anchor: str) -> str:
    """An anchor as hex, its spaces dropped; empty stays. Raises Usage."""
    packed = "".join(anchor.split()).lower()
    if packed and not re.fullmatch(r"[0-9a-f]{64}", packed):
        raise Usage("a dice anchor is 64 hex digits", "`pbem join` writes it into the answer")
    return packed


def _check(facts: Mapping[str, str], signature: bytes, line: str, what: str) -> None:
    try:
        verify(canonical_json(dict(facts)), signature, NAMESPACE, {wire_key(line): what})
    except BadSignature as error:
        raise Usage(
            f"this {what} is not as it was signed: {error.message}", "ask for it again, unchanged"
        ) from None


def _signed(name: str, facts: Mapping[str, str], key: PrivateKey) -> str:
    return block(name, facts, bare(sign(canonical_json(dict(facts)), key, NAMESPACE)))


def block(name: str, facts: Mapping[str, str], signature: bytes) -> str:
    """`BEGIN name`, the fields as words, `END name`, and the signature."""
    from orders.canon import signature_text

    payload = canonical_json(dict(facts))
    words = b32encode(payload).decode("ascii").rstrip("=").lower()
    groups = [words[i : i + 8] for i in range(0, len(words), 8)]
    lines = [" ".join(groups[i : i + 7]) for i in range(0, len(groups), 7)]
    text = signature_text(signature)
    return "\n".join([f"BEGIN {name}", *lines, f"END {name}", text])


def _read(raw: bytes, name: str, form: str) -> tuple[dict[str, str], bytes]:
    """The fields of the one block called `name` and the signature behind it."""
    if len(raw) > LARGEST:
        raise Usage(f"{len(raw)} bytes are too many for a letter", f"it has {LARGEST} at most")
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


def _whole(facts: Mapping[str, str], form: str) -> bool:
    """Whether the block has its fields, and no others than it may have."""
    needed = {"format", *_FIELDS[form]}
    return needed <= set(facts) <= needed | _MORE.get(form, set())


def _between(words: list[bytes], name: bytes) -> tuple[bytes, list[bytes]]:
    """What stands between BEGIN name and END name, and the words behind it."""
    begin = _after(words, [b"BEGIN", name], 0)
    end = _after(words, [b"END", name], begin)
    return b"".join(words[begin : end - 2]), words[end:]


def _after(words: list[bytes], mark: list[bytes], start: int) -> int:
    """Where the words behind a mark begin, the first from `start`. Raises Usage."""
    for i in range(start, len(words) - 1):
        if words[i : i + 2] == mark:
            return i + 2
    raise _unreadable(mark[1].decode())


def _unpack(packed: bytes) -> bytes:
    try:
        raw = b32decode(packed + b"=" * (-len(packed) % 8))
    except ValueError:
        raise _unreadable("SEAL") from None
    if b32encode(raw).rstrip(b"=") != packed:  # bits that nothing reads must be zero
        raise _unreadable("SEAL")
    return raw


def _unreadable(name: str) -> Usage:
    return Usage(
        f"there is no whole BEGIN {name} ... END {name} with its signature in it",
        "use the mail or file exactly as it came",
    )
