"""The order page's own cryptography in a browser, held against hashlib, `cryptography` and
OpenSSH."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from orders.model import OrderSet
from pbem.base.hashing import canonical_json
from pbem.base.report_json import Report
from pbem.crypto.private_keys import SshKey, from_seed, generate, load_private
from pbem.crypto.sshsig import bare, fingerprint, key_digest, public_line, sign
from pbem.dice import chains
from pbem.dice.chains import DiceChains, header_fields
from pbem.dice.provable import chain, own_tail
from pbem.web.packed import pack

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from pbem.player.run_word import links_of, reach_of
from tests.browser.surf import CHROMIUM
from tests.browser.writing import toolbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
openssh = pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")

SEED = bytes(range(32))
CHANCE = "(n) => crypto.getRandomValues(new Uint8Array(n))"


@pytest.fixture(scope="module")
def tools(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with toolbox(browser, tmp_path_factory.mktemp("tools")) as page:
        yield page


def keygen(path: Path, passphrase: str, *more: str) -> str:
    """A key made by OpenSSH; its public line."""
    args = ["ssh-keygen", "-q", "-t", "ed25519", "-C", "a comment", "-N", passphrase, *more]
    subprocess.run([*args, "-f", str(path)], check=True, timeout=60)
    return path.with_name(path.name + ".pub").read_text("ascii").strip()


def opened(tools: Page, text: str, passphrase: str) -> Any:
    """What the page reads in a key file, or the code of its refusal."""
    return tools.evaluate(
        """async ([text, pass]) => {
             try {
               const key = await t.readKey(text, pass);
               return [t.hex(key.seed), t.publicLine(key.wire, key.comment), key.locked];
             } catch (e) { return e.code; }
           }""",
        [text, passphrase],
    )


def test_hashes(tools: Page) -> None:
    """Every length around the edges of a block."""
    texts = [bytes(i * 7 & 255 for i in range(n)).hex() for n in range(260)]
    found = tools.evaluate(
        "(all) => all.map((x) => [t.hex(t.sha256(t.unhex(x))), t.hex(t.sha512(t.unhex(x)))])", texts
    )
    for text, (short, long) in zip(texts, found, strict=True):
        raw = bytes.fromhex(text)
        assert short == hashlib.sha256(raw).hexdigest()
        assert long == hashlib.sha512(raw).hexdigest()


def test_signatures_by_page_and_browser_are_those_of_python(tools: Page) -> None:
    assert tools.evaluate("t.knowsEd25519()") is True
    for n in range(8):
        seed, text = hashlib.sha256(b"%d" % n).digest(), f"TF{n} : HOLD ;\n" * n
        wanted = bare(sign(text.encode(), from_seed(seed), "orders@pbem")).hex()
        found = tools.evaluate(
            """async ([seed, text]) => {
                 const key = t.unhex(seed), said = t.utf8(text);
                 const made = [await t.signBare(key, said, "orders@pbem"),
                   t.signSame(key, said, "orders@pbem")];
                 return made.map(t.hex);
               }""",
            [seed.hex(), text],
        )
        assert found == [wanted, wanted]


def test_a_browser_without_ed25519_signs_the_same(tools: Page) -> None:
    wanted = bare(sign(b"x", from_seed(SEED), "orders@pbem")).hex()
    found = tools.evaluate(
        """async (seed) => {
             const real = crypto.subtle.importKey;
             crypto.subtle.importKey = () => Promise.reject(new DOMException("no", "no"));
             try {
               const made = await t.signBare(t.unhex(seed), t.utf8("x"), "orders@pbem");
               return [await t.knowsEd25519(), t.hex(made)];
             } finally { crypto.subtle.importKey = real; }
           }""",
        SEED.hex(),
    )
    assert found == [False, wanted]


def test_changed_signatures_are_refused(tools: Page) -> None:
    key = from_seed(SEED)
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    signature = Ed25519PrivateKey.from_private_bytes(SEED).sign(b"letter")
    flipped = [
        bytes([*signature[:i], signature[i] ^ 1, *signature[i + 1 :]]) for i in (0, 31, 40, 63)
    ]
    cases = [
        (signature, b"letter"),
        (signature, b"lettes"),
        (signature[:-1], b"letter"),
        *((bad, b"letter") for bad in flipped),
    ]
    found = tools.evaluate(
        """([known, all]) => all.map(([s, m]) =>
             t.verifyEd25519(t.unhex(known), t.unhex(m), t.unhex(s)))""",
        [key.wire[-32:].hex(), [(s.hex(), m.hex()) for s, m in cases]],
    )
    assert found == [True] + [False] * (len(cases) - 1)


def test_chains_are_those_of_python(tools: Page) -> None:
    for seed, side, epoch in ((SEED, "british", 0), (os.urandom(32), "german", 3)):
        tail = own_tail(from_seed(seed), "g1", side, epoch)
        found = tools.evaluate(
            "([s, side, e]) => t.chainLinks(t.unhex(s), 'g1', side, e)", [seed.hex(), side, epoch]
        )
        assert found == [link.hex() for link in chain("g1", side, tail)]
        named = own_tail(from_seed(seed), "g1", side, epoch, "95b9aca00d322047")
        found = tools.evaluate(
            "([s, side, e, by]) => t.chainLinks(t.unhex(s), 'g1', side, e, by)",
            [seed.hex(), side, epoch, "95b9aca00d322047"],
        )
        assert found == [link.hex() for link in chain("g1", side, named)]


def anchors(key: SshKey, *rows: tuple[int, int]) -> list[dict[str, Any]]:
    """Anchors of a key by (epoch, window from which it counts)."""
    dice_chains = DiceChains(key)
    return [
        {
            "key": key_digest(key.wire),
            "anchor": dice_chains.links("g1", "fox", epoch)[0].hex(),
            "from": since,
        }
        for epoch, since in rows
    ]


STRANGE = {"key": key_digest(from_seed(SEED).wire), "anchor": "ab" * 32, "from": 1}
CASES: dict[str, tuple[str, int, list[dict[str, Any]]]] = {
    "seeded dice": ("seeded", 3, []),
    "no anchor yet": ("fast", 1, []),
    "another officer's anchor": ("fast", 2, anchors(from_seed(b"o" * 32), (0, 1))),
    "an anchor that counts": ("fast", 5, anchors(from_seed(SEED), (0, 1))),
    "one that does not count yet": ("fast", 2, anchors(from_seed(SEED), (0, 3))),
    "a new one beside the old": ("fast", 7, anchors(from_seed(SEED), (0, 1), (1, 8))),
    "a new one in force": ("fast", 9, anchors(from_seed(SEED), (0, 1), (1, 8))),
    "strict dice": ("strict", 4, anchors(from_seed(SEED), (0, 1))),
    "strict dice without an anchor": ("strict", 4, []),
    "the end of a chain": ("fast", 4096, anchors(from_seed(SEED), (0, 1))),
    "behind its end": ("fast", 4097, anchors(from_seed(SEED), (0, 1))),
}


SAMPLE = json.loads(
    (Path(__file__).parents[1] / "reports" / "samples" / "toy-hunter.json").read_bytes()
)


@pytest.mark.parametrize("case", CASES)
def test_the_header_names_the_link_that_sign_names(case: str, tools: Page) -> None:
    dice, window, known = CASES[case]
    report = {
        "game": "g1",
        "side": "fox",
        "window": window,
        "dice_mode": dice,
        "moderator": {"sign": "", "key": "ab" * 8},
        "anchors": {"fox": known},
    }
    found = tools.evaluate(FIELDS, [SEED.hex(), report])
    assert [found["link"], found["anchor"]] == list(
        header_fields(Report.of(SAMPLE | report), DiceChains(from_seed(SEED)))
    )
    assert not found.get("strange")


@pytest.mark.parametrize("words", [{"RUN": "3"}, {"LINKS": "5"}, {"RUN": "2", "LINKS": "1"}])
@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_the_link_reaches_as_far_as_the_words_of_the_set(
    dice: str, words: dict[str, str], tools: Page
) -> None:
    report = {
        "game": "g1",
        "side": "fox",
        "window": 5,
        "dice_mode": dice,
        "moderator": {"sign": "", "key": "ab" * 8},
        "anchors": {"fox": anchors(from_seed(SEED), (0, 1))},
    }
    found = tools.evaluate(FIELDS, [SEED.hex(), report, words])
    orders = OrderSet(words={w: n for w, n in words.items() if (dice, w) != ("strict", "RUN")})
    ahead, lends = reach_of(orders), links_of(orders) > 0
    link, anchor = header_fields(
        Report.of(SAMPLE | report), DiceChains(from_seed(SEED)), ahead=ahead, lends=lends
    )
    assert [found["link"], found["anchor"]] == [link, anchor]
    assert (link == "none") == (dice == "strict" and not lends)


FIELDS = """([seed, report, words]) => {
  const key = t.unhex(seed), known = t.tlv(t.publicOf(key));
  const wire = new Uint8Array([...t.tlv("ssh-ed25519"), ...known]);
  return t.chainFields(report, wire, t.purseOf(key), false, words || {});
}"""


def test_an_anchor_of_a_lost_chain_is_replaced(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python asks for --reanchor; the page announces a new anchor and says so. Both have tried all
    chains that the key makes, of which there are few here."""
    most = f"MOST_EPOCHS = {chains.MOST_EPOCHS}"
    monkeypatch.setattr(chains, "MOST_EPOCHS", 2)
    report = {
        "game": "g1",
        "side": "fox",
        "window": 5,
        "dice_mode": "fast",
        "moderator": {"sign": "", "key": "ab" * 8},
        "anchors": {"fox": [STRANGE]},
    }
    with toolbox(browser, tmp_path, most, "MOST_EPOCHS = 2") as tools:
        found = tools.evaluate(FIELDS, [SEED.hex(), report])
    assert found["strange"] is True
    assert [found["link"], found["anchor"]] == list(
        header_fields(Report.of(SAMPLE | report), DiceChains(from_seed(SEED)), renew=True)
    )


