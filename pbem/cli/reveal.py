"""`pbem reveal`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_bytes, write_out


@click.command
@click.argument("lock", metavar="LOCK")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Where to write; else stdout.")
@as_json
def command(lock: str, key: Path, out: Path | None, as_json: bool) -> None:
    """Answer the notice of a locked window (mail or lock.json) with your dice link."""
    from pbem.chains import Purse
    from pbem.cli.read import attached
    from pbem.cli.sign import unlocked
    from pbem.strict import read_notice, reveal

    raw = read_bytes(lock)
    facts = read_notice(raw if raw[:1] == b"{" else attached(raw).get("lock.json", b""))
    purse = Purse(unlocked(key), key.with_name(key.name + ".chain"))
    text = reveal(facts, purse)
    if as_json:
        emit({"lock": facts, "reveal": text}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))
