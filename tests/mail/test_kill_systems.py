"""Bismarck and Far Seas, killed while they are played through Dovecot and Postfix: the next tick
finishes, nothing is lost or done twice, every mail arrives once.

Once but for one case: killed between the end of a mail and the record of it, a tick hands this mail
over again, with the same Message-ID and the same bytes. SMTP has no way to know better.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
import warnings
from collections import Counter as Count
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from games.bismarck.game import SYSTEM as BISMARCK
from games.far_seas.game import SYSTEM as FAR_SEAS
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.base.report_json import Report
from pbem.crypto.sshsig import public_line
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.faults.hooks import CALLS, KILLED, Counter, Sends, constant, die, in_child, in_sends
from tests.mail.office import Office
from tests.mail.servers import Servers, until
from tests.mail.site import by_smtp, configured
from tests.mail.test_kill import left, told
from tests.playing import order_file
from tests.referee import Referee, key_of

GAMES = {"g1": BISMARCK, "g2": FAR_SEAS}
READERS = {"british": "tovey", "german": "spee"}
MODERATOR = "admiralty"
Kill = Callable[[Callable[[], object]], int]
Sample = Callable[[Sequence[Kill], int], Sequence[Kill]]


class War:
    """A home of both games in their third window, with the mail that closes it waiting on the
    server; played again and again from there."""

    def __init__(self, servers: Servers, folder: Path) -> None:
        self.servers, self.folder, self.count = servers, folder, 0
        self.prepared = folder / "prepared"
        for name, system in GAMES.items():
            self._open(Referee(self.prepared, system, name))
        self.mails = list(self._mails())

    def _open(self, referee: Referee) -> None:
        create(referee.home, referee.system, referee.name, Choices(seed="war", press="open"))
        with writing(referee.home, referee.name) as game:
            for side, reader in READERS.items():
                key = public_line(key_of(side).wire)
                enlist(game, side, Newcomer(key, f"{reader}@example.org", side))
        referee.open()
        for _ in range(2):
            for side in READERS:
                assert referee.receive(self._orders(referee, side))[0].good
            referee.run()

    @staticmethod
    def _orders(referee: Referee, side: str) -> str:
        report = referee.report(side)
        return order_file(referee.system, Report.of(report), key_of(side), "war", report["seq"] + 1)

    def _mails(self) -> Iterator[tuple[str, str]]:
        """Who writes, and what: orders, orders again, some that are refused, press, questions."""
        for name, system in GAMES.items():
            referee = Referee(self.prepared, system, name)
            for side in READERS:
                yield side, f"Subject: {name}\n\nhelp\n"
                yield side, f"Subject: {name}\n\n{referee.block(side, 'NOBODY: hold;')}"
                yield side, f"Subject: {name}\n\n{self._orders(referee, side)}"
            yield "german", f"Subject: {name}\n\nBEGIN PRESS TO BRITISH\nPeace?\nEND PRESS\n"
            yield "british", f"Subject: {name}\n\n{self._orders(referee, 'british')}"
        yield "german", "Subject: g1\n\nDear moderator!\n"

    def begin(self) -> Office:
        """A copy of the home, whose mailbox is new."""
        self.count += 1
        user = f"war{self.count}"
        box = self.servers.root / "mail" / user
        for part in ("", "new", "cur", "tmp"):
            (box / part).mkdir()
            shutil.chown(box / part, 65534, 65534)
        for n, (side, text) in enumerate(self.mails):
            path = box / "new" / f"176364{n:04}.M{n}P1.war"
            path.write_text(f"From: {READERS[side]}@example.org\n{text}")
            os.utime(path, (1_800_000_000 + n, 1_800_000_000 + n))
            shutil.chown(path, 65534, 65534)
        home = self.folder / "home"  # always the same: mails to the moderator name files in it
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self.prepared, home)
        text = by_smtp(self.servers).replace("games@example.org", "war@example.org", 1)
        text = text.replace("mod@example.org", f"{MODERATOR}@example.org")
        text = text.replace('user = "games@example.org"', f'user = "{user}@example.org"')
        configured(home, text)
        return Office(Referee(home, BISMARCK), text)

    def came(self) -> list[bytes]:
        """What arrived at the players and the moderator since it was last asked, as it was sent."""
        postfix = self.servers.postfix
        assert until(lambda: not postfix.waits()), postfix.log()
        found = []
        for reader in (*READERS.values(), MODERATOR):
            for path in self.servers.kept(reader):
                raw = path.read_bytes().replace(b"\r\n", b"\n")
                found.append(raw[raw.index(b"Date: Fri, 20 Nov") :])
                path.unlink()
        return found

    def happened(self) -> list[list[str]]:
        """What each ledger says; how many mails were recorded at once is of no matter."""
        found = []
        for name, system in GAMES.items():
            records = told(Referee(self.folder / "home", system, name).records)
            sent = [mail for kind, body in records if kind == "sent" for mail in body["mails"]]
            found.append(sorted([*sent, *(str(one) for one in records if one[0] != "sent")]))
        return found

    def whole(self) -> bool:
        """Whether both games hold before every check."""
        homes = [Referee(self.folder / "home", system, name) for name, system in GAMES.items()]
        return all(referee.audit().whole for referee in homes)


def tick(office: Office) -> None:
    """All games; their troubles are failures."""
    for ticked in office.tick().values():
        assert not ticked.error, ticked.error


def at_a_moment(action: Callable[[], object], seconds: float) -> int:
    """Run `action` in a child that a signal nobody catches ends after so long; its exit code."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, seconds)
            action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.fixture(scope="module")
