"""Handle one mail to a game: receive orders, record bounces, answer commands.

Other mail from people is forwarded to the moderator. A program is answered only with the receipt of
a new valid set, dice link or change of keys (RFC 3834). So is an address that has had the daily
limit of replies: anybody can write it. What a registered key has signed has a limit of its own,
from whatever address it comes. Other mail from an address that is not registered is not answered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from orders.canon import Unit, decode, streams
from orders.header import read_header
from pbem.base.config import Config
from pbem.errors import PbemError, Usage
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import first_words, is_signature, orders_of, signed
from pbem.inbound.authenticate import is_form
from pbem.inbound.decrypt import readable
from pbem.inbound.intake import Outcome, receive
from pbem.inbound.letter import Letter
from pbem.inbound.own_words import unquoted
from pbem.inbound.spool import forward_to_moderator, pass_words, tell
from pbem.inbound.wishes import confirm, confirmed, grant, wishes_of
from pbem.model import System
from pbem.outbound.forward import resend
from pbem.outbound.notices import local_for, mail_name, mail_to
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Bounced, Noted
from pbem.text.layout import ascii_fold
from pbem.text.messages import Note, fill_note, phrase

MOST = 200
"""Refusals a day that mail in the name of one side, or from unregistered addresses, may add to a
ledger, so that nobody can make it grow without limit. What registered keys sign is still read."""


class LetterCounts(Struct):
    """Counts of what letters contained."""

    taken: int = 0
    """Accepted order sets."""
    partly: int = 0
    """Those among them of which some orders do not count."""
    joined: int = 0
    """Players who joined."""
    links: int = 0
    """Accepted dice links."""
    keys: int = 0
    """Changes of keys."""
    refused: int = 0
    """Refused order sets, links and changes of keys."""
    answered: int = 0
    """Letters that were answered with a mail of their own."""
    bounced: int = 0
    """Mails of the game that came back."""
    passed: int = 0
    """Letters forwarded to the moderator."""
    beside: int = 0
    """Letters with orders whose other words were passed on to the moderator."""
    pressed: int = 0
    """Messages of press that were sent."""

    def count(self, outcome: Outcome) -> None:
        """Count the outcome of one part of a mail; what was known before is not counted."""
        self.refused += outcome.status == "refused"
        self.partly += outcome.status == "partly"
        if outcome.status in ("accepted", "partly"):
            code = outcome.receipt["code"]
            self.links += code == "revealed"
            self.keys += code == "rekeyed"
            self.taken += not code


def deal(
    home: Path,
    game: Game,
    system: System,
    config: Config,
    letter: Letter,
    raw: bytes,
    dealt: LetterCounts,
) -> None:
    """Handle one letter, and count in `dealt` what it contained.

    Handling the same mail again changes nothing: its records name it by its digest. A new mail with
    an old set is answered within the daily limit, since anybody who has the set can send it.
    Raises PbemError, OSError.
    """
    key, came = secrets.raw_digest(game, raw)[:32], letter
    letter = readable(game, came)
    dealt.bounced += _note_bounces(home, game, config, letter)
    side = side_of(game, letter.sender)
    had = game.register.mail_state.answers.get(side, 0) if _today(game) else 0
    arrived = Input(
        name="mail",
        raw=b"",
        mail=key,
        arrival=letter.arrived,
        claims=side,
        reply=letter.sender,
        machine=bool(letter.machine),
        mute=bool(letter.machine) or had >= config.limits.answers,
        answers=config.limits.answers,
        flood=had >= max(MOST, config.limits.answers),
    )
    if side and had >= config.limits.answers > 0:
        _tell_limit(home, game, config, side)
    inputs = _inputs(game, letter, arrived)
    pressed = _receive_press(game, arrived, letter, dealt)
    if pressed:  # unsigned orders beside press are a quoted form
        inputs = [one for one in inputs if signed(one)]
    outcomes = _receive_all(game, system, inputs, key)
    for outcome in outcomes:
        dealt.count(outcome)
    if outcomes or (inputs and not arrived.flood):
        if side or any(one.status != "refused" for one in outcomes):
            dealt.beside += _pass_words(home, game, config, came, key)
    elif letter.bounces:
        return  # nothing else in a delivery report is for us
    elif _joined(game, letter):
        dealt.joined += 1
    elif not side and _unsubscribed(home, game, config, letter):
        dealt.answered += 1
    elif pressed:
        dealt.beside += _pass_words(home, game, config, came, key)
    elif not _answered(game, config, arrived, letter, dealt):
        flooded = bool(inputs) and arrived.flood
        dealt.passed += _pass_on(home, game, config, came, raw, key, flooded)
    if letter.secret and side and not arrived.mute and key not in game.register.mail_state.handled:
        _send_answer(game, arrived, "secret", fill_note("secret"))  # beside what else it brought


def _receive_all(game: Game, system: System, inputs: Sequence[Input], key: str) -> list[Outcome]:
    """Receive the orders of a letter; return what became of each. key: the name of its mail."""
    numbered = (replace(one, mail=f"{key}/{number}") for number, one in enumerate(inputs))
    return [outcome for one in numbered for outcome in receive(game, system, one)]


def _tell_limit(home: Path, game: Game, config: Config, side: str) -> None:
    """Tell the moderator, once a day, that mail in a side's name has had all replies of the day."""
    said = fill_note("spent", game=game.name, side=side, most=config.limits.answers)
    subject = f"{game.name}: {said.subject}"
    tell(home, config, subject, said.text, once=f"{subject} {game.register.mail_state.day}")


