"""The words one order file may use: the game's verb table and the sender's own report.

Nothing else is used, so no message can tell more than its reader knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from orders.canon import words
from orders.report import Menu, MenuItem, OpenQuestion, Report, typed
from orders.table_faults import faults
from orders.verbs import Arg, Grammar, Term, Verb

RESERVED = frozenset({"IF", "THEN", "ELSE", "ALSO", "AND", "OR", "NOT", "NONE", "TURN"})
LEADING = ("FINAL", "ABSENT", "RESIGN", "CONSENT", "RUN", "LINKS", "PREFER")
PREFERENCES = ("ZONE", "MAIL", "PICTURES", "PAGE", "REMIND", "DATES")
"""What PREFER may name: how a side wants its mail."""


class Phrases:
    """Names of one or more tokens, each with its meaning; the longest match wins."""

    __slots__ = ("_first", "_last", "exact", "printed")

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """pairs: (name as printed, meaning); of two names that fold alike the first counts."""
        self.exact: dict[tuple[str, ...], str] = {}
        self.printed: list[str] = []
        self._first: dict[str, list[tuple[str, ...]]] = {}
        self._last: dict[str, list[tuple[str, ...]]] = {}
        for name, meaning in pairs:
            key = words(name)
            if key and key not in self.exact:
                self.exact[key] = meaning
                self.printed.append(name)
        for key in sorted(self.exact, key=len, reverse=True):
            self._first.setdefault(key[0], []).append(key)
            self._last.setdefault(key[-1], []).append(key)

    def match(self, texts: Sequence[str], at: int, end: int) -> tuple[str, int] | None:
        """The longest name that starts at `at`: its meaning and where it ends."""
        for key in self._first.get(texts[at], ()) if at < end else ():
            stop = at + len(key)
            if stop <= end and tuple(texts[at:stop]) == key:
                return self.exact[key], stop
        return None

    def ending(self, texts: Sequence[str], end: int, least: int) -> tuple[str, int] | None:
        """The longest name that ends before `end` and starts at `least` or later, and where."""
        for key in self._last.get(texts[end - 1], ()):
            start = end - len(key)
            if start >= least and tuple(texts[start:end]) == key:
                return self.exact[key], start
        return None


@lru_cache(maxsize=64)
def phrases(*pairs: tuple[str, str]) -> Phrases:
    """`Phrases` of these pairs. A side's names hardly change from window to window, and indexing
    them takes longer than reading its orders."""
    return Phrases(pairs)


class Plan(Struct, frozen=True):
    """A verb made ready for parsing."""

    verb: Verb
    positional: tuple[Arg, ...]
    names: tuple[str, ...]
    """The arguments that give something a new name."""
    keywords: Phrases
    args: Mapping[str, Arg]
    choices: Mapping[tuple[str, ...], Phrases]
    """The words of each argument, and of each part of a row, by its choices."""


class Language(Struct, frozen=True, eq=False):
    """A grammar made ready for parsing; one per grammar and process."""

    grammar: Grammar
    verbs: Phrases
    plans: Mapping[str, Plan]
    aliases: Phrases
    terms: Phrases
    by_term: Mapping[str, Term]
    values: Mapping[str, Phrases]
    triggers: Phrases


class Question(Struct, frozen=True):
    """An open question: its listed answers, or the form of a free one."""

    id: str
    choices: tuple[str, ...]
    phrases: Phrases
    form: Plan | None = None


class Vocabulary(Struct, frozen=True):
    """All that the sender can name, and what the report's menu offers him."""

    language: Language
    actors: Phrases
    units: Phrases
    lost: Phrases
    """The sender's units that are gone, each with what became of it."""
    contacts: Phrases
    questions: Mapping[str, Question]
    seen: Report
    """What the report says, as far as orders need it."""

    @property
    def menu(self) -> Menu:
        """What the report's menu offers."""
        return self.seen.menu

    @classmethod
    def of(cls, report: Mapping[str, object], grammar: Grammar) -> Vocabulary:
        """Made from report.json (decoded) alone and the edition's grammar.

        Raises msgspec.ValidationError where the report is malformed.
        """
        seen = typed(report)
        menu = seen.menu
        names = [(u.id, u.name or u.id) for u in seen.units]
        questions = [_question(q) for q in seen.questions]
        offered = _offered(menu)
        return cls(
            language=language(grammar),
            actors=phrases(*_actors(menu, names)),
            units=phrases(
                *((i, i) for i, _ in names),
                *((n, i) for i, n in names),
                *((a, a) for a in menu),
                *((v, v) for kind, v in offered if kind != "contact"),
            ),
            lost=phrases(*seen.lost.items()),
            contacts=phrases(
                *((c.id, c.id) for c in seen.contacts),
                *((v, v) for kind, v in offered if kind == "contact"),
            ),
            questions={q.id: q for q in questions},
            seen=seen,
        )


