"""Firefox, WebKit and Chromium as Debian has them, told what to do by the same few verbs.

Firefox listens to Marionette, JSON over TCP; WebKit's driver to W3C WebDriver, JSON over HTTP. The
commands and what they mean are the same (W3C WebDriver, 2018). Whatever they ask of the network
comes to a proxy that hangs up and remembers it. Chromium is driven by Playwright, as in most tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

from tests.mail.servers import free_port, listens, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Download, Page, Request

PATIENCE = 60
"""Seconds for anything: a start, an answer, a file."""
MINI = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), Path("MiniBrowser"))
PROGRAMS = {
    "firefox": ("firefox-esr",),
    "webkit": ("WebKitWebDriver", str(MINI), "Xvfb"),
}
PATHS = {
    "Navigate": "url",
    "ExecuteScript": "execute/sync",
    "ExecuteAsyncScript": "execute/async",
    "ElementClick": "element/{id}/click",
    "ElementSendKeys": "element/{id}/value",
    "PerformActions": "actions",
    "SetWindowRect": "window/rect",
}
"""Where WebDriver over HTTP has the commands that Marionette has by name."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
NARROW = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px }"
"""Else the tool bar of WebKit's browser keeps its window wider than a phone."""
PREFERENCES = {
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True,
    "browser.download.always_ask_before_handling_new_types": False,
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.ssl": "127.0.0.1",
    "services.settings.server": "data:,#remote-settings-dummy/v1",
}
LISTEN = """
window.complaints = [];
for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (e) => complaints.push(
    `${kind} ${e.message || e.reason || e.blockedURI || ""}`));
for (const kind of ["error", "warn"]) console[kind] = (...said) => complaints.push(said.join(" "));
"""
"""Hears what a page complains of."""
SCREEN = re.compile(r"^([0-9]+)\n", re.MULTILINE)
"""The display that a screen has taken, below what it says of those that others have."""
NAMED = """
const [name, within] = arguments;
const shown = [...document.querySelectorAll(`${within} button, ${within} a, ${within} summary`)]
  .filter((e) => e.getClientRects().length
    && (e.getAttribute("aria-label") || e.textContent).trim() === name);
if (shown.length !== 1) throw new Error(`${shown.length} of the name ${name}`);
return shown[0];
"""
FILL = """
const [selector, text] = arguments, one = document.querySelector(selector);
one.value = text;
for (const kind of ["input", "change"]) one.dispatchEvent(new Event(kind, { bubbles: true }));
"""
CONSOLE = """
return Services.console.getMessageArray()
  .filter((m) => m instanceof Ci.nsIScriptError && m.sourceName.startsWith(arguments[0]))
  .map((m) => m.errorMessage);
"""
NOTICE = """
window.asked = [];
Services.obs.addObserver((channel) => {
  if (channel.QueryInterface(Ci.nsIHttpChannel).loadInfo.browsingContextID)
    window.asked.push(channel.URI.spec);
}, "http-on-opening-request");
"""
"""Firefox asks much on its own account, which comes to the proxy too; a page has a context."""
Said = Mapping[str, Any]


def absent(name: str) -> str:
    """Why an engine cannot run here; empty where it can."""
    gone = [Path(p).name for p in PROGRAMS[name] if not shutil.which(p)]
    return f"{', '.join(gone)} not installed" if gone else ""


class EngineError(Exception):
    """What a browser says that it could not do."""


class Wire(Protocol):
    """A browser in a session."""

    def call(self, verb: str, said: Said) -> Any:
        """What the browser answers. Raises EngineError."""
        ...


