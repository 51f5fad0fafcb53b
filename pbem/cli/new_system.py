"""`pbem new-system`"""

from __future__ import annotations

from pathlib import Path

import click

import games
from pbem.cli.common import as_json, emit


@click.command
@click.argument("name")
@click.option("--title", default="", help="The game's printed name; default: NAME, capitalized.")
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    help="The folder to make; default: NAME, in the current folder.",
)
@as_json
def command(name: str, title: str, folder: Path | None, as_json: bool) -> None:
    """Write a package with a rule system of your own to begin from.

    It is a small whole game: rules, templates, chart, tables, bots and tests, which all pass.
    docs/authors.md leads through it.
    """
    from pbem.skeleton.write import write

    target = folder or Path(name)
    files = write(name, title or name.replace("_", " ").capitalize(), target, games.names())
    facts = {"system": name, "folder": str(target), "files": files}
    emit(facts, _text(name, target, len(files)), as_json)


def _text(name: str, target: Path, count: int) -> str:
    """What was written, and what to try next."""
    return "\n".join(
        [
            f"{target} holds the rule system {name}: {count} files.",
            "",
            "Next, in the environment in which pbem is installed:",
            f"  pip install -e '{target}[test]'",
            f"  pbem demo {name}",
            f"  pbem lint {name}",
            f"  pytest {target}",
        ]
    )
