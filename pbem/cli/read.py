"""`pbem read`"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from pbem.audit.open_file import Opened, Who, forwarded_reports, open_mail
from pbem.base.gzipped import ENDING
from pbem.base.schema import decoded, require_kind, require_report, typed
from pbem.cli.common import as_json, emit, read_bytes, say, used, write_out
from pbem.cli.completion import FILE
from pbem.errors import Usage
from pbem.model import Plain

if TYPE_CHECKING:
    from pbem.dice.chains import DiceChains

AS_IT_CAME = "use the mail, or the files out of it, as they came"


@click.command
@click.argument("file", type=FILE)
@click.option("--key", required=True, type=click.Path(path_type=Path), help="Your private key.")
@click.option(
    "--age",
    "own_age",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Your age key; default: KEY.age-key, if it exists.",
)
@click.option(
    "--report",
    metavar="REPORT.json",
    type=FILE,
    help="For receipts and notes: any report of that game.",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="After verification write report.json, orders.txt, … into this folder.",
)
@as_json
def command(
    file: str, key: Path, own_age: Path | None, report: str | None, out: Path | None, as_json: bool
) -> None:
    """Verify and show a report or receipt: a mail, or a .json with its .seal in the same folder.

    Encrypted mail is decrypted with your key. The signature, the dice proofs and your own dice
    links are checked; the first check that fails is named.
    """
    from pbem.audit.verify_report import check_readers
    from pbem.cli.unlock import identities, unlocked
    from pbem.dice.chains import DiceChains

    ssh = unlocked(key)
    found = whole(file, lambda: identities(key, ssh, own_age))
    handed = forwarded_reports(found, ssh.wire)
    check_readers(found.facts, found.encrypted, found.signature, ssh.wire, handed)
    said = _checked(found, DiceChains(ssh, key.with_name(key.name + ".chain")), report)
    require_kind(found.facts, found.kind, file, AS_IT_CAME)
    before, run = _earlier(found, ssh.wire, handed)
    said += f", {len(run)} earlier reports of the same run" if run else ""
    said += ", signed by the moderator" if found.signature else "; not signed: no report.seal"
    with used(file):
        text = _text(found.facts, run)
        files = (_files(found) | before) if out else {}
    say(f"verified: {said}")
    if out:
        _put(out, files)
    emit(found.facts, text, as_json)


def _checked(found: Opened, dice_chains: DiceChains, known: str | None) -> str:
    """Verify an opened file; say what was verified. known: a report to compare it with.

    Raises BadProof, BadSignature, Usage.
    """
    from pbem.audit.verify_report import check_report, check_same, check_signed

    facts, signature = found.facts, found.signature
    other = opened(known)[0] if known else None
    if found.kind == "report":
        check_report(facts, signature, dice_chains)
        if other:
            check_same(facts, other)
        proved = len([r for r in facts["rolls"] if r["proof"]])
        return f"{len(facts['rolls'])} rolls, {proved} proved; set-up {facts['setup']['digest']}"
    if signature is None or other is None:
        raise Usage(
            f"to verify a {found.kind}, its signature and a report of the game are needed",
            "name a report with --report",
        )
    check_signed(found.kind, facts, signature, other)
    return f"a {found.kind}"


def _earlier(
    found: Opened, key: bytes, handed: Collection[str]
) -> tuple[dict[str, bytes], list[Plain]]:
    """Verify the earlier reports of the same run that came with this one, oldest first.

    Returns their files with their signatures, and their content. Raises as `_checked`.
    """
    from pbem.audit.verify_report import check_readers, check_report, check_same

    files: dict[str, bytes] = {}
    run: list[Plain] = []
    for name in sorted(found.parts, key=lambda name: (len(name), name)):
        if re.fullmatch(r"report-\d{1,4}\.json", name):
            said = found.parts.get(name.replace(".json", ".seal"), b"")
            signature = said.replace(b"\r\n", b"\n")
            report = opened_json(found.parts[name], f"{name} in it")
            check_readers(report, found.encrypted, signature, key, handed)
            check_report(report, signature)
            check_same(report, found.facts)
            require_report(report, f"{name} in it", AS_IT_CAME)
            run.append(report)
            files |= {name: found.parts[name], name.replace(".json", ".seal"): signature}
    return files, run


def opened_json(content: bytes, where: str) -> Plain:
    """Parse a JSON object. where: the file's name in messages. Raises Usage."""
    found: Plain = typed(decoded(content, where, AS_IT_CAME), dict, where, AS_IT_CAME)
    return found


def _put(folder: Path, files: Mapping[str, bytes]) -> None:
    if folder.exists() and not folder.is_dir():
        raise Usage(f"{folder} is a file", "name a folder with -o")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_out(folder / name, content)


def whole(name: str, who: Who) -> Opened:
    """Open a mail or file; for a .json the signature is read from the .seal in the same folder.

    Raises NotFound, Usage, BadAge.
    """
    from msgspec.structs import replace

    found = open_mail(read_bytes(name), name, who)
    beside = Path(name.removesuffix(ENDING)).with_suffix(".seal")
    if found.signature is None and not found.encrypted and name != "-" and beside.is_file():
        return replace(found, signature=beside.read_bytes())
    return found


def opened(name: str) -> tuple[Plain, bytes | None]:
    """Return the report, receipt or lock in an unencrypted mail or file, and its signature.

    Raises NotFound, Usage; Usage for encrypted files and notes too.
    """

    def nobody() -> NoReturn:
        hint = "`pbem read -o DIR` decrypts it with your key; give the files that it writes"
        raise Usage(f"{name} is encrypted", hint)

    found = whole(name, nobody)
    if found.kind == "note":
        raise Usage(
            f"{name} is a note", "only reports, receipts and locks can be compared with a game"
        )
    return found.facts, found.signature


def _files(found: Opened) -> dict[str, bytes]:
    """Return the files for the folder: the verified object, its signature, and text and HTML.

    Text and HTML are rendered again from the object: those in the mail are not signed.
    """
    from pbem.base.hashing import canonical_json
    from pbem.base.report_menu import lengthened
    from pbem.reports import render

    files = {f"{found.kind}.json": canonical_json(found.facts)}
    if found.signature:
        files[f"{found.kind}.seal"] = found.signature
    if found.kind == "report":
        report = lengthened(found.facts)
        files["report.html"] = render.html(report).encode()
        form = render.form(report)
        files |= {"orders.txt": form.encode("ascii")} if form else {}
    return files | {f"{found.kind}.txt": _text(found.facts).encode("ascii")}


def _text(facts: Plain, run: Sequence[Plain] = ()) -> str:
    """Format the signed object of any kind as text. run: earlier reports of the same run, for a
    report."""
    from pbem.base.report_menu import lengthened
    from pbem.reports import render
    from pbem.reports.mailed import Mailed
    from pbem.turns import strict_dice

    kind = facts["format"].removeprefix("pbem-").partition("/")[0]
    if kind == "lock":
        return render.lock(facts, strict_dice.owes(facts))
    if kind == "report":
        return render.text(lengthened(facts), Mailed(earlier=run))
    return {"receipt": render.receipt, "note": render.note}[kind](facts)
