"""Declaring a verb once: a struct, whose annotations are the verb's arguments.

    @verb("5.1", example="BISMARCK: move E19 C17 speed full;", synonyms=("sail",))
    class Move(Struct, frozen=True):
        \"\"\"Sail through these zones; what is left is done next turn.\"\"\"

        path: Path
        speed: Annotated[Literal["full", "economical"], keyword()] = "full"

    GRAMMAR = grammar(__name__, terms=TERMS, places=ZONES)

The verb's name is the name of the class in lower case (`AttackConvoy`: `attack convoy`), its help
the first paragraph of the docstring, its arguments are the fields in their order. A field with a
default may be left out. What an argument is, its annotation says: a `Literal` lists words, `Place`,
`Unit` and the other names below stand for text of that kind, and `Annotated[TYPE, number(4, 34)]`
gives bounds or a type of the game's own. Whatever is wrong with a declaration raises
DeclarationError when the module is imported.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from types import CellType, FunctionType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from msgspec import Struct
from msgspec.structs import FieldInfo, replace

from orders.rows import fields_of
from orders.table_faults import faults
from orders.terms import Terms
from orders.verbs import Arg, DeclarationError, Grammar, Kind, Term, Trigger, Verb

T = TypeVar("T", bound=Struct)


class Keyword(Struct, frozen=True):
    """The word that introduces an argument; empty: the name of its field."""

    word: str


def keyword(word: str = "") -> Keyword:
    """In an annotation: the argument follows this word, by default the name of its field."""
    return Keyword(word)


def place() -> Arg:
    """In an annotation: one zone or port."""
    return Arg("", "place")


def path(least: int = 1, most: int = 9999) -> Arg:
    """In an annotation: zones entered in order, so many of them."""
    return Arg("", "path", least=least, most=most)


def places(least: int = 1, most: int = 9999) -> Arg:
    """In an annotation: a list of zones, in which `F19-F21` is a range."""
    return Arg("", "places", least=least, most=most)


def units(least: int = 1, most: int = 9999) -> Arg:
    """In an annotation: so many of the side's own units, each named once."""
    return Arg("", "units", least=least, most=most)


def number(least: int = 0, most: int = 9999, decimals: int = 0) -> Arg:
    """In an annotation: a number from `least` to `most`.

    The field is an `int`; with `decimals` (the most digits behind the point) it is a `str`, so that
    no number is ever rounded.
    """
    return Arg("", "number", least=least, most=most, decimals=decimals)


def word(*choices: str) -> Arg:
    """In an annotation: one of these words, if a `Literal` cannot list them."""
    return Arg("", "word", choices=choices)


def direction(*choices: str) -> Arg:
    """In an annotation: one of these compass points, by default one of all sixteen."""
    return Arg("", "direction", choices=choices)


def bearing(decimals: int = 0) -> Arg:
    """In an annotation: degrees from 0 to 359, as an `int`; with `decimals` as a `str`."""
    return Arg("", "bearing", decimals=decimals)


def point(least: int = 0, most: int = 9999, decimals: int = 0) -> Arg:
    """In an annotation: two numbers from `least` to `most`; the field is an `orders.rows.Point`."""
    return Arg("", "point", least=least, most=most, decimals=decimals)


def points(of: Arg, least: int = 1, most: int = 9999) -> Arg:
    """In an annotation: so many points, each as `of` (`point(...)`) says. The field is a tuple of
    `orders.rows.Point`."""
    return Arg("", "rows", least=least, most=most, of=(replace(of, name="at"),))


def row() -> Arg:
    """In an annotation: values side by side. The field is a struct, whose fields are these values
    and are annotated in the same way: `load: Annotated[Load, row()]`."""
    return Arg("", "row")


def rows(least: int = 1, most: int = 9999) -> Arg:
    """In an annotation: so many rows; the field is a tuple of structs such as `row` describes:
    `legs: Annotated[tuple[Leg, ...], rows()]`."""
    return Arg("", "rows", least=least, most=most)


