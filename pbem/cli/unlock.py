"""Load a player's secrets: his SSH key, with or without a passphrase, and his age key."""

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
    """Load a private key. Raises NotFound, Usage.

    A passphrase is read from the first line of the file that PBEM_PASSPHRASE_FILE names; without
    that variable it is asked for on the terminal.
    """
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
    """Return the identities that decrypt the player's mail. Raises NotFound, Usage.

    These are the SSH key itself, if it can decrypt, and the age keys in the file `own_age`, by
    default in KEY.age-key next to the SSH key.
    """
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
            raise Usage(
                f"{beside} is not a valid age key", "`age-keygen -o FILE` makes one"
            ) from None
    if not found:
        raise Usage(
            f"{path} cannot decrypt mail, and there is no {beside.name} next to it",
            "give --age FILE with the age key that you named when you joined",
        )
    return found


def age_beside(path: Path) -> str:
    """Return the recipient of KEY.age-key next to a key; make that file if it does not exist."""
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
    """Return the path of the age key that belongs to an SSH key."""
    return path.with_name(path.name + ".age-key")


def _passphrase(path: Path) -> bytes:
    """Read a passphrase from a file that only its owner may read. Raises NotFound, Usage."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        raise NotFound(f"there is no file {path}", f"{PASSPHRASE_FILE} names it") from None
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise Usage(f"{path} may be read by others", f"chmod 600 {path}")
    return lines[0] if lines else b""
