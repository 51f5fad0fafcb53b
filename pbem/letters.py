"""From a mail as it arrived to the inputs it holds. The compat32 parser alone reads real mail."""

from __future__ import annotations

from pbem.intake import LARGEST, Input

MOST_PARTS = 50
MAIL_HEADERS = (b"from:", b"received:", b"return-path:", b"message-id:", b"date:", b"mime-version:",
                b"delivered-to:", b"from ", b"to:", b"subject:")  # fmt: skip


def unpack(arrived: Input) -> list[Input]:
    """The order texts in a mail; anything that is no mail comes back as it is."""
    if len(arrived.raw) > 4 * LARGEST or not _is_mail(arrived.raw):
        return [arrived]
    from email import message_from_bytes, policy

    mail = message_from_bytes(arrived.raw, policy=policy.compat32)
    parts = [p for _, p in zip(range(MOST_PARTS), mail.walk(), strict=False)]
    leaves: list[tuple[str, str, bytes]] = []
    for part in parts:
        body = part.get_payload(decode=True)
        if isinstance(body, bytes):
            leaves.append((part.get_content_type(), part.get_filename() or "", body))
    return _orders(arrived, leaves) or [arrived]


def _is_mail(raw: bytes) -> bool:
    """Whether the file begins with the headers of a mail."""
    return raw.lstrip()[:20].lower().startswith(MAIL_HEADERS)


def _orders(arrived: Input, leaves: list[tuple[str, str, bytes]]) -> list[Input]:
    """Leaves that hold orders, each once, with a detached signature beside its file."""
    signatures = {
        name.removesuffix(".sig"): body for _, name, body in leaves if name.endswith(".sig")
    }
    found: list[Input] = []
    for kind, name, body in leaves:
        if not kind.startswith("text/") or name.endswith(".sig") or kind == "text/html":
            continue
        if b"ORDERS" in body.upper() and all(body != f.raw for f in found):
            found.append(Input(name or arrived.name, body, signatures.get(name), arrived.side))
    return found
