"""`pbem wish`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.base.clock import now, stamp
from pbem.base.config import require_address
from pbem.cli.common import as_json, emit, write_out
from pbem.errors import Usage


@click.command
@click.argument("words", nargs=-1, required=True, metavar="WISH")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("--email", required=True, metavar="ADDR", help="Your address, where mail goes.")
@click.option("--to", required=True, metavar="ADDR", help="The club's address.")
@click.option("--name", default="", help="Your name, as others will see it.")
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
@as_json
def command(
    words: tuple[str, ...],
    key: Path,
    email: str,
    to: str,
    name: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Sign a wish to a club: JOIN GAME SIDE, STANDBY SYSTEM or LEAVE. Mail the result to it.

    A wish that is signed with a key with which you have played there counts at once; any other has
    to be confirmed by mail.
    """
    from pbem.cli.unlock import unlocked
    from pbem.inbound.club_words import parsed
    from pbem.player.joining import wish

    text = " ".join(words)
    found = parsed(text)
    if found is None or found.word == "GAMES":
        raise Usage(f"{text!r} is not a wish", "write JOIN GAME SIDE, STANDBY SYSTEM or LEAVE")
    for address in (email, to):
        require_address(address)
    facts = {"at": stamp(now()), "email": email, "name": name, "to": to, "wish": found.text}
    block = wish(facts, unlocked(key)) + "\n"
    if as_json or out is None:
        emit({"wish": block}, block, as_json)
    else:
        write_out(out, block.encode())
