"""`pbem systems`"""

from __future__ import annotations

import click

from pbem.admin.setup import all_options
from pbem.bots.kinds import known
from pbem.cli.common import as_json, emit, say, whole_systems
from pbem.data import editions
from pbem.errors import RulesFault
from pbem.model import Plain, Scenario, System
from pbem.rulecode import of_error, of_system
from pbem.turns.close_window import SHOWN


@click.command
@as_json
def command(as_json: bool) -> None:
    """List the rule systems with their scenarios, sides and options."""
    found = []
    for system in whole_systems():
        try:
            found.append(facts(system))
        except Exception as error:  # of one package, as a table that is missing; hides no others
            place, name = of_error(error) or of_system(system), system.name
            said = f"the system {name} cannot be listed: {type(error).__name__}: {error}"
            hint = f"repair the package that provides {name}"
            say(f"{RulesFault.opening}{place}: {said}\nhint: {hint}")
    emit(found, "\n".join(_line(s) for s in found), as_json)


def facts(system: System) -> Plain:
    """Return a system as JSON data, as `--json` prints it."""
    sides = dict.fromkeys(side for one in system.scenarios for side in one.sides)
    return {
        "name": system.name,
        "title": system.title,
        "edition": system.edition,
        "data": system.digest(),
        "editions": editions(system.name),
        "scenarios": [
            {"name": s.name, "title": s.title, "sides": list(s.sides), **_roles(s)}
            for s in system.scenarios
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
        "bots": {side: known(system, side) for side in sides},
    }


def _roles(scenario: Scenario) -> Plain:
    """Return side to its roles' names and titles, under `roles`; empty without roles."""
    found = {side: {r.name: r.title for r in roles} for side, roles in scenario.roles.items()}
    return {"roles": found} if found else {}


def _seats(scenario: Plain) -> str:
    """List the sides, each with its roles: `british (air, subs), german`."""
    roles = scenario.get("roles", {})
    several = {side: f" ({', '.join(roles[side])})" for side in roles}
    return ", ".join(f"{side}{several.get(side, '')}" for side in scenario["sides"])


def _line(system: Plain) -> str:
    """Format a system with its scenarios and options."""
    known = f"edition {system['edition']}, data {system['data'][:SHOWN]}"
    former = f"; older games: {', '.join(system['editions'])}" if system["editions"] else ""
    lines = [f"{system['name']}: {system['title']} ({known}{former})"]
    lines += [
        f"  scenario {s['name']}: {s['title']}; sides {_seats(s)}" for s in system["scenarios"]
    ]
    lines += [
        f"  option {o['name']}={'|'.join(o['values'])}: {o['help']}" for o in system["options"]
    ]
    lines += [f"  bot {name}: {about}" for name, about in _bots(system).items()]
    return "\n".join(lines)


def _bots(system: Plain) -> dict[str, str]:
    """Kind to what such bots do; for a kind that some sides have, behind these sides."""
    told = dict[str, dict[str, list[str]]]()
    for side, kinds in system["bots"].items():
        for kind, about in kinds.items():
            told.setdefault(kind, {}).setdefault(about, []).append(side)
    return {
        kind if len(sides) == len(system["bots"]) else f"{kind} ({', '.join(sides)})": about
        for kind, abouts in told.items()
        for about, sides in abouts.items()
    }
