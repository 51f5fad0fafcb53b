"""Memory of contacts, and pseudonyms that give nothing away."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial

from msgspec import json

from pbem.kit.contacts import (
    Contact,
    ContactBook,
    Pseudonyms,
    Watch,
    by_looks,
    by_lot,
    newest,
    number,
)
from pbem.model import Dice, Side
from pbem.table import Table


def seen(id_: str, place: str, turn: int, name: str = "") -> Contact:
    return Contact(id=id_, type="cruiser", place=place, turn=turn, name=name)


def test_a_contact_keeps_its_name_and_trail() -> None:
    book = ContactBook()
    for place, turn in (("A1", 1), ("A2", 2), ("A3", 2), ("A4", 4)):
        book.place(seen("EN1", place, turn, "Hood" if turn == 1 else ""))
    contact = book.contacts["EN1"]
    assert (contact.place, contact.name) == ("A4", "Hood")
    assert contact.trail == (("A1", 1), ("A3", 2))  # of a turn the last sighting counts


def test_a_trail_has_a_greatest_length() -> None:
    book = ContactBook()
    for turn in range(9):
        book.place(seen("EN1", f"A{turn}", turn), most=3)
    assert [turn for _, turn in book.contacts["EN1"].trail] == [5, 6, 7]


def test_old_contacts_are_forgotten_unless_they_are_named() -> None:
    book = ContactBook()
    for id_, turn, name in (("EN1", 1, ""), ("EN2", 1, "Hood"), ("EN3", 2, "")):
        book.place(seen(id_, "A1", turn, name))
    book.forget(turn=8, after=6)
    assert [*book.contacts] == ["EN2", "EN3"]
    book.lose("EN2")
    book.lose("EN2")
    assert [*book.contacts] == ["EN3"]


def test_a_pseudonym_is_kept_only_where_the_rules_say_so() -> None:
    names = Pseudonyms()
    assert [names.issue("HOOD"), names.issue("HOOD"), names.keep("HOOD")] == ["EN1", "EN2", "EN2"]
    assert names.keep("REPULSE") == "EN3"
    assert names.of("RENOWN") == ""


def test_the_newest_contact_of_a_unit_is_the_one_placed_last() -> None:
    contacts = {
        c.id: c for c in (seen("EN9", "A1", 4), seen("EN10", "A2", 4), seen("EN2", "A3", 3))
    }
    best = newest(contacts, dict.fromkeys(contacts, "HOOD"), "HOOD")
    assert best is not None
    assert best.id == "EN10"
    assert newest(contacts, {}, "HOOD") is None
    assert number("EN10") == 10


def test_contacts_that_merge_go_on_under_the_first_number() -> None:
    names = Pseudonyms(prefix="C")
    for unit in ("TF1", "TF2", "TF3"):
        names.issue(unit)
    assert names.merge(["TF3", "TF2"], "TF3") == "C2"
    assert names.stands_for == {"C1": "TF1", "C2": "TF3"}
    assert names.merge(["TF8"], "TF8") == "C4"


def test_a_contact_that_was_lost_does_not_come_back_by_a_merger() -> None:
    """Who knew EN1 and lost it cannot tell that EN3 is the same unit."""
    names = Pseudonyms()
    assert [names.issue("A"), names.issue("B"), names.issue("A")] == ["EN1", "EN2", "EN3"]
    assert names.stands_for == {"EN1": "A", "EN2": "B", "EN3": "A"}  # EN1 may be remembered
    assert names.merge(["A", "B"], into="AB") == "EN2"
    assert names.stands_for == {"EN2": "AB"}


def test_the_parts_of_a_contact_that_splits_are_new_unless_one_can_be_told() -> None:
    names = Pseudonyms()
    names.issue("TF1")
    assert names.split("TF1", ["TF4", "TF1"]) == {"TF4": "EN2", "TF1": "EN3"}
    assert "EN1" not in names.stands_for
    assert names.split("TF4", ["TF4", "TF5"], same="TF4") == {"TF4": "EN2", "TF5": "EN4"}


def test_what_happens_unseen_changes_no_number() -> None:
    names = Pseudonyms()
    names.issue("TF1")
    names.move("TF1", "TF2")
    assert (names.of("TF2"), names.of("TF1"), names.issued) == ("EN1", "", 1)


def test_units_are_told_by_what_is_seen_of_them() -> None:
    """The order of the state does not show: names do not decide, only groups and types."""
    kinds = {"a": 2, "b": 0, "c": 1, "d": 0, "e": 0}
    for order in ("abcde", "edcba", "cadbe"):
        told = by_looks(order, lambda u: "TF" if u in "ab" else u, lambda u: kinds[u])
        assert [[kinds[u] for u in group] for group in told] == [[0, 2], [0], [0], [1]]


class Lots(Table):
    """A table of laid dice that nobody may see."""

    def __init__(self, *faces: int) -> None:
        self.faces, self.sizes = list(faces), list[int]()

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        assert (label, tuple(to)) == ("CONTACTS/ORDER/-/EAST", ())
        self.sizes.append(dice.sides)
        return (self.faces.pop(0),)


def test_units_that_look_alike_are_told_by_lot() -> None:
    kinds = {"a": 2, "b": 0, "c": 1, "d": 0, "e": 0}
    found = []
    for face in range(1, 7):
        table = Lots(face)
        told = by_lot(table, "CONTACTS/ORDER/-/EAST", "abcde", lambda u: kinds[u])
        assert told[3:] == ["c", "a"]
        assert table.sizes == [6]
        found.append("".join(told[:3]))
    assert sorted(found) == ["bde", "bed", "dbe", "deb", "ebd", "edb"]


def test_no_lot_is_drawn_for_units_that_differ() -> None:
    table = Lots()
    assert by_lot(table, "CONTACTS/ORDER/-/EAST", "cab", lambda u: u) == ["a", "b", "c"]
    assert table.sizes == []


def test_more_units_than_one_roll_can_order_are_drawn_first() -> None:
    table = Lots(22, 1, 1)
    told = by_lot(table, "CONTACTS/ORDER/-/EAST", range(22), lambda u: 0)
    assert told == [21, 0, *range(1, 21)]
    assert table.sizes == [22, 21, factorial(20)]


def test_a_stored_state_does_not_change_which_name_is_the_newest() -> None:
    """Dicts come back from a stored state with EN10 before EN9."""
    names = Pseudonyms()
    for _ in range(9):
        names.issue("EMDEN")
    assert names.issue("EMDEN") == "EN10"
    stored = json.decode(json.encode(names, order="deterministic"), type=Pseudonyms)
    assert stored.of("EMDEN") == "EN10"
    assert stored.merge(["EMDEN"], into="SQUADRON") == "EN10"
    stored.stands_for = {"EN10": "EMDEN", "EN9": "DRESDEN"}
    assert stored.merge(["EMDEN", "DRESDEN"], into="SQUADRON") == "EN9"


def test_a_name_stays_while_a_unit_is_in_sight_and_nothing_looks_like_it() -> None:
    watch = Watch()
    assert watch.name({"b": ("A1", "DD"), "a": ("B1", "DD")}, "ab") == {"b": "EN1", "a": "EN2"}
    assert watch.name({"a": ("A2", "DD"), "b": ("B2", "DD")}, "ab") == {"a": "EN2", "b": "EN1"}
    assert watch.name({"a": ("A1", "DD"), "b": ("A1", "DD")}, "ba") == {"b": "EN3", "a": "EN4"}
    assert watch.name({"a": ("A1", "DD")}, "a") == {"a": "EN5"}  # it was one of two that look alike
    assert watch.name({}, "") == {}
    assert watch.name({"a": ("A1", "DD")}, "a") == {"a": "EN6"}
    assert watch.name({"a": ("A1", "DD")}, "a") == {"a": "EN6"}
