"""Joining letters: written for a seat, and their answers, which register players.

An answer to a letter of the club counts only while the seat has the holder of that time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from pbem.admin.commands import replace
from pbem.admin.seats import require_seat
from pbem.admin.setup import Newcomer, enlist, scenario_of
from pbem.errors import Usage
from pbem.model import Side, System
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Noted
from pbem.text.messages import Note, fill_note, phrase, the_side


def invite(
    game: Game,
    system: System,
    side: str,
    email: str,
    tz: str,
    offer: str = "",
    terms: Sequence[str] = (),
) -> str:
    """Put a joining letter into the outbox; return its text. Raises NotFound for an unknown side.

    It contains a random salt, so that its digest identifies this letter alone. offer: what
    identifies the wish that it answers, if the club sends it: then its answer counts only while
    the seat still has the holder that it has now. terms: further paragraphs.
    """
    from pbem.admin.invitation import about
    from pbem.outbound.addresses import own_address, own_config
    from pbem.outbound.notices import early_mail
    from pbem.player import joining
    from pbem.text.layout import ascii_fold, wrap
    from pbem.web import join_page

    require_seat(game, side)
    created = game.register.created
    facts = {
        "game": created.game,
        "system": created.system,
        "scenario": created.scenario,
        "dice": created.dice,
        "moderator": created.moderator,
        "side": side,
        "salt": os.urandom(16).hex(),
        **({"mail": created.mail} if game.register.encrypted else {}),
    }
    digest = joining.digest({"format": joining.LETTER, **facts})
    title, own = ascii_fold(scenario_of(system, created.scenario).title), ascii_fold(system.title)
    paragraphs = [*about(game.register, system, side, tz), *terms]
    config = own_config(game)
    url = config.order_page_url if config else ""
    said = fill_note(
        "letter",
        **facts,
        title=own,
        scenario_title=title,
        about="\n".join(wrap(ascii_fold(line), hang="  ") for line in paragraphs),
        hosted=phrase("letter_hosted", url=url) + "\n" if url else "",
    )
    block = joining.invitation(facts, secrets.signing_key(game))
    text = said.text + block
    secrets.add_letter(game, digest, side, email, tz, claim(game, side, offer))
    head = f"{own}, {title}: {the_side(side)}"
    page = join_page.page(head, game.name, paragraphs, block, own_address(game))
    mail = early_mail(game, side, email, Note(said.subject, text), page)
    game.commit(Noted(sides=[side], letter=digest, mailed=[side]), mail)
    return text


def enlist_by_letter(game: Game, raw: bytes, side: str = "") -> tuple[str, int]:
    """Register a player's answer to a joining letter; return his side and number.

    raw: the answer as it came. side: the expected side, empty for any. Raises Usage.
    """
    from pbem.player import joining

    join = joining.read_join(raw)
    letter = secrets.letters(game).get(join["letter"])
    if (
        join["game"] != game.name
        or letter is None
        or (join["side"] != letter["side"] or side not in ("", join["side"]))
    ):
        raise Usage(
            f"this does not answer a joining letter of {game.name}",
            "see `pbem invite --help`",
        )
    if game.register.over:
        raise SeatTaken(f"{game.name} is over", "nobody can join it any more")
    if letter.get("offer"):
        require_free(game, join["side"], letter, join["key"])
    newcomer = Newcomer(
        key=join["key"],
        email=letter["email"],
        name=join["name"],
        tz=letter["tz"],
        anchor=joining.require_anchor(join["anchor"]),
        letter=join["letter"],
        recovery=join.get("recovery", ""),
        age=join.get("age", ""),
    )
    if letter.get("offer") and any(o.side == join["side"] for o in game.register.officers):
        return join["side"], replace(game, join["side"], newcomer)
    return join["side"], enlist(game, join["side"], newcomer)


class SeatTaken(Usage):
    """An answer to a joining letter came after somebody else's, or after the end. Exit 2."""


def claim(game: Game, side: str, offer: str) -> dict[str, str]:
    """Return what the answer to a letter of the club depends on: who holds the seat now."""
    holder = str(game.register.next_number(side))
    return {"offer": offer, "holder": holder, "record": str(game.register.n)} if offer else {}


def require_free(game: Game, side: str, letter: Mapping[str, str], key: str) -> None:
    """Raise SeatTaken if the seat has another holder than when the letter was sent, or if its
    holder has sent orders since; Usage if it was this key that took it."""
    register, known = game.register, " ".join(key.split()[:2])
    if any(o.side == side and o.key == known for o in register.officers):
        raise Usage(f"the key is registered already, for {side}", "there is nothing to do")
    back = side in register.sets and register.sets[Side(side)].n > int(letter["record"])
    if back or str(register.next_number(side)) != letter["holder"]:
        raise SeatTaken(f"{side} of {game.name} is taken", "ask the club what else is open")
