"""All checks of a rule system, for `pbem lint` and for tests.

In the tests of a system of your own:

    from pbem.lint.run import lint
    from yours.game import SYSTEM

    def test_lint() -> None:
        assert not [str(finding) for finding in lint(SYSTEM)]
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.lint import module_state, seeds, source, static, wild, worlds
from pbem.lint.finding import Finding, Notes
from pbem.lint.windows import Watch
from pbem.model import System
from pbem.rulecode import of_system

GAMES = 2
"""Bot games that are played in every scenario, and as many games of players who order anything."""


def lint(
    system: System, scenarios: Sequence[str] = (), games: int = GAMES, seed: str = "lint"
) -> list[Finding]:
    """Every mistake that can be found in a system, in the order of its files and lines. For the
    parameters see `examined`."""
    return in_order(examined(system, scenarios, games, seed))


def examined(
    system: System, scenarios: Sequence[str] = (), games: int = GAMES, seed: str = "lint"
) -> Notes:
    """The findings about a system, and remarks.

    scenarios: those to play, by name; empty: all. games: how many bot games in each, and how many
    of players who order anything. The bots play with plotted and with asked questions in turn;
    where no menu offered some verb, they also play with the last value of each option.
    """
    notes = Notes()
    with notes.watching("import-fails", of_system(system), "importing the system's modules"):
        source.modules(system)
        static.check(system, notes)
    if any(finding.code == "declaration" for finding in notes.findings.values()):
        return notes
    before = module_state.taken(system)
    names = [s.name for s in system.scenarios if not scenarios or s.name in scenarios]
    watch = Watch(system, notes)
    played = [
        watch.play(name, _options(system, number), f"{seed} {name} {number}")
        for name in names
        for number in range(games)
    ]
    for name in names:  # verbs that an option alone brings
        if all(played) and watch.unoffered():
            played.append(watch.play(name, _others(system), f"{seed} {name} others"))
    if all(played):
        playing = seeds.begun(system, names[0], _options(system, 0), f"{seed} seeds")
        for name in names:
            for number in range(games):
                wild.check(system, name, f"{seed} {name} wild {number}", notes)
            worlds.check(system, name, _options(system, 0), f"{seed} {name}", notes)
        seeds.check(system, playing, notes)
    module_state.check(system, before, notes)
    watch.findings(all(played))
    return notes


def _options(system: System, number: int) -> dict[str, str]:
    """The options of a game: defaults, with asked questions in every second game."""
    found = {option.name: option.values[0] for option in system.options}
    return {"play": ("plotted", "asked")[number % 2], **found}


def _others(system: System) -> dict[str, str]:
    """The options of a game in which none has its usual value."""
    return {"play": "plotted", **{option.name: option.values[-1] for option in system.options}}


def in_order(notes: Notes) -> list[Finding]:
    """The findings in the order of their files and lines."""

    def key(finding: Finding) -> tuple[str, int]:
        file, _, line = finding.place.rpartition(":")
        return file, int(line) if line.isdigit() else 0

    return sorted(notes.findings.values(), key=key)
