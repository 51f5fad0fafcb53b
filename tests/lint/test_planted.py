"""The mistakes that authors make, planted in a small game: each is found, and its line is named.

`by` says where a mistake shows first: `load`, when a command loads the system; `play`, in any game;
`lint`, only by `pbem lint`, because the game goes on. `pbem lint` finds all of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import pytest

from pbem.bots.bot_orders import Match
from pbem.engine import drive, watch
from pbem.engine.validate import mistakes
from pbem.lint import seeds, wild, windows, worlds
from pbem.lint.finding import Notes
from pbem.lint.run import lint
from pbem.rulecode import of_error
from pbem.testing import wild as testing
from tests.lint.guest import installed

GAME, CHART, WORDS, NOISE = "game.py", "chart.py", "templates/events.j2", "data/noise.toml"
CHECK = "check.py"


class Mistake(NamedTuple):
    """A mistake: what it is, where it shows, and how it is planted."""

    what: str
    by: Literal["load", "play", "lint"]
    code: str
    """The code of the finding."""
    at: str
    """What the line that the finding names contains."""
    said: str
    """A part of the finding's text."""
    file: str
    old: str
    new: str


COUNT = "        hide.turn += 1\n        return hide\n"
BEGIN = "        books = await table.orders()\n"
ROLL = '(noise,) = table.roll("NOISE/TWIG/-/FOX", m.D6, to=table.sides)'
LEAP = "(on,) = await table.ask(HUNTER, [leap])"
BOT = '        (animal,) = convert(report["units"], list[m.UnitView])\n'
REACH = "        return order.to if order and order.to in self.choices else None\n"
VIEW = "        return view\n"
TURN, SEEN, MOVE = "async def turn", "def view", "class Move("
MISTAKES = (
    Mistake("a die without an audience", "lint", "no-audience", "table.roll", "names no audience",
            GAME, ", m.D6, to=table.sides)", ", m.D6)"),
    Mistake("a hidden name in a shared label", "lint", "label-leaks", "table.roll", "NOISE/TWIG/",
            GAME, '"NOISE/TWIG/-/FOX"', 'f"NOISE/TWIG/{hide.place[\'FOX\']}/FOX"'),
    Mistake("a verb missing in the menu", "lint", "verb-not-offered", "class Pounce", "'pounce'",
            GAME, 'append(m.MenuItem("pounce", (m.MenuArg("to", "place"),)))', "copy()"),
    Mistake("a view that changes the state", "lint", "view-changes-state", "hide.heard = ", "heard",
            GAME, VIEW, "        hide.heard = hide.heard + 1\n" + VIEW),
    Mistake("an illegal line in the form", "lint", "illegal-form-line", SEEN, "move E1",
            GAME, '{who}: move {steps[0]};"]', '{who}: move E1;"]'),
    Mistake("a loop without an end", "play", "turn-fails", "while", "no end after",
            GAME, BEGIN, BEGIN + "        while True: pass\n"),
    Mistake("a turn that is not counted", "play", "turn-fails", TURN, "still 1",
            GAME, COUNT, "        return hide\n"),
    Mistake("a table without a source", "lint", "no-source", "[twig]", "has no source",
            NOISE, 'source = "3.1"\nconfidence = "A"\n', ""),
    Mistake("arguments that nothing judges", "lint", "nothing-judged", MOVE, "random orders",
            GAME, 'm.MenuArg("to", "place", steps)', 'm.MenuArg("to", "place")'),
    Mistake("a default outside the choices", "play", "turn-fails", "table.ask", "not among",
            GAME, "default=at", 'default="Z9"'),
    Mistake("the wrong side is asked", "lint", "names-the-unknown", "table.ask", "HOUND",
            GAME, LEAP, LEAP.replace("HUNTER", "FOX")),
    Mistake("an unknown winner", "play", "turn-fails", TURN, "'foxes'",
            GAME, 'm.Over("fox"', 'm.Over("foxes"'),
    Mistake("an unknown symbol", "lint", "wrong-scene", 'symbol="paw"', "'paw'",
            CHART, 'symbol="piece"', 'symbol="paw"'),
    Mistake("a list of the module that changes", "lint", "module-state", "ANIMAL = ", "ANIMAL",
            GAME, COUNT, "        ANIMAL.setdefault(str(hide.turn), '')\n" + COUNT),
    Mistake("a hidden unit in the view", "lint", "two-worlds-differ", SEEN, "$.contacts[0].place",
            GAME, VIEW, "        view.contacts = [m.ContactView(id='FOX', type='fox', age=0, "
            "place=hide.place['FOX'])]\n" + VIEW),
    Mistake("a loop over a set in a variable", "lint", "hash-seed", "table.tell", "one process",
            GAME, COUNT, "        them = {'ash', 'elm', 'fir', 'oak'}\n        for name in them:\n"
            "            table.tell([FOX], Moved(rule=name, who='', origin='', to=''))\n" + COUNT),
    Mistake("an unknown side", "play", "turn-fails", "table.tell", "'huntress'",
            GAME, "            table.tell([FOX],", "            table.tell(['huntress'],"),
    Mistake("a turn that returns nothing", "play", "turn-fails", TURN, "returned None",
            GAME, COUNT, "        hide.turn += 1\n"),
    Mistake("import random", "lint", "forbidden-import", "import random", "random",
            GAME, "from zlib import crc32\n", "import random\nfrom zlib import crc32\n"),
    Mistake("an import of the ledger", "lint", "forbidden-import", "pbem.store", "pbem.store",
            GAME, "from zlib import crc32\n",
            "from zlib import crc32\nfrom pbem.store import ledger\n"),
    Mistake("an argument without a field", "load", "declaration", MOVE, "'zone'",
            GAME, '(Arg("to", "place"),), "one step"', '(Arg("zone", "place"),), "one step"'),
    Mistake("a turn that never asks", "play", "turn-fails", TURN, "without ever asking",
            GAME, BEGIN, "        hide.turn += 1\n        if hide.turn: return hide\n" + BEGIN),
    Mistake("an unknown field of the state", "play", "turn-fails", "hide.plaice", "plaice",
            GAME, 'if hide.place["FOX"] == hide', 'if hide.plaice["FOX"] == hide'),
    Mistake("an illegal order of the bot", "play", "bot-fails", "def bot", "Z9",
            GAME, "{ANIMAL[side]}: move {steps[", "{ANIMAL[side]}: move Z9{steps["),
    Mistake("an event without a macro", "lint", "no-macro", "class Moved(",
            "/templates/events.j2",
            WORDS, "macro Moved(e)", "macro Walked(e)"),
    Mistake("a value of the wrong type", "play", "turn-fails", "class Hide", "heard",
            GAME, COUNT, "        hide.heard = 'twig'\n" + COUNT),
    Mistake("an example that does not parse", "lint", "bad-example", MOVE, "does not parse",
            GAME, '"FOX: move B1;"', '"FOX: move north;"'),
    Mistake("events without an end", "play", "turn-fails", "table.tell", "more than",
            GAME, BEGIN, BEGIN + "        while True:\n"
            "            table.tell([], Moved(rule='', who='', origin='', to=''))\n"),
    Mistake("one label for two audiences", "play", "turn-fails", "table.roll", "two audiences",
            GAME, ROLL, ROLL + '\n        table.roll("NOISE/TWIG/-/FOX", m.D6, to=[FOX])'),
    Mistake("a field that an event does not have", "lint", "words-fail", "e.frm", "frm",
            WORDS, "e.origin", "e.frm"),
    Mistake("a window that follows a unit", "lint", "window-depends", "window=", "in one report",
            CHART, "5.8, 5.8)", "5.8, 5.8 + units[0].at[0] + 9 * units[0].at[1])"),
    Mistake("knowledge on the board", "lint", "board-leaks", '"the oak"', "circle 'the oak'",
            CHART, "at=(3, 3)", "at=units[0].at"),
    Mistake("a bot that fails with some luck", "lint", "worlds-not-compared", "raise KeyError",
            "could not be compared", GAME, BOT, "        if ' here ' in luck:\n"
            "            raise KeyError('rare')\n" + BOT),
    Mistake("a check that pages cannot run", "lint", "not-for-pages", ".casefold()", "casefold",
            CHECK, "order.to.upper()", "order.to.casefold()"),
    Mistake("a view that is not returned", "play", "view-fails", SEEN, "`view` returned NoneType",
            GAME, VIEW, ""),
    Mistake("a script that is not awaited", "lint", "no-await", "self.rest(", "never runs",
            GAME, COUNT, "        self.rest()\n" + COUNT
            + "\n    async def rest(self) -> None:\n        return\n"),
    Mistake("a template that is none", "lint", "report-fails", "macro Moved", "unexpected",
            WORDS, "macro Moved(e) %}", "macro Moved(e) }"),
    Mistake("an order that stops the turn", "lint", "wild-game-fails", ".index(", "ValueError",
            GAME, REACH, "        if order:\n"
            "            return self.choices[self.choices.index(order.to)]\n        return None\n"),
)  # fmt: skip


