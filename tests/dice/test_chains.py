"""Links and anchors: what a header must say, and what the dice are made of."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.toy.game import SYSTEM
from pbem.admin.rulings import read_ruling, rule
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.base.report_json import Report
from pbem.cli import main
from pbem.crypto.sshsig import PrivateKey, key_digest, public_line
from pbem.dice import dicekey, provable
from pbem.dice.chains import DiceChains, first_anchor, header_fields
from pbem.dice.sources import label, parse_label
from pbem.errors import Damaged, Usage
from pbem.model import Dice
from pbem.player.sign import header_of
from pbem.reports.filters import UNBOUND
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.counts import few
from tests.luck import dice_key
from tests.proving import Proven, proven
from tests.referee import Referee, key_of, tree

LINES = {"fox": "FOX: move B1;", "hunter": "HOUND: move D5;"}

SAMPLE = Path(__file__).parents[1] / "reports" / "samples" / "toy-hunter.json"


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    return proven(tmp_path / "home", monkeypatch)


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """The hunter's key was enlisted without an anchor."""
    return proven(tmp_path / "home", monkeypatch, ("fox",))


def verify_module() -> Any:
    from tests.trust.corpus import verify

    return verify


def links(side: str, game: str = "g1") -> list[bytes]:
    return DiceChains(key_of(side)).links(game, side, 0)


def late_links(referee: Proven, key: PrivateKey, epoch: int = 0, side: str = "fox") -> list[bytes]:
    """The chain of a key whose anchor came with its orders: it names the moderator's key."""
    by = referee.report(side)["moderator"]["key"]
    return DiceChains(key).links(referee.name, side, epoch, by=by)


def test_fast_is_the_default_and_a_seed_means_seeded(fast: Proven, tmp_path: Path) -> None:
    assert fast.register.created.dice == "fast"
    seeded = create(tmp_path, SYSTEM, "s", Choices(seed="x")).register.created
    assert (seeded.dice, seeded.modulus, seeded.roots) == ("seeded", "", [])
    with pytest.raises(Usage, match="have no seed"):
        create(tmp_path, SYSTEM, "t", Choices(dice="fast", seed="x"))
    assert "flags" in fast.report("fox")
    assert not fast.report("fox")["flags"]


def test_the_key_is_certified_and_stays_private(fast: Proven) -> None:
    created = fast.register.created
    modulus, roots = int(created.modulus, 16), [int(r, 16) for r in created.roots]
    provable.check_key(modulus, "g1", roots)
    setup = json.loads(fast.register.setup)
    assert (setup["modulus"], setup["roots"]) == (created.modulus, created.roots)
    pem = fast.folder / "private" / "dice.pem"
    assert pem.stat().st_mode & 0o077 == 0
    secret = dice_key().private_numbers().p
    assert dicekey.load(pem.read_bytes()).private_numbers().p == secret
    files = tree(fast.folder)
    assert not [n for n in files if f"{secret:x}".encode() in files[n]]


