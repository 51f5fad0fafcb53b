"""Forged ledgers with a valid hash chain, some made together with a player who signs anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from games.toy.game import SYSTEM
from pbem.admin.rulings import read_ruling, rule
from pbem.base.hashing import H, grouped
from pbem.crypto.sshsig import armour, bare, sign
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.errors import Busy
from pbem.store.game_dir import writing
from pbem.turns.close_window import lock_of
from tests.conftest import Clock
from tests.proving import proven
from tests.referee import Referee, key_of
from tests.trust.corpus import Body, Change, alter, put, rewrite
from tests.trust.games import revealed, run

Forged = tuple[Referee, int]
Forgery = Callable[[Path, pytest.MonkeyPatch, Clock], Forged]
"""Returns the referee with its forged ledger, and the number of the record to be found."""
LINK = {
    side: grouped(DiceChains(key_of(side)).links("g1", side, 0)[1].hex()).upper()
    for side in ("fox", "hunter")
}


def redone(body: Body) -> None:
    """Compute the digests of a set anew after a change of its text or signature."""
    text = body["canonical"].encode()
    body["digest"] = H("canonical", text).hex()
    body["order"] = provable.order_digest(text, bytes.fromhex(body["signature"])).hex()


def resigned(side: str, old: str, new: str, link: str = "") -> Change:
    """A change of the recorded text, signed by the side. link: the link to record."""

    def change(body: Body) -> None:
        assert old in body["canonical"]
        body["canonical"] = body["canonical"].replace(old, new)
        signature = bare(sign(body["canonical"].encode(), key_of(side), "orders@pbem"))
        body |= {"signature": signature.hex(), "link": link.replace(" ", "").lower()}
        redone(body)

    return change


def other_file(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """The record has another canonical form than the file that was signed."""
    referee = Referee.toy(home)
    block = referee.block("fox", "FOX: move A2;").encode()
    mine = armour(sign(block, key_of("fox"), "orders@pbem")).encode()
    assert referee.receive(block, detached=mine)[0].good

    def change(body: Body) -> None:
        body["canonical"] = body["canonical"].replace("A2", "B1")
        redone(body)

    return referee, alter(referee, "received", 0, change)


def link_too_soon(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """In a strict game, the orders of a side contain its link."""
    referee = proven(home, patch, dice="strict")
    assert referee.sends("fox", referee.suggested("fox")).good
    change = resigned("fox", "LINK : NONE", f"LINK : {LINK['fox']}", LINK["fox"])
    return referee, alter(referee, "received", 0, change)


def link_without_anchor(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A link of a chain whose anchor is in no report."""
    referee = proven(home, patch, ("fox",))
    assert referee.sends("hunter", referee.suggested("hunter")).good
    change = resigned("hunter", "LINK : NONE", f"LINK : {LINK['hunter']}", LINK["hunter"])
    return referee, alter(referee, "received", 0, change)


