"""`pbem join`"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import as_json, emit, named, read_bytes, say, write_out
from pbem.cli.completion import FILE

if TYPE_CHECKING:
    from pbem.crypto.private_keys import SshKey


@click.command
@click.argument("letter", type=FILE)
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("--name", default="", metavar="N", help="Your name; a club shows it.")
@click.option(
    "--age",
    "own_age",
    default="",
    metavar="age1...",
    help="Encrypt my mail to this age key, not to my SSH key.",
)
@click.option(
    "--recovery/--no-recovery",
    default=True,
    show_default=True,
    help="Make a recovery key and print its words.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Output file; default: stdout.")
@as_json
def command(
    letter: str,
    key: Path,
    name: str,
    own_age: str,
    recovery: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Answer a joining letter with your public key and the anchor of its dice chain.

    The words of a recovery key are printed once. Write them down: with them you can replace your
    key if you lose it. Only the recovery key's public half is in the answer.

    Nothing can be encrypted to an ECDSA key. In a game of encrypted mail an age key is made for it,
    in the file KEY.age-key next to it; keep both.
    """
    from pbem.cli.unlock import unlocked
    from pbem.dice.chains import DiceChains
    from pbem.player.joining import answer, read_letter

    with named(letter):
        facts = read_letter(read_bytes(letter))
    ssh = unlocked(key)
    dice_chains = DiceChains(ssh, key.with_name(key.name + ".chain"))
    words, public = recovery_key() if recovery else ("", "")
    text = answer(facts, dice_chains, name, public, _age_key(facts, own_age, ssh, key))
    _tell(facts, words)
    if as_json:
        emit({"letter": facts, "answer": text, "recovery": words}, "", True)
    if out or not as_json:
        write_out(out, text.encode("ascii"))


def _age_key(facts: dict[str, str], own: str, ssh: SshKey, path: Path) -> str:
    """Return the age recipient for the player's mail; empty if the SSH key itself can be used.

    own: the recipient that the player chose, or empty. Raises Usage.
    """
    from pbem.cli.unlock import age_beside, beside_of
    from pbem.outbound.encrypt import require_age

    if own:
        return require_age(own)
    if facts.get("mail") != "sealed" or ssh.identity() is not None:
        return ""
    say(f"your mail will be encrypted to {beside_of(path)}; keep it with your key")
    return age_beside(path)


def _tell(facts: dict[str, str], words: str) -> None:
    """Tell the player which game it is, which key to compare, and his recovery words."""
    from pbem.crypto.sshsig import fingerprint, wire_key

    say(
        f"game {facts['game']} ({facts['system']}, {facts['scenario']}), side {facts['side']}, "
        f"{facts['dice']} dice"
    )
    say(f"the moderator's key is {fingerprint(wire_key(facts['moderator']))}; compare it with him")
    if words:
        say(f"write down your recovery key, for `pbem rekey` if you lose your key:\n  {words}")


def recovery_key() -> tuple[str, str]:
    """Make a recovery key; return its words and its public line."""
    from pbem.crypto.recovery import key_of, make
    from pbem.crypto.sshsig import public_line

    words = make()
    return words, public_line(key_of(words).wire)
