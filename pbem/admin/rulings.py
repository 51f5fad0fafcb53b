"""A moderator's ruling: a recorded decision, told to the sides, that may change the game.

A ruling may edit the state (`pbem.engine.edits`) and permit another edition. Both open a window
with the next number and new reports, and make the orders of the open window void: orders are
checked against the report that they answer. After an undo that kept the orders no window opens;
the orders are run again from the edited state. All sides are told that there is a ruling; only the
sides that it names are told its text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, parse, stamp
from pbem.engine.drive import Drive, asks, encode_position, pace_of
from pbem.engine.position import Position, encode
from pbem.engine.runner import amend
from pbem.errors import Busy, Diverged, Misprint, Usage
from pbem.model import System, Unfit, Window
from pbem.store import holders as kept
from pbem.store.game_dir import Game
from pbem.store.ledger import Ledger
from pbem.store.records import Edit, Edition, Ruled
from pbem.store.register import Register
from pbem.store.seats import mailed_seats
from pbem.text.messages import Note, fill_note, phrase
from pbem.text.toml_input import Key, misprint, tables, typed
from pbem.turns.close_window import SHOWN, position_of, require_pinned

HINT = 'a ruling is: text = "what holds", and perhaps rule, to, [[edit]], [permit]'


class Permit(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition with which a game goes on."""

    edition: str
    data: str
    """Digest of its data files, or the first digits of it."""


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a ruling file."""

    text: str
    """What is decided."""
    rule: str = ""
    """The number of the rule that it interprets."""
    to: list[str] | None = None
    """The sides that are told the text; None for all."""
    edit: list[Edit] = []
    """Changes of the state."""
    permit: Permit | None = None
    """The edition to go on with."""


class RulingFile(Struct, frozen=True):
    """A ruling and the file that it was read from, for error messages that point into it."""

    ruling: Ruling
    text: str
    """The content of the file."""
    where: str
    """The name of the file in messages."""

    def error(self, path: Sequence[Key], code: str, said: str, hint: str = HINT) -> Misprint:
        """Return an error about the value at `path`."""
        return misprint(self.text, self.where, path, code, said, hint)


def read_ruling(content: str, where: str) -> RulingFile:
    """Parse a ruling from TOML. where: the file's name in messages. Raises Misprint."""
    found = tables(content, where, HINT)
    file = RulingFile(typed(found, Ruling, content, where, lambda _: HINT), content, where)
    if not file.ruling.text.strip():
        raise file.error(["text"], "value", "text is empty", "say what holds from now on")
    return file


def rule(game: Game, system: System, file: RulingFile, reason: str) -> Ruled:
    """Record a ruling, carry it out and tell the sides; return its record.

    Raises Busy; Misprint for errors in the file; Usage; Diverged if the permitted edition computes
    another state for the turn so far.
    """
    from pbem.admin.commands import require_running

    require_running(game)
    register, ruling = game.register, file.ruling
    _require_sides(register, file)
    body = Ruled(
        window=register.window,
        rule=ruling.rule,
        text=ruling.text,
        reason=reason,
        timely=timely(register),
        to=ruling.to,
    )
    if not (ruling.edit or ruling.permit):
        return _announce(game, body, {})
    if register.running:
        raise Busy(f"{game.name} is in a run of agreed turns", f"`pbem run {game.name}` first")
    body = _changing(game, system, file, body)
    drive = _checked(game, system, file, body)
    if body.opens:
        return _reopen(game, drive, body)
    data, name = encode_position(drive)
    return _announce(game, replace(body, position=name), {f"state/{name}.json": data})


def timely(register: Register) -> bool:
    """Tell whether no orders have arrived for the open window.

    A later ruling might be made in knowledge of the orders, so audits mark it, and reports once the
    window has closed: as long as it is open nobody learns whether another side has sent orders.
    """
    return not (register.sets or register.locked)


def _require_sides(register: Register, file: RulingFile) -> None:
    for i, side in enumerate(file.ruling.to or ()):
        if side not in register.sides:
            known = f"sides: {', '.join(register.sides)}"
            raise file.error(["to", i], "unknown-side", f"there is no side {side!r}", known)


def _changing(game: Game, system: System, file: RulingFile, body: Ruled) -> Ruled:
    """Return the record with its edits, its permit and the window that it opens."""
    register, permit = game.register, file.ruling.permit
    body = replace(body, edits=_edits(system, file))
    if permit:
        body = _permitting(game, system, file, permit, body)
    else:
        require_pinned(game, system)
    return body if register.rerun and not permit else replace(body, opens=register.used + 1)