def link_left_out(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A side with a valid anchor gives no link."""
    referee = proven(home, patch)
    assert referee.sends("fox", referee.suggested("fox")).good
    change = resigned("fox", f"LINK : {LINK['fox']}", "LINK : NONE")
    return referee, alter(referee, "received", 0, change)


def numbered_too_high(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A set with a sequence number more than a day ahead was accepted."""
    patch.setattr("pbem.inbound.authenticate.latest", lambda register, side, arrival: 10**15)
    referee = Referee.toy(home)
    referee.order("hunter", "HOUND: move E4;", seq=referee.report("hunter")["seq"] + 86_400)
    referee.order("fox", "FOX: move A2;", seq=referee.report("fox")["seq"] + 86_401)
    return referee, referee.records[-1].n


def link_without_use(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A link in a game of seeded dice."""
    referee = Referee.toy(home)
    referee.order("fox", "FOX: move A2;")
    return referee, alter(referee, "received", 0, put("link", value="00" * 32))


def key_without_use(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A dice key in a game of seeded dice."""
    referee = Referee.toy(home)
    return referee, alter(referee, "created", 0, put("modulus", value="ab"))


def no_lock(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A strict window that was closed without a lock."""
    referee = proven(home, patch, dice="strict")
    revealed(referee)
    kept = [r for r in referee.records if r.kind not in ("locked", "revealed")]
    rewrite(referee, kept)
    return referee, next(n for n, r in enumerate(kept, 1) if r.kind == "closed")


def reveal_without_anchor(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A revealed link of a chain whose anchor was never announced."""
    referee = proven(home, patch, ("fox",), dice="strict")
    assert referee.sends("fox", referee.suggested("fox")).good
    assert referee.order("hunter", referee.suggested("hunter")).good  # announces no anchor
    with pytest.raises(Busy):
        referee.run(force=True)
    assert referee.reveals("fox").good
    referee.run(force=True)

    def change(body: Body) -> None:
        link = LINK["hunter"].replace(" ", "").lower()
        g0 = bytes.fromhex(referee.report("fox")["setup"]["digest"])
        text = f"{g0.hex()} {body['window']} {body['lock']} {link}".encode()
        signature = bare(sign(text, key_of("hunter"), "reveal@pbem"))
        body |= {"side": "hunter", "link": link, "signature": signature.hex()}

    return referee, alter(referee, "revealed", 0, change)


def other_die(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A seeded die that does not follow from the seed."""
    referee = Referee.toy(home)
    while not referee.records[-1].body.get("rolls"):
        referee.go("fox", "hunter")

    def change(body: Body) -> None:
        body["rolls"][0]["dice"][0] = body["rolls"][0]["dice"][0] % 6 + 1

    return referee, alter(referee, "closed", -1, change)


def run_too_far(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """The record of the last window of a run says that the run goes on."""
    referee = run(home, patch, clock)
    return referee, alter(referee, "closed", -1, put("run", "why", value="on"))


def closed_too_soon(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """A closed window in a game that was never opened."""
    referee = Referee.toy(home)
    referee.go()
    records = [r for r in referee.records if r.kind != "opened"]
    rewrite(referee, records)
    lock = lock_of(referee.register, 0, dict.fromkeys(referee.register.sides, "NMR"))
    at = next(n for n, r in enumerate(records, 1) if r.kind == "closed")
    rewrite(
        referee,
        [
            *records[: at - 1],
            structs.replace(
                records[at - 1], body={**records[at - 1].body, "window": 0, "lock": lock}
            ),
        ],
    )
    return referee, at


def nothing_to_undo(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
    """An undo in a game without a closed window."""
    referee = Referee.toy(home)
    referee.go("fox", "hunter")
    referee.undo(reopen=True)
    records = referee.records
    opened = next(r.n for r in records if r.kind == "opened")
    rewrite(referee, [*records[:opened], records[-1]])
    return referee, opened + 1


SWUM = 'text = "it swam"\n[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n'


def ruled(change: Callable[[Body], None]) -> Forgery:
    """A changed record of a ruling that edits the state."""

    def forge(home: Path, patch: pytest.MonkeyPatch, clock: Clock) -> Forged:
        referee = Referee.toy(home)
        with writing(referee.home, referee.name) as game:
            rule(game, SYSTEM, read_ruling(SWUM, "ruling.toml"), "rain")
        return referee, alter(referee, "ruled", 0, change)

    return forge


def without(field: str) -> Change:
    return lambda body: body.pop(field)


FORGERIES: dict[str, Forgery] = {
    "a signed file said to mean something else": other_file,
    "a link given before the lock": link_too_soon,
    "a link of a chain that nobody was told of": link_without_anchor,
    "a link left out by its own side": link_left_out,
    "a set numbered as of a day to come": numbered_too_high,
    "a link where dice have none": link_without_use,
    "a dice key where dice have none": key_without_use,
    "a strict window without a lock": no_lock,
    "a reveal of a chain that nobody was told of": reveal_without_anchor,
    "a seeded die that fell otherwise": other_die,
    "a run that goes on beyond what was agreed": run_too_far,
    "a window of a game that never began": closed_too_soon,
    "an undo of nothing": nothing_to_undo,
    "a ruling on another window": ruled(put("window", value=7)),
    "a ruling said to have come in time": ruled(put("timely", value=False)),
    "a ruling that opens another window": ruled(put("opens", value=7)),
    "a ruling that changes a state nobody is told of": ruled(without("opens")),
}
