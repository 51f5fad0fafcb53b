"""The order page and the replay in real Firefox and WebKit, on phone and desk, as a player walks
through them; Chromium walks one turn with them, and other tests look closer there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from math import dist
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

import games
from pbem.base.gzipped import gzipped
from pbem.base.hashing import canonical_json
from pbem.base.report_json import Report
from pbem.crypto.private_keys import load_private
from pbem.web import order_page
from tests.browser import plotting
from tests.browser.engines import PROGRAMS, Engine, EngineError, absent, chromium, engine
from tests.browser.seat import ADDRESS, Locked, Seat, accepted, private_file, unremarked
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part
from tests.mail.servers import until
from tests.referee import Referee, key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.replays import Replay
from tests.browser.surf import CHROMIUM, READ, compare
from tests.browser.test_join_page import invited

MOVES = {
    "toy": "HOUND: move E4;",
    "bismarck": "BIRMINGHAM: move F15;",
    "far_seas": "DRESDEN: move 7;",
}
POINT = """const [x, y] = arguments[0], map = document.getElementById("map");
  map.scrollIntoView({ block: "center" });
  const m = map.getScreenCTM();
  return [m.a * x + m.e, m.d * y + m.f];"""
TURN = """const slider = document.getElementById("slider");
  slider.value = arguments[0];
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector(`#views [data-v="${arguments[1]}"]`).click();"""
PHRASE = "a long phrase"
RIGHT, END = "\ue014", "\ue010"
"""Keys (W3C WebDriver, 17.4.2)."""


@pytest.fixture(scope="module", params=PROGRAMS)
def one(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    if request.param == "chromium":
        if not CHROMIUM.exists():
            pytest.skip("Debian's chromium is not installed")
        with chromium(
            request.getfixturevalue("browser"), tmp_path_factory.mktemp("chromium")
        ) as found:
            yield found
        return
    if why := absent(request.param):
        pytest.skip(why)
    with ExitStack() as stack:
        try:
            found = stack.enter_context(
                engine(request.param, tmp_path_factory.mktemp(request.param))
            )
        except (AssertionError, EngineError, OSError) as error:
            pytest.skip(f"{request.param} is installed and does not start: {error}")
        yield found


def lines(one: Engine) -> list[str]:
    return one.texts("#list code")


def open_key(one: Engine, path: Path, phrase: str = "") -> None:
    one.upload("#key-file", path)
    if phrase:
        one.wait("#pass")
        one.fill("#pass", phrase)
        one.click("#unlock")
    one.wait("#key", "Key open")


def sign(one: Engine, name: str) -> Path:
    one.click("#sign")
    one.wait("#save")
    one.click("#save")
    return one.saved(name)


def move(one: Engine, seat: Seat) -> None:
    """One unit, by a button of its own and a place on the chart."""
    order = MOVES[seat.referee.system.name]
    unit, _, to = order.rstrip(";").replace(":", "").split(" ", 2)
    scene = seat.referee.system.chart(seat.report)
    assert scene
    one.click(f'[id="unit-of-{unit}"]')
    if not one.run("return all.open"):
        one.click("#all > summary")
    one.press("move", "#all")
    one.tap(*one.run(POINT, order_page.board(scene)["cells"][to]))
    one.wait("#draft", order)
    one.click("#add")
    assert order in lines(one)


def lit(one: Engine, seat: Seat, unit: str) -> None:
    """A tap on the nearest place in reach, once the places are lit."""
    one.wait("#overlay .lit")
    scene = seat.referee.system.chart(seat.report)
    assert scene
    board = order_page.board(scene)
    ways = one.run("return document.querySelector('#overlay .lit').getAttribute('d')").split("Z")
    middles = [middle(way) for way in ways if way]
    to = min(middles, key=lambda m: dist(m, board["units"][unit]))
    one.tap(*one.run(POINT, to))


def middle(way: str) -> tuple[float, float]:
    """Of the corners of an outline."""
    points = [tuple(map(float, point.split(" "))) for point in way.lstrip("M").split("L")]
    return sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)


@pytest.mark.parametrize(
    ("one", "wide"),
    [
        ("chromium", 390),
        ("chromium", 1280),
        ("firefox", 1280),
        ("webkit", 390),
        ("firefox", 390),
        ("webkit", 1280),
    ],
    indirect=["one"],
)
@pytest.mark.some(1)
def test_a_turn_by_single_taps_and_a_key_that_is_remembered(
    wide: int, one: Engine, seats: Callable[[str], Seat]
) -> None:
    """Lit places, the next unit, all others hold, undo; a tap after typing; opened anew, the page
    signs at once."""
    seat = seats("bismarck")
    one.size(wide, 844)
    one.open(seat.page.as_uri())
    one.click("#fresh")
    one.click('[id="unit-of-BIRMINGHAM"]')
    lit(one, seat, "BIRMINGHAM")
    assert one.text("#composer .heading h2") == "HOOD"
    assert [x for x in lines(one) if x.startswith("BIRMINGHAM: move ")]
    one.keys("#zone", "g14")
    one.click("#go")
    assert "HOOD: move G14;" in lines(one)
    one.click("#rest")
    assert "Every unit has its order" in one.text("#composer h2")
    one.click("#undo")
    assert "not decided yet" in one.text("#composer h2")
    wanted = [line.rstrip(";") for line in lines(one)]
    open_key(one, seat.key)
    one.click("#remember")
    one.wait("#key", "remembered here")
    one.open(seat.page.as_uri())
    one.wait("#key", "remembered here")
    path = sign(one, f"orders-g1-{seat.side}-1.txt")
    assert accepted(seat, path) == wanted
    one.press("Forget the key")
    one.wait("#key", "Open your key file")
    one.quiet()


@pytest.mark.some(1)
def test_a_course_is_dragged(one: Engine, tmp_path: Path) -> None:
    report = plotting.window(tmp_path)
    one.size(390, 844)
    one.open(plotting.page(tmp_path).as_uri())
    one.click('[id="unit-of-VASA"]')
    one.run("scrollTo(0, 0)")  # where WebKit's driver goes at times, in the middle of a drag
    x, y = one.run(f"return {plotting.KNOB}")
    one.drag((x, y), (x - 12, y + 30))
    (line,) = [said for said in lines(one) if said.startswith("VASA: move")]
    assert line.startswith("VASA: move port ")
    assert plotting.understood(report, line) == line
    one.quiet()


@pytest.mark.some(1)
@pytest.mark.parametrize(("name", "wide"), [("far_seas", 1280)])
def test_orders_by_clicks_are_signed_and_taken(
    name: str, wide: int, one: Engine, seats: Callable[[str], Seat]
) -> None:
    """By the browser's own Ed25519; by mail where they fit."""
    seat = seats(name)
    one.size(wide, 844)
    one.open(seat.page.as_uri())
    assert one.run("return document.documentElement.scrollWidth <= innerWidth")
    one.click("#fresh")  # the draft of another walk is kept
    assert lines(one) == unremarked(seat.report["suggest"])
    move(one, seat)
    one.press("As text")
    one.fill("#text", f"{one.run('return text.value')}X: hold;\n")
    assert one.run("return sign.disabled")
    assert one.run("return document.querySelector('.mistake').dataset.code") == "unknown-unit"
    one.press("Undo")
    wanted = [line.rstrip(";") for line in lines(one)]
    open_key(one, seat.key)
    path = sign(one, f"orders-g1-{seat.side}-1.txt")
    assert accepted(seat, path) == wanted
    assert "does not support Ed25519" not in one.text("#signed")
    link = urlsplit(one.run("return mail.href"))
    assert (link.scheme, link.path) == ("mailto", ADDRESS)
    assert parse_qs(link.query)["body"] == [path.read_text("ascii").replace("\n", "\r\n")]
    one.quiet()


