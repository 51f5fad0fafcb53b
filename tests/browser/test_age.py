"""Sealed orders made in a browser: the moderator's key opens them, and the referee takes them."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from games.toy.game import SYSTEM
from pbem import age
from pbem.armour import files_in, padded
from pbem.desk_language import joined
from tests.conftest import Clock
from tests.house import House, key_of, seal
from tests.sealing import SealedHouse

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
HTML = """<!doctype html><meta charset="utf-8"><title>t</title><script type="module">
{program}
window.desk = {{ sealedFile, ageFile, agePoint, x25519, chachaPoly }};
</script>"""
LINES = "FOX: move A2;"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    file = tmp_path_factory.mktemp("age") / "age.html"
    file.write_text(HTML.format(program=joined(["desk/js/age.js"])), "utf-8")
    with chromium() as browser:
        one = browser.new_context(offline=True).new_page()
        one.goto(file.as_uri())
        one.wait_for_function("window.desk")
        yield one


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 8192, 65535, 65536, 65537, 140_000])
def test_what_the_browser_seals_the_key_opens(size: int, page: Page) -> None:
    secret = age.identity(age.generate())
    script = """async ([n, to]) => {
      const plain = Uint8Array.from({ length: n }, (_, i) => i * 7 + (i >> 8));
      const file = await desk.ageFile(plain, desk.agePoint(to));
      return btoa(Array.from(file, (b) => String.fromCharCode(b)).join(""));
    }"""
    first, second = (b64decode(page.evaluate(script, [size, age.public(secret)])) for _ in "12")
    assert first != second
    assert age.decrypt(first, [secret]) == bytes((i * 7 + (i >> 8)) & 255 for i in range(size))
    with pytest.raises(age.BadAge):
        age.decrypt(first, [age.identity(age.generate())])


def test_the_vectors_of_rfc_7748_and_rfc_8439(page: Page) -> None:
    scalar = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
    point = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
    script = "([k, u]) => [...desk.x25519(k, u)]"
    found = page.evaluate(script, [list(bytes.fromhex(scalar)), list(bytes.fromhex(point))])
    assert bytes(found).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    key, nonce = bytes(range(0x80, 0xA0)), bytes(range(12))
    for text in (b"", b"x", bytes(range(256)) * 3, b"\xff" * 1000):
        script = "([k, n, t]) => [...desk.chachaPoly(k, n, t)]"
        found = page.evaluate(script, [list(key), list(nonce), list(text)])
        assert bytes(found) == ChaCha20Poly1305(key).encrypt(nonce, text, None)


def test_a_sealed_file_is_taken_by_the_referee(page: Page, tmp_path: Path, clock: Clock) -> None:
    house = SealedHouse.begun(tmp_path, SYSTEM)
    report = house.report("fox")
    signed = seal(house.block("fox", LINES), key_of("fox"))
    (refused,) = house.receive(signed)
    assert refused.receipt["code"] == "not-sealed"
    file = page.evaluate("([r, t]) => desk.sealedFile(r, t)", [report, signed])
    assert [isinstance(found, bytes) for found in files_in(file.encode())] == [True]
    assert len(house.seal("fox", signed)) == len(file)
    (outcome,) = house.receive(file)
    assert outcome.status == "accepted"


def test_in_an_open_game_the_file_itself_is_sent(page: Page, house: House) -> None:
    signed = house.orders("fox", LINES)
    assert (
        page.evaluate("([r, t]) => desk.sealedFile(r, t)", [house.report("fox"), signed]) == signed
    )


@pytest.mark.parametrize("size", [10, 8192, 8193, 12288, 12289, 100_000])
def test_padding_is_that_of_sign(size: int, page: Page) -> None:
    secret = age.identity(age.generate())
    setup = {"setup": {"text": '{"mail":"sealed"}'}, "moderator": {"age": age.public(secret)}}
    text = "x" * size
    (file,) = files_in(page.evaluate("([r, t]) => desk.sealedFile(r, t)", [setup, text]).encode())
    assert isinstance(file, bytes)
    assert age.decrypt(file, [secret]) == padded(text.encode())


def test_a_key_that_is_none_is_not_sealed_to(page: Page) -> None:
    good = age.public(age.identity(age.generate()))
    for bad in ("", "age1", good[:-1], good[:-1] + ("q" if good[-1] != "q" else "p"), good.upper(),
                "ssh-ed25519 AAAA"):  # fmt: skip
        script = "(t) => { try { desk.agePoint(t); return ''; } catch (e) { return e.message; } }"
        assert "no age key" in page.evaluate(script, bad)
