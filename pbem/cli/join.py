"""`pbem join`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit, read_bytes, say, write_out


@click.command
@click.argument("letter")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("--name", default="", metavar="N", help="Your name, for the moderator.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Where to write; else stdout.")
@as_json
def command(letter: str, key: Path, name: str, out: Path | None, as_json: bool) -> None:
    """Answer a joining letter with your key and the anchor of its dice chain."""
    from pbem.chains import Purse
    from pbem.cli.sign import unlocked
    from pbem.joining import answer, read_letter
    from pbem.seal import fingerprint, wire_key

    facts = read_letter(read_bytes(letter))
    purse = Purse(unlocked(key), key.with_name(key.name + ".chain"))
    text = answer(facts, purse, name)
    say(f"game {facts['game']} ({facts['system']}, {facts['scenario']}), side {facts['side']}, "
        f"{facts['dice']} dice")  # fmt: skip
    say(f"the moderator's key is {fingerprint(wire_key(facts['moderator']))}; compare it with him")
    if as_json:
        emit({"letter": facts, "answer": text}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))
