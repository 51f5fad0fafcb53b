"""The sender and reply addresses of a game's mail, from the settings of the home."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.store.game_dir import Game

if TYPE_CHECKING:
    from pbem.base.config import Config


def reply(game: Game) -> str:
    """Return the address for the send button of an HTML report.

    It is empty if the home has no address, and in encrypted games: the button would send the
    orders in plain text. Only the page contains the address; report.json does not.
    """
    address = own_address(game)
    return address if game.register.created.mail == "plain" else ""


def sender(game: Game) -> str:
    """Return the value of the header From. Games without an address use `GAME@pbem.invalid`."""
    return f"pbem {game.name} <{own_address(game) or game.name + '@pbem.invalid'}>"


def list_headers(game: Game) -> tuple[str, ...]:
    """Return the headers by which mail programs sort a game's mail, and end it (RFC 2919, 2369).

    A mail that asks to unsubscribe ends a spectator's mail, and a player's goes to the moderator. A
    click that needs no mail (RFC 8058) would need a server of our own. The archive is the game's
    page on the club's site, if there is one.
    """
    address, config = own_address(game), own_config(game)
    if not address or config is None:
        return (f"List-Id: {game.name} <{game.name}.pbem.invalid>",)
    to = f"<mailto:{address}?subject=%5B{game.name}%5D&body="
    headers = [
        f"List-Id: {game.name} <{game.name}.pbem.{address.partition('@')[2]}>",
        f"List-Help: {to}HELP>",
        f"List-Unsubscribe: {to}UNSUBSCRIBE>",
    ]
    if config.club and config.club.url and config.club.site and game.name not in config.club.hide:
        headers.append(f"List-Archive: <{config.club.url}g/{game.name}.html>")
    return tuple(headers)


def own_address(game: Game) -> str:
    """Return the address at which the game receives mail; empty if it has none."""
    config = own_config(game)
    if config is None or not config.address:
        return ""
    from pbem.base.config import address_of

    return address_of(config, game.name)


@lru_cache(maxsize=2)
def own_config(game: Game) -> Config | None:
    """Return the settings in pbem.toml of the game's home, cached; None without that file.

    Without the file nothing is imported: most commands need no settings and should start fast.
    """
    home = game.folder.parent
    if not (home / "pbem.toml").exists():
        return None
    from pbem.base.config import load

    return load(home)
