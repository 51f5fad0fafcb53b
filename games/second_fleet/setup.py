"""6.18 The scenarios: set-up is fixed."""

from __future__ import annotations

from collections.abc import Mapping

from games.second_fleet import knowledge
from games.second_fleet.board import BASES, NATO, SIDES, SOVIET
from games.second_fleet.state import Field, Squadron, Vessel, War
from games.second_fleet.tables import aircraft, force, loads, plan, ships, wings
from pbem.kit.contacts import Pseudonyms
from pbem.model import Side


def begin(scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
    """The position of turn 1."""
    war = War(
        turn=1,
        scenario=scenario,
        options={"windows": "segments", "told": "yes", "fog": "hidden", **options},
        vessels={},
        squadrons={},
        fields={hex_: Field(base.side) for hex_, base in BASES.items()},
        groups={},
        known={side: {} for side in SIDES},
        called={side: Pseudonyms("EN") for side in SIDES},
        held={side: {} for side in SIDES},
        named={side: [] for side in SIDES},
        used={side: [] for side in SIDES},
    )
    plan(scenario)
    for side in (NATO, SOVIET):
        _muster(war, side)
    war.vessels = dict(sorted(war.vessels.items()))  # as a stored state has them
    war.squadrons = dict(sorted(war.squadrons.items()))
    if war.open:
        knowledge.lay_open(war)
    return war


def _muster(war: War, side: Side) -> None:
    """Groups, single ships, aircraft on airfields, and the wings of carriers."""
    listed = force(war.scenario, side)
    for post in listed.groups:
        war.groups[post.name] = side
        for name in post.units:
            _launch(war, side, name, post.hex, post.name)
    for post in listed.singles:
        _launch(war, side, post.units[0], post.hex, "")
    for post in listed.air:
        for name in post.units:
            war.squadrons[aircraft_id(name)] = Squadron(name, side, post.hex)


def aircraft_id(name: str) -> str:
    """An air unit that exists. Raises KeyError."""
    aircraft()[name]
    return name


def _launch(war: War, side: Side, name: str, hex_: str, group: str) -> None:
    war.vessels[name] = Vessel(ships()[name].id, side, hex_, group, wake=[hex_])
    for unit in wings().get(name, ()):
        war.squadrons[aircraft_id(unit)] = Squadron(unit, side, name)
    if ships()[name].type == "CV":
        nation = ships()[name].nation
        counts = {
            id_: {"US": load.us, "UK": load.uk}.get(nation, 0) for id_, load in loads().items()
        }
        war.loads[name] = {id_: count for id_, count in counts.items() if count}
