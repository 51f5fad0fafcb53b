"""Open a window: make every side's report and mail.

Nothing here is committed. The caller commits the files together with the record that opens the
window, so that after a kill there are either all of them or none.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from msgspec import Struct
from msgspec.structs import replace

from pbem import __version__
from pbem.base.hashing import setup_digest
from pbem.base.report_json import Anchor, Moderator, Report, Run
from pbem.dice.commitment import Commitment, new_commitment
from pbem.dice.sources import LINKED
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing, Runner
from pbem.model import Side, System
from pbem.outbound.addresses import own_address, own_config
from pbem.outbound.encrypt import readers
from pbem.outbound.mime import HTML, Part
from pbem.outbound.pending_reports import earlier_of
from pbem.outbound.report_files import SignedReport
from pbem.outbound.report_mail import (
    Extras,
    folder_of,
    mailed_files,
    shown_files,
    signed_files,
)
from pbem.player.numbering import least
from pbem.reports import wording
from pbem.reports.filters import UNAIDED, UNBOUND, UNPROVEN
from pbem.reports.key_notices import key_flags, later_keys
from pbem.reports.report import Account, Frame, Words, draft, with_digest
from pbem.roles import role_of
from pbem.store import holders
from pbem.store.game_dir import Game
from pbem.store.holders import newest
from pbem.store.preferences import preferences_of
from pbem.store.records import NMR
from pbem.store.register import Register
from pbem.store.seats import mailed_seats
from pbem.text.messages import phrase
from pbem.turns import missed as lapses
from pbem.turns.own_lines import bound, given_lines, standing_lines, told_flags, turn_orders
from pbem.turns.report_charts import charts_of


class Basis(Struct, frozen=True, kw_only=True):
    """What fixed the orders and dice of the window that closed, as the next reports state it."""

    lock: str = ""
    """The lock of the sets in force (*L*), in hex."""
    sets: Mapping[Side, str] = {}
    """Side to the order digest of its set, or `NMR`."""
    links: dict[str, str] = {}
    """For this field, `carried`, `firsts` and `root` see `pbem.turns.links.Fixed`."""
    carried: dict[str, int] = {}
    firsts: dict[str, str] = {}
    root: str = ""
    reveals: dict[str, str] = {}
    """Side to the signature of its revealed link, in hex."""
    void: list[Side] = []
    """The sides whose orders did not count, because their link was missing."""
    run: Run | None = None
    """The run of agreed turns that the window belongs to."""


NO_BASIS = Basis()
"""For a window that opens without another having closed: the first, or after an undo or ruling."""


class NewWindow(Struct, frozen=True):
    """A window that opens: what its reports are made from, besides the register."""

    drive: Drive
    """The game, paused where the window asks."""
    closing: Closing | None
    """What happened since the last reports; None after an undo or a ruling."""
    opened: str
    """When the window opens, as a stamp."""
    deadline: str
    """When it closes, as a stamp; empty without a deadline."""
    basis: Basis = NO_BASIS
    commit: str = ""
    """The commitment (hex) in its reports; empty in games that began before there were any."""


class Issue(Struct):
    """The reports and mails that open a window, and what its record says of them."""

    commitment: Commitment
    """The commitment in the reports, with the number that opens it."""
    release: str
    """The release that worded the reports; empty if it is the one that made the game."""
    files: dict[str, bytes] = {}
    """Path in the game's folder to content."""
    digests: dict[str, str] = {}
    """Side to the digest of its report."""
    mailed: list[str] = []
    """The sides and spectators who get a mail."""
    public: str = ""
    """The digest of the spectators' report; empty without spectators."""
    turn: int = 0
    """The system's number of the turn that is ordered."""
    label: str = ""
    """The rulebook's name for that turn."""


