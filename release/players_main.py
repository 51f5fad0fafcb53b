"""The beginning of `pbem.pyz`: unpacks the wheels that fit this machine, once, and runs pbem.

`release/players.py` puts this file into the archive as `__main__.py`, with `packaging` beside it
and all wheels in the folder `wheels`. Compiled modules cannot be imported from a zip, so the wheels
that fit are unpacked into the user's folder for caches.
"""

import os
import sys
from pathlib import Path
from zipfile import ZipFile

OLDEST = (3, 11)
"""The oldest Python that pbem runs on."""


def main() -> None:
    """Run pbem with the arguments of this process."""
    if sys.version_info < OLDEST:
        sys.exit(
            "pbem needs Python {}.{} or newer; this is {}.{}".format(*OLDEST, *sys.version_info)
        )
    with ZipFile(Path(__file__).parent) as archive:
        folder = caches() / f"{archive.read('DIGEST').decode('ascii').strip()}-{machine()}"
        if not folder.is_dir():
            unpack(archive, folder)
    sys.path.insert(0, str(folder))
    from pbem.cli import start

    start()


def caches() -> Path:
    """The folder for what can be made again: PBEM_CACHE, or where the system keeps caches."""
    if named := os.environ.get("PBEM_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "pbem" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "pbem"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pbem"


def machine() -> str:
    """For whom wheels are unpacked: this Python, and the processor. After an upgrade of Python, and
    in a home that several machines share, others are needed."""
    processor = os.uname().machine if hasattr(os, "uname") else sys.platform
    return f"{sys.implementation.cache_tag}-{processor}"


def unpack(archive: ZipFile, folder: Path) -> None:
    """Unpack the wheels that fit this machine. The folder appears whole or not at all, also if two
    processes do this at once, or one is killed."""
    from tempfile import mkdtemp

    wheels = fitting([n for n in archive.namelist() if n.endswith(".whl")])
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix="new-", dir=folder.parent))
    for name in wheels:
        with archive.open(name) as packed, ZipFile(packed) as wheel:
            wheel.extractall(made)
    try:
        made.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was faster
            raise
        from shutil import rmtree

        rmtree(made, ignore_errors=True)


def fitting(wheels: list[str]) -> list[str]:
    """Of each project the wheel that fits this machine best. Ends the program if one has none."""
    from packaging.tags import sys_tags
    from packaging.utils import parse_wheel_filename

    ranks = {tag: rank for rank, tag in enumerate(sys_tags())}
    best: dict[str, tuple[int, str]] = {}
    for wheel in wheels:
        project, _, _, tags = parse_wheel_filename(wheel.rpartition("/")[2])
        fits = [ranks[tag] for tag in tags if tag in ranks]
        rank = min(fits, default=len(ranks))
        best[project] = min(best.get(project, (rank, wheel)), (rank, wheel))
    lacking = sorted(project for project, (rank, _) in best.items() if rank == len(ranks))
    if lacking:
        version = "{}.{}".format(*sys.version_info)
        sys.exit(
            f"this file has no {', '.join(lacking)} for Python {version} on {sys.platform}: "
            f"install pbem with pipx instead"
        )
    return [wheel for _, wheel in best.values()]


if __name__ == "__main__":
    main()
