"""`pbem standings`"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from pbem.cli.common import as_json, emit
from pbem.cli.completion import system_names
from pbem.errors import NotFound, Usage
from pbem.store.game_dir import LEDGER, games

if TYPE_CHECKING:
    from pbem.club.ratings import Table
    from pbem.club.results import Result


@click.command
@click.argument("system", required=False, shell_complete=system_names)
@click.option("--side", default="", help="Rate play of one side alone.")
@click.option(
    "--of",
    "files",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Count this published game (.zip or ledger) instead of the home's; repeatable.",
)
@click.option(
    "--members",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="The club's members.json: whose keys are whose.",
)
@click.option("--least", default=3, show_default=True, help="Games of a listed player.")
@as_json
@click.pass_obj
def command(
    home: Path,
    system: str | None,
    side: str,
    files: tuple[Path, ...],
    members: Path | None,
    least: int,
    as_json: bool,
) -> None:
    """Rate the players of finished games, from their ledgers alone.

    Anybody who has the published games gets the same ratings: `--of` reads them. Without a list of
    members, players are called by the fingerprints of their keys.
    """
    from pbem.club.ratings import tables

    results = [_published(path) for path in files] if files else _of_home(home)
    names = _names(home, members, bool(files))
    found = [t for t in tables(results, names, least) if t.system == (system or t.system)]
    shown = [t for t in found if t.side == side]
    if system and not shown:
        known = ", ".join(sorted({r.system for r in results})) or "none"
        raise NotFound(f"no finished game of {system} counts", f"systems with results: {known}")
    emit(
        {"games": len(results), "tables": to_builtins(found)},
        "\n\n".join(map(_text, shown)) or "no finished game counts yet",
        as_json,
    )


def _of_home(home: Path) -> list[Result]:
    """Return the results of the finished games of a home."""
    from pbem.club.results import result_in

    found = (result_in(home, name) for name in games(home))
    return [one for one in found if one is not None]


def _published(path: Path) -> Result:
    """Return the result of a published game. Raises Usage."""
    import tempfile

    from pbem.audit import publication
    from pbem.club.results import result_of
    from pbem.store.ledger import Ledger

    if not publication.is_bundle(path):
        found = result_of(Ledger.open(path, lock=False).records())
    else:
        with tempfile.TemporaryDirectory(prefix="pbem-standings-") as folder:
            ledger = Path(folder) / LEDGER
            ledger.write_bytes(publication.read(path).parts[publication.LEDGER])
            found = result_of(Ledger.open(ledger, lock=False).records())
    if found is None:
        raise Usage(f"{path}: the game is not over", "only finished games count")
    return found


def _names(home: Path, members: Path | None, elsewhere: bool) -> Mapping[str, str]:
    """Return fingerprint to name: of the file, else of the home's own club. Raises Usage."""
    if members is not None:
        try:
            return {str(k): str(v) for k, v in json.loads(members.read_bytes())["keys"].items()}
        except (ValueError, KeyError, AttributeError, TypeError):
            raise Usage(f"{members} is no list of members", "see docs/club.md") from None
    if elsewhere:
        return {}
    from pbem.base.config import load
    from pbem.club.members import names_of
    from pbem.club.state import read

    return names_of(read(home, load(home)).state)


def _text(table: Table) -> str:
    """Return a table as text."""
    from pbem.text.layout import ascii_fold
    from pbem.text.layout import table as laid_out

    title = f"{table.system}, {table.side}" if table.side else table.system
    rows: list[Sequence[str]] = [
        [
            str(s.first) if s.first == s.last else f"{s.first}-{s.last}",
            ascii_fold(s.name),
            str(s.rating),
            f"+-{s.likely}",
            str(s.games),
            f"{s.won}-{s.lost}-{s.drawn}",
        ]
        for s in table.listed
    ]
    head = ["Place", "Player", "Rating", "Likely", "Games", "W-L-D"]
    body = laid_out(rows, head) if rows else "nobody has played enough games"
    few = f"\n{table.waiting} with fewer games" if table.waiting else ""
    return f"{title}\n{body}{few}"
