"""The order language for the order page: the program that parses and checks orders, and its data.

The program is the JavaScript of templates/order_page/js with the checks of each system, translated
from Python (`pbem.translate`). The data is made from the grammar and the fold table that Python
uses, so that nothing is written twice. It is public: nothing of a game goes in except its set-up
text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec

from orders.fold import table
from orders.verbs import Arg, Grammar, Term, Verb
from pbem.data import template
from pbem.model import System
from pbem.translate.compiled import checks
from pbem.translate.translation import NotTranslatable, Translation, runtime
from pbem.web.page_data import Data

MODULES = (
    *("fold", "canon", "reading", "cursor", "vocabulary", "header", "heads", "readers"),
    *("arguments", "when", "parse", "diagnose", "role", "show", "gate", "in_force"),
    "language",
)
"""The modules of the language, each after the modules that it imports."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "[^"]*";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def program(systems: Iterable[System]) -> str:
    """The language and the checks of these systems, as one module script."""
    own = "".join(_checks(system, {}).code for system in systems)
    language = joined(f"order_page/js/{name}.js" for name in MODULES)
    # in a scope of its own, where the minifier shortens all names
    return f"{language}\n{{\n{runtime(own)}\n{own}}}\n" if own else language


def joined(names: Iterable[str]) -> str:
    """Modules of the templates folder, joined into one scope without imports and exports.

    All their top-level names must differ. A page cannot import: it is one file, and its policy
    permits only the script whose hash it states.
    """
    return "\n".join(map(_module, names))


def data(systems: Iterable[System], setup: str = "") -> Data:
    """The fold table and each system's language, as JSON data.

    setup: the set-up text of the one game that the page is for, which may contain house rules.
    Without it, the page is for any game, with the edition's own tables; if a report that it opens
    names house rules, the page leaves to the referee what those decide.
    """
    house = _house(setup) if setup else {}
    languages = {system.name: _language(system, house) for system in systems}
    return {"fold": _folds(), "languages": languages}


def _house(setup: str) -> Mapping[str, str]:
    """The house rules in a set-up text, which makes them public: name -> text of the table."""
    found: Mapping[str, str] = json.loads(setup).get("house", {})
    return found


@cache
def _module(name: str) -> str:
    """A module without its imports and exports."""
    return _EXPORT.sub("", _IMPORT.sub("", template(name).decode()))


def _checks(system: System, house: Mapping[str, str]) -> Translation:
    """The checks of a system; none if they cannot be translated, because players need a page even
    if their system's author has a line to correct: the referee judges all orders anyway."""
    try:
        return checks(system, house)
    except NotTranslatable:
        return Translation("", [])


def _folds() -> list[tuple[str, str]]:
    """The fold table, inverted to save space: (replacement, all characters that become it)."""
    rows: dict[str, str] = {}
    for char, plain in table().items():
        rows[plain] = rows.get(plain, "") + char
    return sorted(rows.items())


def _language(system: System, house: Mapping[str, str]) -> Data:
    """The grammar of a system and the constants of its checks."""
    grammar: Grammar = system.grammar
    return (
        {
            "edition": system.edition,
            "verbs": [_verb(verb) for verb in grammar.verbs],
            "terms": [_sparse(term, Term("", "flag")) for term in grammar.terms],
            "triggers": [trigger.name for trigger in grammar.triggers],
            "places": sorted(grammar.places),
            "aliases": dict(grammar.aliases),
            "tables": sorted(house),
            "values": _checks(system, house).values,
        }
        | ({"whole_sets": True} if system.whole_sets else {})
        | ({"spent": sorted(system.spent)} if system.spent else {})
        | ({"idle": system.idle} if system.idle else {})
    )


def _verb(verb: Verb) -> Data:
    """A verb as JSON data, without the struct that only the rules use."""
    told: dict[str, object] = {
        "name": verb.name,
        "args": [_sparse(arg, Arg("", "name")) for arg in verb.args],
    }
    more: dict[str, object] = {"help": verb.help, "example": verb.example, "rule": verb.rule}
    more |= {"once": verb.once} if verb.once else {}
    more |= {"setting": True} if verb.setting else {}
    return told | more | ({"synonyms": verb.synonyms} if verb.synonyms else {})


def _sparse(item: Arg | Term, bare: Arg | Term) -> Data:
    """Name and kind, and those other fields that differ from `bare`, the default."""
    usual = msgspec.to_builtins(bare)
    told: Data = msgspec.to_builtins(item)
    return {k: v for k, v in told.items() if k in ("name", "kind") or v != usual.get(k)}
