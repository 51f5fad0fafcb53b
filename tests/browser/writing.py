"""A player at the order page: a real page in a real browser, used by clicks, taps and keys."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from zlib import decompress

from playwright.sync_api import Browser, Locator, Page

from pbem.web import order_language, order_page

CELLS = """(lift) => {
  const m = document.getElementById("map").getScreenCTM();
  const at = (x, y) => [m.a * x + m.e, m.d * y + m.f];
  return Object.fromEntries([...document.querySelectorAll("#ground text")]
    .filter((t) => /^[A-Z]\\d+$/.test(t.textContent))
    .map((t) => [t.textContent,
      at(Number(t.getAttribute("x")), Number(t.getAttribute("y")) - 3 + lift)]));
}"""
NAMES = """
    sha256, sha512, signEd25519, verifyEd25519, publicOf, aesCtr, bcryptPbkdf, readKey, writeKey,
    publicLine, fingerprint, signBare, signSame, chainLinks, chainFields, purseOf, inflate, utf8,
    hex, unhex, fromBase64, base64, mailLink, canonicalJson, letterIn, keyDigest, digestOf, tlv,
    u32, knowsEd25519, decrypted, ageFilesIn, ageOpened, ageIdentities, sshIdentity, encryptedFile,
    ageFile, agePoint, x25519, chachaPoly, unchachaPoly, partsOf, openLetter, isSignatureOf,
    lengthened
"""
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
RUN = "() => axe.run({exclude: [['#ground']]}, {resultTypes: ['violations'], iframes: false})"
TOOLS = """<!doctype html><meta charset="utf-8"><title>tools</title>
<script type="module">
{language}
{modules}
window.t = {{ {names} }};
</script>"""


class Player:
    """One page, what it asked of the network, and what it complained of."""

    def __init__(self, page: Page, file: Path, lift: float) -> None:
        self.page, self.file, self.lift = page, file, lift
        self.asked: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda r: self.asked.append(r.url))
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type != "log" else None)
        page.goto(file.as_uri())

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def press(self, name: str, within: str = "body") -> None:
        """The button of that name."""
        self.find(within).get_by_role("button", name=name, exact=True).click()

    def places(self) -> dict[str, list[float]]:
        """Where the zones of the chart are on the screen now, by the names printed in them."""
        found: dict[str, list[float]] = self.page.evaluate(CELLS, self.lift)
        return found

    def tap(self, *zones: str) -> None:
        """Zones of the chart."""
        for zone in zones:
            x, y = self.places()[zone]
            self.page.mouse.click(x, y)

    def unit(self, name: str) -> None:
        """Chooses a unit from the list."""
        if self.find("#composer .heading").count():
            self.press("‹ All")
        self.find(f'[id="unit-of-{name}"]').click()

    def verb(self, name: str) -> None:
        """Begins an order of the chosen unit among all that there are."""
        if self.find("#all").get_attribute("open") is None:
            self.find("#all > summary").click()
        self.press(name, "#all")

    def lines(self) -> list[str]:
        """The orders as the page lists them."""
        return self.find("#list code").all_inner_texts()

    def type(self, text: str) -> None:
        """The whole set as text."""
        if self.find("#free").get_attribute("open") is None:
            self.find("#free > summary").click()
        self.find("#text").fill(text)

    def codes(self) -> list[str]:
        """The codes of the mistakes that the page shows."""
        return [e.get_attribute("data-code") or "" for e in self.find("#faults .mistake").all()]

    def open_key(self, path: Path, passphrase: str = "") -> None:
        self.find("#key-file").set_input_files(path)
        if passphrase:
            self.find("#pass").fill(passphrase)
            self.find("#unlock").click()
        self.find("#key").get_by_text("Key open").wait_for(timeout=60_000)

    def sign(self, folder: Path) -> Path:
        """Signs, and saves what was signed."""
        self.find("#sign").click()
        return self.saved("#save", folder)

    def saved(self, selector: str, folder: Path) -> Path:
        """What a button saves."""
        with self.page.expect_download() as waiting:
            self.find(selector).click()
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    def axed(self) -> list[str]:
        """What axe-core complains of as the page is now: rule, place, why. The drawn chart is one
        picture to it."""
        if not self.page.evaluate("Boolean(window.axe)"):
            self.page.evaluate(AXE)
        found: dict[str, Any] = self.page.evaluate(RUN)
        return [
            f"{fault['id']}: {node['target']} {node['failureSummary']}"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]

    def quiet(self) -> None:
        """Nothing left the page and nothing went wrong in it."""
        strange = [u for u in self.asked if u != self.file.as_uri() and not u.startswith("blob:")]
        assert strange == []
        assert self.errors == []


@contextmanager
def writing(
    browser: Browser,
    file: Path,
    wide: int = 1280,
    high: int = 900,
    dark: bool = False,
    pitch: int = 50,
    **more: Any,
) -> Iterator[Player]:
    """The page in a browser without a network. pitch: pixels of a cell of its chart."""
    context = browser.new_context(
        viewport={"width": wide, "height": high},
        offline=True,
        accept_downloads=True,
        color_scheme="dark" if dark else "light",
        **more,
    )
    context.set_default_timeout(8_000)
    yield Player(context.new_page(), file, 0.36 * pitch)
    context.close()


@contextmanager
def toolbox(browser: Browser, folder: Path, was: str = "", now: str = "") -> Iterator[Page]:
    """The page's modules without its page: `t.sha256` and so on. was, now: a piece of them, and
    what stands there instead."""
    names = [
        f"order_page/js/{name}.js"
        for name in (*order_page.ENCRYPTING, *order_page.MODULES, *order_page.OPENING)
        if name not in ("page", "opener")
    ]
    text = TOOLS.format(
        language=order_language.program([]),
        modules=order_language.joined(names),
        names=NAMES,
    )
    assert was in text
    text = text.replace(was, now) if was else text
    file = folder / "tools.html"
    file.write_text(text, "utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_function("window.t")
    yield page
    context.close()


def unpacked(file: Path) -> str:
    """The page without its data, its program in the open."""

    def shown(found: re.Match[str]) -> str:
        own = (
            decompress(b64decode(found["packed"]), -15).decode() if found["id"] == "program" else ""
        )
        return f"{found['head']}{own}</script>"

    packed = r'(?P<head><script[^>]* id="(?P<id>program|data)"[^>]*>)(?P<packed>.*?)</script>'
    text, times = re.subn(packed, shown, file.read_text("utf-8"))
    assert times == 2
    return text