@pytest.mark.some(1)
@openssh
@pytest.mark.parametrize("passphrase", ["", "a pass phrase", "Gröning über 世界"])
def test_keys_of_openssh_are_opened(passphrase: str, tools: Page, tmp_path: Path) -> None:
    line = keygen(tmp_path / "k", passphrase)
    text = (tmp_path / "k").read_text("ascii")
    found = opened(tools, text, passphrase)
    assert found[1:] == [line, bool(passphrase)]
    assert public_line(from_seed(bytes.fromhex(found[0])).wire, "a comment") == line
    crlf = "\ufeff" + text.replace("\n", "\r\n")
    assert opened(tools, crlf, passphrase) == found


@pytest.mark.some(1)
@openssh
@pytest.mark.parametrize("passphrase", ["eight chars", "Gröning über 世界", "x" * 200])
def test_openssh_opens_the_keys_made_here(passphrase: str, tools: Page, tmp_path: Path) -> None:
    text = tools.evaluate(
        f"([seed, pass]) => t.writeKey(t.unhex(seed), 'my key', pass, {CHANCE})",
        [SEED.hex(), passphrase],
    )
    path = tmp_path / "made"
    path.write_text(text, "ascii")
    path.chmod(0o600)
    said = subprocess.run(
        ["ssh-keygen", "-y", "-P", passphrase, "-f", str(path)],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.stdout.strip() == public_line(from_seed(SEED).wire, "my key")
    refused = subprocess.run(
        ["ssh-keygen", "-y", "-P", "wrong one", "-f", str(path)],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode != 0
    assert opened(tools, text, passphrase) == [SEED.hex(), said.stdout.strip(), True]
    assert load_private(text.encode(), passphrase.encode()).wire == from_seed(SEED).wire


@openssh
def test_each_key_that_does_not_serve_is_named(tools: Page, tmp_path: Path) -> None:
    keygen(tmp_path / "locked", "right")
    keygen(tmp_path / "gcm", "right", "-Z", "aes256-gcm@openssh.com")
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", str(tmp_path / "rsa")],
        check=True,
        timeout=60,
    )
    text = {p.name: p.read_text("ascii") for p in tmp_path.iterdir()}
    lines = text["locked"].splitlines()
    cases = [
        (text["locked"], "", "locked"),
        (text["locked"], "wrong", "passphrase"),
        (text["gcm"], "right", "cipher"),
        (text["rsa"], "", "key-type"),
        (text["rsa.pub"], "", "public-key"),
        ("", "", "no-key"),
        ("hello", "", "no-key"),
        ("\n".join([lines[0], *lines[2:]]), "right", "no-key"),
        ("\n".join([lines[0], lines[1], lines[-1]]), "right", "no-key"),
    ]
    for content, passphrase, code in cases:
        assert opened(tools, content, passphrase) == code, content[:80]


def test_keys_of_keygen_are_opened(tools: Page) -> None:
    text, line = generate("from pbem")
    found = opened(tools, text.decode(), "")
    assert found[1:] == [line, False]
    wire = from_seed(bytes.fromhex(found[0])).wire
    said = tools.evaluate("(w) => [t.fingerprint(t.unhex(w)), t.keyDigest(t.unhex(w))]", wire.hex())
    assert said == [fingerprint(wire), key_digest(wire)]


def test_packed_data_is_unpacked(tools: Page) -> None:
    """Stored, fixed and dynamic blocks, long matches, many blocks."""
    import zlib

    samples = [
        b"",
        b"a",
        b"abc" * 20_000,
        os.urandom(70_000),
        json.dumps(list(range(40_000))).encode(),
    ]
    for level in (0, 1, 9):
        for plain in samples:
            packer = zlib.compressobj(level, zlib.DEFLATED, -15)
            packed = packer.compress(plain) + packer.flush()
            found = tools.evaluate(
                "([p, n]) => t.hex(t.sha256(t.inflate(t.unhex(p), n)))", [packed.hex(), len(plain)]
            )
            assert found == hashlib.sha256(plain).hexdigest()
    made = pack(canonical_json({"é": ["x"] * 300}))
    found = tools.evaluate(
        "([p, n]) => JSON.parse(new TextDecoder().decode(t.inflate(t.fromBase64(p), n)))",
        [made.text, made.size],
    )
    assert found == {"é": ["x"] * 300}