def _inputs(game: Game, letter: Letter, arrived: Input) -> list[Input]:
    """Return the orders in a letter: the signed ones, else those that the sender meant as orders.

    The unchanged form of a report is a quotation, and so is any form below a command. A quoted form
    with other orders is meant: phones let people edit the quotation.
    """
    inputs = orders_of(letter, arrived)
    if any(map(signed, inputs)):
        return inputs
    if letter.unreadable or _command(letter) in COMMANDS:
        return []
    if not inputs and arrived.claims:
        edited = orders_of(letter, arrived, quoted=True)
        return [one for one in edited if _is_edited(game, one)]
    read = [(one, streams(decode(one.raw))) for one in inputs]
    own = [one for one, units in read if not all(_is_form(game, one, u) for u in units)]
    quoted = any(_quotes_report(letter, unit) for _, units in read for unit in units)
    return own or ([] if quoted else inputs)


def _command(letter: Letter) -> str:
    """Return the first line of a letter, ready to be compared with COMMANDS."""
    return first_words(letter).upper().strip(" .!?*'\"\u2018\u2019\u201c\u201d")


def _is_form(game: Game, one: Input, unit: Unit) -> bool:
    """Whether a block is the unchanged form of a report to the side that the sender claims."""
    return bool(one.claims) and is_form(game, one.claims, unit)


def _is_edited(game: Game, one: Input) -> bool:
    """Whether a quotation has a whole set of orders that is not the form of a report."""
    units = [unit for unit in streams(decode(one.raw)) if not unit.error]
    whole = [unit for unit in units if read_header(unit.tokens)[0]]
    return any(not _is_form(game, one, unit) for unit in whole)


def _quotes_report(letter: Letter, unit: Unit) -> bool:
    """Whether the letter quotes the whole report that the form belongs to.

    Some programs put it below an answer without marking it. Its digest is then in the letter beside
    that in the header of the form, which comes as a file: at the foot of the report. Reports of
    earlier releases have the form in their text.
    """
    header, _, _ = read_header(unit.tokens)
    mark = header.report[:8].upper() if header else ""
    texts = [leaf.text.upper() for leaf in letter.leaves]
    return bool(mark) and any(
        text.count(mark) > ("BEGIN ORDERS" in text) for text in texts if mark in text
    )


def _receive_press(game: Game, arrived: Input, letter: Letter, dealt: LetterCounts) -> bool:
    """Send the press in a letter, or tell its sender why it is not sent.

    Return whether there was any. At most as many messages are read as a side may send a day.
    """
    from pbem.admin.press import MOST, Refused, blocks, send

    if not arrived.claims or arrived.mute:
        return False
    for leaf in letter.leaves:
        found = blocks(leaf.text, arrived.claims)
        for number, one in enumerate(found[:MOST]):
            mail = f"{arrived.mail}/press{number}"
            if mail in game.register.mail_state.handled:
                continue
            try:
                send(game, replace(one, mail=mail))
                dealt.pressed += 1
            except Refused as error:
                hint = error.hint[:1].upper() + error.hint[1:]
                said = fill_note("unsent", why=error.message, hint=hint)
                _send_answer(game, replace(arrived, mail=mail), "press", said)
                dealt.answered += 1
        if found:
            return True
    return False


def side_of(game: Game, address: str) -> str:
    """Return the side that has an officer with this address, empty if none has."""
    for side, officers in secrets.addresses(game).items():
        if any(address and one["email"].lower() == address for one in officers):
            return side
    return ""


def _today(game: Game) -> bool:
    """Whether the daily counts in the register are those of today."""
    from pbem.base.clock import now, stamp

    return game.register.mail_state.day == stamp(now())[:10]


