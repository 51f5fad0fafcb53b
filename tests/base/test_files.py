"""Files are whole or as before: a full disk, a kill, a second run."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.base.files import Lock, make_private, write_all, write_atomic, write_named, write_private
from pbem.errors import Busy

OLD, NEW = b"old", b"new" * 1000


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_new_content_replaces_old(tmp_path: Path) -> None:
    for content in (OLD, NEW, b""):
        write_atomic(tmp_path / "a", content)
        assert (tmp_path / "a").read_bytes() == content
    assert names(tmp_path) == ["a"]


def test_many_files_in_many_folders_sync_each_folder_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr("pbem.base.files.sync_directory", synced.append)
    (tmp_path / "one").mkdir()
    paths = [tmp_path / "a", tmp_path / "b", tmp_path / "one" / "c"]
    write_all([(path, path.name.encode()) for path in paths])
    assert [path.read_bytes() for path in paths] == [b"a", b"b", b"c"]
    assert synced == [tmp_path, tmp_path / "one"]


def test_content_is_on_the_disk_before_any_name_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def sync(fd: int) -> None:
        done.append("sync")
        real_sync(fd)

    def replace(path: str, to: str) -> None:
        done.append("name")
        real_replace(path, to)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    write_all([(tmp_path / "a", OLD), (tmp_path / "b", OLD)])
    assert done == ["sync", "sync", "name", "name", "sync"]


def test_a_full_disk_changes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all([(tmp_path / "a", OLD), (tmp_path / "b", OLD)])
    real, written = os.write, 0

    def write(fd: int, content: bytes) -> int:
        nonlocal written
        if written > len(NEW):
            raise OSError(errno.ENOSPC, "no space left")
        took = real(fd, bytes(content[: 1 + len(content) // 2]))
        written += took
        return took

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(Busy, match="nothing was changed"):
            write_all([(tmp_path / "a", NEW), (tmp_path / "b", NEW)])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes() == OLD
    assert names(tmp_path) == ["a", "b"]


@pytest.mark.skipif(sys.platform == "win32", reason="limits on file sizes are POSIX")
def test_a_real_limit_on_file_size_is_a_full_disk(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a", OLD)
    program = (
        "import resource, sys; from pathlib import Path; from pbem.errors import Busy\n"
        "from pbem.base.files import write_atomic\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_atomic(Path(sys.argv[1]), bytes(5000))\n"
        "except Busy as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a")], capture_output=True, check=True
    )
    assert b"full" in done.stdout
    assert (tmp_path / "a").read_bytes() == OLD
    assert names(tmp_path) == ["a"]


def test_files_that_a_user_names_are_all_whole_or_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is on the disk, the second finds it full."""
    paths = [tmp_path / "a.html", tmp_path / "a.zip"]
    write_named(dict.fromkeys(paths, OLD))
    real = os.write

    def write(fd: int, content: bytes) -> int:
        if len(list(tmp_path.iterdir())) > 3:
            real(fd, bytes(content[:10]))
            raise OSError(errno.ENOSPC, "no space left")
        return real(fd, content)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(Busy, match="nothing was changed"):
            write_named(dict.fromkeys(paths, NEW))
    assert [path.read_bytes() for path in paths] == [OLD, OLD]
    assert names(tmp_path) == ["a.html", "a.zip"]
    write_named(dict.fromkeys(paths, NEW))
    assert [path.read_bytes() for path in paths] == [NEW, NEW]


@pytest.mark.skipif(sys.platform == "win32", reason="file modes and links are POSIX")
def test_a_file_that_a_user_names_keeps_its_links_and_its_mode(tmp_path: Path) -> None:
    umask = os.umask(0o027)
    try:
        write_named({tmp_path / "file": OLD})
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640
        for mode in (0o600, 0o666):
            (tmp_path / "file").chmod(mode)
            write_named({tmp_path / "file": NEW})
            assert (tmp_path / "file").stat().st_mode & 0o777 == mode
    finally:
        os.umask(umask)
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "link").symlink_to("../file")
    (tmp_path / "link").symlink_to("far/link")
    write_named({tmp_path / "link": OLD})
    assert (tmp_path / "file").read_bytes() == OLD
    (tmp_path / "second").hardlink_to(tmp_path / "file")
    write_named({tmp_path / "second": NEW})
    assert (tmp_path / "file").read_bytes() == NEW
    (tmp_path / "dangling").symlink_to("made")
    write_named({tmp_path / "dangling": OLD})
    assert (tmp_path / "made").read_bytes() == OLD
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(OSError, match=r"links|Invalid") as raised:
        write_named({tmp_path / "round": OLD})
    assert raised.value.filename == str(tmp_path / "round")
    assert names(tmp_path) == ["dangling", "far", "file", "link", "made", "round", "second"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with names are POSIX")
def test_pipes_and_standard_output_can_be_named(tmp_path: Path) -> None:
    """Of a file to which standard output is led, what follows stays part."""
    os.mkfifo(tmp_path / "pipe")
    program = (
        "import os, sys; from pathlib import Path; from pbem.base.files import write_named\n"
        "write_named({Path(sys.argv[1]): b'named'}); os.write(1, b'more')\n"
    )
    run = [sys.executable, "-c", program]
    with subprocess.Popen([*run, str(tmp_path / "pipe")], stdout=subprocess.DEVNULL):
        assert (tmp_path / "pipe").read_bytes() == b"named"
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        done = subprocess.run([*run, name], stdout=subprocess.PIPE, check=True)
        assert done.stdout == b"namedmore"
        with (tmp_path / "out").open("ab") as out:
            inode = os.fstat(out.fileno()).st_ino
            subprocess.run([*run, name], stdout=out, check=True)
        assert (tmp_path / "out").stat().st_ino == inode
        assert (tmp_path / "out").read_bytes() == b"namedmore"
    assert names(tmp_path) == ["out", "pipe"]


def test_other_errors_stay_what_they_are(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomic(tmp_path / "missing" / "a", OLD)
    with pytest.raises(FileNotFoundError) as raised:
        write_named({tmp_path / "missing" / "a": OLD})
    assert str(raised.value.filename) == str(tmp_path / "missing" / "a")


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX")
def test_private_means_the_owner_alone(tmp_path: Path) -> None:
    folder = make_private(tmp_path / "home" / "private")
    assert make_private(folder).stat().st_mode & 0o777 == 0o700
    write_private(folder / "key", OLD)
    assert (folder / "key").stat().st_mode & 0o777 == 0o600


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with Lock(path), pytest.raises(Busy, match="g1"), Lock(path, "g1"):
        raise AssertionError("held twice")
    with Lock(path):
        pass


def test_a_lock_is_free_when_its_holder_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    program = (
        "import sys, time; from pathlib import Path; from pbem.base.files import Lock\n"
        "with Lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(path)],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(Busy), Lock(path):
            pass
        holder.kill()
    with Lock(path, wait=5):
        pass


def test_no_module_that_windows_lacks_is_imported() -> None:
    program = (
        "import sys; sys.modules['fcntl'] = sys.modules['resource'] = None\n"
        "import pbem.base.files, pbem.store.ledger, pbem.crypto.private_keys, pbem.dice.sources\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