def war(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[War]:
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        patch.setattr(os, "urandom", constant)
        yield War(servers, tmp_path_factory.mktemp("war"))


def kills_of(war: War, moments: int) -> tuple[list[Kill], Count[bytes], list[list[str]]]:
    """Ways to die at every write, in and behind everything said to a server, and at `moments` of
    no plan; with what arrives, and happens, where nobody dies."""
    office = war.begin()
    writes, sends = Counter(0, CALLS, die), Sends(0)
    with pytest.MonkeyPatch.context() as patch:
        writes.install(patch)
        sends.install(patch)
        began = time.monotonic()
        tick(office)
    lasted, mails = time.monotonic() - began, Count(war.came())
    assert mails.total() == len(mails) >= 20
    for ledger in war.happened():
        assert sum("'closed'" in line for line in ledger) >= 3
    assert (writes.count > 100, sends.count > 80) == (True, True)
    kills: list[Kill] = [partial(in_child, k=k) for k in range(1, writes.count + 1)]
    for k in range(1, sends.count + 1):
        kills += [partial(in_sends, k=k, behind=behind) for behind in (False, True)]
    random = Random("war")
    kills += [partial(at_a_moment, seconds=random.uniform(0.001, lasted)) for _ in range(moments)]
    return kills, mails, war.happened()


@pytest.mark.long
def test_a_tick_of_both_games_killed_anywhere_is_finished_by_the_next(
    war: War, sample: Sample, nightly: bool
) -> None:
    kills, mails, ledgers = kills_of(war, 300 if nightly else 9)
    died = again = 0
    for kill in sample(kills, 7):
        office = war.begin()
        code = kill(partial(tick, office))
        assert code in (KILLED, 0, -signal.SIGALRM), str(kill)
        died += bool(code)
        tick(office)
        came = Count(war.came())
        assert came.keys() == mails.keys(), str(kill)
        assert came.total() <= mails.total() + 1, str(kill)
        again += came.total() - mails.total()
        assert war.happened() == ledgers, str(kill)
        assert not left(office)
        assert war.whole()
        third = office.tick().values()
        assert not any(one.mails or one.sent or one.waiting or one.closed for one in third)
    print(f"{len(kills)} ways to die, {died} died, {again} mails twice")
    assert died >= 5
