"""Labels, faces and the sources that need no key."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.hashing import H, u32
from pbem.dice import sources as module
from pbem.dice.sources import Hand, Recorded, Seeded, Source, faces, label
from pbem.errors import Diverged, PbemError, Usage
from pbem.model import D6, TWO_D6, Dice, Roll, Side, Window
from tests.counts import few

ONE = Window(1)
LABEL = "SHADOW/HOLD/F20/SUFFOLK/1/1D6"


def test_a_label_as_the_rules_write_it() -> None:
    assert label("SHADOW/HOLD/F20/SUFFOLK", 1, D6) == LABEL
    assert label("FIRE/DAY/J-15/ST. JOHN'S 2", 12, Dice(1, 10, 0)).endswith("/12/1D10-FROM0")
    assert label("A/B/C/KING GEORGE V", 1, TWO_D6) == "A/B/C/KING GEORGE V/1/2D6"


@pytest.mark.parametrize(
    "stem",
    [
        "A/B/C",
        "A/B/C/D/E",
        "",
        "A/B//D",
        "A/B/C/d",
        "A/B/C/\u00c9",
        "A/B/C/\u0661",
        " A/B/C/D",
        "A /B/C/D",
        "A/B/C/D E  F",
        "A/B/C/D\n",
        "A/B/C/-D",
        "A/B/C/D\x00E",
        "A/B/C/" + "D" * 49,
    ],
)
def test_other_labels_are_refused(stem: str) -> None:
    with pytest.raises(ValueError, match="label"):
        label(stem, 1, D6)


@pytest.mark.parametrize("dice", [Dice(0, 6), Dice(1, 0), Dice(1, 6, -1)])
def test_impossible_dice_are_refused(dice: Dice) -> None:
    with pytest.raises(ValueError, match="cannot be rolled"):
        label("A/B/C/D", 1, dice)
    with pytest.raises(ValueError, match="from 1"):
        label("A/B/C/D", 0, D6)


@given(
    beta=st.binary(min_size=32, max_size=32),
    count=st.integers(1, 5),
    sides=st.integers(1, 100),
    low=st.integers(0, 1),
)
@settings(max_examples=few(100), deadline=None)
def test_faces_are_in_range_and_depend_on_nothing_else(
    beta: bytes, count: int, sides: int, low: int
) -> None:
    got = faces(beta, Dice(count, sides, low))
    assert len(got) == count
    assert all(low <= face < low + sides for face in got)
    assert got == faces(beta, Dice(5, sides, low))[:count]


def test_faces_are_even() -> None:
    counted = Counter(faces(H("test"), Dice(6000, 6)))
    assert all(850 < counted[face] < 1150 for face in range(1, 7))


def test_the_uneven_end_of_the_range_is_thrown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sides = 3
    limit = 2**64 - 2**64 % sides
    drawn = iter([limit, 2**64 - 1, limit - 1])
    monkeypatch.setattr(module, "H", lambda *_: next(drawn).to_bytes(8, "big"))
    assert faces(b"", Dice(1, sides)) == (1 + (limit - 1) % sides,)


def test_seeded_dice_are_of_seed_game_window_and_label() -> None:
    g0 = bytes(32)
    source = Seeded("demo", g0)
    values, proof = source.roll(ONE, LABEL, TWO_D6)
    beta = H("seeded", b"demo", g0, u32(1), LABEL.encode())
    assert values == faces(beta, TWO_D6)
    assert values == source.roll(ONE, LABEL, TWO_D6)[0]
    assert proof == ""
    wide = Dice(8, 100)
    others = [
        Seeded("other", g0).roll(ONE, LABEL, wide),
        Seeded("demo", bytes(31) + b"x").roll(ONE, LABEL, wide),
        source.roll(Window(2), LABEL, wide),
        source.roll(ONE, LABEL + "0", wide),
        source.roll(ONE, LABEL, wide),
    ]
    assert len(set(others)) == len(others)


def test_hand_dice_are_those_that_were_typed() -> None:
    hand = Hand({LABEL: [4], "A/B/C/D/1/1D10-FROM0": [0]})
    assert hand.roll(ONE, LABEL, D6) == ((4,), "")
    assert hand.roll(ONE, "A/B/C/D/1/1D10-FROM0", Dice(1, 10, 0)) == ((0,), "")


def test_a_missing_label_is_named() -> None:
    hand = Hand({})
    hand.roll(ONE, LABEL, TWO_D6)
    with pytest.raises(Usage) as error:
        hand.require_all(ONE)
    assert LABEL in error.value.message
    assert error.value.hint == f'roll 2D6 and add a line to the dice file: "{LABEL}" = [6, 6]'
    assert error.value.exit_code == 2


def test_all_missing_labels_are_named() -> None:
    hand = Hand({LABEL: [4]})
    for name, dice in ((LABEL, D6), ("A/B/C/D/1/2D6", TWO_D6), ("A/B/C/E/1/1D6", D6)):
        hand.roll(ONE, name, dice)
    with pytest.raises(Usage) as error:
        hand.require_all(ONE)
    assert error.value.message == 'no dice for "A/B/C/D/1/2D6", "A/B/C/E/1/1D6" in window 1'
    assert '"A/B/C/D/1/2D6" = [6, 6]; "A/B/C/E/1/1D6" = [6];' in error.value.hint
    Hand({}).require_all(ONE)


@pytest.mark.parametrize("values", [[0], [7], [1, 2], [], [True], [2.0], ["3"]])
def test_dice_that_cannot_fall_are_refused(values: list[int]) -> None:
    with pytest.raises(Usage, match=LABEL):
        Hand({LABEL: values}).roll(ONE, LABEL, D6)


def test_a_replay_rolls_what_the_record_has_and_nothing_else() -> None:
    kept = Roll(LABEL, (5,), (Side("british"),), ONE, "aa")
    source = Recorded([kept], "fast", flagged=False)
    assert source.roll(ONE, LABEL, D6) == ((5,), "aa")
    for window, name, dice in (
        (Window(2), LABEL, D6),
        (ONE, LABEL + "0", D6),
        (ONE, LABEL, TWO_D6),
        (ONE, LABEL, Dice(1, 4)),
    ):
        with pytest.raises(Diverged) as error:
            source.roll(window, name, dice)
        assert error.value.exit_code == 5


def test_only_dice_that_prove_nothing_are_flagged() -> None:
    sources: list[Source] = [Seeded("s", b""), Hand({}), Recorded([], "fast", flagged=False)]
    assert [(s.name, s.flagged) for s in sources] == [
        ("seeded", True),
        ("hand", True),
        ("fast", False),
    ]


def test_errors_carry_their_exit_code() -> None:
    codes = {kind.__name__: kind("x").exit_code for kind in PbemError.__subclasses__()}
    expected = {"Findings": 1, "Usage": 2, "NotFound": 3, "Busy": 4, "Damaged": 5}
    assert {name: codes[name] for name in expected} == expected
