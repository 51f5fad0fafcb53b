"""What is done with one mail to a game: orders are taken, bounces noted, short questions answered;
what a person wrote besides goes to the moderator.

Machines are answered by nothing but the receipt of a new valid set (RFC 3834); so is whoever
had his share of answers today. Nobody is answered whose address is not registered.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from orders.canon import Unit, decode, streams
from orders.header import read_header
from pbem.base.config import Config
from pbem.errors import Usage
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import first_words, orders_of, signed
from pbem.inbound.authenticate import is_form
from pbem.inbound.decrypt import readable
from pbem.inbound.intake import Outcome, receive
from pbem.inbound.letter import Letter
from pbem.inbound.spool import forward_to_moderator, tell
from pbem.model import System
from pbem.outbound.forward import resend
from pbem.outbound.notices import mail_name, mail_to
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Bounced, Noted
from pbem.text.layout import local
from pbem.text.messages import Note, phrase, worded

STRANGERS = 200
"""Refusals a day that senders unknown may put into a ledger; more of them are only kept."""


class Dealt(Struct):
    """What letters brought: sets in force, players who joined, dice links, changes of keys,
    refusals, answers, bounces, what went on to the moderator, and press."""

    taken: int = 0
    joined: int = 0
    links: int = 0
    keys: int = 0
    refused: int = 0
    answered: int = 0
    bounced: int = 0
    passed: int = 0
    pressed: int = 0

    def count(self, outcome: Outcome) -> None:
        """What became of one unit of mail; what came before counts for nothing."""
        self.refused += not outcome.good
        if outcome.status == "accepted":
            code = outcome.receipt["code"]
            self.links += code == "revealed"
            self.keys += code == "rekeyed"
            self.taken += not code


def deal(
    home: Path, game: Game, system: System, config: Config, letter: Letter, raw: bytes, dealt: Dealt
) -> None:
    """Deal with one letter. Dealing with it again changes nothing."""
    key, came = secrets.raw_digest(game, raw)[:32], letter
    letter = readable(game, came)
    dealt.bounced += _note_bounces(home, game, config, letter)
    side = side_of(game, letter.sender)
    had = game.register.affairs.answers.get(side, 0) if _today(game) else 0
    arrived = Input(
        name="mail",
        raw=b"",
        mail=key,
        arrival=letter.arrived,
        claims=side,
        reply=letter.sender,
        mute=bool(letter.machine) or had >= config.limits.answers,
        answers=config.limits.answers,
    )
    inputs = _inputs(game, letter, arrived)
    pressed = _receive_press(game, arrived, letter, dealt)
    if pressed:  # beside press, orders that nobody signed are a quoted form
        inputs = [one for one in inputs if signed(one)]
    if inputs and (side or had < STRANGERS):
        for number, one in enumerate(inputs):
            for outcome in receive(game, system, replace(one, mail=f"{key}/{number}")):
                dealt.count(outcome)
    elif letter.bounces:
        return  # a delivery report says nothing else to us
    elif _joined(game, letter):
        dealt.joined += 1
    elif not pressed and not _answered(game, arrived, letter, dealt):
        dealt.passed += _pass_on(home, game, config, came, raw, key)


def _inputs(game: Game, letter: Letter, arrived: Input) -> list[Input]:
    """The orders in a letter: what is signed; else what its sender meant as orders, which a
    quoted form, or one below a short question, is not."""
    inputs = orders_of(letter, arrived)
    if any(map(signed, inputs)):
        return inputs
    if letter.unreadable or _command(letter) in COMMANDS:
        return []
    read = [(one, streams(decode(one.raw))) for one in inputs]
    own = [one for one, units in read if not all(_is_form(game, one, u) for u in units)]
    quoted = any(_quotes_report(letter, unit) for _, units in read for unit in units)
    return own or ([] if quoted else inputs)


def _command(letter: Letter) -> str:
    return first_words(letter).upper().strip(" .!?*")


def _is_form(game: Game, one: Input, unit: Unit) -> bool:
    return bool(one.claims) and is_form(game, one.claims, unit)


def _quotes_report(letter: Letter, unit: Unit) -> bool:
    """Whether the whole report of a form stands in the letter, as programs that mark nothing put
    it below an answer: its digest, in the form's header and again at the page's foot."""
    header, _, _ = read_header(unit.tokens)
    mark = header.report[:8].upper() if header else ""
    return bool(mark) and any(leaf.text.upper().count(mark) > 1 for leaf in letter.leaves)


def _receive_press(game: Game, arrived: Input, letter: Letter, dealt: Dealt) -> bool:
    """Whether the letter brought press of a side; sent, or its sender told why it is not. As many
    messages of it are looked at as a side may send a day."""
    from pbem.admin.press import MOST, Refused, blocks, send

    if not arrived.claims or arrived.mute:
        return False
    for leaf in letter.leaves:
        found = blocks(leaf.text, arrived.claims)
        for number, one in enumerate(found[:MOST]):
            mail = f"{arrived.mail}/press{number}"
            if mail in game.register.affairs.handled:
                continue
            try:
                send(game, replace(one, mail=mail))
                dealt.pressed += 1
            except Refused as error:
                hint = error.hint[:1].upper() + error.hint[1:]
                said = worded("unsent", why=error.message, hint=hint)
                _send_answer(game, replace(arrived, mail=mail), "press", said)
                dealt.answered += 1
        if found:
            return True
    return False


def side_of(game: Game, address: str) -> str:
    """The side whose officer has that address, empty when nobody has it."""
    for side, officers in secrets.addresses(game).items():
        if any(address and one["email"].lower() == address for one in officers):
            return side
    return ""


def _today(game: Game) -> bool:
    from pbem.base.clock import now, stamp

    return game.register.affairs.day == stamp(now())[:10]


def _note_bounces(home: Path, game: Game, config: Config, letter: Letter) -> int:
    """Record what came back, and tell the moderator; how many mails of the game that were."""
    from pbem.outbound.deliver import bounce_of, undelivered

    count = 0
    for bounce in letter.bounces:
        name = bounce_of(game, bounce.id)
        if name and name not in game.register.affairs.bounced:
            code = bounce.status or "failed"
            said = undelivered(game, name, code)
            tell(home, config, f"{game.name}: {said.subject}", said.text)
            game.commit(Bounced(mail=name, code=code))
            count += 1
    return count


def _joined(game: Game, letter: Letter) -> bool:
    """Whether the letter is a player's answer to an invitation, now or before."""
    from pbem.admin.setup import enlist_by_letter
    from pbem.player.joining import is_join

    for leaf in letter.leaves:
        raw = leaf.text.encode("utf-8", "replace")
        if is_join(raw):
            try:
                enlist_by_letter(game, raw)
            except Usage as error:
                return "registered already" in error.message
            return True
    return False


