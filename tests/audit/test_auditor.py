"""Audit finds whatever was altered, with the right record and code, even on a chain made anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem import __version__
from tests.conftest import Clock
from tests.referee import Referee, key_of, signed
from tests.trust.corpus import alter, rewrite

Bodies = list[dict[str, Any]]
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    """Five windows, one of them undone and played again, one silent side."""
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        referee = Referee.toy(tmp_path_factory.mktemp("audit") / "home", play="asked")
        referee.play({"fox": "FOX: move A2;\n@FOX: move A3;", "hunter": "HOUND: move E4;"})
        referee.go("fox", "hunter")
        referee.undo()
        referee.run()
        referee.go("fox")
        referee.undo(reopen=True)
        referee.go("fox", "hunter")
        referee.go()
        referee.order("fox", referee.suggested("fox"))
        referee.receive("rubbish")
        return referee


@pytest.fixture
def copy(played: Referee, tmp_path: Path) -> Referee:
    """A game whose ledger may be altered."""
    import shutil

    shutil.copytree(played.home, tmp_path / "copy")
    return Referee(tmp_path / "copy", played.system)


def found(referee: Referee) -> tuple[int, str]:
    (finding,) = referee.audit().findings
    assert finding.text
    assert finding.proves
    return finding.record, finding.code


def put(*path: str | int, value: Any) -> Change:
    """Set something deep inside a body."""

    def change(body: Any) -> None:
        *way, last = path
        for step in way:
            body = body[step]
        assert body[last] != value
        body[last] = value

    return change


def flip(*path: str | int) -> Change:
    """Another hex digit at the end of a value."""

    def change(body: Any) -> None:
        *way, last = path
        for step in way:
            body = body[step]
        body[last] = body[last][:-1] + ("0" if body[last][-1] != "0" else "1")

    return change


def other_text(body: dict[str, Any]) -> None:
    body["canonical"] = body["canonical"].replace("MOVE A2", "MOVE B1")


def other_text_and_digests(body: dict[str, Any]) -> None:
    from pbem.base.hashing import H
    from pbem.dice.provable import order_digest

    other_text(body)
    text = body["canonical"].encode()
    body["digest"] = H("canonical", text).hex()
    body["order"] = order_digest(text, bytes.fromhex(body["signature"])).hex()


def by_the_moderator(body: dict[str, Any]) -> None:
    """Somebody else's orders as if phoned in, with a forged header."""
    from pbem.base.hashing import H
    from pbem.dice.provable import order_digest

    body["canonical"] = body["canonical"].replace("WINDOW : 1", "WINDOW : 2")
    body["officer"] = 0
    text = body["canonical"].encode()
    body["digest"] = H("canonical", text).hex()
    body["order"] = order_digest(text, bytes.fromhex(body["signature"])).hex()


