"""Issuing a window: what every side is sent when one opens, as files ready to be committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from msgspec import Struct
from msgspec.structs import replace

from orders.model import OrderSet
from orders.show import show
from pbem import __version__
from pbem.base.hashing import setup_digest
from pbem.base.report_json import Anchor, Moderator, Report, Run
from pbem.crypto import statements
from pbem.dice.chains import LINKED
from pbem.dice.commitment import Commitment, new_commitment
from pbem.engine.drive import Closing, Drive
from pbem.model import Plain, Side, System
from pbem.outbound.addresses import own_address, own_config, reply, sender
from pbem.outbound.encrypt import enclose, readers
from pbem.outbound.mime import Part, message
from pbem.outbound.pending_reports import Earlier, earlier_of
from pbem.player.numbering import least
from pbem.reports import headline, render
from pbem.reports.key_notices import key_flags, later_keys
from pbem.reports.report import Account, Frame, Words, draft, with_digest
from pbem.store import holders, secrets
from pbem.store.game_dir import Game
from pbem.store.holders import newest
from pbem.store.register import Register

FLAGGED = {
    "seeded": "The dice of this game come from a seed that the moderator can know in advance.",
    "hand": "The moderator rolls physical dice and types them in; nothing proves them.",
}


class Basis(Struct, frozen=True, kw_only=True):
    """What decided the window that closed, as the reports behind it tell it; empty at the start
    and where no window closed."""

    lock: str = ""  # of the sets in force, in hex
    sets: Mapping[Side, str] = {}  # side to the order digest of its set, or `NMR`
    links: dict[str, str] = {}  # see `pbem.turns.links.Fixed`, as the three that follow
    carried: dict[str, int] = {}
    firsts: dict[str, str] = {}
    root: str = ""
    reveals: dict[str, str] = {}  # side to the signature of its revealed link, in hex
    void: list[Side] = []  # sides whose orders did not count
    run: Run | None = None  # the run of agreed turns that the window belongs to


NO_BASIS = Basis()


class NewWindow(Struct, frozen=True):
    """A window that opens, with what its reports are made of beside the register."""

    drive: Drive  # the game, which has the window open
    closing: Closing | None  # what happened since the last reports, None at the start
    opened: str  # when it opens
    deadline: str  # empty without one
    basis: Basis = NO_BASIS
    commit: str = ""  # what its reports commit to; empty in games begun before there was one


class Issue(Struct):
    """What opens a window: its reports and mails."""

    commitment: Commitment  # what the reports commit to
    release: str  # the one that worded them, empty where it is the one that made the game
    files: dict[str, bytes] = {}  # path in the game's folder to content
    digests: dict[str, str] = {}  # side to the digest of its report
    mailed: list[str] = []  # who gets a mail
    public: str = ""  # digest of the spectators' report, empty without any
    turn: int = 0  # the system's number of the turn to be ordered
    label: str = ""  # how the rulebook names that turn


def issue(game: Game, new: NewWindow, position: str, before: Sequence[int] = ()) -> Issue:
    """Reports, forms and mails of every side for a window that opens.

    position: hash of the position that opens. A report that opens a window which runs on is kept
    until the mail of the last; before: the windows whose reports wait for this mail.
    """
    register, drive = game.register, new.drive
    rolls = new.closing.rolls if new.closing else ()
    promised = new_commitment(setup_digest(register.setup), drive.opens, position, rolls)
    new = replace(new, commit=promised.commit)
    issued = Issue(promised, other_release(register))
    frame = frame_of(register, new)
    for side in drive.sides:
        _issue_to(issued, game, side, _draft(register, frame, new, side), drive.system, before)
    if register.spectators:
        report = spectators_report(drive.system, frame, drive, new.closing)
        _add_public(issued, game, drive.system, report, before)
    return issued


def _draft(register: Register, frame: Frame, new: NewWindow, side: Side) -> Report:
    """One side's report, its digest not yet in it."""
    words = Words(render.events, render.questions)
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
    """Add one side's report, and its mail unless the window runs on."""
    data = with_digest(report)
    issued.digests[side] = report.digest
    if report.runs_on:
        _lay_by(issued, game, side, report, report.plain, data)
    else:
        charts, page = charts_of(game, system, report), page_of(game, system, report)
        _add(issued, game, side, report, data, charts, page, earlier_of(game, side, before))


