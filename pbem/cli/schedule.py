"""`pbem schedule`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.admin.commands import schedule
from pbem.cli.common import as_json, emit, game_argument
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule, show_rule


@click.command
@game_argument
@click.argument("words", nargs=-1, required=True, metavar="RULE")
@as_json
@click.pass_obj
def command(home: Path, name: str, words: tuple[str, ...], as_json: bool) -> None:
    """Set when windows close: KEY=VALUE words, or `none` (as soon as all orders are in).

    every=3d at=20:00 on=mon,thu zone=Europe/Berlin grace=2h not-before=2026-12-01
    battle=1d quick=6h early=30m|off nmr=standing|hold|wait|bot|replace remind=24h|off absence=2w

    docs/moderator.md explains each key.
    """
    rule = None if words == ("none",) else read_rule(words)
    with writing(home, name) as game:
        deadline = schedule(game, rule)
    text = show_rule(rule) if rule else ""
    said = f"{name}: {text or 'no schedule'}" + (f"; due {deadline}" if deadline else "")
    emit({"game": name, "rule": text, "deadline": deadline}, said, as_json)
