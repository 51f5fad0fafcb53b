"""What people ask of the club by mail, and its answers.

Nobody is entered by a forgery: a seat is taken by the signed answer to a joining letter, which goes
to the address that asked; every other wish is confirmed by a code that was mailed there, unless a
key signed it that the club knows for that address. Answers are counted for each address and, for
all addresses that belong to no member, together; none contains what its receiver did not ask for.
"""

from __future__ import annotations

import os
from datetime import timedelta

from pbem.base.clock import now, parse, stamp
from pbem.base.config import is_address
from pbem.club.mails import note, post, words
from pbem.club.members import (
    admit,
    chosen_name,
    doubted_keys,
    ended_keys,
    is_proof,
    rename,
    same_person,
)
from pbem.club.offers import Load, Table, open_offers, table_of
from pbem.club.state import Club, Offer, Pending, Standby, Todo
from pbem.errors import PbemError
from pbem.inbound.club_words import CODE, Wish
from pbem.text.layout import ascii_fold, wrap
from pbem.text.messages import Note

EACH = 5
"""Answers a day to one address."""
KEPT = timedelta(days=7)
"""How long a code can be used, and how old a signed wish may be."""
MOST = 2000
"""Wishes that wait for their confirmation at the same time; the oldest make room."""


class SignUp:
    """Answers wishes. Changes are made in the state alone; the caller commits them.

    load: finds rule systems.
    """

    def __init__(self, club: Club, load: Load) -> None:
        self.club, self.state, self._load = club, club.state, load
        self._tables: dict[str, Table] = {}

    def take(self, sender: str, wish: Wish, mark: str) -> bool:
        """Handle one wish; return False if its sender gets no answer today.

        sender: the address that the mail came from. mark: identifies the mail.
        """
        email = wish.email or sender
        if mark in self.state.handled or not is_address(email):
            return True
        if not self._may_answer(email):
            return False
        self.state.handled[mark] = stamp(now())[:10]
        answer = self._answer(email, wish, mark)
        if answer is not None:
            post(self.club, email, answer)
        return True

    def _may_answer(self, email: str) -> bool:
        """Count one more answer to an address; False if it has had enough today."""
        own, strangers = self.state.answers.get(email, 0), self.state.answers.get("", 0)
        known = email in self.state.members
        if own >= EACH * (4 if known else 1):
            return False
        if not known and strangers >= self.club.settings.strangers:
            return False
        self.state.answers[email] = own + 1
        if not known:
            self.state.answers[""] = strangers + 1
        return True

    def _answer(self, email: str, wish: Wish, mark: str) -> Note | None:
        """Do what a wish asks as far as it is proved; return the mail that answers it."""
        if wish.word == "CONFIRM":
            return self._confirmed(email, wish.code, mark)
        if wish.word == "GAMES":
            return self._games()
        signed, why = self._proved(email, wish, mark)
        if why:
            return note("unsigned", why=why)
        if signed:
            rename(self.state, email, wish.name)
        asked = Pending(wish.word, list(wish.what), email, stamp(now()), wish.key, wish.name)
        if signed or (wish.word == "JOIN" and self._game_of(wish.what)):
            return self._done(asked, mark, signed)
        return self._challenge(asked)

    def _proved(self, email: str, wish: Wish, mark: str) -> tuple[bool, str]:
        """Whether a wish is signed by a key that the club knows for the address; or why its
        signature cannot count."""
        if wish.broken:
            return False, wish.broken
        if not wish.key:
            return False, ""
        if stale := _stale(wish, self.club.config.address):
            return False, stale
        once = f"signed {wish.digest}"
        if once in self.state.handled:
            return False, "it has been used already"
        self.state.handled[once] = stamp(now())[:10]
        if wish.key in ended_keys(self.state):
            return False, words("key_ended")
        return is_proof(self.state, email, wish.key), ""

    def _challenge(self, asked: Pending) -> Note:
        """Keep a wish until it is confirmed; return the mail that asks for that."""
        if wrong := self._wrong(asked):
            return wrong
        code = os.urandom(CODE // 2).hex()
        self.state.pending[code] = asked
        while len(self.state.pending) > MOST:
            self.state.pending.pop(min(self.state.pending, key=lambda c: self.state.pending[c].at))
        said = " ".join([asked.word, *asked.what])
        return note("confirm", wish=said, code=code, address=self.club.config.address)

    def _confirmed(self, email: str, code: str, mark: str) -> Note | None:
        """Do what a code confirms. A code that nobody has is not answered."""
        asked = self.state.pending.get(code)
        if f"code {code}" in self.state.handled:
            return note("counted")
        if asked is None or now() - parse(asked.at) > KEPT:
            return note("no_code")
        if asked.email != email:
            return None  # the code was mailed to another address
        del self.state.pending[code]
        self.state.handled[f"code {code}"] = stamp(now())[:10]
        if asked.key in ended_keys(self.state) | doubted_keys(self.state):
            asked.key = ""  # it proves nothing; the answer from the address does
        admit(self.state, email, asked.name, asked.key)
        if asked.key:
            rename(self.state, email, asked.name)
        return self._done(asked, mark, bool(asked.key))

    def _done(self, asked: Pending, mark: str, signed: bool) -> Note | None:
        """Do a wish that is proved, or needs no proof yet; return the answer, if it has one."""
        if wrong := self._wrong(asked):
            return wrong
        if asked.word == "STANDBY":
            return self._stand_by(asked)
        if asked.word == "LEAVE":
            return self._leave(asked)
        if game := self._game_of(tuple(asked.what)):
            return self._join(asked, game, mark, signed)
        return self._enter(asked)

    def _wrong(self, asked: Pending) -> Note | None:
        """Return the answer to a wish that names nothing that exists."""
        what = asked.what
        if asked.word == "JOIN" and not self._game_of(tuple(what)):
            found = self.state.tournaments.get(what[0])
            if found is None or found.closing or found.ended:
                return self._unknown(" ".join(what))
        if asked.word == "STANDBY":
            try:
                system = self._load(what[0], "")
            except PbemError:
                return note("no_system", name=ascii_fold(what[0]), systems=self._systems())
            sides = {s for scenario in system.scenarios for s in scenario.sides}
            if len(what) > 1 and what[1] not in sides:
                return note("no_system", name=ascii_fold(" ".join(what)), systems=self._systems())
        return None

    def _unknown(self, name: str) -> Note:
        return note("unknown", name=ascii_fold(name), games=self._listing())

    def _systems(self) -> str:
        """Return the systems of the club's games in words."""
        named = {one.system for one in self.state.offers.values()}
        return ", ".join(sorted(named)) or words("none_yet")

    def _table(self, name: str) -> Table:
        """Return the seats of an offered game; read once."""
        if name not in self._tables:
            self._tables[name] = table_of(self.club, self._load, name)
        return self._tables[name]

    def _game_of(self, what: tuple[str, ...]) -> str:
        """Return the offered game that the words name; the first of a pair by its common name."""
        name = what[0] if what else ""
        for one in (name, f"{name}a", name.replace("-", "").replace("_", "")):
            offer = self.state.offers.get(one)
            if offer and (one == name or offer.pair or "-" in name or "_" in name):
                return one
        return ""

    def _games(self) -> Note:
        return note("games", club=ascii_fold(self.club.settings.name), games=self._listing())

    def _listing(self) -> str:
        """Return the open seats as lines of a mail."""
        lines: list[str] = []
        for name in open_offers(self.state):
            table, offer = self._table(name), self.state.offers[name]
            free = [side for side in table.free if side in offer.seats]
            if not free or (offer.pair and name > offer.pair):
                continue
            pair = words("pair_line") if offer.pair else ""
            lines.append(wrap(f"{table.title}{pair}. {ascii_fold(offer.words)}".strip()))
            lines += [f"  JOIN {name} {side}" for side in free]
        for name, one in self.state.tournaments.items():
            if not one.began and one.open:
                lines += [wrap(words("tournament_line", kind=one.kind, system=one.system))]
                lines += [f"  JOIN {name}"]
        return "\n".join(lines) or words("no_seats")

    def _join(self, asked: Pending, name: str, mark: str, signed: bool) -> Note | None:
        """Send a joining letter for a free seat, or register a key that is known."""
        offer = self.state.offers[name]
        if offer.opened:
            return note("full", game=name, games=self._listing())
        table = self._table(name)
        if asked.email in table.people:
            return note("in_already", game=name, side=table.people[asked.email])
        side = self._seat(asked, table, offer)
        if not side:
            return note("full", game=name, games=self._listing())
        table.asked[side] = table.asked.get(side, 0) + 1
        offer.anyone.pop(asked.email, None)
        if asked.what[1:] in ([], ["any"]) and not signed:
            offer.anyone[asked.email] = side
        if signed:
            table.free.remove(side)
            table.people[asked.email] = side
        self.state.todo.append(
            Todo(
                "seat" if signed else "invite",
                name,
                side,
                asked.email,
                mark,
                asked.key,
                asked.name or chosen_name(self.state, asked.email),
            )
        )
        return note("seated", game=name, side=table.sides[side]) if signed else None

    def _seat(self, asked: Pending, table: Table, offer: Offer) -> str:
        """Return the side that a wish gets; empty if there is none for it."""
        mine = [s for s in table.free if s in offer.seats or offer.held.get(s) == asked.email]
        wanted = asked.what[1] if len(asked.what) > 1 else "any"
        if wanted == "any":  # of those for which the fewest letters wait for an answer
            return min(mine, key=lambda side: table.asked.get(side, 0), default="")
        called = {side: name.lower().replace(" ", "_") for side, name in table.sides.items()}
        return next((s for s in mine if wanted in (s, called[s])), "")

    def _stand_by(self, asked: Pending) -> Note:
        """Add somebody to the standby list, at its end."""
        system, side = asked.what[0], asked.what[1] if len(asked.what) > 1 else ""
        mine = [s for s in self.state.standby if s.email == asked.email and s.system == system]
        if not any(s.side in ("", side) for s in mine):
            self.state.standby.append(Standby(asked.email, system, side, stamp(now())))
        return note("standing_by", what=" ".join(asked.what))

    def _enter(self, asked: Pending) -> Note:
        """Enter somebody in a tournament, once, from whichever address he writes."""
        name = asked.what[0]
        one = self.state.tournaments[name]
        admit(self.state, asked.email, asked.name, asked.key)
        others = [e for e in one.entrants if e != asked.email and e not in one.gone]
        if any(same_person(self.state, asked.email, other) for other in others):
            return note("entered_before", name=name)
        if asked.email in one.gone:
            one.gone.remove(asked.email)
        if asked.email not in one.entrants:
            if not one.open:
                return note("began", name=name)
            one.entrants.append(asked.email)
        return note("entered", name=name)

    def _leave(self, asked: Pending) -> Note:
        """Take somebody off the standby list, or out of a tournament or a game not yet open."""
        email, name = asked.email, asked.what[0] if asked.what else ""
        left: list[str] = []
        kept = [s for s in self.state.standby if s.email != email or name not in ("", s.system)]
        if len(kept) < len(self.state.standby):
            left.append(words("the_list"))
            self.state.standby = kept
        for title, one in self.state.tournaments.items():
            if name in ("", title) and email in one.entrants and email not in one.gone:
                (one.gone.append if one.began else one.entrants.remove)(email)
                left.append(title)
        for game in list(open_offers(self.state)):
            table = self._table(game)
            if name in ("", game) and email in table.people:
                self._give_back(game, table, table.people.pop(email))
                left.append(game)
        playing = name in self.state.offers and bool(self.state.offers[name].opened)
        if not left:
            return note("resign" if playing else "nowhere", name=ascii_fold(name) or "anything")
        return note("gone", what=", ".join(left))

    def _give_back(self, game: str, table: Table, side: str) -> None:
        """Offer a seat again whose player left before the game opened; in a pair, both seats."""
        from pbem.store.game_dir import reading

        offer = self.state.offers[game]
        officers = reading(self.club.home, game).register.officers
        offer.left[side] = max(o.number for o in officers if o.side == side)
        if side in offer.seats:
            table.free.append(side)


def _stale(wish: Wish, address: str) -> str:
    """Return why a signed wish is not for this club, or not of this week; empty if it is."""
    if wish.to != address:
        return f"it was signed for {ascii_fold(wish.to)[:80] or 'another club'}"
    try:
        age = now() - parse(wish.at)
    except PbemError:
        return "it has no date"
    signed = f"it was signed at {ascii_fold(wish.at)[:30]}"
    if age <= -KEPT:
        return f"{signed}, more than a week in the future: set that computer's clock"
    return f"{signed}, more than a week ago" if age >= KEPT else ""


def forget(club: Club) -> None:
    """Drop codes, and marks of handled mails, that nothing can refer to any more."""
    state = club.state
    oldest = stamp(now() - 3 * KEPT)
    state.handled = {mark: day for mark, day in state.handled.items() if day >= oldest[:10]}
    state.pending = {c: one for c, one in state.pending.items() if now() - parse(one.at) <= KEPT}
