"""The command line called inside the test's process, and the folder in which its users work."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import main


class Said:
    """What one command said. code: its exit code."""

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code, self.raw, self.err = code, out, err

    @property
    def out(self) -> str:
        return self.raw.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


def pbem(*args: str | Path, stdin: bytes = b"") -> Said:
    """`pbem ARGS` with that standard input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8"))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            main([str(a) for a in args])
            code: Any = 0
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int)
    found = [f.buffer.getvalue() for f in (out, err)]
    said = Said(code, found[0], found[1].decode())
    assert "Traceback" not in said.err
    assert "fault:" not in said.err, said.err
    return said


class WorkFolder:
    """The working folder of a moderator and two players, with the players' keys and files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for side in ("fox", "hunter"):
            assert pbem("keygen", "-o", folder / f"{side}.key").code == 0

    def path(self, name: str) -> Path:
        return self.folder / name

    def new(self, *more: str) -> WorkFolder:
        assert pbem("new", "toy", "g1", "--seed", "x", "--chart", "none", *more).code == 0
        for side in ("fox", "hunter"):
            key = self.path(f"{side}.key.pub")
            said = pbem("enlist", "g1", side, "--email", f"{side}@example.org", "--key", key)
            assert said.code == 0
        return self

    def open(self) -> WorkFolder:
        assert pbem("open", "g1").code == 0
        return self

    def report(self, side: str) -> Path:
        path = self.path(f"{side}.json")
        path.write_bytes(pbem("report", "g1", side, "--json").raw)
        return path

    def signed(self, side: str, lines: str = "") -> Path:
        """Sign a side's order form, with other orders if `lines` is given; return the file."""
        report, form, out = self.report(side), self.path(f"{side}.txt"), self.path(f"{side}.signed")
        assert pbem("form", report, "-o", form).code == 0
        if lines:
            text = form.read_text()
            form.write_text(
                re.sub(r"(?m)^(FOX|HOUND): .*\n", "", text).replace(
                    "END ORDERS", f"{lines}\nEND ORDERS"
                )
            )
        key = self.path(f"{side}.key")
        said = pbem("sign", form, "--key", key, "--report", report, "-o", out)
        assert said.code == 0, said.err
        return out

    def window(self) -> WorkFolder:
        files = [self.signed(side) for side in ("fox", "hunter")]
        assert pbem("receive", "g1", *files).code == 0
        assert pbem("run", "g1").code == 0
        return self