class Marionette:
    """`LENGTH:[0, number, command, parameters]` is answered by `[1, number, error, result]`."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.stream = self.socket.makefile("rb")
        self._read()
        self.call("NewSession", {})

    def call(self, verb: str, said: Said) -> Any:
        name = verb if ":" in verb else f"WebDriver:{verb}"
        text = json.dumps([0, 1, name, said]).encode()
        self.socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        if error:
            raise EngineError(f"{verb}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def _read(self) -> Any:
        digits = b""
        while (one := self.stream.read(1)) not in (b":", b""):
            digits += one
        return json.loads(self.stream.read(int(digits)))

    def close(self) -> None:
        self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
        self.stream.close()
        self.socket.close()


class WebDriver:
    """One session at a driver on this port. wanted: its capabilities."""

    def __init__(self, port: int, wanted: Said) -> None:
        self.port, self.session = port, ""
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{made['sessionId']}"

    def call(self, verb: str, said: Said) -> Any:
        if verb == "TakeScreenshot":
            return self._ask("GET", f"{self.session}/screenshot", None)
        path = PATHS[verb].format(**said)
        return self._ask("POST", f"{self.session}/{path}", said)

    def _ask(self, method: str, path: str, said: Said | None) -> Any:
        line = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            line.request(method, path, json.dumps(said) if said is not None else None)
            answer = line.getresponse()
            value = json.loads(answer.read())["value"]
        finally:
            line.close()
        if answer.status != 200:
            raise EngineError(f"{path}: {value['error']} {value['message']}")
        return value

    def close(self) -> None:
        self._ask("DELETE", self.session, None)


class Engine:
    """A browser with one page. folder: where it saves files. asked: the first lines of all that
    went to its proxy."""

    def __init__(self, wire: Wire, folder: Path, asked: list[str]) -> None:
        self.wire, self.folder, self.asked = wire, folder, asked
        self.address = ""

    def open(self, address: str) -> None:
        """A page from its beginning, with nothing of another before it."""
        self.wire.call("Navigate", {"url": "about:blank"})
        self.asked.clear()
        self.wire.call("Navigate", {"url": address})
        self.address = address
        self.run(LISTEN)

    def run(self, script: str, *given: Any) -> Any:
        """What the body of a function returns."""
        return self.wire.call("ExecuteScript", {"script": script, "args": given})

    def later(self, script: str, *given: Any) -> Any:
        """What the body of a function hands to its last argument."""
        return self.wire.call("ExecuteAsyncScript", {"script": script, "args": given})

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        script = "return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)"
        return list(self.run(script, selector))

    def shows(self, selector: str) -> bool:
        """Whether it is there and can be seen."""
        script = "return Boolean(document.querySelector(arguments[0])?.getClientRects().length)"
        return bool(self.run(script, selector))

    def wait(self, selector: str, text: str = "") -> None:
        """Until something of that text is shown there."""

        def true() -> bool:
            return self.shows(selector) and text in self.text(selector)

        assert until(true, PATIENCE), f"no {selector} {text}"

    def click(self, selector: str) -> None:
        self._click("return document.querySelector(arguments[0])", selector)

    def press(self, name: str, within: str = "body") -> None:
        """The button, link or summary of that name."""
        self._click(NAMED, name, within)

    def _click(self, script: str, *given: str) -> None:
        """What the script returns; found again where the page has drawn it anew meanwhile."""
        for left in (2, 1, 0):
            try:
                found = self.run(script, *given)
                self.run("arguments[0].scrollIntoView({ block: 'end' })", found)  # not under charts
                self.wire.call("ElementClick", {"id": found[ELEMENT]})
                return
            except EngineError as error:
                if not left or "stale" not in str(error):
                    raise

    def fill(self, selector: str, text: str) -> None:
        self.run(FILL, selector, text)

    def upload(self, selector: str, path: Path) -> None:
        self.keys(selector, str(path))

    def keys(self, selector: str, text: str) -> None:
        """Types; of a field for files, chooses that file."""
        found = self.run("return document.querySelector(arguments[0])", selector)
        self.wire.call("ElementSendKeys", {"id": found[ELEMENT], "text": text})

    def tap(self, x: float, y: float) -> None:
        """A place of the window."""
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)}, down, up]
        finger = {"type": "pointer", "id": "finger", "actions": moves}
        self.wire.call("PerformActions", {"actions": [finger]})

    def drag(self, start: Sequence[float], end: Sequence[float]) -> None:
        """A finger from one place of the window to another, in a few steps."""
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        between = [[a + (b - a) * n / 4 for a, b in zip(start, end, strict=True)] for n in range(5)]
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in between]
        finger = {"type": "pointer", "id": "finger", "actions": [moves[0], down, *moves[1:], up]}
        self.wire.call("PerformActions", {"actions": [finger]})

    def size(self, wide: int, high: int) -> None:
        """Of the window, with what is around the page."""
        self.wire.call("SetWindowRect", {"width": wide, "height": high})
        assert until(lambda: self.run("return innerWidth") == wide, PATIENCE), wide

    def picture(self, path: Path) -> None:
        """What is to be seen of the page, as PNG."""
        path.write_bytes(b64decode(self.wire.call("TakeScreenshot", {"full": False})))

    def saved(self, name: str) -> Path:
        """A file that the page saved, once it is whole."""
        path = self.folder / name

        def whole() -> bool:
            return [(p, p.stat().st_size > 0) for p in self.folder.iterdir()] == [(path, True)]

        assert until(whole, PATIENCE), list(self.folder.iterdir())
        return path.rename(self.folder.parent / name)

    def complaints(self) -> list[str]:
        """Errors and warnings of the page since it was opened."""
        return list(self.run("return window.complaints"))

    def requests(self) -> list[str]:
        """What pages asked of the network besides themselves."""
        return list(self.asked)

    def quiet(self) -> None:
        """Nothing left the page and nothing went wrong in it."""
        assert self.complaints() == []
        assert self.requests() == []


class Firefox(Engine):
    """Its own console is read, which heard what a page said while it was opened."""

    def __init__(self, wire: Wire, folder: Path, asked: list[str]) -> None:
        super().__init__(wire, folder, asked)
        self._inside(NOTICE)

    def open(self, address: str) -> None:
        self._inside("Services.console.reset(); window.asked = []")
        super().open(address)

    def size(self, wide: int, high: int) -> None:
        """Of the page itself: a window of Firefox is never as narrow as a phone."""
        script = """const style = gBrowser.selectedBrowser.style;
        [style.width, style.height, style.minHeight] = [`${arguments[0]}px`,
          ...Array(2).fill(`${arguments[1]}px`)];"""
        self.wire.call("SetWindowRect", {"width": max(wide, 500), "height": high + 100})
        self._inside(script, wide, high)
        assert until(lambda: self.run("return innerWidth") == wide, PATIENCE), wide

    def complaints(self) -> list[str]:
        heard = self._inside(CONSOLE, self.address.partition("#")[0])
        return [*super().complaints(), *heard]

    def requests(self) -> list[str]:
        return [url for url in self._inside("return window.asked") if url != self.address]

    def _inside(self, script: str, *given: Any) -> Any:
        """Runs in the browser instead of the page."""
        self.wire.call("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.run(script, *given)
        finally:
            self.wire.call("Marionette:SetContext", {"value": "content"})


class Chromium(Engine):
    """A page of Playwright in place of a wire."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder, self.asked, self.address = page, folder, [], ""
        page.on("request", self._ask)
        page.on("download", self._keep)

    def _ask(self, request: Request) -> None:
        if request.url != self.address and not request.url.startswith("blob:"):
            self.asked.append(request.url)

    def _keep(self, download: Download) -> None:
        download.save_as(self.folder / download.suggested_filename)

    def open(self, address: str) -> None:
        self.asked.clear()
        self.address = address
        self.page.goto(address)
        self.run(LISTEN)

    def run(self, script: str, *given: Any) -> Any:
        return self.page.evaluate(
            f"(given) => (function () {{ {script} }}).apply(null, given)", list(given)
        )

    def click(self, selector: str) -> None:
        self.page.locator(selector).click()

    def press(self, name: str, within: str = "body") -> None:
        self.page.locator(within).get_by_role("button", name=name, exact=True).click()

    def upload(self, selector: str, path: Path) -> None:
        self.page.locator(selector).set_input_files(path)

    def keys(self, selector: str, text: str) -> None:
        self.page.locator(selector).press_sequentially(text)

    def tap(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def size(self, wide: int, high: int) -> None:
        self.page.set_viewport_size({"width": wide, "height": high})

    def saved(self, name: str) -> Path:
        self.page.wait_for_function("true")  # downloads are heard of between two commands
        return super().saved(name)


@contextmanager
def chromium(browser: Browser, folder: Path) -> Iterator[Engine]:
    """A page of a Chromium that runs already, without a network."""
    context = browser.new_context(offline=True, accept_downloads=True)
    yield Chromium(context.new_page(), folder)
    context.close()


@contextmanager
def engine(name: str, folder: Path) -> Iterator[Engine]:
    """A browser without a network in a home of its own below the folder."""
    home, files = folder / "home", folder / "files"
    home.mkdir()
    files.mkdir()
    with ExitStack() as stack:
        port, asked = stack.enter_context(_nowhere())
        start = {"firefox": _firefox, "webkit": _webkit}[name]
        yield stack.enter_context(start(home, files, port, asked))


@contextmanager
def _nowhere() -> Iterator[tuple[int, list[str]]]:
    """A proxy that hangs up; its port, and the first lines of what came."""
    heard: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=_hang_up, args=(server, heard), daemon=True).start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)


