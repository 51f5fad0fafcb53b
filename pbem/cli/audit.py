"""`pbem audit`"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from pbem.audit import audit, system_said
from pbem.cli.common import as_json, emit, game_argument, system_named
from pbem.cli.read import opened
from pbem.errors import NotFound, Usage
from pbem.findings import Audited, Wrong
from pbem.game import Game, published, unread
from pbem.layout import counted
from pbem.model import System

LEDGER = "ledger.jsonl"
LARGEST = 1 << 26
"""Bytes of a ledger in a bundle: a zip of some kilobytes may claim to hold a gigabyte."""


@click.command
@game_argument
@click.argument("more", nargs=-1, metavar="")
@click.option("--held", multiple=True, metavar="REPORT.json...",
              help="Reports and receipts that players kept; repeatable.")  # fmt: skip
@as_json
@click.pass_context
def command(
    ctx: click.Context, name: str, more: tuple[str, ...], held: tuple[str, ...], as_json: bool
) -> None:
    """Check chain, signatures and dice, and replay every window. Exit 1 with findings.

    GAME: a game of this home, or the ledger or .zip of a published one.
    """
    home: Path = ctx.obj
    if more and not held:
        raise Usage(f"audit takes one game; what is {more[0]}?", "reports follow --held")
    kept = [opened(h) for h in (*held, *more)]
    seals = {str(facts.get("digest")): seal for facts, seal in kept if seal}
    game = _published(ctx, Path(name)) or unread(home, name)
    try:
        found = audit(game, _system_of(game), [facts for facts, _ in kept], seals)
    except Wrong as wrong:  # the first record already
        found = Audited(findings=[wrong.finding])
    emit(msgspec.to_builtins(found) | {"whole": found.whole}, _text(name, found), as_json)
    ctx.exit(0 if found.whole else 1)


def _system_of(game: Game) -> System:
    """The rule system that it is played by. Raises Wrong, also where that is not installed."""
    try:
        return system_named(system_said(game))
    except NotFound as missing:
        raise Wrong(1, "edition", missing.message, "nothing; install what brings it") from None


def _published(ctx: click.Context, path: Path) -> Game | None:
    """The game in a ledger file or in the bundle of `pbem publish`; None when it is no file."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        if file.read(4) != b"PK\3\4":
            return published(path)
    return published(ctx.with_resource(unpacked(path)))


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The ledger out of a bundle, in a folder of its own while it is needed. Raises Usage for a
    file that is no bundle, or one whose ledger would be larger than any game's."""
    import tempfile
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as bundle:
            inside = next(one for one in bundle.infolist() if one.filename.endswith(LEDGER))
            if inside.file_size > LARGEST:
                raise Usage(
                    f"the ledger in {path} has {inside.file_size} bytes, more than any game"
                )
            content = bundle.read(inside)
    except (BadZipFile, StopIteration, OSError, EOFError, RuntimeError, ValueError, zlib.error):
        raise Usage(f"{path} is no published game", "`pbem publish` makes the .zip") from None
    with tempfile.TemporaryDirectory(prefix="pbem-audit-") as folder:
        ledger = Path(folder) / LEDGER
        ledger.write_bytes(content)
        yield ledger


def _text(name: str, found: Audited) -> str:
    counts = ", ".join([
        counted(found.records, "record", "records"),
        counted(found.windows, "window replayed", "windows replayed"),
        counted(found.sets, "signed set", "signed sets"),
        counted(found.rolls, "roll", "rolls"),
    ])  # fmt: skip
    lines = [f"{name} is whole: {counts}", f"head {found.head}"] if found.whole else []
    lines += [
        f"record {f.record}: {f.code}: {f.text}\n  it proves: {f.proves}" for f in found.findings
    ]
    return "\n".join([*lines, *(f"note: {flag}" for flag in found.flags)])
