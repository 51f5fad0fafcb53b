"""The moderator's secrets in `private/`: keys, players' addresses, raw mail.

The folder has mode 0700, its files 0600. The ledger, which is published, has only digests of
addresses, names and notes, salted with the game's mail key.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct

from pbem.base.files import make_private, move, write_private

if TYPE_CHECKING:
    from pathlib import Path

    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    from pbem.crypto.age import Identity
    from pbem.crypto.private_keys import SshKey
    from pbem.store.game_dir import Game

KEY = "moderator"
MAIL_KEY = "mail.key"
DICE_KEY = "dice.pem"
BOT = "bot-{}.json"
AGE_KEY = "age.key"
ADDRESSES = "addresses.json"
LETTERS = "letters.json"
KEPT = ("private", "mail")


def make_keys(game: Game) -> str:
    """Make the moderator's signing key and the mail key. Returns the public key line."""
    from pbem.crypto.private_keys import generate

    private, public = generate(f"pbem moderator of {game.name}")
    write_private(game.path("private", KEY), private)
    write_private(game.path("private", KEY + ".pub"), public.encode() + b"\n")
    write_private(game.path("private", MAIL_KEY), os.urandom(32))
    return public


def make_age_key(game: Game) -> str:
    """Make the key that orders are encrypted to. Returns its recipient, `age1...`.

    Earlier keys stay in the same file, because mail that is encrypted to them may still come. The
    `age` program reads such files with `-i`.
    """
    from pbem.crypto import age

    secret = age.generate()
    public = age.public(age.identity(secret))
    path = game.path("private", AGE_KEY)
    before = path.read_text("ascii") if path.exists() else ""
    write_private(path, f"# public key: {public}\n{secret}\n{before}".encode("ascii"))
    return public


def age_identities(game: Game) -> list[Identity]:
    """Return the keys that decrypt orders, none in plain games. Raises Damaged."""
    from pbem.crypto import age
    from pbem.errors import Damaged, Usage

    if not game.register.encrypted:
        return []
    path = game.path("private", AGE_KEY)
    try:
        return age.identities(path.read_text("ascii"))
    except (OSError, ValueError, Usage):
        raise Damaged(
            f"{path} is missing or is not a valid age key",
            f"restore it from a copy; if it is lost, `pbem renew-age {game.name}` makes another",
        ) from None


def make_dice_key(game: Game) -> tuple[str, list[str]]:
    """Make the dice key. Returns its modulus and the roots that certify it, in hex."""
    from pbem.dice import dicekey, provable

    key = provable.generate_key()
    write_private(game.path("private", DICE_KEY), dicekey.pem(key))
    modulus = key.public_key().public_numbers().n
    return f"{modulus:x}", [f"{root:x}" for root in provable.certify(key, game.name)]


def dice_key(game: Game) -> RSAPrivateKey:
    """Return the dice key. Raises Damaged."""
    from pbem.dice.dicekey import load

    return load(game.read("private", DICE_KEY), str(game.path("private", DICE_KEY)))


def make_bot_key(game: Game, side: str) -> str:
    """Make the key with which the referee's bot signs for a side. Returns the public key line."""
    from pbem.crypto.private_keys import generate

    private, public = generate(f"pbem bot {game.name} {side}")
    write_private(game.path("private", f"bot-{side}"), private)
    return public


def bot_key(game: Game, side: str) -> SshKey:
    """Return the key of a side's bot. Raises Damaged."""
    name = f"bot-{side}"
    return _signer(game.read("private", name), str(game.path("private", name)))


def signing_key(game: Game) -> SshKey:
    """Return the moderator's signing key. Raises Damaged."""
    return _signer(game.read_cached("private", KEY), str(game.path("private", KEY)))


@lru_cache(maxsize=4)
def _signer(content: bytes, path: str) -> SshKey:
    """Parse a private key of the game's folder. Raises Damaged."""
    from pbem.crypto.private_keys import load_private
    from pbem.errors import Damaged, Usage

    try:
        return load_private(content, name=path)
    except Usage as error:
        raise Damaged(error.message, "restore it from a copy of the game's folder") from None


def addresses(game: Game) -> dict[str, list[dict[str, str]]]:
    """Return side to its officers' {email, name, tz}, in the order enlisted. Raises Damaged."""
    content = game.find_cached("private", ADDRESSES)
    return addresses_in(content, game.path("private", ADDRESSES)) if content else {}


def addresses_in(content: bytes, path: Path) -> dict[str, list[dict[str, str]]]:
    """Parse the file of addresses. path: what messages call it. Raises Damaged."""
    from pbem.base.schema import Address, stored

    found = stored(content, dict[str, list[Address]], path)
    return cast(dict[str, list[dict[str, str]]], found)


def reached(game: Game, side: str) -> list[str]:
    """Return the addresses to which mail of a side goes; none of officers without one, as bots."""
    return [officer["email"] for officer in addresses(game).get(side, []) if officer["email"]]


