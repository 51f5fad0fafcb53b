"""A moderator's ruling: recorded, told, and, where it says so, a change of the truth.

A ruling may edit the state (`pbem.engine.edits`) and permit another edition. Either opens the next
window number with new reports, because orders are judged by the report they answer; the orders of
the window that was open are void. Where an undo kept the orders, they are run again from the edited
state instead. That there was a ruling is told to all, what it says to whom the ruling names.
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
from pbem.engine.drive import Drive, Position, amend, encode, encode_position, pace_of
from pbem.errors import Busy, Diverged, Misprint, Usage
from pbem.model import System, Unfit, Window
from pbem.store import holders as kept
from pbem.store.game_dir import Game
from pbem.store.ledger import Ledger
from pbem.store.records import Edit, Edition, Ruled
from pbem.store.register import Register
from pbem.text.messages import Note, phrase, worded
from pbem.text.toml_input import Key, misprint, tables, typed
from pbem.turns.close_window import SHOWN, next_pace, position_of, require_pinned

HINT = 'a ruling is: text = "what holds", and perhaps rule, to, [[edit]], [permit]'


class Permit(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition that a game goes on with."""

    edition: str
    data: str  # digest of its data files, or the beginning of it


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """What a ruling's file says."""

    text: str  # what holds from now on
    rule: str = ""  # the rule's number
    to: list[str] | None = None  # the sides that are told, None for all
    edit: list[Edit] = []  # changes of the state
    permit: Permit | None = None  # another edition


class Paper(Struct, frozen=True):
    """A ruling with the file that it was read from, for what is said about it."""

    ruling: Ruling
    text: str  # the content of the file
    where: str  # what messages call the file

    def wrong(self, path: Sequence[Key], code: str, said: str, hint: str = HINT) -> Misprint:
        """The error about what stands there."""
        return misprint(self.text, self.where, path, code, said, hint)


def read_ruling(content: str, where: str) -> Paper:
    """The ruling in a TOML file. Raises Misprint."""
    found = tables(content, where, HINT)
    paper = Paper(typed(found, Ruling, content, where, lambda _: HINT), content, where)
    if not paper.ruling.text.strip():
        raise paper.wrong(["text"], "value", "text is empty", "say what holds from now on")
    return paper


def rule(game: Game, system: System, paper: Paper, reason: str) -> Ruled:
    """Record a ruling, do what it says, and tell of it; its record.

    Raises Busy, Misprint for what the file gets wrong, Usage, Diverged where another edition comes
    to another state.
    """
    from pbem.admin.commands import require_running

    require_running(game)
    register, ruling = game.register, paper.ruling
    _require_sides(register, paper)
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
        raise Busy(f"{game.name} runs on through agreed turns", f"`pbem run {game.name}` first")
    body = _changing(game, system, paper, body)
    drive = _tried(game, system, paper, body)
    if body.opens:
        return _reopen(game, drive, body)
    data, name = encode_position(drive)
    return _announce(game, replace(body, position=name), {f"state/{name}.json": data})


def timely(register: Register) -> bool:
    """Whether nothing had come in for the open window."""
    return not (register.sets or register.locked)


def _require_sides(register: Register, paper: Paper) -> None:
    for i, side in enumerate(paper.ruling.to or ()):
        if side not in register.sides:
            known = f"sides: {', '.join(register.sides)}"
            raise paper.wrong(["to", i], "unknown-side", f"there is no side {side!r}", known)


def _changing(game: Game, system: System, paper: Paper, body: Ruled) -> Ruled:
    """The record with what it says of a change: edits, permit, and the window that it opens."""
    register, permit = game.register, paper.ruling.permit
    body = replace(body, edits=_edits(system, paper))
    if permit:
        body = _permitting(game, system, paper, permit, body)
    else:
        require_pinned(game, system)
    return body if register.rerun and not permit else replace(body, opens=register.used + 1)


