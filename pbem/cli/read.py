"""`pbem read`"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pbem.cli.common import as_json, emit, read_bytes, say
from pbem.errors import Usage


@click.command
@click.argument("file")
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option("--report", metavar="REPORT.json", help="For a receipt: any report of that game.")
@as_json
def command(file: str, key: Path, report: str | None, as_json: bool) -> None:
    """Verify a report or receipt (mail, or .json with its .seal beside it) and show it.

    The seal, the dice proofs and your own links are checked; the first that fails is named.
    """
    from pbem.chains import Purse
    from pbem.cli.sign import unlocked
    from pbem.held import check_receipt, check_report

    facts, seal = opened(file)
    purse = Purse(unlocked(key), key.with_name(key.name + ".chain"))
    if facts["format"] == "pbem-report/1":
        check_report(facts, seal, purse)
        proved = len([r for r in facts["rolls"] if r["proof"]])
        said = f"{len(facts['rolls'])} rolls, {proved} proved"
    elif seal and report and facts["format"] == "pbem-receipt/1":
        check_receipt(facts, seal, opened(report)[0])
        said = "a receipt"
    else:
        raise Usage("a receipt is checked by its seal and a report", "name one with --report")
    said += ", sealed by the moderator" if seal else "; no report.seal beside it"
    say(f"verified: {said}")
    emit(facts, _text(facts), as_json)


def opened(name: str) -> tuple[dict[str, Any], bytes | None]:
    """The report, receipt or notice in a mail or file, and its seal. Raises NotFound, Usage."""
    from pbem.held import KINDS

    raw = read_bytes(name)
    parts = attached(raw) if raw[:1] != b"{" else {}
    content = next((parts[f"{k}.json"] for k in KINDS.values() if f"{k}.json" in parts), raw)
    beside = Path(name).with_suffix(".seal")
    seal = next((parts[f"{k}.seal"] for k in KINDS.values() if f"{k}.seal" in parts), None)
    if seal is None and name != "-" and beside.is_file():
        seal = beside.read_bytes()
    try:
        facts = json.loads(content)
        if facts["format"] in KINDS:
            return facts, seal
    except (ValueError, KeyError, TypeError):
        pass
    raise Usage(f"{name} holds no report or receipt", "use the mail, or report.json out of it")


def attached(raw: bytes) -> dict[str, bytes]:
    """The named parts of a mail."""
    from email import message_from_bytes, policy

    mail = message_from_bytes(raw, policy=policy.compat32)
    found = {}
    for part in mail.walk():
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and part.get_filename():
            found[str(part.get_filename())] = body
    return found


def _text(facts: dict[str, Any]) -> str:
    from pbem import render

    return render.text(facts) if facts["format"] == "pbem-report/1" else render.receipt(facts)
