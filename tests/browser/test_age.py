"""age files in a browser: what it encrypts the moderator's key opens, what others encrypted it
opens."""

from __future__ import annotations

import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from games.toy.game import SYSTEM
from pbem.crypto import age
from pbem.crypto.age_armour import armour, files_in, padded
from pbem.crypto.private_keys import from_seed, generate, load_private
from pbem.crypto.sshsig import public_line
from tests.conftest import Clock
from tests.encryption import EncryptedReferee
from tests.referee import key_of, signed

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import toolbox

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
stock = pytest.mark.skipif(not shutil.which("age"), reason="age is not installed")
LINES = "FOX: move A2;"
SEED = bytes(range(32))
OPEN = """([files, who]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const mine = who.map((one) => one.startsWith("AGE") ? t.ageIdentities(one)[0]
    : t.sshIdentity({ seed: t.unhex(one.split(" ")[0]), wire: t.unhex(one.split(" ")[1]) }));
  try {
    const plain = t.ageOpened(files.flatMap((file) => t.ageFilesIn(bytes(file))), mine);
    return { size: plain.length, digest: t.hex(t.sha256(plain)) };
  } catch (error) {
    return { code: error.code || String(error) };
  }
}"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with toolbox(browser, tmp_path_factory.mktemp("age")) as one:
        yield one


def opened(page: Page, content: bytes, *who: str) -> Any:
    """Size and digest of what a file says to these, or the code of what is wrong. who: age secret
    keys, or `SEED WIRE` in hex of an SSH key."""
    found = page.evaluate(OPEN, [[b64encode(content).decode()], list(who)])
    return found.get("code") or (found["size"], found["digest"])


def said(plain: bytes) -> tuple[int, str]:
    from hashlib import sha256

    return len(plain), sha256(plain).hexdigest()


def ssh(seed: bytes = SEED) -> str:
    return f"{seed.hex()} {from_seed(seed).wire.hex()}"


def pattern(size: int) -> bytes:
    return bytes((i * 7 + (i >> 8)) & 255 for i in range(size))


SIZES = [0, 1, 63, 64, 65, 8192, 65535, 65536, 65537, 131072, 140_000]


@pytest.mark.parametrize("size", SIZES)
def test_what_the_referee_encrypts_the_browser_opens(size: int, page: Page) -> None:
    """For an SSH key and for an age key, among others', binary and in armour, quoted too."""
    plain, own = pattern(size), age.generate()
    line = public_line(from_seed(SEED).wire, "")
    others = [age.public(age.identity(age.generate())), public_line(from_seed(bytes(32)).wire, "")]
    for mine, who in ((line, ssh()), (age.public(age.identity(own)), own)):
        content = age.encrypt(plain, [age.recipient(to) for to in (*others, mine)])
        quoted = "\r\n".join(f"> {row}" for row in f"Hello\n{armour(content)}".splitlines())
        for form in (content, armour(content).encode(), quoted.encode()):
            assert opened(page, form, who) == said(plain)
        assert opened(page, content, ssh(b"9" * 32), age.generate()) == "not-for-you"


@stock
def test_stock_age_and_the_browser_open_each_others_files(page: Page, tmp_path: Path) -> None:
    key, own = tmp_path / "id", tmp_path / "own"
    text, line = generate("x")
    key.write_bytes(text)
    key.chmod(0o600)
    own.write_text(age.generate())
    seed = page.evaluate("async (k) => t.hex((await t.readKey(k, '')).seed)", text.decode())
    who = f"{seed} {load_private(text).wire.hex()}"
    to = age.public(age.identity(own.read_text()))
    plain = pattern(70_000)
    for recipient, mine, identity in ((line, who, key), (to, own.read_text(), own)):
        for form in ([], ["-a"]):
            encrypted = subprocess.run(
                ["age", *form, "-r", recipient],
                input=plain,
                check=True,
                capture_output=True,
                timeout=60,
            ).stdout
            assert opened(page, encrypted, mine) == said(plain)
        if identity == own:
            made = page.evaluate(SIGNATURE, [70_000, to])
            back = subprocess.run(
                ["age", "-d", "-i", str(own)],
                input=b64decode(made),
                check=True,
                capture_output=True,
                timeout=60,
            )
            assert back.stdout == plain


