"""What a person wrote in a mail beside its orders: the words that go to the moderator.

Quotations, blocks for the referee, signatures of mail programs and lines of our own reports are
left out. In doubt words are passed on: a footer too much does less harm than a question lost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from pbem.inbound.letter import Leaf, Letter

_GAP = r"[\s>|]+"
_MARK = re.compile(
    rf"(?i)\b(BEGIN|END){_GAP}(ORDERS|PRESS|JOIN|KEYS|REVEAL|LETTER|SEAL)\b"
    r"|-{5}(BEGIN|END) ([A-Z][A-Z ]{2,40})-{5}"
)
"""The first and last line of what is for a program: our blocks, and PGP, SSH and age armour."""
_REST = re.compile(
    r"(?i)--\s*$|-{3,}\s*(original message|forwarded message|urspr|message d'origine)|_{20,}"
    r"|(from|von|de|da|van):.*@|get outlook for\b"
)
"""The line from which on a mail is not its sender's words: a signature (RFC 3676, 4.3), or the mail
that is answered, which some programs put below without a mark."""
_ADDED = re.compile(
    r"(?i)(sent (from|with|via)|gesendet (von|mit)|envoy. (de|depuis)|enviado (desde|do)"
    r"|inviato da|verzonden|skickat fr.n|sendt fra)\b.{0,80}$"
)
"""A line that a mail program adds by itself."""
MOST_LINES = 40
"""Lines that are passed on."""


def own_words(letter: Letter, known: Collection[str] = ()) -> str:
    """Return the words of a letter's sender as lines; empty where there are none.

    known: lines that are not his, such as those of the report that he answers, each with its
    blanks reduced to one.
    """
    leaves = [leaf for leaf in letter.leaves if not leaf.name]
    plain = [leaf for leaf in leaves if leaf.kind == "plain"] or leaves[:1]
    lines = [line for leaf in plain for line in _lines(leaf)]
    others = (line for line in lines if " ".join(line.split()) not in known)
    kept = [line for line in others if not _ADDED.match(line)]
    if not any(char.isalnum() for line in kept for char in line):
        return ""
    return "\n".join(kept[:MOST_LINES]).strip("\n")


def unquoted(text: str) -> str:
    """Return a text without the mail that it answers, as far as that is marked."""
    lines = text.splitlines()
    end = next((n for n, line in enumerate(lines) if _REST.match(line.strip())), len(lines))
    return "\n".join(line for line in lines[:end] if not line.lstrip().startswith((">", "|")))


def _lines(leaf: Leaf) -> Iterator[str]:
    """Yield the lines of a part that stand outside blocks and quotations."""
    lines = [line.strip() for line in _without_blocks(leaf.text).splitlines()]
    begun = next((n for n, line in enumerate(lines) if _REST.match(line)), len(lines))
    for n, line in enumerate(lines[:begun]):
        if not line.startswith((">", "|")) and not _introduces(lines, n):
            yield line


def _without_blocks(text: str) -> str:
    """Return a text without its blocks. A block without an end goes on to the end of the text."""
    found, after, inside = list[str](), 0, ""
    for mark in _MARK.finditer(text):
        edge, name = (mark[1] or mark[3]).upper(), (mark[2] or mark[4]).upper()
        if edge == "BEGIN" and not inside:
            found.append(text[after : mark.start()])
            inside = name
        elif edge == "END" and name == inside:
            after, inside = mark.end(), ""
    return "\n".join([*found, "" if inside else text[after:]])


def _introduces(lines: Sequence[str], n: int) -> bool:
    """Whether a line belongs to the paragraph that introduces a quotation (`On Friday ... wrote:`),
    in whatever language."""
    if not lines[n]:
        return False
    end = next((m for m in range(n, len(lines)) if not lines[m]), len(lines))
    last = next((m for m in range(n, end) if lines[m].startswith((">", "|"))), end) - 1
    following = next((line for line in lines[last + 1 :] if line), "")
    return last - n < 3 and lines[last].endswith(":") and following.startswith((">", "|"))
