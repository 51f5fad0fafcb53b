"""Where a game's mail comes from: its own address, by the settings of the home."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.store.game_dir import Game

if TYPE_CHECKING:
    from pbem.base.config import Config


def reply(game: Game) -> dict[str, str]:
    """Where a page's button sends answers: nothing where the home has no address, or where a
    form would travel open though mail is encrypted. It is in the pages alone, not in the report."""
    address = own_address(game)
    return {"reply": address} if address and game.register.created.mail == "plain" else {}


def sender(game: Game) -> str:
    """The address that the game writes from."""
    return f"pbem {game.name} <{own_address(game) or game.name + '@pbem.invalid'}>"


def own_address(game: Game) -> str:
    """The address at which the game gets mail, empty where it has none."""
    config = own_config(game)
    if config is None or not config.address:
        return ""
    from pbem.base.config import address_of

    return address_of(config, game.name)


@lru_cache(maxsize=2)
def own_config(game: Game) -> Config | None:
    """What pbem.toml of the game's home said when this run first asked; None without the file,
    which costs no import."""
    home = game.folder.parent
    if not (home / "pbem.toml").exists():
        return None
    from pbem.base.config import load

    return load(home)