def _answered(game: Game, arrived: Input, letter: Letter, dealt: Dealt) -> bool:
    """Whether the letter was a short question, or one that cannot be read; answered if it may
    be, and not before."""
    command = _command(letter)
    unreadable = "" if command in COMMANDS else letter.unreadable
    if not (command in COMMANDS or unreadable) or not arrived.claims:
        return False
    if not arrived.mute and arrived.mail not in game.register.affairs.handled:
        if command == "RESEND" and game.register.window:
            resend(game, arrived.claims, game.register.window, arrived.mail)
        else:
            _reply(game, arrived, command.lower(), unreadable)
        dealt.answered += 1
    return not unreadable


def _reply(game: Game, arrived: Input, command: str, unreadable: str) -> None:
    if unreadable:
        _send_answer(game, arrived, "unreadable", worded("unreadable", why=unreadable))
    elif command == "status":
        _send_answer(game, arrived, command, _status(game, arrived.claims))
    else:
        _send_answer(game, arrived, command, _help(game))


def _help(game: Game) -> Note:
    """What the referee understands; of press only where the game has it."""
    from pbem.admin.press import policy

    said = worded("help", game=game.name)
    said = said.with_part("help_press") if policy(game) != "none" else said
    return said.with_part("help_else")


def _send_answer(game: Game, arrived: Input, command: str, said: Note) -> None:
    """Answer a letter by a small mail of its own."""
    side = arrived.claims
    name = mail_name(game, side, "answer")
    mail = mail_to(game, side, said, [arrived.reply])
    body = Noted(sides=[side], side=side, answer=command, mail=arrived.mail, mailed=[side])
    game.commit(body, {name: mail})


def _status(game: Game, side: str) -> Note:
    """What a side may ask at any time: its own standing, nothing of others."""
    register, said = game.register, worded("status")
    if not register.window:
        return said.with_part("status_before", game=game.name)
    if register.over:
        return said.with_part("status_after", game=game.name, result=register.over.result)
    said = said.with_part("status_open", game=game.name, window=register.window)
    if register.held:
        said = said.with_part("status_held")
    if register.deadline:
        closes = local(register.deadline, secrets.zone_of(game, side))
        said = said.with_part("status_closes", deadline=closes)
    mine = {str(s): one for s, one in register.sets.items()}.get(side)
    if mine is None:
        return said.with_part("status_none")
    return said.with_part("status_whole" if mine.final else "status_part", seq=mine.seq)


def _pass_on(home: Path, game: Game, config: Config, letter: Letter, raw: bytes, key: str) -> bool:
    """To the moderator, unless a machine wrote it (what a subject alone says of that may be a
    person's own words); the sender hears nothing from us."""
    if letter.machine not in ("", "Subject") and not letter.unreadable:
        return False
    why = letter.unreadable or phrase("kept_empty")
    said = worded("kept", game=game.name, sender=letter.sender or phrase("kept_nobody"), why=why)
    return forward_to_moderator(home, config, f"{game.name}: {said.subject}", said.text, letter, raw, key)


COMMANDS = ("HELP", "STATUS", "RESEND")
