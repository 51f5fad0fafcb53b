"""`pbem report`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import Choice, as_json, game_argument, role_option, system_of, write_out
from pbem.cli.completion import sides
from pbem.errors import NotFound, Usage
from pbem.model import Plain
from pbem.outbound.report_mail import found_or_made
from pbem.roles import seat
from pbem.store.game_dir import Game, reading, writing
from pbem.store.records import Looked
from pbem.store.runs import mailed_in

FORMATS = {"text": "report.txt", "html": "report.html", "json": "report.json", "eml": "report.eml"}
PICTURES = ("svg", "png")
PAGE = "page"
REFEREE, SPECTATORS = "referee", "spectators"


@click.command
@game_argument
@click.argument("side", shell_complete=sides(REFEREE, SPECTATORS))
@role_option
@click.option("--turn", type=int, help="The last report of this turn.")
@click.option("--window", type=int, help="The report that opened this window.")
@click.option(
    "--format",
    "form",
    type=Choice([*FORMATS, *PICTURES, PAGE], {"desk": PAGE}),
    default="text",
    show_default=True,
)
@click.option(
    "--theme",
    type=click.Choice(["light", "dark"]),
    default="light",
    help="Colours of an svg or png.",
    show_default=True,
)
@click.option(
    "--detail", is_flag=True, help="Charts: only the important part, enlarged for phones."
)
@click.option("--which", default="", help="Charts: its name, where a report has several.")
@as_json
@click.pass_obj
def command(
    home: Path,
    name: str,
    side: str,
    role: str,
    turn: int | None,
    window: int | None,
    form: str,
    theme: str,
    detail: bool,
    which: str,
    as_json: bool,
) -> None:
    """Show a side's report exactly as it was mailed; by default the newest.

    SIDE may be `spectators`, or `referee` for the truth; the ledger records that the moderator
    looked at the truth.
    """
    form, side = "json" if as_json else form, seat(side, role)
    if turn is not None and window is not None:
        raise Usage("--turn and --window both choose a report", "leave out one of the two")
    if side == REFEREE:
        if turn is not None or window is not None:
            hint = "leave out --turn and --window; `pbem publish` shows the past after the end"
            raise Usage("the referee's report is of the present alone", hint)
        click.echo(_truth(home, name, form), nl=False)
        return
    game = reading(home, name)
    chosen = _newest(game, side, turn) if window is None else window
    chosen = mailed_in(game.register, chosen) if form == "eml" else chosen
    parts = "reports", side, str(chosen), FORMATS.get(form, FORMATS["json"])
    data = game.find("reports", side, str(chosen), FORMATS["json"])
    if side == SPECTATORS and data and form in ("text", "html") and not game.find(*parts):
        write_out(None, _watched(data, form))
        return
    if not (content := found_or_made(game, side, chosen, parts[-1])):
        last = f"the newest opens window {game.register.window}"
        raise NotFound(f"{name} has no report of {side} for window {chosen}", last)
    if form == "html" and data:
        content = _pictured(game, data, content)
    if form in PICTURES:
        content = _picture(game, content, form, theme, detail, which)
    write_out(None, _page(game, content) if form == PAGE else content)


def _watched(report: bytes, form: str) -> bytes:
    """Make the text or page of a spectators' report that nobody was mailed: the site has the data
    alone."""
    from pbem.reports.render import public
    from pbem.reports.report import decode

    text, page = public(decode(report).plain)
    return (text if form == "text" else page).encode()


def _pictured(game: Game, report: bytes, page: bytes) -> bytes:
    """Put the charts into a page that is to be opened in a browser."""
    from pbem.reports.report import decode
    from pbem.turns.report_charts import with_pictures

    return with_pictures(game, system_of(game), decode(report), page)


def _page(game: Game, report: bytes) -> bytes:
    """Make the order page of a stored report; the bytes are always the same."""
    from pbem.outbound.addresses import own_address
    from pbem.reports.report import decode
    from pbem.web.order_page import page

    return page(system_of(game), decode(report), own_address(game))


def _picture(game: Game, report: bytes, form: str, theme: str, detail: bool, which: str) -> bytes:
    """Draw a chart of a stored report; the bytes are always the same. Raises NotFound."""
    from pbem.charts.picture_cache import folders, picture
    from pbem.reports.report import decoded

    system = system_of(game)
    drawn = picture(system, decoded(report), form, theme, detail, folders(game.path()), which)
    if drawn is None:
        raise NotFound(f"{system.title} has no chart", "its reports are text and HTML only")
    return drawn


def _newest(game: Game, side: str, turn: int | None) -> int:
    """Return the newest window, of the whole game or of a turn. Raises NotFound."""
    from pbem.admin.seats import require_seat

    if side != SPECTATORS:
        require_seat(game, side)
    if not game.register.window:
        raise NotFound(f"{game.name} is not open yet", f"see `pbem open {game.name}`")
    if turn is None:
        return game.register.window
    found = [c.opens for c in game.register.closed if c.turn == turn]
    if turn == _turn_of(game, 1, side):
        found.append(1)
    if not found:
        raise NotFound(f"{game.name} has no report of turn {turn}", "see `pbem status`")
    return int(max(found))


def _turn_of(game: Game, window: int, side: str) -> int:
    from pbem.turns.close_window import report_of

    return report_of(game, side, window).turn


def _truth(home: Path, name: str, form: str) -> bytes:
    """Return the present truth for the moderator, and record that he looked. Raises Usage.

    The ledger is published after the game, so players can see when he knew the truth.
    """
    import msgspec

    from pbem.base.hashing import canonical_json
    from pbem.turns.close_window import resume

    if form not in ("text", "json"):
        raise Usage(f"the referee's report cannot be {form}", "choose text or json")
    with writing(home, name) as game:
        system = system_of(game)
        view = system.truth(resume(game, system).state)
        game.commit(Looked(window=game.register.window))
        facts = {
            "game": name,
            "title": system.title,
            "system": system.name,
            "window": game.register.window,
            **msgspec.to_builtins(view),
        }
    if form == "json":
        return canonical_json(facts) + b"\n"
    return _plain(facts).encode("ascii")


def _plain(facts: Plain) -> str:
    """Format the truth in 72 columns: every unit, then the system's own facts."""
    from pbem.text.layout import ascii_lines, wrap

    lines = [f"{facts['title']}  {facts['game']}  {facts['label']}  THE TRUTH", ""]
    for unit in facts["units"]:
        extra = ", ".join(
            f"{k} {v}" for k, v in unit.items() if k not in ("id", "name", "type", "place") and v
        )
        lines.append(
            wrap(f"{unit['name']} ({unit['type']}) {unit['place']}  {extra}", "  ", "    ")
        )
    board = facts["board"] if isinstance(facts["board"], dict) else {}
    lines += [""] if board else []
    for key, value in board.items():
        rows = value if isinstance(value, list) else [value]
        lines += [f"{key}:", *(f"  {row}" for row in rows)]
    return ascii_lines("\n".join(lines)) + "\n"
