"""6.18 The scenarios: set-up is fixed."""

from __future__ import annotations

from collections.abc import Mapping

from games.second_fleet import campaign, knowledge, muster, nuclear
from games.second_fleet.advanced_state import Landings
from games.second_fleet.board import BASES, NATO, SIDES, SOVIET
from games.second_fleet.state import Field, Squadron, Vessel, War
from games.second_fleet.tables import aircraft, force, ships
from pbem.kit.contacts import Pseudonyms
from pbem.model import Side

ADVANCED = ("deep", "logistics")
"""Options that are rules of the advanced level."""


def begin(scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
    """The position of turn 1."""
    war = War(
        turn=1,
        scenario=scenario,
        options={
            "windows": "segments",
            "told": "yes",
            "fog": "hidden",
            "command": "shared",
            **options,
        },
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
    _require_fitting(war)
    war.politics.strategy = war.plan.strategy
    war.landings = {side: Landings() for side in SIDES}
    if war.on("nuclear"):
        nuclear.begin(war)
    if war.plan.roster:
        campaign.begin(war)
        return war
    for side in (NATO, SOVIET):
        _muster(war, side)
    muster.sort(war)
    for side in SIDES:
        war.remark(side)
    if war.open:
        knowledge.lay_open(war)
    return war


def _require_fitting(war: War) -> None:
    """220 Options and a scenario that need the advanced level. Raises ValueError."""
    for option in ADVANCED:
        if war.on(option) and not war.advanced:
            raise ValueError(f"{option}=yes needs level=advanced (220)")
    if war.plan.roster and not war.advanced:
        raise ValueError(f"the campaign needs the advanced level, not {war.level} (220)")


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
    muster.equip(war, side, name)
