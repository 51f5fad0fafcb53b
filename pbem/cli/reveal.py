"""`pbem reveal`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, used, write_out
from pbem.cli.completion import FILE


@click.command
@click.argument("lock", metavar="LOCK", type=FILE)
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
@as_json
def command(lock: str, key: Path, out: Path | None, as_json: bool) -> None:
    """Answer the notice of a locked window with your dice link, to be mailed.

    LOCK is the notice: the mail or its lock.json. Only games with strict dice lock windows.
    """
    from pbem.base.hashing import canonical_json
    from pbem.cli.read import whole
    from pbem.cli.unlock import identities, unlocked
    from pbem.dice.chains import DiceChains
    from pbem.turns.strict_dice import read_notice, reveal

    ssh = unlocked(key)
    found = whole(lock, lambda: identities(key, ssh))
    facts = read_notice(canonical_json(found.facts), lock)
    dice_chains = DiceChains(ssh, key.with_name(key.name + ".chain"))
    with used(lock):
        text = reveal(facts, dice_chains)
    if as_json:
        emit({"lock": facts, "reveal": text}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))
