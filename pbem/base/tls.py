"""What IMAP and SMTP have in common: whom to trust under TLS, and a server's trouble in words."""

from __future__ import annotations

import ssl

from pbem.base.config import Tls


def context_of(tls: Tls, ca: str | None) -> ssl.SSLContext | None:
    """Whom a connection trusts: public authorities, else `ca`, a file of certificates; None in
    the open. Raises OSError with that file's name."""
    if tls == "none":
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise OSError(f"{ca} holds no certificate") from None
    except OSError as error:
        raise OSError(f"{ca}: {error.strerror}") from None


def in_words(error: Exception) -> str:
    """What went wrong, on one line, and what helps where that is known."""
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message or "unknown"
        return f'its certificate is not trusted ({why}); pbem.toml names one by ca = "FILE"'
    return " ".join(str(error).split())[:200] or type(error).__name__