def spectators_report(
    system: System, frame: Frame, drive: Drive, closing: Closing | None
) -> Report:
    """See `pbem.outbound.spectators.report_of`, which few games need."""
    from pbem.outbound.spectators import report_of

    return report_of(system, frame, drive, closing)


def _add_public(
    issued: Issue, game: Game, system: System, report: Report, before: Sequence[int]
) -> None:
    """The report of the spectators, and, unless the turns run on, a mail to each."""
    from pbem.outbound import spectators

    data, mailed = with_digest(report), not report.runs_on
    charts = charts_of(game, system, report) if mailed else ()
    behind = before if mailed else ()
    issued.files.update(spectators.files_of(game, report, data, charts, behind))
    if mailed:
        mails = spectators.mails_of(game, report, issued.files, charts, before)
        issued.files.update(mails)
        issued.mailed += [f"spectator{n}" for n in game.register.spectators]
    issued.public = report.digest


class Reported(TypedDict):
    """The fields of `pbem.store.records.Opening` that say what was issued."""

    reports: dict[str, str]
    mailed: list[str]
    blind: str
    commit: str
    public: str
    release: str


def fields(issued: Issue) -> Reported:
    """What the record that opens a window holds of its reports."""
    return {
        "reports": issued.digests,
        "mailed": issued.mailed,
        "blind": issued.commitment.blind,
        "commit": issued.commitment.commit,
        "public": issued.public,
        "release": issued.release,
    }


def other_release(register: Register) -> str:
    """This release, where another one made the game: its words in a report may be others."""
    return __version__ if register.created.release != __version__ else ""


def frame_of(register: Register, new: NewWindow) -> Frame:
    """What all sides' reports of this window have in common."""
    created, drive, basis = register.created, new.drive, new.basis
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
        flags=[*flags(register, drive.opens), *dice_flags(register, drive.opens, basis)],
        over=drive.over,
        commit=new.commit,
        keys=later_keys(register),
        taken_back=register.reopened.get(drive.opens, []),
    )


def account_of(register: Register, new: NewWindow, side: Side) -> Account:
    """What `side` alone is told."""
    drive, closing = new.drive, new.closing
    return Account(
        told=closing.told if closing else (),
        rolls=closing.rolls if closing else (),
        questions=drive.pause.asked.get(side, ()) if drive.over is None else (),
        standing=standing_lines(drive, side),
        seq=least(register, side, new.opened),
        set=new.basis.sets.get(side, "NMR"),
        readers=readers(register, side),
        flags=told_flags(register, drive.opens, side),
    )


def told_flags(register: Register, opens: int, side: str) -> list[str]:
    """What rulings that were not told to all say to `side`."""
    if all(ruling.to is None for ruling in register.rulings):
        return []
    from pbem.reports import ruling_lines

    return ruling_lines.flags(register, opens, side)


def standing_lines(drive: Drive, side: Side) -> list[str]:
    """The standing orders and orders for later turns in force, as order lines."""
    standing = drive.books[side].standing
    orders = [o for actor in sorted(standing.always) for o in standing.always[actor]]
    return show(OrderSet((*orders, *standing.later)), drive.system.grammar).splitlines()


def flags(register: Register, opens: int) -> list[str]:
    """What every reader of a report that opens that window must know."""
    dice = register.created.dice
    found = [FLAGGED[dice]] if dice in FLAGGED else []
    if register.undone:
        found.append(f"Windows undone so far: {register.undone}.")
    if register.exposed:
        found.append("A replay of this game was published before a window was undone.")
    if register.rulings:
        from pbem.reports import ruling_lines

        found += ruling_lines.flags(register, opens)
    return found + key_flags(register)


