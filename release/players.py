"""`players.py WHEEL -o pbem.pyz`: pbem for players as one file that runs on every machine.

It holds pbem and the wheels of what players' commands need, for several systems and versions of
Python, and picks those that fit when it runs (`players_main.py`). pip downloads them. The same
wheels give the same bytes.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

NEEDED = (
    "click>=8.2,<9",
    "jinja2>=3.1.4,<4",
    "cryptography[ssh]>=42",
    "msgspec>=0.19,<1",
    "tzdata",
)
"""What players' commands need: everything but the pictures of charts."""
PLATFORMS = (
    "manylinux_2_28_x86_64",
    "manylinux_2_28_aarch64",
    "macosx_11_0_arm64",
    "macosx_10_15_x86_64",
    "win_amd64",
)
"""For Linux and macOS, the newest release that a wheel may ask for; older ones are taken, too."""
MACS = (9, 12, 13, 15)
"""Releases of macOS 10 that wheels ask for; Python 3.14 and 3.15 need the last of them."""
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
STAMP = (1980, 1, 1, 0, 0, 0)
"""The time of every file in the archive, the first that zip knows."""
START = Path(__file__).with_name("players_main.py")


def main() -> None:
    """Download the wheels and write the archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", type=Path, help="the wheel of pbem")
    parser.add_argument("-o", "--out", type=Path, default=Path("pbem.pyz"))
    parser.add_argument("--platform", action="append", help=f"default: {', '.join(PLATFORMS)}")
    parser.add_argument("--python", action="append", help=f"default: {', '.join(PYTHONS)}")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        wheels = Path(folder)
        for platform in given.platform or PLATFORMS:
            for python in given.python or PYTHONS:
                download(wheels, platform, python)
        found = {path.name: path.read_bytes() for path in (given.wheel, *wheels.glob("*.whl"))}
    given.out.write_bytes(archive(found))
    print(f"{given.out}: {len(found)} wheels, {given.out.stat().st_size / 1e6:.1f} MB")


def download(folder: Path, platform: str, python: str) -> None:
    """Let pip download the wheels for a platform and a version of Python."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--dest", str(folder)]
    command += ["--only-binary=:all:", "--python-version", python, *platforms(platform)]
    subprocess.run([*command, *NEEDED], check=True)


def platforms(newest: str) -> list[str]:
    """The options of pip for a platform: it takes only wheels whose tag is named."""
    named = [newest]
    if newest.startswith("manylinux_"):
        machine = newest.split("_", 3)[3]
        named += [f"manylinux_2_{n}_{machine}" for n in (17, 24, 26, 27)]
        named += [f"manylinux2014_{machine}"]
    if newest.startswith("macosx_"):
        named += [f"macosx_10_{n}_universal2" for n in MACS]
        named += [f"macosx_10_{n}_x86_64" for n in MACS] if newest.endswith("x86_64") else []
    return [word for name in named for word in ("--platform", name)]


def archive(wheels: dict[str, bytes]) -> bytes:
    """The archive as bytes. wheels: file name to content."""
    import packaging

    digest = sha256(
        "".join(f"{n} {sha256(wheels[n]).hexdigest()}\n" for n in sorted(wheels)).encode()
    )
    own = Path(packaging.__file__).parent
    files = {f"packaging/{path.name}": path.read_bytes() for path in own.glob("*.py")}
    files |= {"__main__.py": START.read_bytes(), "DIGEST": digest.hexdigest().encode()[:16]}
    out = io.BytesIO(b"#!/usr/bin/env python3\n")
    out.seek(0, io.SEEK_END)
    with ZipFile(out, "w") as packed:
        for name in sorted(files):
            packed.writestr(_entry(name, ZIP_DEFLATED), files[name])
        for name in sorted(wheels):  # they are compressed already
            packed.writestr(_entry(f"wheels/{name}", ZIP_STORED), wheels[name])
    return out.getvalue()


def _entry(name: str, how: int) -> ZipInfo:
    entry = ZipInfo(name, STAMP)
    entry.compress_type, entry.external_attr = how, 0o644 << 16
    return entry


if __name__ == "__main__":
    main()
