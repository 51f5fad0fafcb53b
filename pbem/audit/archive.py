"""Audit a file: the ledger of a game or its public bundle. An archive is many of them, each of
which is audited by itself, in any process or on any machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.audit import publication
from pbem.audit.auditor import audit, recorded_system
from pbem.audit.findings import PROVES, Audited, Finding, Wrong
from pbem.dice.provable import BadProof
from pbem.errors import NotFound, PbemError, RulesFault, Usage
from pbem.model import Plain, System
from pbem.store.game_dir import Game, published

Load = Callable[[str], System]
"""Loads the system of a name. Raises NotFound."""

HEAD = 64
"""Bytes at the beginning of a file that tell what it is."""
PAGE = b"<"
OTHERS = (PAGE, b'{"anchors":', b'{"pbem-work":')
"""How pages, reports and kept results begin."""
PORTION = 1 << 24
"""Bytes of files that are sent to all workers of a cluster at once."""


class Archive(Struct, frozen=True):
    """The files of an archive; audits the one of a key, in any process."""

    load: Load
    sent: Mapping[str, bytes] = {}
    """Key -> content, for machines that cannot read the file."""

    def __call__(self, key: str) -> object:
        """The audit of that file, as JSON data. Raises nothing: a file that cannot be read is a
        finding."""
        path = Path(key.partition(" ")[2])
        try:
            with _here(path, self.sent.get(key)) as file:
                found = audit_file(file, self.load)
        except PbemError as error:
            found = Audited(findings=[Finding(0, "file", error.message, "nothing; it is no game")])
        return msgspec.to_builtins(found)


def require_game(path: Path) -> None:
    """Raise Usage for a file that is no game for certain: a page, a report, kept results. Whatever
    else is no ledger counts as a damaged one."""
    with path.open("rb") as file:
        head = file.read(HEAD).lstrip()
    if head.startswith(OTHERS):
        raise Usage(
            f"{path} is no game: neither a ledger nor a published bundle",
            f"its bundle lies beside the page: {path.with_suffix('.zip')}"
            if head.startswith(PAGE)
            else "give a ledger.jsonl, or the .zip that `pbem publish` writes beside a replay",
        )


def key_of(path: Path) -> str:
    """The key of a file: a digest of its content, and where it is."""
    return f"{sha256(path.read_bytes()).hexdigest()[:16]} {path}"


def portions(keys: Sequence[str]) -> Iterator[Mapping[str, bytes]]:
    """The files of these keys with their contents, in portions that machines can be sent."""
    portion, size = dict[str, bytes](), 0
    for key in keys:
        content = Path(key.partition(" ")[2]).read_bytes()
        if portion and size + len(content) > PORTION:
            yield portion
            portion, size = {}, 0
        portion[key] = content
        size += len(content)
    if portion:
        yield portion


def audit_file(
    path: Path,
    load: Load,
    held: Sequence[Plain] = (),
    signatures: Mapping[str, bytes] | None = None,
) -> Audited:
    """Check a ledger or a bundle, and every part of a bundle against its ledger.

    held, signatures: as for `audit`. Raises NotFound or Usage if the file is neither.
    """
    found = Audited()
    try:
        bundle = publication.read(path) if publication.is_bundle(path) else None
        ledger = bundle.parts[publication.LEDGER] if bundle else None
        with _here(Path(publication.LEDGER) if bundle else path, ledger) as file:
            game = published(file)
            found = audit(game, _system_of(game, load), held, signatures)
            if bundle and found.whole:
                publication.check(bundle, list(game.ledger.records()))
    except Wrong as wrong:  # in the first record
        found.findings.append(wrong.finding)
    except BadProof as bad:  # in a part of the bundle other than the ledger
        found.findings.append(Finding(0, bad.code, bad.message, PROVES[bad.code]))
    return found


def _system_of(game: Game, load: Load) -> System:
    """Load the game's rule system. Raises Wrong, also if it is not installed."""
    try:
        return load(recorded_system(game))
    except (NotFound, RulesFault) as missing:
        raise Wrong(1, "edition", missing.message, "nothing; install that system") from None


@contextmanager
def _here(path: Path, content: bytes | None) -> Iterator[Path]:
    """The path; or, while it is needed, that of a temporary file of the same name and content."""
    if content is None:
        yield path
        return
    with laid_out(content, path.name) as file:
        yield file


@contextmanager
def laid_out(content: bytes, name: str = publication.LEDGER) -> Iterator[Path]:
    """Write a file into a temporary folder while it is needed."""
    with tempfile.TemporaryDirectory(prefix="pbem-audit-") as folder:
        file = Path(folder) / name
        file.write_bytes(content)
        yield file
