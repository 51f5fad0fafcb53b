"""The words one order file may use: the game's verb table and the sender's own report.

Nothing else goes in, so no message can know more than its reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, convert

from orders.canon import words
from orders.verbs import Arg, Grammar, Term, Verb

RESERVED = frozenset({"IF", "THEN", "ELSE", "ALSO", "AND", "OR", "NOT", "NONE", "TURN"})
LEADING = ("FINAL", "ABSENT", "RESIGN", "CONSENT", "RUN")


class Phrases:
    """Names of one or more tokens, each with its meaning; the longest match wins."""

    __slots__ = ("_first", "_last", "exact", "printed")

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """pairs: (name as printed, meaning); of two names that fold alike the first stands."""
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


class Plan(Struct, frozen=True):
    """A verb made ready for parsing."""

    verb: Verb
    positional: tuple[Arg, ...]
    keywords: Phrases
    args: Mapping[str, Arg]
    choices: Mapping[str, Phrases]


class Language(Struct, frozen=True):
    """A grammar made ready for parsing; one per grammar and process."""

    grammar: Grammar
    verbs: Phrases
    plans: Mapping[str, Plan]
    aliases: Phrases
    terms: Phrases
    by_term: Mapping[str, Term]
    values: Mapping[str, Phrases]


class Question(Struct, frozen=True):
    """An open question: its listed answers, or the form of a free one."""

    id: str
    choices: tuple[str, ...]
    phrases: Phrases
    form: Plan | None = None


class Vocabulary(Struct, frozen=True):
    """All that the sender can name.

    menu: as the report has it, actor to the verbs he may be given.
    """

    language: Language
    actors: Phrases
    units: Phrases
    contacts: Phrases
    questions: Mapping[str, Question]
    menu: Mapping[str, Sequence[Mapping[str, Any]]]

    @classmethod
    def of(cls, report: Mapping[str, Any], grammar: Grammar) -> Vocabulary:
        """Made from report.json (decoded) alone and the edition's grammar."""
        units = report.get("units") or []
        menu = report.get("menu") or {}
        names = [(str(u["id"]), str(u.get("name") or u["id"])) for u in units]
        questions = [_question(q) for q in report.get("questions") or []]
        offered = _offered(menu)
        return cls(
            language=language(grammar),
            actors=Phrases(_actors(menu, names)),
            units=Phrases(
                [
                    *((i, i) for i, _ in names),
                    *((n, i) for i, n in names),
                    *((a, a) for a in menu),
                    *((v, v) for kind, v in offered if kind != "contact"),
                ]
            ),
            contacts=Phrases(
                [
                    *((str(c["id"]),) * 2 for c in report.get("contacts") or []),
                    *((v, v) for kind, v in offered if kind == "contact"),
                ]
            ),
            questions={q.id: q for q in questions},
            menu=menu,
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
    """The grammar made ready, kept for the life of the process."""
    known = _languages.get(id(grammar))
    if known is None:
        known = _languages[id(grammar)] = _language(grammar)
    return known


def _language(grammar: Grammar) -> Language:
    named = [(word, v.name) for v in grammar.verbs for word in (v.name, *v.synonyms)]
    several = [(p, p) for p in sorted(grammar.places) if len(words(p)) > 1]
    return Language(
        grammar=grammar,
        verbs=Phrases(named),
        plans={v.name: _plan(v) for v in grammar.verbs},
        aliases=Phrases([*grammar.aliases.items(), *several]),
        terms=Phrases((t.name, t.name) for t in grammar.terms),
        by_term={t.name: t for t in grammar.terms},
        values={t.name: Phrases((v, v) for v in t.values) for t in grammar.terms},
    )


def _plan(verb: Verb) -> Plan:
    return Plan(
        verb=verb,
        positional=tuple(a for a in verb.args if not a.keyword),
        keywords=Phrases((a.keyword, a.name) for a in verb.args if a.keyword),
        args={a.name: a for a in verb.args},
        choices={a.name: Phrases((c, c) for c in a.choices) for a in verb.args},
    )


def _actors(menu: Mapping[str, Any], names: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Menu keys as they stand, then ids and names of units whose other name has a menu."""
    folded = {words(actor): actor for actor in menu}
    pairs = [(actor, actor) for actor in menu]
    for unit, name in names:
        actor = folded.get(words(unit)) or folded.get(words(name)) or unit
        pairs += [(unit, actor), (name, actor)]
    return pairs


_NAMED = frozenset({"unit", "units", "contact"})


def _offered(menu: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Kind and name of what the menu offers for arguments that name something: a ship not yet in
    play, a contact."""
    return [
        (arg["kind"], str(value))
        for items in _distinct(menu.values())
        for item in items
        for arg in item.get("args") or ()
        if arg["kind"] in _NAMED
        for value in arg.get("values") or ()
    ]


def _distinct(menus: Iterable[Any]) -> Iterator[Any]:
    """What each actor may do, once where neighbours may do the same."""
    last: Any = None
    for items in menus:
        if items != last:
            yield items
        last = items


def _question(raw: Mapping[str, Any]) -> Question:
    choices = tuple(str(c) for c in raw.get("choices") or ())
    form = _free(convert(raw["form"], Arg)) if raw.get("form") else None
    return Question(str(raw["id"]).upper(), choices, Phrases((c, c) for c in choices), form)


def _free(arg: Arg) -> Plan:
    return _plan(Verb("answer", Struct, (arg,)))
