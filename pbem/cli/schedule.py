"""`pbem schedule`"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import click

from pbem.admin.commands import schedule
from pbem.admin.invitation import in_words
from pbem.cli.common import as_json, emit, game_argument, local_time
from pbem.store.game_dir import reading, writing
from pbem.text.layout import WIDTH
from pbem.text.messages import phrase
from pbem.turns.schedule import read_rule, show_rule


@click.command
@game_argument
@click.argument("words", nargs=-1, metavar="[RULE]")
@as_json
@click.pass_obj
def command(home: Path, name: str, words: tuple[str, ...], as_json: bool) -> None:
    """Show or set when windows close. RULE is KEY=VALUE words, or `none`: as soon as all orders
    are in. Without RULE nothing changes.

    \b
    every=3d             shortest time that a window is open
    at=20:00 on=mon,thu  time and days of deadlines
    zone=Europe/Berlin   time zone of `at` and `on`
    not-before=DATE      no deadline before this day
    battle=1d quick=6h   time for windows in the middle of a turn
    grace=2h             a window stays open this long after its deadline
    early=30m|off        close this long after the last orders
    nmr=standing|hold|wait|bot|replace
                         what happens to a side without orders
    strikes=3            missed windows that make a seat vacant
    remind=24h|off       when reminders are mailed before the deadline
    absence=2w           longest wait for an absent side

    docs/moderator.md explains each key and its default.
    """
    if words:
        rule = None if words == ("none",) else read_rule(words)
        with writing(home, name) as game:
            deadline = schedule(game, rule)
        text = show_rule(rule) if rule else ""
    else:
        register = reading(home, name).register
        text, deadline = register.mail_state.schedule, register.deadline
    due = f"; due {local_time(deadline)}" if deadline else ""
    plain = in_words(read_rule([text])) if text else phrase("pace_free")
    said = f"{name}: {text or 'no schedule'}{due}\n{fill(plain, WIDTH)}"
    emit({"game": name, "rule": text, "deadline": deadline}, said, as_json)
