"""A referee whose mail is encrypted, and functions that read this mail with a player's key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email import message_from_bytes
from pathlib import Path
from typing import Any, Self

from msgspec.structs import replace

from orders.canon import canonical
from pbem.admin.setup import Choices
from pbem.audit.open_file import Opened, attached, forwarded_reports, open_mail
from pbem.audit.verify_report import check_readers, check_report, check_signed
from pbem.base.report_json import Report
from pbem.crypto.age import Identity
from pbem.crypto.private_keys import SshKey
from pbem.dice.chains import DiceChains
from pbem.model import System
from pbem.player.sign import encrypted
from tests.referee import Referee, key_of


class EncryptedReferee(Referee):
    """A game with encrypted mail. Players encrypt their orders as `pbem sign` does."""

    @classmethod
    def begun(
        cls, home: Path, system: System, name: str = "g1", seed: str = "x", play: str = "plotted"
    ) -> EncryptedReferee:
        """Create and open a game with seeded dice and one officer for each side."""
        referee = cls.made(home, system, Choices(options={"play": play}, seed=seed), name)
        referee.open()
        return referee

    @classmethod
    def made(cls, home: Path, system: System, choices: Choices, name: str = "g1") -> Self:
        return super().made(home, system, replace(choices, mail="sealed"), name)

    def orders(
        self, of: str, lines: str, report: Mapping[str, Any] | None = None, **header: Any
    ) -> str:
        return self.encrypt(of, super().orders(of, lines, report, **header))

    def block(
        self, of: str, lines: str, report: Mapping[str, Any] | None = None, **header: Any
    ) -> str:
        """The canonical form, which is what `pbem sign` encrypts."""
        return canonical(super().block(of, lines, report, **header)).decode("ascii")

    def encrypt(self, of: str, text: str) -> str:
        """Encrypt any text to the moderator, with the report of side `of`."""
        return encrypted(Report.of(self.report(of)), text)

    def outbox(self, side: str, kind: str = "*") -> list[Path]:
        """The mails to a side, oldest first. kind: report, receipt, note or lock."""
        return sorted((self.folder / "outbox").glob(f"{side}-*-{kind}.eml"))

    def newest(self, side: str, kind: str = "*") -> bytes:
        """The newest mail to a side."""
        return self.outbox(side, kind)[-1].read_bytes()


def age_part(mail: bytes) -> bytes:
    """The age file attached to an encrypted mail."""
    (found,) = (body for name, body in attached(mail).items() if name.endswith(".eml.age"))
    return found


def identity_of(key: SshKey) -> Identity:
    """The age identity of an SSH key that has one."""
    found = key.identity()
    assert found
    return found


def reads(
    mail: bytes, key: SshKey, who: Sequence[Identity] = (), report: Mapping[str, Any] | None = None
) -> Opened:
    """Decrypt and check a mail as `pbem read` does, and raise what it raises.

    who: age identities instead of the key's own; report: any of the game, needed unless the mail
    contains a report.
    """
    found = open_mail(mail, "mail", lambda: who or [identity_of(key)])
    handed = forwarded_reports(found, key.wire)
    check_readers(found.facts, found.encrypted, found.signature, key.wire, handed)
    if found.kind == "report":
        check_report(found.facts, found.signature, DiceChains(key))
    else:
        assert found.signature
        assert report
        check_signed(found.kind, found.facts, found.signature, report)
    return found


def outside(mail: bytes) -> str:
    """What a mail shows to somebody without the key: all headers, and the plain text parts."""
    parts = []
    for part in message_from_bytes(mail).walk():
        parts += [f"{name}: {value}" for name, value in part.items()]
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and part.get_content_maintype() == "text":
            parts.append(body.decode())
    return "\n".join(parts)


__all__ = ["EncryptedReferee", "age_part", "identity_of", "key_of", "outside", "reads"]