def _note_bounces(home: Path, game: Game, config: Config, letter: Letter) -> int:
    """Record bounces and tell the moderator; return how many mails of the game came back."""
    from pbem.outbound.deliver import bounce_of, undelivered

    count = 0
    for bounce in letter.bounces:
        name = bounce_of(game, bounce.id)
        if name and name not in game.register.mail_state.bounced:
            code = bounce.status or "failed"
            said = undelivered(game, name, code)
            tell(home, config, f"{game.name}: {said.subject}", said.text)
            game.commit(Bounced(mail=name, code=code))
            count += 1
    return count


def _joined(game: Game, letter: Letter) -> bool:
    """Register the player if the letter answers an invitation; return whether it does, also when he
    is registered already."""
    from pbem.admin.letters import SeatTaken, enlist_by_letter
    from pbem.player.joining import is_join

    for leaf in letter.leaves:
        raw = leaf.text.encode("utf-8", "replace")
        if is_join(raw):
            try:
                enlist_by_letter(game, raw)
            except SeatTaken:
                _too_late(game, raw)
            except Usage as error:
                return "registered already" in error.message
            return True
    return False


def _unsubscribed(home: Path, game: Game, config: Config, letter: Letter) -> bool:
    """Remove a spectator who asks for it, and tell the moderator; return whether there was one.

    A mail with his address is enough: whoever forges it ends his mail, and nothing else, and the
    moderator can add him again. Many mail programs write such a mail at the push of a button.
    """
    from pbem.outbound import spectators

    if "UNSUBSCRIBE" not in (_command(letter), letter.subject.upper().strip()):
        return False
    known = spectators.addresses(game)
    for number in game.register.spectators:
        if known[str(number)].lower() == letter.sender:
            spectators.dismiss(game, number)
            said = fill_note("unsubscribed", game=game.name, number=number)
            tell(home, config, f"{game.name}: {said.subject}", said.text)
            return True
    return False


def _too_late(game: Game, raw: bytes) -> None:
    """Tell somebody who answered a joining letter that the seat is taken, or the game over. The
    letter had been sent to his address, so he may be answered there."""
    from pbem.outbound.notices import early_mail
    from pbem.player.joining import read_join

    join = read_join(raw)
    email = secrets.letters(game)[join["letter"]]["email"]
    if not secrets.mark_letter(game, join["letter"], "late"):
        return  # he knows
    said = fill_note("taken", side=join["side"], game=game.name)
    if game.register.over:
        said = fill_note("over_before", game=game.name)
    mail = early_mail(game, join["side"], email, said)
    game.commit(Noted(sides=[], side=join["side"], mailed=[join["side"]]), mail)


def _answered(
    game: Game, config: Config, arrived: Input, letter: Letter, dealt: LetterCounts
) -> bool:
    """Answer a command or an unreadable letter once, unless its sender must not be answered.

    Return whether nothing is left to do: an unreadable letter still goes to the moderator.
    """
    command, lacking = _command(letter), _lacking(letter)
    unreadable = "" if command in COMMANDS else letter.unreadable
    wishes = None if unreadable else wishes_of(letter)
    agreed = None if unreadable or wishes is not None else confirmed(letter)
    named = command in COMMANDS or bool(agreed) or wishes is not None
    if not (named or unreadable or lacking) or not arrived.claims:
        return False
    if not arrived.mute and arrived.mail not in game.register.mail_state.handled:
        if command == "RESEND" and game.register.window:
            resend(game, arrived.claims, game.register.window, arrived.mail)
        elif wishes is not None:
            grant(game, config, arrived, wishes)
        elif agreed:
            confirm(game, config, arrived, *agreed)
        else:
            _reply(game, arrived, command.lower(), unreadable, lacking)
        dealt.answered += 1
    return named or bool(lacking and lacking[0] == "lone" and not unreadable)


def _lacking(letter: Letter) -> tuple[str, Note] | None:
    """Return what to answer to a letter without orders that can be read, whose sender may think
    that they are in it, or who has mailed his key, and a word for that; None for all others."""
    if letter.secret:
        return "secret", fill_note("secret")
    for leaf in letter.leaves:
        if is_signature(leaf) and "BEGIN SSH SIGNATURE" in leaf.text:
            return "lone", fill_note("lone", name=ascii_fold(leaf.name)[:40])
    if letter.documents:
        return "document", fill_note("document", name=ascii_fold(letter.documents[0])[:40])
    own = [unquoted(leaf.text).upper() for leaf in letter.leaves]
    said = [" ".join(text.split()) for text in own]
    orders = any(map(_REMAINS.search, said)) or any(map(_ORDER.search, own))
    if orders and not any(map(_BLOCK.search, said)):
        return "headless", fill_note("headless")
    return None


