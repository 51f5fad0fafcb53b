"""The tests of the auditors are tested: each of their checks is switched off alone, and an attack
that was found then passes, or is found elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from functools import cache
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from games.toy import game as toy
from games.toy.game import SYSTEM
from pbem.admin.rulings import read_ruling, rule
from pbem.audit.findings import Wrong
from pbem.crypto.sshsig import public_line
from pbem.dice import provable
from pbem.errors import PbemError
from pbem.replay.publish import bundle
from pbem.store.game_dir import published, unread, writing
from tests.conftest import Clock
from tests.ledgers import Record, chained
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust import papers, test_key_attacks
from tests.trust.bundles import ATTACKS, members, packed
from tests.trust.corpus import FILE, Body, alter, flip, put, reports
from tests.trust.dice_games import IDLE
from tests.trust.forgeries import FORGERIES, SWUM, Forgery
from tests.trust.games import GAMES
from tests.trust.switches import Switch, wired
from tests.trust.test_agreement import mutations

STRIDE = 11
"""Neighbours are much alike, so that one in so many is tried first."""
SOONEST = {
    "fast": {
        "created protocol",
        "created data",
        "enlisted anchor",
        "received anchor",
        "closed firsts",
        "closed reports",
        "closed sets.hunter.order",
        "undone commit",
        "undone opens",
        "undone sets.fox.officer",
    },
    "keys": {
        "closed lock",
        "closed opens",
        "closed rolls.window",
        "closed sets",
        "replaced window",
    },
    "run": {
        "closed carried.fox",
        "closed seed",
        "created doubled",
        "opened reports.fox",
        "opened window",
        "received canonical",
        "received doubled",
        "received final",
        "received link",
        "received side",
    },
    "strict": {
        "closed doubled",
        "created moved",
        "locked window",
        "received order",
        "revealed link",
        "revealed lock",
        "revealed moved",
    },
}
"""Changes that alone need some check. They come before the others, which are tried only while a
check is left."""
AUDIT = FILE.parent / "pbem" / "audit"
Attack = Callable[[Any], list[str]]
"""What an auditor, given as a module, says of something that is wrong."""


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Games with one thing forged or changed in each, those that find most first."""
    found = [forged(forge, tmp_path_factory.mktemp("forged")) for forge in FORGERIES.values()]
    found.append(anchored_role(tmp_path_factory.mktemp("role")))
    rest: list[bytes] = []
    for name, make in GAMES.items():
        with pytest.MonkeyPatch.context() as patch:
            referee = make(tmp_path_factory.mktemp(name) / "home", patch, Clock(patch))
        records = referee.records
        crafted = [altered(records, *one) for one in CRAFTED.get(name, ())]
        crafted += [test_key_attacks.too_early(records)] if name == "keys" else []
        found += [b"".join(chained(one)) for one in crafted]
        some = {f"{m.kind} {m.how}": m.records for m in mutations(records)}
        soon = SOONEST.get(name, set())
        assert soon <= some.keys()
        for how, one in some.items():
            (found if how in soon else rest).append(b"".join(chained(one)))
    return [*found, *(one for i in range(STRIDE) for one in rest[i::STRIDE])]


def forged(forge: Forgery, folder: Path) -> bytes:
    with pytest.MonkeyPatch.context() as patch:
        referee, _ = forge(folder / "home", patch, Clock(patch))
        return (referee.folder / "ledger.jsonl").read_bytes()


def altered(
    records: list[Record], kind: str, nth: int, change: Callable[[Body], None]
) -> list[Record]:
    at = [i for i, r in enumerate(records) if r.kind == kind][nth]
    body = deepcopy(records[at].body)
    change(body)
    return [*records[:at], structs.replace(records[at], body=body), *records[at + 1 :]]


def other_die(body: Body) -> None:
    body["rolls"][0]["dice"][0] = body["rolls"][0]["dice"][0] % 6 + 1


CRAFTED: dict[str, list[tuple[str, int, Callable[[Body], None]]]] = {
    "keys": [(kind, nth, change) for kind, nth, change, _ in test_key_attacks.ATTACKS.values()],
    "fast": [
        ("undone", 0, flip("position")),
        ("closed", 0, other_die),
        ("created", 0, put("modulus", value="none")),
        ("enlisted", 0, put("key", value="ssh-ed25519 AAAA")),
    ],
    "run": [("received", 0, put("ahead", value=-9)), ("created", 0, put("system", value=None))],
}


def anchored_role(folder: Path) -> bytes:
    """An officer with a role and a dice chain of his own."""
    created, fox, hunter = Referee.toy(folder).records[:3]
    key = public_line(key_of("nose").wire)
    body = {**fox.body, "side": "fox.nose", "key": key, "anchor": "ab" * 32}
    made = {**created.body, "roles": {"fox": ["nose"]}}
    last = structs.replace(hunter, n=4, body=body)
    return b"".join(chained([structs.replace(created, body=made), fox, hunter, last]))


