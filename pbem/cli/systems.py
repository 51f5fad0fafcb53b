"""`pbem systems`"""

from __future__ import annotations

import click

import games
from pbem.admin.setup import all_options
from pbem.cli.common import as_json, emit, say, system_named
from pbem.errors import NotFound
from pbem.model import Plain, System


@click.command
@as_json
def command(as_json: bool) -> None:
    """List the rule systems with their scenarios, sides and options."""
    found = []
    for name in games.names():
        try:
            found.append(facts(system_named(name)))
        except NotFound as error:  # another package's system must not hide the others
            say(f"error: {error.message}\nhint: {error.hint}")
    emit(found, "\n".join(_line(s) for s in found), as_json)


def facts(system: System) -> Plain:
    """Return a system as JSON data, as `--json` prints it."""
    return {
        "name": system.name,
        "title": system.title,
        "edition": system.edition,
        "scenarios": [
            {"name": s.name, "title": s.title, "sides": list(s.sides)} for s in system.scenarios
        ],
        "options": [
            {
                "name": o.name,
                "values": list(o.values),
                "default": o.values[0],
                "help": o.help,
                "rule": o.rule,
            }
            for o in all_options(system)
        ],
    }


def _line(system: Plain) -> str:
    """Format a system with its scenarios and options."""
    lines = [f"{system['name']}: {system['title']} (edition {system['edition']})"]
    lines += [
        f"  scenario {s['name']}: {s['title']}; sides {', '.join(s['sides'])}"
        for s in system["scenarios"]
    ]
    lines += [
        f"  option {o['name']}={'|'.join(o['values'])}: {o['help']}" for o in system["options"]
    ]
    return "\n".join(lines)
