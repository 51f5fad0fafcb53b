"""`pbem audit`"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec

from pbem.audit import publication
from pbem.audit.auditor import audit, recorded_system
from pbem.audit.findings import PROVES, Audited, Finding, Wrong
from pbem.audit.publication import Bundle
from pbem.cli.common import as_json, emit, game_argument, system_named
from pbem.cli.completion import FILE
from pbem.cli.read import opened
from pbem.dice.provable import BadProof
from pbem.errors import NotFound, Usage
from pbem.model import System
from pbem.store.game_dir import Game, published, unread
from pbem.text.layout import counted


@click.command
@game_argument
@click.argument("more", nargs=-1, metavar="", type=FILE)
@click.option(
    "--held",
    multiple=True,
    metavar="REPORT.json...",
    type=FILE,
    help="Reports and receipts that players kept, to compare; repeatable.",
)
@as_json
@click.pass_context
def command(
    ctx: click.Context, name: str, more: tuple[str, ...], held: tuple[str, ...], as_json: bool
) -> None:
    """Check a game's hash chain, signatures and dice, and replay every window.

    GAME is a game of this home, or the ledger or .zip of a published one. The first record that
    fails is named, and the exit code is 1.
    """
    home: Path = ctx.obj
    if more and not held:
        raise Usage(f"audit checks one game; what is {more[0]}?", "reports come after --held")
    kept = [opened(h) for h in (*held, *more)]
    signatures = {str(facts.get("digest")): signature for facts, signature in kept if signature}
    held_facts = [facts for facts, _ in kept]
    found = Audited()
    try:
        bundle = _bundle(Path(name))
        game = _game(ctx, home, name, bundle)
        found = audit(game, _system_of(game), held_facts, signatures)
        if bundle and found.whole:
            publication.check(bundle, list(game.ledger.records()))
    except Wrong as wrong:  # in the first record
        found.findings.append(wrong.finding)
    except BadProof as bad:  # in a part of the bundle other than the ledger
        found.findings.append(Finding(0, bad.code, bad.message, PROVES[bad.code]))
    emit(msgspec.to_builtins(found) | {"whole": found.whole}, _text(name, found), as_json)
    ctx.exit(0 if found.whole else 1)


def _system_of(game: Game) -> System:
    """Load the game's rule system. Raises Wrong, also if it is not installed."""
    try:
        return system_named(recorded_system(game))
    except NotFound as missing:
        raise Wrong(1, "edition", missing.message, "nothing; install that system") from None


def _bundle(path: Path) -> Bundle | None:
    """Read the file as a bundle; None if it is not a zip. Raises Usage, BadProof."""
    return publication.read(path) if path.is_file() and publication.is_bundle(path) else None


def _game(ctx: click.Context, home: Path, name: str, bundle: Bundle | None) -> Game:
    """Open a bundle, a ledger file, or the game of that name in this home. Raises NotFound."""
    if bundle:
        return published(ctx.with_resource(laid_out(bundle.parts[publication.LEDGER])))
    return published(Path(name)) if Path(name).is_file() else unread(home, name)


@contextmanager
def laid_out(content: bytes) -> Iterator[Path]:
    """Write a ledger to a temporary file while it is needed."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="pbem-audit-") as folder:
        ledger = Path(folder) / publication.LEDGER
        ledger.write_bytes(content)
        yield ledger


def _text(name: str, found: Audited) -> str:
    """Format the result of an audit."""
    counts = ", ".join(
        [
            counted(found.records, "record", "records"),
            counted(found.windows, "window replayed", "windows replayed"),
            counted(found.sets, "signed set", "signed sets"),
            counted(found.rolls, "roll", "rolls"),
        ]
    )
    lines = [f"{name} is whole: {counts}", f"head {found.head}"] if found.whole else []
    for f in found.findings:
        where = f"record {f.record}: " if f.record else ""  # 0: no record, what lies beside them
        lines.append(f"{where}{f.code}: {f.text}\n  it proves: {f.proves}")
    return "\n".join([*lines, *(f"note: {flag}" for flag in found.flags)])
