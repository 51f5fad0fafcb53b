"""What a moderator keeps to himself: his keys, the players' addresses, raw mail. Mode 0700."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, cast

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
AGE_KEY = "age.key"
ADDRESSES = "addresses.json"
LETTERS = "letters.json"
KEPT = ("private", "mail")


def make_keys(game: Game) -> str:
    """Make the moderator's signing key and the mail key; the public line."""
    from pbem.crypto.private_keys import generate

    private, public = generate(f"pbem moderator of {game.name}")
    write_private(game.path("private", KEY), private)
    write_private(game.path("private", KEY + ".pub"), public.encode() + b"\n")
    write_private(game.path("private", MAIL_KEY), os.urandom(32))
    return public


def make_age_key(game: Game) -> str:
    """Make the key that orders are encrypted to; its recipient, `age1...`. Keys before it stay in
    the same file, as `age -i` reads it: mail encrypted to them may still come."""
    from pbem.crypto import age

    secret = age.generate()
    public = age.public(age.identity(secret))
    path = game.path("private", AGE_KEY)
    before = path.read_text("ascii") if path.exists() else ""
    write_private(path, f"# public key: {public}\n{secret}\n{before}".encode("ascii"))
    return public


def age_identities(game: Game) -> list[Identity]:
    """What opens encrypted orders, none in plain games. Raises Damaged."""
    from pbem.crypto import age
    from pbem.errors import Damaged, Usage

    if not game.register.encrypted:
        return []
    path = game.path("private", AGE_KEY)
    try:
        return age.identities(path.read_text("ascii"))
    except (OSError, ValueError, Usage):
        raise Damaged(
            f"{path} is missing or no age key",
            f"restore it from a copy; if it is lost, `pbem renew-age {game.name}` makes another",
        ) from None


def make_dice_key(game: Game) -> tuple[str, list[str]]:
    """Make the dice key; its modulus and the roots that certify it, in hex."""
    from pbem.dice import dicekey, provable

    key = provable.generate_key()
    write_private(game.path("private", DICE_KEY), dicekey.pem(key))
    modulus = key.public_key().public_numbers().n
    return f"{modulus:x}", [f"{root:x}" for root in provable.certify(key, game.name)]


def dice_key(game: Game) -> RSAPrivateKey:
    """The dice key. Raises Damaged."""
    from pbem.dice.dicekey import load

    return load(game.read("private", DICE_KEY), str(game.path("private", DICE_KEY)))


def make_bot_key(game: Game, side: str) -> str:
    """Make the key with which the referee's bot signs for a side; the public line."""
    from pbem.crypto.private_keys import generate

    private, public = generate(f"pbem bot {game.name} {side}")
    write_private(game.path("private", f"bot-{side}"), private)
    return public


def bot_key(game: Game, side: str) -> SshKey:
    """The key of a side's bot."""
    name = f"bot-{side}"
    return _signer(game.read("private", name), str(game.path("private", name)))


def signing_key(game: Game) -> SshKey:
    """The moderator's signing key."""
    return _signer(game.paper("private", KEY), str(game.path("private", KEY)))


@lru_cache(maxsize=4)
def _signer(content: bytes, path: str) -> SshKey:
    """The private key in a file of the game's folder. Raises Damaged."""
    from pbem.crypto.private_keys import load_private
    from pbem.errors import Damaged, Usage

    try:
        return load_private(content, name=path)
    except Usage as error:
        raise Damaged(error.message, "restore it from a copy of the game's folder") from None


def addresses(game: Game) -> dict[str, list[dict[str, str]]]:
    """Side to its officers' {email, name, tz}, in the order enlisted."""
    content = game.once("private", ADDRESSES)
    return addresses_in(content, game.path("private", ADDRESSES)) if content else {}


def addresses_in(content: bytes, path: Path) -> dict[str, list[dict[str, str]]]:
    """What the file of addresses at `path` holds. Raises Damaged."""
    from pbem.base.schema import Address, stored

    found = stored(content, dict[str, list[Address]], path)
    return cast(dict[str, list[dict[str, str]]], found)


def zone_of(game: Game, side: str) -> str:
    """The time zone that a side's first officer named, empty for none."""
    return next((one["tz"] for one in addresses(game).get(side, [])), "")


def add_address(game: Game, side: str, email: str, name: str, tz: str) -> None:
    """With the next record an officer gets his mail there, beside the others of his side."""
    everybody = range(len(addresses(game).get(side, [])))
    set_address(game, side, email, name, tz, everybody)


def set_address(
    game: Game, side: str, email: str, name: str, tz: str, kept: Sequence[int] = ()
) -> None:
    """With the next record a side's mail goes to a new player, and to those who stay. kept: their
    places."""
    before = addresses(game).get(side, [])
    stay = [before[i] for i in kept if i < len(before)]
    known = addresses(game) | {side: [*stay, {"email": email, "name": name, "tz": tz}]}
    game.keep(ADDRESSES, json.dumps(known, indent=1).encode())


def move_address(game: Game, side: str, place: int, email: str, tz: str) -> None:
    """With the next record the mail of the officer in that place of his side goes elsewhere."""
    known = addresses(game)
    known[side][place] |= {"email": email, "tz": tz}
    game.keep(ADDRESSES, json.dumps(known, indent=1).encode())


def letters(game: Game) -> dict[str, dict[str, str]]:
    """Digest of every joining letter sent to its {side, email, tz}."""
    from pbem.base.schema import stored

    path = game.path("private", LETTERS)
    return stored(path.read_bytes(), dict[str, dict[str, str]], path) if path.exists() else {}


def add_letter(game: Game, digest: str, side: str, email: str, tz: str) -> None:
    """Remember a joining letter."""
    known = letters(game) | {digest: {"side": side, "email": email, "tz": tz}}
    write_private(game.path("private", LETTERS), json.dumps(known, indent=1).encode())


def message_id(game: Game, side: str, number: int) -> str:
    """The Message-ID of a side's mail of that number: the same on every retry, and telling
    nothing (DESIGN, The ledger)."""
    key = game.paper("private", MAIL_KEY)
    digest = hmac.new(key, f"{side} {number}".encode(), sha256).hexdigest()
    return f"<{digest[:32]}@{game.name}.pbem.invalid>"


def salted(game: Game, text: str) -> str:
    """A digest of something private, for the ledger: worthless without the game's mail key."""
    key = game.paper("private", MAIL_KEY)
    return hmac.new(key, b"private " + text.encode(), sha256).hexdigest()


def raw_digest(game: Game, raw: bytes) -> str:
    """The salted digest of what came by mail."""
    return hmac.new(game.paper("private", MAIL_KEY), raw, sha256).hexdigest()


def keep_raw(game: Game, raw: bytes) -> str:
    """Keep orders as they came, beside the ledger; their salted digest."""
    digest = raw_digest(game, raw)
    write_private(make_private(game.path(*KEPT)) / f"{digest[:16]}.orders", raw)
    return digest


def keep_mail(game: Game, path: Path, digest: str) -> None:
    """A mail that was dealt with leaves the inbox for good. digest: salted, of what it holds."""
    move(str(path), f"{make_private(game.path(*KEPT))}/{digest[:16]}.mail")
