"""The tables, and what the rules text allows a moderator to change in them."""

from __future__ import annotations

import re

import pytest

from games.bismarck import availability, house, tables
from games.bismarck.data import FILES
from pbem import data

TEXT = {name: data.read(tables.PACKAGE, name).decode() for name in FILES}


def changed(name: str, old: str, new: str) -> dict[str, str]:
    assert old in TEXT[name]
    return {name: TEXT[name].replace(old, new)}


def test_our_own_tables_keep_the_rules() -> None:
    house.check({})
    house.check({name: text for name, text in TEXT.items() if name != "board.toml"})


def test_a_table_of_the_moderator_is_played() -> None:
    given = changed("ships.toml", "| 13 4-3 |", "| 12 4-3 |")
    war = availability.begin("basic", {}, given)
    assert war.ships["BISMARCK"].fuel == 12
    assert war.house == given


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("ships.toml", "BB 29 2 | 7 7 3 10", "BB 29 3 | 7 7 3 10", "Bismarck.*2.427"),
        ("ships.toml", "BB 29 2 | 7 7 3 10", "BB 29 2 | 7 7 3 11", "Bismarck.*10.*9.714"),
        ("ships.toml", "BB 29 2 | 7 7 3 10", "BB 29 2 | 7 7 2 10", "Bismarck.*9.64"),
        ("ships.toml", "BB 29 2 | 7 7 3 10", "BB 24 2 | 7 7 3 10", "Bismarck.*9.729"),
        ("ships.toml", "8 4 2 6", "8 4 2 7", "Rodney.*9.714"),
        ("ships.toml", "BB 21 1", "BB 25 2", "Rodney.*5.14"),
        ("ships.toml", "BB 21 1", "BB 15 1", "Rodney.*evasion 15.*9.729"),
        ("ships.toml", "BB 21 1", "BB 25 1", "Rodney.*evasion 25.*9.729"),
        ("ships.toml", "CA 32 2 | 3 2 0 4", "CA 24 2 | 3 2 0 4", "Prinz Eugen.*evasion 24.*9.729"),
        ("ships.toml", "| 13 4-3 |", "| 0 4-3 |", "Bismarck.*5.22"),
        ("ships.toml", "5 5 1 6", "5 5 2 6", "Hood.*9.717"),
        ("ships.toml", "BC 29 2 | 5 5", "BC 28 2 | 5 5", "Hood.*9.27"),
        ("ships.toml", "CA 31 2", "CA 28 2", "Suffolk.*8.14"),
        ("ships.toml", "| 11 -   |", "| 11 4-3 |", "Victorious.*5.31"),
        ("ships.toml", "| 11 -   |", "| -  -   |", "Victorious.*5.21"),
        (
            "ships.toml",
            "| G15 free   | M FS; evasion and",
            "| M22 free   | M FS; evasion and",
            "Hood.*2.2",
        ),
        ("ships.toml", "free = 3", "free = 4", "breakout.*5.28"),
        ("ships.toml", "Hood            |", "Hod             |", "order of appearance"),
        (
            "ships.toml",
            "CA 32 2 | 3 2 0 4",
            "CA x 2 | 3 2 0 4",
            "8:30: .*Prinz Eugen.*evasion: 'x' is not a whole number",
        ),
        ("air.toml", "patrol 6-3 5 2", "patrol 5-3 5 2", "HVAL1.*8.14"),
        ("air.toml", "patrol 6-3 5 2", "patrol 6-3 5 3", "HVAL1.*6.33"),
        ("air.toml", "recon 4-2 2 6", "recon 4-2 1 6", "VIC1.*6.31"),
        ("air.toml", "| 2-1 1 5 |", "| 2-1 1 4 |", "VIC1.*6.23"),
        ("air.toml", "| 2-1 2 6 | -  ", "| 2-1 2 6 | recon 4-2 3 7 ", "BOMBERS.*2.434"),
        ("air.toml", "rest = 2", "rest = 1", "rest.*6.42"),
        ("visibility.toml", "7:-1", "7:1", "modifier.*7.16"),
        ("visibility.toml", "start = 4", "start = 5", "start.*7.13"),
        ("visibility.toml", "levels = 9", "levels = 8", "levels.*7.12"),
        ("shadow.toml", "day = '3 4 5'", "day = '3 5 4'", "8.15"),
        ("chance.toml", "3 = [3, 5, 6]", "3 = [3, 6, 5]", "general: 3.*10.214"),
        ("chance.toml", "3 = [3, 5, 6]", "3 = [3, 5]", "general: 3.*10.214"),
        ("chance.toml", "3 = [3, 5, 6]", "3 = [3, 5, 5, 6]", "general: 3.*10.214"),
        ("chance.toml", "3 = [3, 5, 6]", "3 = [-1, 5, 6]", "general: 3.*10.214"),
        ("chance.toml", "3 = [3, 5, 6]", "3 = [3, 5, 10]", "general: 3.*10.214"),
        ("chance.toml", "huffduff = [2]", "huffduff = []", "10.2"),
        ("victory.toml", "no_convoy = 4", "no_convoy = 5", "no_convoy.*12.3"),
        ("board.toml", "A 8-18", "A 8-19", "map belongs to the edition"),
        ("air.toml", "rest = 2", "", "rest.*missing"),
    ],
)
def test_a_table_that_breaks_a_rule_is_refused(name: str, old: str, new: str, said: str) -> None:
    """Section 2 constraints: the message names the file, the key and the rule."""
    with pytest.raises(ValueError, match=said) as caught:
        house.check(changed(name, old, new))
    assert str(caught.value).startswith(name)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ships.toml", "BB 21 1", "BB 16 1"),  # 9.729
        ("ships.toml", "BB 21 1", "BB 24 1"),
        ("ships.toml", "CA 32 2 | 3 2 0 4", "CA 25 2 | 3 2 0 4"),
        ("ships.toml", "| 13 4-3 |", "| 1 4-3 |"),  # 5.22
        ("chance.toml", "3 = [3, 5, 6]", "3 = [0, 9, 9]"),  # 10.214
    ],
)
def test_a_table_at_the_edge_of_a_rule_is_played(name: str, old: str, new: str) -> None:
    house.check(changed(name, old, new))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"weather.toml": ""}, "unknown table"),
        ({"air.toml": "a = ["}, "air.toml"),
        ({"air.toml": "kinds = 3\nunits = ''\nrest = 2"}, "air.toml"),
    ],
)
def test_nonsense_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        house.check(given)