pytestmark = pytest.mark.filterwarnings("ignore:coroutine '.*rest' was never awaited")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops without an end are found soon, and leaks at the first positions of a game."""
    monkeypatch.setattr(drive, "MOST_STEPS", 500)
    monkeypatch.setattr(windows, "SECONDS", 1.0)
    monkeypatch.setattr(watch, "MOST_SECONDS", 1.0)
    monkeypatch.setattr(worlds, "FORKS", 2)


def line(place: str, folder: Path) -> str:
    """The line that a place names."""
    file, _, number = place.rpartition(":")
    return (folder / file).read_text("utf-8").splitlines()[int(number) - 1]


@pytest.mark.some(16)
@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda n: MISTAKES[n].what)
def test_a_planted_mistake_is_found_at_its_line(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mistake = MISTAKES[number]
    if mistake.code != "hash-seed":
        monkeypatch.setattr(seeds, "SEEDS", ())
    planted = (mistake.file, mistake.old, mistake.new)
    with installed(f"oak{number}", tmp_path, *planted) as system:
        found = lint(system, games=1)
        of_kind = [f for f in found if f.code == mistake.code]
        assert of_kind, [str(finding) for finding in found]
        named = [f for f in of_kind if mistake.at in line(f.place, tmp_path)]
        assert named, [str(finding) for finding in of_kind]
        assert any(mistake.said in f.text for f in named), [str(finding) for finding in named]
        assert not any("report" in f.hint and "pbem" in f.hint for f in named)


@pytest.mark.some(16)
@pytest.mark.parametrize("number", range(len(MISTAKES)), ids=lambda n: MISTAKES[n].what)
def test_a_mistake_shows_where_the_table_says(number: int, tmp_path: Path) -> None:
    mistake = MISTAKES[number]
    with installed(f"elm{number}", tmp_path, mistake.file, mistake.old, mistake.new) as system:
        wrong = next(mistakes(system), None)
        assert (wrong is not None) == (mistake.by == "load")
        if mistake.by == "load":
            return
        try:
            for seed in "abcd":
                for _ in Match(system, "wood", {"play": "plotted"}, seed).play():
                    pass
        except Exception as error:
            assert mistake.by == "play", error
            place = getattr(error, "place", "") or str(of_error(error) or "")
            assert place == "" or mistake.at in line(place, tmp_path)
        else:
            assert mistake.by == "lint"


def test_wild_games_alone_find_what_no_bot_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding says how to play the game again."""
    monkeypatch.setattr(seeds, "SEEDS", ())
    (planted,) = (mistake for mistake in MISTAKES if mistake.code == "wild-game-fails")
    with installed("elder", tmp_path, planted.file, planted.old, planted.new) as system:
        (found,) = lint(system)
        assert "of a game whose players order anything" in found.text
        call = found.hint[found.hint.index("wild(") : found.hint.index(" of pbem.testing.wild")]
        with pytest.raises(ValueError, match="not in tuple"):
            eval(call, {"wild": testing.wild, "SYSTEM": system})
        monkeypatch.setattr(wild, "WINDOWS", 0)
        assert lint(system) == []


def test_a_fault_that_games_showed_is_not_found_again_in_two_worlds(tmp_path: Path) -> None:
    with installed("fir", tmp_path, GAME, BOT, "        raise KeyError('rare')\n" + BOT) as system:
        notes = Notes()
        worlds.check(system, "wood", {"play": "plotted"}, "a", notes)
        (found,) = notes.findings.values()
        assert found.code == "worlds-not-compared"
        known = Notes()
        known.add("bot-fails", found.place, "KeyError")
        worlds.check(system, "wood", {"play": "plotted"}, "a", known)
        assert [finding.code for finding in known.findings.values()] == ["bot-fails"]


def test_the_game_itself_has_no_findings(tmp_path: Path) -> None:
    with installed("ash", tmp_path) as system:
        assert lint(system) == []
