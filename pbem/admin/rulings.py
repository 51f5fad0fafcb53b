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
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, parse, stamp
from pbem.engine.drive import Drive, Position, amend, encode, encode_position, pace_of
from pbem.errors import Busy, Diverged, Misprint, Usage
from pbem.model import System, Unfit, Window
from pbem.store.game_dir import Game
from pbem.store.ledger import Ledger
from pbem.store.register import Register
from pbem.text.messages import Note, phrase, worded
from pbem.text.toml_input import Key, misprint, tables, typed
from pbem.turns.close_window import SHOWN, pace_entry, position_of, require_pinned

HINT = 'a ruling is: text = "what holds", and perhaps rule, to, [[edit]], [permit]'


class Permit(Struct, frozen=True, forbid_unknown_fields=True):
    """The edition that a game goes on with. data: digest of its data files, or its beginning."""

    edition: str
    data: str


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """What a ruling's file says. text: what holds from now on; rule: the rule's number; to: the
    sides that are told, None for all; edit: changes of the state; permit: another edition."""

    text: str
    rule: str = ""
    to: list[str] | None = None
    edit: list[dict[str, Any]] = []
    permit: Permit | None = None


class Paper(Struct, frozen=True):
    """A ruling with the file that it was read from, for what is said about it."""

    ruling: Ruling
    text: str
    where: str

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


def rule(game: Game, system: System, paper: Paper, reason: str) -> dict[str, Any]:
    """Record a ruling, do what it says, and tell of it; its record.

    Raises Busy, Misprint for what the file gets wrong, Usage, Diverged where another edition comes
    to another state.
    """
    from pbem.admin.commands import require_running

    require_running(game)
    register, ruling = game.register, paper.ruling
    _require_sides(register, paper)
    body: dict[str, Any] = {
        "window": register.window, "rule": ruling.rule, "text": ruling.text, "reason": reason,
        "timely": timely(register), **({} if ruling.to is None else {"to": ruling.to}),
    }  # fmt: skip
    if not (ruling.edit or ruling.permit):
        return _announce(game, body, {})
    if register.running:
        raise Busy(f"{game.name} runs on through agreed turns", f"`pbem run {game.name}` first")
    body |= _change(game, system, paper)
    drive = _tried(game, system, paper, body)
    if "opens" in body:
        return _reopen(game, system, drive, body)
    data, name = encode_position(drive)
    return _announce(game, {**body, "position": name}, {f"state/{name}.json": data})


def timely(register: Register) -> bool:
    """Whether nothing had come in for the open window."""
    return not (register.sets or register.locked)


def _require_sides(register: Register, paper: Paper) -> None:
    for i, side in enumerate(paper.ruling.to or ()):
        if side not in register.sides:
            known = f"sides: {', '.join(register.sides)}"
            raise paper.wrong(["to", i], "unknown-side", f"there is no side {side!r}", known)


def _change(game: Game, system: System, paper: Paper) -> dict[str, Any]:
    """What a record says of a change: edits, permit, and the window that it opens."""
    register, ruling = game.register, paper.ruling
    said: dict[str, Any] = {"edits": _edits(system, paper)}
    if ruling.permit:
        said |= _permitted(game, system, paper, ruling.permit)
    else:
        require_pinned(game, system)
    return said if register.rerun and not ruling.permit else {**said, "opens": register.used + 1}


def _edits(system: System, paper: Paper) -> list[dict[str, Any]]:
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


def _permitted(game: Game, system: System, paper: Paper, permit: Permit) -> dict[str, Any]:
    """What a record says of a permit: the edition at hand, and the position it takes over.
    Raises Misprint where it names another."""
    mine = f"this is edition {system.edition}, data {system.digest()}"
    if permit.edition != system.edition:
        raise paper.wrong(["permit", "edition"], "edition", "it permits another edition", mine)
    if len(permit.data) < SHOWN or not system.digest().startswith(permit.data):
        raise paper.wrong(["permit", "data"], "data", "it permits other data files", mine)
    return {
        "permit": {"edition": system.edition, "data": system.digest()},
        "resumed": game.read("state", f"{game.register.position}.json").decode("ascii"),
    }


def again(
    register: Register, system: System, position: Position | None, body: Mapping[str, Any]
) -> Drive:  # fmt: skip
    """The game behind a ruling. position: of the open window, None where the record of a permit
    brings it. Raises Unfit, Diverged, ValueError."""
    if "resumed" in body:
        taken = body["resumed"].encode("ascii")
        if sha256(taken).hexdigest() != register.position:
            raise ValueError("it resumes another position than that of the open window")
        position = _carried_over(system, msgspec.json.decode(taken, type=Position))
    if position is None:
        raise ValueError("it changes a state that is not there")
    drive = Drive.resume(system, register.sides, register.options, position)
    if body["edits"]:
        drive.amend(body["edits"])
    window = Window(body.get("opens", register.window))
    ruled = replace(drive.position(), window=window)
    return Drive.resume(system, register.sides, register.options, ruled)