def test_every_row_of_ships_and_air_carries_its_confidence() -> None:
    for name, key in (("ships.toml", "ships"), ("air.toml", "kinds")):
        for line in data.table(tables.PACKAGE, name)[key].strip().splitlines():
            assert line.split("|")[-1].split()[0] in ("H", "M", "L", "REFEREE"), line


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("A = 3", "A = 4", "range: A to 3 hexes, B to 6 (rule 9.61)"),
        ("radius = 6", "radius = 7", "board: the edge lies six hexes from the centre (rule 9.28)"),
        ("british = 2", "british = 3", "strikes: 2 British, 1 German (rule 9.16)"),
        ("'0-3 1-2 2-1'", "'0-3 1-2 3-1'", "movement: the chart stands in the rules (rule 9.53)"),
        ("Bismarck = 1\n", "Bismarck = 2\n", "loss: 1, 3, 2 and 5 for each midships hit"),
        ("'0 0 2 4 6 8'", "'0 0 2 4 6'", "repair: one number for each face of a die"),
        ("'Hood|Repulse|Renown'", "'Hood|Repulse'", "special: Hood, Repulse, Renown (rule 9.84)"),
        ("B = '2:M1 3:M1", "B = '3:M1", "special: an entry for every total of two dice"),
        ("'2:M1 3:M1+E20", "'1:M1 3:M1+E20", "fire, bomber: totals are those of two dice"),
    ],
)
def test_9_a_combat_table_that_breaks_a_rule_is_refused(old: str, new: str, says: str) -> None:
    text = data.read("games.bismarck.data", "combat.toml").decode()
    assert text.count(old) == 1
    house.check({"combat.toml": text})
    with pytest.raises(ValueError, match=re.escape(f"combat.toml: {says}")):
        house.check({"combat.toml": text.replace(old, new)})
