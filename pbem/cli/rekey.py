"""`pbem rekey`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem.cli.common import as_json, emit, named, read_bytes, read_report, say, used, write_out
from pbem.cli.completion import FILE
from pbem.errors import Usage


@click.command
@click.option(
    "--report", required=True, metavar="REPORT.json", type=FILE, help="Your newest report."
)
@click.option(
    "--new",
    required=True,
    type=click.Path(path_type=Path),
    help="Your new private key.",
)
@click.option("--key", type=click.Path(path_type=Path), help="Your old private key.")
@click.option(
    "--recovery",
    metavar="FILE",
    type=FILE,
    help="Instead of --key: a file with the words of your recovery key; - asks for them.",
)
@click.option(
    "--age",
    "own_age",
    default="",
    metavar="age1...",
    help="Encrypt my mail to this age key, not to the new SSH key.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
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
    """Change your key: write a text to mail, signed by your new key and your old one.

    If you have lost the old key, use the words of the recovery key, which `pbem join` printed.
    """
    from pbem.admin.key_change import change
    from pbem.cli.unlock import unlocked
    from pbem.crypto.recovery import key_of
    from pbem.crypto.sshsig import fingerprint
    from pbem.dice.chains import DiceChains

    if bool(key) == bool(recovery):
        raise Usage("give either your old --key, or --recovery with a file of its words")
    answered = read_report(report)
    with named(recovery or ""):
        old = unlocked(key) if key else key_of(_words(recovery or ""))
    dice_chains = DiceChains(unlocked(new), new.with_name(new.name + ".chain"))
    with used(report):
        text = change(answered, old, dice_chains, own_age)
    what = f"game {answered.game}, side {answered.side}, window {answered.window}"
    name = fingerprint(dice_chains.key.wire)
    say(f"{what}: {name} will be your key once the referee has received this")
    if as_json:
        emit({"keys": text}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))


def _words(file: str) -> str:
    """Read the recovery words from a file; for `-` ask on a terminal."""
    if file == "-" and sys.stdin.isatty():
        asked: str = click.prompt("Words of the recovery key", hide_input=True, err=True)
        return asked
    return read_bytes(file).decode("utf-8-sig", "replace")