ALTERED: dict[str, tuple[str, int, Change, str]] = {
    "edition": ("created", 0, put("edition", value="0"), "edition"),
    "data": ("created", 0, flip("data"), "edition"),
    "seed": ("created", 0, put("seed", value="y"), "report"),
    "options": ("created", 0, put("options", "play", value="plotted"), "setup"),
    "moderator": ("created", 0, put("moderator", value="ssh-ed25519 AAAA"), "key-form"),
    "key": ("enlisted", 0, put("key", value="KEY"), "setup"),
    "setup": ("opened", 0, put("setup", value="{}"), "setup"),
    "first deadline": ("opened", 0, put("deadline", value="2026-12-01T00:00:00Z"), "setup"),
    "first position": ("opened", 0, flip("position"), "state"),
    "first report": ("opened", 0, flip("reports", "fox"), "report"),
    "order text": ("received", 0, other_text, "signature"),
    "order text, digests made anew": ("received", 0, other_text_and_digests, "signature"),
    "signature": ("received", 0, flip("signature"), "signature"),
    "side": ("received", 0, put("side", value="hunter"), "signature"),
    "order digest": ("received", 0, flip("order"), "order"),
    "canonical digest": ("received", 0, flip("digest"), "order"),
    "sequence": ("received", 0, put("seq", value=1), "header"),
    "window of a set": ("received", 0, put("window", value=2), "header"),
    "final": ("received", 0, put("final", value=False), "header"),
    "refused orders": ("received", 0, put("refused_orders", value=1), "header"),
    "as if phoned in": ("received", 0, by_the_moderator, "header"),
    "no body": ("received", 0, dict.clear, "altered-record"),
    "roll": ("closed", 0, put("rolls", 0, "dice", value=[6]), "dice"),
    "label": ("closed", 0, put("rolls", 0, "label", value="NOISE/TWIG/-/HOUND/1/1D6"), "dice"),
    "audience": ("closed", 0, put("rolls", 0, "to", value=["fox"]), "dice"),
    "no roll": ("closed", 0, put("rolls", value=[]), "dice"),
    "lock": ("closed", 0, flip("lock"), "lock"),
    "position": ("closed", 1, flip("position"), "state"),
    "report": ("closed", 1, flip("reports", "hunter"), "report"),
    "set withheld": ("closed", 0, put("sets", "fox", value={"order": "NMR", "record": 0}), "sets"),
    "set replaced": ("closed", 0, put("sets", "fox", "record", value=99), "sets"),
    "result": (
        "closed",
        1,
        put("over", value={"result": "fox", "rule": "4.2", "why": ""}),
        "result",
    ),
    "window opened": ("closed", 0, put("opens", value=7), "result"),
    "turn": ("closed", 0, put("turn", value=9), "result"),
    "deadline": ("closed", 0, put("deadline", value="2026-12-01T00:00:00Z"), "report"),
    "undone window": ("undone", 0, put("windows", value=[1]), "undo"),
    "undone position": ("undone", 0, flip("position"), "state"),
    "kept set": ("undone", 0, flip("sets", "fox", "order"), "undo"),
    "reopened number": ("undone", 1, put("opens", value=2), "undo"),
    "reopened report": ("undone", 1, flip("reports", "fox"), "report"),
}
LATER = ("seed", "options", "key")
"""What the first reports show, which name the head of the chain before them."""


def test_the_game_is_whole(played: Referee) -> None:
    result = played.audit()
    assert not result.findings
    assert (result.windows, result.sets, result.records) == (6, 8, len(played.records))
    assert result.rolls >= 3
    assert len([f for f in result.flags if "undone" in f]) == 2
    assert result.head == played.records[-1].hash


@pytest.mark.parametrize("case", ALTERED)
def test_an_altered_record_is_named_though_the_chain_is_sound(case: str, copy: Referee) -> None:
    kind, nth, change, code = ALTERED[case]
    if case == "key":
        from pbem.crypto.sshsig import public_line

        change = put("key", value=public_line(key_of("stranger").wire).strip())
    number = alter(copy, kind, nth, change)
    if case in LATER:
        number = next(r.n for r in copy.records if r.kind == "opened")
    assert found(copy) == (number, code)