Place = Annotated[str, place()]
Path = Annotated[tuple[str, ...], path()]
Places = Annotated[tuple[str, ...], places()]
Unit = Annotated[str, Arg("", "unit")]
Units = Annotated[tuple[str, ...], units()]
Contact = Annotated[str, Arg("", "contact")]
Name = Annotated[str, Arg("", "name")]
"""A new name that the player chooses."""
Number = Annotated[int, number()]
Direction = Annotated[str, direction()]
Bearing = Annotated[int, bearing()]

_LIST = "tuple[str, ...]"
_TYPES: Mapping[Kind, str] = {
    **dict.fromkeys(("place", "unit", "contact", "word", "name", "direction"), "str"),
    **dict.fromkeys(("path", "places", "units"), _LIST),
    **dict.fromkeys(("number", "bearing"), "int"),
    "point": "Point",
}
"""The type of the field that holds an argument of that kind."""
_KNOWN = (
    "a Literal of words, or Place, Path, Places, Unit, Units, Contact, Name, Number, Direction or"
    " Bearing"
)
_NUMBERED = "A*0[A0]*"
_IN_A_ROW = "([A-Z]+)([0-9]+)"
_SHAPE = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "A" * 26 + "0" * 10)

_declared: dict[type[Struct], Verb] = {}


def verb(
    rule: str,
    *,
    example: str,
    name: str = "",
    synonyms: Sequence[str] = (),
    once: str = "",
    setting: bool = False,
) -> Callable[[type[T]], type[T]]:
    """Declare a frozen struct as a verb.

    rule: the rulebook's number. example: a whole order that parses (`HOOD: hold;`). name: if it is
    not the name of the class. synonyms: other words for the verb. once: a word that verbs share of
    which an actor gets one at a time (`Verb.once`). setting: it says how the actor acts, and stands
    beside its other orders (`Verb.setting`). Raises DeclarationError.
    """

    def declare(kind: type[T]) -> type[T]:
        """Register the struct and return it as it is."""
        _declared[kind] = Verb(
            name or _spaced(kind.__name__),
            kind,
            arguments(kind),
            " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
            example,
            rule,
            tuple(synonyms),
            once,
            setting,
        )
        _check_verb(_declared[kind], synonyms)
        return kind

    return declare


def arguments(kind: type[Struct]) -> tuple[Arg, ...]:
    """The arguments that the fields of a struct are by their annotations. Raises
    DeclarationError."""
    _resolve(kind)
    return tuple(_argument(kind, field) for field in fields_of(kind))


def _resolve(kind: type[Struct]) -> None:
    """Replace annotations that are not evaluated yet by what they mean outside the class; in the
    class a field of the same name (`path: Annotated[Route, path()]`) would hide the function.

    They are text under `from __future__ import annotations`; without it, from Python 3.14 on, a
    function makes them when asked (PEP 649). Raises DeclarationError.
    """
    own = vars(kind).get("__annotations__", {})
    made = None if own else getattr(kind, "__annotate__", None)
    try:
        if made:
            kind.__annotations__ = _outside(made)(1)  # annotationlib.Format.VALUE
        elif any(isinstance(annotation, str) for annotation in own.values()):
            own.update({name: _meaning(kind.__module__, text) for name, text in own.items()})
    except Exception as error:
        raise _wrong(kind, "", f"an annotation cannot be read: {error}") from error


def _outside(made: FunctionType) -> Callable[[int], dict[str, object]]:
    """A class's `__annotate__` that looks names up as if no field hid them: what it has in its cell
    `__classdict__`, the class's own names, is left out."""
    cells = zip(made.__code__.co_freevars, made.__closure__ or (), strict=True)
    closure = tuple(CellType({}) if name == "__classdict__" else cell for name, cell in cells)
    return FunctionType(made.__code__, made.__globals__, closure=closure)


