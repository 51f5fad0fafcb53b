"""Checks at every window of a watched bot game: views, forms, menus, questions, resuming."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec

from orders.report import MenuItem
from orders.verbs import Verb
from pbem.base.report_json import Report
from pbem.bots.bot_orders import Match
from pbem.bots.random_orders import Writer
from pbem.engine.drive import Drive
from pbem.engine.position import encode
from pbem.engine.role_views import heard, role_view
from pbem.engine.runner import a_view
from pbem.engine.watch import limited
from pbem.lint import change, pictures
from pbem.lint.difference import first_difference
from pbem.lint.finding import Notes, Stopped
from pbem.lint.watched import Diary, diary, driver
from pbem.model import Side, State, System, View
from pbem.player.reader import read_text
from pbem.reports import render, wording
from pbem.reports.report import SILENT, Words
from pbem.roles import seat
from pbem.rulecode import Place, of_error, of_function, of_system
from pbem.scene import Scene

SECONDS = 10.0
"""Processor time that the rules may take for one window, or for one view."""
MOST_WINDOWS = 5000
DRAWN_EVERY = 8
"""Every so many windows, pages and charts are made too; and random orders are judged."""
FREE = frozenset({"place", "path", "places"})
"""Kinds of arguments for which the menu may list no values, so that a check must judge them."""
WORDS = Words(wording.events, wording.questions)


class Anywhere(Writer):
    """Writes random orders with places from the whole board."""

    def free(self, item: MenuItem) -> bool:
        """Whether some place of an order may be any, as its menu lists none."""
        listed = {arg.name: arg.values for arg in item.args}
        args = self.verbs[item.verb].args
        return any(arg.kind in FREE and not listed.get(arg.name) for arg in args)

    def place(self) -> str:
        """Any place."""
        return self.luck.choice(self.places)


class Watch:
    """What the games of one system showed; `findings` reports what only all of them can show."""

    def __init__(self, system: System, notes: Notes) -> None:
        self.system, self.notes = system, notes
        self.offered: set[str] = set()
        """Verbs that some menu offered."""
        self.accepted: Counter[str] = Counter()
        """Verb -> random orders that the checker accepted."""
        self.ordered: set[str] = set()
        """Verbs that some bot ordered."""
        self.refused = 0
        """Random orders that the checker refused."""
        self.samples: dict[str, str] = {}
        self.answering: set[type] = set()
        """The structs of verbs that answer questions."""
        self.charts: list[Scene] = []
        """The main chart of the game's first report; empty before."""

    def play(self, scenario: str, options: Mapping[str, str], seed: str) -> bool:
        """Play one bot game with every check. Return whether it came to its end; a fault that stops
        it is a finding."""
        windows = 0
        self.charts.clear()
        try:
            match = self._begun(scenario, options, seed)
            while match.drive.over is None and windows < MOST_WINDOWS:
                self._window(match, windows, options)
                windows += 1
        except Stopped:
            return False
        if match.drive.over is None:
            text = f"a game of {scenario!r} is not over after {windows} windows"
            self.notes.add("no-end", self._at("turn"), text, "return Over after the last turn")
        return match.drive.over is not None

    def unoffered(self) -> bool:
        """Is there a verb that no menu has offered yet?"""
        return any(verb.name not in self.offered for verb in self.system.grammar.verbs)

    def findings(self, whole: bool) -> None:
        """Note verbs that no menu offered, and verbs whose arguments nothing judges; remark on
        verbs that were offered and that no bot used. whole: whether all games came to their end; a
        game that stopped before its first menu shows nothing of verbs."""
        verbs = [verb.name for verb in self.system.grammar.verbs]
        if idle := [name for name in verbs if name in self.offered - self.ordered]:
            text = f"no bot ordered {', '.join(idle)}, so that games of bots do not try these verbs"
            self.notes.remarks.append(text)
        for verb in self.system.grammar.verbs:
            if verb.name not in self.offered:
                if not (whole or self.offered):
                    continue
                self.notes.add(
                    "verb-not-offered",
                    self._of_verb(verb),
                    f"no menu offered {verb.name!r} in any game that was played",
                    "add its MenuItem to the view's `menu` for the units that may use it",
                )
            elif self.accepted[verb.name] and not self.refused and verb.type not in self.answering:
                self.notes.add(
                    "nothing-judged",
                    self._of_verb(verb),
                    f"the menu lists no values for {verb.name!r}, and no check refused any of "
                    f"{self.accepted[verb.name]} random orders such as {self.samples[verb.name]!r}",
                    "list the possible values in its MenuItem, or judge them in `System.check`",
                )

    def _begun(self, scenario: str, options: Mapping[str, str], seed: str) -> Match:
        with (
            self.notes.needing("turn-fails", self._at("turn"), "beginning a game"),
            limited(SECONDS),
        ):
            return Match(self.system, scenario, options, seed, driver(self.notes))
        raise AssertionError

    def _window(self, match: Match, number: int, options: Mapping[str, str]) -> None:
        """Check everything at a pause, then let the bots close the window."""
        drive, thorough = match.drive, number % DRAWN_EVERY == 0
        noted = diary(drive)
        self._questions(match, noted)
        for side in drive.sides:
            self._side(match, side, thorough, Random(f"{match.seed} {number} {side}"))
        self._roles(match)
        self._truth(drive)
        self._resume(drive, options)
        noted.steps.clear()
        noted.asked.clear()
        with self.notes.needing("bot-fails", self._at("bot"), "letting a bot write orders"):
            sets = {side: match.orders(side) for side in drive.sides}
        for order in (order for written in sets.values() for order in written.orders):
            self.ordered.update(action.verb for action in (*order.actions, *order.otherwise))
        place = self._at("turn")
        with self.notes.needing("turn-fails", place, "closing a window"), limited(SECONDS):
            match.closing = drive.close(sets, match.dice)
        self.answering |= noted.answering
        with self.notes.needing("audit-fails", self._at("audit"), "checking the state"):
            self.system.audit(drive.state)
        self._labels(match, noted)

    def _side(self, match: Match, side: Side, thorough: bool, random: Random) -> None:
        """Everything that a side receives, and what it may order."""
        drive = match.drive
        view = self._unchanging(drive, "view", lambda s: self._view(s, side))
        if view is None:
            raise Stopped
        self._facts(drive, side, view)
        words = WORDS if thorough else SILENT
        with self.notes.needing("report-fails", self._at("view"), f"making the report of {side}"):
            report = match.report(side, words)
        with self.notes.watching("words-fail", self._at("view"), "wording the report's events"):
            if not thorough:
                wording.events(self.system.templates, report.plain["events"])
                wording.questions(self.system.templates, report.plain["questions"])
        if match.drive.over is None:
            self._menu(report)
            self._form(report)
            if thorough:
                self._random_orders(report, random)
        if thorough:
            with self.notes.watching("page-fails", self._at("view"), f"making the pages of {side}"):
                render.text(report.plain)
                render.html(report.plain)
            pictures.check(self.system, report.plain, self.notes, self.charts)

    def _view(self, state: State, side: Side) -> View:
        return a_view(self.system, self.system.view(state, side))

    def _unchanging(self, drive: Drive, method: str, call: Callable[[Any], View]) -> View | None:
        """The result of a method that must not change the state and must give the same again."""
        before, place = encode(drive.state), self._at(method)
        try:
            with limited(SECONDS):
                view, again = call(drive.state), call(drive.state)
        except Exception as error:
            self.notes.error(f"{method}-fails", error, place, f"calling `{method}`")
            return None
        after = encode(drive.state)
        if after != before:
            changed = first_difference(msgspec.json.decode(before), msgspec.json.decode(after))
            self.notes.add(
                f"{method}-changes-state",
                change.line_of(self.system, before, call) or place,
                f"`{method}` changes the state at {changed}",
                "a report may be made any number of times: copy what is to be changed",
            )
            raise Stopped
        differ = first_difference(msgspec.to_builtins(view), msgspec.to_builtins(again))
        if differ:
            self.notes.add(
                f"{method}-not-repeatable",
                place,
                f"`{method}` gives different values for the same state: {differ}",
                "it may depend on the state alone: no random, clock, or data of the module",
            )
        return view

    def _truth(self, drive: Drive) -> None:
        self._unchanging(drive, "truth", self.system.truth)
        self._unchanging(drive, "watched", self.system.watched)

    def _roles(self, match: Match) -> None:
        """What officers with roles see and hear; `role_view` checks that it is their side's."""
        scenario = next(s for s in self.system.scenarios if s.name == match.scenario)
        for side, roles in scenario.roles.items():
            for role in roles:
                self._role(match, seat(side, role.name))

    def _role(self, match: Match, one: str) -> None:
        drive, closing = match.drive, match.closing
        self._unchanging(drive, "role_view", lambda s: role_view(self.system, s, one))
        told, rolls = (closing.told, closing.rolls) if closing else ((), ())
        place = self._at("role_hears")
        with self.notes.watching("role-fails", place, f"telling {one} what happened"):
            heard(self.system, drive.state, one, told, rolls)

    def _facts(self, drive: Drive, side: Side, view: View) -> None:
        """Every term of the grammar, asked for some units."""
        before = encode(drive.state)
        with self.notes.watching("facts-fail", self._at("facts"), "judging a condition"):
            facts = self.system.facts(drive.state, side)
            for actor in [*view.menu][:3]:
                for term in self.system.grammar.terms:
                    if not getattr(term, "of", ""):
                        facts(term.name, actor)
            if before != encode(drive.state):
                self.notes.add(
                    "facts-change-state",
                    self._at("facts"),
                    "judging a condition changes the state",
                    "conditions may be judged any number of times",
                )
                raise Stopped

    def _menu(self, report: Report) -> None:
        """What the menu offers must be in the grammar."""
        verbs = {verb.name: {arg.name for arg in verb.args} for verb in self.system.grammar.verbs}
        for actor, items in report.menu.items():
            for item in items:
                self.offered.add(item.verb)
                unknown = sorted({arg.name for arg in item.args} - verbs.get(item.verb, set()))
                if item.verb not in verbs or unknown:
                    what = f"arguments {unknown} of {item.verb!r}" if unknown else repr(item.verb)
                    self.notes.add(
                        "menu-not-in-grammar",
                        self._at("view"),
                        f"the menu offers {actor} {what}, which the grammar does not have",
                        f"verbs: {', '.join(verbs)}",
                    )

    def _form(self, report: Report) -> None:
        """The unedited form must be a valid set."""
        if not report.suggest:
            return
        text = "\n".join(["BEGIN ORDERS", *report.suggest, "END ORDERS\n"])
        with self.notes.watching("form-fails", self._at("view"), "reading the unedited form"):
            for wrong in read_text(self.system, report, text).diagnostics:
                self.notes.add(
                    "illegal-form-line",
                    self._at("view"),
                    f"`form` of {report.side} suggests {wrong.source.strip()!r}, which is refused: "
                    f"{wrong.text} ({wrong.code})",
                    "the unedited form must be a valid set of orders",
                )

    def _random_orders(self, report: Report, random: Random) -> None:
        """Give orders with places from the whole board where the menu lists none."""
        writer = Anywhere(report.plain, self.system.grammar, random)
        lines = [
            (item.verb, f"{actor}: {writer.deed(item)};")
            for actor, items in writer.menu.items()
            for item in items
            if item.verb in writer.verbs and writer.free(item)
        ]
        if not lines or not self.system.grammar.places:
            return
        text = "\n".join(["BEGIN ORDERS", *(line for _, line in lines), "END ORDERS\n"])
        with self.notes.watching("check-fails", self._at("check"), "judging random orders"):
            wrong = {d.line for d in read_text(self.system, report, text).diagnostics}
            for number, (verb_name, line) in enumerate(lines, 2):
                if number in wrong:
                    self.refused += 1
                else:
                    self.accepted[verb_name] += 1
                    self.samples[verb_name] = line

    def _questions(self, match: Match, noted: Diary) -> None:
        """A question may name nothing that only another side's view shows."""
        units = self._units(match.drive) if noted.asked else {}
        for side, question, place in noted.asked:
            what = f"the question {type(question).__name__}"
            self._known(match, units, side, question.about, place, what)

    def _labels(self, match: Match, noted: Diary) -> None:
        """The label of a roll may name nothing that part of its audience does not know."""
        rolls = [step for step in noted.steps if step.kind == "roll"]
        units = self._units(match.drive) if rolls else {}
        for step in rolls:
            for side in step.to:
                self._known(match, units, side, step.said, step.place, f"the roll {step.said}")

    def _units(self, drive: Drive) -> dict[Side, set[str]]:
        """The units that each side's view shows as its own, upper-case."""
        views = ((side, self.system.view(drive.state, side)) for side in drive.sides)
        return {side: {unit.id.upper() for unit in view.units} for side, view in views}

    def _known(
        self,
        match: Match,
        units: Mapping[Side, set[str]],
        side: Side,
        said: str,
        place: Place | None,
        what: str,
    ) -> None:
        """Note a finding if `said` contains a unit of another side that `side` does not know.
        units: as `_units` gives them."""
        words = re.findall(r"[^/,;:]+", said.upper())
        foreign = {name for other in units if other != side for name in units[other]}
        named = [word.strip() for word in words if word.strip() in foreign]
        if not named:
            return
        known = msgspec.json.encode(match.report(side).plain).decode().upper()
        for name in named:
            if f'"{name}"' not in known and not re.search(rf"\b{re.escape(name)}\b", known):
                self.notes.add(
                    "names-the-unknown",
                    place or self._at("turn"),
                    f"{what} to {side} names {name}, which the report of {side} does not show",
                    "check the audience, and use names that all of it know",
                )

    def _resume(self, drive: Drive, options: Mapping[str, str]) -> None:
        """A game goes on from its stored position in another process: the same must come out."""
        steps = diary(drive).steps
        place = next((step.place for step in reversed(steps) if step.place), self._at("turn"))
        try:
            with limited(SECONDS):
                Drive.resume(self.system, drive.sides, options, drive.position())
        except Exception as error:
            self.notes.add(
                "not-resumable",
                of_error(error) or place,
                f"a turn that is run again from its position goes another way: {error}",
                "a turn may depend only on its state, orders and dice: no random, clock, data of "
                "its module, or loop over a set",
            )
            raise Stopped from error

    def _at(self, method: str) -> Place:
        return of_system(self.system, method)

    def _of_verb(self, verb: Verb) -> Place:
        return of_function(verb.type) or of_system(self.system)
