"""`pbem tick`"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from pbem.base.clock import now, stamp
from pbem.base.config import Config, load
from pbem.cli.common import as_json, emit, say, system_named
from pbem.cli.completion import game_names
from pbem.errors import NotFound
from pbem.inbound.fetch import CLUB, Fetching, collect
from pbem.inbound.spool import FOLDER, clear, mails_moderator, new_complaints, send_alerts, tell
from pbem.store.game_dir import games
from pbem.text.layout import counted
from pbem.text.messages import fill_note, phrase

if TYPE_CHECKING:
    from pbem.club.quiet import ClubDone
    from pbem.scheduler.dry_run import Forecast
    from pbem.scheduler.tick import TickContext, Ticked


@click.command
@click.argument("names", nargs=-1, metavar="[GAME...]", shell_complete=game_names)
@click.option(
    "--jobs",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of processes that share the games.",
)
@click.option("--dry-run", "dry", is_flag=True, help="Only show what would be done.")
@as_json
@click.pass_context
def command(
    ctx: click.Context, names: tuple[str, ...], jobs: int, dry: bool, as_json: bool
) -> None:
    """For cron: fetch and receive mail, close the windows that are due, send reminders and mail.

    It prints one line on stdout. Problems that need a person go to stderr, which cron mails; a
    problem that lasts is repeated once a day.
    """
    home: Path = ctx.obj
    if not home.is_dir():
        raise NotFound(f"there is no folder {home}", "see --home")
    config = load(home)
    chosen = _chosen(home, names)
    if dry:
        ctx.exit(_foretell(home, config, chosen, as_json))
    began = now()
    fetching = collect(home, config, jobs, _preload)
    from pbem.club.quiet import ClubDone
    from pbem.scheduler.parallel import tick_all
    from pbem.scheduler.tick import TickContext, check_clock

    blocked, outage = check_clock(home, config, fetching.failed)
    context = TickContext(
        home, config, blocked or fetching.backlog, outage, fetching.letters, began
    )
    club = _club_before(context, fetching, chosen)
    ticked = tick_all(context, chosen, system_named, jobs)
    if config.club and (club or any(one.looked for one in ticked)):
        ticked = _club_after(context, club := club or ClubDone(), ticked, jobs)
    _digest(home, config)
    complaints = _complaints(home, context, fetching, ticked, club)
    complaints += _notify(home, config, chosen)
    if not context.blocked:
        clear(home, config)
    if not sys.stderr.isatty():
        complaints = new_complaints(home, complaints, not names)
        troubles = _troubles(context, ticked, club)
        _mail(context, [line for line in complaints if line in troubles])
    for line in complaints:
        say(line)
    emit(_json(fetching, ticked), _line(config, fetching, ticked, club), as_json)
    codes = [t.code for t in ticked] + [4] * bool(context.blocked or (club and club.failed))
    ctx.exit(max(codes, default=0))


def _chosen(home: Path, names: Sequence[str]) -> list[str]:
    """Return the games to tick: those named, else all. Raises NotFound."""
    known = games(home)
    for name in names:
        if name not in known:
            known_here = ", ".join(known) or "none"
            raise NotFound(f"there is no game {name} in {home}", f"games here: {known_here}")
    return list(dict.fromkeys(names)) or known


def _club_before(context: TickContext, fetching: Fetching, names: Sequence[str]) -> ClubDone | None:
    """Read the club's mail; None if the home has no club, or nothing to do for it."""
    from pbem.club.quiet import ClubDone, is_quiet

    if context.config.club is None or (not fetching.wishes and is_quiet(context.home, names)):
        return None
    from pbem.club import steps

    done, letters = ClubDone(), fetching.letters.get(CLUB, {})
    load = partial(steps.before, context.home, context.config, letters, system_named, done)
    steps.guarded(done, load)
    return done


def _club_after(
    context: TickContext, done: ClubDone, ticked: list[Ticked], jobs: int
) -> list[Ticked]:
    """Do the club's work after the games; tick again the games that it changed, whose mail should
    not wait for the next tick. Return the results of all games."""
    from pbem.club import steps
    from pbem.scheduler.parallel import tick_all

    names = sorted(one.game for one in ticked)
    vacant = {one.game: one.vacant for one in ticked if one.looked and not one.error}
    done.opened = []  # what was done before has been ticked since
    seats = {one.game: one.seats for one in ticked if one.seats is not None}
    after = partial(steps.after, context.home, context.config, vacant, seats, system_named, done)
    steps.guarded(done, after)
    if done.opened:
        again = {t.game: t for t in tick_all(context, done.opened, system_named, jobs)}
        ticked = [t for t in ticked if t.game not in again] + list(again.values())
    facts = {t.game: t.facts for t in ticked if t.facts is not None}
    steps.guarded(
        done, partial(steps.publish, context.home, context.config, facts, system_named, done)
    )
    steps.rest(context.home, context.config, names, done)
    return ticked


def _digest(home: Path, config: Config) -> None:
    """Write the moderator's digest if it is due; it leaves with the alerts."""
    if config.digest:
        from pbem.scheduler.digest import send_due

        send_due(home, config)


def _notify(home: Path, config: Config, names: Sequence[str]) -> list[str]:
    """Run the hooks, when all mail has left; return what failed."""
    if not config.notify:
        return []
    from pbem.scheduler.hooks import notify

    return notify(home, config, names)


def _preload() -> None:
    """Import what the tick needs while the processes that read mail start."""
    from pbem.scheduler.parallel import preload

    preload()