def of_ledger(content: bytes) -> Attack:
    def verdict(module: Any) -> list[str]:
        try:
            module.check_ledger(content)
        except module.Bad as bad:
            return [f"{bad.code} {bad.text}"]
        except papers.TOO_FAR:
            return ["too far"]
        return []

    return verdict


def of_papers(files: papers.Papers) -> Attack:
    return lambda module: papers.verdict(module, files)


def quick(module: Any, switch: Switch) -> None:
    """A dice key that was checked once stands: it takes longer than all the rest. One that stands
    because its check is off stands so long alone."""
    right = module.DiceKey

    @cache
    def known(off: str, game: str, n: str, roots: tuple[str, ...]) -> Any:
        return right(game, n, list(roots))

    def key(game: str, n: str, roots: list[str]) -> Any:
        off = switch.off if "dice-key" in switch.checks.get(switch.off, "") else ""
        return known(off, game, n, tuple(roots))

    module.DiceKey = key


def missed(module: Any, switch: Switch, attacks: Iterable[Attack]) -> list[str]:
    """Checks that no attack needs: with one of them off, all attacks are still found."""
    left = dict(switch.checks)
    for attack in attacks:
        if not left:
            break
        switch.off = ""
        switch.fired.clear()
        before = attack(module)
        for where in {*switch.fired} & left.keys():
            switch.off = where
            if attack(module) != before:
                del left[where]
    return [f"{where} {said}" for where, said in left.items()]


