"""Delivery to a mail server by SMTP (RFC 5321): at least once, with identical bytes.

SMTP cannot deliver exactly once: if the connection breaks after the end of a mail, the client does
not know whether the server accepted it. The mail is then sent again with the same Message-ID.
"""

from __future__ import annotations

import smtplib
from time import monotonic
from typing import Any

from pbem.base.config import SmtpDelivery
from pbem.base.patience import Clock, Patience, reader
from pbem.base.tls import context_of, in_words
from pbem.outbound.transports.interface import Later, Never, Outgoing, RecordSent, WasSent

PORTS = {"implicit": 465, "starttls": 587, "none": 25}
PERMANENT = 500
GOODBYE = 421
"""The reply of a server that closes the connection (RFC 5321, 3.8)."""

LOG_IN = (530, 534, 535, 538)
"""Replies about authentication (RFC 4954, 6; 538: RFC 2554)."""

TOO_LARGE = 552
Answer = tuple[int, bytes]
Refused = dict[str, Answer]
"""Refused recipients, and the server's reply to each."""


class Smtp:
    """One connection for all mails of a tick, opened for the first one.

    ca: file of the CA certificates to trust, by default the system's. clock: returns seconds.
    """

    def __init__(
        self, way: SmtpDelivery, password: str, ca: str | None = None, clock: Clock = monotonic
    ) -> None:
        self._way, self._password, self._ca = way, password, ca
        self._patience = Patience(way.timeout, way.total, clock)
        self._server: smtplib.SMTP | None = None
        self._down = ""

    def deliver(self, mail: Outgoing, record_sent: RecordSent) -> None:
        """Send one mail. Raises Later, Never.

        If some recipients are refused temporarily, the mail counts as not sent: `Later.left`
        names them, and the next attempt goes to them alone. If the others are refused for good,
        the mail is recorded as sent and Never reports the refusal.
        """
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
            record_sent()
        if refused:
            raise _answered(*max(refused.values()))

    def _hand_over(self, mail: Outgoing) -> Refused:
        """Send the mail; return the refused recipients.

        Servers may close a connection after some number of mails (reply 421). So on a connection
        that was used before, the mail is tried once more over a new one, unless the server may
        already have accepted it: that could deliver it twice.
        """
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
        """Tell whether the connection broke after the end of a mail was sent.

        Then only the server knows whether it accepted the mail (RFC 5321, 4.5.3.2.6).
        """
        cut = isinstance(error, smtplib.SMTPServerDisconnected)
        return cut and isinstance(self._server, _Patient) and self._server.ended

    def _send(self, mail: Outgoing) -> Refused:
        """Send the mail over the open connection; return the refused recipients."""
        server = self._connection()
        try:
            return server.sendmail(mail.sender, list(mail.to), mail.content)
        except smtplib.SMTPRecipientsRefused as error:
            for code, text in error.recipients.values():
                if code == GOODBYE:  # the server closed: other recipients were not tried
                    raise smtplib.SMTPDataError(code, text) from None
            return error.recipients

    def _broken(self, error: Exception) -> Later:
        """Drop a broken connection; return the error to raise.

        After a timeout every further mail of this tick fails at once: each would wait as long.
        """
        self._drop()
        why = f"{self._way.host}: {in_words(error)}"
        if _timed_out(error):
            self._down = why
        return Later(why)

    def finish(self, game: str, sent: WasSent) -> None:
        """Do nothing: a mail is recorded only after the server has accepted it."""

    def close(self) -> None:
        """End the session with QUIT."""
        if self._server is not None:
            try:
                self._server.quit()
            except (smtplib.SMTPException, OSError):
                self._drop()

    def _connection(self) -> smtplib.SMTP:
        """Return the open connection, or open one. Raises Later.

        A failed connection or log-in is not tried again in this tick. It always means Later, never
        Never: the server refused us, not a particular mail.
        """
        if self._down:
            raise Later(self._down)
        if self._server is None:
            try:
                self._server = self._connect()
            except smtplib.SMTPResponseException as error:
                self._down = f"{self._way.host}: {_words((error.smtp_code, error.smtp_error))}"
                raise Later(self._down) from None
            except (smtplib.SMTPException, OSError, UnicodeError) as error:
                self._down = f"{self._way.host}: {in_words(error)}"
                raise Later(self._down) from None
        return self._server

    def _connect(self) -> smtplib.SMTP:
        """Open a connection: TLS as configured, then the log-in. Raises what smtplib raises."""
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
        except (smtplib.SMTPException, OSError, UnicodeError):
            server.close()
            raise
        return server

    def _drop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


class _Patient(smtplib.SMTP):
    """An `smtplib` client that limits how long it waits and how much it reads.

    smtplib's own timeout restarts with every byte, so a slow or malicious server could block a
    tick for hours.
    """

    ended = False
    """Whether the last bytes sent were the end of a mail."""

    def __init__(self, host: str, port: int, patience: Patience, **more: Any) -> None:
        self._patience = patience
        super().__init__(host, port, **more)

    def getreply(self) -> Answer:
        """Return the server's reply. Raises SMTPServerDisconnected.

        A line that is too long, or has no code, counts as a broken connection, not as a refusal:
        a refusal would bounce the mail.
        """
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
            super().send(content)  # raises the error for a closed connection
        else:
            self._patience.send(content, super().send, self.sock)


class _Smtp(_Patient):
    """Without TLS, at least until STARTTLS."""


class _SmtpTls(_Patient, smtplib.SMTP_SSL):
    """Under TLS from the start."""


def _answered(code: int, text: bytes | str) -> Later | Never:
    """Return the error for a server's reply."""
    said = _words((code, text))
    if PERMANENT <= code < 600 and code not in LOG_IN:  # the moderator can correct a log-in
        return Never(str(code), said)
    return Later(said, asked=400 <= code < PERMANENT)


def _about_sender(error: smtplib.SMTPSenderRefused, mail: Outgoing) -> Later | Never:
    """Return the error for a refused sender.

    Such a refusal concerns every mail until the configuration is corrected, so no mail bounces
    for it, unless the reply is that this mail is too large.
    """
    found = _answered(error.smtp_code, error.smtp_error)
    if isinstance(found, Later) or error.smtp_code == TOO_LARGE:
        return found
    fix = "check the address" if mail.sender else "set null_sender = false"
    return Later(f"the server refuses the sender <{mail.sender}> ({found}); {fix} in pbem.toml")


def _words(answer: tuple[int, bytes | str]) -> str:
    code, text = answer
    said = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(said.split())}"[:200]


def _timed_out(error: Exception) -> bool:
    """Tell whether the error is a timeout; smtplib may wrap one as SMTPServerDisconnected."""
    return isinstance(error, TimeoutError) or isinstance(error.__context__, TimeoutError)
