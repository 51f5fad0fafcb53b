"""`pbem keygen`"""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import as_json, emit
from pbem.errors import Usage


@click.command
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("pbem.key"),
    show_default=True,
    help="The private key's file; the public key goes to FILE.pub.",
)
@click.option(
    "--recovery", is_flag=True, help="Make a recovery key: print its words, write only FILE.pub."
)
@as_json
def command(out: Path, recovery: bool, as_json: bool) -> None:
    """Make an OpenSSH ed25519 key pair. You can use an existing SSH key instead."""
    from pbem.base.files import write_atomic, write_private
    from pbem.crypto.private_keys import generate
    from pbem.crypto.sshsig import fingerprint, wire_key

    public = out.with_name(out.name + ".pub")
    for path in (public,) if recovery else (out, public):
        if path.exists():
            raise Usage(f"{path} already exists", "choose another name with -o")
    if recovery:
        _recovery(public, as_json)
        return
    private, line = generate(out.name)
    write_private(out, private)
    write_atomic(public, line.encode() + b"\n")
    print_ = fingerprint(wire_key(line))
    emit(
        {"private": str(out), "public": str(public), "fingerprint": print_},
        f"{out} is your private key: keep it. Give the moderator {public}.\n{print_}",
        as_json,
    )


def _recovery(public: Path, as_json: bool) -> None:
    """Make a recovery key; print its words and write only its public half."""
    from pbem.base.files import write_atomic
    from pbem.cli.join import recovery_key

    words, line = recovery_key()
    write_atomic(public, line.encode() + b"\n")
    text = f"Write this down, it is not stored:\n  {words}\nGive the moderator {public}."
    emit({"words": words, "public": str(public)}, text, as_json)
