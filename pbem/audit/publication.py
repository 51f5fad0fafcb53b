"""The public bundle of a finished game: how it is read, and every part of it held against the
ledger.

Nobody signs a bundle. Its ledger is checked by itself; what else lies in the zip has to say the
same as the ledger does. Bytes: docs/formats.md, "Public bundle".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.dice import dicekey
from pbem.dice.provable import BadProof, E
from pbem.errors import Damaged, Usage
from pbem.store.ledger import Record
from pbem.store.records import Closed, Opening, Ruled, Undone
from pbem.store.register import fold

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

LEDGER, SETUP, MODERATOR = "ledger.jsonl", "setup.json", "moderator.pub"
REPORTS, README, DICE = "reports.json", "README.txt", "dice.pem"
ALWAYS = (LEDGER, SETUP, MODERATOR, REPORTS, README)
LARGEST = 1 << 26
"""Bytes of one part: a zip of some kilobytes may claim to hold a gigabyte."""

Digests = dict[str, dict[str, str]]
"""Window to side to digest of the report that opened it."""


class Bundle(Struct, frozen=True):
    """What is in the zip. folder: its one folder; parts: each by its name in there."""

    folder: str
    parts: dict[str, bytes]


def require(holds: bool, code: str, text: str) -> None:
    """Raise BadProof unless it holds."""
    if not holds:
        raise BadProof(code, text)


def is_bundle(path: Path) -> bool:
    """Whether a file begins as a zip does."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\3\4"


def read(path: Path) -> Bundle:
    """The bundle in a file. Raises Usage where it cannot be read, BadProof for what no bundle
    holds: a part that is not known, or there twice, or not in the one folder."""
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as packed:
            return _unpacked(packed, path)
    except (BadZipFile, OSError, EOFError, RuntimeError, ValueError, zlib.error):
        raise Usage(f"{path} is no published game", "`pbem publish` makes the .zip") from None


def _unpacked(packed: ZipFile, path: Path) -> Bundle:
    """The parts of an open zip, once its list of contents is sound."""
    listed = packed.infolist()
    if not any(one.filename.endswith(LEDGER) for one in listed):
        raise ValueError("no ledger")
    for one in listed:
        if one.file_size > LARGEST:
            raise Usage(f"{one.filename} in {path} has {one.file_size} bytes, more than any game")
    folder = listed[0].filename.partition("/")[0]
    found: dict[str, bytes] = {}
    for one in listed:
        name = _name_in(one, folder)
        require(name in (*ALWAYS, DICE, ""), "bundle", f"{one.orig_filename!r} is no part of it")
        require(name not in found, "bundle", f"{name} is in it twice")
        if name:
            found[name] = packed.read(one)
    return Bundle(folder, found)


def _name_in(one: ZipInfo, folder: str) -> str | None:
    """What a member is called in the folder, empty for the folder itself; None elsewhere. Names
    that programs write differently, `..` or backslashes among them, are none that we know."""
    head, slash, name = one.orig_filename.partition("/")
    ours = slash and head == folder and one.orig_filename == one.filename
    return name if ours else None


def check(bundle: Bundle, records: Sequence[Record]) -> None:
    """Raise BadProof, which names the part, unless every part says what the ledger says."""
    register, parts = fold(records), bundle.parts
    created = register.created
    game, modulus = created.game, created.modulus
    require(
        bundle.folder == game,
        "bundle",
        f"its folder is called {bundle.folder!r}, and its ledger is of the game {game}",
    )
    for name in (*ALWAYS, *([DICE] if modulus else [])):
        require(name in parts, "bundle", f"{name} is missing")
    require(
        parts[SETUP] == register.setup.encode(),
        "bundle",
        f"{SETUP} is not the set-up text of the ledger",
    )
    require(
        parts[MODERATOR] == created.moderator.strip().encode() + b"\n",
        "bundle",
        f"{MODERATOR} is not the moderator's key of the ledger",
    )
    require(
        _are_told(parts[REPORTS], records),
        "bundle",
        f"{REPORTS} has other digests of reports than the ledger",
    )
    fits = _is_key(parts[DICE], int(modulus, 16)) if modulus else DICE not in parts
    require(fits, "bundle", f"{DICE} is not the key of the dice in the ledger")


def _is_key(content: bytes, modulus: int) -> bool:
    """Whether it is the whole private key of that modulus: every roll can be made with it."""
    try:
        version, n, e, d, p, q, dp, dq, inverse = dicekey.numbers(content)
    except Damaged:
        return False
    whole = (version, n, e) == (0, modulus, E) and 1 < p < n and p * q == n and 0 < d < n
    short = whole and (dp, dq) == (d % (p - 1), d % (q - 1)) and inverse * q % p == 1
    return short and pow(pow(2, d, n), e, n) == 2


def _are_told(content: bytes, records: Iterable[Record]) -> bool:
    """Whether the digests are those that the ledger records. Windows that were taken back may be
    among them, as in bundles of release 0.1.0."""
    told, gone = told_in(records)
    try:
        said = json.loads(content, object_pairs_hook=_once)
        return bool(told.keys() - gone <= said.keys() and said.items() <= told.items())
    except (ValueError, RecursionError, AttributeError, TypeError):
        return False


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose keys stand in it once. Raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def told_in(records: Iterable[Record]) -> tuple[Digests, set[str]]:
    """The reports that opened each window, as they were recorded last; and the windows that do
    not stand: those that were taken back, and those of an edition before the present one."""
    told: Digests = {}
    gone: set[str] = set()
    opens: dict[int, str] = {}
    for record in records:
        body = record.body
        if isinstance(body, Undone):
            gone |= {opens[window] for window in body.windows}
        if isinstance(body, Ruled) and body.permit:
            gone |= told.keys()
        if isinstance(body, Opening) and body.reports:
            window = str(body.opening)
            told[window] = body.reports
            gone.discard(window)
        if isinstance(body, Closed):
            opens[body.window] = str(body.opens)
    return told, gone


def standing(records: Iterable[Record]) -> Digests:
    """The reports of the windows that stand: what `reports.json` holds."""
    told, gone = told_in(records)
    return {window: told[window] for window in told if window not in gone}
