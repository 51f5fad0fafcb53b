"""Preferences by mail: `SET zone Europe/Berlin`, one or several lines of a mail.

A mail from a registered address is enough: it changes nothing but how mail to that seat looks, and
the answer goes to this address.
"""

from __future__ import annotations

import re

from pbem.base.clock import zone
from pbem.base.config import Config
from pbem.errors import Usage
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import first_words
from pbem.inbound.letter import Letter
from pbem.outbound.notices import mail_name, mail_to
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.preferences import CHOICES, MOST_HOURS, hours_of, preferences_of
from pbem.store.records import Noted
from pbem.text.layout import ascii_fold, wrap
from pbem.text.messages import Note, fill_note, phrase

_SET = re.compile(r"(?i)set\b[\s:]*(.*)")
_PAIR = re.compile(r"\s*([A-Za-z]+)\s*[= ]\s*([^\s,;]+)\s*[,;]?")
MOST = 20
"""Preferences that are read from one mail."""
NAMES = ("zone", "mail", "pictures", "page", "remind", "dates")
"""The preferences, as they are listed."""


def wishes_of(letter: Letter) -> list[tuple[str, str]] | None:
    """Return the preferences that a mail asks for, in lower case except time zones; None unless its
    first words are SET. A line that says nothing comes as (line, "")."""
    if not _SET.fullmatch(first_words(letter)):
        return None
    lines = [line.strip() for leaf in letter.leaves for line in leaf.text.splitlines()]
    hits = [_SET.fullmatch(line) for line in lines or [letter.subject]]
    found = list[tuple[str, str]]()
    for line in [hit[1] for hit in hits if hit] or [first_words(letter)[3:]]:
        pairs = [(m[1].lower(), m[2]) for m in _PAIR.finditer(line)]
        rest = _PAIR.sub("", line).strip(" .!?*")
        found += pairs + [(rest[:40], "")] * bool(rest)
    return list(dict.fromkeys(found))[:MOST]


def grant(game: Game, config: Config, arrived: Input, wishes: list[tuple[str, str]]) -> None:
    """Record the preferences that can be met, and answer with all that hold from now on.

    The record and the answer are one commit; a time zone is kept beside the address.
    """
    seat, met, problems = arrived.claims, dict[str, str](), list[str]()
    for name, value in wishes:
        try:
            met[name] = _checked(config, name, value)
        except Usage as error:
            problems.append(f"{error.message}; {error.hint}")
    if "zone" in met:
        _move(game, seat, arrived.reply, met["zone"])
        kept = met | {"zone": secrets.salted(game, met["zone"])}
    else:
        kept = dict(met)
    after = {**game.register.mail_state.preferences.get(seat, {}), **kept}
    said = _answer(game, seat, after, met.get("zone", ""), problems, config)
    name = mail_name(game, seat, "answer")
    body = Noted(
        sides=[seat], side=seat, answer="set", prefers=kept, mail=arrived.mail, mailed=[seat]
    )
    game.commit(body, {name: mail_to(game, seat, said, [arrived.reply])})


def _checked(config: Config, name: str, value: str) -> str:
    """Return the value of a preference as it is kept. Raises Usage, which says what is possible."""
    if name == "zone":
        zone(value)
        return value
    if name not in NAMES:
        raise Usage(f"SET {ascii_fold(name)} is not known", f"SET knows {', '.join(NAMES)}")
    low = value.lower()
    if name == "remind":
        if hours_of(low) is None:
            hint = f"hours before the deadline from 1 to {MOST_HOURS}, as in 12h, or off"
            raise Usage(f"remind cannot be {ascii_fold(value)!r}", hint)
        return low
    if low not in CHOICES[name]:
        shown = ascii_fold(value) or "nothing"
        raise Usage(f"{name} cannot be {shown}", f"it is one of {', '.join(CHOICES[name])}")
    offered = _offered(config)
    if name == "page" and low not in offered:
        raise Usage(f"page cannot be {low} here", f"it is one of {', '.join(offered)}")
    return low


def _offered(config: Config) -> list[str]:
    """Return the ways in which reports can bring the order page."""
    attached = ["attached"] * (config.order_page != "off")
    return [*attached, *["linked"] * bool(config.order_page_url), "off"]


def _move(game: Game, seat: str, address: str, tz: str) -> None:
    """Change the time zone of every officer of the seat who has that address."""
    for place, officer in enumerate(secrets.addresses(game).get(seat, [])):
        if officer["email"].lower() == address:
            secrets.move_address(game, seat, place, officer["email"], tz)


def _answer(
    game: Game, seat: str, kept: dict[str, str], tz: str, problems: list[str], config: Config
) -> Note:
    """Return the answer: what was not possible, then every preference and its values."""
    held = {name: value for name, value in kept.items() if name != "zone"}
    shown = held | {"zone": tz or secrets.zone_of(game, seat) or "UTC"}
    values = {**CHOICES, "page": tuple(_offered(config))}
    lines = [
        phrase(
            "preference",
            what=name,
            value=shown[name] if name in shown else _usual(game, config, name),
            values=_possible(name, values),
        )
        for name in NAMES
    ]
    said = fill_note("preferences", seat=seat, game=game.name, lines="\n".join(lines))
    wrong = [wrap(phrase("not_set", why=ascii_fold(line))) for line in problems]
    return Note(said.subject, "\n".join([*wrong, *[""] * bool(wrong), said.text]))


def _usual(game: Game, config: Config, name: str) -> str:
    """Return what holds where a seat has no preference of its own."""
    if name == "remind":
        from pbem.turns.schedule import OFF, Rule, rule_of

        minutes = (rule_of(game.register) or Rule()).remind
        return "off" if minutes == OFF else f"{minutes // 60}h"
    if name == "page":
        return {"off": "off", "on": "attached", "url": "linked"}[config.order_page]
    if name == "pictures" and game.register.created.chart == "none":
        return "off"
    return str(getattr(preferences_of(game.register, ""), name))


def _possible(name: str, values: dict[str, tuple[str, ...]]) -> str:
    """Return the values of a preference in words."""
    if name == "zone":
        return "such as Europe/Berlin"
    return "off, or hours: 12h" if name == "remind" else ", ".join(values[name])
