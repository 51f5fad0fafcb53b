"""Read the public bundle of a finished game, and compare each part of it with its ledger.

Bundles are not signed. The ledger in the zip is audited by itself, and every other part has to
agree with it. Bytes: docs/formats.md, "Public bundle".
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
"""Most bytes in one part: a zip of a few kilobytes can unpack to gigabytes."""

Digests = dict[str, dict[str, str]]
"""Window to side to digest of the report that opened it."""


class Bundle(Struct, frozen=True):
    """The content of a bundle."""

    folder: str
    """The name of its only folder."""
    parts: dict[str, bytes]
    """Name in that folder to content."""


def require(holds: bool, code: str, text: str) -> None:
    """Raise BadProof unless `holds` is true."""
    if not holds:
        raise BadProof(code, text)


def is_bundle(path: Path) -> bool:
    """Tell whether a file begins like a zip."""
    with path.open("rb") as file:
        return file.read(4) == b"PK\3\4"


def read(path: Path) -> Bundle:
    """Read a bundle.

    Raises Usage if the file is not a readable bundle, BadProof for a part that is unknown, occurs
    twice or is outside the folder.
    """
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as packed:
            return _unpacked(packed, path)
    except (BadZipFile, OSError, EOFError, RuntimeError, ValueError, zlib.error):
        raise Usage(f"{path} is not a published game", "`pbem publish` makes the .zip") from None


def _unpacked(packed: ZipFile, path: Path) -> Bundle:
    """Unpack a zip into memory, after checking sizes and names in its directory."""
    members = packed.infolist()
    if not any(member.filename.endswith(LEDGER) for member in members):
        raise ValueError("no ledger")
    for member in members:
        if member.file_size > LARGEST:
            size = f"has {member.file_size} bytes, more than any game"
            raise Usage(f"{member.filename} in {path} {size}")
    folder = members[0].filename.partition("/")[0]
    found: dict[str, bytes] = {}
    for member in members:
        name = _name_in(member, folder)
        known = name in (*ALWAYS, DICE, "")
        require(known, "bundle", f"{member.orig_filename!r} does not belong to a bundle")
        require(name not in found, "bundle", f"{name} is in it twice")
        if name:
            found[name] = packed.read(member)
    return Bundle(folder, found)


def _name_in(member: ZipInfo, folder: str) -> str | None:
    """Return a member's name in the folder, empty for the folder itself; None if it is outside.

    Names that `zipfile` had to clean count as outside: other programs might unpack them elsewhere.
    """
    head, slash, name = member.orig_filename.partition("/")
    inside = slash and head == folder and member.orig_filename == member.filename
    return name if inside else None


def check(bundle: Bundle, records: Sequence[Record]) -> None:
    """Raise BadProof, which names the part, unless every part agrees with the ledger."""
    register, parts = fold(records), bundle.parts
    created = register.created
    game, modulus = created.game, created.modulus
    require(
        bundle.folder == game,
        "bundle",
        f"its folder is called {bundle.folder!r}, but its ledger is of the game {game}",
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
        f"{REPORTS} has other report digests than the ledger",
    )
    fits = _is_key(parts[DICE], int(modulus, 16)) if modulus else DICE not in parts
    require(fits, "bundle", f"{DICE} is not the key of the dice in the ledger")


def _is_key(content: bytes, modulus: int) -> bool:
    """Tell whether it is the complete private key of that modulus, so that anybody can use it to
    compute every roll of the game."""
    try:
        version, n, e, d, p, q, dp, dq, inverse = dicekey.numbers(content)
    except Damaged:
        return False
    whole = (version, n, e) == (0, modulus, E) and 1 < p < n and p * q == n and 0 < d < n
    fits = whole and (dp, dq) == (d % (p - 1), d % (q - 1)) and inverse * q % p == 1
    return fits and pow(pow(2, d, n), e, n) == 2  # trial signature: d really belongs to e


def _are_told(content: bytes, records: Iterable[Record]) -> bool:
    """Tell whether the digests are those in the ledger.

    Windows that were taken back may be among them, as in bundles of release 0.1.0.
    """
    told, gone = recorded_reports(records)
    try:
        said = json.loads(content, object_pairs_hook=_once)
        return bool(told.keys() - gone <= said.keys() and said.items() <= told.items())
    except (ValueError, RecursionError, AttributeError, TypeError):
        return False


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object as a dict. Raises ValueError for a duplicate key.

    Programs differ in which of two equal keys they use, so such a file could mean two things.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice")
    return found


def recorded_reports(records: Iterable[Record]) -> tuple[Digests, set[str]]:
    """Return the reports that opened each window, as last recorded, and the void windows.

    Void are windows that were taken back, and those that were played with an earlier edition.
    """
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


def valid_reports(records: Iterable[Record]) -> Digests:
    """Return the reports of all windows that are not void: the content of `reports.json`."""
    told, gone = recorded_reports(records)
    return {window: told[window] for window in told if window not in gone}
