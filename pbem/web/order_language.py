"""What the order page needs to read orders as the referee does: its program, and public data.

The program is the order language in the browser (templates/order_page/js) with what each system
adds (templates/SYSTEM/checks.js); the data is made from the grammar and fold table that Python
uses, so that neither is written twice. Nothing of a game under way goes in but its report.
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
from pbem.web.page_data import Data

MODULES = (
    *("fold", "canon", "reading", "cursor", "vocabulary", "header", "heads", "arguments", "when"),
    *("parse", "diagnose", "show", "gate", "language"),
)
"""The modules of the language, each behind those that it imports."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "([^"]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def program(systems: Iterable[System]) -> str:
    """The language and what these systems add, as the text of one module script."""
    own = [_own(system.name) for system in systems]
    return "\n".join([joined(f"order_page/js/{name}.js" for name in MODULES), *filter(None, own)])


def joined(names: Iterable[str]) -> str:
    """Modules of the templates folder in one scope: their top-level names must all differ."""
    return "\n".join(map(_module, names))


def data(systems: Iterable[System], setup: str = "") -> Data:
    """The fold table and each system's language, fit for JSON.

    setup: the set-up text of the one game that the page is for; it may hold tables of the
    moderator's own. Without it the page is for any game, by the edition's tables; where a report
    that it opens names others, what those decide is left to the referee.
    """
    house = _house(setup) if setup else {}
    languages = {system.name: _language(system, house) for system in systems}
    return {"fold": _folds(), "languages": languages}


def _house(setup: str) -> Mapping[str, str]:
    """The moderator's tables, which the set-up text makes public."""
    found: Mapping[str, str] = json.loads(setup).get("house", {})
    return found


@cache
def _module(name: str) -> str:
    """A module without its imports and exports."""
    return _EXPORT.sub("", _IMPORT.sub("", template(name).decode()))


def _own(system: str) -> str:
    """What a system adds, in a scope of its own; empty where the menu says it all."""
    try:
        main = template(f"{system}/checks.js").decode()
    except FileNotFoundError:
        return ""
    beside = [name[2:] for name in _IMPORT.findall(main) if name.startswith("./")]
    return "{\n" + joined(f"{system}/{name}" for name in (*beside, "checks.js")) + "}\n"


def _folds() -> list[tuple[str, str]]:
    """The fold table turned round: what characters become, and which do."""
    rows: dict[str, str] = {}
    for char, plain in table().items():
        rows[plain] = rows.get(plain, "") + char
    return sorted(rows.items())


def _language(system: System, house: Mapping[str, str]) -> Data:
    grammar: Grammar = system.grammar
    return {
        "verbs": [_verb(verb) for verb in grammar.verbs],
        "terms": [_sparse(term, Term("", "flag")) for term in grammar.terms],
        "places": sorted(grammar.places),
        "aliases": dict(grammar.aliases),
        "tables": sorted(house),
        "public": dict(system.public_tables(house)),
    }


def _verb(verb: Verb) -> Data:
    """A verb without the struct that the rules read."""
    told: dict[str, object] = {
        "name": verb.name,
        "args": [_sparse(arg, Arg("", "name")) for arg in verb.args],
    }
    more = {"help": verb.help, "example": verb.example, "rule": verb.rule}
    return told | more | ({"synonyms": verb.synonyms} if verb.synonyms else {})


def _sparse(item: Arg | Term, bare: Arg | Term) -> Data:
    """The fields that differ from a bare one's; name and kind always."""
    usual = msgspec.to_builtins(bare)
    told: Data = msgspec.to_builtins(item)
    return {k: v for k, v in told.items() if k in ("name", "kind") or v != usual[k]}