def _edits(system: System, file: RulingFile) -> list[Edit]:
    """Return the edits, each checked for its kind and keys. Raises Misprint."""
    from pbem.engine.edits import kinds

    known = kinds(system)
    for i, edit in enumerate(file.ruling.edit):
        what = edit.get("do")
        if what not in known:
            hint = f"do is one of {', '.join(known)}; `pbem rules {system.name}` shows them"
            said = f"do = {what!r} is not a known edit" if what else "the key `do` is missing"
            raise file.error(["edit", i, "do"], "unknown-edit", said, hint)
        hint = f"keys of {what}: {', '.join(known[what].__struct_fields__)}"
        typed(edit, known[what], file.text, file.where, partial(_same, hint), ("edit", i))
    return file.ruling.edit


def _same(hint: str, path: Sequence[Key]) -> str:
    return hint


def _permitting(game: Game, system: System, file: RulingFile, permit: Permit, body: Ruled) -> Ruled:
    """Return the record with the permitted edition and the position that it continues.

    The ruling must name the edition that is installed. Raises Misprint.
    """
    mine = f"this is edition {system.edition}, data {system.digest()}"
    if permit.edition != system.edition:
        raise file.error(["permit", "edition"], "edition", "it permits another edition", mine)
    if len(permit.data) < SHOWN or not system.digest().startswith(permit.data):
        raise file.error(["permit", "data"], "data", "it permits other data files", mine)
    taken = game.read("state", f"{game.register.position}.json").decode("utf-8")
    return replace(body, permit=edition_of(system), resumed=taken)


def drive_after(
    register: Register, system: System, position: Position | None, body: Ruled
) -> Drive:
    """Return the game as it is after a ruling; audits use this too.

    position: that of the open window; None if the record of a permit contains it. Raises Unfit,
    Diverged, ValueError.
    """
    if body.resumed is not None:
        taken = body.resumed.encode("utf-8")
        if sha256(taken).hexdigest() != register.position:
            raise ValueError("it resumes another position than that of the open window")
        position = carried_over(system, msgspec.json.decode(taken, type=Position))
    if position is None:
        raise ValueError("it changes a state that is not there")
    drive = Drive.resume(system, register.sides, register.options, position)
    if body.edits:
        drive.amend(body.edits)
    ruled = replace(drive.position(), window=Window(body.opens or register.window))
    return Drive.resume(system, register.sides, register.options, ruled)


def carried_over(system: System, position: Position) -> Position:
    """Convert a position of another edition: fields that are new get their defaults, those that are
    gone are left out. Raises msgspec.ValidationError."""
    return replace(
        position,
        snapshot=msgspec.Raw(encode(msgspec.json.decode(position.snapshot, type=system.state))),
        live=msgspec.Raw(encode(msgspec.json.decode(position.live, type=system.state))),
    )


def edit_without_effect(system: System, position: Position, edits: Sequence[Edit]) -> int | None:
    """Return the index of the first edit that changes nothing, or None.

    Such an edit would still open the next window, and so give the moderator new dice for free.
    """
    state = msgspec.json.decode(position.live, type=system.state)
    for i, edit in enumerate(edits):
        before = encode(state)
        amend(system, state, [edit])
        if encode(state) == before:
            return i
    return None


def _checked(game: Game, system: System, file: RulingFile, body: Ruled) -> Drive:
    """Return the game after the ruling, checked: it is consistent and can go on.

    Raises Misprint, Usage, Diverged.
    """
    register = game.register
    try:
        position = position_of(game, register.position)
        drive = drive_after(register, system, position, body)
        idle = edit_without_effect(system, position, body.edits or ())
        if idle is not None:
            raise file.error(
                ["edit", idle],
                "unfit",
                "this edit changes nothing",
                "remove it; a ruling without edits opens no window",
            )
    except Unfit as unfit:
        path = ["edit", unfit.at, *([unfit.key] if unfit.key else ())]
        raise file.error(path, "unfit", unfit.text, unfit.hint) from None
    except msgspec.ValidationError as error:
        raise Usage(f"this edition cannot read the position of {game.name}: {error}") from None
    except Diverged as error:
        raise Diverged(error.message, "finish the turn with the release that began it") from None
    _require_sound(system, drive, register, file)
    return drive


