"""The usual fixture of a test: `pbem.testing`'s referee, with what only our own tests need."""

from __future__ import annotations

from pathlib import Path

from orders.header import show_header
from pbem.admin.setup import Choices
from pbem.testing import referee
from pbem.testing.referee import key_of, signed
from tests.ledgers import Record, read_file

Tree = dict[str, bytes]


class Referee(referee.Referee):
    """A home with one game."""

    @classmethod
    def toy(
        cls, home: Path, play: str = "plotted", seed: str = "x", dice: str = "seeded"
    ) -> Referee:
        """Create and open a toy game. seed: of seeded dice, ignored for other dice."""
        from games.toy.game import SYSTEM

        choices = Choices(options={"play": play}, seed=seed if dice == "seeded" else "", dice=dice)
        referee = cls.made(home, SYSTEM, choices)
        referee.open()
        return referee

    @property
    def records(self) -> list[Record]:
        """The records as plain data; `read().ledger` has them as typed structs."""
        return read_file(self.folder / "ledger.jsonl")


def without_field(block: str, field: str) -> str:
    """The block without one field of its header."""
    header = block.splitlines()
    lines = []
    for line in header:
        parts = [p for p in line.split("  ") if not p.startswith(f"{field}:")]
        lines.append("  ".join(parts))
    return "".join(f"{line}\n" for line in lines if line)


def tree(folder: Path) -> Tree:
    """Content of every file below `folder` by path, without hidden and temporary files."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.name.startswith(".")
    }


def unchanged_but(before: Tree, after: Tree) -> list[str]:
    """Paths that two trees do not have in common with the same content, sorted."""
    return sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))


__all__ = [
    "Referee",
    "Tree",
    "key_of",
    "show_header",
    "signed",
    "tree",
    "unchanged_but",
    "without_field",
]