@pytest.mark.some(1)
def test_a_key_is_made_saved_and_opened(clock: Clock, one: Engine, tmp_path: Path) -> None:
    referee = Referee.toy(tmp_path / "home")
    page = tmp_path / "order-page.html"
    page.write_bytes(order_page.page(referee.system, Report.of(referee.report("hunter"))))
    one.open(page.as_uri())
    one.click("#make")
    for field in ("#pass-first", "#pass-again"):
        one.fill(field, PHRASE)
    one.click("#make-key")
    path = one.saved("order-page.key")
    one.wait("#key", "made and saved")
    open_key(one, path, PHRASE)
    referee.enlist("hunter", load_private(path.read_bytes(), PHRASE.encode()))
    (outcome,) = referee.receive(sign(one, "orders-g1-hunter-1.txt").read_bytes())
    assert outcome.good, outcome.text
    one.quiet()


@pytest.mark.parametrize(
    ("one", "wide"),
    [(name, wide) for name in ("chromium", "firefox", "webkit") for wide in (390, 1280)],
    indirect=["one"],
)
@pytest.mark.some(2)
def test_an_invitation_is_answered(wide: int, clock: Clock, one: Engine, tmp_path: Path) -> None:
    """A key is made, saved and opened, and the answer mailed: the player is enlisted."""
    office, page = invited(tmp_path)
    one.size(wide, 844)
    one.open(page.as_uri())
    assert "20:00 (Europe/Berlin)" in one.text("#steps")
    assert one.run("return document.documentElement.scrollWidth <= innerWidth")
    one.click("#make")
    for field in ("#pass-first", "#pass-again"):
        one.fill(field, PHRASE)
    one.click("#make-key")
    one.wait("#key", "made and saved")
    path = one.saved("order-page.key")
    open_key(one, path, PHRASE)
    one.fill("#my-name", "Ann")
    one.press("Write the answer")
    one.wait("#mail")
    fields = parse_qs(urlsplit(one.run("return mail.href")).query)
    office.mail("fox", fields["body"][0], fields["subject"][0])
    assert office.one().dealt.joined == 1
    one.quiet()


