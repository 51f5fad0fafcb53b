"""Encrypted mail: what leaves is an age file that all officers of a side can open.

A mail is encrypted when it is made and committed so; it is never encrypted again, every sending is
the same bytes. That a file could be opened proves nothing: whose it is, and for whom, the signature
inside says. Bytes: docs/formats.md, "Encrypted mail".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.errors import Usage
from pbem.store.holders import Officer
from pbem.store.register import Register

if TYPE_CHECKING:
    from pbem.outbound.mime import Part
    from pbem.store.game_dir import Game

TYPE = "application/octet-stream"


def require_recipient(register: Register, key: str, own_age: str) -> None:
    """In an encrypted game an officer's key, or the age key beside it, must be one that mail can be
    encrypted to. Raises Usage."""
    if own_age:
        require_age(own_age)
    elif register.encrypted:
        from pbem.crypto.age import recipient

        recipient(key)


def require_age(text: str) -> str:
    """`age1...` as it is. Raises Usage for anything else."""
    from pbem.crypto.age import recipient

    if not text.startswith("age1"):
        raise Usage(f"{text!r} is no age recipient", "it begins with age1; see `age-keygen -y`")
    recipient(text)
    return text


Officers = Sequence[Officer]


def readers(register: Register, side: str, officers: Officers = ()) -> list[str]:
    """The names of the keys that an encrypted mail to `side` is for, which its signature covers;
    none in plain games. officers: as they will be, where the mail's own record changes them."""
    from pbem.crypto.sshsig import key_digest, wire_key

    if not register.encrypted:
        return []
    return [key_digest(wire_key(o.key)) for o in officers or register.officers if o.side == side]


def enclose(
    game: Game,
    side: str,
    kind: str,
    window: int,
    mail: bytes,
    officers: Officers = (),
    beside: Sequence[Part] = (),
) -> bytes:
    """The mail as it leaves: in a plain game as it is, in an encrypted one an age file of it behind
    the same headers, with a subject that says the game, the window and the kind alone.
    officers: as for `readers`. beside: what goes with the age file, open."""
    register = game.register
    if not register.encrypted:
        return mail
    from pbem.crypto import age
    from pbem.crypto.age_armour import padded
    from pbem.outbound.mime import Part, resubject

    all_of_them = officers or register.officers
    to = [age.recipient(o.age or o.key) for o in all_of_them if o.side == side]
    content = age.encrypt(padded(mail), to or [age.recipient(register.age)])
    number = f" window {window}" if window else ""
    return resubject(
        mail,
        f"{game.name}{number}: encrypted {kind}",
        _cover(game, side, kind, window),
        [Part(TYPE, content, f"{kind}.eml.age"), *beside],
    )


def _cover(game: Game, side: str, kind: str, window: int) -> list[Part]:
    """What an encrypted mail says in the open: which it is, and how it is read."""
    from pbem.outbound.addresses import own_config
    from pbem.outbound.mime import Part
    from pbem.reports import render

    said = {"game": game.name, "side": side, "kind": kind, "window": window}
    config = own_config(game)
    if config and config.order_page != "off":
        said["order_page"] = {"file": config.order_page == "on", "url": config.order_page_url}
    text, markup = render.encrypted(said)
    return [
        Part("text/plain; charset=us-ascii", text.encode("ascii")),
        Part("text/html; charset=utf-8", markup.encode()),
    ]
