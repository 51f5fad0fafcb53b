"""Encrypted mail at the order page: the page beside it opens it, answers it and reads receipts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from games.toy.game import SYSTEM
from pbem.audit.open_file import attached
from pbem.crypto import age
from pbem.crypto.age_armour import armour
from pbem.crypto.sshsig import public_line
from pbem.outbound.notices import note
from pbem.store.game_dir import writing as opened
from tests.browser.seat import Locked, private_file
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part
from tests.mail.office import CONFIG, Office
from tests.referee import key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
HUNTER = public_line(key_of("hunter").wire)


class Mailed:
    """An encrypted toy game in window 2, whose mails bring the order page; files of the
    hunter's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.referee = EncryptedReferee.begun(folder / "home", SYSTEM)
        Office(self.referee, 'order_page = "on"\n' + CONFIG)
        self.referee.go("fox", "hunter")
        self.mail = self.referee.newest("hunter", "report")
        self.page = self.put("order-page.html", attached(self.mail)["order-page.html"])
        self.key = self.put("my.key", private_file(key_of("hunter").wire, "hunter"))

    def put(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return path

    def encrypted(self, inner: bytes, to: str = HUNTER) -> Path:
        """A file that anybody can make."""
        return self.put("other.age", age.encrypt(inner, [age.recipient(to)]))

    def inner(self, mail: bytes) -> bytes:
        key = key_of("hunter").identity()
        assert key
        return age.decrypt(age_part(mail), [key])


@pytest.fixture(scope="module")
def mailed(tmp_path_factory: pytest.TempPathFactory) -> Mailed:
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        return Mailed(tmp_path_factory.mktemp("encrypted"))


@pytest.fixture
def player(mailed: Mailed, browser: Browser) -> Iterator[Player]:
    with writing(browser, mailed.page, pitch=100) as one:
        yield one
        one.quiet()


def told(player: Player) -> str:
    player.find("#opener-said p").wait_for()
    return player.find("#opener-said").inner_text()


def test_a_window_is_played_with_the_mails_alone(
    mailed: Mailed, clock: Clock, player: Player, tmp_path: Path
) -> None:
    """Report, orders, receipt; nothing that leaves the page can be read on the way."""
    report = mailed.referee.report("hunter")
    player.find("#report").set_input_files(mailed.put("r.eml.age", age_part(mailed.mail)))
    assert "opens by itself" in told(player)
    assert player.axed() == []
    player.open_key(mailed.key)
    player.find("#workspace").wait_for()
    assert player.lines() == report["suggest"]
    for event in report["events"]:
        assert event["text"] in (player.find("#news").text_content() or "")
    player.find("#news details > summary").click()
    assert "YOUR FORCES" in player.find("#news pre").inner_text()
    kept = json.loads(player.saved("#news button >> nth=0", tmp_path).read_bytes())
    assert kept == json.loads(mailed.referee.saved("hunter"))
    player.unit("HOUND")
    player.verb("move")
    menu = report["menu"]
    (move,) = [v for v in menu["HOUND"] if v["verb"] == "move"]
    player.tap(move["args"][0]["values"][0])
    player.press("Add the order")
    lines = player.lines()
    path = player.sign(tmp_path)
    assert path.read_bytes().startswith(b"-----BEGIN AGE ENCRYPTED FILE-----")
    (outcome,) = mailed.referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
    receipt = mailed.referee.newest("hunter", "receipt")
    player.find("#report").set_input_files(mailed.put("receipt.eml", receipt))
    player.find("#shown h2").wait_for()
    assert player.axed() == []
    shown = player.find("#shown").inner_text()
    assert "Orders received" in shown
    assert "You have a set in force" in shown
    assert lines[0].rstrip(";") in shown


@pytest.mark.some(2)
@pytest.mark.parametrize("form", ["age", "armour", "mail", "forwarded"])
def test_it_opens_whatever_was_saved(form: str, mailed: Mailed, player: Player) -> None:
    """The attachment, its armour, the whole mail, a mail whose parts a client wrote anew."""
    content, again = age_part(mailed.mail), message_from_bytes(mailed.mail).as_bytes()
    forms = {
        "age": content,
        "armour": armour(content).encode(),
        "mail": mailed.mail,
        "forwarded": again,
    }
    player.open_key(mailed.key)
    player.find("#report").set_input_files(mailed.put("x", forms[form]))
    player.find("#workspace").wait_for()


def test_an_age_key_beside_the_ssh_key_opens_it(mailed: Mailed, player: Player) -> None:
    own = age.generate()
    inner = mailed.inner(mailed.mail)
    player.find("#report").set_input_files(mailed.encrypted(inner, age.public(age.identity(own))))
    assert "mail is encrypted" in told(player)
    player.find("#key-file").set_input_files(mailed.put("own.key", f"# mine\n{own}\n".encode()))
    player.find("#key").get_by_text("Your age key is open").wait_for()
    player.open_key(mailed.key)
    player.find("#workspace").wait_for()


def test_what_is_not_the_moderators_is_not_believed(mailed: Mailed, player: Player) -> None:
    """The same findings as `pbem read`: encrypted by anybody, for anybody, altered, cut."""
    inner = mailed.inner(mailed.mail)
    fox = mailed.referee.newest("fox", "report")
    key = key_of("fox").identity()
    assert key
    forwarded = age.decrypt(age_part(fox), [key])
    report = mailed.referee.saved("hunter").decode()
    signature = inner[inner.index(b"-----BEGIN SSH SIGNATURE") :]
    body = signature.split(b"\n")[1]
    flipped = bytes([body[0] ^ 1]) + body[1:]
    cases = {
        mailed.encrypted(forwarded): "a key other than the open one",
        mailed.encrypted(inner.replace(body, flipped)): "not the moderator's",
        mailed.encrypted(report.encode()): "no signature of the moderator",
        mailed.encrypted(b"hello"): "not from the referee",
        mailed.put("f.age", age_part(fox)): "keys other than yours",
        mailed.put("c.age", age_part(mailed.mail)[:-9]): "altered or cut short",
    }
    player.open_key(mailed.key)
    for number, (path, said) in enumerate(list(cases.items())):
        player.find("#report").set_input_files(path)
        player.page.wait_for_function(
            "(said) => document.getElementById('opener-said').innerText.includes(said)", arg=said
        )
        assert not player.find("#workspace").is_visible(), number


def test_a_note_is_held_against_the_games_report(
    mailed: Mailed, clock: Clock, player: Player
) -> None:
    with opened(mailed.referee.home, "g1") as game:
        note(game, ["hunter"], "The badger sleeps.\n")
    path = mailed.put("n.age", age_part(mailed.referee.newest("hunter", "note")))
    player.open_key(mailed.key)
    player.find("#report").set_input_files(path)
    assert "Open a report of its game first" in told(player)
    player.find("#report").set_input_files(mailed.put("r.age", age_part(mailed.mail)))
    player.find("#workspace").wait_for()
    player.find("#report").set_input_files(path)
    player.find("#shown").get_by_text("The badger sleeps.").wait_for()
    player.page.reload()
    player.open_key(mailed.key)
    player.find("#report").set_input_files(path)
    player.find("#shown").get_by_text("The badger sleeps.").wait_for()


def test_a_locked_window_is_answered_with_the_link(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, browser: Browser, tmp_path: Path
) -> None:
    """Byte for byte what `pbem reveal` writes, and the referee takes it."""
    locked = Locked(tmp_path, monkeypatch)
    with writing(browser, locked.page) as player:
        player.open_key(locked.key)
        player.find("#report").set_input_files(locked.notice)
        assert "Open a report of its game first" in told(player)
        player.find("#report").set_input_files(locked.report)
        player.find("#workspace").wait_for()
        player.find("#report").set_input_files(locked.notice)
        player.press("Reveal my link")
        path = player.saved("#revealed #save", tmp_path)
        player.quiet()
    assert path.read_text("ascii") == locked.revealed()
    (outcome,) = locked.referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