def _foretell(home: Path, config: Config, names: Sequence[str], as_json: bool) -> int:
    """Print what a tick would do and change nothing; return the exit code."""
    from pbem.scheduler.dry_run import forecast, in_mailbox
    from pbem.scheduler.tick import TickContext, check_clock

    blocked, outage = check_clock(home, config, "", dry=True)
    context = TickContext(home, config, blocked, outage, {})
    found = forecast(context, names)
    lines = [_would(one) for one in found] or ["no games"]
    box = in_mailbox(config, context)
    emit(
        {"at": stamp(now()), "mailbox": box, "games": msgspec.to_builtins(found)},
        "\n".join([*lines, *([box] if box else [])]),
        as_json,
    )
    return max([one.code for one in found] + [4] * bool(blocked), default=0)


def _would(one: Forecast) -> str:
    """Format one game's forecast in a line."""
    said = [f"window would close: {one.closes}"] if one.closes else []
    said += [f"on hold: {one.holds}"] if one.holds else []
    said += [f"{', '.join(one.reminds)} would be reminded"] if one.reminds else []
    said += [f"{counted(one.letters, 'letter', 'letters')} to receive"] if one.letters else []
    said += [f"{counted(one.sends, 'mail', 'mails')} to send"] if one.sends else []
    said += [f"error: {one.error}"] if one.error else []
    return f"{one.game}: {'; '.join(said) or 'nothing to do'}"


def _troubles(context: TickContext, ticked: Sequence[Ticked], club: ClubDone | None) -> list[str]:
    """Return the problems that keep all games, the club, or one game from going on."""
    lines = [phrase("stands_still", why=context.blocked)] * bool(context.blocked)
    lines += [club.failed] if club and club.failed else []
    return lines + [f"{one.game}: error: {one.error}" for one in ticked if one.error]


def _mail(context: TickContext, lines: Sequence[str]) -> None:
    """Store a mail to the moderator for the next tick: cron's own mail may reach nobody."""
    if lines:
        said = fill_note("needed", lines="\n".join(lines))
        once = f"{stamp(now())} {said.text}"
        tell(context.home, context.config, said.subject, said.text, once=once)


def _complaints(
    home: Path,
    context: TickContext,
    fetching: Fetching,
    ticked: Sequence[Ticked],
    club: ClubDone | None,
) -> list[str]:
    """Send waiting alerts and mails of the club; return the lines that a person should see."""
    from pbem.outbound.transports.registry import transport_of

    transport = transport_of(home, context.config)
    waits = send_alerts(home, context.config, transport)
    if club:
        from pbem.club import steps

        steps.guarded(club, partial(steps.send, home, context.config, transport, club))
    transport.close()
    lines = _troubles(context, ticked, club) + (club.talk if club else [])
    if fetching.no_game and not mails_moderator(context.config):
        kept = counted(fetching.no_game, "mail of no game is", "mails of no game are")
        lines.append(f"{kept} kept in {home / FOLDER / 'unread'}")
    lines += [phrase("strange", path=path) for path in fetching.strange]
    lines += fetching.damaged
    for one in ticked:
        lines += one.talk
    return lines + [f"alerts wait: {waits}"] * bool(waits)


def _json(fetching: Fetching, ticked: Sequence[Ticked]) -> dict[str, object]:
    """Return the tick's result as JSON data; without the internal state of idle games."""
    games: list[dict[str, object]] = msgspec.to_builtins(list(ticked))
    for one in games:
        del one["idle"], one["facts"], one["seats"], one["looked"]
    return {
        "at": stamp(now()),
        "fetched": fetching.fetched,
        "left": fetching.left,
        "strays": fetching.no_game,
        "failed": fetching.failed,
        "games": games,
    }


def _line(
    config: Config, fetching: Fetching, ticked: Sequence[Ticked], club: ClubDone | None
) -> str:
    """Sum up in one line what happened."""
    gone = "sent" if config.sends else "left in the outbox"
    counts: list[tuple[int, *tuple[str, ...]]] = [
        (fetching.fetched, "fetched"),
        (fetching.left, "more waits", "more wait"),
        (fetching.no_game, "of no game"),
        (fetching.wishes, "for the club"),
        (club.answered if club else 0, "answer of the club", "answers of the club"),
        (len(club.opened) if club else 0, "opened"),
        (club.pages if club else 0, "page of the site", "pages of the site"),
        (sum(t.mails for t in ticked), "letter", "letters"),
        (sum(t.dealt.taken for t in ticked), "set in", "sets in"),
        (sum(t.dealt.partly for t in ticked), "of them in part"),
        (sum(t.dealt.joined for t in ticked), "joined"),
        (sum(t.dealt.links for t in ticked), "dice link", "dice links"),
        (sum(t.dealt.keys for t in ticked), "key changed", "keys changed"),
        (sum(t.dealt.refused for t in ticked), "refused"),
        (sum(t.dealt.pressed for t in ticked), "press"),
        (sum(t.dealt.passed + t.dealt.beside for t in ticked), "for the moderator"),
        (sum(t.bounced for t in ticked), "bounced"),
        (sum(t.closed for t in ticked), "window closed", "windows closed"),
        (sum(t.locked for t in ticked), "locked"),
        (sum(t.reminded for t in ticked), "reminded"),
        (sum(t.sent + t.left for t in ticked), gone),
        (sum(t.waiting for t in ticked), "waiting"),
        (sum(bool(t.held) for t in ticked), "held"),
        (sum(bool(t.error) for t in ticked), "BROKEN"),
    ]
    said = ", ".join(counted(n, *words) for n, *words in counts if n) or "nothing to do"
    failed = f"; mail NOT fetched: {fetching.failed}" if fetching.failed else ""
    return f"{stamp(now())} {counted(len(ticked), 'game', 'games')}: {said}{failed}"