def anchors(register: Register, named: Sequence[holders.Anchor]) -> dict[str, list[Anchor]]:
    """These dice anchors as reports and notices name them, by side, the newest last."""
    from pbem.crypto.sshsig import key_digest, wire_key

    if register.created.dice not in LINKED:
        return {}
    found: dict[str, list[Anchor]] = {side: [] for side in register.sides}
    for a in named:
        found[a.side].append(Anchor(key_digest(wire_key(a.key)), a.anchor, a.since))
    return found


def dice_flags(register: Register, opens: int, basis: Basis) -> list[str]:
    """What every reader must know of links and anchors."""
    if register.created.dice not in LINKED:
        return []
    known = register.anchors_at(opens)
    links, carried, firsts = basis.links, basis.carried, basis.firsts
    absent = [s for s in register.sides if s in links and not (links[s] or s in firsts)]
    able = {o.side for o in register.officers if newest(known, o.side, o.number, opens)}
    bare = [side for side in register.sides if side not in able]
    said = [f"The dice of the last window have no link of {', '.join(absent)}."] if absent else []
    said += [
        f"The first dice anchor of {side} came with its orders and entered the dice of the last "
        "window: only the moderator and this side together could have chosen it to suit."
        for side in sorted(firsts)
    ]
    said += [f"No dice anchor of {side} counts in window {opens}." for side in bare]
    void = ", ".join(basis.void)
    said += [f"The orders of {void} were void: its link was not revealed."] if void else []
    said += [
        f"The dice link of {side} was carried: it came with orders of window {carried[side]}, so "
        "that the moderator has had it since then."
        for side in register.sides
        if side in carried
    ]
    fresh = {a.anchor for a in register.pending}
    return said + [
        f"New dice anchor of {a.side}: {a.anchor[:16]}, counts from window {a.since}."
        for a in known
        if a.since > opens or a.anchor in fresh
    ]


def moderator(public: str, age: str) -> Moderator:
    """The moderator for a report, by his public key line and his age key."""
    from pbem.crypto.sshsig import key_digest, wire_key

    return Moderator(public, key_digest(wire_key(public)), age)


def charts_of(game: Game, system: System, report: Report) -> tuple[Part, ...]:
    """The detail chart that the mail shows and the whole one that it carries, as PNG; none
    unless `new --chart png` asked for them: drawing both takes two seconds a side."""
    if game.register.created.chart == "none":
        return ()
    from pbem.charts.picture_cache import FOLDER, picture

    shelf = game.path(*FOLDER)
    drawn = [picture(system, report.plain, "png", detail=d, cache=shelf) for d in (True, False)]
    cid = f"chart-{report.side}-{report.window}@{report.game}.pbem.invalid"
    named = (("chart-detail.png", cid), ("chart.png", ""))
    return tuple(
        Part("image/png", content, name, cid)
        for content, (name, cid) in zip(drawn, named, strict=True)
        if content
    )


class Page(Struct, frozen=True):
    """The order page as reports bring it. said: what the report's pages say of it, the name of the
    attached file and the address of the hosted page; part: the attachment, of an encrypted mail
    outside of what is encrypted."""

    said: dict[str, str]
    part: tuple[Part, ...] = ()


NO_PAGE = Page({})


def page_of(game: Game, system: System, report: Report) -> Page:
    """The order page of a report, as pbem.toml says; none after the end. Beside an encrypted report
    it is the page without one, the same for all, which opens it; what there is to say of it stands
    outside as well. It is in the mail alone, not in the report."""
    config = own_config(game)
    if config is None or config.order_page == "off" or report.result:
        return NO_PAGE
    if game.register.encrypted:
        return Page({}, _opening_page(system, report) if config.order_page == "on" else ())
    if config.order_page == "url":
        return Page({"file": "", "url": config.order_page_url})
    from pbem.web.order_page import FILE, page

    content = page(system, report, own_address(game))
    part = Part("text/html; charset=utf-8", content, FILE)
    return Page({"file": FILE, "url": config.order_page_url}, (part,))