@pytest.fixture(scope="module")
def bundles(played: Proven, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Public bundles with one part altered, taken out or put in."""
    folder, whole = tmp_path_factory.mktemp("bundles"), members(bundle(played.read(), SYSTEM))
    made = [folder / f"{i}.zip" for i in range(len(ATTACKS))]
    for path, (attack, _) in zip(made, ATTACKS.values(), strict=True):
        path.write_bytes(packed(attack(whole)))
    return made


def test_no_check_of_verify_can_be_left_out(
    ledgers: list[bytes], shown: papers.Shown, bundles: list[Path]
) -> None:
    switch = Switch()
    module = wired(FILE, "verify_wired", switch)
    quick(module, switch)
    attacks = [of_papers(files) for files, _ in shown.values()]
    attacks += [of_papers([path]) for path in bundles]
    attacks += [of_ledger(ledger) for ledger in ledgers]
    assert len(switch.checks) > 100
    assert missed(module, switch, attacks) == []


# pbem audit, and what it takes from players


READ = ("check_signed", "check_same", "check_readers", "_check_own")
"""Checks that only `pbem read` makes; tests/trust/test_encrypted.py has its attacks."""


def audit_wired(switch: Switch) -> SimpleNamespace:
    """What audits, its checks and those of what it calls behind the switch."""
    dice_checks, key_checks = (
        wired(AUDIT / f"{name}.py", f"pbem.audit.{name}_wired", switch)
        for name in ("dice_checks", "key_checks")
    )
    known = {name: getattr(dice_checks, name) for name in ("check_dice", "check_key", "check_link")}
    held = wired(
        AUDIT / "verify_report.py",
        "pbem.audit.verify_report_wired",
        switch,
        {"check_roll": dice_checks.check_roll},
    )
    rerun = wired(AUDIT / "rerun.py", "pbem.audit.rerun_wired", switch)
    known |= {
        "check_kept": held.check_kept,
        "key_checks": key_checks,
        "Rerun": rerun.Rerun,
        "run_check": rerun.run_check,
    }
    whole = wired(AUDIT / "auditor.py", "pbem.audit.auditor_wired", switch, known)
    publication = wired(AUDIT / "publication.py", "pbem.publication_wired", switch)
    for where in [
        w for w in switch.checks if w.split(":")[0].removeprefix("verify_report.") in READ
    ]:
        del switch.checks[where]
    return SimpleNamespace(whole=whole, check_report=held.check_report, publication=publication)


def audited(content: bytes, folder: Path, *held: Path) -> Attack:
    """What an audit says of this ledger, and of what players hold."""
    facts = [json.loads(one.read_bytes()) for one in held]
    signatures = {f["digest"]: signature_beside(p) for f, p in zip(facts, held, strict=True)}
    path = folder / "ledger.jsonl"

    def verdict(made: Any) -> list[str]:
        path.write_bytes(content)
        game = published(path)
        try:
            made.whole.recorded_system(game)
            found = made.whole.audit(
                game, SYSTEM, facts, {k: s for k, s in signatures.items() if s}
            )
        except Wrong as wrong:
            return [repr(wrong.finding)]
        except papers.TOO_FAR:
            return ["too far"]
        return [repr(finding) for finding in found.findings]

    return verdict


def once(check: Callable[..., None]) -> Callable[..., None]:
    """A dice key that was checked once stands: it takes longer than all the rest."""
    known = cache(check)
    return lambda modulus, game, roots: known(modulus, game, tuple(roots))


def signature_beside(path: Path) -> bytes | None:
    signature = path.with_suffix(".seal")
    return signature.read_bytes() if signature.exists() else None


def read_alone(path: Path) -> Attack:
    """What `pbem read` says of a report."""

    def verdict(made: Any) -> list[str]:
        try:
            made.check_report(json.loads(path.read_bytes()), signature_beside(path))
        except PbemError as error:
            return [repr(error)]
        except Exception as error:  # a check that is off lets anything come this far
            return [repr(error)]
        return []

    return verdict


def unpacked(path: Path) -> Attack:
    """What an audit says of a bundle, beside its ledger."""

    def verdict(made: Any) -> list[str]:
        ledger = path.with_suffix(".jsonl")
        try:
            found = made.publication.read(path)
            ledger.write_bytes(found.parts["ledger.jsonl"])
            made.publication.check(found, list(published(ledger).ledger.records()))
        except PbemError as error:
            return [repr(error)]
        except LookupError:  # a check that is off lets anything come this far
            return ["too far"]
        return []

    return verdict


def held_too(shown: papers.Shown, referee: Proven, folder: Path) -> Iterator[Attack]:
    """Papers held against their ledger, or against a sound one."""
    sound = (referee.folder / "ledger.jsonl").read_bytes()
    for files, _ in shown.values():
        paths = [p / "ledger.jsonl" if p.is_dir() else p for p in files]
        ledgers = [p.read_bytes() for p in paths if p.name == "ledger.jsonl"] or [sound]
        kept = [p for p in paths if p.suffix == ".json" and b'"digest"' in p.read_bytes()]
        yield audited(ledgers[0], folder, *kept)
        yield from map(read_alone, kept)
    mine = reports(referee, "fox")
    yield audited(b"".join(sound.splitlines(keepends=True)[:9]), folder, mine[-1])


def ended_early(folder: Path) -> Attack:
    """What an audit says of a game whose ledger lost its end, but not the files of that end."""
    referee = Referee.toy(folder)
    referee.go("fox", "hunter")
    ledger = referee.folder / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    game = unread(referee.home, referee.name)
    return lambda made: [repr(finding) for finding in made.whole.audit(game, SYSTEM).findings]


def ruled_again(folder: Path) -> bytes:
    """A window taken back, its orders kept, and a ruling whose state was exchanged."""
    referee = Referee.toy(folder)
    referee.go("fox", "hunter")
    referee.undo()
    with writing(referee.home, referee.name) as game:
        rule(game, SYSTEM, read_ruling(SWUM, "ruling.toml"), "rain")
    alter(referee, "ruled", 0, flip("position"))
    return (referee.folder / "ledger.jsonl").read_bytes()


def owed_by_one(folder: Path) -> bytes:
    """A window that the rules want answered by both sides, and the record by one of them."""
    referee = Referee.toy(folder)
    referee.go("fox", "hunter")
    alter(referee, "closed", 0, lambda body: body.update(owed=["fox"]))
    return (referee.folder / "ledger.jsonl").read_bytes()


def idle(folder: Path) -> bytes:
    """A ruling that changes nothing, and opens a window with other dice all the same."""
    referee = Referee.toy(folder)
    referee.order("fox", "FOX: move A2;")
    with pytest.MonkeyPatch.context() as patch, writing(referee.home, referee.name) as game:
        patch.setattr("pbem.admin.rulings.edit_without_effect", lambda *found: None)
        rule(game, SYSTEM, read_ruling(IDLE, "ruling.toml"), "for nothing")
    return (referee.folder / "ledger.jsonl").read_bytes()


def test_no_check_of_an_audit_can_be_left_out(
    ledgers: list[bytes],
    shown: papers.Shown,
    played: Proven,
    tmp_path: Path,
    bundles: list[Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(toy.Toy, "public", lambda system, event: "")  # as in the game that runs on
    monkeypatch.setattr(provable, "check_key", once(provable.check_key))
    switch = Switch()
    made = audit_wired(switch)
    makers = {"ruled": ruled_again, "idle": idle, "owed": owed_by_one}
    whole = [*(make(tmp_path / name) for name, make in makers.items()), *ledgers]
    attacks = chain(
        held_too(shown, played, tmp_path),
        map(unpacked, bundles),
        [ended_early(tmp_path / "ended")],
        (audited(one, tmp_path) for one in whole),
    )
    assert len(switch.checks) > 60
    assert missed(made, switch, attacks) == []