@cache
def _meaning(module: str, annotation: object) -> object:
    """What an annotation of a module means. Many fields have the same one: typing.get_type_hints,
    which knows no cache, took a fiftieth of the time of a turn."""
    if not isinstance(annotation, str):
        return annotation
    return eval(annotation, vars(sys.modules[module]))  # the text is that of our own source


def declared(kind: type[Struct]) -> Verb:
    """The verb that `@verb` made of a struct. Raises DeclarationError if it made none."""
    if kind not in _declared:
        raise _wrong(kind, "", 'is not declared as a verb; write @verb("RULE", example=...) above')
    return _declared[kind]


def grammar(
    *verbs: type[Struct] | str,
    terms: Terms[Any] | Iterable[Term] = (),
    places: Iterable[str] = (),
    aliases: Mapping[str, str] | None = None,
    place: Callable[[str], bool] | None = None,
    between: Callable[[str, str], tuple[str, ...] | None] | None = None,
    triggers: Iterable[Trigger] = (),
) -> Grammar:
    """The order language of a game, with its verbs in the order in which forms and help show them.

    verbs: structs, or names of modules, each of which stands for all verbs declared in it:
    `grammar(__name__)`. terms: `orders.terms.Terms`, which are declared with their answers. The
    other arguments are those of `orders.verbs.Grammar`. By default a token
    looks like a place if its letters and digits stand as in a numbered one of `places`, and
    `F19-F21` is a row of places with the same letters; the order page takes it so in every game.
    Raises DeclarationError if a module declares no verb, or a word means two verbs.
    """
    found = [verb for one in verbs for verb in _listed(one)]
    words: dict[str, Verb] = {}
    for one in found:
        for each in (one.name, *one.synonyms):
            other = words.setdefault(each, one)
            if other is not one:
                raise _wrong(one.type, "", f"{each!r} is a word of {other.type.__name__} already")
    known = frozenset(places)
    made = Grammar(
        tuple(found),
        tuple(terms),
        known,
        dict(aliases or {}),
        place or _shaped_as(known),
        between or _rows_of(known),
        triggers=tuple(triggers),
    )
    if wrong := faults(made):
        raise DeclarationError("; ".join(wrong))
    return replace(made, knows=terms.facts) if isinstance(terms, Terms) else made


def _listed(one: type[Struct] | str) -> list[Verb]:
    """The verb of a struct, or those that a module has now; it may have been loaded anew."""
    if not isinstance(one, str):
        return [declared(one)]
    module = vars(sys.modules[one])
    found = [v for kind, v in _declared.items() if module.get(kind.__name__) is kind]
    if not found:
        raise DeclarationError(f"the module {one} declares no verb; write @verb above a struct")
    return found


def _shaped_as(places: frozenset[str]) -> Callable[[str], bool]:
    """Does a token have the shape of one of the numbered places: `K14`, a letter and two digits?"""
    shapes = {place.translate(_SHAPE) for place in places}
    shapes = {shape for shape in shapes if re.fullmatch(_NUMBERED, shape)}
    return lambda token: token.translate(_SHAPE) in shapes


def _rows_of(places: frozenset[str]) -> Callable[[str, str], tuple[str, ...] | None]:
    """The places from one to another that differ in their number alone, if all are on the board."""

    def between(first: str, last: str) -> tuple[str, ...] | None:
        low, high = re.fullmatch(_IN_A_ROW, first), re.fullmatch(_IN_A_ROW, last)
        if not low or not high or low[1] != high[1]:
            return None
        row = tuple(f"{low[1]}{i}" for i in range(int(low[2]), int(high[2]) + 1))
        return row if row and places.issuperset(row) else None

    return between