def issue(game: Game, new: NewWindow, position: str, before: Sequence[int] = ()) -> Issue:
    """Return the reports, order forms and mails of all sides for a window that opens.

    position: SHA-256 (hex) of the stored position; the reports commit to it and to all rolls.
    before: the windows inside a run whose reports go out with this mail. If the run goes on, the
    reports of this window get no mail yet.
    """
    register, drive = game.register, new.drive
    rolls = new.closing.rolls if new.closing else ()
    # Hidden rolls too: otherwise the moderator could choose them after the report.
    commitment = new_commitment(setup_digest(register.setup), drive.opens, position, rolls)
    new = replace(new, commit=commitment.commit)
    issued = Issue(commitment, other_release(register))
    frame = frame_of(register, new)
    for side in register.seats:
        _issue_to(issued, game, side, _draft(register, frame, new, side), drive.system, before)
    if register.spectators:
        report = spectators_report(drive.system, frame, drive, new.closing)
        _add_public(issued, game, drive.system, report, before)
    return issued


def _draft(register: Register, frame: Frame, new: NewWindow, side: Side) -> Report:
    """Return one side's report, without its digest."""
    words = Words(wording.events, wording.questions)
    account, view = account_of(register, new, side), new.drive.view(side)
    return draft(new.drive.system, frame, side, view, account, words)


def _issue_to(
    issued: Issue,
    game: Game,
    side: Side,
    report: Report,
    system: System,
    before: Sequence[int],
) -> None:
    """Add one side's report, and its mail unless the run goes on. A role that nobody plays has the
    signed report alone (`pbem.outbound.report_mail`)."""
    data = with_digest(report)
    files = signed_files(game, side, report, data)
    issued.files.update(files)
    issued.digests[side] = report.digest
    issued.turn, issued.label = report.turn, report.label
    if side not in mailed_seats(game.register):
        return
    if report.runs_on:
        issued.files.update(shown_files(game, side, report, data))
        return
    signed = SignedReport(data, files[f"{folder_of(side, report.window)}/report.seal"])
    extras = _extras(game, system, report)
    earlier = earlier_of(game, side, before)
    mailed = mailed_files(game, side, report, signed, earlier, extras)
    number = game.register.mails.get(side, 0) + 1
    mail = mailed[f"{folder_of(side, report.window)}/report.eml"]
    issued.files.update(mailed | {f"outbox/{side}-{number:04}-report.eml": mail})
    issued.mailed.append(side)


def _extras(game: Game, system: System, report: Report) -> Extras:
    """Return the charts, the order page and the colour of a report's mail."""
    page = page_of(game, system, report)
    red = system.red_side(report.scenario) == report.side
    return Extras(charts_of(game, system, report), page.part, page.mentioned, red)


def spectators_report(
    system: System, frame: Frame, drive: Runner, closing: Closing | None
) -> Report:
    """Return the spectators' report. Imported here because few games have spectators."""
    from pbem.outbound.spectators import report_of

    return report_of(system, frame, drive, closing)


def _add_public(
    issued: Issue, game: Game, system: System, report: Report, before: Sequence[int]
) -> None:
    """Add the spectators' report, and a mail to each spectator unless the run goes on."""
    from pbem.outbound import spectators

    data, mailed = with_digest(report), not report.runs_on
    charts = charts_of(game, system, report) if mailed and spectators.names(game) else ()
    earlier = before if mailed else ()
    issued.files.update(spectators.files_of(game, report, data, charts, earlier))
    if mailed:
        mails = spectators.mails_of(game, report, issued.files, charts, before)
        issued.files.update(mails)
        issued.mailed += spectators.names(game)
    issued.public = report.digest


class Reported(TypedDict):
    """What a record says of its reports: docs/formats.md, "Records that open a window"."""

    reports: dict[str, str]
    mailed: list[str]
    blind: str
    commit: str
    public: str
    release: str


def fields(issued: Issue) -> Reported:
    """Return the fields of the record that opens the window which describe its reports."""
    return {
        "reports": issued.digests,
        "mailed": issued.mailed,
        "blind": issued.commitment.blind,
        "commit": issued.commitment.commit,
        "public": issued.public,
        "release": issued.release,
    }


def other_release(register: Register) -> str:
    """Return this release if another one made the game, as its wording may differ; else empty."""
    return __version__ if register.created.release != __version__ else ""


