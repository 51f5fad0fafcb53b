"""A player's secrets: his SSH key, locked or not, and the age key that may lie beside it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import named
from pbem.errors import NotFound, Usage

if TYPE_CHECKING:
    from pbem.crypto.age import Identity
    from pbem.crypto.private_keys import SshKey

PASSPHRASE_FILE = "PBEM_PASSPHRASE_FILE"


def unlocked(path: Path) -> SshKey:
    """The private key. Its passphrase is the first line of the file that PBEM_PASSPHRASE_FILE
    names; without, it is asked for on a terminal."""
    from pbem.crypto.private_keys import NeedsPassphrase, read_private

    try:
        return read_private(path)
    except NeedsPassphrase as error:
        if file := os.environ.get(PASSPHRASE_FILE):
            return read_private(path, _passphrase(Path(file)))
        if not sys.stdin.isatty():
            raise NeedsPassphrase(
                error.message, f"scripts name a file that holds it: {PASSPHRASE_FILE}=FILE"
            ) from None
        return read_private(path, click.prompt("Passphrase", hide_input=True, err=True).encode())


def identities(path: Path, key: SshKey, own_age: Path | None = None) -> list[Identity]:
    """What opens mail encrypted to the player: the key itself, and the age keys in `own_age` or,
    where that is not given, in FILE.age-key beside it. Raises NotFound, Usage."""
    from pbem.crypto import age

    beside = own_age or beside_of(path)
    found = [mine] if (mine := key.identity()) else []
    if own_age or beside.exists():
        try:
            with named(str(beside)):
                found += age.identities(beside.read_text("utf-8-sig"))
        except FileNotFoundError:
            raise NotFound(f"there is no file {beside}") from None
        except UnicodeDecodeError:
            raise Usage(f"{beside} is no age key", "`age-keygen -o FILE` makes one") from None
    if not found:
        raise Usage(
            f"nothing can be encrypted to {path} itself, and {beside.name} is not beside it",
            "name the age key that you gave when you joined with --age",
        )
    return found


def age_beside(path: Path) -> str:
    """The recipient of FILE.age-key beside a key; made, where there is none."""
    from pbem.base.files import write_private
    from pbem.crypto import age

    beside = beside_of(path)
    if not beside.exists():
        secret = age.generate()
        public = age.public(age.identity(secret))
        write_private(beside, f"# public key: {public}\n{secret}\n".encode("ascii"))
    with named(str(beside)):
        return age.public(age.identities(beside.read_text("utf-8-sig", "replace"))[0])


def beside_of(path: Path) -> Path:
    """Where the age key of an SSH key lies that has none of its own."""
    return path.with_name(path.name + ".age-key")


def _passphrase(path: Path) -> bytes:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        raise NotFound(f"there is no file {path}", f"{PASSPHRASE_FILE} names it") from None
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise Usage(f"{path} may be read by others", f"chmod 600 {path}")
    return lines[0] if lines else b""
