"""`pbem audit`"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from pbem import __version__
from pbem.audit.archive import Archive, audit_file, key_of, portions, require_game
from pbem.audit.findings import Audited
from pbem.cli.common import as_json, emit, game_argument, game_file, system_named
from pbem.cli.completion import FILE
from pbem.cli.read import opened
from pbem.cli.working import place, place_options, watched
from pbem.errors import Usage
from pbem.store.game_dir import unread
from pbem.text.layout import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pbem.bots.work import Done, Place


@click.command
@game_argument
@click.argument("more", nargs=-1, metavar="[GAME...]", type=FILE)
@click.option(
    "--held",
    multiple=True,
    metavar="REPORT.json...",
    type=FILE,
    help="Reports and receipts that players kept, to compare; repeatable.",
)
@place_options(1)
@as_json
@click.pass_context
def command(
    ctx: click.Context,
    name: str,
    more: tuple[str, ...],
    held: tuple[str, ...],
    jobs: int,
    cluster: str,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Check a game's hash chain, signatures and dice, and replay every window.

    GAME is a game of this home, or the ledger or .zip of a published one. The first record that
    fails is named, and the exit code is 1. Several games, such as the files of an archive, are
    checked one by one, in as many processes or on as many machines as you like.
    """
    home: Path = ctx.obj
    several = bool(more) and not held
    if reports := [one for one in more if several and Path(one).suffix == ".json"]:
        raise Usage(f"{reports[0]} is no game", "reports come after --held")
    paths = [_path(home, one) for one in (name, *(more if several else ()))]
    if several or cluster or keep:
        _all(ctx, paths, place(jobs, cluster, keep), as_json)
        return
    require_game(paths[0])
    kept = [opened(h) for h in (*held, *more)]
    signatures = {str(facts.get("digest")): signature for facts, signature in kept if signature}
    found = audit_file(paths[0], system_named, [facts for facts, _ in kept], signatures)
    emit(msgspec.to_builtins(found) | {"whole": found.whole}, _text(name, found), as_json)
    ctx.exit(0 if found.whole else 1)


def _path(home: Path, name: str) -> Path:
    """The bundle or ledger of that name, or the ledger of the game in this home. Raises
    NotFound."""
    return game_file(name) or unread(home, name).ledger.path


def _all(ctx: click.Context, paths: Sequence[Path], where: Place, as_json: bool) -> None:
    """Audit several files, and print what was found in each."""
    from pbem.bots.work import digest

    keys = list(dict.fromkeys(key_of(path) for path in paths))
    given = dict(watched(_worked(keys, where), len(keys), "games"))
    found = {key: msgspec.convert(given[key], Audited) for key in keys}
    whole = all(one.whole for one in found.values())
    games = [
        {"file": key.partition(" ")[2], **msgspec.to_builtins(one), "whole": one.whole}
        for key, one in found.items()
    ]
    lines = []
    for key, one in found.items():
        file = key.partition(" ")[2]
        lines += [*([] if one.whole else [f"{file} is not whole"]), _text(file, one)]
    sound = sum(one.whole for one in found.values())
    lines.append(f"{counted(len(keys), 'game', 'games')}, {sound} whole")
    facts = {"games": games, "whole": whole, "digest": digest(given.items())}
    emit(facts, "\n".join(lines), as_json)
    ctx.exit(0 if whole else 1)


def _worked(keys: Sequence[str], where: Place) -> Iterator[Done]:
    """The audit of each file. Other machines are sent the files, a portion at a time."""
    from pbem.bots.work import carried_out

    named = f"audit {__version__}"
    if not where.cluster:
        yield from carried_out(keys, Archive(system_named), where, named)
        return
    for sent in portions(keys):
        yield from carried_out(list(sent), Archive(system_named, sent), where, named)


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
