"""`pbem rules`"""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import to_builtins

import games
from orders.syntax import syntax
from orders.verbs import Arg
from pbem.admin.setup import all_options
from pbem.cli.common import as_json, emit, system_named, system_of
from pbem.cli.completion import systems_and_games
from pbem.engine.edits import kinds
from pbem.errors import NotFound
from pbem.model import Edit, Plain, System
from pbem.store.game_dir import reading
from pbem.store.holders import Ruling


@click.command
@click.argument("what", metavar="SYSTEM|GAME", shell_complete=systems_and_games)
@click.argument("verb", required=False)
@as_json
@click.pass_obj
def command(home: Path, what: str, verb: str | None, as_json: bool) -> None:
    """Show the orders of a system with help and examples, its options, what rulings may edit, and
    its tables.

    For a GAME the rulings in force are shown too. With VERB only that order is shown.
    """
    rulings: list[Ruling] = []
    if what in games.SYSTEMS or what in games.names():
        system = system_named(what)
    else:
        try:
            game = reading(home, what)
        except NotFound as error:
            said = f"there is no system and no game {what!r}"
            raise NotFound(said, f"systems: {', '.join(games.names())}") from error
        system, rulings = system_of(game), [r for r in game.register.rulings if not r.undone]
    found = {**facts(system, verb), "rulings": to_builtins(rulings)}
    emit(found, _text(found), as_json)


def facts(system: System, verb: str | None = None) -> Plain:
    """Return the order language of a system as JSON data, or of one verb. Raises NotFound."""
    verbs = [v for v in system.grammar.verbs if verb in (None, v.name, *v.synonyms)]
    if verb and not verbs:
        known = ", ".join(v.name for v in system.grammar.verbs)
        raise NotFound(f"{system.name} has no order {verb!r}", f"orders: {known}")
    return {
        "system": system.name,
        "verb": verb or "",
        "verbs": [
            {
                "name": v.name,
                "synonyms": list(v.synonyms),
                "setting": v.setting,
                "help": v.help,
                "example": v.example,
                "rule": v.rule,
                "syntax": syntax(v),
                "args": [
                    {
                        "name": a.name,
                        "kind": a.kind,
                        "keyword": a.keyword,
                        "optional": a.optional,
                        "choices": list(a.choices),
                        **({"of": [_part(p) for p in a.of]} if a.of else {}),
                    }
                    for a in v.args
                ],
            }
            for v in verbs
        ],
        "terms": [
            {
                "name": t.name,
                "kind": t.kind,
                "values": list(t.values),
                "help": t.help,
                **({"of": t.of} if t.of else {}),
            }
            for t in system.grammar.terms
        ],
        "triggers": [{"name": t.name, "help": t.help} for t in system.grammar.triggers],
        "options": [
            {"name": o.name, "values": list(o.values), "help": o.help, "rule": o.rule}
            for o in all_options(system)
        ],
        "edits": [_edit(name, kind) for name, kind in kinds(system).items()],
        "reference": "" if verb else system.reference(),
    }


def _part(part: Arg) -> Plain:
    """Describe a part of the rows of an argument."""
    return {"name": part.name, "kind": part.kind, "choices": list(part.choices)}


def _edit(name: str, kind: type[Edit]) -> Plain:
    """Describe a kind of edit that a ruling may make: the value of `do`, and its keys."""
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"do": name, "keys": list(kind.__struct_fields__), "help": said}


def _text(found: Plain) -> str:
    """Format the order language for people."""
    lines = [f"Orders of {found['system']}"]
    whole = not found["verb"]
    for v in found["verbs"]:
        lines.append(f"  {v['syntax']}")
        lines.append(f"      {v['help']} ({v['rule']})  e.g.  {v['example']}")
        if v["setting"]:
            lines.append("      a setting: it stands beside the actor's other orders")
        if v["synonyms"]:
            lines.append(f"      also written {', '.join(v['synonyms'])}")
    if found["terms"] and whole:
        lines += ["", "Conditions may test"]
        lines += [f"  {_term(t)}: {t['help'] or t['kind']}" for t in found["terms"]]
    if found["triggers"] and whole:
        lines += ["", "Orders may wait for (when ... then ...)"]
        lines += [f"  {t['name']}: {t['help']}".rstrip(": ") for t in found["triggers"]]
    if whole:
        lines += ["", "Options of a new game"]
        lines += [f"  {o['name']}={'|'.join(o['values'])}: {o['help']}" for o in found["options"]]
        lines += ["", "A ruling may change (do = ...)"]
        lines += [f"  {e['do']}, with {', '.join(e['keys'])}: {e['help']}" for e in found["edits"]]
    if found["rulings"]:
        lines += ["", "Rulings in force"]
        lines += [f"  window {r['window']}: {r['reason']}" for r in found["rulings"]]
    if found["reference"]:
        lines += ["", found["reference"]]
    return "\n".join(lines)


def _term(term: Plain) -> str:
    """A term with what stands behind it: `range of CONTACT`."""
    about = {"either": "UNIT or CONTACT"}.get(term.get("of", ""), term.get("of", "").upper())
    return f"{term['name']} {about}".strip()