def _carried_over(system: System, position: Position) -> Position:
    """A position of another edition in this one's form: fields that are new have their default."""
    return replace(
        position,
        snapshot=msgspec.Raw(encode(msgspec.json.decode(position.snapshot, type=system.state))),
        live=msgspec.Raw(encode(msgspec.json.decode(position.live, type=system.state))),
    )


def idle_edit(system: System, position: Position, edits: Sequence[Mapping[str, Any]]) -> int | None:
    """The place of the first edit that changes nothing; None when each does something. One that
    does not would still open the next window, and with it new dice."""
    state = msgspec.json.decode(position.live, type=system.state)
    for i, edit in enumerate(edits):
        before = encode(state)
        amend(system, state, [edit])
        if encode(state) == before:
            return i
    return None


def _tried(game: Game, system: System, paper: Paper, body: Mapping[str, Any]) -> Drive:
    """The game behind the ruling, which holds together and can go on. Raises Misprint, Usage."""
    register = game.register
    try:
        position = position_of(game, register.position)
        drive = again(register, system, position, body)
        idle = idle_edit(system, position, body["edits"])
        if idle is not None:
            raise paper.wrong(["edit", idle], "unfit", "this edit changes nothing",
                              "leave it away; a ruling without edits opens no window")  # fmt: skip
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


def _reopen(game: Game, system: System, drive: Drive, body: dict[str, Any]) -> dict[str, Any]:
    """The window of the next number takes the place of the open one: every side gets a report."""
    from pbem.turns.open_window import fields, issue

    at = stamp(now())
    data, name = encode_position(drive)
    body |= {"position": name, "deadline": _deadline(game.register, drive), **pace_entry(drive)}
    with counted(game.register, body):
        issued = issue(game, system, drive, None, body["deadline"], at, {}, name)
    files = {**issued.files, f"state/{name}.json": data}
    game.commit("ruled", body | fields(issued), files, at)
    return body


def _deadline(register: Register, drive: Drive) -> str:
    """Of the window that a ruling opens: by the schedule; without one as it was, if to come."""
    if register.affairs.schedule:
        from pbem.turns.schedule import deadline_for

        return deadline_for(register, pace_of(drive.pause))
    ahead = register.deadline and parse(register.deadline) > now()
    return register.deadline if ahead else ""


def _announce(
    game: Game, body: dict[str, Any], files: Mapping[str, bytes]
) -> dict[str, Any]:  # fmt: skip
    """Commit a ruling that opens no window, with a note to every side."""
    from pbem.outbound.notices import notices

    told = body.get("to", game.register.sides)
    mails: dict[str, bytes] = {}
    for side in game.register.sides:
        mails |= notices(game, [side], letter(body, side in told), "note")
    game.commit("ruled", {**body, "mailed": list(game.register.sides)}, {**mails, **files})
    return body


def letter(body: Mapping[str, Any], told: bool) -> Note:
    """What a side is written of a ruling that opens no window."""
    about = f"Rule {body['rule']}: " if body["rule"] else ""
    text = f"{about}{body['text'].strip()}" if told else phrase("ruling_hidden")
    said = worded("ruling", window=body["window"], said=text)
    if not body["timely"]:
        said = said.with_part("ruled_late")
    if "position" in body:
        said = said.with_part("ruled_anew")
    return said.with_part("reason", reason=body["reason"]) if told and body["reason"] else said


@contextmanager
def counted(register: Register, body: Mapping[str, Any]) -> Iterator[None]:
    """The register as it will be once this ruling stands, for the reports of its own record."""
    before = register.rulings
    register.rulings = [*before, dict(body)]
    try:
        yield
    finally:
        register.rulings = before


# What an audit asks of a ruling


def sound(register: Register, body: Mapping[str, Any]) -> bool:
    """Whether a record says of its ruling what the records before it say too."""
    if "window" not in body:  # made before rulings could change anything
        return "position" not in body
    free = bool(register.window) and not register.over
    fits = (body["window"], body["timely"]) == (register.window, timely(register)) and free
    if "position" not in body:
        return fits
    number = body.get("opens", 0 if register.rerun and "permit" not in body else -1)
    return fits and not register.running and number in (0, register.used + 1)


def edition(pinned: Mapping[str, Any]) -> str:
    """An edition in words."""
    return f"edition {pinned['edition']}, data {pinned['data'][:SHOWN]}"


def foreign(system: System, pinned: Mapping[str, Any]) -> bool:
    """Whether a game pinned so is played by another edition than `system`."""
    return (system.edition, system.digest()) != (pinned["edition"], pinned["data"])


def permits(ledger: Ledger, system: System) -> bool:
    """Whether some ruling of the game permits this edition."""
    ruled = (record.body.get("permit") for record in ledger.records({"ruled"}))
    return any(permit and not foreign(system, permit) for permit in ruled)


def flag(record: int, body: Mapping[str, Any]) -> str:
    """What an audit says of a ruling."""
    done = "changed the state" if body.get("edits") else "was recorded"
    if "permit" in body:
        done = f"permits {edition(body['permit'])}"
    late = "" if body.get("timely", True) else ", after orders for its window had come in"
    return f"record {record}: a ruling {done}{late}: {body['reason']}"
