"""The moderator's digest: all games of a home in one mail, at the times that pbem.toml names.

It says what needs him, which deadlines come next, who has missed windows, which games have ended,
and which problems he was told of since the last digest. It is for the moderator alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path

from msgspec import Struct

from pbem.base.clock import now, parse, stamp, zone
from pbem.base.config import Config, Digest, load
from pbem.base.files import read_plain, write_private
from pbem.club.offers import given_back
from pbem.club.state import Offer, read
from pbem.errors import PbemError
from pbem.inbound.spool import FOLDER, place, tell
from pbem.store.game_dir import games, reading
from pbem.store.register import Register
from pbem.text.layout import counted, table, tidy, when
from pbem.text.messages import Note, fill_note, phrase
from pbem.turns.schedule import overdue

FILE = "digest.json"
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHOWN = 40
"""Lines of one part at most: the mail must not grow with the club."""
HEADS = {
    "needs": ("Game", "What"),
    "next": ("Game", "System", "Turn", "Due", "In"),
    "missed": ("Game", "Side"),
    "waiting": ("Game", "Free seats"),
    "over": ("Game", "Result"),
    "told": ("Subject",),
}
"""The parts of a digest and the heads of their tables."""
SUBJECT = re.compile(rb"(?m)^Subject: (.*?)\r?$")


class State(Struct):
    """What a digest says of one game."""

    game: str
    system: str = ""
    turn: int = 0
    deadline: str = ""
    """Empty without one, and when the game is over or on hold."""
    inside: str = ""
    """How many of the sides that owe orders have sent them: `1 of 2`."""
    needs: list[str] = []
    """What the moderator should see to."""
    free: str = ""
    """The free seats of a game that the club offers."""
    missed: list[str] = []
    """Who has missed windows, and how many."""
    result: str = ""
    ended: str = ""
    """ISO time of its last record, if it is over."""


def send_due(home: Path, config: Config) -> None:
    """Write a digest to the moderator's outbox if one is due. The first tick of a home with a
    digest waits for the next time that is named."""
    digest = config.digest
    if digest is None:
        return
    path = place(home) / FILE
    try:
        last = str(json.loads(read_plain(path))["sent"])
    except (ValueError, KeyError, TypeError):
        last = stamp(now())
        write_private(path, json.dumps({"sent": last}).encode())
    moment = stamp(latest(digest, now()))
    if moment <= last:
        return
    said = compose(home, last, digest.zone)
    tell(home, config, said.subject, said.text, once=f"digest {moment}")
    write_private(path, json.dumps({"sent": stamp(now())}).encode())


def latest(digest: Digest, at: datetime) -> datetime:
    """The last time before `at` at which a digest was due."""
    where, hour = zone(digest.zone), time.fromisoformat(digest.at)
    day = at.astimezone(where).date()
    for back in range(8):
        moment = datetime.combine(day - timedelta(days=back), hour, where)
        if moment <= at and (not digest.on or DAYS[moment.weekday()] in digest.on):
            return moment.astimezone(at.tzinfo)
    raise AssertionError("a week has every day")


def compose(home: Path, since: str, tz: str) -> Note:
    """The digest of a home. since: ISO time of the last one; tz: the zone of its times."""
    offers = read(home, load(home)).state.offers
    states = [_state(home, name, offers.get(name)) for name in games(home)]
    running = [one for one in states if not (one.result or one.free)]
    needing = [one for one in states if one.needs]
    ended = [one for one in states if one.ended >= since and one.result]
    coming = sorted((one for one in running if one.deadline), key=lambda one: one.deadline)
    rows: dict[str, list[tuple[str, ...]]] = {
        "needs": [(one.game, need) for one in needing for need in one.needs],
        "next": [
            (one.game, one.system, f"{one.turn}", when(one.deadline, tz), one.inside)
            for one in coming
        ],
        "missed": [(one.game, said) for one in running for said in one.missed],
        "waiting": [(one.game, one.free) for one in states if one.free],
        "over": [(one.game, one.result) for one in ended],
        "told": [(said,) for said in _alerts(home, since)],
    }
    text = "\n".join(_part(name, some) for name, some in rows.items() if some)
    return fill_note(
        "digest",
        games=counted(len(running), "game", "games"),
        needing=counted(len(needing), "needs", "need"),
        since=when(since, tz),
        text=text.rstrip() or phrase("digest_nothing"),
    )


def _part(name: str, rows: Sequence[Sequence[str]]) -> str:
    """A part of the digest: its title and a table."""
    titles = {
        "needs": phrase("digest_needs"),
        "next": phrase("digest_next"),
        "missed": phrase("digest_missed"),
        "waiting": phrase("digest_waiting"),
        "over": phrase("digest_over"),
        "told": phrase("digest_told"),
    }
    head = HEADS[name]
    kept = [list(row) for row in rows[:SHOWN]]
    if len(rows) > SHOWN:
        kept.append([phrase("digest_more", count=len(rows) - SHOWN), *[""] * (len(head) - 1)])
    return f"{titles[name]}\n\n{tidy(table(kept, head)).rstrip()}\n"


def _state(home: Path, name: str, offer: Offer | None) -> State:
    """The state of one game; one that cannot be read needs the moderator. offer: of its seats."""
    try:
        register = reading(home, name).register
    except (OSError, PbemError) as error:
        return State(name, needs=[error.message if isinstance(error, PbemError) else str(error)])
    system, turn = register.created.system, register.closed[-1].turn if register.closed else 1
    if register.over:
        result = f"{_won(register.over.result)}: {register.over.why}".rstrip(": ")
        bounced = list(_needs(register))
        return State(
            name, system, turn, needs=bounced, result=result, ended=register.mail_state.last
        )
    if offer and not register.window:
        held = {officer.side for officer in register.officers} - set(given_back(offer, register))
        free = [str(side) for side in register.sides if side not in held]
        return State(name, system, free=", ".join(free) or phrase("digest_full"))
    missed = {side: sum(who == side for _, who in register.lapses) for side in register.sides}
    owing = register.owing if register.window else ()
    return State(
        game=name,
        system=system,
        turn=turn,
        deadline="" if register.held else register.deadline,
        inside=f"{len(owing) - len(register.missing())} of {len(owing)}" if owing else "",
        needs=list(_needs(register)),
        missed=[
            f"{side}: {counted(count, 'window', 'windows')}"
            for side, count in missed.items()
            if count
        ],
    )


def _won(result: str) -> str:
    """A result in words: `the German side won`, `a draw`."""
    if result in ("draw", "none"):
        return phrase("digest_draw" if result == "draw" else "digest_none")
    return phrase("digest_won", side=result)


def _needs(register: Register) -> Iterator[str]:
    """What the moderator should see to in a game."""
    mails = register.mail_state
    if mails.bounced:
        yield f"{counted(len(mails.bounced), 'mail', 'mails')} bounced"
    if register.over:
        return
    if register.held:
        yield f"on hold: {mails.why or 'by the moderator'}"
    elif not register.window:
        yield "not open yet"
    elif overdue(register):
        yield "the deadline has passed"
    if register.rerun:
        yield "a window was taken back and waits for `pbem run`"
    if mails.press:
        yield f"press waits: {', '.join(map(str, mails.press))}"


def _alerts(home: Path, since: str) -> list[str]:
    """The subjects of the alerts since the last digest, oldest first."""
    found: list[tuple[float, str]] = []
    for part in ("told", "outbox"):
        for path in (home / FOLDER / part).glob("*.eml"):
            changed = path.stat().st_mtime
            head = path.read_bytes()[:4000]
            subject = SUBJECT.search(head)
            if subject and datetime.fromtimestamp(changed, parse(since).tzinfo) >= parse(since):
                found.append((changed, subject[1].decode("ascii", "replace")))
    return [said for _, said in sorted(found) if not said.startswith(phrase("digest_mark"))]