def test_every_hurt_file_is_named_as_the_referee_names_it(page: Page) -> None:
    """Whatever byte is changed, cut or added: the same code as pbem.crypto.age, and never what it
    says."""
    plain = pattern(65_540)
    content = age.encrypt(plain, [age.recipient(public_line(from_seed(SEED).wire, ""))])
    end = content.index(b"\n--- ") + 50
    places = [*range(0, end, 7), end + 3, end + 20, end + 65_550, len(content) - 1]
    hurt = [content[:i] + bytes([content[i] ^ 1]) + content[i + 1 :] for i in places]
    hurt += [content[:n] for n in (0, 5, 30, end, end + 10, end + 25, len(content) - 1)]
    hurt += [content + b"\0", content[: end + 16 + 65_552], b"-----BEGIN AGE ENCRYPTED FILE-----"]
    seen = set()
    for one in hurt:
        wanted = ""
        try:
            (file, *_) = files_in(one) or [age.BadAge("age-form", "")]
            assert age.decrypt(raised(file), [age.ssh_identity(SEED, from_seed(SEED).wire)])
        except age.BadAge as error:
            wanted = error.code
        assert opened(page, one, ssh()) == wanted, one[:300]
        seen.add(wanted)
    assert seen >= {"age-form", "not-for-you", "age-mac", "age-payload", "age-armour"}


def raised(found: bytes | age.BadAge) -> bytes:
    if isinstance(found, age.BadAge):
        raise found
    return found


SIGNATURE = """([n, to]) => t.base64(t.ageFile(Uint8Array.from({ length: n },
  (_, i) => i * 7 + (i >> 8)), t.agePoint(to)))"""


@pytest.mark.parametrize("size", SIZES)
def test_what_the_browser_encrypts_the_key_opens(size: int, page: Page) -> None:
    secret = age.identity(age.generate())
    first, second = (b64decode(page.evaluate(SIGNATURE, [size, age.public(secret)])) for _ in "12")
    assert first != second
    assert age.decrypt(first, [secret]) == pattern(size)
    with pytest.raises(age.BadAge):
        age.decrypt(first, [age.identity(age.generate())])


def test_the_vectors_of_rfc_7748_and_rfc_8439(page: Page) -> None:
    scalar = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
    point = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
    script = "([k, u]) => [...t.x25519(k, u)]"
    found = page.evaluate(script, [list(bytes.fromhex(scalar)), list(bytes.fromhex(point))])
    assert bytes(found).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    key, nonce = bytes(range(0x80, 0xA0)), bytes(range(12))
    for text in (b"", b"x", bytes(range(256)) * 3, b"\xff" * 1000):
        script = "([k, n, p]) => [...t.chachaPoly(k, n, p)]"
        found = page.evaluate(script, [list(key), list(nonce), list(text)])
        wanted = ChaCha20Poly1305(key).encrypt(nonce, text, None)
        assert bytes(found) == wanted
        script = "([k, n, c]) => [...t.unchachaPoly(k, n, Uint8Array.from(c))]"
        assert bytes(page.evaluate(script, [list(key), list(nonce), list(wanted)])) == text


def test_an_encrypted_file_is_taken_by_the_referee(
    page: Page, tmp_path: Path, clock: Clock
) -> None:
    referee = EncryptedReferee.begun(tmp_path, SYSTEM)
    report = referee.report("fox")
    text = signed(referee.block("fox", LINES), key_of("fox"))
    (refused,) = referee.receive(text)
    assert refused.receipt["code"] == "not-encrypted"
    file = page.evaluate("([r, p]) => t.encryptedFile(r, p)", [report, text])
    assert [isinstance(found, bytes) for found in files_in(file.encode())] == [True]
    assert len(referee.encrypt("fox", text)) == len(file)
    (outcome,) = referee.receive(file)
    assert outcome.status == "accepted"


@pytest.mark.parametrize("size", [10, 8192, 8193, 12288, 12289, 100_000])
def test_padding_is_that_of_sign(size: int, page: Page) -> None:
    secret = age.identity(age.generate())
    report = {"moderator": {"age": age.public(secret)}}
    text = "x" * size
    (file,) = files_in(page.evaluate("([r, p]) => t.encryptedFile(r, p)", [report, text]).encode())
    assert isinstance(file, bytes)
    assert age.decrypt(file, [secret]) == padded(text.encode())


def test_nothing_is_encrypted_to_an_invalid_key(page: Page) -> None:
    good = age.public(age.identity(age.generate()))
    for bad in (
        "",
        "age1",
        good[:-1],
        good[:-1] + ("q" if good[-1] != "q" else "p"),
        good.upper(),
        "ssh-ed25519 AAAA",
    ):
        script = "(p) => { try { t.agePoint(p); return ''; } catch (e) { return e.message; } }"
        assert "no age key" in page.evaluate(script, bad)