def zone_of(game: Game, side: str) -> str:
    """Return the time zone of a side's first officer, empty for none."""
    return next((officer["tz"] for officer in addresses(game).get(side, [])), "")


def add_address(game: Game, side: str, email: str, name: str, tz: str) -> None:
    """Add an officer's address to those of the side, with the next commit."""
    everybody = range(len(addresses(game).get(side, [])))
    set_address(game, side, email, name, tz, everybody)


def set_address(
    game: Game, side: str, email: str, name: str, tz: str, kept: Sequence[int] = ()
) -> None:
    """Replace a side's addresses by those of a new player and of the officers who stay, with the
    next commit. kept: the indices of those who stay."""
    before = addresses(game).get(side, [])
    stay = [before[i] for i in kept if i < len(before)]
    known = addresses(game) | {side: [*stay, {"email": email, "name": name, "tz": tz}]}
    game.stage_private(ADDRESSES, json.dumps(known, indent=1).encode())


def move_address(game: Game, side: str, place: int, email: str, tz: str) -> None:
    """Change the address of one officer with the next commit. place: the officer's index."""
    known = addresses(game)
    known[side][place] |= {"email": email, "tz": tz}
    game.stage_private(ADDRESSES, json.dumps(known, indent=1).encode())


def letters(game: Game) -> dict[str, dict[str, str]]:
    """Return digest of each joining letter that was sent to its {side, email, tz}. Raises
    Damaged."""
    from pbem.base.schema import stored

    path = game.path("private", LETTERS)
    return stored(path.read_bytes(), dict[str, dict[str, str]], path) if path.exists() else {}


def add_letter(
    game: Game, digest: str, side: str, email: str, tz: str, claim: Mapping[str, str]
) -> None:
    """Store to whom a joining letter was sent. claim: what its answer depends on, if the club sent
    it."""
    known = letters(game) | {digest: {"side": side, "email": email, "tz": tz, **claim}}
    write_private(game.path("private", LETTERS), json.dumps(known, indent=1).encode())


def drop_letters(game: Game, email: str) -> None:
    """Forget the joining letters that went to an address, so that their answers do not count."""
    known = letters(game)
    kept = {digest: one for digest, one in known.items() if one["email"].lower() != email}
    if kept != known:
        write_private(game.path("private", LETTERS), json.dumps(kept, indent=1).encode())


def mark_letter(game: Game, digest: str, mark: str) -> bool:
    """Remember something about a joining letter; return False if it was remembered already."""
    known = letters(game)
    if mark in known[digest]:
        return False
    known[digest][mark] = "yes"
    write_private(game.path("private", LETTERS), json.dumps(known, indent=1).encode())
    return True


def message_id(game: Game, side: str, number: int) -> str:
    """Return the Message-ID of a side's mail of that number.

    It is the same on every retry, so that mail programs recognize a mail that is sent twice, and
    reveals nothing without the mail key (docs/formats.md, "Game folder").
    """
    key = game.read_cached("private", MAIL_KEY)
    digest = hmac.new(key, f"{side} {number}".encode(), sha256).hexdigest()
    return f"<{digest[:32]}@{game.name}.pbem.invalid>"


class BotSeat(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bot other than the plain one that plays a side."""

    kind: str
    """`strong`, or a style of the system."""
    chosen: dict[int, int] = {}
    """Of one that searches: window -> number of the candidate that it chose."""


def bot_seat(game: Game, side: str) -> BotSeat | None:
    """Which bot plays a side; None if it is the plain one. Raises Damaged."""
    content = game.find("private", BOT.format(side))
    if not content:
        return None
    try:
        return msgspec.json.decode(content, type=BotSeat)
    except msgspec.DecodeError:
        from pbem.errors import Damaged

        raise Damaged(
            f"{game.path('private', BOT.format(side))} does not say which bot plays",
            'restore it from a copy, or write {"kind":"strong"} into it: the bot thinks anew',
        ) from None


def stage_bot(game: Game, side: str, seat: BotSeat) -> None:
    """Write which bot plays a side, with the next commit."""
    game.stage_private(BOT.format(side), msgspec.json.encode(seat))


def salted(game: Game, text: str) -> str:
    """Return a digest of a private text for the ledger. Without the mail key nobody can guess the
    text from it."""
    key = game.read_cached("private", MAIL_KEY)
    return hmac.new(key, b"private " + text.encode(), sha256).hexdigest()


def raw_digest(game: Game, raw: bytes) -> str:
    """Return the salted digest of a mail or a file of orders."""
    return hmac.new(game.read_cached("private", MAIL_KEY), raw, sha256).hexdigest()


def keep_raw(game: Game, raw: bytes) -> str:
    """Store orders as they came. Returns their salted digest."""
    digest = raw_digest(game, raw)
    write_private(make_private(game.path(*KEPT)) / f"{digest[:16]}.orders", raw)
    return digest


def keep_mail(game: Game, path: Path, digest: str) -> None:
    """Move a handled mail from the inbox to the raw mail. digest: the salted digest of its
    content."""
    move(str(path), f"{make_private(game.path(*KEPT))}/{digest[:16]}.mail")
