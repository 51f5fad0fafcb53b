"""`pbem rekey`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, named, read_bytes, read_report, say, used, write_out
from pbem.errors import Usage


@click.command
@click.option("--report", required=True, metavar="REPORT.json", help="Your newest report.")
@click.option(
    "--new",
    required=True,
    type=click.Path(path_type=Path),
    help="The private key that takes the old one's place.",
)
@click.option("--key", type=click.Path(path_type=Path), help="Your private key till now.")
@click.option("--recovery", metavar="FILE", help="Instead: the words of your recovery key; - asks.")
@click.option(
    "--age",
    "own_age",
    default="",
    metavar="age1...",
    help="Encrypt my mail to this age key instead of the new key.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Where to write; else stdout.")
@as_json
def command(
    report: str,
    new: Path,
    key: Path | None,
    recovery: str | None,
    own_age: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Change your key: a text to mail, signed by the new key and by the old one.

    The words of the recovery key, which `pbem join` printed, stand in for a key that is lost.
    """
    from pbem.admin.key_change import change
    from pbem.cli.unlock import unlocked
    from pbem.crypto.recovery import key_of
    from pbem.crypto.sshsig import fingerprint
    from pbem.dice.chains import Purse

    if bool(key) == bool(recovery):
        raise Usage("give your old --key, or --recovery with the words of your recovery key")
    answered = read_report(report)
    with named(recovery or ""):
        old = unlocked(key) if key else key_of(_words(recovery or ""))
    purse = Purse(unlocked(new), new.with_name(new.name + ".chain"))
    with used(report):
        text = change(answered, old, purse, own_age)
    what = f"game {answered.game}, side {answered.side}, window {answered.window}"
    say(f"{what}: {fingerprint(purse.key.wire)} is to sign from now on")
    if as_json:
        emit({"keys": text}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))


def _words(file: str) -> str:
    """The words in a file; asked for on a terminal."""
    if file == "-" and sys.stdin.isatty():
        asked: str = click.prompt("Words of the recovery key", hide_input=True, err=True)
        return asked
    return read_bytes(file).decode("utf-8-sig", "replace")
