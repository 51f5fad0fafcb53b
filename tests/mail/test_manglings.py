"""What mail programs do to a signed set, alone and four upon another: it verifies, or is refused
by a receipt that says what to do. Nothing else is ever read.

The kinds are those of the prototype that measured mail; HTML and transfer encodings go through the
reader that real mail goes through.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from games.bismarck.game import SYSTEM
from orders.canon import canonical, streams
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.crypto.sshsig import armour, sign
from pbem.inbound.parse_mail import open_letter
from pbem.player.sign import NAMESPACE
from tests.conftest import Clock
from tests.mail.parts import divs, leaf
from tests.orders.test_canon import Mangling, flowed, quote, smart, wrap
from tests.playing import order_file
from tests.referee import Referee, key_of

COMMENT = "[They may turn\nfrom the Strait - or hold;  see 'Hood'.]\n"


def through(coding: str, charset: str = "utf-8") -> Mangling:
    """A mail with that transfer encoding, made and read."""

    def trip(text: str) -> str:
        fits = coding != "7bit" or text.isascii()
        kind = f"text/plain; charset={charset}"
        content = text.encode("cp1252", "ignore") if charset == "iso-8859-1" else text
        part = leaf(kind, content, coding if fits else "quoted-printable")
        return open_letter(b"From: fox@example.org\n" + part).leaves[0].text

    return trip


def as_html(tag: str, around: str = "{}", attributes: str = "") -> Mangling:
    """A page whose every line is a paragraph, read as text."""

    def trip(text: str) -> str:
        page = f"<style>p{{margin:0}}</style>{around.format(divs(text, tag, attributes))}"
        part = leaf("text/html; charset=utf-8", f"<html><body>{page}</body></html>", "base64")
        return open_letter(b"From: fox@example.org\n" + part).leaves[0].text

    return trip


WORD = as_html("p", attributes=' class="MsoNormal"')
KINDS: dict[str, Mangling] = {
    "identity": lambda t: t,
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR only": lambda t: t.replace("\n", "\r"),
    "trailing spaces": lambda t: t.replace("\n", "  \n"),
    "indented": lambda t: textwrap.indent(t, "    "),
    "tabs": lambda t: t.replace("  ", "\t"),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "quoted-printable": through("quoted-printable"),
    "base64": through("base64"),
    "7bit": through("7bit", "us-ascii"),
    "flowed": flowed,
    "flowed DelSp": lambda t: flowed(t, "  "),
    "hard wrap 60": lambda t: wrap(t, 60),
    "hard wrap 40": lambda t: wrap(t, 40),
    "line breaks removed": lambda t: t.replace("\n", " "),
    "smart quotes and dashes": smart,
    "NBSP": lambda t: t.replace("  ", "\u00a0 ").replace(" ;", "\u00a0;"),
    "BOM": lambda t: "\ufeff" + t,
    "zero width": lambda t: t.replace("-", "-\u200b").replace("ORDERS", "OR\u00adDERS"),
    "cp1252 sent as latin-1": lambda t: through("8bit", "iso-8859-1")(smart(t)),
    "quoted": quote,
    "quoted twice, wrapped": lambda t: quote(wrap(t, 50), ">> "),
    "quoted, wrap loses the mark": lambda t: wrap(quote(t), 60),
    "mbox From": lambda t: re.sub(r"(?mi)^(from )", r">\1", t),
    "dash-escape": lambda t: re.sub(r"(?m)^-", "- -", t),
    "greeting and footer": lambda t: f"Hi Mod,\n\n{t}\n-- \nSent from my phone\n____\n[list]\n",
    "above an old block": lambda t: (
        f"{t}\nOn Tue, Mod wrote:\n{quote(t.replace('window: 1', 'window: 0'))}"
    ),
    "HTML": as_html("div"),
    "HTML, quoted": as_html("div", "<blockquote>{}</blockquote>"),
    "HTML of Word": WORD,
    "HTML of Word, smart": lambda t: WORD(smart(t)),
    "capitalised lines": lambda t: "\n".join(s[:1].upper() + s[1:] for s in t.split("\n")),
    "lower": str.lower,
    "double space to point": lambda t: t.replace("  ", ". "),
    "NFD": lambda t: unicodedata.normalize("NFD", t),
}
CHAINED = [
    name
    for name in KINDS
    if name not in ("BOM", "lower", "double space to point", "above an old block")
    and "HTML" not in name
]


def test_the_kinds_are_those_of_the_prototype() -> None:
    assert (len(KINDS), len(CHAINED)) == (35, 27)


@pytest.fixture
def hunt(tmp_path: Path, clock: Clock) -> Referee:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open()
    return referee


@pytest.fixture
def text(hunt: Referee) -> str:
    """A long set, as a player's program signs it, and as it lies in force."""
    report = hunt.report("british")
    plain = order_file(SYSTEM, Report.of(report), key_of("british"), "x", report["seq"] + 1)
    text = plain.replace("END ORDERS\n", COMMENT + "END ORDERS\n", 1)
    assert [o.status for o in hunt.receive(text)] == ["accepted"]
    return text


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_does_no_harm(name: str, hunt: Referee, text: str) -> None:
    """The set that is in force is known again, to its last byte; where an altered one is quoted
    below, its sender hears of that."""
    (before,) = hunt.register.sets.values()
    (outcome,) = hunt.receive(KINDS[name](text))
    altered = name == "above an old block"
    assert (outcome.status, outcome.receipt["code"]) == (
        ("refused", "bad-signature") if altered else ("known", "")
    )
    assert bool(outcome.receipt["hint"]) == altered
    assert list(hunt.register.sets.values()) == [before]


def test_ninety_seven_chains_of_four_in_a_hundred_verify(
    hunt: Referee, text: str, nightly: bool
) -> None:
    """The others are refused, and their sender is told what to do."""
    luck, count, before = Random(1), 3000 if nightly else 400, hunt.register.sets
    said: Counter[str] = Counter()
    for chain in (luck.sample(CHAINED, 4) for _ in range(count)):
        outcomes = hunt.receive(mangled(text, chain))
        said[outcomes[0].status] += 1
        for outcome in outcomes:
            assert outcome.status in ("known", "refused"), chain
            assert outcome.good or (outcome.receipt["hint"] and outcome.receipt["code"])
    assert said["known"] >= 0.97 * count, said
    assert hunt.register.sets == before


def mangled(text: str, chain: list[str]) -> str:
    for name in chain:
        text = KINDS[name](text)
    return text


def test_why_signatures_are_words_and_not_the_armour_of_ssh(hunt: Referee, text: str) -> None:
    """Base64 in long lines survives far fewer of the same chains."""
    block = text[: text.index("BEGIN SEAL")]
    signature = sign(canonical(block), key_of("british"), NAMESPACE)
    luck, whole, bare = Random(1), block + armour(signature), streams(text)[0].signature
    chains = [luck.sample(CHAINED, 4) for _ in range(400)]
    ours = sum(bears(mangled(text, chain), bare) for chain in chains)
    theirs = sum(bears(mangled(whole, chain), signature) for chain in chains)
    assert theirs < 0.9 * ours


def bears(text: str, signature: bytes | None) -> bool:
    return any(unit.signature == signature for unit in streams(text))
