"""Encrypted mail in two worlds: nobody learns from it what an open mail would not tell him.

Two questions: what the side itself gets is equal inside and of equal length outside; and what an
onlooker sees of any two mails of a kind is the same but for addresses, dates and numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from games.atlantic_chase.game import SYSTEM as ATLANTIC_CHASE
from games.bismarck.game import SYSTEM as BISMARCK
from games.far_seas.game import SYSTEM as FAR_SEAS
from games.toy.game import SYSTEM as TOY
from orders.show import show
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from tests.atlantic_chase import test_mail_secrecy as atlantic_chase_mail
from tests.bismarck import test_leaks
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, outside, reads
from tests.far_seas import test_mail_secrecy as far_seas_mail
from tests.mailed import until_they_differ
from tests.referee import Referee, key_of, signed
from tests.secrecy import artefacts, differences
from tests.toy.test_secrecy import World, two_worlds

GAMES = {
    "bismarck": (BISMARCK, "german", test_leaks.two_worlds),
    "far_seas": (FAR_SEAS, "british", far_seas_mail.two_worlds),
    "atlantic_chase": (ATLANTIC_CHASE, "german", atlantic_chase_mail.two_worlds),
}
"""A system, the side that is the same in both worlds, and its two worlds by mail."""


class EncryptedWorld(World):
    """The same two worlds with encrypted mail."""

    def make(self, home: Path, play: str) -> Referee:
        return EncryptedReferee.begun(home, TOY, play=play)


@pytest.mark.some(1)
@pytest.mark.parametrize("side", ["fox", "hunter"])
def test_toy_mail_is_equal_inside_and_of_equal_length_outside(
    side: str, tmp_path: Path, nightly: bool
) -> None:
    for seed in range(20 if nightly else 1):
        one, two = two_worlds(tmp_path, side, seed, kind=EncryptedWorld)
        assert sum(" inside.eml" in name for name in one) > 60
        assert sum(value.endswith(b"encrypted bytes") for value in one.values()) > 15
        assert differences(one, two) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("name", GAMES)
def test_mail_of_a_whole_game_is_equal_inside_and_of_equal_length_outside(
    name: str, tmp_path: Path
) -> None:
    """Four windows of the same officer against another player, with good, bad and late mail."""
    system, side, worlds = GAMES[name]
    one, two = worlds(tmp_path, EncryptedReferee, 4)
    assert sum(" inside.eml" in name for name in one) > 30
    assert sum(value.endswith(b"encrypted bytes") for value in one.values()) > 12
    assert differences(one, two) == []
    homes = [Referee(tmp_path / name, system) for name in ("one", "two")]
    (other,) = {*homes[0].register.sides} - {side}
    theirs = [artefacts(referee, other) for referee in homes]
    assert differences(*theirs), "the worlds do not differ, so nothing was tested"


def shown(mail: bytes) -> tuple[str, int]:
    """What an onlooker sees, without what every mail has of its own, and the size."""
    own = ("Date: ", "Message-ID: ", "To: ", "In-Reply-To: ", "References: ", "Content-Type: multi")
    lines = outside(mail).splitlines()
    return "\n".join(line for line in lines if not line.startswith(own)), len(mail)


def test_an_onlooker_sees_the_same_whatever_happened(tmp_path: Path, clock: Clock) -> None:
    """Good, bad and refused sets, long and short: one receipt looks like another."""
    sea = EncryptedReferee.begun(tmp_path / "home", TOY)
    for lines in (
        "FOX: move A2;",
        "FOX: fly;",
        "@FOX: if turn over 3 then move A1;\n" * 9,
        "Q9: 1;",
    ):
        sea.receive(sea.orders("fox", lines))
    sea.receive(sea.orders("fox", "FOX: move A2;", window=7))
    seen = {shown(path.read_bytes())[0] for path in sea.outbox("fox", "receipt")}
    assert len(sea.outbox("fox", "receipt")) == 5
    assert len(seen) == 1
    sizes = {shown(path.read_bytes())[1] for path in sea.outbox("fox", "receipt")}
    assert max(sizes) - min(sizes) < 100


Leak = Callable[..., Any]


def leaking_subject(real: Leak) -> Leak:
    def enclose(
        game: Any, side: str, kind: str, window: int, mail: bytes, *more: Any, **named: Any
    ) -> Any:
        found = real(game, side, kind, window, mail, *more, **named)
        return found.replace(b": encrypted ", b": encrypted%d " % len(game.register.seen))

    return enclose


def test_a_leak_on_the_envelope_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pbem.inbound.receipts
    import pbem.outbound.encrypt
    import pbem.outbound.report_mail

    leak = leaking_subject(pbem.outbound.encrypt.enclose)
    for module in (pbem.inbound.receipts, pbem.outbound.report_mail):
        monkeypatch.setattr(module, "enclose", leak)
    with until_they_differ():
        assert differences(*two_worlds(tmp_path, "fox", 1, windows=4, kind=EncryptedWorld))


def test_a_mail_that_is_not_padded_is_found(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.crypto.age_armour.padded", lambda content: content)
    sea = EncryptedReferee.begun(tmp_path / "home", TOY)
    for lines in ("FOX: move A2;", "FOX: move A2;\n" + "@FOX: if turn over 3 then move A1;\n" * 9):
        sea.receive(sea.orders("fox", lines))
    sizes = {len(path.read_bytes()) for path in sea.outbox("fox", "receipt")}
    assert max(sizes) - min(sizes) > 100


# Bismarck by files


def test_windows_of_bismarck_by_encrypted_files(tmp_path: Path, clock: Clock) -> None:
    """Both bots, every order file and report encrypted; the game is the open one."""
    from pbem.bots.bot_orders import order_set
    from pbem.player.sign import block_of, encrypted, header_of

    encrypted_one = EncryptedReferee.begun(tmp_path / "encrypted", BISMARCK)
    open_one = Referee.made(tmp_path / "open", BISMARCK, Choices(seed="x"))
    open_one.open()

    def orders(referee: Referee, side: str) -> str:
        report: Mapping[str, Any] = referee.stated(side)
        lines = show(
            order_set(BISMARCK, Report.of(report), f"luck {report['window']}"), BISMARCK.grammar
        )
        text = signed(block_of(header_of(Report.of(report), report["seq"]), lines), key_of(side))
        return encrypted(Report.of(report), text)

    for _ in range(4):
        for referee in (encrypted_one, open_one):
            for side in referee.register.sides:
                assert referee.receive(orders(referee, side))[0].good
            referee.run()
    for side in encrypted_one.register.sides:
        ours, theirs = encrypted_one.stated(side), open_one.stated(side)
        for key in ("units", "contacts", "events", "board", "turn"):
            assert ours[key] == theirs[key], key
        mail = encrypted_one.newest(side, "report")
        assert reads(mail, key_of(side)).facts == ours
    assert encrypted_one.audit().whole