def _hang_up(server: socket.socket, heard: list[str]) -> None:
    while True:
        try:
            line, _ = server.accept()
        except OSError:
            return
        with line:
            heard.append(line.recv(1000).partition(b"\r\n")[0].decode("latin-1"))


@contextmanager
def _running(command: Sequence[str], home: Path, **more: str) -> Iterator[subprocess.Popen[bytes]]:
    env = os.environ | {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)} | more
    with (home / f"{Path(command[0]).name}.out").open("wb") as out:
        program = subprocess.Popen(command, env=env, stdout=out, stderr=out)
    try:
        yield program
    finally:
        program.terminate()
        program.wait(PATIENCE)


@contextmanager
def _firefox(home: Path, files: Path, proxy: int, asked: list[str]) -> Iterator[Engine]:
    mine = PREFERENCES | {
        "browser.download.dir": str(files),
        "network.proxy.http_port": proxy,
        "network.proxy.ssl_port": proxy,
    }
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in mine.items()]
    (home / "user.js").write_text("".join(lines))
    told = home / "MarionetteActivePort"
    command = [
        "firefox-esr",
        "--headless",
        "--no-remote",
        "--marionette",
        "--remote-allow-system-access",
        "--profile",
        str(home),
    ]
    with _running(command, home, MOZ_REMOTE_SETTINGS_DEVTOOLS="1") as program:
        assert until(lambda: told.exists() and told.read_text(), PATIENCE), "Firefox does not start"
        wire = Marionette(int(told.read_text()))
        yield Firefox(wire, files, asked)
        wire.close()
        program.wait(PATIENCE)