def check_examples(grammar: Grammar) -> None:
    """Every verb's example parses, and is of that verb. Raises DeclarationError.

    For tests and `pbem lint`, because it would slow down every start. Words in capitals that are
    not places are taken for names of units and contacts, which a grammar does not know.
    """
    from orders.canon import streams
    from orders.parse import understand
    from orders.vocabulary import Vocabulary

    for one in grammar.verbs:
        names = _names(one.example, grammar)
        ids = [{"id": name} for name in names]
        offered = {name: [{"verb": v.name} for v in grammar.verbs] for name in names}
        report = {"units": ids, "contacts": ids, "menu": offered}
        (unit,) = streams(f"BEGIN ORDERS\n{one.example}\nEND ORDERS\n")
        reading = understand(unit, grammar, Vocabulary.of(report, grammar))
        for mistake in reading.diagnostics:
            raise _wrong(one.type, "", f"the example {one.example!r} is refused: {mistake.text}")
        used = {a.verb for o in reading.orders.orders for a in (*o.actions, *o.otherwise)}
        if one.name not in used:
            raise _wrong(one.type, "", f"the example {one.example!r} does not use {one.name!r}")


def _names(example: str, grammar: Grammar) -> list[str]:
    """The words in capitals that are not places, alone and as names of several words."""
    found: list[str] = []
    for part in example.replace(",", ":").replace(";", ":").split(":"):
        run: list[str] = []
        for token in [*part.split(), ""]:
            if token.isupper() and token not in grammar.places and not grammar.place(token):
                run.append(token)
            elif run:
                found += [" ".join(run), *run]
                run = []
    return found


def _spaced(name: str) -> str:
    """`AttackConvoy` as `attack convoy`."""
    return "".join(f" {c}" if c.isupper() else c for c in name).strip().lower()


def _argument(kind: type[Struct], field: FieldInfo) -> Arg:
    """The argument that a field's annotation describes."""
    given, marks = _unwrapped(field.type)
    args = [mark for mark in marks if isinstance(mark, Arg)]
    words = tuple(w for w in get_args(given) if w) if get_origin(given) is Literal else ()
    if len(args) > 1 or not (args or words):
        if args:
            says = "its annotation names more than one kind of argument"
            how = "write the type of the field beside the mark, as in "
            how += "Annotated[tuple[str, ...], path(1, 2)], never Annotated[Path, path(1, 2)]"
            raise _wrong(kind, field.name, f"{says}; {how}")
        raise _wrong(kind, field.name, f"its annotation names no kind of argument; write {_KNOWN}")
    arg = args[0] if args else Arg("", "word", choices=words)
    arg = replace(arg, name=field.name, choices=arg.choices or words, optional=not field.required)
    for mark in marks:
        if isinstance(mark, Keyword):
            arg = replace(arg, keyword=mark.word or field.name)
    if arg.kind in ("row", "rows", "point"):
        given = _present(given)
    if arg.kind in ("row", "rows") and not arg.of:
        arg = replace(arg, of=_parts(kind, field, arg, given))
    _check_argument(kind, field, arg, given)
    return arg


def _present(given: object) -> object:
    """`Leg` of `Leg | None`, the type of a field that may be left out; other types as they are."""
    kinds = [one for one in get_args(given) if one is not type(None)]
    return kinds[0] if type(None) in get_args(given) and len(kinds) == 1 else given


def _parts(kind: type[Struct], field: FieldInfo, arg: Arg, given: object) -> tuple[Arg, ...]:
    """The parts of a row, from the annotations of its struct. Raises DeclarationError."""
    items = get_args(given) if get_origin(given) is tuple else ()
    row = items[0] if items and arg.kind == "rows" else given
    if not (isinstance(row, type) and issubclass(row, Struct)):
        needs = "tuple[STRUCT, ...]" if arg.kind == "rows" else "of a struct"
        raise _wrong(
            kind, field.name, f"kind {arg.kind} needs the type {needs}, not {_said(given)}"
        )
    _resolve(row)
    return tuple(_argument(row, part) for part in fields_of(row))


