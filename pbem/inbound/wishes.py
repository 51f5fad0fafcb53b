"""Preferences by mail: `PREFER` in a signed set of orders, or `SET` in a mail without signature.

Anybody can write an address as the sender of a mail. So SET changes nothing by itself: the answer
goes to the registered address, and whoever answers that one confirms what its subject names. The
code in it depends on the preferences in force, so that an old one does not change them back.
"""

from __future__ import annotations

import re

from orders.vocabulary import PREFERENCES
from pbem.base.clock import zone_named
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
_CONFIRM = re.compile(r"(?i)\bconfirm SET ((?:[a-z]+=\S+ )+)code ([0-9a-f]{12})\b")
MOST = 20
"""Preferences that are read from one mail."""
NAMES = tuple(map(str.lower, PREFERENCES))
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


def confirmed(letter: Letter) -> tuple[list[tuple[str, str]], str] | None:
    """Return the preferences and the code of the question that a mail answers, from its subject or
    from a quotation; None if it answers none."""
    for text in (letter.subject, *(leaf.text for leaf in letter.leaves)):
        if found := _CONFIRM.search(" ".join(re.sub(r"[>|]", " ", text).split())):
            pairs = (pair.partition("=") for pair in found[1].split())
            return [(name.lower(), value) for name, _, value in pairs][:MOST], found[2].lower()
    return None


def grant(game: Game, config: Config, arrived: Input, wishes: list[tuple[str, str]]) -> None:
    """Answer a mail without signature: with what holds, or with the question whether the
    preferences that can be met are meant. Nothing changes."""
    seat = arrived.claims
    met, problems = _met(config, wishes)
    if met:
        pairs = "".join(f"{name}={value} " for name, value in met.items())
        said = fill_note("confirm", wishes=pairs, code=_code(game, arrived, met), seat=seat)
        said = Note(said.subject, _with(problems, said.text))
    else:
        said = _answer(game, seat, _kept(game, seat), "", problems, config)
    _send(game, arrived, said, {})


def confirm(
    game: Game, config: Config, arrived: Input, wishes: list[tuple[str, str]], code: str
) -> None:
    """Record the preferences that a mail confirms, and answer with all that hold from now on."""
    met, problems = _met(config, wishes)
    if code != _code(game, arrived, met):
        met, problems = {}, [phrase("stale_code")]
    said, kept = _granted(game, config, arrived.claims, arrived.reply, met, problems)
    _send(game, arrived, said, kept)


def prefer(game: Game, config: Config, seat: str, officer: int, words: str) -> None:
    """Record the preferences in a set in force of a seat, and mail which of them hold.

    officer: the number of the officer who signed the set. words: what stands behind PREFER.
    """
    found = list[tuple[str, str]]()
    for word in words.lower().split():
        if word in NAMES:
            found.append((word, ""))
        else:
            name, value = found[-1]
            found[-1] = name, f"{value} {word}".strip()
    met, problems = _met(config, found[:MOST])
    officers = secrets.addresses(game).get(seat, [])
    address = officers[officer - 1]["email"].lower() if 0 < officer <= len(officers) else ""
    said, kept = _granted(game, config, seat, address, met, problems)
    body = Noted(sides=[seat], side=seat, prefers=kept, mailed=[seat])
    game.commit(body, {mail_name(game, seat, "answer"): mail_to(game, seat, said)})


def _met(config: Config, wishes: list[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Return the preferences that are possible, and what to say of the others."""
    met, problems = dict[str, str](), list[str]()
    for name, value in wishes:
        try:
            met[name] = _checked(config, name, value)
        except Usage as error:
            problems.append(f"{error.message}; {error.hint}")
    return met, problems


def _granted(
    game: Game, config: Config, seat: str, address: str, met: dict[str, str], problems: list[str]
) -> tuple[Note, dict[str, str]]:
    """Return the answer to preferences that hold from now on, and these as the ledger keeps them. A
    time zone is kept beside the address of the officer who wrote."""
    kept = dict(met)
    if "zone" in met:
        _move(game, seat, address, met["zone"])
        kept["zone"] = secrets.salted(game, met["zone"])
    after = {**_kept(game, seat), **kept}
    return _answer(game, seat, after, met.get("zone", ""), problems, config), kept


def _send(game: Game, arrived: Input, said: Note, kept: dict[str, str]) -> None:
    """Record preferences and the answer to a mail, as one commit."""
    seat = arrived.claims
    name = mail_name(game, seat, "answer")
    body = Noted(
        sides=[seat], side=seat, answer="set", prefers=kept, mail=arrived.mail, mailed=[seat]
    )
    game.commit(body, {name: mail_to(game, seat, said, [arrived.reply])})


def _kept(game: Game, seat: str) -> dict[str, str]:
    """Return the preferences of a seat, as the ledger has them."""
    return dict(game.register.mail_state.preferences.get(seat, {}))


def _code(game: Game, arrived: Input, met: dict[str, str]) -> str:
    """Return the code that confirms preferences: of the seat, the address and what holds now."""
    now = [
        *sorted(_kept(game, arrived.claims).items()),
        ("zone", secrets.zone_of(game, arrived.claims)),
    ]
    asked = " ".join(f"{name}={value}" for name, value in [*sorted(met.items()), *now])
    return secrets.salted(game, f"prefer {arrived.claims} {arrived.reply} {asked}")[:12]


def _checked(config: Config, name: str, value: str) -> str:
    """Return the value of a preference as it is kept. Raises Usage, which says what is possible."""
    if name == "zone":
        return zone_named(value)
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
    return Note(said.subject, _with(problems, said.text))


def _with(problems: list[str], text: str) -> str:
    """Return a text after what is not possible."""
    wrong = [wrap(phrase("not_set", why=ascii_fold(line))) for line in problems]
    return "\n".join([*wrong, *[""] * bool(wrong), text])


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