def _opening_page(system: System, report: Report) -> tuple[Part, ...]:
    from pbem.web.order_page import FILE, blank_for

    content = blank_for(system, report.setup.text)
    return (Part("text/html; charset=utf-8", content, FILE),)


def _add(
    issued: Issue,
    game: Game,
    side: Side,
    report: Report,
    data: bytes,
    charts: tuple[Part, ...],
    page: Page,
    earlier: Sequence[Earlier],
) -> None:
    """One side's files, and the mail that brings them with `earlier` reports of the same run."""
    shown = {**report.plain, **({"chart": charts[0].cid} if charts else {})}
    shown |= {"earlier": [one.report.plain for one in earlier]} if earlier else {}
    shown |= {"order_page": page.said} if page.said else {}
    text, markup, form = _lay_by(issued, game, side, report, shown, data)
    folder = f"reports/{side}/{report.window}"
    signature = issued.files[f"{folder}/report.seal"]
    inside = () if game.register.encrypted else page.part
    files = [*inside, *(part for one in earlier for part in one.parts)]
    mail = _mail(game, side, report, text, markup, data, signature, form, charts, files)
    mail = enclose(game, side, "report", report.window, mail, beside=page.part)
    number = game.register.mails.get(side, 0) + 1
    issued.files[f"{folder}/report.eml"] = mail
    issued.files[f"outbox/{side}-{number:04}-report.eml"] = mail
    issued.mailed.append(side)


def _lay_by(
    issued: Issue, game: Game, side: Side, report: Report, shown: Plain, data: bytes
) -> tuple[bytes, bytes, list[tuple[str, bytes]]]:
    """One side's files without a mail: its report in three forms (shown: with what its pages say
    besides; data: as JSON), its signature, the order form where there is one. Returns text, HTML
    and form."""
    pages = render.pages({**shown, **reply(game)}, data)
    text, markup = pages.text.encode("ascii"), pages.html.encode()
    folder = f"reports/{side}/{report.window}"
    parts = {"report.txt": text, "report.html": markup, "report.json": data}
    form = [("orders.txt", pages.form.encode("ascii"))] if pages.form else []
    issued.files.update({f"{folder}/{name}": content for name, content in (*parts.items(), *form)})
    key = secrets.signing_key(game)
    signature = statements.signed("report", report.setup.digest, report.plain, key)
    issued.files[f"{folder}/report.seal"] = signature
    issued.turn, issued.label = report.turn, report.label
    return text, markup, form


def _mail(
    game: Game,
    side: Side,
    report: Report,
    text: bytes,
    markup: bytes,
    data: bytes,
    signature: bytes,
    form: Sequence[tuple[str, bytes]],
    charts: tuple[Part, ...] = (),
    earlier: Sequence[Part] = (),
) -> bytes:
    number = game.register.mails.get(side, 0) + 1
    return message(
        to=[a["email"] for a in secrets.addresses(game).get(side, []) if a["email"]],
        sender=sender(game),
        subject=headline.subject(report),
        message_id=secrets.message_id(game, side, number),
        sent=report.opened,
        bodies=[
            Part("text/plain; charset=us-ascii", text),
            Part("text/html; charset=utf-8", markup, pictures=charts[:1]),
        ],
        attachments=[
            Part("application/json", data, "report.json"),
            Part("text/plain; charset=us-ascii", signature, "report.seal"),
            *(Part("text/plain; charset=us-ascii", content, name) for name, content in form),
            *charts[1:],
            *earlier,
        ],
        thread=secrets.message_id(game, side, 1) if number > 1 else "",
    )
