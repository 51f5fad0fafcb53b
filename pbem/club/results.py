"""Results of finished games, from their ledgers alone: who played which side, and who won.

People are known by the keys with which they signed. A key that its owner changed, or that replaced
a lost one, is the same person's; a key that came with another player is not. A game counts for
whoever held a side at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from pbem.store.game_dir import LEDGER
from pbem.store.ledger import Ledger, Record
from pbem.store.records import Replaced
from pbem.store.register import Register


class Result(Struct, frozen=True):
    """A finished game."""

    game: str
    system: str
    scenario: str
    at: str
    """When it ended."""
    result: str
    """The side that won, `draw` or `none`."""
    players: dict[str, list[str]]
    """Side to the fingerprints of its players' keys, in the scenario's order of sides."""
    bots: list[str] = []
    """The sides that the referee's bot played."""
    same: list[tuple[str, str]] = []
    """Pairs of keys of the same person, the former first."""

    @property
    def counts(self) -> bool:
        """Whether ratings count it: it has a result, and people played every side."""
        return self.result != "none" and not self.bots and all(self.players.values())


def result_of(records: Iterable[Record]) -> Result | None:
    """Return the result that a ledger records; None while its game goes on. Raises BrokenChain."""
    register, at = Register(), ""
    same: list[tuple[str, str]] = []
    for record in records:
        if isinstance(record.body, Replaced) and record.body.right != "replacement":
            same += _same(register, record.body)
        over = register.over
        register.apply(record)
        if register.over and not over:
            at = record.at
    if not register.over:
        return None
    created = register.created
    return Result(
        game=created.game,
        system=created.system,
        scenario=created.scenario,
        at=at,
        result=register.over.result,
        players={
            side: [name_of(o.key) for o in register.officers if o.side == side and not o.bot]
            for side in register.sides
        },
        bots=[o.side for o in register.officers if o.bot],
        same=same,
    )


def _same(register: Register, body: Replaced) -> list[tuple[str, str]]:
    """Return the keys that a change ends, each with the one that takes their place."""
    ended = [o for o in register.officers if o.side == body.side and o.number in body.ends]
    return [(name_of(o.key), name_of(body.key)) for o in ended]


def name_of(key: str) -> str:
    """Return the fingerprint of a public key line, as `ssh-keygen -l` shows it."""
    from pbem.crypto.sshsig import fingerprint, wire_key

    return fingerprint(wire_key(key))


def result_in(home: Path, name: str) -> Result | None:
    """Return the result of a game of a home; None while it goes on."""
    return result_of(Ledger.open(home / name / LEDGER, lock=False).records())


class People:
    """Who is who: fingerprints of keys to persons.

    names: fingerprint to the name of a member; keys of one name are one person's. Without a name a
    person is called by the first of his keys.
    """

    def __init__(self, results: Sequence[Result], names: Mapping[str, str]) -> None:
        self._names, self._former = names, dict[str, str]()
        for former, later in (pair for result in results for pair in result.same):
            self._former[later] = former

    def name(self, key: str) -> str:
        """Return the person with that key."""
        seen = {key}
        found = self._names.get(key, "")
        while not found and key in self._former and self._former[key] not in seen:
            key = self._former[key]
            seen.add(key)
            found = self._names.get(key, "")
        return found or key
