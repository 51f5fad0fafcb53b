"""Encrypted mail: age files that every officer of a side can open.

A mail is encrypted once, when it is made, and committed in that form: every delivery sends the same
bytes. Encryption does not authenticate. The signature inside says who sent the mail and which keys
it is for. Bytes: docs/formats.md, "Encrypted mail".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.errors import Usage
from pbem.roles import role_of
from pbem.store.holders import Officer
from pbem.store.register import Register

if TYPE_CHECKING:
    from pbem.outbound.mime import Part
    from pbem.store.game_dir import Game

TYPE = "application/octet-stream"


def require_recipient(register: Register, key: str, own_age: str) -> None:
    """Check that mail can be encrypted to an officer: to his age key, else to his SSH key.

    own_age: his age recipient, or empty. In plain games without `own_age` there is nothing to
    check. Raises Usage.
    """
    if own_age:
        require_age(own_age)
    elif register.encrypted:
        from pbem.crypto.age import recipient

        recipient(key)


def require_age(text: str) -> str:
    """Return `text` if it is an age recipient `age1...`. Raises Usage for anything else."""
    from pbem.crypto.age import recipient

    if not text.startswith("age1"):
        raise Usage(
            f"{text!r} is not a valid age recipient", "it begins with age1; see `age-keygen -y`"
        )
    recipient(text)
    return text


Officers = Sequence[Officer]


def readers(register: Register, side: str, officers: Officers = ()) -> list[str]:
    """Return the digests of the keys that can open encrypted mail to `side`; none in plain games.

    The signature in the mail covers this list. officers: the officers after the record that the
    mail belongs to, if that record changes them; by default those of the register. For a role that
    nobody has yet it is the moderator's key: an officer who comes later gets the report by a note.
    """
    from pbem.crypto.sshsig import key_digest, wire_key

    if not register.encrypted:
        return []
    lines = [o.key for o in officers or register.officers if o.side == side]
    if not lines and role_of(side):
        lines = [register.created.moderator]
    return [key_digest(wire_key(line)) for line in lines]


def enclose(
    game: Game,
    side: str,
    kind: str,
    window: int,
    mail: bytes,
    officers: Officers = (),
    beside: Sequence[Part] = (),
) -> bytes:
    """Return `mail` as it is sent: unchanged in plain games, otherwise encrypted to `side`.

    An encrypted mail has the same headers, except for a subject that says only the game, the
    window and the kind; the age file with the whole mail is attached. A side without officers is
    encrypted to the referee itself. officers: as for `readers`. beside: further attachments,
    unencrypted.
    """
    register = game.register
    if not register.encrypted:
        return mail
    from pbem.crypto import age
    from pbem.crypto.age_armour import padded
    from pbem.outbound.mime import Part, resubject

    everybody = officers or register.officers
    to = [age.recipient(o.age or o.key) for o in everybody if o.side == side]
    # Padded, so that the size of the file does not tell how much a report or an answer says.
    content = age.encrypt(padded(mail), to or [age.recipient(register.age)])
    number = f" window {window}" if window else ""
    return resubject(
        mail,
        f"{game.name}{number}: encrypted {kind}",
        _cover(game, side, kind, window),
        [Part(TYPE, content, f"{kind}.eml.age"), *beside],
    )


def _cover(game: Game, side: str, kind: str, window: int) -> list[Part]:
    """Return the unencrypted text of an encrypted mail: what it is, and how to read it."""
    from pbem.outbound.addresses import own_config
    from pbem.outbound.mime import HTML, PLAIN, Part
    from pbem.reports import render

    said = {"game": game.name, "side": side, "kind": kind, "window": window}
    config = own_config(game)
    if config and config.order_page != "off":
        said["order_page"] = {"file": config.order_page == "on", "url": config.order_page_url}
    text, markup = render.encrypted(said)
    return [
        Part(PLAIN, text.encode("ascii")),
        Part(HTML, markup.encode()),
    ]