@pytest.mark.some(1)
def test_encrypted_mail_is_opened_and_answered(clock: Clock, one: Engine, tmp_path: Path) -> None:
    referee = EncryptedReferee.begun(tmp_path / "home", games.load("toy"))
    page, key, report = (tmp_path / n for n in ("order-page.html", "my.key", "report.eml.age"))
    page.write_bytes(order_page.blank([referee.system]))
    key.write_bytes(private_file(key_of("hunter").wire, "hunter"))
    report.write_bytes(age_part(referee.newest("hunter", "report")))
    one.open(page.as_uri())
    one.upload("#report", report)
    one.wait("#opener-said", "opens by itself")
    open_key(one, key)
    one.wait("#workspace")
    path = sign(one, "orders-g1-hunter-1.txt")
    assert b"AGE ENCRYPTED" in path.read_bytes()
    (outcome,) = referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
    one.upload("#report", referee.outbox("hunter", "receipt")[-1])
    one.wait("#shown", "You have a set in force")
    one.quiet()


@pytest.mark.some(1)
def test_a_locked_window_is_answered(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, one: Engine, tmp_path: Path
) -> None:
    locked = Locked(tmp_path, monkeypatch)
    one.open(locked.page.as_uri())
    open_key(one, locked.key)
    one.upload("#report", locked.report)
    one.wait("#workspace")
    one.upload("#report", locked.notice)
    one.wait("#shown", "Reveal my link")
    one.press("Reveal my link")
    one.wait("#revealed #save")
    one.click("#revealed #save")
    path = one.saved("reveal-g1-fox-1.txt")
    assert path.read_text("ascii") == locked.revealed()
    one.quiet()


class Still(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing."""

    def log_message(self, *said: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Still, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.some(1)
def test_the_page_at_an_address_opens_a_saved_report(
    one: Engine, seats: Callable[[str], Seat], tmp_path: Path
) -> None:
    seat = seats("bismarck")
    (tmp_path / "order-page.html").write_bytes(order_page.blank([seat.referee.system]))
    (tmp_path / "report.json.gz").write_bytes(gzipped(canonical_json(seat.saved)))
    one.size(390, 844)
    with served(tmp_path) as address:
        one.open(f"{address}/order-page.html")
        one.upload("#report", tmp_path / "report.json.gz")
        one.wait("#workspace")
        move(one, seat)
        wanted = [line.rstrip(";") for line in lines(one)]
        open_key(one, seat.key)
        assert accepted(seat, sign(one, f"orders-g1-{seat.side}-1.txt")) == wanted
        one.quiet()


LOUD = """<img src="http://example.org/x.png"><script>
  setInterval(() => { throw new Error("oh"); }, 50);</script>"""


def test_a_page_that_is_not_quiet_is_heard(one: Engine, tmp_path: Path) -> None:
    page = tmp_path / "loud.html"
    page.write_text(f"<!doctype html><title>loud</title>{LOUD}", "ascii")
    one.open(page.as_uri())
    assert until(lambda: "rror" in str(one.complaints()))
    assert "http://example.org/x.png" in str(one.requests())
    with pytest.raises(AssertionError):
        one.quiet()


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["bismarck"])
def test_a_replay_equals_its_game(name: str, one: Engine, replays: Callable[[str], Replay]) -> None:
    replay = replays(name)
    frames, windows, read = replay.walk.frames, replay.windows, f"return ({READ})()"
    one.size(390, 844)
    one.open(f"{replay.page.as_uri()}#w={windows[2]}&v={replay.walk.register.sides[0]}")
    compare(one.run(read), replay.walk, frames[windows[2]], 1)
    one.size(1280, 800)
    one.keys("body", f"{RIGHT}3")
    compare(one.run(read), replay.walk, frames[windows[3]], 2)
    one.keys("body", END)
    compare(one.run(read), replay.walk, frames[windows[-1]], 2)
    middle = len(windows) // 2
    for view in replay.views:
        one.run(TURN, middle, view)
        compare(one.run(read), replay.walk, frames[windows[middle]], view)
    one.quiet()
