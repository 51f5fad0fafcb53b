"""Damage real files at random, reproducibly by a seed: flipped, lost and doubled bytes, other
encodings, JSON values of another type, missing and doubled keys, huge numbers, deep nesting."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from pbem.base.hashing import H, canonical_json
from tests.trust.corpus import places

Damage = Callable[[bytes, Random], bytes]

VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    10**30,
    -(10**400),
    1.5,
    -0.0,
    1e300,
    "",
    "x",
    "\ud800",
    "\0",
    "é" * 300,
    "A" * 70_000,
    [],
    {},
    [[]],
    [None],
    ["x"],
    {"x": 1},
    {"": {}},
    [0] * 50,
    "2026",
    "9999-99-99T99:99:99Z",
    "ssh-ed25519 AAAA",
    "00",
    "../../x",
    "none",
    "fox",
    "A1",
    "TWIG",
)


def flipped(raw: bytes, luck: Random) -> bytes:
    content = bytearray(raw or b"\0")
    for _ in range(luck.choice((1, 1, 3, 30))):
        content[luck.randrange(len(content))] ^= 1 << luck.randrange(8)
    return bytes(content)


def cut(raw: bytes, luck: Random) -> bytes:
    return raw[: luck.randrange(len(raw) + 1)]


def gone(raw: bytes, luck: Random) -> bytes:
    at = luck.randrange(len(raw) + 1)
    return raw[:at] + raw[at + luck.choice((1, 2, 40, 4000)) :]


def doubled(raw: bytes, luck: Random) -> bytes:
    at = luck.randrange(len(raw) + 1)
    return raw[:at] + raw[max(0, at - luck.choice((1, 40, 4000))) :]


def spliced(raw: bytes, luck: Random) -> bytes:
    at = luck.randrange(len(raw) + 1)
    junk = luck.choice(
        (
            b"\0",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"NaN",
            b"Infinity",
            b"1e999",
            b"9" * 5000,
            b"[" * 5000,
            b'{"a":' * 5000,
            b"\r",
            b"\n\n",
            b"BEGIN ORDERS ",
            b"\x1b[2J",
            b'"',
            b"\\ud800",
            b"-",
        )
    )
    return raw[:at] + junk + raw[at + luck.choice((0, 1, 8)) :]


def coded(raw: bytes, luck: Random) -> bytes:
    how = luck.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500"))
    return raw.decode("latin-1").encode(how)


def whole(raw: bytes, luck: Random) -> bytes:
    return luck.choice(
        (
            b"",
            b"\n",
            b"null",
            b"[]",
            b"{}",
            b"0",
            b'"x"',
            b"NaN",
            b"\0" * 64,
            b"[" * 100_000,
            b"{" + b'"a":{' * 50_000,
            b"PK\3\4",
            b"\xff" * 100,
            raw * 2,
            raw[::-1],
            b"{" + raw,
        )
    )


def digested(document: Any) -> Any:
    """The document with valid digests, as an attacker would compute them."""
    if not isinstance(document, dict):
        return document
    tag = {"pbem-lock/1": "lock-notice", "pbem-receipt/1": "receipt", "pbem-note/1": "note"}
    setup = document.get("setup")
    if isinstance(setup, dict) and isinstance(setup.get("text"), str):
        text = setup["text"].encode("ascii", "replace")
        document["setup"] = {**setup, "digest": H("setup", text).hex()}
    own = {key: value for key, value in document.items() if key != "digest"}
    kind = tag.get(str(document.get("format")), "report")
    return own | {"digest": H(kind, canonical_json(own)).hex()}


def changed(document: Any, luck: Random) -> Any:
    """The document with one value of another type, or one key missing or renamed."""
    document = deepcopy(document)
    steps = [path for path in places(document) if path]
    if not steps:
        return luck.choice(VALUES)
    shallow = [path for path in steps if len(path) <= 2]
    *way, last = luck.choice(luck.choice((steps, shallow)))
    inner = document
    for step in way:
        inner = inner[step]
    how = luck.randrange(8)
    if how == 0 and isinstance(inner, dict):
        del inner[last]
    elif how == 1 and isinstance(inner, dict):
        inner[f"{last}x"] = inner.pop(last)
    elif how == 2 and isinstance(inner[last], str) and inner[last][:1] == "{":
        inner[last] = canonical_json(changed(json.loads(inner[last]), luck)).decode()
    else:
        inner[last] = luck.choice(VALUES)
    return document


def other_values(raw: bytes, luck: Random) -> bytes:
    """Change one or two values of a JSON file; flip bits of any other file."""
    try:
        document = json.loads(raw)
    except ValueError:
        return flipped(raw, luck)
    for _ in range(luck.choice((1, 1, 2))):
        document = changed(document, luck)
    if luck.randrange(4):
        document = digested(document)
    text = json.dumps(document, sort_keys=luck.random() < 0.5)
    if luck.randrange(12) == 0:
        text = text.replace('"', '"game":[],"', 1) if text[:1] == "{" else text
    return text.encode()


def words(raw: bytes, luck: Random) -> bytes:
    """Replace words of a text by others of it."""
    parts = raw.split(b" ")
    for _ in range(luck.choice((1, 2, 9))):
        parts[luck.randrange(len(parts))] = luck.choice(parts)
    return b" ".join(parts)


HOW: tuple[Damage, ...] = (
    flipped,
    cut,
    gone,
    doubled,
    spliced,
    coded,
    whole,
    words,
    other_values,
    other_values,
    other_values,
    other_values,
)


def damaged(raw: bytes, seed: int | str) -> bytes:
    """The file with the damage that `seed` selects."""
    luck = Random(seed)
    return luck.choice(HOW)(raw, luck)
