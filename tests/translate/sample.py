"""Where Python and JavaScript differ, as a check of no game: each row is computed in both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, convert
from msgspec.structs import replace

from orders.model import Order, Value
from orders.rows import Point, typed

LETTERS = frozenset("abc")
NUMBERED = {10: "ten", 9: "nine", 1: "one"}
ASTRAL = ("\U0001f600", "\uffff", "Z", "a", "\u00e9", "")


class Odd(Struct, frozen=True):
    """Falsy fields, but no falsy struct."""

    name: str = ""
    size: int | None = None
    rest: tuple[int, ...] = ()

    def longer(self, more: int = 1) -> int:
        """A method."""
        return len(self.rest) + more

    @property
    def first(self) -> int:
        """A property."""
        return self.rest[0] if self.rest else -1


class Leg(Struct, frozen=True):
    """A row of a course."""

    how: Literal["ahead", "starboard"]
    by: str


class Load(Struct, frozen=True):
    """A row with a name, a number, and a point within it."""

    name: str
    size: int
    at: Point


class Course(Struct, frozen=True):
    """An order with rows."""

    legs: tuple[Leg, ...]
    load: Load
    half: int = 0


class Odder(Odd, frozen=True):
    """A class with methods of its own and of its base."""

    kind: str | None = None

    def longer(self, more: int = 1) -> int:
        """In place of the method of the base."""
        return 10 * more

    @property
    def both(self) -> int:
        """A property that calls both."""
        return self.longer(2) + self.first


class Inner(Struct, frozen=True):
    """What a report holds in a list."""

    size: int
    ways: tuple[str, ...] = ()


class Outer(Struct, frozen=True):
    """A struct of structs."""

    name: str
    one: Inner
    some: tuple[Inner, ...] = ()
    maybe: Inner | None = None
    by_name: Mapping[str, Inner] = {}
    letters: frozenset[str] = frozenset()
    pair: tuple[int, Inner] | None = None
    left_out: tuple[int, ...] | UnsetType = UNSET


class Strange(Exception):  # noqa: N818
    """A refusal of its own."""

    def __init__(self, code: str, text: str = "none") -> None:
        super().__init__(text)
        self.code, self.text = code, text


def check(order: Order, report: Mapping[str, Any]) -> Any:
    """Every row."""
    return [
        _truth(report),
        _numbers(report),
        _texts(report),
        _order_of_things(report),
        _values(report),
        _flow(report),
        _several(order, report),
        _converted(report),
        _kinds(report),
        rows(),
    ]


def note(order: Order, report: Mapping[str, Any]) -> str:
    """Formats."""
    return f"{order.actor} {order.turn} {order.standing} {report['n']} {Strange('x', 'why')}"


def _truth(report: Mapping[str, Any]) -> Any:
    empty = [report["zero"], report["none"], report["empty"], report["list"], report["map"], False]
    found = [bool(x) for x in empty] + [bool(Odd()), bool(report["n"])]
    either = [
        report["list"] or "usual",
        report["zero"] or report["n"],
        report["n"] and report["empty"],
    ]
    return [*found, either, not report["map"], 1 if report["list"] else 2, report["none"] is None]


def _numbers(report: Mapping[str, Any]) -> Any:
    n, less = int(report["n"]), int(report["less"])
    yes: bool = n > 0
    return [
        n // 2,
        less // 2,
        less % 6,
        n % -4,
        -n // 3,
        n - yes,
        n * 2 + 1,
        abs(less),
        max(n, less),
        min([n, less, 3]),
        sum([n, less]),
        int("07"),
        int(" 12 "),
        int(yes),
        n == yes,
        yes == 1,
        0 < n < 9,
        report["yes"] == 1,
        report["one"] == True,  # noqa: E712
        [1, 2] == [True, 2],
        sum(1 for x in (n, less) if x > 0),
        list(range(5, 0, -2)),
        sorted([10, 9, 1, less]),
    ]


def _texts(report: Mapping[str, Any]) -> Any:
    word, face = str(report["word"]), str(report["face"])
    return [
        len(face),
        face[1],
        face[:2],
        face[-1],
        word[1:3],
        word[-2:],
        word.upper(),
        word.title(),
        "it's the second LIEUTENANT".title(),
        word.split(),
        ["a", "b"],
        ["a", "b", "", "c"],
        " x ".strip(),
        ", ".join(["a", "b"]),
        word.startswith("b"),
        "is" in word,
        "" in word,
        str(True),
        str(None),
        str(7),
        f"{report['none']} {report['yes']}",
        ord(face[0]),
        chr(233),
        sorted(ASTRAL),
        max(ASTRAL),
        face < "\uffff",
        word < "B",
        word.replace("i", "${x}`"),
        "a-b-c".count("-"),
        word.index("s"),
        ("a", "b").index("b"),
        "\\ \" ' ` ${no} \n",
    ]


def _order_of_things(report: Mapping[str, Any]) -> Any:
    rows: list[tuple[int, str]] = [(2, "b"), (1, "z"), (2, "a"), (1, "y")]
    table: dict[str, int] = {"b": 1, "a": 2}
    table["10"] = 3
    table["9"] = 4
    table["b"] = 5
    return [
        sorted(rows),
        sorted(rows, key=lambda r: r[0]),
        sorted(rows, key=lambda r: -r[0]),
        sorted(rows, reverse=True),
        min(rows, key=lambda r: r[0]),
        max(rows, key=lambda r: r[0]),
        max(rows),
        list(table),
        list(table.items()),
        list(table.values()),
        NUMBERED[10],
        list(NUMBERED),
        sorted(report["numbered"]),
        len(report["numbered"]),
        (1, "a") < (1, "b"),
        (1,) < (1, 0),
        sorted(LETTERS),
        list(reversed([1, 2, 3])),
        list(enumerate("ab", 1)),
        list(zip([1, 2, 3], "ab", strict=False)),
        list(zip([1], "a", strict=True)),
    ]


def _values(report: Mapping[str, Any]) -> Any:
    odd = Odd("x", rest=(4, 5))
    other = replace(odd, name="y")
    some = {1, 2} | {3}
    some.add(2)
    kinds = {Odd: "odd", Strange: "strange"}
    return [
        odd.name,
        other.name,
        odd.size,
        odd.longer(),
        odd.longer(3),
        odd.first,
        Odd().first,
        odd == Odd("x", None, (4, 5)),
        odd == other,
        len(some),
        sorted(some - {1}),
        {1} <= some,
        {9} <= some,
        2 in some,
        True in some,
        "x" in {"x": 1},
        kinds[type(odd)],
        report.get("absent"),
        report.get("absent", 7),
        report.get("none", 7),
        [*"ab", "c"],
        {"a": 1, **{"b": 2}}["b"],
        [1, 2, 3][-1],
        [1, 2, 3][1:],
        (1, 2, 3)[:-1],
        isinstance(odd, Odd),
        isinstance("x", str),
        [x for x in [1, 2, 3] if x > 1],
        {k: v + 1 for k, v in [("a", 1)]}["a"],
        [(i, j) for i in range(2) for j in range(i + 1)],
        any(x > 2 for x in [1, 2]),
        all(x for x in report["list"]),
        next((x for x in [1, 2] if x > 5), "none"),
    ]


def _flow(report: Mapping[str, Any]) -> Any:
    found: list[Any] = []
    for i, x in enumerate([3, 1, 2]):
        if x == 1:
            continue
        try:
            found.append(_risky(x, i))
        except Strange as no:
            found.append([no.code, no.text, str(no)])
    total, rest = 0, [1, 2, 3]
    while rest:
        total, rest = total + rest[0], rest[1:]
    (a, b), *c = [(1, 2), 3, 4]
    if (length := len(c)) > 1:
        found.append(length)
    add = partial(_add, 10)
    steps: list[Callable[[int], int]] = [lambda n: n + 1, lambda n: n * 2]
    late = x
    return [
        found,
        total,
        a,
        b,
        c,
        add(5),
        [s(4) for s in steps],
        list(_count(3)),
        _fib(30),
        late,
        next(_count(2)),
        sum(_count(4)),
    ]


def _risky(x: int, at: int) -> int:
    if x > 2:
        raise Strange("big", text=f"{x} at {at}")
    return x


def _add(a: int, b: int) -> int:
    return a + b


def _count(most: int) -> Iterator[int]:
    i = 0
    while i < most:
        yield i
        i += 1


@cache
def _fib(n: int) -> int:
    return n if n < 2 else _fib(n - 1) + _fib(n - 2)


def _several(order: Order, report: Mapping[str, Any]) -> Sequence[Any]:
    said = [action.args.get("path", []) for action in order.actions]
    return [
        order.actor,
        order.turn,
        order.when is None,
        said,
        [*order.otherwise],
        report["deep"]["a"][0]["b"],
    ]


def _converted(report: Mapping[str, Any]) -> Any:
    outer = convert(report["outer"], Outer)
    many = convert(report["many"], tuple[Inner, ...])
    chosen: type[Inner] = Inner
    return [
        outer.name,
        outer.one.size,
        [i.size for i in outer.some],
        outer.maybe is None,
        outer.by_name["a"].ways,
        "x" in outer.letters,
        sorted(outer.letters),
        len(many),
        many[1].ways[0],
        convert(report["many"][0], Inner) == many[0],
        convert(report["many"][0], chosen).size,
        outer.pair is None,
        None if outer.pair is None else outer.pair[1].size,
        _first(report["many"], Inner).size,
        1 if outer.left_out else 0,
    ]


def _first(rows: Sequence[object], kind: type[Inner]) -> Inner:
    return convert(rows[0], kind)


def _kinds(report: Mapping[str, Any]) -> Any:
    things: list[object] = [Odder("o", rest=(1,)), Odd(), Strange("x"), "text", 3, True, [], {}]
    pairs = [(1, "a"), (2, "b"), (3, "c")]
    odder = Odder("o", rest=(1,), kind="k")
    return [
        [_kind(thing) for thing in things],
        odder.longer(),
        odder.both,
        odder.first,
        odder.kind,
        isinstance(odder, Odd),
        odder == Odder("o", rest=(1,)),
        [half for n, _ in pairs if (half := n * 10) > 10],
        [(half, s) for n, s in pairs if n != 2 if (half := n * 10) > 5],
        "bismarck".startswith(("b", "x")),
        "bismarck".endswith(("a", "x")),
        "a-b".replace("-", "$&$1"),
        -0 == 0,
        str(-0),
        _words("a"),
        _words("c"),
        _words("z"),
        table(),
    ]


def rows() -> list[Any]:
    """Text of rows as structs."""
    args: dict[str, Value] = {"legs": ["ahead 2.5", "starboard 45"]}
    course = typed({**args, "load": '"LR RECON 2" 4 12.5 30', "half": 7}, Course)
    load = course.load
    return [
        [[leg.how, leg.by] for leg in course.legs],
        course.half,
        len(course.legs),
        load.name,
        load.size + 1,
        load.at.x,
        load.at.y,
        load.at == Point("12.5", "30"),
        course.legs[1] == Leg("starboard", "45"),
    ]


def _kind(thing: object) -> str:
    match thing:
        case Odder():
            return "odder"
        case Odd() | Strange():
            return "odd or strange"
        case "text":
            return "text"
    if isinstance(thing, int | str):
        return "plain"
    return "list" if isinstance(thing, list) else "other"


def _words(word: str) -> int:
    match word:
        case "a" | "b":
            found = 1
        case _ if word == "c":
            found = 2
        case _:
            found = 3
    return found


@cache
def table() -> Mapping[str, tuple[int, ...]]:
    """What is sent as data."""
    text = Path(__file__).read_text("utf-8")
    return {"read": (len(text[:7]), 2**53 - 1)}
