"""Notes, reports sent again, and the end by the moderator."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import readdress, replace
from pbem.admin.setup import Choices, Newcomer, enlist
from pbem.crypto.sshsig import public_line
from pbem.errors import NotFound
from pbem.outbound.deliver import bounce_of
from pbem.outbound.forward import resend
from pbem.outbound.notices import end, note
from pbem.store.game_dir import Game, writing
from pbem.store.secrets import message_id, reached
from tests.conftest import Clock
from tests.encryption import EncryptedReferee
from tests.referee import Referee, key_of


def mails(referee: Referee, kind: str) -> list[str]:
    return sorted(p.name for p in (referee.folder / "outbox").glob(f"*-{kind}.eml"))


def test_a_note_goes_to_its_sides_alone_and_stays_out_of_the_ledger(referee: Referee) -> None:
    with writing(referee.home, referee.name) as game:
        note(game, ["fox"], "Fog until noon.\n")
    assert mails(referee, "note") == ["fox-0002-note.eml"]
    mail = message_from_bytes((referee.folder / "outbox" / "fox-0002-note.eml").read_bytes())
    assert "Fog until noon." in str(mail.get_payload())
    assert b"Fog until" not in (referee.folder / "ledger.jsonl").read_bytes()
    kept = list((referee.folder / "private" / "notes").iterdir())
    assert [p.read_text() for p in kept] == ["Fog until noon.\n"]


def test_an_officer_without_an_address_gets_no_mail(referee: Referee) -> None:
    with writing(referee.home, referee.name) as game:
        enlist(game, "fox", Newcomer(public_line(key_of("vixen").wire)))
        assert reached(game, "fox") == ["fox@example.org"]


def test_a_bounce_names_the_mail_of_its_message_id(referee: Referee) -> None:
    with writing(referee.home, referee.name) as game:
        first, none = (message_id(game, "fox", number) for number in (1, 2))
        assert bounce_of(game, first) == "outbox/fox-0001-report.eml"
        assert bounce_of(game, none) == ""


def test_a_report_is_sent_again_byte_for_byte(referee: Referee) -> None:
    with writing(referee.home, referee.name) as game:
        name = resend(game, "fox", 1)
    first = referee.folder / "outbox" / "fox-0001-report.eml"
    assert (referee.folder / name).read_bytes() == first.read_bytes()
    assert referee.records[-1].kind == "resent"
    with pytest.raises(NotFound), writing(referee.home, referee.name) as game:
        resend(game, "fox", 2)
    assert referee.records[-1].kind == "resent"


def replaced(game: Game) -> None:
    """By another player, who has another key."""
    newcomer = Newcomer(public_line(key_of("vixen").wire), email="vixen@example.org")
    replace(game, "fox", newcomer)


def moved(game: Game) -> None:
    """The same player."""
    readdress(game, "fox", "vixen@example.org")


@pytest.mark.parametrize("move", [replaced, moved])
@pytest.mark.parametrize("kind", [Referee, EncryptedReferee])
def test_a_report_sent_again_to_another_address_has_the_number_of_its_mail(
    kind: type[Referee], move: Callable[[Game], None], tmp_path: Path, clock: Clock
) -> None:
    """Else the next mail would have its Message-ID, and mail programs would take it for this."""
    referee = kind.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open()
    with writing(referee.home, referee.name) as game:
        move(game)
        names = [resend(game, "fox", 1), resend(game, "fox", 1)]
        note(game, ["fox"], "Fog until noon.\n")
        for name in (*names, sorted(p.name for p in referee.folder.glob("outbox/fox-*"))[-1]):
            mail = message_from_bytes((referee.folder / "outbox" / Path(name).name).read_bytes())
            number = int(Path(name).name.split("-")[1])
            assert mail["Message-ID"] == message_id(game, "fox", number), name
            assert mail["To"] == "vixen@example.org"


@pytest.mark.parametrize(("result", "said"), [("draw", "draw"), ("none", "without a result")])
def test_the_moderators_end_is_told_to_all(result: str, said: str, referee: Referee) -> None:
    with writing(referee.home, referee.name) as game:
        end(game, result, "Both fell asleep.")
    assert len(mails(referee, "end")) == 2
    for name in mails(referee, "end"):
        text = (referee.folder / "outbox" / name).read_text()
        assert said in text
        assert "Both fell asleep." in text
    assert referee.register.over
    assert referee.order("fox", "FOX: move A2;").receipt["code"] == "game-over"
    assert referee.audit().whole