def _require_sound(system: System, drive: Drive, register: Register, file: RulingFile) -> None:
    """Raise Misprint unless the invariants hold, each view can be made, and the window can close.

    The window is closed on a copy with trial dice: an edit may break a rule that only runs later.
    """
    from pbem.dice.sources import Seeded

    trial = Drive.resume(system, register.sides, register.options, drive.position())
    try:
        system.audit(drive.state)
        for side in drive.sides:
            drive.view(side)
        trial.close({}, Seeded("trial", b""))
        system.audit(trial.state)
    except (AssertionError, LookupError, TypeError, ValueError) as error:
        what = str(error) if isinstance(error, AssertionError) else f"it cannot go on: {error!r}"
        hint = "nothing was changed; another edit may correct it"
        raise file.error(
            ["edit", 0], "broken", f"the position would not be valid: {what}", hint
        ) from None


def _reopen(game: Game, drive: Drive, body: Ruled) -> Ruled:
    """Replace the open window by one with the next number; every side gets a report."""
    from pbem.turns.open_window import NewWindow, fields, issue

    at, deadline = stamp(now()), _deadline(game.register, drive)
    data, name = encode_position(drive)
    body = replace(body, position=name, deadline=deadline, **asks(drive))
    with as_if_recorded(game.register, body):
        issued = issue(game, NewWindow(drive, None, at, deadline), name)
    files = {**issued.files, f"state/{name}.json": data}
    game.commit(replace(body, **fields(issued)), files, at)
    return body


def _deadline(register: Register, drive: Drive) -> str:
    """Return the deadline of a window that a ruling opens.

    It comes from the schedule; without one the old deadline stays, unless it has passed.
    """
    if register.mail_state.schedule:
        from pbem.turns.schedule import deadline_for

        return deadline_for(register, pace_of(drive.pause), drive.pause.owed)
    ahead = register.deadline and parse(register.deadline) > now()
    return register.deadline if ahead else ""


def _announce(game: Game, body: Ruled, files: Mapping[str, bytes]) -> Ruled:
    """Commit a ruling that opens no window, with a note to every side."""
    from pbem.outbound.notices import notices

    told = game.register.sides if body.to is None else body.to
    mails: dict[str, bytes] = {}
    for side in mailed_seats(game.register):
        mails |= notices(game, [side], notice(body, side in told), "note")
    game.commit(replace(body, mailed=list(mailed_seats(game.register))), {**mails, **files})
    return body


def notice(body: Ruled, told: bool) -> Note:
    """Return the note to a side about a ruling that opens no window. told: with its text.

    Whether orders were in is told by reports, once the window has closed (docs/trust.md).
    """
    about = f"Rule {body.rule}: " if body.rule else ""
    text = f"{about}{body.text.strip()}" if told else phrase("ruling_hidden")
    said = fill_note("ruling", window=body.window or 0, said=text)
    if body.position:
        said = said.with_part("ruled_anew")
    return said.with_part("reason", reason=body.reason) if told and body.reason else said


@contextmanager
def as_if_recorded(register: Register, body: Ruled) -> Iterator[None]:
    """Count the ruling in the register while its own reports are made, as they mention it."""
    before = register.rulings
    register.rulings = [*before, kept.Ruling.of(body, "", body.window or 0)]
    try:
        yield
    finally:
        register.rulings = before


# For audits


def is_consistent(register: Register, body: Ruled) -> bool:
    """Tell whether the fields of a ruling's record agree with the records before it."""
    if body.window is None:  # an early game: its rulings could not change anything
        return not body.position
    free = bool(register.window) and not register.over
    fits = (body.window, body.timely) == (register.window, timely(register)) and free
    if not body.position:
        return fits
    number = body.opens or (0 if register.rerun and not body.permit else -1)
    return fits and not register.running and number in (0, register.used + 1)


def edition_of(system: System) -> Edition:
    """Return the installed edition of a system."""
    return Edition(system.edition, system.digest())


def edition(pinned: Edition) -> str:
    """Return an edition in words."""
    return f"edition {pinned.edition}, data {pinned.data[:SHOWN]}"


def permits(ledger: Ledger, system: System) -> bool:
    """Tell whether a ruling of the game permits the installed edition."""
    mine, ruled = edition_of(system), (record.body for record in ledger.records({"ruled"}))
    return any(isinstance(body, Ruled) and body.permit == mine for body in ruled)


def audit_flag(record: int, body: Ruled) -> str:
    """Return what an audit says about a ruling."""
    done = "changed the state" if body.edits else "was recorded"
    if body.permit:
        done = f"permits {edition(body.permit)}"
    late = ", after orders for its window had come in" if body.timely is False else ""
    return f"record {record}: a ruling {done}{late}: {body.reason}"