def _edits(system: System, paper: Paper) -> list[Edit]:
    """The edits, each understood. Raises Misprint."""
    from pbem.engine.edits import kinds

    known = kinds(system)
    for i, edit in enumerate(paper.ruling.edit):
        what = edit.get("do")
        if what not in known:
            hint = f"do is one of {', '.join(known)}; `pbem rules {system.name}` shows them"
            said = f"do = {what!r} is no edit" if what else "this edit lacks the key `do`"
            raise paper.wrong(["edit", i, "do"], "unknown-edit", said, hint)
        hint = f"keys of {what}: {', '.join(known[what].__struct_fields__)}"
        typed(edit, known[what], paper.text, paper.where, partial(_same, hint), ("edit", i))
    return paper.ruling.edit


def _same(hint: str, path: Sequence[Key]) -> str:
    return hint


def _permitting(game: Game, system: System, paper: Paper, permit: Permit, body: Ruled) -> Ruled:
    """The record with what it says of a permit: the edition at hand, and the position it takes
    over. Raises Misprint where it names another."""
    mine = f"this is edition {system.edition}, data {system.digest()}"
    if permit.edition != system.edition:
        raise paper.wrong(["permit", "edition"], "edition", "it permits another edition", mine)
    if len(permit.data) < SHOWN or not system.digest().startswith(permit.data):
        raise paper.wrong(["permit", "data"], "data", "it permits other data files", mine)
    taken = game.read("state", f"{game.register.position}.json").decode("ascii")
    return replace(body, permit=edition_of(system), resumed=taken)


def again(register: Register, system: System, position: Position | None, body: Ruled) -> Drive:
    """The game behind a ruling. position: of the open window, None where the record of a permit
    brings it. Raises Unfit, Diverged, ValueError."""
    if body.resumed is not None:
        taken = body.resumed.encode("ascii")
        if sha256(taken).hexdigest() != register.position:
            raise ValueError("it resumes another position than that of the open window")
        position = _carried_over(system, msgspec.json.decode(taken, type=Position))
    if position is None:
        raise ValueError("it changes a state that is not there")
    drive = Drive.resume(system, register.sides, register.options, position)
    if body.edits:
        drive.amend(body.edits)
    ruled = replace(drive.position(), window=Window(body.opens or register.window))
    return Drive.resume(system, register.sides, register.options, ruled)


def _carried_over(system: System, position: Position) -> Position:
    """A position of another edition in this one's form: fields that are new have their default."""
    return replace(
        position,
        snapshot=msgspec.Raw(encode(msgspec.json.decode(position.snapshot, type=system.state))),
        live=msgspec.Raw(encode(msgspec.json.decode(position.live, type=system.state))),
    )


def idle_edit(system: System, position: Position, edits: Sequence[Edit]) -> int | None:
    """The place of the first edit that changes nothing; None when each does something. One that
    does not would still open the next window, and with it new dice."""
    state = msgspec.json.decode(position.live, type=system.state)
    for i, edit in enumerate(edits):
        before = encode(state)
        amend(system, state, [edit])
        if encode(state) == before:
            return i
    return None


def _tried(game: Game, system: System, paper: Paper, body: Ruled) -> Drive:
    """The game behind the ruling, which holds together and can go on. Raises Misprint, Usage."""
    register = game.register
    try:
        position = position_of(game, register.position)
        drive = again(register, system, position, body)
        idle = idle_edit(system, position, body.edits or ())
        if idle is not None:
            raise paper.wrong(
                ["edit", idle],
                "unfit",
                "this edit changes nothing",
                "leave it away; a ruling without edits opens no window",
            )
    except Unfit as unfit:
        path = ["edit", unfit.at, *([unfit.key] if unfit.key else ())]
        raise paper.wrong(path, "unfit", unfit.text, unfit.hint) from None
    except msgspec.ValidationError as error:
        raise Usage(f"this edition cannot read the position of {game.name}: {error}") from None
    except Diverged as error:
        raise Diverged(error.message, "let the turn end by the release that began it") from None
    _require_sound(system, drive, register, paper)
    return drive