@given(st.binary(max_size=300) | st.just(b""))
@settings(max_examples=few(40))
def test_a_damaged_key_file_is_damage(junk: bytes) -> None:
    pem = dicekey.pem(dice_key())
    for bad in (junk, pem[:200] + junk + pem[-40:], pem[: len(pem) // 2]):
        with pytest.raises(Damaged):
            dicekey.load(bad)


def test_a_key_file_with_another_label_is_damage() -> None:
    """At either end, and of the same length: what is between is a key in both cases."""
    pem = dicekey.pem(dice_key())
    for bad in (pem.replace(b"BEGIN RSA", b"BEGIN DSA"), pem.replace(b"END RSA", b"END DSA")):
        with pytest.raises(Damaged):
            dicekey.load(bad)


def test_every_visible_roll_is_proved_by_links_of_both_anchors(fast: Proven) -> None:
    for side in ("fox", "hunter"):
        assert fast.sends(side, LINES[side]).good
    fast.run()
    report = fast.report("fox")
    assert report["seed"]["links"] == {s: links(s)[1].hex() for s in ("fox", "hunter")}
    (roll,) = report["rolls"]
    g0, modulus = bytes.fromhex(report["setup"]["digest"]), dice_key().public_key()
    seed = provable.seed(g0, 1, {s: links(s)[1] for s in ("fox", "hunter")})
    values = provable.check_roll(
        modulus.public_numbers().n,
        g0,
        1,
        seed,
        label=roll["label"],
        dice=parse_label(roll["label"]),
        proof=bytes.fromhex(roll["proof"]),
    )
    assert list(values) == roll["dice"]
    text = (fast.folder / "reports/fox/2/report.txt").read_text()
    assert "(proved: see report.json)" in text
    assert roll["proof"][:16] not in text
    assert fast.audit().whole


@pytest.mark.parametrize(
    ("link", "code"),
    [
        ("none", "no-link"),
        ("00" * 32, "bad-link"),
        (links("fox")[2].hex(), "bad-link"),
        (links("fox")[0].hex(), "bad-link"),
        (links("hunter")[1].hex(), "bad-link"),
        (links("fox", "g2")[1].hex(), "bad-link"),
        (DiceChains(key_of("fox")).links("g1", "fox", 1)[1].hex(), "bad-link"),
    ],
)
def test_a_wrong_link_refuses_the_set(fast: Proven, link: str, code: str) -> None:
    outcome = fast.order("fox", LINES["fox"], link=link)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", code)
    assert "fox" not in fast.register.sets
    assert fast.sends("fox", LINES["fox"]).good


def test_a_silent_side_has_no_link_and_all_are_told(fast: Proven) -> None:
    fast.window("fox")
    for side in ("fox", "hunter"):
        report = fast.report(side)
        assert report["seed"]["links"] == {"fox": links("fox")[1].hex(), "hunter": ""}
        assert UNBOUND.format(sides="hunter") in report["flags"]
    fast.window("fox", "hunter")
    assert fast.report("fox")["seed"]["links"]["hunter"] == links("hunter")[2].hex()
    assert fast.audit().whole


def test_an_anchor_counts_once_all_were_told(bare: Proven) -> None:
    anchor = late_links(bare, key_of("hunter"), side="hunter")[0].hex()
    assert bare.order("hunter", LINES["hunter"], link=links("hunter")[1].hex()).receipt["code"] == (
        "bad-link"
    )
    assert "No dice anchor of hunter counts in window 1." in bare.report("fox")["flags"]
    seen = []
    for window in (1, 2, 3, 4):
        named = [
            a["from"] for a in bare.report("fox")["anchors"]["hunter"] if a["anchor"] == anchor
        ]
        assert bare.report("fox")["anchors"] == bare.report("hunter")["anchors"]
        bare.window("fox", "hunter")
        seen.append((window, named, bool(bare.report("fox")["seed"]["links"]["hunter"])))
    assert seen == [(1, [], False), (2, [2], True), (3, [2], True), (4, [2], True)]
    assert bare.audit().whole


def test_a_new_anchor_takes_the_place_of_the_old_after_it_was_named(fast: Proven) -> None:
    old, new = links("fox"), late_links(fast, key_of("fox"))
    assert fast.sends("fox", LINES["fox"], renew=True).good
    fast.window("hunter")
    assert [a["from"] for a in fast.report("hunter")["anchors"]["fox"]] == [1, 2]
    told = f"New dice anchor of fox: {new[0].hex()[:16]}, counts from window 2."
    assert told in fast.report("hunter")["flags"]
    used = [fast.report("fox")["seed"]["links"]["fox"]]
    for _ in range(2):
        fast.window("fox", "hunter")
        used.append(fast.report("fox")["seed"]["links"]["fox"])
    assert used == [old[1].hex(), new[2].hex(), new[3].hex()]
    assert fast.audit().whole


def test_a_new_anchor_counts_after_a_ruling_that_opens_a_window(fast: Proven) -> None:
    new = late_links(fast, key_of("fox"))
    assert fast.sends("fox", LINES["fox"], renew=True).good
    said = 'text = "x"\n[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n'
    with writing(fast.home, fast.name) as game:
        rule(game, SYSTEM, read_ruling(said, "ruling.toml"), "a slip of mine")
    assert (fast.register.window, len(fast.report("hunter")["anchors"]["fox"])) == (2, 2)
    used = []
    for _ in range(2):
        fast.window("fox", "hunter")
        used.append(fast.report("fox")["seed"]["links"]["fox"])
    assert used == [new[2].hex(), new[3].hex()]
    assert fast.audit().whole


def test_a_moderators_set_has_no_link(fast: Proven) -> None:
    block = fast.block("fox", LINES["fox"], link=links("fox")[1].hex())
    assert fast.receive(block, side="fox")[0].good
    fast.window("hunter")
    assert fast.report("fox")["seed"]["links"]["fox"] == ""
    assert fast.audit().whole


def test_a_second_officer_has_a_chain_of_his_own(fast: Proven) -> None:
    other = key_of("second")
    anchor = first_anchor(DiceChains(other), "g1", "fox")
    with writing(fast.home, "g1") as game:
        enlist(game, "fox", Newcomer(public_line(other.wire), anchor=anchor))
    fast.window("fox", "hunter")
    fast.window("fox", "hunter")
    assert fast.sends("fox", LINES["fox"], other).good
    fast.window("hunter")
    expected = DiceChains(other).links("g1", "fox", 0)[3].hex()
    assert fast.report("fox")["seed"]["links"]["fox"] == expected
    assert fast.audit().whole


def test_another_player_begins_with_a_new_anchor(fast: Proven) -> None:
    from pbem.admin.commands import replace

    fast.window("fox", "hunter")
    assert fast.sends("fox", LINES["fox"]).good
    new = key_of("second")
    with writing(fast.home, "g1") as game:
        replace(game, "fox", Newcomer(public_line(new.wire), "new@example.org"))
    fast.window("hunter")
    assert fast.report("hunter")["seed"]["links"]["fox"] == links("fox")[2].hex()
    assert "No dice anchor of fox counts in window 3." in fast.report("hunter")["flags"]
    assert fast.sends("fox", LINES["fox"]).receipt["code"] == "bad-signature"
    used = []
    for _ in range(3):
        assert fast.sends("fox", fast.suggested("fox"), new).good
        fast.window("hunter")
        used.append(fast.report("fox")["seed"]["links"]["fox"])
    assert used == ["", *(link.hex() for link in late_links(fast, new)[4:6])]
    assert fast.audit().whole
    assert not verify_module().check_all([str(fast.folder)])[1]


def test_an_undo_that_keeps_orders_rolls_the_same(fast: Proven) -> None:
    fast.window("fox", "hunter")
    before = fast.report("fox", 2)
    fast.undo()
    fast.run()
    assert fast.report("fox", 3)["rolls"] == before["rolls"]
    fast.undo(reopen=True)
    assert fast.register.window == 4
    fast.window("fox", "hunter")
    assert fast.report("fox")["seed"]["links"]["fox"] == links("fox")[4].hex()
    assert fast.report("fox")["rolls"] != before["rolls"]
    assert fast.audit().whole


def test_hidden_orders_do_not_move_visible_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """One game, copied: the hunter's orders differ, nothing that decides the dice does."""
    import shutil

    first = proven(tmp_path / "one", monkeypatch)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    second = Proven(tmp_path / "two", SYSTEM)
    for referee, lines in (
        (first, "HOUND: move D5;"),
        (second, "HOUND: move E4; @HOUND: move E4;"),
    ):
        referee._seq = 0
        assert referee.sends("fox", LINES["fox"]).good
        assert referee.sends("hunter", lines).good
        referee.run()
    one, two = first.report("fox"), second.report("fox")
    assert one["rolls"] == two["rolls"]
    assert one["seed"]["links"] == two["seed"]["links"]
    assert one["seed"]["lock"] != two["seed"]["lock"]


def test_a_dry_run_rolls_other_dice(fast: Proven) -> None:
    for side in ("fox", "hunter"):
        assert fast.sends(side, LINES[side]).good
    tried = [fast.run(dry=True).rolls[0].proof for _ in range(2)]
    assert tried == ["", ""]
    assert fast.run().rolls[0].proof


def test_dice_may_not_be_typed_into_a_fast_game(fast: Proven) -> None:
    with pytest.raises(Usage, match="hand"):
        fast.run(force=True, values={"NOISE/TWIG/-/FOX/1/1D6": [1]})


def test_other_keys_keep_their_tails_in_a_file(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    from pbem.crypto.private_keys import load_private

    pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()
    )
    key, store = load_private(pem), tmp_path / "key.chain"
    anchor = first_anchor(DiceChains(key, store), "g1", "fox")
    assert first_anchor(DiceChains(key, store), "g1", "fox") == anchor
    assert store.stat().st_mode & 0o077 == 0
    dice_chains = DiceChains(key, store)
    assert dice_chains.find("g1", "fox", anchor, "") == dice_chains.links("g1", "fox", 0)
    for epoch in (0, 1):
        drawn = dice_chains.links("g1", "fox", epoch, by="ab" * 8)
        assert dice_chains.find("g1", "fox", drawn[0].hex(), "ab" * 8) == drawn
    report: dict[str, Any] = json.loads(SAMPLE.read_bytes()) | {
        "dice_mode": "fast",
        "side": "fox",
        "moderator": {"sign": "", "key": "ab" * 8},
        "anchors": {"fox": [{"key": key_digest(key.wire), "anchor": anchor, "from": 1}]},
    }
    link, fresh = header_fields(Report.of(report), DiceChains(key, store))
    assert fresh == ""
    assert provable.walk_back("g1", "fox", 4, bytes.fromhex(link)).hex() == anchor
    store.unlink()
    with pytest.raises(Usage, match="not of a chain"):
        header_fields(Report.of(report), DiceChains(key, store))
    link, fresh = header_fields(Report.of(report), DiceChains(key, store), renew=True)
    assert link == "none"
    assert DiceChains(key, store).links("g1", "fox", 0, by="ab" * 8)[0].hex() == fresh
    report["anchors"]["fox"].append({"key": key_digest(key.wire), "anchor": fresh, "from": 6})
    assert header_fields(Report.of(report), DiceChains(key, store)) == ("none", fresh)
    with pytest.raises(Usage, match="ed25519"):
        first_anchor(DiceChains(key), "g1", "fox")


def test_headers_of_other_games_carry_no_link(referee: Referee) -> None:
    assert header_fields(Report.of(referee.report("fox")), DiceChains(key_of("fox"))) == (
        "none",
        "",
    )
    assert header_of(Report.of(referee.report("fox")), 0).anchor == ""


@pytest.mark.parametrize("dice", [Dice(1, 6), Dice(2, 6), Dice(1, 10, 0), Dice(12, 100)])
def test_a_label_names_its_dice(dice: Dice) -> None:
    assert parse_label(label("A/B/C/D", 3, dice)) == dice


@given(
    st.text(max_size=40)
    | st.builds("A/B/C/D/{}/{}".format, st.text(max_size=5), st.text(max_size=9))
)
@settings(max_examples=few(60))
def test_invalid_labels_are_refused(text: str) -> None:
    try:
        dice = parse_label(text)
    except ValueError:
        return
    stem, ordinal, _ = text.rsplit("/", 2)
    assert label(stem, int(ordinal), dice) == text


def test_a_proof_holds_for_openssl(fast: Proven, tmp_path: Path) -> None:
    """What `openssl dgst -verify` says of a proof is what we say."""
    import shutil

    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing: apt install openssl")
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    fast.window("fox", "hunter")
    report = fast.report("fox")
    (roll,) = report["rolls"]
    g0 = bytes.fromhex(report["setup"]["digest"])
    seed = provable.seed(g0, 1, {s: bytes.fromhex(x) for s, x in report["seed"]["links"].items()})
    public = dice_key().public_key()
    (tmp_path / "pub.pem").write_bytes(
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    (tmp_path / "alpha").write_bytes(provable.alpha(g0, 1, seed, roll["label"]))
    (tmp_path / "proof").write_bytes(bytes.fromhex(roll["proof"]))
    command = ["openssl", "dgst", "-sha256", "-verify", "pub.pem", "-signature", "proof", "alpha"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert said.stdout.strip() == "Verified OK"


def test_joining_by_letter(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(provable, "generate_key", dice_key)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def pbem(*args: str) -> str:
        with pytest.raises(SystemExit) as done:
            main(args)
        said = capsys.readouterr()
        assert done.value.code == 0, said.err
        return said.out

    pbem("new", "toy", "g1")
    for side in ("fox", "hunter"):
        pbem("keygen", "-o", f"{side}.key")
        letter = pbem(
            "invite", "g1", side, "--email", f"{side}@example.org", "--tz", "Europe/Berlin"
        )
        mailed = "".join(f"> {line}\r\n" for line in letter.upper().splitlines())
        Path("letter.txt").write_text(mailed)
        pbem("join", "letter.txt", "--key", f"{side}.key", "--name", "Jo", "-o", f"{side}.join")
        pbem("enlist", "g1", "--letter", f"{side}.join")
    pbem("open", "g1")
    setup = json.loads(Referee(tmp_path, SYSTEM).register.setup)
    for side in ("fox", "hunter"):
        key = dict(zip(setup["keys"][side], setup["anchors"][side], strict=True))
        assert all(len(anchor) == 64 for anchor in key.values())
    book = json.loads((tmp_path / "g1/private/addresses.json").read_text())
    assert book["fox"] == [{"email": "fox@example.org", "name": "Jo", "tz": "Europe/Berlin"}]
    assert Referee(tmp_path, SYSTEM).audit().whole


def test_a_changed_letter_is_refused(fast: Proven) -> None:
    from pbem.admin.letters import enlist_by_letter
    from pbem.player.joining import answer, invitation, read_join, read_letter

    names = ("game", "side", "system", "scenario", "dice", "salt")
    facts = dict.fromkeys(names, "x") | {"moderator": public_line(key_of("m").wire)}
    letter = invitation(facts, key_of("m"))
    assert read_letter(letter.encode())["game"] == "x"
    join = answer(read_letter(letter.encode()), DiceChains(key_of("fox")), "")
    assert read_join(join.encode())["side"] == "x"
    with (
        writing(fast.home, "g1") as game,
        pytest.raises(Usage, match="does not answer a joining letter"),
    ):
        enlist_by_letter(game, join.encode())
    for text, read in ((letter, read_letter), (join, read_join)):
        for at in range(0, len(text), 23):
            if text[at] in " \n" or text[at].upper() == "A":
                continue
            with pytest.raises(Usage):
                read((text[:at] + "a" + text[at + 1 :]).encode())
            with pytest.raises(Usage):
                read(text[:at].encode())


@pytest.mark.parametrize("text", ["A/B/C/D/1/01D6", "A/B/C/D/01/1D6", "A/B/C/D/1/1D6-FROM1"])
def test_a_label_that_could_be_written_otherwise_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a valid label"):
        parse_label(text)