def test_a_flipped_byte_breaks_the_chain_at_its_record(copy: Referee, nightly: bool) -> None:
    path = copy.folder / "ledger.jsonl"
    original = path.read_bytes()
    starts = [0]
    for line in original.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for n, start in enumerate(starts[:-1], 1):
        places = range(start, starts[n], 1 if nightly else (starts[n] - start) // 2)
        for at in places:
            path.write_bytes(original[:at] + bytes([original[at] ^ 1]) + original[at + 1 :])
            finding = copy.audit().findings[:1]
            if at == len(original) - 1:
                continue  # without its newline the last record is a torn tail
            assert [(f.record, f.code) for f in finding] == [(n, "altered-record")]


def numbers(referee: Referee, kind: str) -> list[int]:
    return [r.n for r in referee.records if r.kind == kind]


def test_a_dropped_set_is_missed_where_it_counted(copy: Referee) -> None:
    records = copy.records
    first = numbers(copy, "received")[0]
    del records[first - 1]
    rewrite(copy, records)
    assert found(copy)[1] in ("sets", "report", "header", "lock")


def test_a_dropped_undo_is_found(copy: Referee) -> None:
    records = copy.records
    del records[numbers(copy, "undone")[0] - 1]
    rewrite(copy, records)
    assert not copy.audit().whole


def test_swapped_records_are_found(copy: Referee) -> None:
    records = copy.records
    a, b = numbers(copy, "received")[1], numbers(copy, "closed")[0]
    assert b == a + 1
    records[a - 1], records[b - 1] = records[b - 1], records[a - 1]
    rewrite(copy, records)
    assert found(copy)[0] == a


def test_a_set_of_an_earlier_window_put_in_again_is_found(copy: Referee) -> None:
    records = copy.records
    first, last = numbers(copy, "received")[0], numbers(copy, "received")[-1]
    body = {**records[first - 1].body, "window": records[last - 1].body["window"]}
    records[last - 1] = msgspec.structs.replace(records[last - 1], body=body)
    rewrite(copy, records)
    assert found(copy) == (last, "header")


def test_an_inserted_set_that_nobody_signed_is_found(copy: Referee) -> None:
    records = copy.records
    last = records[numbers(copy, "received")[-1] - 1]
    text = copy.block("fox", "FOX: move A1;")
    from orders.canon import canonical, streams
    from pbem.base.hashing import H
    from pbem.dice.provable import order_digest

    (unit,) = streams(signed(text, key_of("stranger")))
    raw, signature = canonical(text), unit.signature or b""
    body = {
        **last.body,
        "canonical": raw.decode(),
        "signature": signature.hex(),
        "digest": H("canonical", raw).hex(),
        "order": order_digest(raw, signature).hex(),
        "seq": last.body["seq"] + 1,
    }
    rewrite(copy, [*records, msgspec.structs.replace(last, body=body)])
    assert found(copy) == (len(records) + 1, "signature")


def test_a_cut_tail_and_a_fork_are_found_by_held_reports(copy: Referee) -> None:
    window = copy.register.window
    held = [copy.stated("fox", w) for w in (1, 2, window)]
    assert copy.audit(held).whole
    assert copy.audit(held[:1]).whole
    records = copy.records
    last_closing = numbers(copy, "closed")[-1]
    rewrite(copy, records[: last_closing - 3])
    assert copy.audit().whole
    assert [f.code for f in copy.audit(held).findings] == ["cut-tail"]
    assert copy.audit(held[:2]).whole


def test_a_fork_shown_to_one_side_is_found(copy: Referee) -> None:
    held = [copy.stated("fox")]
    records = [msgspec.structs.replace(r, salt="0" * 32) for r in copy.records]
    rewrite(copy, records)
    assert [f.code for f in copy.audit(held).findings][:1] in (["fork"], ["report"])


def test_held_reports_are_taken_in_any_order_and_altered_ones_found(copy: Referee) -> None:
    held = [copy.stated("fox", w) for w in (1, 2)]
    assert copy.audit(held[::-1]).whole
    held[0]["news"] = "All is well."
    assert [f.code for f in copy.audit(held).findings] == ["altered-report"]


def worded_otherwise(monkeypatch: pytest.MonkeyPatch, release: str) -> None:
    """A release whose events are told in other words."""
    from pbem.audit import rerun
    from pbem.reports import wording
    from pbem.turns import open_window

    events = wording.events
    monkeypatch.setattr(wording, "events", lambda *a: [f"Lo! {said}" for said in events(*a)])
    for module in (rerun, open_window):
        monkeypatch.setattr(module, "__version__", release)


def test_a_later_release_may_mend_its_words(copy: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    """What happened is compared as ever; of the words it says that they are not."""
    worded_otherwise(monkeypatch, "9.9.9")
    found = copy.audit()
    assert found.whole
    assert [f for f in found.flags if f"release {__version__}" in f]


def test_a_game_goes_on_under_a_later_release(
    copy: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    worded_otherwise(monkeypatch, "9.9.9")
    copy.run(force=True)
    assert copy.audit().whole
    assert [r for r in copy.records if r.kind == "closed"][-1].body["release"] == "9.9.9"


def test_the_same_release_says_the_same_words(
    copy: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem import __version__

    worded_otherwise(monkeypatch, __version__)
    assert found(copy)[1] == "report"