def alike(names: Iterable[str]) -> list[tuple[str, str]]:
    """Pairs of different names that fold alike: a scenario may have none."""
    seen: dict[tuple[str, ...], str] = {}
    pairs = []
    for name in names:
        first = seen.setdefault(words(name), name)
        if first != name:
            pairs.append((first, name))
    return pairs


_languages: dict[int, Language] = {}


def language(grammar: Grammar) -> Language:
    """The grammar made ready, kept for the life of the process.

    Raises ValueError if its verb table has a fault (`orders.table_faults`).
    """
    known = _languages.get(id(grammar))
    if known is None:
        known = _languages[id(grammar)] = _language(grammar)
    return known


def _language(grammar: Grammar) -> Language:
    """All names of a grammar, indexed for matching."""
    if wrong := faults(grammar):
        raise ValueError("; ".join(wrong))
    named = [(word, v.name) for v in grammar.verbs for word in (v.name, *v.synonyms)]
    odd = sorted(place for place in grammar.places if not (place.isascii() and place.isalnum()))
    several = [(p, p) for p in odd if len(words(p)) > 1]
    return Language(
        grammar=grammar,
        verbs=Phrases(named),
        plans={v.name: _plan(v) for v in grammar.verbs},
        aliases=Phrases([*grammar.aliases.items(), *several]),
        terms=Phrases((t.name, t.name) for t in grammar.terms),
        by_term={t.name: t for t in grammar.terms},
        values={t.name: Phrases((v, v) for v in t.values) for t in grammar.terms},
        triggers=Phrases((t.name, t.name) for t in grammar.triggers),
    )


def _plan(verb: Verb) -> Plan:
    """A verb's arguments, split by how they are written."""
    return Plan(
        verb=verb,
        positional=tuple(a for a in verb.args if not a.keyword),
        names=tuple(a.name for a in verb.args if a.kind == "name"),
        keywords=Phrases((a.keyword, a.name) for a in verb.args if a.keyword),
        args={a.name: a for a in verb.args},
        choices={a.choices: Phrases((c, c) for c in a.choices) for a in _with_parts(verb.args)},
    )


def _with_parts(args: Iterable[Arg]) -> Iterator[Arg]:
    """The arguments, each followed by the parts of its rows."""
    for arg in args:
        yield arg
        yield from arg.of or ()


def _actors(menu: Menu, names: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Menu keys as they stand, then ids and names of units whose other name has a menu."""
    folded = {words(actor): actor for actor in menu}
    pairs = [(actor, actor) for actor in menu]
    for unit, name in names:
        actor = folded.get(words(unit)) or folded.get(words(name)) or unit
        pairs += [(unit, actor), (name, actor)]
    return pairs


_NAMED = frozenset({"unit", "units", "contact"})


def _offered(menu: Menu) -> list[tuple[str, str]]:
    """Kind and name of what the menu offers for arguments that name something: a ship not yet in
    play, a contact."""
    return [
        (arg.kind, value)
        for items in _distinct(menu.values())
        for item in items
        for arg in item.args
        if arg.kind in _NAMED
        for value in arg.values
    ]


def _distinct(menus: Iterable[tuple[MenuItem, ...]]) -> Iterator[tuple[MenuItem, ...]]:
    """What actors may do, listed once where consecutive actors may do the same."""
    last: tuple[MenuItem, ...] = ()
    for items in menus:
        if items != last:
            yield items
        last = items


def _question(asked: OpenQuestion) -> Question:
    form = _free(asked.form) if asked.form else None
    phrases = Phrases((c, c) for c in asked.choices)
    return Question(asked.id.upper(), asked.choices, phrases, form)


def _free(arg: Arg) -> Plan:
    return _plan(Verb("answer", Struct, (arg,)))