def _unwrapped(annotation: object) -> tuple[Any, tuple[object, ...]]:
    """The bare type of an annotation, and what `Annotated` adds to it."""
    if get_origin(annotation) is Annotated:
        inner, *marks = get_args(annotation)
        return inner, tuple(marks)
    return annotation, ()


def _check_argument(kind: type[Struct], field: FieldInfo, arg: Arg, given: object) -> None:
    """The field can hold the argument's values, and its default is one or means that it is left
    out. Raises DeclarationError."""
    sized = arg.kind in ("number", "bearing")
    needs = "str" if sized and arg.decimals else _TYPES.get(arg.kind)
    if needs and _said(given) != needs:
        text = f"a {arg.kind} needs the type {needs}, not {_said(given)}"
        raise _wrong(kind, field.name, text)
    if arg.least > arg.most:
        raise _wrong(kind, field.name, f"nothing is between {arg.least} and {arg.most}")
    if arg.kind != "word":
        return
    if not arg.choices:
        raise _wrong(kind, field.name, "it has no words to choose from; list them")
    allowed = get_args(given) if get_origin(given) is Literal else (*arg.choices, "")
    strange = [c for c in arg.choices if c not in allowed or c != c.strip()]
    if arg.optional and field.default not in allowed:
        strange.append(field.default)
    if strange:
        raise _wrong(kind, field.name, f"{strange[0]!r} is not one of its words: {allowed}")


def _said(given: object) -> str:
    """A type as `_TYPES` writes it: `str`, `int`, `tuple[str, ...]`; others as they print."""
    given = getattr(given, "__supertype__", given)
    inner = get_args(given)
    if get_origin(given) is Literal:
        return "str" if all(isinstance(v, str) for v in inner) else str(given)
    if get_origin(given) is tuple and len(inner) == 2 and inner[1] is ...:
        return f"tuple[{_said(_unwrapped(inner[0])[0])}, ...]"
    return given.__name__ if isinstance(given, type) and not inner else str(given)


def _check_verb(one: Verb, synonyms: Sequence[str]) -> None:
    """Raises DeclarationError where something is missing or contradictory."""
    needed = {"docstring (its first paragraph is the help)": one.help, "rule": one.rule}
    for what, text in needed.items():
        if not text.strip():
            raise _wrong(one.type, "", f"the verb has no {what}")
    if isinstance(synonyms, str):
        raise _wrong(one.type, "", f'synonyms is a tuple of texts: write ("{synonyms}",)')
    order = one.example.partition(":")[2].strip()
    if not order.endswith(";"):
        text = f"the example {one.example!r} is not a whole order, UNIT: {one.name} ...;"
        raise _wrong(one.type, "", text)
    keywords = [arg.keyword for arg in one.args if arg.keyword]
    for arg in one.args:
        if arg.keyword and keywords.count(arg.keyword) > 1:
            raise _wrong(one.type, arg.name, f"two arguments follow the word {arg.keyword!r}")


def _wrong(kind: type, field: str, text: str) -> DeclarationError:
    """The error, with the place of the class or of its field in the source."""
    name = f"{kind.__name__}.{field}" if field else kind.__name__
    return DeclarationError(f"{_where(kind, field)}{name}: {text}")


def _where(kind: type, field: str) -> str:
    """`FILE:LINE: ` of a class, or of one of its fields; empty if there is no source to read."""
    from ast import AnnAssign, ClassDef, Name, parse, walk
    from linecache import getlines

    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    for node in walk(parse("".join(getlines(file)))):
        if isinstance(node, ClassDef) and node.name == kind.__name__:
            lines = {
                n.target.id: n.lineno
                for n in node.body
                if isinstance(n, AnnAssign) and isinstance(n.target, Name)
            }
            return f"{file}:{lines.get(field, node.lineno)}: "
    return f"{file}: " if file else ""