def frame_of(register: Register, new: NewWindow) -> Frame:
    """Return what the reports of all sides have in common."""
    created, drive, basis = register.created, new.drive, new.basis
    missed: dict[str, int] = {}
    if created.missed == "told":
        missed = lapses.silent(register, basis.sets, bool(basis.run))
    return Frame(
        game=created.game,
        setup=register.setup,
        digest=setup_digest(register.setup),
        scenario=created.scenario,
        title=drive.system.title,
        window=drive.opens,
        closed=new.closing.window if new.closing else 0,
        opened=new.opened,
        deadline=new.deadline,
        head=register.head,
        moderator=moderator(created.moderator, register.age),
        dice_mode=created.dice,
        lock=basis.lock,
        links=basis.links,
        reveals=basis.reveals,
        carried=basis.carried,
        firsts=basis.firsts,
        root=basis.root,
        run=basis.run,
        anchors=anchors(register, register.anchors_at(drive.opens)),
        flags=[
            *flags(register, drive.opens, last_closed(register, new)),
            *dice_flags(register, drive.opens, basis),
            *(entered(register) if new.closing else ()),
            *(_missed(register, drive, missed) if missed else ()),
        ],
        over=drive.over,
        commit=new.commit,
        keys=later_keys(register),
        taken_back=register.reopened.get(drive.opens, []),
        owed=() if drive.over else drive.pause.owed,
        missed=missed,
    )


def _missed(register: Register, drive: Runner, missed: Mapping[str, int]) -> list[str]:
    """Return the notices of the windows that sides missed."""
    named = register.created.scenario
    scenario = next(one for one in drive.system.scenarios if one.name == named)
    return lapses.flags(register, scenario, missed, drive.state.turn)


def account_of(register: Register, new: NewWindow, side: Side) -> Account:
    """Return what `side` is told besides its view, with all events and rolls: `draft` selects.

    side: may be the seat of a role. Questions and standing orders are for commanders: they may
    name what the role does not see.
    """
    drive, closing, role = new.drive, new.closing, role_of(side)
    told, rolls = (closing.told, closing.rolls) if closing else ((), ())
    if role:
        from pbem.engine.role_views import heard

        told, rolls = heard(drive.system, drive.state, side, told, rolls)
    return Account(
        told=told,
        rolls=rolls,
        questions=drive.pause.asked.get(side, ()) if drive.over is None else (),
        standing=() if role else standing_lines(drive, side),
        ordered=given_lines(drive, closing.sets[side]) if closing and side in closing.sets else (),
        this_turn=() if role else turn_orders(drive, side),
        bound={} if role else bound(drive, side),
        seq=least(register, side, new.opened),
        set=new.basis.sets.get(side, NMR),
        readers=readers(register, side),
        flags=told_flags(register, drive.opens, last_closed(register, new), side),
    )


def entered(register: Register) -> list[str]:
    """Return the notice of orders in the window that closes which the moderator entered for a seat
    (`receive --for`). While the window is open only that seat is told, by its receipt."""
    seats = [
        str(seat)
        for seat in register.seats
        if (one := register.sets.get(seat))
        and not one.officer
        and one.n not in register.substituted
    ]
    return [phrase("entered", seats=", ".join(seats))] if seats else []


def last_closed(register: Register, new: NewWindow) -> int:
    """Return the last window that has closed when the reports of a new one are made; 0: none."""
    if new.closing:
        return new.closing.window
    return register.closed[-1].window if register.closed else 0


def flags(register: Register, opens: int, closed: int) -> list[str]:
    """Return the notices in all sides' reports that open window `opens`, when `closed` was the last
    to close. Links: `dice_flags`."""
    dice = register.created.dice
    found = [UNPROVEN[dice]] if dice in UNPROVEN else []
    found += [UNAIDED] if register.created.aids == "none" else []
    if register.undone:
        found.append(f"Windows undone so far: {register.undone}.")
    if register.exposed:
        found.append("A replay of this game was published before a window was undone.")
    if register.rulings:
        from pbem.reports import ruling_lines

        found += ruling_lines.flags(register, opens, closed)
    return found + key_flags(register)


