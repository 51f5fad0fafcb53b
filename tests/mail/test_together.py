"""Many games in one tick: what is synced in one go, and that nothing leaves before it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.syncing import MAX_SINGLE_SYNCS, Pending, sync_directory, sync_file, together
from pbem.model import System
from pbem.scheduler import tick
from pbem.store.game_dir import Game
from pbem.store.records import Looked, Noted
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee


def test_outside_each_file_is_synced_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with (tmp_path / "a").open("wb") as file:
        sync_file(file.fileno(), tmp_path / "a")
    sync_directory(tmp_path)
    assert len(synced) == 2


def test_together_nothing_is_synced_before_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    with together() as pending:
        for name in ("a", "b"):
            with (tmp_path / name).open("wb") as file:
                sync_file(file.fileno(), tmp_path / name)
        sync_directory(tmp_path)
        assert not synced
        pending.sync()
        assert len(synced) == 3
        pending.sync()
        assert len(synced) == 3
        sync_directory(tmp_path)
    assert len(synced) == 4


@pytest.mark.parametrize("able", [True, False])
def test_many_are_synced_by_one_order_where_the_system_has_it(
    able: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    if not able:
        monkeypatch.setattr("sys.platform", "sunos")
    paths = [tmp_path / f"{n}" for n in range(MAX_SINGLE_SYNCS + 1)]
    pending = Pending()
    for path in paths:
        path.write_bytes(b"x")
        pending.add(path)
    pending.add(tmp_path / "gone")
    pending.sync()
    assert len(synced) == (0 if able and os.uname().sysname == "Linux" else len(paths))


def several(home: Path, count: int) -> list[Referee]:
    """Open games, their first reports sent, whose mail closes a window each."""
    referees = []
    for n in range(count):
        referee = Referee.made(home, SYSTEM, Choices(seed=f"{n}"), f"g{n}")
        referee.open()
        referees.append(referee)
    office = Office(referees[0])
    office.tick()
    office.empty()
    for referee in referees:
        for side in ("fox", "hunter"):
            office.mail(side, referee.orders(side, referee.suggested(side)))
    return referees


def test_bundles_come_before_lines_and_lines_before_mail(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut a line has its files, and what was mailed has its line."""
    referees = several(tmp_path / "home", 3)
    office = Office(referees[0])
    before = [len(h.records) for h in referees]
    seen: list[tuple[int, int, int, int, int]] = []
    real = Pending.sync

    def sync(pending: Pending) -> None:
        staged = sum(len(list((h.folder / "private" / "stage").iterdir())) for h in referees)
        lines = sum(len(h.records) - n for h, n in zip(referees, before, strict=True))
        waiting = sum(len(list((h.folder / "private" / "inbox").glob("*"))) for h in referees)
        laid = len(list((office.home / "out" / "tmp").iterdir()))
        seen.append((staged, lines, waiting, laid, len(office.sent())))
        real(pending)

    monkeypatch.setattr(Pending, "sync", sync)
    done = office.tick()
    assert [t.closed for t in done.values()] == [1, 1, 1]
    first = next(k for k, one in enumerate(seen) if one[0])
    bundles, lines, shown = seen[first : first + 3]
    assert bundles == (3, 0, 6, 12, 0)  # a bundle of each game, and its mails lie ready
    assert lines == (3, 12, 6, 12, 0)  # two receipts, a window and what was sent, of each game
    assert shown == (0, 12, 0, 0, 12)
    assert all(h.audit().whole for h in referees)


def test_a_game_that_breaks_keeps_nobody_from_the_disk(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    referees = several(tmp_path / "home", 3)
    office = Office(referees[0])
    real = tick._close

    def close(referee: tick.TickContext, game: Game, system: System, ticked: tick.Ticked) -> None:
        if game.name == "g1":
            raise ZeroDivisionError
        real(referee, game, system, ticked)

    with monkeypatch.context() as patch:
        patch.setattr(tick, "_close", close)
        done = office.tick()
    assert [t.closed for t in done.values()] == [1, 0, 1]
    assert done["g1"].code == 5
    assert [r.kind for r in referees[1].records][-2:] == ["received", "received"]
    assert office.tick()["g1"].closed == 1
    assert all(h.audit().whole for h in referees)


def test_a_full_disk_at_the_lines_records_none_of_them(referee: Referee) -> None:
    from pbem.errors import Busy
    from pbem.store.game_dir import writing

    count = len(referee.records)
    with writing(referee.home, "g1") as game:
        game.gather()
        game.commit(Noted(sides=[]))
        game.commit(Looked(window=1), {"outbox/fox-0002-note.eml": b"x"})
        assert len(referee.records) == count
        game.stage()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "write", _no_room)
            with pytest.raises(Busy):
                game.record()
        with pytest.raises(ValueError, match="reading only"):
            game.commit(Noted(sides=[]))
    assert len(referee.records) == count
    with writing(referee.home, "g1"):
        assert not list((referee.folder / "private" / "stage").iterdir())
    assert referee.audit().whole


def _no_room(fd: int, content: bytes) -> int:
    import errno

    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_was_gathered_is_read_before_it_is_in_its_place(referee: Referee) -> None:
    from pbem.store.game_dir import writing

    with writing(referee.home, "g1") as game:
        game.gather()
        game.commit(Noted(sides=[]), {"state/a.json": b"{}"})
        assert game.read("state", "a.json") == b"{}"
        assert not game.path("state", "a.json").exists()
        game.stage()
        game.record()
        game.settle()
        assert game.path("state", "a.json").read_bytes() == b"{}"


def test_a_bundle_whose_last_records_a_kill_kept_out_is_cut(referee: Referee) -> None:
    """Of three commits in one bundle the ledger holds two lines; the third never happened, and a
    file that all of them wrote on stands as the second left it."""
    from pbem.store.bundle import places_of
    from pbem.store.game_dir import reading, writing

    count, ledger = len(referee.records) + 1, referee.folder / "ledger.jsonl"
    with writing(referee.home, "g1") as game:
        game.stage_private("book", b"which grows:")
        game.commit(Noted(sides=[]))
        game.gather()
        for name in ("state/a", "outbox/fox-0002-note.eml", "state/c"):
            game.stage_private("book", f"{game.read('private', 'book').decode()} {name}".encode())
            game.commit(Noted(sides=[]), {name: name.encode()})
        game.stage()
        game.record()
        game._gathered = None  # killed before it settles
    whole = ledger.read_bytes()
    ledger.write_bytes(whole[: whole.rstrip(b"\n").rindex(b"\n") + 9])
    assert reading(referee.home, "g1").restore("state/a") == b"state/a"
    assert reading(referee.home, "g1").restore("state/c") is None
    book = b"which grows: state/a outbox/fox-0002-note.eml"
    assert reading(referee.home, "g1").restore("private/book") == book
    with writing(referee.home, "g1"):
        pass
    assert len(referee.records) == count + 2
    assert (referee.folder / "state" / "a").read_bytes() == b"state/a"
    assert (referee.folder / "outbox" / "fox-0002-note.eml").exists()
    assert not (referee.folder / "state" / "c").exists()
    (bundle,) = (referee.folder / "private" / "issued").glob(f"{count + 1}")
    assert list(places_of(bundle)) == ["outbox/fox-0002-note.eml", "private/book", "state/a"]
    assert (referee.folder / "private" / "book").read_bytes() == book
    assert not list((referee.folder / "private" / "stage").iterdir())