def _reply(
    game: Game, arrived: Input, command: str, unreadable: str, lacking: tuple[str, Note] | None
) -> None:
    """Send the answer to a command in lower case, or to a letter that is unreadable or lacks its
    orders."""
    if unreadable:
        _send_answer(game, arrived, "unreadable", fill_note("unreadable", why=unreadable))
    elif lacking and command.upper() not in COMMANDS:
        _send_answer(game, arrived, *lacking)
    elif command == "status":
        _send_answer(game, arrived, command, _status(game, arrived.claims))
    else:
        _send_answer(game, arrived, command, _help(game))


def _help(game: Game) -> Note:
    """Compose the help text; press is mentioned only in games that allow it."""
    from pbem.admin.press import policy

    said = fill_note("help", game=game.name)
    said = said.with_part("help_press") if policy(game) != "none" else said
    return said.with_part("help_else")


def _send_answer(game: Game, arrived: Input, command: str, said: Note) -> None:
    """Record an answer to a letter together with its mail."""
    side = arrived.claims
    name = mail_name(game, side, "answer")
    mail = mail_to(game, side, said, [arrived.reply])
    body = Noted(sides=[side], side=side, answer=command, mail=arrived.mail, mailed=[side])
    game.commit(body, {name: mail})


def _status(game: Game, side: str) -> Note:
    """Compose the status of a side. It tells nothing about other sides."""
    register, said = game.register, fill_note("status")
    if not register.window:
        return said.with_part("status_before", game=game.name)
    if register.over:
        return said.with_part("status_after", game=game.name, result=register.over.result)
    said = said.with_part("status_open", game=game.name, window=register.window)
    if register.held:
        said = said.with_part("status_held")
    if register.deadline:
        closes = local_for(game, side, register.deadline)
        said = said.with_part("status_closes", deadline=closes)
    mine = {str(s): one for s, one in register.sets.items()}.get(side)
    if mine is None:
        return said.with_part("status_none" if side in register.owing else "status_free")
    return said.with_part("status_whole" if mine.final else "status_part", seq=mine.seq)


def _pass_on(
    home: Path, game: Game, config: Config, letter: Letter, raw: bytes, key: str, flooded: bool
) -> bool:
    """Forward a letter to the moderator unless a program wrote it; return whether it was forwarded.

    A subject alone does not prove a program: a person may have written it. The sender gets no
    answer. flooded: it has orders, which were not judged.
    """
    if letter.machine not in ("", "Subject") and not letter.unreadable:
        return False
    form = any("BEGIN ORDERS" in leaf.text.upper() for leaf in letter.leaves)
    left = phrase("kept_flood" if flooded else "kept_form" if form else "kept_empty")
    why = letter.unreadable or left
    said = fill_note("kept", game=game.name, sender=letter.sender or phrase("kept_nobody"), why=why)
    return forward_to_moderator(
        home, config, f"{game.name}: {said.subject}", said.text, letter, raw, key
    )


def _pass_words(home: Path, game: Game, config: Config, letter: Letter, key: str) -> bool:
    """Pass on to the moderator what a person wrote beside orders; return whether there was any.

    A program's words are left out, and the lines of the report that is answered.
    """
    from pbem.inbound.own_words import own_words

    if letter.machine not in ("", "Subject") or letter.unreadable:
        return False
    words = own_words(letter) and own_words(letter, _report_lines(game, letter.sender))
    return bool(words) and pass_words(home, config, game.name, letter.sender, words, key)


def _report_lines(game: Game, address: str) -> set[str]:
    """Return the lines of the newest report to the side of an address and of its order form, blanks
    reduced to one."""
    side, window = side_of(game, address), game.register.window
    if not (side and window):
        return set()
    try:
        found = [
            game.find(f"reports/{side}/{window}", name) for name in ("report.txt", "orders.txt")
        ]
    except PbemError:
        return set()
    lines = b"\n".join(found).decode("ascii", "replace").splitlines()
    return {" ".join(line.split()) for line in lines}


_REMAINS = re.compile(r"\b(END ORDERS|BEGIN SEAL|BEGIN ORDER|BEGINORDERS)\b")
"""What is left of a set whose first line is missing or mistyped, in upper case."""
_ORDER = re.compile(r"^[ \t]*@?\"?[A-Z][A-Z0-9 .'-]{1,40}\"?:[ \t]*[A-Z][^;\n]*;[ \t\r]*$", re.M)
"""A line that orders something, in upper case: a name, a colon, words, a semicolon."""
_BLOCK = re.compile(r"\bBEGIN (ORDERS|PRESS|JOIN|KEYS|REVEAL|LETTER|WISH)\b")
"""How a block for the referee begins."""
COMMANDS = ("HELP", "STATUS", "RESEND")
"""First lines of a mail that the referee answers by itself."""