def _require_sound(system: System, drive: Drive, register: Register, paper: Paper) -> None:
    """The invariants hold, every side has its view, and the window can close. Raises Misprint."""
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
        hint = "nothing was changed; an edit more may put it right"
        raise paper.wrong(
            ["edit", 0], "broken", f"the position would be none: {what}", hint
        ) from None


def _reopen(game: Game, drive: Drive, body: Ruled) -> Ruled:
    """The window of the next number takes the place of the open one: every side gets a report."""
    from pbem.turns.open_window import NewWindow, fields, issue

    at, deadline = stamp(now()), _deadline(game.register, drive)
    data, name = encode_position(drive)
    body = replace(body, position=name, deadline=deadline, pace=next_pace(drive))
    with counted(game.register, body):
        issued = issue(game, NewWindow(drive, None, at, deadline), name)
    files = {**issued.files, f"state/{name}.json": data}
    game.commit(replace(body, **fields(issued)), files, at)
    return body


def _deadline(register: Register, drive: Drive) -> str:
    """Of the window that a ruling opens: by the schedule; without one as it was, if to come."""
    if register.affairs.schedule:
        from pbem.turns.schedule import deadline_for

        return deadline_for(register, pace_of(drive.pause))
    ahead = register.deadline and parse(register.deadline) > now()
    return register.deadline if ahead else ""


def _announce(game: Game, body: Ruled, files: Mapping[str, bytes]) -> Ruled:
    """Commit a ruling that opens no window, with a note to every side."""
    from pbem.outbound.notices import notices

    told = game.register.sides if body.to is None else body.to
    mails: dict[str, bytes] = {}
    for side in game.register.sides:
        mails |= notices(game, [side], letter(body, side in told), "note")
    game.commit(replace(body, mailed=list(game.register.sides)), {**mails, **files})
    return body


def letter(body: Ruled, told: bool) -> Note:
    """What a side is written of a ruling that opens no window."""
    about = f"Rule {body.rule}: " if body.rule else ""
    text = f"{about}{body.text.strip()}" if told else phrase("ruling_hidden")
    said = worded("ruling", window=body.window or 0, said=text)
    if not body.timely:
        said = said.with_part("ruled_late")
    if body.position:
        said = said.with_part("ruled_anew")
    return said.with_part("reason", reason=body.reason) if told and body.reason else said


@contextmanager
def counted(register: Register, body: Ruled) -> Iterator[None]:
    """The register as it will be once this ruling stands, for the reports of its own record."""
    before = register.rulings
    register.rulings = [*before, kept.Ruling.of(body, "", body.window or 0)]
    try:
        yield
    finally:
        register.rulings = before


# What an audit asks of a ruling


def sound(register: Register, body: Ruled) -> bool:
    """Whether a record says of its ruling what the records before it say too."""
    if body.window is None:  # made before rulings could change anything
        return not body.position
    free = bool(register.window) and not register.over
    fits = (body.window, body.timely) == (register.window, timely(register)) and free
    if not body.position:
        return fits
    number = body.opens or (0 if register.rerun and not body.permit else -1)
    return fits and not register.running and number in (0, register.used + 1)


def edition_of(system: System) -> Edition:
    """The edition at hand."""
    return Edition(system.edition, system.digest())


def edition(pinned: Edition) -> str:
    """An edition in words."""
    return f"edition {pinned.edition}, data {pinned.data[:SHOWN]}"


def permits(ledger: Ledger, system: System) -> bool:
    """Whether some ruling of the game permits this edition."""
    mine, ruled = edition_of(system), (record.body for record in ledger.records({"ruled"}))
    return any(isinstance(body, Ruled) and body.permit == mine for body in ruled)


def flag(record: int, body: Ruled) -> str:
    """What an audit says of a ruling."""
    done = "changed the state" if body.edits else "was recorded"
    if body.permit:
        done = f"permits {edition(body.permit)}"
    late = ", after orders for its window had come in" if body.timely is False else ""
    return f"record {record}: a ruling {done}{late}: {body.reason}"
