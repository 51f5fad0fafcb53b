"""The command line called inside the test's process."""

from __future__ import annotations

import io
import json
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