@contextmanager
def _webkit(home: Path, files: Path, proxy: int, asked: list[str]) -> Iterator[Engine]:
    settings = home / ".config"
    (settings / "gtk-3.0").mkdir(parents=True)
    (settings / "gtk-3.0" / "gtk.css").write_text(NARROW)
    (settings / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{files}"\n')
    args = ["--automation", f"--proxy=http://127.0.0.1:{proxy}", "--ignore-host=127.0.0.1"]
    wanted = {"webkitgtk:browserOptions": {"binary": str(MINI), "args": args}}
    port, told = free_port(), home / "Xvfb.out"
    screen = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with ExitStack() as stack:
        stack.enter_context(_running(screen, home))
        assert until(lambda: SCREEN.search(told.read_text()), PATIENCE), "no screen"
        (display,) = SCREEN.findall(told.read_text())
        config = {
            "XDG_CONFIG_HOME": str(settings),
            "GDK_BACKEND": "x11",
            "DISPLAY": f":{display}",
            "NO_AT_BRIDGE": "1",
        }
        stack.enter_context(_running(["WebKitWebDriver", f"--port={port}"], home, **config))
        assert until(lambda: listens(port), PATIENCE), "WebKit's driver does not start"
        wire = WebDriver(port, wanted)
        yield Engine(wire, files, asked)
        wire.close()
