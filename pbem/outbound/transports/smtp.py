"""Delivery to a mail server by SMTP: at least once, with identical bytes (RFC 5321)."""

from __future__ import annotations

import smtplib
from time import monotonic
from typing import Any

from pbem.base.config import SmtpDelivery
from pbem.base.patience import Clock, Patience, reader
from pbem.base.tls import context_of, in_words
from pbem.outbound.transports.interface import Later, Never, Once, Outgoing, Sent

PORTS = {"implicit": 465, "starttls": 587, "none": 25}
PERMANENT = 500
GOODBYE = 421
"""The answer of a server that closes the connection (RFC 5321, 3.8)."""

LOG_IN = (530, 534, 535, 538)
TOO_LARGE = 552
Answer = tuple[int, bytes]
Refused = dict[str, Answer]
"""Recipients, and what the server said to each."""


class Smtp:
    """One connection for all the mails of a tick, made when the first one leaves. clock: tells
    seconds."""

    def __init__(
        self, way: SmtpDelivery, password: str, ca: str | None = None, clock: Clock = monotonic
    ) -> None:
        self._way, self._password, self._ca = way, password, ca
        self._patience = Patience(way.timeout, way.total, clock)
        self._server: smtplib.SMTP | None = None
        self._down = ""

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Send one mail. While some of several recipients may still get it, it counts as not
        sent. Raises Later, Never."""
        try:
            refused = self._hand_over(mail)
        except smtplib.SMTPSenderRefused as error:
            self._drop()
            raise _about_sender(error, mail) from None
        except smtplib.SMTPResponseException as error:
            self._drop()
            raise _answered(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            raise self._broken(error) from None
        if any(code < PERMANENT for code, _ in refused.values()):
            raise Later(_words(min(refused.values())), left=list(refused), asked=True)
        if set(mail.to) - set(refused):
            once()
        if refused:
            raise _answered(*max(refused.values()))

    def _hand_over(self, mail: Outgoing) -> Refused:
        """Who was refused. A server that says goodbye after so many mails is called once more;
        not one that may have this mail already."""
        used = self._server is not None
        try:
            return self._send(mail)
        except (smtplib.SMTPResponseException, smtplib.SMTPServerDisconnected) as error:
            goodbye = getattr(error, "smtp_code", GOODBYE) == GOODBYE
            if not (used and goodbye) or _timed_out(error) or self._in_doubt(error):
                raise
        self._drop()
        return self._send(mail)

    def _in_doubt(self, error: Exception) -> bool:
        """Whether the connection broke behind the end of a mail: nobody but the server knows
        whether it took it (RFC 5321, 4.5.3.2.6)."""
        cut = isinstance(error, smtplib.SMTPServerDisconnected)
        return cut and isinstance(self._server, _Patient) and self._server.ended

    def _send(self, mail: Outgoing) -> Refused:
        server = self._connection()
        try:
            return server.sendmail(mail.sender, list(mail.to), mail.content)
        except smtplib.SMTPRecipientsRefused as error:
            for code, text in error.recipients.values():
                if code == GOODBYE:  # the others were not asked
                    raise smtplib.SMTPDataError(code, text) from None
            return error.recipients

    def _broken(self, error: Exception) -> Later:
        """The connection is lost. A server that does not answer is not waited for again this
        time: each mail would wait as long."""
        self._drop()
        why = f"{self._way.host}: {in_words(error)}"
        if _timed_out(error):
            self._down = why
        return Later(why)

    def finish(self, game: str, sent: Sent) -> None:
        """What was recorded was taken by the server before; nothing is left to do."""

    def close(self) -> None:
        """Say goodbye."""
        if self._server is not None:
            try:
                self._server.quit()
            except (smtplib.SMTPException, OSError):
                self._drop()

    def _connection(self) -> smtplib.SMTP:
        """The open connection. One that could not be made is not tried again this time: a server
        that does not let us in refuses us, and no mail."""
        if self._down:
            raise Later(self._down)
        if self._server is None:
            try:
                self._server = self._connect()
            except smtplib.SMTPResponseException as error:
                self._down = f"{self._way.host}: {_words((error.smtp_code, error.smtp_error))}"
                raise Later(self._down) from None
            except (smtplib.SMTPException, OSError) as error:
                self._down = f"{self._way.host}: {in_words(error)}"
                raise Later(self._down) from None
        return self._server

    def _connect(self) -> smtplib.SMTP:
        way, port = self._way, self._way.port or PORTS[self._way.tls]
        context = context_of(way.tls, self._ca)
        server: smtplib.SMTP
        with self._patience.waiting() as seconds:
            if way.tls == "implicit":
                server = _SmtpTls(way.host, port, self._patience, timeout=seconds, context=context)
            else:
                server = _Smtp(way.host, port, self._patience, timeout=seconds)
        try:
            server.ehlo_or_helo_if_needed()
            if way.tls == "starttls":
                server.starttls(context=context)
                server.ehlo_or_helo_if_needed()
            if way.user:
                server.login(way.user, self._password)
        except (smtplib.SMTPException, OSError):
            server.close()
            raise
        return server

    def _drop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


class _Patient(smtplib.SMTP):
    """`smtplib` that waits no longer, and hears no more, than it has patience for. ended: the
    last that was sent is the end of a mail."""

    ended = False

    def __init__(self, host: str, port: int, patience: Patience, **more: Any) -> None:
        self._patience = patience
        super().__init__(host, port, **more)

    def getreply(self) -> Answer:
        """What the server says. A line too long, or without a code, is a broken connection and
        no refusal."""
        if self.file is None and self.sock is not None:
            self.file = reader(self.sock, self._patience)
        try:
            code, text = super().getreply()
        except smtplib.SMTPResponseException:
            raise smtplib.SMTPServerDisconnected("its answer is a line without an end") from None
        if code < 0:
            self.close()
            raise smtplib.SMTPServerDisconnected("its answer has no code of SMTP")
        return code, text

    def send(self, s: Any) -> None:
        content = s.encode(self.command_encoding) if isinstance(s, str) else bytes(s)
        self.ended = content.endswith(b"\r\n.\r\n")
        if self.sock is None:
            super().send(content)  # which says so
        else:
            self._patience.send(content, super().send, self.sock)


class _Smtp(_Patient):
    """In the open, or until STARTTLS."""


class _SmtpTls(_Patient, smtplib.SMTP_SSL):
    """Under TLS from the start."""


def _answered(code: int, text: bytes | str) -> Later | Never:
    said = _words((code, text))
    if PERMANENT <= code < 600 and code not in LOG_IN:  # a log-in may be mended
        return Never(str(code), said)
    return Later(said, asked=400 <= code < PERMANENT)


def _about_sender(error: smtplib.SMTPSenderRefused, mail: Outgoing) -> Later | Never:
    """Who refuses the sender refuses every mail until the configuration is mended, or asks for
    patience, or the mail is too large."""
    found = _answered(error.smtp_code, error.smtp_error)
    if isinstance(found, Later) or error.smtp_code == TOO_LARGE:
        return found
    mend = "its address" if mail.sender else "null_sender = false"
    return Later(f"the sender <{mail.sender}> is refused ({found}); see {mend} in pbem.toml")


def _words(answer: tuple[int, bytes | str]) -> str:
    code, text = answer
    said = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(said.split())}"[:200]


def _timed_out(error: Exception) -> bool:
    """Whether nothing came for as long as the configuration waits; smtplib says of that, too,
    that the server went away."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)