def anchors(register: Register, named: Sequence[holders.Anchor]) -> dict[str, list[Anchor]]:
    """Return dice anchors as reports and lock notices name them, by side, the newest last.

    Empty in games of dice without links.
    """
    from pbem.crypto.sshsig import key_digest, wire_key

    if register.created.dice not in LINKED:
        return {}
    found: dict[str, list[Anchor]] = {side: [] for side in register.sides}
    for a in named:
        found[a.side].append(Anchor(key_digest(wire_key(a.key)), a.anchor, a.since))
    return found


def dice_flags(register: Register, opens: int, basis: Basis) -> list[str]:
    """Return the notices about dice links and anchors that all sides get.

    They name whatever weakens the proof of the dice, so that no side has to search for it
    (docs/trust.md, "Who fixes what, and when"): links that are missing, first anchors that came
    with orders, sides without an anchor that counts, void orders, carried links and new anchors.
    """
    if register.created.dice not in LINKED:
        return []
    known = register.anchors_at(opens)
    links, carried, firsts = basis.links, basis.carried, basis.firsts
    absent = [s for s in register.sides if s in links and not (links[s] or s in firsts)]
    able = {o.side for o in register.officers if newest(known, o.side, o.number, opens)}
    bare = [side for side in register.sides if side not in able]
    found = [UNBOUND.format(sides=", ".join(absent))] if absent else []
    found += [
        f"The first dice anchor of {side} came with its orders and entered the dice of the last "
        "window: only the moderator and this side together could have chosen it to suit."
        for side in sorted(firsts)
    ]
    found += [f"No dice anchor of {side} counts in window {opens}." for side in bare]
    void = ", ".join(basis.void)
    found += [f"The orders of {void} were void: its link was not revealed."] if void else []
    found += [
        f"The dice link of {side} was carried: it came with orders of window {carried[side]}, so "
        "that the moderator has had it since then."
        for side in register.sides
        if side in carried
    ]
    fresh = {a.anchor for a in register.pending}
    return found + [
        f"New dice anchor of {a.side}: {a.anchor[:16]}, counts from window {a.since}."
        for a in known
        if a.since > opens or a.anchor in fresh
    ]


def moderator(public: str, age: str) -> Moderator:
    """Return the moderator for a report, from the public key line and the age key."""
    from pbem.crypto.sshsig import key_digest, wire_key

    return Moderator(public, key_digest(wire_key(public)), age)


class Page(Struct, frozen=True):
    """The order page of a mailed report."""

    mentioned: dict[str, str]
    """What text and HTML say of it: the name of the attached `file`, the `url` of the hosted page.
    """
    part: tuple[Part, ...] = ()
    """The attachment. In an encrypted mail it stays outside of the encrypted part."""


NO_PAGE = Page({})


def page_of(game: Game, system: System, report: Report) -> Page:
    """Return the order page of a report, as pbem.toml sets it; `NO_PAGE` after the end.

    Beside an encrypted report it is a page without a report, the same for all sides, which decrypts
    the report. Text and HTML of such a report do not mention it. The page is part of the mail only:
    report.json and its signature do not cover it.
    """
    place = place_of(game, report.seat)
    if not place or report.result:
        return NO_PAGE
    if game.register.encrypted:
        return Page({}, _blank_page(system, report) if place["file"] else ())
    if not place["file"]:
        return Page(place)
    from pbem.web.order_page import page

    content = page(system, report, own_address(game))
    return Page(place, (Part(HTML, content, place["file"]),))


def place_of(game: Game, seat: str) -> dict[str, str]:
    """Return where a seat's order page is: the name of the attached `file`, the `url` of the hosted
    page; nothing if it gets none."""
    config, wanted = own_config(game), preferences_of(game.register, seat).page
    if config is None or "off" in (config.order_page, wanted):
        return {}
    url = config.order_page_url
    linked = wanted == "linked" and bool(url)
    if linked or not (wanted == "attached" or config.order_page == "on"):
        return {"file": "", "url": url}
    from pbem.web.order_page import FILE

    return {"file": FILE, "url": url}


def _blank_page(system: System, report: Report) -> tuple[Part, ...]:
    """Return the order page without a report, as an attachment."""
    from pbem.web.order_page import FILE, blank_for

    content = blank_for(system, report.setup.text)
    return (Part(HTML, content, FILE),)
